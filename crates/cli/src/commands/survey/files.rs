//! The files of a survey: a table, a page and its charts as a picture, which appear together.

use crate::failure::Failure;
use hamiltone_render::{Ending, commit::commit, distinct::check_distinct, file::failed, target::Target};
use hamiltone_scene::document::problem::printable_path;
use hamiltone_study::{
    survey::{Survey, picture, rows},
    table,
};
use std::{
    fs,
    io::Write,
    path::{Path, PathBuf},
};

/// All files.
pub struct SurveyFiles {
    paths: [PathBuf; 3],
    targets: [Target; 3],
}

impl SurveyFiles {
    /// Creates the folder and temporary files, so that what can be known to fail fails before the survey.
    ///
    /// # Errors
    /// A file that cannot be written, or that is an input.
    pub fn new(folder: &Path, inputs: &[&PathBuf]) -> Result<Self, Failure> {
        let paths = ["survey.csv", "index.html", "survey.svg"].map(|name| folder.join(name));
        let outputs = ["the table", "the page", "the picture"].map(String::from).into_iter().zip(&paths);
        check_distinct(outputs, None, inputs.iter().copied())?;
        fs::create_dir_all(folder).map_err(|error| failed(folder, error))?;
        let [csv, html, svg] = paths.each_ref().map(|path| Target::create(path));
        let targets = [csv?, html?, svg?];
        Ok(Self { paths, targets })
    }

    /// Writes all, under the names of a survey that ended so, which are returned.
    ///
    /// # Errors
    /// Where one cannot be written; then earlier files stay as they are.
    pub fn write(self, survey: &Survey, ending: Ending) -> Result<Vec<String>, Failure> {
        let [csv, html, svg] = self.targets;
        let rows = rows::of(survey);
        let (page, charts) = (picture::html(survey), picture::svg(survey));
        commit(vec![
            csv.stage(ending, |out| table::csv(&rows, out))?,
            html.stage(ending, |out| out.write_all(page.as_bytes()))?,
            svg.stage(ending, |out| out.write_all(charts.as_bytes()))?,
        ])?;
        Ok(self.paths.iter().map(|path| printable_path(ending.name(path))).collect())
    }
}

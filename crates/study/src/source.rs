//! The scene of a study: a text that is read again and again with other values.

use crate::table::prepare;
use hamiltone_render::distinct::check_distinct;
use hamiltone_scene::{Diagnostics, Limits, Plan, Scene, Set};
use std::path::PathBuf;

/// A scene that is run with changes.
#[derive(Clone, Debug)]
pub struct Source {
    /// The text, with the changes that all runs have in common.
    pub text: String,
    /// The name in messages.
    pub name: String,
    /// Its file, if it has one.
    pub file: Option<PathBuf>,
    /// Where file names in the scene start from.
    pub base: PathBuf,
    /// What each run may ask for.
    pub limits: Limits,
}

impl Source {
    /// The plan of one run.
    ///
    /// # Errors
    /// All that is wrong with the scene and its changes.
    pub fn plan(&self, sets: &[Set]) -> Result<Plan, Diagnostics> {
        Scene::new(&self.text, &self.name, &self.base, sets).within(self.limits.clone()).plan()
    }

    /// Checks that no output takes the place of the scene, of one of these files that it reads, or of another output, and creates
    /// the folders of the outputs; each with what messages call it.
    ///
    /// # Errors
    /// The two that are the same file, and a file that cannot be created.
    pub fn check_outputs(&self, inputs: &[PathBuf], outputs: &[(&str, PathBuf)]) -> Result<(), String> {
        let named = outputs.iter().map(|(what, path)| (what.to_string(), path));
        check_distinct(named, None, inputs.iter().chain(&self.file))?;
        outputs.iter().try_for_each(|(_, path)| prepare(path)).map_err(|error| error.to_string())
    }
}

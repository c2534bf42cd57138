//! The files that `hamiltone play` writes: they appear together when the performance has ended.

use super::{arguments::PlayArguments, checkpoint::checkpoint};
use crate::{commands::render::space, failure::Failure};
use hamiltone_render::{
    Checkpoint, Ending, Sink, Sound,
    commit::commit,
    distinct::check_distinct,
    forecast,
    sinks::sounds::{Sounds, sounds},
    spool::Spool,
    target::Target,
};
use hamiltone_report::spectrogram_svg;
use hamiltone_scene::{Limits, Plan, document::problem::printable_path, plan::SampleFormat};
use serde_json::Value;
use std::{
    fs,
    io::Write,
    path::{Path, PathBuf},
};

const AUDIT: &str = "the audit";
const PICTURE: &str = "the picture";
/// The picture of silence.
const NOTHING_HEARD: &str = r#"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 200 40"><text x="10" y="25">silence</text></svg>"#;

/// The files that are asked for.
pub struct PlayFiles {
    sounds: Sounds,
    /// The audit and the picture: what each is called, and its file.
    texts: Vec<(&'static str, PathBuf, Option<Target>)>,
    checkpoint: Option<Checkpoint>,
}

impl PlayFiles {
    /// Creates their folders and their temporary files, so that what can be known to fail fails before a long performance.
    ///
    /// # Errors
    /// A name without a known format, too little space for performances of as many samples as these plans `performed` have, a file that cannot be written, or one that is an
    /// input.
    pub fn new<'a>(
        arguments: &PlayArguments,
        plan: &Plan,
        performed: impl IntoIterator<Item = &'a Plan>,
        inputs: &[PathBuf],
        limits: &Limits,
    ) -> Result<Self, Failure> {
        let stem = arguments.song.file_stem().unwrap_or_default();
        let sound = arguments.output.clone().unwrap_or_else(|| {
            let mut name = stem.to_os_string();
            name.push(".wav");
            name.into()
        });
        let mut files = Self {
            sounds: sounds(&sound, plan)?,
            texts: [(AUDIT, &arguments.audit), (PICTURE, &arguments.picture)]
                .into_iter()
                .filter_map(|(what, path)| Some((what, path.clone()?, None)))
                .collect(),
            checkpoint: checkpoint(arguments),
        };
        check_distinct(files.outputs(), files.checkpoint.as_ref(), inputs.iter().chain(&plan.inputs))?;
        let mut needs = files.sounds.forecast(plan);
        performed.into_iter().for_each(|plan| needs.add(forecast::performance(plan, files.beside())));
        space::check(&needs, arguments.resume, limits)?;
        for (_, path) in files.outputs() {
            let folder = path.parent().unwrap_or(Path::new(""));
            fs::create_dir_all(folder).map_err(|error| {
                Failure::Other(format!("cannot write `{}`: {error}", printable_path(path)))
            })?;
        }
        files.sounds.start(plan)?;
        for (_, path, target) in &mut files.texts {
            *target = Some(Target::create(path)?);
        }
        Ok(files)
    }

    /// What is written, and under which name by a good performance.
    fn outputs(&self) -> Vec<(String, &PathBuf)> {
        let texts = self.texts.iter().map(|(what, path, _)| (what.to_string(), path));
        self.sounds.0.iter().map(|sound| (sound.what.clone(), &sound.path)).chain(texts).collect()
    }

    /// Where the samples are until the end.
    pub fn spool(&self) -> Spool {
        match self.checkpoint {
            Some(_) => Spool::named(self.beside()),
            None => Spool::beside(self.beside()),
        }
    }

    /// The file of the samples, or the one that they are beside.
    fn beside(&self) -> PathBuf {
        let sound = || self.sounds.0.first().map(|sound| sound.path.clone()).unwrap_or_default();
        self.checkpoint.as_ref().map_or_else(sound, |checkpoint| checkpoint.data("sound"))
    }

    /// Writes all files and gives them their names.
    ///
    /// # Errors
    /// Where one cannot be written; then earlier files stay as they are.
    pub fn write(
        &mut self,
        sound: &Sound,
        format: SampleFormat,
        audit: &Value,
        ending: Ending,
    ) -> Result<(), Failure> {
        let mut staged = self.sounds.stage(sound, format, ending)?;
        for (what, _, target) in &mut self.texts {
            let Some(target) = target.take() else { continue };
            let text = match *what {
                AUDIT => format!("{audit:#}"),
                _ => spectrogram_svg(audit["title"].as_str().unwrap_or_default(), sound)?
                    .unwrap_or_else(|| NOTHING_HEARD.into()),
            };
            staged.push(target.stage(ending, |out| writeln!(out, "{text}"))?);
        }
        Ok(commit(staged)?)
    }

    /// The names of the files of a performance that ended so.
    pub fn names(&self, ending: Ending) -> Vec<String> {
        let names = self.outputs().into_iter().map(|(_, path)| ending.name(path));
        names.map(printable_path).collect()
    }
}

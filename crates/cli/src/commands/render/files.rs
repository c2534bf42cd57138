//! The files that `hamiltone render` writes.

use super::{arguments::Arguments, place::Place};
use crate::failure::Failure;
use hamiltone_render::{
    Sink,
    sinks::{
        audit::AuditFile,
        states::States,
        wav::{self, Wav},
    },
};
use hamiltone_report::Report;
use hamiltone_scene::{Limits, document::problem::printable};
use std::{
    fs,
    path::{Path, PathBuf},
};

/// Refuses names of sounds that cannot be WAV files.
///
/// # Errors
/// Standard output, and extensions of other formats.
pub fn check_name(path: &Path) -> Result<(), Failure> {
    let others =
        ["mp3", "flac", "ogg", "opus", "m4a", "aac", "aif", "aiff", "aifc", "caf", "wma", "raw", "mp4"];
    let extension = path.extension().map(|e| e.to_string_lossy().to_lowercase()).unwrap_or_default();
    let name = path.display();
    if path.as_os_str() == "-" {
        return Err(Failure::Other(
            "the sound cannot be written to standard output; give a file, such as -o sound.wav".into(),
        ));
    }
    if others.contains(&extension.as_str()) {
        let wav = path.with_extension("wav");
        return Err(Failure::Other(format!(
            "`{name}`: the sound is written as WAV; use -o {}",
            wav.display()
        )));
    }
    Ok(())
}

/// The files that are asked for, with their sinks.
pub struct Files {
    sound: PathBuf,
    wav: Wav,
    audit: Option<(PathBuf, AuditFile)>,
    states: Option<(PathBuf, States)>,
    report: Option<(PathBuf, Report)>,
}

impl Files {
    /// The files that the command line names. `text` is the scene, for the report.
    pub fn new(arguments: &Arguments, text: String, limits: &Limits) -> Self {
        let stem = arguments.scene.scene.file_stem().unwrap_or_default();
        let sound = arguments.output.clone().unwrap_or_else(|| PathBuf::from(stem).with_extension("wav"));
        let (every, pickups) = (arguments.states_every, arguments.states_pickups);
        Self {
            wav: Wav::new(&sound),
            sound,
            audit: arguments.audit.clone().map(|path| (path.clone(), AuditFile::new(path))),
            states: arguments
                .states
                .clone()
                .map(|path| (path.clone(), States::new(path, every, pickups).within(limits.clone()))),
            report: arguments.report.clone().map(|path| (path.join("index.html"), Report::new(path, text))),
        }
    }

    /// The name of the sound.
    pub fn sound(&self) -> &Path {
        &self.sound
    }

    /// Creates the folders of the files.
    ///
    /// # Errors
    /// Where a folder cannot be created.
    pub fn create_folders(&self) -> Result<(), Failure> {
        let others = [&self.audit.as_ref().map(|f| &f.0), &self.states.as_ref().map(|f| &f.0)];
        for path in others.into_iter().flatten().copied().chain([&self.sound]) {
            let folder = path.parent().unwrap_or(Path::new(""));
            fs::create_dir_all(folder)
                .map_err(|error| Failure::Other(format!("cannot write `{}`: {error}", path.display())))?;
        }
        Ok(())
    }

    /// Checks that no output overwrites a file that the scene reads, or another output, and that none lies in another.
    ///
    /// # Errors
    /// The two that are the same file, or of which one would be a folder.
    pub fn check_distinct<'a>(&self, inputs: impl Iterator<Item = &'a PathBuf>) -> Result<(), Failure> {
        let failed = wav::failed_name(&self.sound);
        let named = [
            ("the sound", Some(&self.sound)),
            ("the sound of a failed run", Some(&failed)),
            ("the audit", self.audit.as_ref().map(|f| &f.0)),
            ("the states", self.states.as_ref().map(|f| &f.0)),
            ("the report", self.report.as_ref().map(|f| &f.0)),
        ];
        let inputs = inputs.map(|path| ("an input of the scene", path));
        let outputs = named.into_iter().filter_map(|(what, path)| Some((what, path?)));
        let mut taken: Vec<(&str, Place)> = inputs.map(|(what, path)| (what, Place::of(path))).collect();
        let count = taken.len();
        for (what, path) in outputs {
            let place = Place::of(path);
            if let Some((other, _)) = taken.iter().find(|(_, taken)| taken.is(&place)) {
                let path = printable(&path.display().to_string());
                return Err(Failure::Other(format!(
                    "{what} and {other} are the same file, `{path}`; choose another name"
                )));
            }
            // A folder that is an input's file cannot be created, and is reported then.
            let mut outputs = taken.iter().skip(count);
            if let Some((other, _)) = outputs.find(|(_, taken)| taken.is_around(&place)) {
                let path = printable(&path.display().to_string());
                return Err(Failure::Other(format!(
                    "{what}, `{path}`, and {other}: one would be a folder of the other; choose another name"
                )));
            }
            taken.push((what, place));
        }
        Ok(())
    }

    /// The sinks, that of the sound first.
    pub fn sinks(&mut self) -> Vec<&mut dyn Sink> {
        let mut sinks: Vec<&mut dyn Sink> = vec![&mut self.wav];
        sinks.extend(self.audit.as_mut().map(|(_, sink)| sink as &mut dyn Sink));
        sinks.extend(self.states.as_mut().map(|(_, sink)| sink as &mut dyn Sink));
        sinks.extend(self.report.as_mut().map(|(_, sink)| sink as &mut dyn Sink));
        sinks
    }

    /// The names of the files that were written by a run that is `ok`, or not.
    pub fn names(&self, ok: bool) -> Vec<String> {
        let sound = if ok { self.sound.clone() } else { wav::failed_name(&self.sound) };
        let others = [
            self.audit.as_ref().map(|(path, _)| path.clone()),
            self.states.as_ref().map(|(path, _)| path.clone()),
            self.report.as_ref().map(|(path, _)| path.clone()),
        ];
        [Some(sound)]
            .into_iter()
            .chain(others)
            .flatten()
            .map(|path| printable(&path.display().to_string()))
            .collect()
    }
}

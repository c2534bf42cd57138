//! The files that `hamiltone render` writes.

use super::arguments::RenderArguments;
use crate::failure::Failure;
use hamiltone_render::{
    Checkpoint, Ending, Sink,
    checkpoint::Interval,
    distinct::check_distinct,
    options::Storage,
    sinks::{
        audit::AuditFile,
        sounds::{Sounds, sounds},
        states::States,
    },
};
use hamiltone_report::Report;
use hamiltone_scene::{Limits, Plan, document::problem::printable_path};
use std::{
    fs,
    path::{Path, PathBuf},
    time::Duration,
};

/// The files that are asked for, with their sinks.
pub struct RenderFiles {
    /// One for each bus, that of the first under the name that is asked for.
    sounds: Sounds,
    audit: Option<(PathBuf, AuditFile)>,
    states: Option<(PathBuf, States)>,
    report: Option<(PathBuf, Report)>,
    checkpoint: Option<Checkpoint>,
}

impl RenderFiles {
    /// The files that the command line names. `text` is the scene, for the report.
    ///
    /// # Errors
    /// A name of the sound that has no format.
    pub fn new(
        arguments: &RenderArguments,
        plan: &Plan,
        text: String,
        limits: &Limits,
    ) -> Result<Self, Failure> {
        let stem = arguments.scene.scene.file_stem().unwrap_or_default();
        let sound = arguments.output.clone().unwrap_or_else(|| PathBuf::from(stem).with_extension("wav"));
        let (every, pickups) = (arguments.states_every, arguments.states_pickups);
        let mut checkpoint = arguments.checkpoint.as_ref().map(|path| checkpoint(arguments, path));
        let states = arguments.states.clone().map(|path| {
            let states = States::new(&path, every, pickups).within(limits.clone());
            let states = match &mut checkpoint {
                Some(checkpoint) => states.continued(checkpoint),
                None => states,
            };
            (path, states)
        });
        Ok(Self {
            sounds: sounds(&sound, plan)?,
            audit: arguments.audit.clone().map(|path| (path.clone(), AuditFile::new(path))),
            states,
            report: arguments.report.clone().map(|path| (path.join("index.html"), Report::new(path, text))),
            checkpoint,
        })
    }

    /// The checkpoint, if one is asked for.
    pub fn checkpoint(&self) -> Option<&Checkpoint> {
        self.checkpoint.as_ref()
    }

    /// Where the samples are while the run goes on.
    pub fn storage(&self) -> Storage {
        let checkpoint = self.checkpoint.as_ref().map(|checkpoint| checkpoint.data("sound"));
        let sound = || self.sounds.0.first().map(|sound| sound.path.clone()).unwrap_or_default();
        Storage::Beside(checkpoint.unwrap_or_else(sound))
    }

    /// Creates the folders of the files.
    ///
    /// # Errors
    /// Where a folder cannot be created.
    pub fn create_folders(&self) -> Result<(), Failure> {
        let checkpoint = self.checkpoint.as_ref().map(|checkpoint| &checkpoint.path);
        let others = [self.audit.as_ref().map(|f| &f.0), self.states.as_ref().map(|f| &f.0), checkpoint];
        for path in others.into_iter().flatten().chain(self.sounds.0.iter().map(|sound| &sound.path)) {
            let folder = path.parent().unwrap_or(Path::new(""));
            fs::create_dir_all(folder).map_err(|error| {
                Failure::Other(format!("cannot write `{}`: {error}", printable_path(path)))
            })?;
        }
        Ok(())
    }

    /// Checks that no output overwrites a file that the scene reads, or another output, and that none lies in another.
    ///
    /// # Errors
    /// Those of [`check_distinct`].
    pub fn check_distinct<'a>(&'a self, inputs: impl Iterator<Item = &'a PathBuf>) -> Result<(), Failure> {
        Ok(check_distinct(self.outputs(), self.checkpoint.as_ref(), inputs)?)
    }

    /// The sinks, those of the sounds first.
    pub fn sinks(&mut self) -> Vec<&mut dyn Sink> {
        let mut sinks: Vec<&mut dyn Sink> = vec![&mut self.sounds];
        sinks.extend(self.audit.as_mut().map(|(_, sink)| sink as &mut dyn Sink));
        sinks.extend(self.states.as_mut().map(|(_, sink)| sink as &mut dyn Sink));
        sinks.extend(self.report.as_mut().map(|(_, sink)| sink as &mut dyn Sink));
        sinks
    }

    /// What is written, and under which name by a good run.
    fn outputs(&self) -> Vec<(String, &PathBuf)> {
        let others = [
            ("the audit", self.audit.as_ref().map(|f| &f.0)),
            ("the states", self.states.as_ref().map(|f| &f.0)),
            ("the report", self.report.as_ref().map(|f| &f.0)),
        ];
        let others = others.into_iter().filter_map(|(what, path)| Some((what.to_string(), path?)));
        self.sounds.0.iter().map(|sound| (sound.what.clone(), &sound.path)).chain(others).collect()
    }

    /// The names of the files that were written by a run that ended so.
    pub fn names(&self, ending: Ending) -> Vec<String> {
        let names = self.outputs().into_iter().map(|(_, path)| ending.name(path));
        names.map(printable_path).collect()
    }
}

/// The checkpoint that the command line asks for.
fn checkpoint(arguments: &RenderArguments, path: &Path) -> Checkpoint {
    let mut checkpoint = Checkpoint::new(path);
    checkpoint.interval = Interval::Time(Duration::from_secs_f64(arguments.checkpoint_every));
    checkpoint.resume = arguments.resume;
    let asked = |asked: bool| if asked { "asked for" } else { "not asked for" };
    let every =
        arguments.states_every.map_or("one row per sample".into(), |every| format!("every {every} steps"));
    let states = if arguments.states.is_some() { every } else { asked(false).into() };
    checkpoint.options = [
        ("--audit", asked(arguments.audit.is_some()).to_string()),
        ("--states", states),
        ("--states-pickups", asked(arguments.states_pickups).to_string()),
        ("--report", asked(arguments.report.is_some()).to_string()),
    ]
    .map(|(option, value)| (option.to_string(), value))
    .into();
    checkpoint
}

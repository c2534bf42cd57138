//! The arguments that several commands take: a scene and the changes to it.

use crate::failure::Failure;
use clap::{Args, ValueHint};
use hamiltone_scene::{Limits, Scene, Set};
use hamiltone_study::source::Source;
use std::{path::PathBuf, sync::Arc};

/// The scene and the changes to it.
#[derive(Args)]
pub struct SceneArguments {
    /// Scene file (TOML)
    #[arg(value_hint = ValueHint::FilePath)]
    pub scene: PathBuf,
    /// Change a value of the scene, such as contact.lay.gap="0.3 mm", or score.0.time="1 s" in the first
    /// entry of a list; may be repeated
    #[arg(long, value_name = "PATH=VALUE", value_parser = Set::parse)]
    set: Vec<Set>,
    /// Use another scheme: the same as --set run.scheme=NAME
    #[arg(long, value_name = "NAME")]
    scheme: Option<String>,
    /// Use another duration, such as "2 s": the same as --set run.duration=…
    #[arg(long)]
    duration: Option<String>,
}

impl SceneArguments {
    /// Opens the scene with its changes and those of `more` (path, option, value), under these limits.
    ///
    /// # Errors
    /// Where the file cannot be read as text.
    pub fn open(&self, more: &[(&str, &str, Option<&String>)], limits: &Limits) -> Result<Scene, Failure> {
        let options = [
            ("run.scheme", "--scheme", self.scheme.as_ref()),
            ("run.duration", "--duration", self.duration.as_ref()),
        ];
        let options = options
            .iter()
            .chain(more)
            .filter_map(|(path, option, value)| value.map(|value| Set::option(path, option, value)));
        let sets: Vec<Set> = self.set.iter().cloned().chain(options).collect();
        Scene::open_within(&self.scene, &sets, limits.clone()).map_err(Failure::from)
    }

    /// The scene with its changes, to be run many times under these limits.
    ///
    /// # Errors
    /// Where the file cannot be read as text, and changes that cannot be made.
    pub fn source(&self, limits: &Limits) -> Result<Source, Failure> {
        let scene = self.open(&[], limits)?;
        // What is wrong with the command line is said at once, and not of each run.
        scene.changes()?;
        let path = &self.scene;
        Ok(Source {
            text: scene.text().into(),
            name: path.display().to_string(),
            file: Some(path.clone()),
            base: path.parent().map(Into::into).unwrap_or_default(),
            limits: limits.clone(),
            shared: Arc::default(),
        })
    }
}

//! The scene of a study: a text that is read again and again with other values.

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

    /// Checks that no output takes the place of the scene, of a file that it reads, or of another output; each with what messages call it.
    ///
    /// # Errors
    /// The two that are the same file.
    pub fn check_outputs(&self, plan: &Plan, outputs: &[(&str, PathBuf)]) -> Result<(), String> {
        let outputs = outputs.iter().map(|(what, path)| (what.to_string(), path));
        check_distinct(outputs, None, plan.inputs.iter().chain(&self.file))
    }
}

//! The scene of a study: a text that is read again and again with other values.

use crate::table::prepare;
use hamiltone_bodies::reduction::ModeCache;
use hamiltone_render::{Prepared, distinct::check_distinct};
use hamiltone_scene::{Diagnostics, Limits, Plan, Scene, Set};
use std::{path::PathBuf, sync::Arc};
use toml::Value;

/// A scene that is run with changes.
#[derive(Clone)]
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
    /// What its runs share.
    pub shared: Arc<Shared>,
}

/// What runs of one scene share, whose bits do not depend on it.
#[derive(Default)]
pub struct Shared {
    /// The modes of bodies, also where something else differs.
    modes: Arc<ModeCache>,
    /// The scheme as it was prepared last, where initial conditions alone differ.
    pub prepared: Prepared,
}

impl Shared {
    /// The plan of a scene.
    ///
    /// # Errors
    /// All that is wrong with the scene.
    pub fn plan(&self, scene: Scene) -> Result<Plan, Diagnostics> {
        self.modes.during(|| scene.plan())
    }

    /// The number of bodies whose modes are cached.
    pub fn bodies(&self) -> usize {
        self.modes.count()
    }
}

impl Source {
    /// The plan of one run. Where the scene states no level its sound has the reference level, so that runs can be compared.
    ///
    /// # Errors
    /// All that is wrong with the scene and its changes.
    pub fn plan(&self, sets: &[Set]) -> Result<Plan, Diagnostics> {
        let scene = Scene::new(&self.text, &self.name, &self.base, sets).within(self.limits.clone());
        let mut plan = self.shared.plan(scene)?;
        plan.output = plan.output.comparable();
        Ok(plan)
    }

    /// The files that the scene may read, whatever else its runs change: all that a text in it or among these `values` names.
    pub fn files<'a>(&self, values: impl IntoIterator<Item = &'a String>) -> Vec<PathBuf> {
        let mut names = Vec::new();
        let mut read = |text: &str| {
            if let Ok(table) = text.parse() {
                texts(&Value::Table(table), &mut names);
            }
        };
        read(&self.text);
        for value in values {
            // A value is a text, or a list or a table in TOML.
            read(&format!("value = {}", Value::String(value.clone())));
            read(&format!("value = {value}"));
        }
        names.sort_unstable();
        names.dedup();
        names.iter().map(|name| self.base.join(name)).filter(|path| path.is_file()).collect()
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

/// All texts within a value.
fn texts(value: &Value, found: &mut Vec<String>) {
    match value {
        Value::String(text) => found.push(text.clone()),
        Value::Array(values) => values.iter().for_each(|value| texts(value, found)),
        Value::Table(table) => table.values().for_each(|value| texts(value, found)),
        Value::Integer(_) | Value::Float(_) | Value::Boolean(_) | Value::Datetime(_) => {}
    }
}

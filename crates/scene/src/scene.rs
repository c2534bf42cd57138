//! Scenes: the TOML text that a user writes, and everything that can be wrong with it.
//!
//! ```text
//! text (+ changes) → sections with spans → values against parameter tables → resolve → Plan
//! ```
//!
//! Errors are collected, not thrown: one reading shows them all.
//!
//! **Architecture Invariant:** only [`crate::document`] and [`crate::resolve`] know TOML;
//! neither knows any particular body, law, drive or scheme.

use crate::{
    document::{diagnostics::Diagnostics, problem::Problem, reading, set::Set, syntax, text::SceneText},
    instrument::expand::INSTRUMENT,
    limits::{Limited, Limits},
    performance::ensemble::Ensemble,
    resolve::{self, PLAYER},
};
use hamiltone_plan::Plan;
use std::path::{Path, PathBuf};

/// A scene: its text with every change made, not yet checked.
pub struct Scene {
    text: SceneText,
    base: PathBuf,
    limits: Limits,
    /// What is wrong with the changes themselves.
    problems: Vec<Problem>,
}

impl Scene {
    /// The plan of the scene in a file, with `sets` applied.
    ///
    /// # Errors
    /// All that is wrong with the file, its values and the changes.
    pub fn read(path: impl AsRef<Path>, sets: &[Set]) -> Result<Plan, Diagnostics> {
        Self::open(path, sets)?.plan()
    }

    /// The scene in a file, with `sets` applied.
    ///
    /// # Errors
    /// Where the file cannot be read as text.
    pub fn open(path: impl AsRef<Path>, sets: &[Set]) -> Result<Self, Diagnostics> {
        Self::open_within(path, sets, Limits::default())
    }

    /// The same under other limits.
    ///
    /// # Errors
    /// Where the file cannot be read as text, or is larger than its limit.
    pub fn open_within(path: impl AsRef<Path>, sets: &[Set], limits: Limits) -> Result<Self, Diagnostics> {
        let path = path.as_ref();
        let name = path.display().to_string();
        let unreadable = |text: &str, at: usize, why: String| {
            let text = SceneText::new(&name, text, &[], &mut Vec::new());
            Diagnostics::new(text, vec![Problem::new(format!("the scene cannot be read: {why}"), at..at, "")])
        };
        let bytes = reading::within(path, Limited::Scene, &limits).map_err(|why| unreadable("", 0, why))?;
        let text = String::from_utf8(bytes).map_err(|e| {
            let at = e.utf8_error().valid_up_to();
            // What stands before the byte is as it was, and so is its line.
            let text = String::from_utf8_lossy(e.as_bytes());
            unreadable(&text, at, format!("byte {at} is not UTF-8; a scene is a text file"))
        })?;
        Ok(Self::new(&text, &name, path.parent().unwrap_or(Path::new("")), sets).within(limits))
    }

    /// A scene from its text; `name` stands in messages and `base` is where file names start from.
    ///
    /// ```
    /// use hamiltone_scene::Scene;
    /// let wrong = Scene::new("hamiltone = 4", "x.toml", ".".as_ref(), &[]).plan().err().unwrap();
    /// assert!(wrong.to_string().contains("x.toml:1:13: this is not a scene of format 1, 2 or 3"));
    /// ```
    pub fn new(text: &str, name: &str, base: &Path, sets: &[Set]) -> Self {
        let mut problems = Vec::new();
        let text = SceneText::new(name, text, sets, &mut problems);
        Self { text, base: base.into(), limits: Limits::default(), problems }
    }

    /// The same scene under other limits.
    #[must_use]
    pub fn within(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }

    /// The text with every change made: what is read and hashed.
    pub fn text(&self) -> &str {
        &self.text.merged
    }

    /// Whether the changes could be made; what they lead to is not looked at.
    ///
    /// # Errors
    /// All that is wrong with the changes themselves.
    pub fn changes(&self) -> Result<(), Diagnostics> {
        match &self.problems[..] {
            [] => Ok(()),
            problems => Err(Diagnostics::new(self.text.clone(), problems.to_vec())),
        }
    }

    /// Whether it is an instrument, which is played ([`crate::instrument::Instrument`]).
    pub fn is_instrument(&self) -> bool {
        self.has(INSTRUMENT)
    }

    /// Whether it is an ensemble, which plays together ([`Scene::ensemble`]).
    pub fn is_ensemble(&self) -> bool {
        self.has(PLAYER) && !self.has(INSTRUMENT)
    }

    fn has(&self, key: &str) -> bool {
        let document = syntax::parse(&self.text.merged, &mut Vec::new());
        document.is_some_and(|document| document.get_ref().contains_key(key))
    }

    /// All that its plan depends on: its name, the text with every change, the folder where file names start from, and the limits.
    pub(crate) fn made_of(&self) -> (&str, &str, &Path, &Limits) {
        (&self.text.name, &self.text.merged, &self.base, &self.limits)
    }

    /// Text, folder, limits and what is wrong with the changes.
    pub(crate) fn into_parts(self) -> (SceneText, PathBuf, Limits, Vec<Problem>) {
        (self.text, self.base, self.limits, self.problems)
    }

    /// The ensemble.
    ///
    /// ```
    /// use hamiltone_scene::Scene;
    ///
    /// let text = "player = [{ instrument = \"violin.toml\", part = 1 }, { instrument = \"cello.toml\", part = 2, gain = \"-2 dB\" }]";
    /// let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../instruments");
    /// let ensemble = Scene::new(text, "duo.toml", folder.as_ref(), &[]).ensemble()?;
    /// assert_eq!((ensemble.players[1].part, ensemble.players[1].gain), (Some(2), -2.0));
    /// assert!(ensemble.players[0].path.ends_with("violin.toml"));
    /// # Ok::<(), hamiltone_scene::Diagnostics>(())
    /// ```
    ///
    /// # Errors
    /// All that is wrong with the text, its values and the changes.
    pub fn ensemble(self) -> Result<Ensemble, Diagnostics> {
        Ensemble::read(self.text, (&self.base, &self.limits), self.problems)
    }

    /// The plan.
    ///
    /// # Errors
    /// All that is wrong with the text, its values and the changes.
    pub fn plan(self) -> Result<Plan, Diagnostics> {
        let Self { text, base, limits, mut problems } = self;
        let plan = syntax::parse(text.read(), &mut problems)
            .and_then(|document| resolve::plan(&document, &text, &base, &limits, &mut problems));
        match plan {
            Some(plan) if problems.is_empty() => Ok(plan),
            _ => Err(Diagnostics::new(text, problems)),
        }
    }
}

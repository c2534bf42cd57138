//! A scheme by name, with its options.

use crate::figure::Unable;
use hamiltone_core::{
    claims::Claims, parameter::Values, scheme::Scheme, simulation::Simulation, system::System,
};

/// A scheme as the papers name it.
pub struct Method {
    /// The paper's name for it.
    pub label: String,
    scheme: Box<dyn Scheme>,
}

impl Method {
    /// The scheme `name` of the catalogue with its default options, called `label`.
    ///
    /// # Errors
    /// Where there is no such scheme.
    pub fn new(label: &str, name: &str) -> Result<Self, Unable> {
        Self::with(label, name, |_| {})
    }

    /// D17's scheme (17) with the parameter s.
    ///
    /// # Errors
    /// Where the catalogue has none.
    pub fn quadratic(s: f64) -> Result<Self, Unable> {
        Self::with(&format!("s = {s}"), "quadratic", |options| {
            options.set("s", s);
        })
    }

    /// Moreau–Jean with θ.
    ///
    /// # Errors
    /// Where the catalogue has none, or it takes no such θ.
    pub fn moreau_jean(theta: f64) -> Result<Self, Unable> {
        Self::with(&format!("θ = {theta}"), "moreau-jean", |options| {
            options.set("theta", theta);
        })
    }

    /// The scheme `name` with these words as its options, called `label`.
    ///
    /// # Errors
    /// Where there is no such scheme.
    pub fn worded(label: &str, name: &str, words: &[(&'static str, &str)]) -> Result<Self, Unable> {
        Self::with(label, name, |options| {
            words.iter().for_each(|&(key, word)| options.set(key, word));
        })
    }

    fn with(label: &str, name: &str, set: impl FnOnce(&mut Values)) -> Result<Self, Unable> {
        let entry = hamiltone_schemes::catalogue()
            .iter()
            .find(|entry| entry.kind.name == name)
            .ok_or_else(|| Unable(format!("there is no scheme `{name}`")))?;
        let mut options = Values::defaults(entry.kind.parameters);
        set(&mut options);
        Ok(Self { label: label.into(), scheme: entry.build(&options)? })
    }

    /// What it promises.
    pub fn claims(&self) -> Claims {
        self.scheme.claims()
    }

    /// A stepper of `system`.
    ///
    /// # Errors
    /// Where the scheme refuses the system or the time step.
    pub fn prepare(&self, system: &System, dt: f64) -> Result<Simulation, Unable> {
        Ok(self.scheme.prepare(system, dt)?)
    }

    /// What a user should know of `system` at the time step `dt`, s.
    pub fn advice(&self, system: &System, dt: f64) -> Vec<String> {
        self.scheme.advice(system, dt)
    }
}

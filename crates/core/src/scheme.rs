//! The contract between a system and the methods that step it.
//!
//! A [`Scheme`] states what it promises ([`Claims`]) and what it covers ([`Coverage`]) as constants. Preparing a run
//! checks the system, then the coverage, and only then runs code of the scheme; each may refuse with numbers.

use crate::{
    check,
    claims::Claims,
    coverage::{Coverage, requirements},
    fingerprint::fingerprint,
    identity::Identity,
    reading::Readings,
    refusal::Refusal,
    simulation::Simulation,
    stepper::Stepper,
    system::System,
};
use std::{fmt::Debug, sync::Arc};

/// A time-stepping method.
pub trait Scheme: Debug + Send + Sync {
    /// Its name in scenes, such as `ec`.
    fn name(&self) -> &'static str;

    /// Its name and all its options: a saved state, and a run that can share what is constant
    /// ([`Scheme::prepare_like`]), are recognised by them.
    fn identity(&self) -> Identity;

    /// What it promises.
    fn claims(&self) -> Claims;

    /// What it covers.
    fn coverage(&self) -> Coverage;

    /// A stepper at the system's initial conditions, its inputs at 0, for a system that is valid and covered.
    ///
    /// # Errors
    /// A typed [`Refusal`] where the method is unstable at `dt` or its arithmetic cannot hold the numbers.
    fn build(&self, system: &Arc<System>, dt: f64) -> Result<Box<dyn Stepper>, Refusal>;

    /// What a user should know of this system at this step though it runs, with numbers and what to do instead.
    fn advice(&self, system: &System, dt: f64) -> Vec<String> {
        let _ = (system, dt);
        Vec::new()
    }

    /// λ of the joints of a system at this step, for schemes that take them at the middle of a step: they run below 1. `None` where there are
    /// no joints, or none are covered.
    fn joint_ratio(&self, system: &System, dt: f64) -> Option<f64> {
        let _ = (system, dt);
        None
    }

    /// A run of `system` with the time step `dt`, s; negative for symmetric schemes only.
    ///
    /// Not to be overridden: this is where every system is checked before a scheme reads it.
    ///
    /// # Errors
    /// A typed [`Refusal`] where the system is invalid, not covered, or refused by [`Scheme::build`].
    fn prepare(&self, system: &System, dt: f64) -> Result<Simulation, Refusal> {
        self.prepare_like(system, dt, None)
    }

    /// The same with an earlier run at hand. Where that one is of this scheme, with the same options and step, and of a system that
    /// differs from this one in names and initial conditions alone, all that is constant is shared with it: the bits are the same.
    ///
    /// Not to be overridden.
    ///
    /// # Errors
    /// Those of [`Scheme::prepare`].
    fn prepare_like(
        &self,
        system: &System,
        dt: f64,
        like: Option<&Simulation>,
    ) -> Result<Simulation, Refusal> {
        let claims = self.claims();
        check::check(system, if claims.symmetric { dt.abs() } else { dt })?;
        let coverage = self.coverage();
        let missing =
            requirements(system).into_iter().filter(|requirement| !coverage.covers(requirement.need));
        let what: Vec<String> = missing.map(|requirement| requirement.what).collect();
        if !what.is_empty() {
            return Err(Refusal::NotCovered { scheme: self.name(), what });
        }
        let (asked, readings) = Readings::of(system);
        let known = (self.name(), fingerprint(self.identity(), dt, &asked));
        if let Some(like) = like.filter(|like| like.is_like(known, system)) {
            return Ok(like.begin(system));
        }
        let asked = Arc::new(asked.into_owned());
        let stepper = self.build(&asked, dt)?;
        // Where a stepper is asked for all outputs as they are, the two are one.
        let system = if readings.is_some() { Arc::new(system.clone()) } else { asked };
        Ok(Simulation::new(known, claims.balance(&system), dt, (system, readings), stepper))
    }
}

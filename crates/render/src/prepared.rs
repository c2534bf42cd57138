//! What the runs of a study share: a scheme that is prepared once for all runs that differ in initial conditions alone.

use hamiltone_core::{refusal::Refusal, simulation::Simulation};
use hamiltone_plan::Plan;
use std::sync::{Mutex, PoisonError};

/// The last run that was prepared, as it was then; for the threads of a study.
#[derive(Default)]
pub struct Prepared {
    last: Mutex<Option<Simulation>>,
}

impl Prepared {
    /// A run of the plan, which shares all that is constant with the last one where that is the same: with the same bits.
    pub(crate) fn simulation(&self, plan: &Plan) -> Result<Simulation, Refusal> {
        let lock = || self.last.lock().unwrap_or_else(PoisonError::into_inner);
        let last = lock().clone();
        let dt = 1.0 / plan.internal_rate();
        let simulation = plan.scheme.prepare_like(&plan.system, dt, last.as_ref())?;
        *lock() = Some(simulation.clone());
        Ok(simulation)
    }
}

//! Many steps of an energy balance at a time, in which nothing but losses flowed: see [`crate::simulation::Simulation::free_steps`].

use crate::{
    audit::Audit,
    ledger::{Effort, Fault, Ledger},
};

impl Ledger {
    /// That of a step in which nothing but a loss flowed, J; its stored energy is not taken.
    pub fn of_loss(dissipated: f64) -> Self {
        // Infinite modes make it a NaN, damped or not.
        let fault = (!dissipated.is_finite()).then_some(Fault::NonFinite);
        let effort = Effort { fault, ..Effort::default() };
        Self { dissipated, partial: true, effort, ..Self::default() }
    }
}

impl Audit {
    /// Enters steps in which nothing but losses flowed, J each, of which the last is an audit point where the energy `stored` after it is given, J;
    /// how many were entered until the run cannot go on.
    pub fn post_free(&mut self, dissipated: &[f64], stored: Option<f64>) -> usize {
        let mut left = dissipated.len();
        for &loss in dissipated {
            left -= 1;
            let mut ledger = Ledger::of_loss(loss);
            if let Some(stored) = stored.filter(|_| left == 0) {
                (ledger.stored, ledger.partial) = (stored, false);
            }
            if !self.post(&ledger) {
                break;
            }
        }
        dissipated.len() - left
    }
}

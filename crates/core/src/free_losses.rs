//! Many steps of an energy balance at a time, in which nothing but losses flowed: see [`crate::simulation::Simulation::free_steps`].

use crate::{
    audit::Audit,
    ledger::{Effort, Fault, Ledger},
};

impl Audit {
    /// Enters steps in which nothing but losses flowed, J each, of which the last is an audit point where the energy `stored` after it is given, J;
    /// how many were entered until the run cannot go on.
    pub fn post_free(&mut self, dissipated: &[f64], stored: Option<f64>) -> usize {
        let mut left = dissipated.len();
        for &dissipated in dissipated {
            left -= 1;
            let last = stored.filter(|_| left == 0);
            // Infinite modes make it a NaN, damped or not.
            let fault = (!dissipated.is_finite()).then_some(Fault::NonFinite);
            let effort = Effort { fault, ..Effort::default() };
            let (partial, stored) = (last.is_none(), last.unwrap_or_default());
            if !self.post(&Ledger { stored, dissipated, partial, effort, ..Ledger::default() }) {
                break;
            }
        }
        dissipated.len() - left
    }
}

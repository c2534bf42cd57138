//! Many steps of an energy balance at a time, in which nothing but losses flowed: see [`crate::simulation::Simulation::free_steps`].

use crate::{
    audit::Audit,
    ledger::{Effort, Fault, Ledger},
};

impl Ledger {
    /// Those of steps in which nothing but losses flowed, J each, with the energy `stored` after the last where it is given, J.
    pub fn of_losses(dissipated: &[f64], stored: Option<f64>) -> impl Iterator<Item = Self> {
        let steps = dissipated.len();
        dissipated.iter().enumerate().map(move |(n, &dissipated)| {
            // Infinite modes make it a NaN, damped or not.
            let fault = (!dissipated.is_finite()).then_some(Fault::NonFinite);
            let effort = Effort { fault, ..Effort::default() };
            let stored = stored.filter(|_| n + 1 == steps);
            let (partial, stored) = (stored.is_none(), stored.unwrap_or_default());
            Self { stored, dissipated, partial, effort, ..Self::default() }
        })
    }
}

impl Audit {
    /// Enters steps in which nothing but losses flowed, J each, of which the last is an audit point where the energy `stored` after it is given, J;
    /// how many were entered until the run cannot go on.
    pub fn post_free(&mut self, dissipated: &[f64], stored: Option<f64>) -> usize {
        let ledgers = Ledger::of_losses(dissipated, stored);
        let before = self.steps;
        // The step of a fault is entered, too.
        ledgers.map(|ledger| self.post(&ledger)).take_while(|goes_on| *goes_on).for_each(drop);
        (self.steps - before) as usize
    }
}

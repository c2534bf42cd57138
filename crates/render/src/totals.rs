//! The energy ledgers of a run added up row by row, for energies over time.
//!
//!   stored(n) + Σ dissipated − Σ supplied − Σ contact work − stored(0) = Σ r
//!
//! A partial ledger has no stored energy: its flows enter Σ r together with the next complete ledger.

use hamiltone_core::{ledger::Ledger, state::Archive};

/// Sums since t = 0, J.
#[derive(Clone, Copy, Debug, Default)]
pub struct Totals {
    /// The energy stored now, by what flowed since the last complete ledger.
    pub stored: f64,
    /// The energy dissipated.
    pub dissipated: f64,
    /// The energy supplied by the inputs.
    pub supplied: f64,
    /// The net work of non-conservative contacts.
    pub contact_work: f64,
    /// Σ r; rounding error only, where the balance is exact.
    pub residual: f64,
    /// Whether the initial energy is known.
    started: bool,
    /// The energy stored at the last complete ledger, and what left the system since then.
    complete: f64,
    pending: f64,
}

impl Totals {
    /// The quantities in the order of [`Self::values`].
    pub const NAMES: [&str; 5] = ["stored", "dissipated", "supplied", "contact_work", "residual"];

    /// Adds the ledger of the next row; that of row 0 holds the initial energy.
    pub fn post(&mut self, ledger: &Ledger) {
        let outflow = ledger.dissipated - ledger.supplied - ledger.contact_work;
        self.pending += outflow;
        self.stored = self.complete - self.pending;
        if !ledger.partial {
            if self.started {
                self.residual += (ledger.stored - self.complete) + self.pending;
            }
            (self.started, self.pending) = (true, 0.0);
            (self.stored, self.complete) = (ledger.stored, ledger.stored);
        }
        self.dissipated += ledger.dissipated;
        self.supplied += ledger.supplied;
        self.contact_work += ledger.contact_work;
    }

    /// Goes through the sums, to write them into a checkpoint or to take them over.
    pub fn archive(&mut self, archive: &mut Archive) {
        let Self { stored, dissipated, supplied, contact_work, residual, started, complete, pending } = self;
        let sums = [stored, dissipated, supplied, contact_work, residual, complete, pending];
        sums.into_iter().for_each(|x| archive.number(x));
        archive.flag(started);
    }

    /// The values, in the order of [`Self::NAMES`].
    pub fn values(&self) -> [f64; 5] {
        [self.stored, self.dissipated, self.supplied, self.contact_work, self.residual]
    }
}

//! The ledgers of a run added up row by row, for what is drawn or stored over time.
//!
//!   stored(n) + Σ dissipated − Σ supplied − Σ contact work − stored(0) = Σ r
//!
//! A partial ledger holds no stored energy: Σ r waits for the next full one, which accounts for its flows, too.

use hamiltone_core::ledger::Ledger;

/// Sums since the start, J.
#[derive(Clone, Copy, Debug, Default)]
pub struct Totals {
    /// The energy stored now.
    pub stored: f64,
    /// What losses took.
    pub dissipated: f64,
    /// What the inputs gave.
    pub supplied: f64,
    /// The work of contacts that no potential stores.
    pub contact_work: f64,
    /// Σ r, which an exact balance leaves at rounding.
    pub residual: f64,
    started: bool,
    /// What left in the steps since the last full ledger.
    pending: f64,
}

impl Totals {
    /// The quantities in the order of [`Self::values`].
    pub const NAMES: [&str; 5] = ["stored", "dissipated", "supplied", "contact_work", "residual"];

    /// Enters the ledger of the next row; the first row's is the start.
    pub fn post(&mut self, ledger: &Ledger) {
        let outflow = ledger.dissipated - ledger.supplied - ledger.contact_work;
        if ledger.partial {
            self.pending += outflow;
        } else {
            if self.started {
                self.residual +=
                    (ledger.stored - self.stored) + (outflow + std::mem::take(&mut self.pending));
            }
            self.started = true;
            self.stored = ledger.stored;
        }
        self.dissipated += ledger.dissipated;
        self.supplied += ledger.supplied;
        self.contact_work += ledger.contact_work;
    }

    /// What a file stores of a row.
    pub fn values(&self) -> [f64; 5] {
        [self.stored, self.dissipated, self.supplied, self.contact_work, self.residual]
    }
}

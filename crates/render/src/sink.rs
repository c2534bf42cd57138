//! The contract between the run loop and what listens to it.

use crate::outcome::Outcome;
use hamiltone_core::{ledger::Ledger, scheme::Touched};
use hamiltone_scene::Plan;
use std::path::PathBuf;

/// Something that listens to a run.
pub trait Sink {
    /// Called once, before the first block; what cannot be written fails here.
    ///
    /// # Errors
    /// Where its file cannot be made.
    fn start(&mut self, plan: &Plan) -> Result<(), SinkError>;

    /// Every how many steps it needs the state: blocks then end there.
    fn stride(&self, plan: &Plan) -> Option<u64> {
        let _ = plan;
        None
    }

    /// Called for every block, the first of which holds row 0 alone.
    ///
    /// # Errors
    /// Where it cannot write.
    fn block(&mut self, plan: &Plan, block: &Block) -> Result<(), SinkError>;

    /// Called once, after the last block, also where the run failed.
    ///
    /// # Errors
    /// Where it cannot write.
    fn finish(&mut self, plan: &Plan, outcome: &Outcome) -> Result<(), SinkError>;
}

/// Consecutive rows of a run.
pub struct Block<'a> {
    /// The number of the first row; row n is at t = n/`rate`.
    pub first: u64,
    /// The internal rate, Hz.
    pub rate: f64,
    /// All pickups of one row after the other, SI units.
    pub outputs: &'a [f64],
    /// The ledger of the step that led to each row.
    pub ledgers: &'a [Ledger],
    /// The positions after the last row, m, where a sink asked for states.
    pub q: &'a [f64],
    /// The velocities after the last row, m/s, where a sink asked for states.
    pub v: &'a [f64],
    /// What each contact of the system did since the sample of the sound before, where the last row is a sample.
    pub touched: &'a [Touched],
    /// The physical energy after the last row, J, where that is a sample and the books keep another energy.
    pub physical: Option<f64>,
}

impl Block<'_> {
    /// The number of the last row.
    pub fn last(&self) -> u64 {
        self.first + self.ledgers.len() as u64 - 1
    }
}

/// A file that could not be written.
#[derive(Debug)]
pub struct SinkError {
    /// The file.
    pub path: PathBuf,
    /// What is wrong.
    pub reason: String,
}

impl std::fmt::Display for SinkError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "cannot write `{}`: {}", self.path.display(), self.reason)
    }
}

impl std::error::Error for SinkError {}

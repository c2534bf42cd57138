//! The contract between the run loop and its outputs.

pub use crate::error::SinkError;
use crate::{file::Staged, forecast::Forecast, outcome::Outcome};
use hamiltone_core::{ledger::Ledger, state::Archive, stepper::Activity};
use hamiltone_plan::Plan;

/// An output of a run: a file, a plot, a sound device. It receives all rows, block by block.
pub trait Sink {
    /// What it will need besides the sound, as far as that is known before the run.
    fn forecast(&self, plan: &Plan) -> Forecast {
        let _ = plan;
        Forecast::default()
    }

    /// Called once, before the first block. What can be known to fail fails here, before a long run.
    ///
    /// # Errors
    /// Where its file cannot be created.
    fn start(&mut self, plan: &Plan) -> Result<(), SinkError>;

    /// Every how many steps it reads the state, contacts or the physical energy, if it does: blocks then end there, at every sample
    /// of the sound where one of the latter is observed, and elsewhere.
    fn stride(&self, plan: &Plan) -> Option<u64> {
        let _ = plan;
        None
    }

    /// Whether it reads the gaps of [`Block::contacts`] as those since the previous sample. Else they may be the least of all samples so
    /// far, which costs less: contacts that cannot have come nearer are not looked at.
    fn wants_each_gap(&self) -> bool {
        true
    }

    /// Every how many rows it reads the stored energy of the ledger. Elsewhere it is known by the flows since the last audit point.
    fn energies(&self, plan: &Plan) -> Option<u64> {
        let _ = plan;
        None
    }

    /// Called for every block in order. The first block holds row 0 alone, the initial condition. What is made of the whole run in
    /// [`Sink::finish`], as sounds are, does nothing here.
    ///
    /// # Errors
    /// Where it cannot write.
    fn block(&mut self, plan: &Plan, block: &Block) -> Result<(), SinkError> {
        let _ = (plan, block);
        Ok(())
    }

    /// Goes through everything that later blocks and the end depend on, to write it into a checkpoint of the run or to take
    /// it over: the same numbers in the same order for both. It is called between blocks, to take over right after
    /// [`Sink::start`]. By default a run with this sink has no checkpoints.
    ///
    /// # Errors
    /// Where the sink cannot be continued.
    fn archive(&mut self, archive: &mut Archive) -> Result<(), SinkError> {
        let _ = archive;
        let reason = "one of the outputs cannot be continued from a checkpoint";
        Err(SinkError { path: "checkpoint".into(), reason: reason.into() })
    }

    /// Called once, after the last block, also where the run is not `ok`. It returns the files that it has completed: those
    /// of all sinks get their names together, once all have finished without an error.
    ///
    /// # Errors
    /// Where it cannot write.
    fn finish(&mut self, plan: &Plan, outcome: &Outcome) -> Result<Vec<Staged>, SinkError>;
}

/// Consecutive rows of a run.
pub struct Block<'a> {
    /// The number of the first row; row n is at t = n/`rate`.
    pub first: u64,
    /// The internal rate, Hz.
    pub rate: f64,
    /// The pickups, rows × channels, row by row, SI units.
    pub outputs: &'a [f64],
    /// The energy ledger of the step to each row.
    pub ledgers: &'a [Ledger],
    /// The coordinates at the last row, m, where a sink has a stride.
    pub q: &'a [f64],
    /// The velocities at the last row, m/s, where a sink has a stride.
    pub v: &'a [f64],
    /// Impulse and smallest gap of each contact of the system since the previous sample of the sound, where the last row
    /// is a sample; empty elsewhere. See [`Sink::wants_each_gap`].
    pub contacts: &'a [Activity],
    /// The physical energy at the last row, J, where it was taken there: about once in an audit interval, if the discrete energy of
    /// the scheme differs.
    pub physical: Option<f64>,
}

impl Block<'_> {
    /// The number of the last row.
    pub fn last(&self) -> u64 {
        self.first + self.ledgers.len() as u64 - 1
    }
}

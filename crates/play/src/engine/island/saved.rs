//! The state of a part: that of its simulation, and all other numbers that the next block depends on.

use super::{Activity, Island};
use hamiltone_core::{
    ledger::Fault,
    saved::{Mismatch, Saved},
    state::Archive,
};

impl Island {
    /// The state of its simulation, as of [`Simulation::save`].
    pub(in crate::engine) fn save(&mut self) -> Vec<u8> {
        self.simulation.save().to_bytes()
    }

    /// Continues from such a state.
    pub(in crate::engine) fn restore(&mut self, state: &[u8]) -> Result<(), Mismatch> {
        self.simulation.restore(&Saved::from_bytes(state)?)?;
        // A part that is muted is among the numbers.
        self.audit.fault = None;
        Ok(())
    }

    /// The state of its simulation, to go back to.
    pub(in crate::engine) fn mark(&mut self) -> Saved {
        self.simulation.save()
    }

    /// Goes back to a state that it had.
    pub(in crate::engine) fn return_to(&mut self, saved: &Saved) {
        self.simulation.return_to(saved);
        self.audit.fault = None;
    }

    /// Goes through every number that the next block depends on, its simulation aside.
    pub(in crate::engine) fn archive(&mut self, archive: &mut Archive) {
        archive.long(&mut self.step);
        self.inputs.archive(archive);
        self.routes.iter_mut().for_each(|route| route.archive(archive));
        self.queue.archive(archive, self.inputs.len(), self.gestures.len());
        let mut activity = match self.activity {
            Activity::Awake => 0,
            Activity::Asleep => 1,
            Activity::Muted => 2,
        };
        archive.count(&mut activity);
        self.audit.archive(archive);
        self.activity = match activity {
            0 => Activity::Awake,
            1 => Activity::Asleep,
            _ => Activity::Muted,
        };
        if self.activity == Activity::Muted && self.audit.fault.is_none() {
            // What it was is not among the numbers; that there was one is.
            self.audit.fault = Some((self.audit.steps, Fault::NonFinite));
        }
        archive.number(&mut self.slept);
        archive.long(&mut self.begun);
        archive.flag(&mut self.fades);
        archive.long(&mut self.faded);
        archive.number(&mut self.loudness);
        archive.long(&mut self.refused);
        archive.long(&mut self.unfed);
        self.bend.archive(archive);
    }
}

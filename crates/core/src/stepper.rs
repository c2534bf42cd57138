//! The contract of a time-stepping method: what a scheme builds for one system and one time step.

use crate::{
    ledger::Ledger,
    row::Row,
    state::{Archive, State},
};

/// A system in motion under one method. Everything is allocated when it is built.
///
/// What is constant (matrices, factors, rows) is shared between clones; only the state and the scratch memory are
/// copied. [`crate::simulation::Simulation`] is what a user holds: it adds initial conditions, saving to bytes and the
/// energy of impulses.
///
/// **Architecture Invariant:** `step`, `free_steps`, `energy`, `impulse`, `outputs` and `activity` do not allocate, fail, panic or log.
pub trait Stepper: Fork + Send + Sync {
    /// One step of the Δt for which it was built.
    ///
    /// `input` holds the inputs' values at both ends of the step: first all at its
    /// start, then all at its end (2·inputs values). The ledger holds what flowed; [`Ledger::stored`] and [`Ledger::partial`]
    /// are the shell's.
    fn step(&mut self, input: &[f64]) -> Ledger;

    /// Takes steps in a row in which nothing acts – no force of an input and no element – while the inputs stay what they were at both ends
    /// of the last step. Writes what each dissipated, J, one number a step, and the outputs after each, the steps behind one another. Returns
    /// how many it took, at most as many as `dissipated` has numbers; 0 where something may act in the first, or the method knows no
    /// shorter way than [`Stepper::step`], to which the bits are the same.
    fn free_steps(&mut self, dissipated: &mut [f64], outputs: &mut [f64]) -> usize {
        let _ = (dissipated, outputs);
        0
    }

    /// The energy stored now, J, as the scheme's own discrete balance counts it.
    fn energy(&mut self) -> f64;

    /// Changes the momentum by p·c between two steps (p in N s, c a row). The change of [`Stepper::energy`] is supplied.
    fn impulse(&mut self, row: &Row, p: f64);

    /// Adds springs to coordinates between two steps: the stiffness of coordinate i becomes K_ii + `addedᵢ`, N/m, K being
    /// that of the system; what was added before is replaced. Positions and velocities stay as they are. The change of
    /// [`Stepper::energy`] is supplied: the work of whoever stretches a string. `false` where the method cannot, and nothing is changed.
    ///
    /// It does not allocate where no clone shares what is constant.
    fn retune(&mut self, added: &[f64]) -> bool {
        let _ = added;
        false
    }

    /// Takes over a state. From a [`State::Motion`] it starts as from initial conditions, the inputs having these values; a [`State::Complete`] is one that [`Stepper::save`] of the same
    /// system, scheme and step wrote.
    fn restore(&mut self, state: &State, input: &[f64]);

    /// Writes the state in the depth that `state` has: [`State::Motion`] or
    /// [`State::Complete`] (its numbers are replaced).
    fn save(&mut self, state: &mut State);

    /// Writes the outputs of the system that it was built for as they are now, one value an output. Forces at an instant
    /// are not among them: see [`crate::system::Quantity`].
    fn outputs(&self, output: &mut [f64]);

    /// Writes what each element did since this was last asked or the stepper started, where the method keeps it
    /// (those with impacts do, since a contact may last one step), and answers `true`; else answers `false`.
    fn activity(&mut self, activity: &mut [Activity]) -> bool {
        let _ = activity;
        false
    }

    /// Replaces velocities of [`Stepper::save`], m/s, by those that outputs tell, where a method's own are what moves it and not how
    /// fast it is, as of a mode that decays within a step.
    fn read_velocities(&self, v: &mut [f64]) {
        let _ = v;
    }

    /// The physical energy ½vᵀMv + ½qᵀKq + ΣV of the system now, J, without what [`Stepper::retune`] added to K; `None` where the method
    /// has no shorter way to it than its state, which tells it otherwise.
    fn physical_energy(&self) -> Option<f64> {
        None
    }

    /// The positions now, m, where the method keeps them as they are.
    fn positions(&self) -> Option<&[f64]> {
        None
    }

    /// From now on [`Stepper::activity`] may tell the least gap of all steps so far, which is enough for whoever takes the least of
    /// what it is told: a method need not read contacts that cannot have come nearer. Impulses still begin anew.
    fn accumulate_gaps(&mut self) {}
}

/// What an element did over some steps.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Activity {
    /// The impulse that it gave, N s: its force over the time.
    pub impulse: f64,
    /// The least gap h − c·q that was met, m: negative where bodies overlap; ∞ before the first step. See
    /// [`Stepper::accumulate_gaps`].
    pub gap: f64,
}

impl Activity {
    /// Before the first step.
    pub const NONE: Self = Self { impulse: 0.0, gap: f64::INFINITY };

    /// The numbers of what elements did so far, for a complete state.
    pub fn archive(all: &mut [Self], archive: &mut Archive) {
        for activity in all {
            archive.number(&mut activity.impulse);
            archive.number(&mut activity.gap);
        }
    }
}

/// Clones a stepper behind a box.
pub trait Fork {
    /// An independent stepper in the same state.
    fn fork(&self) -> Box<dyn Stepper>;
}

impl<T: Stepper + Clone + 'static> Fork for T {
    fn fork(&self) -> Box<dyn Stepper> {
        Box::new(self.clone())
    }
}

impl Clone for Box<dyn Stepper> {
    fn clone(&self) -> Self {
        self.as_ref().fork()
    }
}

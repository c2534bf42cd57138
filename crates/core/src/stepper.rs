//! The contract of a time-stepping method: what a scheme builds for one system and one time step.

use crate::{instant::Moment, ledger::Ledger, row::Row, state::State};

pub use crate::activity::{Activity, Gaps};

/// A system in motion under one method. Everything is allocated when it is built.
///
/// What is constant (matrices, factors, rows) is shared between clones; only the state and the scratch memory are
/// copied. [`crate::simulation::Simulation`] is what a user holds: it adds initial conditions, saving to bytes, the
/// energy of changes, and the physical energy.
///
/// **Architecture Invariant:** none of these allocates, fails, panics or logs, but for a complete state that is written down.
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

    /// Changes the system between two steps; the change of [`Stepper::energy`] is supplied. `false` where the method cannot, and
    /// nothing is changed: every method takes impulses.
    fn change(&mut self, change: &Change) -> bool;

    /// Starts from a motion, tells it, or goes through the complete state, as [`State`] asks.
    fn state(&mut self, state: State);

    /// Writes the outputs of the system that it was built for as they are now, one value an output. Forces at an instant
    /// are not among them: see [`crate::system::Quantity`].
    fn outputs(&self, output: &mut [f64]);

    /// Writes what each element did since this was last asked or the stepper started, where the method keeps it
    /// (those with impacts do, since a contact may last one step). Any other writes what they do now, by [`Moment::activity`], or answers
    /// `false`: then the shell does this from a copy of the motion.
    fn activity(&mut self, moment: &Moment, activity: &mut [Activity]) -> bool {
        let _ = (moment, activity);
        false
    }
}

/// A change between two steps.
#[derive(Clone, Copy, Debug)]
pub enum Change<'a> {
    /// The momentum changes by p·c: a row c and p in N s.
    Impulse(&'a Row, f64),
    /// Springs are added to coordinates: the stiffness of coordinate i becomes K_ii + addedᵢ, N/m, K being that of the system; what was
    /// added before is replaced. Positions and velocities stay as they are: the energy is the work of whoever stretches a string.
    ///
    /// It does not allocate where no clone shares what is constant.
    Springs(&'a [f64]),
    /// From now on bodies on joints rest while a damper lies on them, nothing else acts on them and they store less than this part of the
    /// whole: they take no steps, and what they store is given away. It stays so when the run is started anew.
    Rest(f64),
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

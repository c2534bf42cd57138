//! Drives: what sets a body in motion. One file, one kind, one line here.
//!
//! A force gives u(t) in N, or in Pa where it drives a body per unit area or the air in
//! a tube. Schemes sample it at the ends of their steps, t = n/(sample_rate·oversampling).
//! An initial condition gives a body its displacement and velocity at t = 0 and is no force after.

mod constant;
mod envelope;
mod float64;
mod harmonics;
mod modes;
mod patch;
mod pluck;
mod strike;
mod wav;

use crate::plan::Signal;
use hamiltone_core::{
    body::{InitialValue, Placed},
    geometry::Position,
    parameter::{Complaint, Entry},
};

/// What a drive does.
pub enum Driving {
    /// A force over time at its place.
    Force(Box<dyn Signal>),
    /// An initial condition of the whole body.
    Initial(Box<dyn InitialCondition>),
}

/// How a body moves at t = 0.
pub trait InitialCondition {
    /// The initial values of the body's coordinates; `at` is the position that the scene names on it, if it names one.
    ///
    /// # Errors
    /// A [`Complaint`] where the body or the position is none for it.
    fn on(&self, body: &Placed, at: Option<Position>) -> Result<Vec<InitialValue>, Complaint>;
}

/// Every kind of drive, in the order in which `list` shows them.
pub fn catalogue() -> &'static [Entry<Driving>] {
    &[
        harmonics::ENTRY,
        constant::ENTRY,
        envelope::ENTRY,
        wav::ENTRY,
        pluck::ENTRY,
        strike::ENTRY,
        modes::ENTRY,
    ]
}

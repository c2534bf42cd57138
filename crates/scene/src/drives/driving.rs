//! What a drive does: a force over time, or an initial condition.

use crate::plan::Signal;
use hamiltone_core::{
    body::{InitialValue, Placed},
    geometry::Position,
    parameter::Complaint,
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

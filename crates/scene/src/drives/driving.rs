//! What a drive does: a force over time, or an initial condition.

use hamiltone_core::{
    body::{InitialValue, Placed},
    geometry::Position,
    parameter::Complaint,
    row::Row,
};
use hamiltone_plan::Signal;

/// What a drive does.
pub enum Driving {
    /// A force over time at its place.
    Force(Box<dyn Signal>),
    /// An initial condition of the whole body.
    Initial(Box<dyn InitialCondition>),
}

/// Displacements of a body by a unit force along a row, m/N, or why there are none: the rest of a sentence about the force.
pub type AtRest<'a> = &'a dyn Fn(&Row) -> Result<Vec<InitialValue>, String>;

/// How a body moves at t = 0.
pub trait InitialCondition {
    /// The initial values of the body's coordinates; `at` is the position that the scene names on it, if it names one, and
    /// `at_rest` answers how it is displaced at rest by a unit force along a row, by its own stiffness and the links that join it to the
    /// ground, suspensions aside, or why it is not.
    ///
    /// # Errors
    /// A [`Complaint`] where the body or the position is none for it.
    fn on(
        &self,
        body: &Placed,
        at: Option<Position>,
        at_rest: AtRest<'_>,
    ) -> Result<Vec<InitialValue>, Complaint>;
}

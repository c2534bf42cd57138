//! What a drive does: a force over time, or a start.

use crate::plan::Signal;
use hamiltone_core::{
    body::{Extent, Motion},
    parameter::Complaint,
};

/// What a drive does.
pub enum Driving {
    /// A force over time at its place.
    Force(Box<dyn Signal>),
    /// A start of the whole body.
    Start(Box<dyn Start>),
}

/// The start of a long body.
pub trait Start {
    /// What it makes of a body, at the place that the scene names on it (m), if it names one.
    ///
    /// # Errors
    /// A [`Complaint`] where the body or the place is none for it.
    fn on<'a>(&'a self, body: &'a Extent, place: Option<f64>) -> Result<Motion<'a>, Complaint>;
}

/// The place of a start, which must be one between the ends.
pub fn inside(body: &Extent, place: Option<f64>) -> Result<f64, Complaint> {
    match place {
        Some(x) if 0.0 < x && x < body.length => Ok(x),
        Some(x) => Err(Complaint::new(
            "at",
            format!("is {x} m, an end of the body, where nothing can be set in motion"),
        )),
        None => Err(Complaint::new("at", "must say where on the body, such as \"BODY@0.2\"")),
    }
}

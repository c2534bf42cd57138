//! Drives: what sets a body in motion. One file, one kind, one line here.
//!
//! A force gives u(t) in N, or in Pa where it drives a body per unit area or the air in
//! a tube. Schemes sample it at the ends of their steps, t = n/(sample_rate·oversampling).
//! A start gives a long body its displacement and velocity at t = 0 and is no force after.

mod constant;
mod envelope;
mod float64;
mod harmonics;
mod modes;
mod pluck;
mod strike;
mod wav;

use crate::plan::Signal;
use hamiltone_core::{
    body::{Extent, Motion},
    parameter::{Complaint, Entry},
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

/// The place of a start, which must be one between the ends.
fn inside(body: &Extent, place: Option<f64>) -> Result<f64, Complaint> {
    match place {
        Some(x) if 0.0 < x && x < body.length => Ok(x),
        Some(x) => Err(Complaint::new(
            "at",
            format!("is {x} m, an end of the body, where nothing can be set in motion"),
        )),
        None => Err(Complaint::new("at", "must say where on the body, such as \"BODY@0.2\"")),
    }
}

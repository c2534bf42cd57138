//! The contract of a body: it adds itself to a system and says where it can be touched.

use crate::{parameter::Complaint, row::Row, system::System};
use std::ops::Range;

/// Something that moves. Adding it appends degrees of freedom, blocks and start values.
pub trait Body {
    /// Appends the body to `system` under `name`.
    ///
    /// # Errors
    /// A [`Complaint`] where its numbers do not make a body.
    fn add_to(&self, system: &mut System, name: &str) -> Result<Placed, Complaint>;
}

/// A body in a system: which degrees of freedom are its own, and how places on it become rows.
pub struct Placed {
    /// Its degrees of freedom.
    pub dofs: Range<usize>,
    /// Whether its equation is per unit area (forces in Pa, masses in kg/m²).
    pub per_area: bool,
    /// The row of a place, or what is wrong with the place.
    pub locate: Box<dyn Fn(Place) -> Result<Row, String> + Send + Sync>,
}

/// A place on a body, as written after `@`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Place {
    /// The body as a whole: no `@`.
    Whole,
    /// A length from its left end, m.
    Length(f64),
    /// A fraction of its length, 0 to 1.
    Fraction(f64),
}

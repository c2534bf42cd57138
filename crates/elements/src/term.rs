//! A term aₚ tᵖ of a series about 0, with a bound of its rounding.

/// Powers that differ by less are the same.
pub(crate) const SAME: f64 = 1e-9;

/// One power.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Term {
    /// p.
    pub power: f64,
    /// aₚ.
    pub factor: f64,
    /// A bound of the error of aₚ, in units of ε.
    pub error: f64,
}

impl Term {
    /// a t⁰.
    pub fn constant(factor: f64, error: f64) -> Self {
        Self { power: 0.0, factor, error }
    }
}

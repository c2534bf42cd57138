//! What the modes of a body must know of their shapes.

use hamiltone_core::{geometry::Position, row::Row};

/// The shapes φ_k of the modes of a body.
pub(crate) trait Shapes: Send + Sync {
    /// The value of each shape at a position.
    fn fill(&self, at: Position, values: &mut [f64]);

    /// Half of their shortest wavelength, m: integrals are split so finely.
    fn half_wavelength(&self) -> f64;

    /// Where shapes along a line have corners, m, ascending.
    fn corners(&self) -> &[f64] {
        &[]
    }

    /// ∫∫φ dS of each shape of a surface, m², where that is known.
    fn volumes(&self) -> Option<Vec<f64>> {
        None
    }

    /// The row of a position where it has a form of its own; `first` is the coordinate of the first mode.
    fn row(&self, _first: usize, _at: Position) -> Option<Row> {
        None
    }
}

/// Shapes along a line with their derivatives.
pub(crate) trait LineShapes: Shapes {
    /// The derivative of this order (0 to 3) of each shape at x, m⁻ʳ.
    fn derivative(&self, order: usize, x: f64, values: &mut [f64]);
}

/// Shapes of a body that is at one place: every φ is 1.
pub(crate) struct Ones;

impl Shapes for Ones {
    fn fill(&self, _: Position, values: &mut [f64]) {
        values.fill(1.0);
    }

    fn half_wavelength(&self) -> f64 {
        f64::INFINITY
    }
}

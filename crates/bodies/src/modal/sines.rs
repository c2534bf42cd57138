//! The shapes of what is uniform between simply supported ends.
//!
//!   φ_k(x) = sin(kπx/L),   k = 1, 2, …,   ∫φ_k² dx = L/2
//!
//! At the points x = iL/N of a grid the rows are read from one table of whole numbers.

use super::shapes::{LineShapes, Shapes};
use hamiltone_core::{
    geometry::Position,
    row::{Row, Sine},
};
use hamiltone_numerics::math::{powi, sincos, square};
use std::{f64::consts::PI, sync::Arc};

/// Angles are computed anew after so many additions: a product of rotations gains a rounding each time.
const ANEW: usize = 32;

/// sin and cos of πkξ, with kξ reduced exactly.
#[expect(clippy::disallowed_methods, reason = "the error of the product, which only a fused one tells")]
pub(crate) fn sincos_pi(k: usize, xi: f64) -> (f64, f64) {
    let k = k as f64;
    let product = k * xi;
    let missing = k.mul_add(xi, -product);
    let turn = product - 2.0 * (0.5 * product).round() + missing;
    // Exactly 0 at nodes, where π rounded is not quite half a turn.
    match turn {
        turn if turn.abs() == 1.0 => (0.0, -1.0),
        turn if turn.abs() == 0.5 => (turn.signum(), 0.0),
        turn => sincos(PI * turn),
    }
}

/// sin(kπx/L), k = 1 … `modes`, and the table of their grid.
pub(crate) struct Sines {
    pub length: f64,
    pub modes: usize,
    table: Arc<[f64]>,
}

impl Sines {
    /// So many modes on a grid of more intervals.
    pub fn new(length: f64, modes: usize, intervals: usize) -> Self {
        Self { length, modes, table: Sine::table(intervals) }
    }
}

impl LineShapes for Sines {
    fn derivative(&self, order: usize, x: f64, values: &mut [f64]) {
        let xi = x / self.length;
        let (s1, c1) = sincos_pi(1, xi);
        for (chunk, values) in values.chunks_mut(ANEW).enumerate() {
            let (mut s, mut c) = sincos_pi(chunk * ANEW + 1, xi);
            for (i, value) in values.iter_mut().enumerate() {
                let wave = || (chunk * ANEW + i + 1) as f64 * PI / self.length;
                *value = match order {
                    0 => s,
                    1 => wave() * c,
                    2 => -square(wave()) * s,
                    _ => -powi(wave(), 3) * c,
                };
                (s, c) = (s * c1 + c * s1, c * c1 - s * s1);
            }
        }
    }
}

impl Shapes for Sines {
    fn fill(&self, [x, _]: Position, values: &mut [f64]) {
        self.derivative(0, x, values);
    }

    fn half_wavelength(&self) -> f64 {
        self.length / self.modes as f64
    }

    fn row(&self, first: usize, [x, _]: Position) -> Option<Row> {
        let intervals = self.table.len() / 2;
        let at = x / self.length * intervals as f64;
        let point = at.round();
        // Two roundings of x and one of the division.
        if (at - point).abs() > 4.0 * f64::EPSILON * at {
            return None;
        }
        let (point, table) = (point as usize, self.table.clone());
        Some(Row::Sine(Sine { first, modes: self.modes, point, scale: 1.0, table }))
    }
}

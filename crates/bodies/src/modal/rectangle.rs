//! The shapes of a simply supported rectangle.
//!
//!   φ_mn(x, y) = sin(mπx/a) sin(nπy/b),   ∫∫φ² dx dy = ab/4

use super::{shapes::Shapes, sines::sincos_pi};
use hamiltone_core::geometry::Position;

/// Products of sines.
pub(crate) struct Rectangle {
    /// a and b, m.
    pub sides: [f64; 2],
    /// m and n.
    pub numbers: Vec<[usize; 2]>,
    /// Half of the shortest wavelength, m.
    pub half_wavelength: f64,
}

impl Shapes for Rectangle {
    fn fill(&self, at: Position, values: &mut [f64]) {
        // Each sine once: there are far fewer than products of them.
        let sines = [0, 1].map(|side| {
            let most = self.numbers.iter().map(|numbers| numbers[side]).max().unwrap_or(0);
            let xi = at[side] / self.sides[side];
            (0..=most).map(|m| sincos_pi(m, xi).0).collect::<Vec<f64>>()
        });
        for (value, [m, n]) in values.iter_mut().zip(&self.numbers) {
            *value = sines[0][*m] * sines[1][*n];
        }
    }

    fn half_wavelength(&self) -> f64 {
        self.half_wavelength
    }
}

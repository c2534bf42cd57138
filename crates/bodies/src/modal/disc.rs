//! The shapes of a disc that is fixed at its rim.
//!
//!   φ_ns(r, θ) = J_n(j_ns r/R) cos nθ / max J_n,   for n > 0 also with sin nθ
//!   ∫∫φ² r dr dθ = πR² J_(n+1)(j_ns)²/(max J_n)²,   half of it for n > 0
//!   ∫∫φ r dr dθ = 2πR² J_1(j_0s)/j_0s,   0 for n > 0

use super::{shapes::Shapes, sines::sincos_pi};
use hamiltone_core::geometry::Position;
use hamiltone_numerics::math::jn;
use std::f64::consts::PI;

/// One shape.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Drum {
    /// n.
    pub order: usize,
    /// j_ns.
    pub zero: f64,
    /// Whether it goes with sin nθ (else with cos nθ).
    pub odd: bool,
    /// max J_n.
    pub largest: f64,
}

/// Bessel functions of the radius times circular functions of the angle.
pub(crate) struct Disc {
    /// R, m.
    pub radius: f64,
    /// The shapes, their zeros ascending.
    pub shapes: Vec<Drum>,
}

impl Shapes for Disc {
    fn fill(&self, [r, turns]: Position, values: &mut [f64]) {
        let r = r / self.radius;
        let mut last = (0.0, 0.0);
        for (value, shape) in values.iter_mut().zip(&self.shapes) {
            let Drum { order: n, zero, odd, largest } = *shape;
            // Shapes with cos nθ and sin nθ follow each other and share their radial factor.
            if last.0 != zero {
                // The rim is fixed, whatever the rounding of j.
                last = (zero, if r == 1.0 { 0.0 } else { jn(n as i32, zero * r) / largest });
            }
            let (sin, cos) = sincos_pi(n, 2.0 * turns);
            *value = last.1 * if odd { sin } else { cos };
        }
    }

    fn volumes(&self) -> Option<Vec<f64>> {
        let volume = |shape: &Drum| match shape.order {
            0 => 2.0 * PI * self.radius * self.radius * jn(1, shape.zero) / shape.zero,
            _ => 0.0,
        };
        Some(self.shapes.iter().map(volume).collect())
    }

    fn half_wavelength(&self) -> f64 {
        // Air changes the order of modes: the last has not always the shortest waves.
        PI * self.radius / self.shapes.iter().map(|shape| shape.zero).reduce(f64::max).unwrap_or(PI)
    }
}

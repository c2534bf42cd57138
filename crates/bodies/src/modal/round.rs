//! The shapes of a circular plate.
//!
//!   φ(r, θ) = R(r/a) cos nθ, for n > 0 also R(r/a) sin nθ,   ∫∫φ² = πa²/4
//!
//! with R of `radial.rs` and the wave numbers of `roots.rs`; a (m) is the radius.

pub(crate) mod radial;
pub(crate) mod roots;

use self::radial::Radial;
use super::{shapes::Shapes, sines::sincos_pi};
use hamiltone_core::geometry::Position;
use std::f64::consts::PI;

/// Radial factors times circular functions of the angle.
pub(crate) struct Round {
    /// a, m.
    pub radius: f64,
    /// The shapes, their λ ascending; whether each goes with sin nθ.
    pub shapes: Vec<(Radial, bool)>,
}

impl Shapes for Round {
    fn fill(&self, [r, turns]: Position, values: &mut [f64]) {
        let rho = r / self.radius;
        let mut last: Option<(Radial, f64)> = None;
        for (value, (radial, odd)) in values.iter_mut().zip(&self.shapes) {
            // Shapes with cos nθ and sin nθ follow each other and share their radial factor.
            let factor = match last {
                Some((before, factor)) if before == *radial => factor,
                _ => radial.at(rho),
            };
            last = Some((*radial, factor));
            let (sin, cos) = sincos_pi(radial.order, 2.0 * turns);
            *value = factor * if *odd { sin } else { cos };
        }
    }

    fn half_wavelength(&self) -> f64 {
        // That of a rigid motion is longer than the plate.
        PI * self.radius / self.shapes.last().map_or(PI, |shape| shape.0.lambda).max(PI)
    }
}

#[cfg(test)]
mod tests {
    use super::{roots::Edge, *};
    use crate::ends::End;
    use hamiltone_numerics::math::square;

    /// Shapes of one n are orthogonal, rigid motions among them, and curvatures are the derivatives of slopes.
    #[test]
    fn shapes_are_orthogonal() {
        for end in [End::Free, End::Hinged, End::Clamped] {
            let all = Edge { end, poisson: 0.3, loose: true }.lowest(120);
            let radials: Vec<Radial> = all.iter().filter(|shape| !shape.1).map(|shape| shape.0).collect();
            for (k, a) in radials.iter().enumerate() {
                for b in radials[..k].iter().filter(|b| b.order == a.order) {
                    let sum: f64 = radial::points(a.lambda).map(|(x, w)| w * x * a.at(x) * b.at(x)).sum();
                    assert!(sum.abs() < 1e-13, "{end:?} {a:?} {b:?}: {sum:e}");
                }
                let (rho, d) = (0.37, 1e-6);
                let own = a.curvatures(rho);
                let difference = (a.slope(rho + d) - a.slope(rho - d)) / (2.0 * d);
                // Slopes are of the order λ, known to eps/d.
                assert!((own.radial - difference).abs() < 1e-8 * (1.0 + square(a.lambda)), "{a:?}");
                let n2 = square(a.order as f64);
                let circular = a.slope(rho) / rho - n2 * a.at(rho) / square(rho);
                assert!((own.circular - circular).abs() < 1e-11 * (1.0 + n2 / square(rho)), "{a:?}");
            }
        }
    }
}

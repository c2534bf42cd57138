//! Shapes of a rectangle as sums of products of beam functions (Ritz 1909; Young 1950, J. Appl. Mech. 17; Leissa 1973).
//!
//!   φ(x, y) = Σ c_mn X_m(x/a) Y_n(y/b),   ∫∫ X_mY_n X_pY_q dx dy = ab/4 where (m, n) = (p, q), else 0
//!
//! X_m and Y_n are those of `beams.rs` for the ends of each direction. They meet all conditions of hinged, clamped and sliding sides, and
//! of free ones those on the displacement: the others are met as the sum converges.

use super::{beams::Beam, quadrature, shapes::Shapes};
use crate::ends::End;
use hamiltone_core::geometry::Position;
use hamiltone_numerics::math::powi;
use std::f64::consts::PI;

/// Sums of products over a rectangle.
pub(crate) struct Products {
    /// a and b, m.
    pub sides: [f64; 2],
    /// X and Y.
    pub beams: [Vec<Beam>; 2],
    /// m and n of each product.
    pub pairs: Vec<[usize; 2]>,
    /// The shapes.
    pub shapes: Vec<Shape>,
}

/// One shape: the sum of products side by side.
pub(crate) struct Shape {
    /// The first product.
    pub first: usize,
    /// c of it and those that follow.
    pub weights: Vec<f64>,
}

/// The lowest `count` beam functions of these ends, rigid motions first.
pub(crate) fn beams(ends: [End; 2], count: usize) -> Vec<Beam> {
    let bent = (1..=count).map(|m| Beam::bent(ends, m));
    Beam::rigid(ends).iter().copied().chain(bent).take(count).collect()
}

/// ∫ X_j^(r) X_k^(s) dξ for ξ from 0 to 1.
pub(crate) fn integrals(beams: &[Beam], [r, s]: [usize; 2]) -> Vec<Vec<f64>> {
    let panels = quadrature::panels(1.0, &[], PI / beams.last().map_or(PI, Beam::beta).max(PI));
    let values = |order: usize| -> Vec<Vec<f64>> {
        beams
            .iter()
            .map(|beam| panels.iter().flatten().map(|(xi, _)| beam.at(order, *xi)).collect())
            .collect()
    };
    let (left, right) = (values(r), values(s));
    let weights: Vec<f64> = panels.iter().flatten().map(|(_, w)| *w).collect();
    let integral = |a: &[f64], b: &[f64]| weights.iter().zip(a).zip(b).map(|((w, a), b)| w * a * b).sum();
    left.iter().map(|a| right.iter().map(|b| integral(a, b)).collect()).collect()
}

impl Products {
    /// The values at (x, y) of the derivatives of these orders of each product, m⁻ʳ.
    pub fn derivative(&self, [r, s]: [usize; 2], [x, y]: Position) -> Vec<f64> {
        let of = |side: usize, order: usize, at: f64| -> Vec<f64> {
            let length = self.sides[side];
            let scale = powi(length, -(order as i32));
            self.beams[side].iter().map(|beam| scale * beam.at(order, at / length)).collect()
        };
        let (across, up) = (of(0, r, x), of(1, s, y));
        self.pairs.iter().map(|[m, n]| across[*m] * up[*n]).collect()
    }
}

impl Shapes for Products {
    fn fill(&self, at: Position, values: &mut [f64]) {
        let products = self.derivative([0, 0], at);
        for (value, shape) in values.iter_mut().zip(&self.shapes) {
            *value = shape.weights.iter().zip(&products[shape.first..]).map(|(c, product)| c * product).sum();
        }
    }

    fn half_wavelength(&self) -> f64 {
        let half = |side: usize| {
            let highest = self.beams[side].iter().map(Beam::beta).fold(PI, f64::max);
            self.sides[side] * PI / highest
        };
        half(0).min(half(1))
    }
}

//! The radial factors of the shapes of a circular plate of radius 1.
//!
//!   R(ρ) = N (J_n(λρ) + c I_n(λρ)/I_n(λ)),   (∇² + λ²)J_n cos nθ = 0,   (∇² − λ²)I_n cos nθ = 0
//!
//! and of its rigid motions N ρⁿ, n = 0 and 1, λ = 0. N is such that ∫∫φ² is a quarter of the area, as of a simply supported
//! rectangle. With J_n′ = (n/x)J_n − J_(n+1), I_n′ = (n/x)I_n + I_(n+1) the curvatures have no differences of large numbers near
//! the centre:
//!
//!   κ_θ = R′/ρ − n²R/ρ² = −n(n − 1)R/ρ² ∓ λF_(n+1)/ρ,   κ_r = R″ = ∓λ²F_n − κ_θ,   τ = R′/ρ − R/ρ² = (n − 1)R/ρ² ∓ λF_(n+1)/ρ
//!
//! with the upper sign for F = J and the lower one for F = I.

use crate::{
    modal::quadrature::{self, POINTS},
    modified_bessel::modified,
};
use hamiltone_numerics::math::{jn, powi, square};
use std::f64::consts::PI;

/// R.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Radial {
    /// n.
    pub order: usize,
    /// λ; 0 of a rigid motion.
    pub lambda: f64,
    /// N.
    scale: f64,
    /// Nc/I_n(λ).
    weight: f64,
}

/// What a plate that bends has at a radius.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Curvatures {
    /// R″, along the radius.
    pub radial: f64,
    /// R′/ρ − n²R/ρ², along the circle.
    pub circular: f64,
    /// R′/ρ − R/ρ²; n times it is the twist.
    pub twist: f64,
}

impl Radial {
    /// The rigid motion of this order, 0 or 1.
    pub fn rigid(order: usize) -> Self {
        // ∫∫ of 1 is the area, of ρ² cos² θ a quarter of it.
        Self { order, lambda: 0.0, scale: if order == 0 { 0.5 } else { 1.0 }, weight: 0.0 }
    }

    /// The shape of this λ with the factor c.
    pub fn bent(order: usize, lambda: f64, c: f64) -> Self {
        let raw = Self { order, lambda, scale: 1.0, weight: c / modified(order, lambda) };
        let scale = (0.25 * PI / raw.squares()[0]).sqrt();
        Self { scale, weight: raw.weight * scale, ..raw }
    }

    /// R at ρ.
    pub fn at(&self, rho: f64) -> f64 {
        if self.lambda == 0.0 {
            return self.scale * powi(rho, self.order as i32);
        }
        let [j, i] = self.parts(self.order, rho);
        j + i
    }

    /// NJ_m and its companion with I_m, of this order m at ρ.
    fn parts(&self, order: usize, rho: f64) -> [f64; 2] {
        let x = self.lambda * rho;
        [self.scale * jn(order as i32, x), self.weight * modified(order, x)]
    }

    /// R′ at ρ > 0.
    pub fn slope(&self, rho: f64) -> f64 {
        let n = self.order as f64;
        if self.lambda == 0.0 {
            return n * self.scale;
        }
        let ([j, i], [j1, i1]) = (self.parts(self.order, rho), self.parts(self.order + 1, rho));
        n / rho * (j + i) - self.lambda * (j1 - i1)
    }

    /// The curvatures at ρ > 0.
    pub fn curvatures(&self, rho: f64) -> Curvatures {
        if self.lambda == 0.0 {
            return Curvatures::default();
        }
        let n = self.order as f64;
        let ([j, i], [j1, i1]) = (self.parts(self.order, rho), self.parts(self.order + 1, rho));
        let (value, next) = ((j + i) / square(rho), self.lambda * (j1 - i1) / rho);
        let circular = -n * (n - 1.0) * value - next;
        Curvatures {
            radial: square(self.lambda) * (i - j) - circular,
            circular,
            twist: (n - 1.0) * value - next,
        }
    }

    /// ∫∫φ² and ∫∫|∇φ|² of the shape with cos nθ.
    pub fn squares(&self) -> [f64; 2] {
        let turn = if self.order == 0 { 2.0 * PI } else { PI };
        let terms = points(self.lambda).map(|(rho, w)| {
            let (value, slope) = (self.at(rho), self.slope(rho));
            let w = turn * w * rho;
            [w * square(value), w * (square(slope) + square(self.order as f64 / rho * value))]
        });
        terms.fold([0.0; 2], |sums, term| [sums[0] + term[0], sums[1] + term[1]])
    }
}

/// Points and weights along the radius, for products of factors whose λ add up to twice this.
pub(crate) fn points(lambda: f64) -> impl Iterator<Item = (f64, f64)> {
    let panels: Vec<[(f64, f64); POINTS]> = quadrature::panels(1.0, &[], PI / lambda.max(PI));
    panels.into_iter().flatten()
}

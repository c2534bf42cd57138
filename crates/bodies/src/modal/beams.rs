//! The shapes of uniform slender bars: beam functions, in a form without differences of large numbers.
//!
//!   φ(x) = A cos kx + B sin kx + C e^(−kx) + D e^(−k(L−x)),   k = β/L,   e = e^(−β)
//!
//! with, at the left end (s = 1 clamped, s = −1 free), A = −s(C + De), B = s(C − De), where it is hinged A = 0, C = −De;
//! where it slides B = 0, C = De, and likewise at the right end in L − x. Then ∫φ² dx = L(D + Ce)² with the end that is free
//! or clamped (Rayleigh 1894, §172), which is made L/2, as of a sine. Ends that allow it add the rigid motions: of both free 1 and
//! 2x/L − 1, of hinged and free x/L, of an end that slides beside one that is no hinge or clamp 1, scaled likewise.

use super::{
    shapes::{LineShapes, Shapes},
    sines::sincos_pi,
};
use crate::{beam_roots::beta, ends::End};
use hamiltone_core::geometry::Position;
use hamiltone_numerics::math::{exp, powi, sincos};
use std::f64::consts::{FRAC_1_SQRT_2, PI};

/// A shape of length 1: a straight line, or a beam function of β.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Beam {
    /// a + bξ.
    Rigid([f64; 2]),
    /// β with A, B, C and D.
    Bent(f64, [f64; 4]),
}

/// The shapes of a bar of the length L, the lowest first.
pub(crate) struct Beams {
    /// L, m.
    pub length: f64,
    /// The shapes.
    pub beams: Vec<Beam>,
}

impl Beam {
    /// The rigid motions that these ends allow.
    pub fn rigid(ends: [End; 2]) -> &'static [Beam] {
        use End::{Free, Hinged, Sliding};
        /// √(3/2)
        const TURN: f64 = 1.224_744_871_391_589;
        match ends {
            [Free, Free] => &[Beam::Rigid([FRAC_1_SQRT_2, 0.0]), Beam::Rigid([-TURN, 2.0 * TURN])],
            [Hinged, Free] => &[Beam::Rigid([0.0, TURN])],
            [Free, Hinged] => &[Beam::Rigid([TURN, -TURN])],
            [Sliding, Sliding | Free] | [Free, Sliding] => &[Beam::Rigid([FRAC_1_SQRT_2, 0.0])],
            _ => &[],
        }
    }

    /// The m-th shape that is not rigid.
    pub fn bent(ends: [End; 2], m: usize) -> Beam {
        let sign = |end: End| if end == End::Clamped { 1.0 } else { -1.0 };
        let beta = beta(ends, m);
        let (e, (s, c)) = (exp(-beta), sincos(beta));
        let [a, b, c, d] = match ends {
            [End::Hinged, End::Hinged | End::Sliding] => return Beam::Bent(beta, [0.0, 1.0, 0.0, 0.0]),
            [End::Sliding, End::Hinged | End::Sliding] => return Beam::Bent(beta, [1.0, 0.0, 0.0, 0.0]),
            // B = 1, and D from the right end.
            [End::Hinged, right] => {
                let d = -sign(right) * c / (1.0 + e * e);
                [0.0, 1.0, -d * e, d]
            }
            // A = 1, likewise.
            [End::Sliding, right] => {
                let d = -sign(right) * c / (1.0 + e * e);
                [1.0, 0.0, d * e, d]
            }
            [left, End::Sliding] => {
                let d = -sign(left) * c / (1.0 + e * e);
                [c, s, d, d * e]
            }
            // The same from the other side: cos βx and sin βx in L − x.
            [left, End::Hinged] => {
                let d = -sign(left) * c / (1.0 + e * e);
                [s, -c, d, -d * e]
            }
            // C = 1, and D from the right end.
            [left, right] => {
                let (l, r) = (sign(left), sign(right));
                let d = (l * (c - s) - r * e) / (r - l * e * (c + s));
                [-l * (1.0 + d * e), l * (1.0 - d * e), 1.0, d]
            }
        };
        // By the end that is free or clamped.
        let left = matches!(ends[1], End::Hinged | End::Sliding);
        let whole = if left { c + d * e } else { d + c * e };
        let scale = FRAC_1_SQRT_2 / whole.abs();
        Beam::Bent(beta, [a, b, c, d].map(|weight| scale * weight))
    }

    /// β; 0 of a rigid motion.
    pub fn beta(&self) -> f64 {
        match self {
            Beam::Rigid(_) => 0.0,
            Beam::Bent(beta, _) => *beta,
        }
    }

    /// The derivative of this order at ξ, 0 to 1.
    pub fn at(&self, derivative: usize, xi: f64) -> f64 {
        match *self {
            Beam::Rigid([a, b]) => match derivative {
                0 => a + b * xi,
                1 => b,
                _ => 0.0,
            },
            Beam::Bent(beta, [a, b, c, d]) => {
                let whole = (beta / PI).round();
                // Sines of whole half waves keep their zeros at both ends.
                let (sin, cos) =
                    if whole * PI == beta { sincos_pi(whole as usize, xi) } else { sincos(beta * xi) };
                let decay = |weight: f64, y: f64| if weight == 0.0 { 0.0 } else { weight * exp(-beta * y) };
                let (left, right) = (decay(c, xi), decay(d, 1.0 - xi));
                let [wave, turned] = [a * cos + b * sin, b * cos - a * sin];
                let sum = match derivative {
                    0 => wave + left + right,
                    1 => turned - left + right,
                    2 => -wave + left + right,
                    _ => -turned - left + right,
                };
                powi(beta, derivative as i32) * sum
            }
        }
    }
}

impl LineShapes for Beams {
    fn derivative(&self, order: usize, x: f64, values: &mut [f64]) {
        let scale = powi(self.length, -(order as i32));
        for (value, beam) in values.iter_mut().zip(&self.beams) {
            *value = scale * beam.at(order, x / self.length);
        }
    }
}

impl Shapes for Beams {
    fn fill(&self, [x, _]: Position, values: &mut [f64]) {
        self.derivative(0, x, values);
    }

    fn half_wavelength(&self) -> f64 {
        self.length * PI / self.beams.last().map_or(PI, Beam::beta).max(PI)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::modal::quadrature;
    use End::{Clamped, Free, Hinged, Sliding};

    const ENDS: [End; 4] = [Hinged, Clamped, Free, Sliding];

    /// ∫φ_jφ_k dξ = δ_jk/2 to the quadrature's roundings, for every pair of ends and up to mode 60.
    #[test]
    fn shapes_are_orthogonal() {
        for ends in ENDS.into_iter().flat_map(|left| ENDS.map(|right| [left, right])) {
            let bent = (1..=60).map(|m| Beam::bent(ends, m));
            let beams: Vec<Beam> = Beam::rigid(ends).iter().copied().chain(bent).collect();
            let panels = quadrature::panels(1.0, &[], 1.0 / 62.0);
            for (j, a) in beams.iter().enumerate() {
                for (k, b) in beams.iter().enumerate().take(j + 1) {
                    let product = |x: f64| a.at(0, x) * b.at(0, x);
                    let sum: f64 = panels.iter().flatten().map(|(x, w)| w * product(*x)).sum();
                    let expected = if j == k { 0.5 } else { 0.0 };
                    // β is known to eps·β/2, and from it the phase at the far end and D; β ≤ 61π.
                    assert!((sum - expected).abs() < 61.0 * PI * f64::EPSILON, "{ends:?} {j} {k}: {sum:e}");
                }
            }
        }
    }

    /// ∫φ′² of modes 1 to 20 for every pair of ends, by which d₃ takes energy: to the rounding of β² and of the quadrature.
    #[test]
    fn slopes_are_those_of_the_losses() {
        for ends in ENDS.into_iter().flat_map(|left| ENDS.map(|right| [left, right])) {
            let panels = quadrature::panels(1.0, &[], 1.0 / 22.0);
            for m in 1..=20 {
                let beam = Beam::bent(ends, m);
                let sum: f64 = panels.iter().flatten().map(|(x, w)| w * beam.at(1, *x).powi(2)).sum();
                let slope = crate::losses::slope_of_bar(ends, 1.0, beam.beta());
                assert!((2.0 * sum / slope - 1.0).abs() < 1e-12, "{ends:?} {m}: {sum} {slope}");
            }
        }
    }

    /// What each end asks for, of low and high modes: to the rounding of β^r, and of β in the wave.
    #[test]
    fn shapes_keep_their_ends() {
        for ends in ENDS.into_iter().flat_map(|left| ENDS.map(|right| [left, right])) {
            for m in [1, 2, 3, 10, 100, 1000] {
                let beam = Beam::bent(ends, m);
                for (end, xi) in ends.into_iter().zip([0.0, 1.0]) {
                    let zero = match end {
                        Hinged => [0, 2],
                        Clamped => [0, 1],
                        Free => [2, 3],
                        Sliding => [1, 3],
                    };
                    for r in zero {
                        let value = beam.at(r, xi) / beam.beta().powi(r as i32);
                        assert!(
                            value.abs() < 4.0 * f64::EPSILON * beam.beta().max(4.0),
                            "{ends:?} {m} {r}: {value:e}"
                        );
                    }
                }
            }
        }
    }
}

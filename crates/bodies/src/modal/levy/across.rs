//! The part X(x) of one shape X(x) sin αy, and its integrals across the plate.
//!
//!   ∫∫|∇φ|² dx dy/∫∫φ² dx dy = ∫X′² dx/∫X² dx + α²,   X = P + Q,   P″ = p²P,   Q″ = −q²Q
//!   ∫P² = ([PP′] − w(P′² − p²P²))/2p²,   ∫Q² = (w(Q′² + q²Q²) − [QQ′])/2q²,   ∫PQ = [P′Q − PQ′]/(p² + q²)
//!   ∫P′² = ([PP′] + w(P′² − p²P²))/2,   ∫Q′² = (w(Q′² + q²Q²) + [QQ′])/2,   ∫P′Q′ = [q²P′Q + p²PQ′]/(p² + q²)
//!
//! [f] is f(w) − f(0) over the width w on which `strip.rs` solves; P′² − p²P² and Q′² + q²Q² are constant. Where both sides of a plate are
//! alike, X is even or odd about its middle: it is solved on half the plate, and mirrored with the sign 1 or −1.

use super::{super::quadrature, strip::Strip};
use hamiltone_numerics::math::{powi, square};
use std::f64::consts::PI;

/// X(x) of one shape.
#[derive(Clone, Debug)]
pub(crate) struct Across {
    strip: Strip,
    /// The sign with which it is mirrored, where it is.
    mirror: Option<f64>,
    /// q², 1/m².
    q2: f64,
    /// Of its waves.
    weights: [f64; 4],
}

impl Across {
    /// The shape of this root q² (1/m²) of the determinant.
    pub(super) fn new(strip: Strip, mirror: Option<f64>, q2: f64) -> Self {
        Self { strip, mirror, q2, weights: strip.weights(q2) }
    }

    /// k², 1/m².
    pub fn k2(&self) -> f64 {
        self.q2 + square(self.strip.alpha)
    }

    /// p², 1/m².
    fn p2(&self) -> f64 {
        self.q2 + 2.0 * square(self.strip.alpha)
    }

    /// n.
    pub fn number(&self) -> usize {
        self.strip.number
    }

    /// X and X′ (1/m) at x, m.
    pub fn at(&self, x: f64) -> [f64; 2] {
        let (x, [even, odd]) = match self.mirror {
            Some(sign) if x > self.strip.width => (2.0 * self.strip.width - x, [sign, -sign]),
            _ => (x, [1.0; 2]),
        };
        let [value, slope, ..] = self.strip.sum(self.q2, self.weights, x);
        [even * value, odd * slope]
    }

    /// ∫X² dx (m) over the whole plate, and ∫∫|∇φ|²/∫∫φ², 1/m².
    pub fn norms(&self) -> [f64; 2] {
        let Strip { width, alpha, .. } = self.strip;
        // The closed form loses eps/(qw)², as where Q is nearly straight.
        let closed = self.q2 > 0.0 && self.q2.sqrt() * width > 1.0;
        let [value, slope] = if closed { self.closed() } else { self.quadrature() };
        let parts = if self.mirror.is_some() { 2.0 } else { 1.0 };
        [parts * value, slope / value + square(alpha)]
    }

    /// ∫X² dx and ∫X′² dx over w, by what P and Q are at its ends.
    fn closed(&self) -> [f64; 2] {
        let (p2, q2, width) = (self.p2(), self.q2, self.strip.width);
        let ends = [0.0, width].map(|x| {
            let [value, slope, second, third] = self.strip.sum(q2, self.weights, x);
            [second + q2 * value, third + q2 * slope, p2 * value - second, p2 * slope - third]
                .map(|sum| sum / (p2 + q2))
        });
        let change = |f: &dyn Fn([f64; 4]) -> f64| f(ends[1]) - f(ends[0]);
        let [p, dp, q, dq] = ends[0];
        let [of_p, of_q] = [width * (dp * dp - p2 * p * p), width * (dq * dq + q2 * q * q)];
        let (pp, qq) = (change(&|[p, dp, ..]| p * dp), change(&|[.., q, dq]| q * dq));
        let pq = change(&|[p, dp, q, dq]| dp * q - p * dq) / (p2 + q2);
        let slopes = change(&|[p, dp, q, dq]| q2 * dp * q + p2 * p * dq) / (p2 + q2);
        let value = (pp - of_p) / (2.0 * p2) + (of_q - qq) / (2.0 * q2) + 2.0 * pq;
        [value, 0.5 * (pp + of_p + of_q + qq) + 2.0 * slopes]
    }

    /// The same by quadrature: products of two waves of P vary no faster than e^(2px) at the sides.
    fn quadrature(&self) -> [f64; 2] {
        let width = self.strip.width;
        let panel = PI / self.p2().sqrt();
        let mut corners: Vec<f64> =
            (0..64).map(|i| panel * powi(2.0, i)).take_while(|x| *x < 0.5 * width).collect();
        corners.extend(corners.clone().into_iter().rev().map(|x| width - x));
        let [mut value, mut slope] = [0.0; 2];
        for (x, w) in quadrature::panels(width, &corners, width).iter().flatten() {
            let [v, s] = self.at(*x);
            (value, slope) = (value + w * v * v, slope + w * s * s);
        }
        [value, slope]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{ends::End, modal::levy::lowest};

    /// Closed forms against quadrature over panels of half a wave, in which it misses 1e-15: of 30 shapes of every pair of ends.
    #[test]
    fn closed_forms_are_the_integrals() {
        let all = [End::Hinged, End::Clamped, End::Free, End::Sliding];
        for ends in all.into_iter().flat_map(|left| all.map(|right| [left, right])) {
            for across in lowest([0.8, 0.3], ends, 0.3, 30).into_iter().filter(|across| across.q2 > 0.0) {
                let panels = quadrature::panels(across.strip.width, &[], PI / across.p2().sqrt());
                for (order, found) in across.closed().into_iter().enumerate() {
                    let exact: f64 =
                        panels.iter().flatten().map(|(x, w)| w * square(across.at(*x)[order])).sum();
                    assert!(
                        (found / exact - 1.0).abs() < 1e-12,
                        "{ends:?} {order} {across:?} {found} {exact}"
                    );
                }
            }
        }
    }
}

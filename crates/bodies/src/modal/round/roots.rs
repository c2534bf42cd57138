//! The wave numbers of a circular plate of radius 1 (Leissa 1969, ch. 2).
//!
//!   det(λ) = p(J) q(I) − p(I) q(J) = 0,   c = −p(J)/p(I),   ω = λ²√(D/ρh)/R²
//!
//! with p and q that vanish at the edge, of w = J_n(λρ) or I_n(λρ)/I_n(λ) at ρ = 1 with ∇²w = ∓λ²w:
//!
//! | edge | p | q |
//! |---|---|---|
//! | clamped | w | w′ |
//! | simply supported | w | M |
//! | free | M | V |
//!
//!   M = ∇²w − (1 − ν)(w′ − n²w),   V = (∇²w)′ − (1 − ν)n²(w′ − w)
//!
//! M is the bending moment and V the transverse force with that of the twisting moment (Kirchhoff 1850), as parts of −D. Two roots of
//! one n are about π apart: the determinant is looked at in steps of π/8.

use super::radial::Radial;
use crate::{ends::End, modified_bessel::modified, root::root};
use hamiltone_numerics::math::{jn, square};
use std::f64::consts::PI;

/// The steps of λ.
const STEP: f64 = PI / 8.0;
/// The lowest root of n ≥ 2 is larger than this times n.
const LOWEST: f64 = 0.75;

/// The edge of a plate, with ν.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Edge {
    /// What holds it.
    pub end: End,
    /// ν.
    pub poisson: f64,
    /// Whether the plate may shift and turn as its edge allows.
    pub loose: bool,
}

impl Edge {
    /// p and q of a part with these w, w′, and ∇²w = s λ²w.
    fn conditions(self, n: f64, [w, slope]: [f64; 2], factor: f64) -> [f64; 2] {
        let moment = factor * w - (1.0 - self.poisson) * (slope - n * n * w);
        let force = factor * slope - (1.0 - self.poisson) * n * n * (slope - w);
        match self.end {
            End::Clamped => [w, slope],
            End::Hinged => [w, moment],
            End::Free => [moment, force],
            End::Sliding => [slope, force],
        }
    }

    /// p and q of both parts.
    fn parts(self, order: usize, lambda: f64) -> [[f64; 2]; 2] {
        let n = order as f64;
        let (j, next) = (jn(order as i32, lambda), jn(order as i32 + 1, lambda));
        let ratio = modified(order + 1, lambda) / modified(order, lambda);
        [
            self.conditions(n, [j, n * j - lambda * next], -square(lambda)),
            self.conditions(n, [1.0, n + lambda * ratio], square(lambda)),
        ]
    }

    fn determinant(self, order: usize, lambda: f64) -> f64 {
        let [[p, q], [r, s]] = self.parts(order, lambda);
        p * s - r * q
    }

    /// The shapes of this order with λ up to `most`, ascending.
    fn of_order(self, order: usize, most: f64) -> Vec<Radial> {
        let start = (LOWEST * order as f64).max(0.5);
        let steps = ((most - start) / STEP).ceil().max(0.0) as usize;
        let points: Vec<(f64, f64)> = (0..=steps)
            .map(|i| start + i as f64 * STEP)
            .map(|lambda| (lambda, self.determinant(order, lambda)))
            .collect();
        let between = |two: &[(f64, f64)]| {
            let [(low, first), (high, last)] = [two[0], two[1]];
            ((first < 0.0) != (last < 0.0)).then(|| root(low, high, |x| self.determinant(order, x)))
        };
        let roots = points.windows(2).filter_map(between).filter(|lambda| *lambda <= most);
        roots
            .map(|lambda| {
                let [[p, _], [r, _]] = self.parts(order, lambda);
                Radial::bent(order, lambda, -p / r)
            })
            .collect()
    }

    /// Its rigid motions.
    fn rigid(self) -> &'static [usize] {
        match self.end {
            End::Free if self.loose => &[0, 1],
            End::Sliding if self.loose => &[0],
            _ => &[],
        }
    }

    /// The shapes of the lowest `count` modes, λ ascending, rigid motions first: those of n > 0 with cos nθ (false) and with sin nθ
    /// (true).
    pub fn lowest(self, count: usize) -> Vec<(Radial, bool)> {
        let both = |radial: Radial| (0..=usize::from(radial.order > 0)).map(move |odd| (radial, odd == 1));
        // About λ²/4 of them lie below λ (Weyl), and λ/2 more or less.
        let mut most = 4.0 + (1.0 + 4.0 * count as f64).sqrt();
        loop {
            let mut all: Vec<(Radial, bool)> =
                self.rigid().iter().map(|n| Radial::rigid(*n)).flat_map(both).collect();
            for order in 0.. {
                let found = self.of_order(order, most);
                // The lowest roots rise with n from 2 on, and are below 6 before.
                if found.is_empty() {
                    break;
                }
                all.extend(found.into_iter().flat_map(both));
            }
            if all.len() >= count {
                all.sort_by(|a, b| {
                    a.0.lambda.total_cmp(&b.0.lambda).then(a.0.order.cmp(&b.0.order)).then(a.1.cmp(&b.1))
                });
                all.truncate(count);
                return all;
            }
            most += 2.0;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn edge(end: End, poisson: f64) -> Edge {
        Edge { end, poisson, loose: true }
    }

    /// λ² as printed by Leissa 1969: clamped table 2.1, simply supported (ν = 0.3) table 2.2, free (ν = 0.33) table 2.5; by n and the
    /// number of nodal circles within the edge, to what these tables, computed by hand, are known to be off. And to the last digit three
    /// pairs of a free plate by another program, with the functions `jv`, `iv` and `brentq` of scipy.
    #[test]
    fn frequencies_are_those_of_the_tables() {
        let [clamped, hinged] = [End::Clamped, End::Hinged].map(|end| edge(end, 0.3));
        const CLAMPED: &[f64] = &[10.2158, 21.26, 34.88, 39.771, 51.04, 60.82, 89.104];
        const FREE: &[f64] = &[5.253, 9.084, 12.23, 20.52, 21.6, 33.1, 35.25, 38.55];
        /// n and nodal circles, λ², and the part that these are off.
        type Printed = (Edge, &'static [(usize, usize)], &'static [f64], f64);
        let printed: &[Printed] = &[
            (clamped, &[(0, 0), (1, 0), (2, 0), (0, 1), (3, 0), (1, 1), (0, 2)], CLAMPED, 2.2e-4),
            (hinged, &[(0, 0), (1, 0), (2, 0), (0, 1)], &[4.977, 13.94, 25.65, 29.76], 9e-3),
            (
                edge(End::Free, 0.33),
                &[(2, 0), (0, 1), (3, 0), (1, 1), (4, 0), (5, 0), (2, 1), (0, 2)],
                FREE,
                4e-3,
            ),
            (edge(End::Free, 0.3), &[(0, 1), (2, 0)], &[9.0031, 5.3583], 1e-5),
            (edge(End::Free, 0.33), &[(0, 1), (2, 0)], &[9.0689, 5.2620], 1e-5),
            (edge(End::Free, 0.38), &[(0, 1), (2, 0)], &[9.1751, 5.0933], 1e-5),
        ];
        for (edge, places, values, tolerance) in printed {
            for ((n, circles), value) in places.iter().zip(*values) {
                let rigid = edge.rigid().contains(n);
                let own = square(edge.of_order(*n, 12.0)[circles - usize::from(rigid)].lambda);
                assert!((own / value - 1.0).abs() < *tolerance, "{edge:?} {n} {circles}: {own} {value}");
            }
        }
    }

    /// More condition raises each frequency and less lowers it (Courant): λ_s of a free, a simply supported and a clamped plate of one n rise,
    /// and those of the free plate catch up after two more. So none is left out and none invented.
    #[test]
    fn frequencies_of_the_edges_interlace() {
        for (poisson, n) in [0.0, 0.3, 0.5].into_iter().flat_map(|poisson| (0..60).map(move |n| (poisson, n)))
        {
            let of = |end: End| -> Vec<f64> {
                let edge = edge(end, poisson);
                let rigid = edge.rigid().iter().filter(|order| **order == n).map(|_| 0.0);
                rigid.chain(edge.of_order(n, 70.0).iter().map(|radial| radial.lambda)).collect()
            };
            let [free, hinged, clamped] = [End::Free, End::Hinged, End::Clamped].map(of);
            let below = |a: &[f64], b: &[f64], after: usize| {
                a.iter().zip(&b[after.min(b.len())..]).all(|(a, b)| a < b)
            };
            assert!(below(&free, &hinged, 0) && below(&hinged, &clamped, 0), "{poisson} {n}");
            assert!(below(&hinged, &free, 1) && below(&clamped, &free, 2), "{poisson} {n}");
            assert!(free.len() <= clamped.len() + 2 && free.len() >= clamped.len(), "{poisson} {n}");
            assert!(n < 2 || free[0] > 1.15 * LOWEST * n as f64, "{poisson} {n}: {}", free[0]);
        }
    }
}

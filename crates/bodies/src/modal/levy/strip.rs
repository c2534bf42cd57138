//! The waves of a strip sin αy between its two sides, and where they meet the conditions there.
//!
//!   X = A e^(−px) + B e^(−p(w−x)) + C cos qx + D sin(qx)/q,   p² = k² + α²,   q² = k² − α²
//!
//! w (m) is the width. Where q² < 0 the last two are hyperbolic functions or, where these are too alike, e^(−rx) and e^(−r(w−x)) with
//! r² = −q². Where pw is small the first two are too alike, and combinations of all four take their place; of all these changes of waves
//! the determinant is positive, so that they change no sign. Each of the two sides states two conditions:
//!
//!   hinged X = X″ = 0,   clamped X = X′ = 0,   sliding X′ = X‴ = 0,   free X″ − να²X = X‴ − (2 − ν)α²X′ = 0
//!
//! A free side has no moment and no Kelvin–Kirchhoff shear force. A shape exists where the determinant of the four conditions vanishes.

use crate::ends::End;
use hamiltone_numerics::math::{cosh, exp, sincos, sinh, square};

/// Terms of a power series in (pw)² < 1: the first that is left out is 1/20! = 4·10⁻¹⁹ of the first.
const TERMS: usize = 9;
/// Below this pw the series is taken; up to this rw hyperbolic functions are, beyond it exponentials.
const NEAR: f64 = 1.0;
/// The largest value of a shape is sought at the ends of this number of equal pieces of the width.
const PIECES: usize = 64;

/// X, X′, X″, X‴ of a wave at a place.
type StripWave = [f64; 4];

/// The strip of one n.
#[derive(Clone, Copy, Debug)]
pub(super) struct Strip {
    /// w, m.
    pub width: f64,
    /// What holds at 0 and w.
    pub ends: [End; 2],
    /// n.
    pub number: usize,
    /// α, 1/m.
    pub alpha: f64,
    /// ν.
    pub poisson: f64,
}

impl Strip {
    /// The determinant at this q² (1/m²), but for a positive factor.
    pub fn determinant(&self, q2: f64) -> f64 {
        #[cfg(test)]
        tests::DETERMINANTS.set(tests::DETERMINANTS.get() + 1);
        let Eliminated { rows, odd, .. } = eliminated(self.conditions(q2));
        let product: f64 = (0..4).map(|i| rows[i][i]).product();
        if odd { -product } else { product }
    }

    /// A to D at a root of the determinant, where the last pivot is a rounding of 0; the largest value of X is about 1.
    pub fn weights(&self, q2: f64) -> [f64; 4] {
        let Eliminated { rows, order, .. } = eliminated(self.conditions(q2));
        let mut solved = [0.0, 0.0, 0.0, 1.0];
        for i in (0..3).rev() {
            solved[i] = -(i + 1..4).map(|j| rows[i][j] * solved[j]).sum::<f64>() / rows[i][i];
        }
        let mut weights = [0.0; 4];
        order.into_iter().zip(solved).for_each(|(wave, weight)| weights[wave] = weight);
        let value = |i: usize| self.sum(q2, weights, self.width * i as f64 / PIECES as f64)[0].abs();
        let largest = (0..=PIECES).map(value).fold(0.0, f64::max);
        weights.map(|weight| weight / largest)
    }

    /// X, X′, X″, X‴ of the waves with these weights at x.
    pub fn sum(&self, q2: f64, weights: [f64; 4], x: f64) -> StripWave {
        let waves = self.waves(q2, x);
        [0, 1, 2, 3].map(|order| waves.iter().zip(weights).map(|(wave, weight)| weight * wave[order]).sum())
    }

    /// The four waves at x.
    fn waves(&self, q2: f64, x: f64) -> [StripWave; 4] {
        let (p2, r) = (q2 + 2.0 * square(self.alpha), (-q2).max(0.0).sqrt());
        let [c, d] = if r * self.width > NEAR {
            self.decaying(r, x)
        } else {
            let q = q2.abs().sqrt();
            let (s, c) = if q2 < 0.0 { (sinh(q * x), cosh(q * x)) } else { sincos(q * x) };
            let s = if q == 0.0 { x } else { s / q };
            [[c, -q2 * s, -q2 * c, q2 * q2 * s], [s, c, -q2 * s, -q2 * c]]
        };
        let [a, b] =
            if p2.sqrt() * self.width < NEAR { series(p2, -q2, x) } else { self.decaying(p2.sqrt(), x) };
        [a, b, c, d]
    }

    /// e^(−px) and e^(−p(w−x)).
    fn decaying(&self, p: f64, x: f64) -> [StripWave; 2] {
        [(exp(-p * x), -p), (exp(-p * (self.width - x)), p)]
            .map(|(e, p)| [e, p * e, p * p * e, p * p * p * e])
    }

    /// The conditions, two rows a side, each scaled to a largest entry of 1.
    fn conditions(&self, q2: f64) -> [[f64; 4]; 4] {
        let (alpha2, nu) = (square(self.alpha), self.poisson);
        let mut rows = [[0.0; 4]; 4];
        for (end, x) in [0.0, self.width].into_iter().enumerate() {
            for (wave, [value, slope, second, third]) in self.waves(q2, x).into_iter().enumerate() {
                let two = match self.ends[end] {
                    End::Hinged => [value, second],
                    End::Clamped => [value, slope],
                    End::Sliding => [slope, third],
                    End::Free => [second - nu * alpha2 * value, third - (2.0 - nu) * alpha2 * slope],
                };
                (rows[2 * end][wave], rows[2 * end + 1][wave]) = (two[0], two[1]);
            }
        }
        for row in &mut rows {
            let largest = row.iter().fold(0.0_f64, |largest, x| largest.max(x.abs()));
            row.iter_mut().for_each(|x| *x /= largest);
        }
        rows
    }
}

/// (cosh px − cos qx)/(p² + q²) and (sinh(px)/p − sin(qx)/q)/(p² + q²), of u = p² and v = −q². The coefficient of x²ʲ/(2j)! of the
/// first is Σ uⁱ vʲ⁻¹⁻ⁱ, i = 0 … j − 1; the second is its integral.
fn series(u: f64, v: f64, x: f64) -> [StripWave; 2] {
    let (mut first, mut integral) = ([0.0; 4], 0.0);
    let (mut coefficient, mut power) = (1.0, 1.0);
    // xⁿ/n! of n = 2j − 3, which is none at j = 1.
    let mut third = 0.0;
    for j in 1..=TERMS {
        let n = 2 * j;
        let second = if j == 1 { 1.0 } else { third * x / (n - 2) as f64 };
        let slope = second * x / (n - 1) as f64;
        let value = slope * x / n as f64;
        for (sum, term) in first.iter_mut().zip([value, slope, second, third]) {
            *sum += coefficient * term;
        }
        integral += coefficient * value * x / (n + 1) as f64;
        power *= v;
        coefficient = u * coefficient + power;
        third = slope;
    }
    [first, [integral, first[0], first[1], first[2]]]
}

/// A matrix after Gaussian elimination with full pivoting.
struct Eliminated {
    rows: [[f64; 4]; 4],
    /// Which column each one was.
    order: [usize; 4],
    /// Whether an odd number of rows and columns was exchanged.
    odd: bool,
}

fn eliminated(mut rows: [[f64; 4]; 4]) -> Eliminated {
    let (mut order, mut odd) = ([0, 1, 2, 3], false);
    for i in 0..3 {
        let places = (i..4).flat_map(|row| (i..4).map(move |column| (row, column)));
        let larger =
            |a: &(usize, usize), b: &(usize, usize)| rows[a.0][a.1].abs().total_cmp(&rows[b.0][b.1].abs());
        let (row, column) = places.max_by(larger).unwrap_or((i, i));
        odd ^= (row != i) ^ (column != i);
        rows.swap(i, row);
        rows.iter_mut().for_each(|row| row.swap(i, column));
        order.swap(i, column);
        if rows[i][i] == 0.0 {
            break;
        }
        for below in i + 1..4 {
            let (pivots, part) = (rows[i], rows[below][i] / rows[i][i]);
            rows[below].iter_mut().zip(pivots).skip(i).for_each(|(entry, pivot)| *entry -= part * pivot);
        }
    }
    Eliminated { rows, order, odd }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use std::cell::Cell;

    thread_local! {
        /// How often a determinant was looked at.
        pub(in super::super) static DETERMINANTS: Cell<usize> = const { Cell::new(0) };
    }

    /// The power series against cosh and cos where both hold: differences of these lose eps/(pw)² = 4 eps.
    #[test]
    fn the_series_is_a_difference_of_waves() {
        let (u, v, x) = (0.25_f64, -0.16_f64, 0.9);
        let (p, q) = (u.sqrt(), (-v).sqrt());
        let [first, second] = series(u, v, x);
        let exact = ((p * x).cosh() - (q * x).cos()) / (u - v);
        assert!((first[0] / exact - 1.0).abs() < 4e-15, "{} {exact}", first[0]);
        let exact = ((p * x).sinh() / p - (q * x).sin() / q) / (u - v);
        assert!((second[0] / exact - 1.0).abs() < 4e-15, "{} {exact}", second[0]);
        // The third derivatives: p³ sinh − q³ sin, and p² cosh + q² cos.
        let exact = (p.powi(3) * (p * x).sinh() - q.powi(3) * (q * x).sin()) / (u - v);
        assert!((first[3] / exact - 1.0).abs() < 4e-15, "{} {exact}", first[3]);
        assert_eq!(second[1..], first[..3]);
    }
}

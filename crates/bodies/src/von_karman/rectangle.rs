//! The coefficients of a rectangular plate of which all sides are simply supported.
//!
//!   Φ = sin αx sin βy, α = mπ/a, β = nπ/b, and Ψ likewise:   F = F_nn = 0 at the sides
//!
//! so that N_n = 0 and N_t = 0 there, and with w = 0 the strain along a side is 0: sides move in the plane at right angles to themselves, but not along
//! themselves, as on thin walls. ζ² = α² + β², of an orthotropic plate ζ⁴ = a₁α⁴ + 2(a₃ + 2a₆)α²β² + a₂β⁴ (`orthotropic.rs`), ‖Ψ‖² = ab/4. With x and y turned into ξ and η from 0 to π, s for sin and c for cos,
//!
//!   C = (ab/π²)((αᵢ²βⱼ² + βᵢ²αⱼ²) ∫sₗsᵢsⱼ dξ ∫sₗsᵢsⱼ dη − 2αᵢβᵢαⱼβⱼ ∫sₗcᵢcⱼ dξ ∫sₗcᵢcⱼ dη)
//!   ∫sₗsᵢsⱼ = ½(h(i − j) − h(i + j)),   ∫sₗcᵢcⱼ = ½(h(i − j) + h(i + j)),   h(k) = 2l/(l² − k²) where l + k is odd, else 0
//!
//! Only where l + i + j is odd along x and along y is C not 0: a quarter of all.

use super::{AiryForm, Stretches};
use crate::orthotropic::{Coefficients, of_waves};
use hamiltone_numerics::parallel;
use std::f64::consts::PI;

/// ∫ sin lξ cos kξ dξ from 0 to π for l + k odd.
fn overlap(l: usize, k: f64) -> f64 {
    let l = l as f64;
    2.0 * l / ((l - k) * (l + k))
}

/// ∫sₗsᵢsⱼ and ∫sₗcᵢcⱼ for l + i + j odd.
fn triples(l: usize, i: usize, j: usize) -> [f64; 2] {
    let (difference, sum) = (overlap(l, i as f64 - j as f64), overlap(l, (i + j) as f64));
    [0.5 * (difference - sum), 0.5 * (difference + sum)]
}

/// One form for each Ψ, of the numbers (m, n) of `airy`, of a plate of the sides a and b (m) with the shapes of these `numbers` and the
/// coefficients a of its stretching.
pub(crate) fn forms(
    [a, b]: [f64; 2],
    numbers: &[[usize; 2]],
    airy: Vec<[usize; 2]>,
    stretching: Coefficients,
    stretches: Stretches,
) -> Vec<AiryForm> {
    let waves = |[m, n]: [usize; 2]| [m as f64 * PI / a, n as f64 * PI / b];
    let of_airy = |l: [usize; 2]| {
        let [p, q] = waves(l);
        let zeta2 = of_waves(stretching, [p * p, q * q]).sqrt();
        let scale = (4.0 * stretches.stiffness / (a * b)).sqrt() * a * b / (PI * PI * zeta2);
        let entry = |i: usize, j: usize| {
            let (one, other) = (numbers[i], numbers[j]);
            let is_odd = |side: usize| (l[side] + one[side] + other[side]) % 2 == 1;
            (is_odd(0) && is_odd(1)).then(|| {
                let [x, y] = [0, 1].map(|side| triples(l[side], one[side], other[side]));
                let ([p, q], [r, s]) = (waves(one), waves(other));
                let bend = (p * p * s * s + q * q * r * r) * (x[0] * y[0]);
                let twist = 2.0 * p * q * r * s * (x[1] * y[1]);
                (i, j, scale * (bend - twist))
            })
        };
        let row = |i: usize| (i..numbers.len()).filter_map(move |j| entry(i, j));
        AiryForm { quadratic: (0..numbers.len()).flat_map(row).collect(), linear: Vec::new() }
    };
    parallel::map(airy, of_airy)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{modal::quadrature, orthotropic::ISOTROPIC_STRETCHING};

    /// Against ∫∫ΨL(Φᵢ, Φⱼ) by quadrature over the plate, and 0 where there is no entry.
    #[test]
    fn coefficients_are_integrals_over_the_plate() {
        let (sides, stiffness) = ([0.4, 0.3], 2e8_f64);
        let products = |most: [usize; 2]| -> Vec<[usize; 2]> {
            (1..=most[0]).flat_map(|m| (1..=most[1]).map(move |n| [m, n])).collect()
        };
        let (numbers, airy) = (products([5, 4]), products([4, 3]));
        let stretches = Stretches::new(stiffness, airy.len()).unwrap();
        let forms = forms(sides, &numbers, airy.clone(), ISOTROPIC_STRETCHING, stretches);
        let points = |side: usize| quadrature::panels(sides[side], &[], 0.05).into_iter().flatten();
        // f, f_xx, f_yy and f_xy.
        let of = |[m, n]: [usize; 2], [x, y]: [f64; 2]| {
            let (p, q) = (m as f64 * PI / sides[0], n as f64 * PI / sides[1]);
            let ((s, c), (t, d)) = ((p * x).sin_cos(), (q * y).sin_cos());
            [s * t, -p * p * s * t, -q * q * s * t, p * q * c * d]
        };
        let all: Vec<([f64; 2], f64)> =
            points(0).flat_map(|(x, v)| points(1).map(move |(y, w)| ([x, y], v * w))).collect();
        let (mut found, mut largest) = (0, 0.0_f64);
        for (form, l) in forms.iter().zip(&airy) {
            let zeta2 = (l[0] as f64 * PI / sides[0]).powi(2) + (l[1] as f64 * PI / sides[1]).powi(2);
            for (i, j) in (0..numbers.len()).flat_map(|i| (i..numbers.len()).map(move |j| (i, j))) {
                let term = |(at, w): &([f64; 2], f64)| {
                    let [psi, ..] = of(*l, *at);
                    let [[_, fxx, fyy, fxy], [_, gxx, gyy, gxy]] = [i, j].map(|k| of(numbers[k], *at));
                    w * psi * (fxx * gyy + fyy * gxx - 2.0 * fxy * gxy)
                };
                let sum: f64 = all.iter().map(term).sum();
                let exact = stiffness.sqrt() * sum / (zeta2 * (0.25 * sides[0] * sides[1]).sqrt());
                let entry = form.quadratic.iter().find(|(p, q, _)| (*p, *q) == (i, j)).map(|entry| entry.2);
                found += usize::from(entry.is_some());
                largest = largest.max(exact.abs());
                let own = entry.unwrap_or(0.0);
                assert!((own - exact).abs() < 1e-5, "{l:?} {i} {j}: {own} {exact}");
            }
        }
        // Of 12 forms of 210 pairs about a quarter; the tolerance is 1e-11 of the largest.
        assert!((500..900).contains(&found) && largest > 1e6, "{found} {largest:e}");
    }
}

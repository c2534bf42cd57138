//! A polynomial for e^(−x) on 0 ≤ x ≤ X that never exceeds it, exact to rounding there.
//!
//!   p(x) = e^(−x) mod ω(x),   ω(x) = Π_{j=1}^m (x − xⱼ)²,   e^(−x) − p(x) = e^(−ξ) ω(x)/(2m)! ≥ 0
//!
//! p touches e^(−x) in the points xⱼ, which are the zeros of a Chebyshev polynomial over an interval that ends at X and begins so
//! that the first is 0: there p is exactly 1. Its degree 2m − 1 is the least for which the rest is below half a
//! rounding of 1; Taylor's sum of the same rest has about half as many terms again. X may be negative, as where time runs
//! backwards: then p is of X ≤ x ≤ 0.

use hamiltone_numerics::math;
use std::f64::consts::PI;

/// c₀ … c_d of p(x) = Σ c_k (−x)ᵏ.
pub(crate) fn below(end: f64) -> Vec<f64> {
    let mut points = 1;
    while rest(end, points) > 0.25 * f64::EPSILON {
        points += 1;
    }
    let size = 2 * points;
    // With s = x/X: the powers from s^(2m) on, mod ω, of which the lower ones are their own.
    let omega = squares(&zeros(points));
    let mut power: Vec<f64> = omega[..size].iter().map(|w| -w).collect();
    let mut scaled = vec![0.0; size];
    // The first power that is reduced is s^(2m).
    let mut term = factors(end).take(size + 1).last().unwrap_or(0.0);
    let mut k = size;
    // Terms that no sum of less than 2 would notice.
    while term.abs() > 1e-3 * f64::EPSILON * f64::EPSILON {
        scaled.iter_mut().zip(&power).for_each(|(sum, p)| *sum += term * p);
        // Multiplication by s, and reduction by the monic ω.
        let lead = power[size - 1];
        power.rotate_right(1);
        power[0] = 0.0;
        power.iter_mut().zip(&omega).for_each(|(p, w)| *p -= lead * w);
        k += 1;
        term *= -end / k as f64;
    }
    let (mut power, mut factorial) = (1.0, 1.0);
    let mut coefficients = Vec::with_capacity(size);
    for (k, correction) in scaled.iter().enumerate() {
        if k > 0 {
            power *= -end;
            factorial *= k as f64;
        }
        coefficients.push(1.0 / factorial + correction / power);
    }
    coefficients
}

/// (−X)ᵏ/k!, k = 0, 1, ….
fn factors(end: f64) -> impl Iterator<Item = f64> {
    (0_u32..).scan(1.0, move |term, k| {
        if k > 0 {
            *term *= -end / f64::from(k);
        }
        Some(*term)
    })
}

/// The largest ω(x)/(2m)!: 4(X/4l)^(2m)/(2m)! with l = (1 + cos(π/2m))/2.
fn rest(end: f64, points: usize) -> f64 {
    let quarter = 0.5 * end.abs() / (1.0 + math::cos(0.5 * PI / points as f64));
    (1..=2 * points).fold(4.0, |product, k| product * quarter / k as f64)
}

/// sⱼ = xⱼ/X from 0 on.
fn zeros(points: usize) -> Vec<f64> {
    let zero = |j: usize| math::cos(0.5 * PI * (2 * j + 1) as f64 / points as f64);
    let first = zero(points - 1);
    (0..points).rev().map(|j| (zero(j) - first) / (1.0 - first)).collect()
}

/// The coefficients of Π (s − sⱼ)², from that of s⁰ on.
fn squares(zeros: &[f64]) -> Vec<f64> {
    let mut product = vec![1.0];
    for zero in zeros.iter().chain(zeros) {
        product.insert(0, 0.0);
        for k in 1..product.len() {
            product[k - 1] -= zero * product[k];
        }
    }
    product
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_the_exponential_and_never_more() {
        for (end, degree) in [(1e-9, 1), (3e-4, 3), (1e-2, 5), (0.5, 11), (-3e-4, 3), (-0.5, 11)] {
            let c = below(end);
            assert_eq!(c.len() - 1, degree, "{end}");
            assert_eq!(c[..2], [1.0, 1.0]);
            for k in 0..=1000 {
                let x = end * f64::from(k) / 1000.0;
                let p = c.iter().rev().fold(0.0, |p, c| c - x * p);
                // Horner's roundings add up to less than 1 + x + x² + … of them, of sums of less than 2.
                assert!((p - math::exp(-x)).abs() <= 2.0 * f64::EPSILON, "{x:e}: {:e}", p - math::exp(-x));
            }
        }
    }

    /// In a polynomial of few digits the sign shows: m = 1 leaves out up to x²/2.
    #[test]
    fn what_is_left_out_is_positive() {
        for points in 1..8 {
            let omega = squares(&zeros(points));
            let end = 1.0;
            for k in 0..=1000 {
                let s = f64::from(k) / 1000.0;
                let value = omega.iter().rev().fold(0.0, |p, w| w + s * p);
                let factorial: f64 = (1..=2 * points).map(|k| k as f64).product();
                // The coefficients of degree 14 are as large as 2000, their roundings 14 in a row.
                let rounding = 3e4 * f64::EPSILON;
                assert!(
                    value >= -rounding && value <= rest(end, points) * factorial + rounding,
                    "{points} {s}: {value:e}"
                );
            }
        }
    }
}

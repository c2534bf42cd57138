//! The rule of Gauss and Legendre: n points in (−1, 1) that integrate polynomials of degree 2n − 1 exactly.
//!
//!   ∫₋₁¹ f dx ≈ Σ wᵢ f(xᵢ),   P_n(xᵢ) = 0,   wᵢ = 2/((1 − xᵢ²) P_n′(xᵢ)²)

use hamiltone_numerics::math::cos;
use std::f64::consts::PI;

/// Points a panel. Over a wave length the rule of 10 misses (2π)²⁰(10!)⁴/(21·(20!)³) = 5·10⁻¹⁵ of its height, over
/// half of one 5·10⁻²¹.
const POINTS: usize = 10;

/// Pairs of point and weight.
pub(crate) fn rule() -> [(f64, f64); POINTS] {
    let n = POINTS as f64;
    std::array::from_fn(|i| {
        let mut x = cos(PI * (i as f64 + 0.75) / (n + 0.5));
        let mut slope = 1.0;
        // Newton from a point that is right to three digits.
        for _ in 0..6 {
            let (mut p, mut before) = (x, 1.0);
            for k in 2..=POINTS {
                let k = k as f64;
                (p, before) = (((2.0 * k - 1.0) * x * p - (k - 1.0) * before) / k, p);
            }
            slope = n * (before - x * p) / (1.0 - x * x);
            x -= p / slope;
        }
        (x, 2.0 / ((1.0 - x * x) * slope * slope))
    })
}

/// The points and weights of [`rule`] on panels no longer than `longest` between 0 and `length`, split at `corners`:
/// one list a panel.
pub(crate) fn panels(length: f64, corners: &[f64], longest: f64) -> Vec<[(f64, f64); POINTS]> {
    let rule = rule();
    let mut ends: Vec<f64> = corners.iter().copied().filter(|x| 0.0 < *x && *x < length).collect();
    ends.push(length);
    let (mut panels, mut left) = (Vec::new(), 0.0);
    for right in ends {
        let count = ((right - left) / longest).ceil().max(1.0);
        let half = 0.5 * (right - left) / count;
        for i in 0..count as usize {
            let middle = left + (2 * i + 1) as f64 * half;
            panels.push(rule.map(|(x, w)| (middle + half * x, half * w)));
        }
        left = right;
    }
    panels
}

#[cfg(test)]
mod tests {
    use super::*;

    /// ∫₀² x¹⁹ dx = 2²⁰/20 on two panels, to a few roundings.
    #[test]
    fn polynomials_are_exact() {
        let panels = panels(2.0, &[0.3], 10.0);
        assert_eq!(panels.len(), 2);
        let sum: f64 = panels.iter().flatten().map(|(x, w)| w * x.powi(19)).sum();
        assert!((sum * 20.0 / 1048576.0 - 1.0).abs() < 1e-14, "{sum}");
    }
}

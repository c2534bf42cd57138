//! The modified Bessel functions I_n.
//!
//!   I_n(x) = (x/2)ⁿ/n! Σ_k (x²/4)ᵏ/(k! (n+1)(n+2)…(n+k)),   I_n′ = (n/x) I_n + I_(n+1)
//!
//! All terms are positive (DLMF 10.25.2): the sum has the accuracy of its terms, which gain a rounding or two each. They rise up to
//! k ≈ x/2 and are below one rounding of the sum at k ≈ 2x + 20.

use hamiltone_numerics::math::square;

/// I_n(x) for x from 0 to about 700, above which it overflows.
pub(crate) fn modified(n: usize, x: f64) -> f64 {
    let half = 0.5 * x;
    let first = (1..=n).fold(1.0, |product, k| product * (half / k as f64));
    let (mut term, mut sum, mut k) = (1.0, 1.0, 0.0);
    while term > 0.25 * f64::EPSILON * sum {
        k += 1.0;
        term *= square(half) / (k * (n as f64 + k));
        sum += term;
    }
    first * sum
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Abramowitz & Stegun 1964, tables 9.8 and 9.11: e⁻ˣI_n(x) to all digits that are printed here.
    #[test]
    fn values_are_as_published() {
        for (n, x, printed) in [
            (0, 1.0_f64, 0.465_759_607_6),
            (1, 1.0, 0.207_910_415_3),
            (0, 5.0, 0.183_540_812_6),
            (1, 5.0, 0.163_972_266_9),
            (0, 10.0, 0.127_833_337_2),
            (1, 10.0, 0.121_262_681_4),
        ] {
            let own = modified(n, x) * (-x).exp();
            assert!((own - printed).abs() < 1e-10, "{n} {x}: {own}");
        }
    }

    /// I_(n−1) − I_(n+1) = (2n/x) I_n, and Σ of all of them, each twice but the first, is eˣ.
    #[test]
    fn values_follow_their_recurrence_and_sum() {
        for x in [1e-3, 0.3, 4.0, 30.0, 150.0] {
            let all: Vec<f64> = (0..400).map(|n| modified(n, x)).collect();
            for n in 1..100 {
                let apart = all[n - 1] - all[n + 1] - 2.0 * n as f64 / x * all[n];
                // Some hundred terms and factors at most, a rounding or two each.
                assert!(apart.abs() <= 1e-13 * all[n - 1] + f64::MIN_POSITIVE, "{n} {x}: {apart:e}");
            }
            let sum = 2.0 * all.iter().sum::<f64>() - all[0];
            assert!((sum / x.exp() - 1.0).abs() < 1e-13, "{x}: {sum}");
        }
    }
}

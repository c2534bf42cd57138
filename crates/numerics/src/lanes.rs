//! Long sums in a fixed order that lets processors add many terms at once.
//!
//!   Σ fᵢ = ((l₀ + l₄) + (l₂ + l₆)) + ((l₁ + l₅) + (l₃ + l₇)),   l_k = Σ f_{8j+k}
//!
//! Eight running sums, whatever the width of the processor: the same bits on every machine, and one eighth of the
//! wait of a sum in a row.

use crate::double::Double;

const LANES: usize = 8;

/// The most terms that are added in a row: a sum of many equal terms is rounded the same way for long, by up to eps for
/// each term of a lane. Longer sums are sums of such sums, to twice the digits.
const BLOCK: usize = 256;

/// Σ f(i) for i = 0 … n − 1.
#[inline(always)]
pub fn sum(n: usize, f: impl Fn(usize) -> f64) -> f64 {
    if n > BLOCK {
        return sum_of_sums(n, f);
    }
    sum_block(n, f)
}

/// Not inlined: short sums, which are most, would be slowed down by registers that long ones need.
#[inline(never)]
fn sum_of_sums(n: usize, f: impl Fn(usize) -> f64) -> f64 {
    let mut total = Double::default();
    for first in (0..n).step_by(BLOCK) {
        total += Double::from(sum_block(BLOCK.min(n - first), |i| f(first + i)));
    }
    total.rounded()
}

#[inline(always)]
fn sum_block(n: usize, f: impl Fn(usize) -> f64) -> f64 {
    if n < LANES {
        return (0..n).map(f).sum();
    }
    let mut lanes = [0.0; LANES];
    let whole = n / LANES * LANES;
    for i in (0..whole).step_by(LANES) {
        (0..LANES).for_each(|k| lanes[k] += f(i + k));
    }
    (whole..n).for_each(|i| lanes[i - whole] += f(i));
    fold(lanes)
}

fn fold(l: [f64; LANES]) -> f64 {
    ((l[0] + l[4]) + (l[2] + l[6])) + ((l[1] + l[5]) + (l[3] + l[7]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_term_counts_once() {
        for n in [0_usize, 1, 7, 8, 9, 30, BLOCK, BLOCK + 1, 3 * BLOCK, 3 * BLOCK + 17] {
            let x: Vec<f64> = (0..n).map(|i| i as f64).collect();
            let exact = (n * n.saturating_sub(1) / 2) as f64;
            assert_eq!(sum(n, |i| x[i]), exact);
        }
    }

    /// A third, so many times: added up in a row, the rounding is that of the sum so far and always of one sign.
    #[test]
    fn many_equal_terms_are_not_rounded_one_way() {
        let n = 3 << 17;
        let exact = f64::from(1 << 17);
        let in_a_row: f64 = (0..n).map(|_| 1.0 / 3.0).sum();
        assert!((in_a_row / exact - 1.0).abs() > 1e4 * f64::EPSILON);
        assert!((sum(n, |_| 1.0 / 3.0) / exact - 1.0).abs() < 64.0 * f64::EPSILON);
    }
}

//! Long sums in a fixed order that lets processors add many terms at once.
//!
//!   Σ fᵢ = ((l₀ + l₄) + (l₂ + l₆)) + ((l₁ + l₅) + (l₃ + l₇)),   l_k = Σ f_{8j+k}
//!
//! Eight running sums, whatever the width of the processor: the same bits on every machine, and one eighth of the
//! wait of a sum in a row.

use crate::double::Double;

/// How many sums run side by side.
pub(crate) const LANES: usize = 8;

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

#[inline(always)]
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
    // Loops, since a closure in an iterator may be left out of the instruction set of the caller.
    let mut i = 0;
    while i < whole {
        for (k, lane) in lanes.iter_mut().enumerate() {
            *lane += f(i + k);
        }
        i += LANES;
    }
    // Terms behind the last eight go to the first lanes, in all sums of this module.
    for i in whole..n {
        lanes[i - whole] += f(i);
    }
    fold(lanes)
}

/// Σ f(xᵢ, yᵢ, …) over arrays of one length, in the order of [`sum`]: without an index that is checked, so that lanes may work.
///
/// # Panics
/// Where an array is shorter than the first.
#[inline(always)]
pub fn sum_of<const N: usize>(x: [&[f64]; N], f: impl Fn([f64; N]) -> f64) -> f64 {
    let n = x[0].len();
    // Short sums are taken in a row, as by `sum`.
    if n < LANES {
        return (0..n).map(|i| f(std::array::from_fn(|j| x[j][i]))).sum();
    }
    let mut total = Double::default();
    for first in (0..n).step_by(BLOCK) {
        let count = BLOCK.min(n - first);
        let eights: [&[[f64; LANES]]; N] =
            std::array::from_fn(|j| &x[j][first..first + count].as_chunks().0[..count / LANES]);
        let mut lanes = [0.0; LANES];
        #[expect(clippy::needless_range_loop, reason = "all arrays are read at i")]
        for i in 0..count / LANES {
            for (k, lane) in lanes.iter_mut().enumerate() {
                *lane += f(std::array::from_fn(|j| eights[j][i][k]));
            }
        }
        for i in count / LANES * LANES..count {
            lanes[i % LANES] += f(std::array::from_fn(|j| x[j][first + i]));
        }
        // A single block has nothing to be compensated.
        if n <= BLOCK {
            return fold(lanes);
        }
        total += Double::from(fold(lanes));
    }
    total.rounded()
}

/// Several sums Σ f(i)_j for i = 0 … n − 1 at once, each in the order of [`sum`]. `f` is called in the order of i, once each:
/// it may move what it reads.
#[inline(always)]
pub fn sums<const N: usize>(n: usize, mut f: impl FnMut(usize) -> [f64; N]) -> [f64; N] {
    let mut lanes = [[0.0; N]; LANES];
    if n < LANES {
        for i in 0..n {
            add(&mut lanes[0], f(i));
        }
        return lanes[0];
    }
    let mut total = [Double::default(); N];
    for first in (0..n).step_by(BLOCK) {
        let count = BLOCK.min(n - first);
        lanes = [[0.0; N]; LANES];
        for i in (0..count / LANES * LANES).step_by(LANES) {
            for (k, lane) in lanes.iter_mut().enumerate() {
                add(lane, f(first + i + k));
            }
        }
        for i in count / LANES * LANES..count {
            add(&mut lanes[i % LANES], f(first + i));
        }
        for (j, total) in total.iter_mut().enumerate() {
            *total += Double::from(fold(lanes.map(|lane| lane[j])));
        }
    }
    total.map(Double::rounded)
}

#[inline(always)]
fn add<const N: usize>(sums: &mut [f64; N], terms: [f64; N]) {
    for (sum, term) in sums.iter_mut().zip(terms) {
        *sum += term;
    }
}

/// The sum of eight lanes, in the order of all sums.
#[inline(always)]
pub fn fold(l: [f64; LANES]) -> f64 {
    ((l[0] + l[4]) + (l[2] + l[6])) + ((l[1] + l[5]) + (l[3] + l[7]))
}

/// Whether two slices have the same length and the same bits. All numbers are compared, so that lanes may work.
pub fn same_bits(a: &[f64], b: &[f64]) -> bool {
    a.len() == b.len() && a.iter().zip(b).fold(0, |differ, (a, b)| differ | (a.to_bits() ^ b.to_bits())) == 0
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
            let y: Vec<f64> = x.iter().map(|x| 1.0 / (1.0 + x)).collect();
            let both = sum(n, |i| x[i] * y[i] + y[i]);
            assert_eq!(sum_of([&x, &y], |[x, y]| x * y + y), both);
            assert_eq!(sums(n, |i| [y[i], x[i] * y[i] + y[i]]), [sum(n, |i| y[i]), both]);
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

//! Operations on sets of vectors, each a column.

use crate::lanes::{self, LANES};

/// A pass of Gram–Schmidt that took away less than this leaves nothing to a second.
const CLEAN: f64 = 1e-8;

/// Y ← Y V, V row-major.
pub fn combine(vectors: &mut [Vec<f64>], rotation: &[f64]) {
    let (count, size) = (vectors.len(), vectors.first().map_or(0, Vec::len));
    let mut old = vec![[0.0; LANES]; count];
    // Eight rows of all vectors at a time: only these need a copy.
    for first in (0..size).step_by(LANES) {
        let lanes = LANES.min(size - first);
        old.iter_mut().zip(&*vectors).for_each(|(old, y)| old[..lanes].copy_from_slice(&y[first..][..lanes]));
        for (k, y) in vectors.iter_mut().enumerate() {
            // −0 is the neutral element of addition, which keeps the sign of a sum of −0.
            let mut sums = [-0.0; LANES];
            for (j, old) in old.iter().enumerate() {
                let factor = rotation[j * count + k];
                sums.iter_mut().zip(old).for_each(|(sum, old)| *sum += old * factor);
            }
            y[first..][..lanes].copy_from_slice(&sums[..lanes]);
        }
    }
}

/// Gram–Schmidt, twice where it changes a vector; the largest part that a vector had of those before it, 0 to 1.
/// `None` where a vector is 0 or not finite.
pub(super) fn orthogonalise(vectors: &mut [Vec<f64>]) -> Option<f64> {
    let mut largest = 0.0_f64;
    for k in 0..vectors.len() {
        let (done, rest) = vectors.split_at_mut(k);
        let y = &mut rest[0];
        for pass in 0..2 {
            normalise(y)?;
            let mut taken = 0.0_f64;
            for other in &*done {
                let part = dot(y, other);
                y.iter_mut().zip(other).for_each(|(y, other)| *y -= part * other);
                taken = taken.max(part.abs());
            }
            if pass == 0 {
                largest = largest.max(taken);
            }
            if taken <= CLEAN {
                break;
            }
        }
        normalise(y)?;
    }
    Some(largest)
}

/// A unit vector; `None` where it is 0 or not finite.
fn normalise(y: &mut [f64]) -> Option<()> {
    let norm = dot(y, y).sqrt();
    y.iter_mut().for_each(|y| *y /= norm);
    (norm > 0.0 && norm.is_finite()).then_some(())
}

/// a·b.
pub(super) fn dot(a: &[f64], b: &[f64]) -> f64 {
    lanes::sum_of([a, b], |[a, b]| a * b)
}

/// The first entry of at least half the largest magnitude becomes positive.
pub(super) fn fix_sign(y: &mut [f64]) {
    let largest = y.iter().fold(0.0_f64, |largest, y| largest.max(y.abs()));
    // Not the largest entry itself: among equal magnitudes rounding would decide.
    if y.iter().find(|y| y.abs() >= 0.5 * largest).is_some_and(|y| *y < 0.0) {
        y.iter_mut().for_each(|y| *y = -*y);
    }
}

/// Numbers in [−1, 1) that have no pattern: the split-mix generator.
pub(super) fn noise(n: usize, seed: usize) -> Vec<f64> {
    let mut state = seed as u64;
    let mut next = || {
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = (state ^ (state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        // 53 random bits over 2⁵² lie in [0, 2).
        ((z ^ (z >> 31)) >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
    };
    (0..n).map(|_| next()).collect()
}

//! Modes that have died away are put to rest.

use super::eights::{LANES, eights_mut};
use fearless_simd::{Level, Simd, dispatch, f64x8, prelude::*};

/// Below this amplitude, √J, a mode is at rest: its square and soon the mode itself would be subnormal numbers, with which
/// processors are a hundred times as slow, and which never decay.
const NEGLIGIBLE: f64 = 1e-140;

/// Puts those modes to rest of which both numbers of the state are negligible, with their rounding remainder.
pub(crate) fn settle(level: Level, state: [&mut [f64]; 2], rest: &mut [f64]) {
    dispatch!(level, simd => by_eights(simd, state, rest));
}

#[inline(always)]
fn by_eights<S: Simd>(simd: S, [x, y]: [&mut [f64]; 2], rest: &mut [f64]) {
    simd.vectorize(
        #[inline(always)]
        || {
            let limit = f64x8::splat(simd, NEGLIGIBLE);
            let below = |x: &[f64; LANES]| f64x8::from_slice(simd, x).abs().simd_lt(limit);
            for (k, (x, y)) in eights_mut(x).zip(eights_mut(y)).enumerate() {
                // Nearly all eights pass here: the loop over single modes may be slow.
                if !(below(x) & below(y)).any_true() {
                    continue;
                }
                for j in 0..LANES {
                    if x[j].abs() < NEGLIGIBLE && y[j].abs() < NEGLIGIBLE {
                        (x[j], y[j]) = (0.0, 0.0);
                        rest[k * LANES + j] = 0.0;
                    }
                }
            }
        },
    );
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::instructions;

    /// Only where both numbers are negligible, and in every lane.
    #[test]
    fn modes_rest_that_have_died_away() {
        let n = 3 * LANES;
        for silent in 0..n {
            let (mut x, mut y, mut rest) = (vec![1e-150; n], vec![1e-100; n], vec![1e-170; n]);
            (x[(silent + 1) % n], y[(silent + 1) % n]) = (1.0, 1e-150);
            y[silent] = -1e-141;
            let (mut quiet, mut still, mut none) = (x.clone(), y.clone(), rest.clone());
            (quiet[silent], still[silent], none[silent]) = (0.0, 0.0, 0.0);
            settle(instructions::level(), [&mut x, &mut y], &mut rest);
            assert_eq!((x, y, rest), (quiet, still, none), "{silent}");
        }
    }
}

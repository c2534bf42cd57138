//! One row of M⁻¹K and M⁻¹R that serves many coordinates, eight of them at a time.
//!
//!   vᵢ⁺ = vᵢ − h(k₀qᵢ + Σ_d k_d((q_{i−d} − qᵢ) + (q_{i+d} − qᵢ)) + r₀vᵢ + Σ_d r_d((v_{i−d} − vᵢ) + (v_{i+d} − vᵢ))),   d ≥ 1
//!
//! k₀ and r₀ are the sums of the rows, 0 where nothing holds them. Of the differences each appears in two rows with opposite
//! signs and the same bits, so that a body that is free keeps its momentum, and a displacement of all of it makes no force.
//!
//! What is added up are products and sums in this order, none of them fused, in eight lanes: the same bits on every
//! processor.

use fearless_simd::{Simd, f64x8, prelude::*};
use std::ops::Range;

/// How many coordinates are worked on at a time; a run of fewer is none.
pub(crate) const LANES: usize = 8;
/// Stencils reach so far at most.
pub(crate) const REACH: usize = 3;

/// The sums of the rows, and the weights of distance 1, 2, 3 of K and R.
pub(crate) type Weights<'a> = (&'a [f64; REACH + 1], &'a [f64; REACH + 1]);

/// The kick of `rows`, at least eight, by a stencil whose K and R reach as far as the first and second name; returns
/// Σ (R̃v)ᵢ(vᵢ + vᵢ⁺).
#[inline(always)]
pub(crate) fn kick<S: Simd>(
    simd: S,
    reach: (usize, usize),
    h: f64,
    weights: Weights<'_>,
    (q, v): (&[f64], &[f64]),
    next: &mut [f64],
    rows: Range<usize>,
) -> f64 {
    // Rows that reach so far on either side exist: no wider stencil may be chosen than the wider of both.
    match (reach.0.max(reach.1), reach.1) {
        (0, _) => Stencil::<S, 0, 0>::new(simd, h, weights).kick((q, v), next, rows),
        (1, 0) => Stencil::<S, 1, 0>::new(simd, h, weights).kick((q, v), next, rows),
        (1, _) => Stencil::<S, 1, 1>::new(simd, h, weights).kick((q, v), next, rows),
        (2, 0) => Stencil::<S, 2, 0>::new(simd, h, weights).kick((q, v), next, rows),
        (2, 1) => Stencil::<S, 2, 1>::new(simd, h, weights).kick((q, v), next, rows),
        (2, _) => Stencil::<S, 2, 2>::new(simd, h, weights).kick((q, v), next, rows),
        _ => Stencil::<S, REACH, REACH>::new(simd, h, weights).kick((q, v), next, rows),
    }
}

/// The weights, each in eight lanes; K reaches as far as K, R as far as R.
struct Stencil<S: Simd, const K: usize, const R: usize> {
    simd: S,
    spring: [f64x8<S>; REACH + 1],
    damper: [f64x8<S>; REACH + 1],
    h: f64x8<S>,
}

impl<S: Simd, const K: usize, const R: usize> Stencil<S, K, R> {
    #[inline(always)]
    fn new(simd: S, h: f64, (k, r): Weights<'_>) -> Self {
        let zero = [f64x8::splat(simd, 0.0); REACH + 1];
        let mut stencil = Self { simd, spring: zero, damper: zero, h: f64x8::splat(simd, h) };
        for d in 0..=REACH {
            stencil.spring[d] = f64x8::splat(simd, k[d]);
            stencil.damper[d] = f64x8::splat(simd, r[d]);
        }
        stencil
    }

    #[inline(always)]
    fn kick(&self, (q, v): (&[f64], &[f64]), next: &mut [f64], rows: Range<usize>) -> f64 {
        let (mut sums, mut i) = (f64x8::splat(self.simd, 0.0), rows.start);
        let (eights, rest) = next[rows.clone()].as_chunks_mut::<LANES>();
        for next in eights {
            let (after, dissipated) = self.eight(i, q, v);
            sums += dissipated;
            after.store_array(next);
            i += LANES;
        }
        let mut lanes: [f64; LANES] = sums.into();
        if !rest.is_empty() {
            // The last eight rows once more: of them the rest is new.
            let (after, dissipated) = self.eight(rows.end - LANES, q, v);
            let (after, dissipated): ([f64; LANES], [f64; LANES]) = (after.into(), dissipated.into());
            let old = LANES - rest.len();
            rest.copy_from_slice(&after[old..]);
            for (lane, dissipated) in lanes.iter_mut().zip(&dissipated[old..]) {
                *lane += dissipated;
            }
        }
        ((lanes[0] + lanes[4]) + (lanes[2] + lanes[6])) + ((lanes[1] + lanes[5]) + (lanes[3] + lanes[7]))
    }

    /// vᵢ⁺ and (R̃v)ᵢ(vᵢ + vᵢ⁺) of eight rows from i on.
    #[inline(always)]
    fn eight(&self, i: usize, q: &[f64], v: &[f64]) -> (f64x8<S>, f64x8<S>) {
        let (q, v) = (&q[i - K..i + LANES + K], &v[i - R..i + LANES + R]);
        let middle = self.load(q, K);
        let mut pull = self.spring[0] * middle;
        for d in 1..=K {
            pull += self.spring[d] * ((self.load(q, K - d) - middle) + (self.load(q, K + d) - middle));
        }
        let before = self.load(v, R);
        let mut loss = self.damper[0] * before;
        for d in 1..=R {
            loss += self.damper[d] * ((self.load(v, R - d) - before) + (self.load(v, R + d) - before));
        }
        let after = before - self.h * (pull + loss);
        (after, loss * (before + after))
    }

    #[inline(always)]
    fn load(&self, x: &[f64], first: usize) -> f64x8<S> {
        f64x8::from_slice(self.simd, &x[first..first + LANES])
    }
}

//! One row of M⁻¹K or M⁻¹R that serves many coordinates, eight of them at a time.
//!
//!   (K̃x)ᵢ = k₀xᵢ + Σ_d k_d((x_{i−d} − xᵢ) + (x_{i+d} − xᵢ)),   d ≥ 1
//!
//! with weights that are multiplied by the time h once for all coordinates. Three loops are made of it:
//!
//!   push    vᵢ ← vᵢ − h(K̃q)ᵢ                in place
//!   kick    vᵢ⁺ = vᵢ − (h(K̃q)ᵢ + h(R̃v)ᵢ)    sums up what R takes, h(R̃v)ᵢ(vᵢ + vᵢ⁺)
//!   decay   vᵢ⁺ = vᵢ − (K̃v)ᵢ                sums up (vᵢ − vᵢ⁺)(vᵢ + vᵢ⁺)
//!
//! k₀ is the sum of the row, 0 where nothing holds it. Of the differences each appears in two rows with opposite
//! signs and the same bits, so that a body that is free keeps its momentum, and a displacement of all of it makes no force.
//!
//! What is added up are products and sums in this order, none of them fused, in eight lanes: the same bits on every
//! processor.

use fearless_simd::{Simd, f64x8, prelude::*};
use hamiltone_numerics::lanes::fold;
use std::ops::Range;

/// How many coordinates are worked on at a time; a run of fewer is none.
pub(crate) const LANES: usize = 8;
/// Stencils reach so far at most.
pub(crate) const REACH: usize = 3;

/// The sum of a row, and its weights of distance 1, 2, 3.
pub(crate) type Weights = [f64; REACH + 1];

/// v −= h K̃q in `rows`, at least eight; K reaches so far.
#[inline(always)]
pub(crate) fn push<S: Simd>(
    simd: S,
    h: f64,
    (weights, reach): (&Weights, usize),
    q: &[f64],
    v: &mut [f64],
    rows: Range<usize>,
) {
    // Inside a string or a bar that nothing holds there the sum is 0.
    match (reach, weights[0] == 0.0) {
        (0, _) => Row::<S, 0, true>::new(simd, h, weights).push(q, v, rows),
        (1, true) => Row::<S, 1, false>::new(simd, h, weights).push(q, v, rows),
        (1, false) => Row::<S, 1, true>::new(simd, h, weights).push(q, v, rows),
        (2, true) => Row::<S, 2, false>::new(simd, h, weights).push(q, v, rows),
        (2, false) => Row::<S, 2, true>::new(simd, h, weights).push(q, v, rows),
        _ => Row::<S, REACH, true>::new(simd, h, weights).push(q, v, rows),
    }
}

/// The kick of `rows`, at least eight, by springs and dampers; returns h Σ (R̃v)ᵢ(vᵢ + vᵢ⁺).
#[inline(always)]
pub(crate) fn kick<S: Simd>(
    simd: S,
    h: f64,
    ((k, k_reach), (r, r_reach)): ((&Weights, usize), (&Weights, usize)),
    (q, v): (&[f64], &[f64]),
    next: &mut [f64],
    rows: Range<usize>,
) -> f64 {
    // Rows that reach so far on either side exist: no wider row may be chosen than the wider of both.
    match (k_reach.max(r_reach), r_reach) {
        (0, _) => {
            let damper = Row::<S, 0, true>::new(simd, h, r);
            Row::<S, 0, true>::new(simd, h, k).kick(&damper, (q, v), next, rows)
        }
        (1, _) => {
            let damper = Row::<S, 1, true>::new(simd, h, r);
            Row::<S, 1, true>::new(simd, h, k).kick(&damper, (q, v), next, rows)
        }
        (2, 0 | 1) => {
            let damper = Row::<S, 1, true>::new(simd, h, r);
            Row::<S, 2, true>::new(simd, h, k).kick(&damper, (q, v), next, rows)
        }
        (2, _) => {
            let damper = Row::<S, 2, true>::new(simd, h, r);
            Row::<S, 2, true>::new(simd, h, k).kick(&damper, (q, v), next, rows)
        }
        _ => {
            let damper = Row::<S, REACH, true>::new(simd, h, r);
            Row::<S, REACH, true>::new(simd, h, k).kick(&damper, (q, v), next, rows)
        }
    }
}

/// v⁺ = v − K̃v in `rows`, at least eight; returns Σ (vᵢ − vᵢ⁺)(vᵢ + vᵢ⁺).
#[inline(always)]
pub(crate) fn decay<S: Simd>(
    simd: S,
    (weights, reach): (&Weights, usize),
    v: &[f64],
    next: &mut [f64],
    rows: Range<usize>,
) -> f64 {
    match reach {
        0 => Row::<S, 0, true>::new(simd, 1.0, weights).decay(v, next, rows),
        1 => Row::<S, 1, true>::new(simd, 1.0, weights).decay(v, next, rows),
        2 => Row::<S, 2, true>::new(simd, 1.0, weights).decay(v, next, rows),
        _ => Row::<S, REACH, true>::new(simd, 1.0, weights).decay(v, next, rows),
    }
}

/// The weights times h, each in eight lanes: it reaches as far as D, and its sum is not 0 where it is HELD.
struct Row<S: Simd, const D: usize, const HELD: bool> {
    simd: S,
    weights: [f64x8<S>; REACH + 1],
}

impl<S: Simd, const D: usize, const HELD: bool> Row<S, D, HELD> {
    #[inline(always)]
    fn new(simd: S, h: f64, given: &Weights) -> Self {
        let mut weights = [f64x8::splat(simd, 0.0); REACH + 1];
        for d in 0..=REACH {
            weights[d] = f64x8::splat(simd, h * given[d]);
        }
        Self { simd, weights }
    }

    /// h(K̃x)ᵢ of eight coordinates from i on.
    #[inline(always)]
    fn eight(&self, x: &[f64], i: usize) -> f64x8<S> {
        let x = &x[i - D..i + LANES + D];
        let middle = self.load(x, D);
        if D == 0 {
            return self.weights[0] * middle;
        }
        let mut sum = self.pair(x, middle, 1);
        for d in 2..=D {
            sum += self.pair(x, middle, d);
        }
        // A sum of 0 is left out, as 0·x would cost a product.
        if HELD { sum + self.weights[0] * middle } else { sum }
    }

    #[inline(always)]
    fn pair(&self, x: &[f64], middle: f64x8<S>, d: usize) -> f64x8<S> {
        self.weights[d] * ((self.load(x, D - d) - middle) + (self.load(x, D + d) - middle))
    }

    #[inline(always)]
    fn load(&self, x: &[f64], first: usize) -> f64x8<S> {
        f64x8::from_slice(self.simd, &x[first..first + LANES])
    }

    #[inline(always)]
    fn push(&self, q: &[f64], v: &mut [f64], rows: Range<usize>) {
        let mut i = rows.start;
        for v in v[rows.clone()].as_chunks_mut::<LANES>().0 {
            (self.load(v, 0) - self.eight(q, i)).store_array(v);
            i += LANES;
        }
        if i < rows.end {
            // Lanes that were already done get the weight 0: in place they must not be kicked twice.
            let last = rows.end - LANES;
            let after = self.load(v, last) - self.eight(q, last) * new(self.simd, rows.end - i);
            after.store_slice(&mut v[last..rows.end]);
        }
    }

    #[inline(always)]
    fn kick<const R: usize>(
        &self,
        damper: &Row<S, R, true>,
        (q, v): (&[f64], &[f64]),
        next: &mut [f64],
        rows: Range<usize>,
    ) -> f64 {
        each_eight(
            self.simd,
            next,
            rows,
            #[inline(always)]
            |i| {
                let (before, loss) = (self.load(v, i), damper.eight(v, i));
                let after = before - (self.eight(q, i) + loss);
                (after, loss * (before + after))
            },
        )
    }

    #[inline(always)]
    fn decay(&self, v: &[f64], next: &mut [f64], rows: Range<usize>) -> f64 {
        each_eight(
            self.simd,
            next,
            rows,
            #[inline(always)]
            |i| {
                let before = self.load(v, i);
                let after = before - self.eight(v, i);
                (after, (before - after) * (before + after))
            },
        )
    }
}

/// 1 in so many of the last lanes, 0 in the others: where the rows are no whole number of eights, the last eight are taken
/// once more, and of them so many are new.
#[inline(always)]
fn new<S: Simd>(simd: S, count: usize) -> f64x8<S> {
    const STEP: [f64; 2 * LANES] =
        [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0];
    f64x8::from_slice(simd, &STEP[count..count + LANES])
}

/// Writes the first that `of` makes of eight rows from i on, and sums up the second.
#[inline(always)]
fn each_eight<S: Simd>(
    simd: S,
    next: &mut [f64],
    rows: Range<usize>,
    of: impl Fn(usize) -> (f64x8<S>, f64x8<S>),
) -> f64 {
    let (mut sums, mut i) = (f64x8::splat(simd, 0.0), rows.start);
    for next in next[rows.clone()].as_chunks_mut::<LANES>().0 {
        let (after, dissipated) = of(i);
        sums += dissipated;
        after.store_array(next);
        i += LANES;
    }
    if i < rows.end {
        let (after, dissipated) = of(rows.end - LANES);
        // The last eight overlap those before, and only new lanes are added up.
        sums += dissipated * new(simd, rows.end - i);
        after.store_slice(&mut next[rows.end - LANES..rows.end]);
    }
    fold(sums.into())
}

//! Many modes at once: the free step of all, with its energy balance, eight coordinates at a time.
//!
//!   Q ← Q + D,   D⁺ = D − (gQ + hD) + F,   z = Q + D/2
//!   stored = ½Σ((1 − h/2)D⁺² + gQ(Q + D⁺)),     dissipated = ¼Σ h(D + D⁺)²
//!
//! Where forces act, Q is summed with what rounding leaves out of it: a mode that follows a slow force moves by a small
//! part of Q in each step, and rounds the same way for many of them, while F acts on every one of these ways.
//!
//! Q = q√(mW)/Δt, so that squares are energies (√J) and two constants a coordinate do. Sums run in eight lanes and
//! nothing is fused: the same bits on every processor.

use crate::{
    instructions,
    modal::{
        eights::{LANES, eights, eights_mut, zeros},
        rest,
    },
};
use fearless_simd::{Level, Simd, dispatch, f64x8, prelude::*};
use hamiltone_numerics::{
    aligned::Aligned,
    lanes::{self, fold},
};
use std::sync::Arc;

/// The modes' constants and state; beyond the last coordinate zeros, up to a multiple of eight.
#[derive(Clone, Debug)]
pub(super) struct MoreauBank {
    level: Level,
    /// g.
    pub spring: Arc<Aligned>,
    /// h, and 1 − h/2.
    pub damper: Arc<Aligned>,
    pub inertia: Arc<Aligned>,
    /// Whether there are force laws, so that Q is always summed with what rounding leaves out of it.
    compensated: bool,
    /// Whether the last step kept that.
    kept: bool,
    /// Q at n.
    pub place: Aligned,
    /// Rounding remainder of Q where forces act.
    pub rest: Aligned,
    /// Q at n less that at n − 1.
    pub before: Aligned,
    /// Q at n + 1 less that at n.
    pub after: Aligned,
    /// z as [`MoreauBank::meet`] found it: halfway between n and n + 1 if the last increment were the next.
    pub halfway: Aligned,
    /// F, what drives add to the increment.
    pub push: Aligned,
}

/// A slow mode: its increment is summed with what rounding leaves out of it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Slow {
    pub mode: usize,
    pub rest: f64,
    /// Its increment without the forces of elements.
    pub free: f64,
}

impl Slow {
    pub fn of(mode: usize) -> Self {
        Self { mode, rest: 0.0, free: 0.0 }
    }
}

impl MoreauBank {
    /// A bank at rest of modes with these (g, h); `compensated` where there are force laws.
    pub fn new(modes: &[(f64, f64)], compensated: bool) -> Self {
        let zero = || zeros(modes.len());
        let (mut spring, mut damper, mut inertia) = (zero(), zero(), zero());
        for (i, (g, h)) in modes.iter().enumerate() {
            (spring[i], damper[i], inertia[i]) = (*g, *h, 1.0 - 0.5 * h);
        }
        Self {
            level: instructions::level(),
            spring: spring.into(),
            damper: damper.into(),
            inertia: inertia.into(),
            compensated,
            kept: true,
            place: zero(),
            rest: zero(),
            before: zero(),
            after: zero(),
            halfway: zero(),
            push: zero(),
        }
    }

    /// z of the step that comes.
    pub fn meet(&mut self) {
        dispatch!(self.level, simd => self.half(simd));
    }

    /// The free step, `pushed` or not, and what it dissipates, J; elements act on it where `acted`.
    pub fn step(&mut self, pushed: bool, acted: bool) -> f64 {
        std::mem::swap(&mut self.before, &mut self.after);
        let forced = pushed || acted || self.compensated;
        // The remainder is that of the sum before: a step without forces is summed without it, and the next one must not add it.
        if self.kept && !forced {
            self.rest.fill(0.0);
        }
        self.kept = forced;
        // As constants of the loop: a decision in it would be made for every eight modes.
        match (pushed, forced) {
            (true, _) => dispatch!(self.level, simd => self.free::<_, true, true>(simd)),
            (false, true) => dispatch!(self.level, simd => self.free::<_, false, true>(simd)),
            (false, false) => dispatch!(self.level, simd => self.free::<_, false, false>(simd)),
        }
    }

    /// Remainders were written from outside.
    pub fn keep(&mut self) {
        self.kept = true;
    }

    /// Puts modes to rest that have died away.
    pub fn settle(&mut self) {
        rest::settle(self.level, [&mut self.place[..], &mut self.after], &mut self.rest);
    }

    /// What is stored after the step as it now is, J.
    pub fn stored(&self) -> f64 {
        let all = [&self.spring[..], &self.inertia, &self.place, &self.after];
        0.5 * dispatch!(self.level, simd => simd.vectorize(
            #[inline(always)]
            || lanes::sum_of(all, |[g, inertia, q, d]| inertia * (d * d) + (g * q) * (q + d))
        ))
    }

    /// What the step as it now is dissipates, J.
    pub fn dissipated(&self) -> f64 {
        let all = [&self.damper[..], &self.before, &self.after];
        0.25 * dispatch!(self.level, simd => simd.vectorize(
            #[inline(always)]
            || lanes::sum_of(all, |[h, before, after]| h * ((before + after) * (before + after)))
        ))
    }

    #[inline(always)]
    fn half<S: Simd>(&mut self, simd: S) {
        simd.vectorize(
            #[inline(always)]
            || {
                let half = f64x8::splat(simd, 0.5);
                let states = eights(&self.place).zip(eights(&self.after));
                for (halfway, (q, d)) in eights_mut(&mut self.halfway).zip(states) {
                    let (q, d) = (f64x8::from_slice(simd, q), f64x8::from_slice(simd, d));
                    // Q at n is not in the bank yet: the last increment leads to it.
                    ((q + d) + half * d).store_array(halfway);
                }
            },
        );
    }

    /// With forces (`FORCED`: F, or those that elements add afterwards) Q is compensated.
    #[inline(always)]
    fn free<S: Simd, const PUSHED: bool, const FORCED: bool>(&mut self, simd: S) -> f64 {
        simd.vectorize(
            #[inline(always)]
            || {
                let mut dissipated = f64x8::splat(simd, 0.0);
                let constants = eights(&self.spring).zip(eights(&self.damper));
                let states =
                    eights_mut(&mut self.place).zip(eights_mut(&mut self.rest)).zip(eights(&self.before));
                let next = eights_mut(&mut self.after).zip(eights(&self.push));
                for (((g, h), ((place, rest), before)), (after, push)) in constants.zip(states).zip(next) {
                    let load = |x: &[f64; LANES]| f64x8::from_slice(simd, x);
                    let (g, h, d) = (load(g), load(h), load(before));
                    let at = load(place);
                    let mut q = at + d;
                    if FORCED {
                        let way = d + load(rest);
                        q = at + way;
                        // What the sum lost: q − at is exact where the way is smaller than the place.
                        (way - (q - at)).store_array(rest);
                    }
                    q.store_array(place);
                    let mut next = d - (g * q + h * d);
                    if PUSHED {
                        next += load(push);
                    }
                    next.store_array(after);
                    // While both are loaded: the loss would be a pass over all modes by itself.
                    let sum = d + next;
                    dissipated += h * (sum * sum);
                }
                0.25 * fold(dissipated.into())
            },
        )
    }

    /// What is dissipated more where the next increment of mode i is `after` and no longer what it was, J.
    pub fn replace(&mut self, i: usize, after: f64) -> f64 {
        // a² − b² as (a − b)(a + b): squares of slow modes differ in their last digits.
        let (change, sum) = (after - self.after[i], after + self.after[i]);
        self.after[i] = after;
        0.25 * change * self.damper[i] * (2.0 * self.before[i] + sum)
    }

    /// ½Σ g|Q(Q + D⁺)| over what is stored in all: where modes near ωΔt = π leave a small difference of large
    /// numbers, what its rounding is relative to.
    pub fn cancelled(&self) -> f64 {
        let all = [&self.spring[..], &self.place, &self.after];
        0.5 * dispatch!(self.level, simd => simd.vectorize(
            #[inline(always)]
            || lanes::sum_of(all, |[g, q, d]| g * (q * (q + d)).abs())
        ))
    }

    /// What F supplied in the last step, J.
    pub fn supplied(&self) -> f64 {
        let all = [&self.push[..], &self.before, &self.after];
        0.5 * dispatch!(self.level, simd => simd.vectorize(
            #[inline(always)]
            || lanes::sum_of(all, |[push, before, after]| push * (before + after))
        ))
    }
}

//! The velocities of a bank's modes, exact where nothing acts on them.
//!
//!   v = s(D⁺ + D) + t(D⁺ − D) + uQ      (s, t, u from [`Pole`], scaled)

use super::bank::MoreauBank;
use crate::{
    instructions,
    modal::{
        eights::{LANES, each},
        pole::Pole,
        terminals::ReadWeights,
    },
};
use fearless_simd::{Level, Simd, dispatch, f64x8, prelude::*};
use hamiltone_numerics::{aligned::Aligned, lanes::fold};

/// The weights of a velocity.
#[derive(Clone, Debug)]
pub(super) struct MoreauVelocities {
    level: Level,
    sum: Aligned,
    turn: Aligned,
    hold: Aligned,
}

impl MoreauVelocities {
    /// Of modes whose Q is worth `scale` (m/√J) each.
    pub fn new(poles: &[Pole], scale: &[f64], dt: f64) -> Self {
        let each = |of: &dyn Fn(usize) -> f64| each(poles.len(), of);
        Self {
            level: instructions::level(),
            sum: each(&|i| scale[i] * (poles[i].forward / dt)),
            turn: each(&|i| scale[i] * (poles[i].turn / dt)),
            hold: each(&|i| scale[i] * poles[i].hold),
        }
    }

    /// v of one mode, m/s.
    pub fn of(&self, i: usize, bank: &MoreauBank) -> f64 {
        let (d, next) = (bank.before[i], bank.after[i]);
        (self.sum[i] * (next + d) + self.turn[i] * (next - d)) + self.hold[i] * bank.place[i]
    }

    /// Σ wᵢvᵢ, m/s, of weights w that are padded like the bank.
    pub fn along(&self, weights: &ReadWeights, bank: &MoreauBank) -> f64 {
        dispatch!(self.level, simd => self.total(simd, weights, bank))
    }

    #[inline(always)]
    fn total<S: Simd>(&self, simd: S, weights: &ReadWeights, bank: &MoreauBank) -> f64 {
        let (read, weights) = weights.read();
        simd.vectorize(
            #[inline(always)]
            || {
                let (n, at) = (weights.len(), read.start);
                // Cut to one length, so that bounds are checked once and not in the loop.
                let (sum, turn, hold) = (&self.sum[at..][..n], &self.turn[at..][..n], &self.hold[at..][..n]);
                let (place, before) = (&bank.place[at..][..n], &bank.before[at..][..n]);
                let (after, weights) = (&bank.after[at..][..n], &weights[..n]);
                let mut total = f64x8::splat(simd, 0.0);
                for i in (0..n).step_by(LANES) {
                    let load = |x: &[f64]| f64x8::from_slice(simd, &x[i..i + LANES]);
                    let (d, next, q) = (load(before), load(after), load(place));
                    let v = (load(sum) * (next + d) + load(turn) * (next - d)) + load(hold) * q;
                    total += load(weights) * v;
                }
                fold(total.into())
            },
        )
    }
}

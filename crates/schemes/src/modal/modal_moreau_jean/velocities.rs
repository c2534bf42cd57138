//! The velocities of a bank's modes, exact where nothing acts on them, and their physical energy.
//!
//!   v = s(D⁺ + D) + t(D⁺ − D) + uQ      (s, t, u from [`Pole`], scaled),      Σ ½mv² + ½kq²

use super::bank::Bank;
use crate::{
    instructions,
    modal::{
        eights::{LANES, each},
        pole::Pole,
    },
};
use fearless_simd::{Level, Simd, dispatch, f64x8, prelude::*};
use hamiltone_numerics::{aligned::Aligned, lanes::fold};

/// The weights of a velocity.
#[derive(Clone, Debug)]
pub(super) struct Velocities {
    level: Level,
    sum: Aligned,
    turn: Aligned,
    hold: Aligned,
    /// ½m, and ½k in the unit of Q².
    kinetic: Aligned,
    elastic: Aligned,
}

impl Velocities {
    /// Of modes whose Q is worth `scale` (m/√J) each, with these masses (kg) and stiffnesses (N/m).
    pub fn new(poles: &[Pole], scale: &[f64], dt: f64, (mass, stiffness): (&[f64], &[f64])) -> Self {
        let each = |of: &dyn Fn(usize) -> f64| each(poles.len(), of);
        Self {
            level: instructions::level(),
            sum: each(&|i| scale[i] * (poles[i].forward / dt)),
            turn: each(&|i| scale[i] * (poles[i].turn / dt)),
            hold: each(&|i| scale[i] * poles[i].hold),
            kinetic: each(&|i| 0.5 * mass[i]),
            elastic: each(&|i| 0.5 * stiffness[i] * (scale[i] * scale[i])),
        }
    }

    /// v of one mode, m/s.
    pub fn of(&self, i: usize, bank: &Bank) -> f64 {
        let (d, next) = (bank.before[i], bank.after[i]);
        (self.sum[i] * (next + d) + self.turn[i] * (next - d)) + self.hold[i] * bank.place[i]
    }

    /// Σ ½mᵢvᵢ² + ½kᵢqᵢ², J.
    pub fn energy(&self, bank: &Bank) -> f64 {
        let weights = (&self.kinetic[..], &self.elastic[..]);
        dispatch!(self.level, simd => self.sum(simd, bank, weights, #[inline(always)] |v, q, [m, k]| m * (v * v) + k * (q * q)))
    }

    /// Σ wᵢvᵢ, m/s, of weights that are padded like the bank.
    pub fn along(&self, weights: &[f64], bank: &Bank) -> f64 {
        dispatch!(self.level, simd => self.sum(simd, bank, (weights, weights), #[inline(always)] |v, _, [w, _]| w * v))
    }

    /// Σ f(vᵢ, qᵢ, weightsᵢ), q in the unit of the bank.
    #[inline(always)]
    fn sum<S: Simd>(
        &self,
        simd: S,
        bank: &Bank,
        weights: (&[f64], &[f64]),
        f: impl Fn(f64x8<S>, f64x8<S>, [f64x8<S>; 2]) -> f64x8<S>,
    ) -> f64 {
        simd.vectorize(
            #[inline(always)]
            || {
                let n = self.sum.len();
                let (sum, turn, hold) = (&self.sum[..n], &self.turn[..n], &self.hold[..n]);
                let (place, before, after) = (&bank.place[..n], &bank.before[..n], &bank.after[..n]);
                let (one, other) = (&weights.0[..n], &weights.1[..n]);
                let mut total = f64x8::splat(simd, 0.0);
                for i in (0..n).step_by(LANES) {
                    let load = |x: &[f64]| f64x8::from_slice(simd, &x[i..i + LANES]);
                    let (d, next, q) = (load(before), load(after), load(place));
                    let v = (load(sum) * (next + d) + load(turn) * (next - d)) + load(hold) * q;
                    total += f(v, q, [load(one), load(other)]);
                }
                fold(total.into())
            },
        )
    }
}

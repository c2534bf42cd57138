//! The velocities of a bank's modes, exact where nothing acts on them, and what follows from them.
//!
//!   v = s(D⁺ + D) + t(D⁺ − D) + uQ      (s, t, u from [`Pole`], scaled)
//!   ½Σ(m v² + k q²)

use super::{
    bank::{Bank, LANES, fold, padded},
    pole::Pole,
};
use fearless_simd::{Level, Simd, dispatch, f64x8, prelude::*};
use hamiltone_core::row::Row;

/// The weights of a velocity, and the masses and springs of its energy.
#[derive(Clone, Debug)]
pub(super) struct Speeds {
    level: Level,
    sum: Vec<f64>,
    turn: Vec<f64>,
    hold: Vec<f64>,
    mass: Vec<f64>,
    /// k times the square of what Q is worth: k q² = this times Q².
    spring: Vec<f64>,
}

impl Speeds {
    /// Of modes of these masses (kg) and springs (N/m), whose Q is worth `scale` (m/√J) each.
    pub fn new(poles: &[Pole], masses: &[f64], springs: &[f64], scale: &[f64], dt: f64) -> Self {
        let each = |f: &dyn Fn(usize) -> f64| {
            let mut values: Vec<f64> = (0..poles.len()).map(f).collect();
            values.resize(padded(poles.len()), 0.0);
            values
        };
        Self {
            level: Level::new(),
            sum: each(&|i| scale[i] * (poles[i].forward / dt)),
            turn: each(&|i| scale[i] * (poles[i].turn / dt)),
            hold: each(&|i| scale[i] * poles[i].hold),
            mass: each(&|i| masses[i]),
            spring: each(&|i| springs[i] * scale[i] * scale[i]),
        }
    }

    /// A row's weights as [`Speeds::along`] takes them.
    pub fn weights(&self, row: &Row) -> Vec<f64> {
        let mut weights = vec![0.0; self.sum.len()];
        row.add_scaled(1.0, &mut weights);
        weights
    }

    /// v of one mode, m/s.
    pub fn of(&self, i: usize, bank: &Bank) -> f64 {
        let (d, next) = (bank.before[i], bank.after[i]);
        (self.sum[i] * (next + d) + self.turn[i] * (next - d)) + self.hold[i] * bank.place[i]
    }

    /// Σ wᵢvᵢ, m/s.
    pub fn along(&self, weights: &[f64], bank: &Bank) -> f64 {
        dispatch!(self.level, simd => self.total(simd, bank, [weights, &self.spring], |v, _, [w, _]| w * v))
    }

    /// ½Σ(m v² + k q²), J.
    pub fn energy(&self, bank: &Bank) -> f64 {
        let both = [&self.mass[..], &self.spring];
        0.5 * dispatch!(self.level, simd => self.total(simd, bank, both, |v, q, [m, k]| m * (v * v) + k * (q * q)))
    }

    /// Σ f(v, Q, others).
    #[inline(always)]
    fn total<S: Simd>(
        &self,
        simd: S,
        bank: &Bank,
        others: [&[f64]; 2],
        f: impl Fn(f64x8<S>, f64x8<S>, [f64x8<S>; 2]) -> f64x8<S>,
    ) -> f64 {
        simd.vectorize(
            #[inline(always)]
            || {
                let n = self.sum.len();
                let (sum, turn, hold) = (&self.sum[..n], &self.turn[..n], &self.hold[..n]);
                let (place, before, after) = (&bank.place[..n], &bank.before[..n], &bank.after[..n]);
                let others = others.map(|x| &x[..n]);
                let mut total = f64x8::splat(simd, 0.0);
                for i in (0..n).step_by(LANES) {
                    let load = |x: &[f64]| f64x8::from_slice(simd, &x[i..i + LANES]);
                    let (d, next, q) = (load(before), load(after), load(place));
                    let v = (load(sum) * (next + d) + load(turn) * (next - d)) + load(hold) * q;
                    total += f(v, q, others.map(load));
                }
                fold(total.into())
            },
        )
    }
}

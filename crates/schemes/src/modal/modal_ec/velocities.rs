//! Positions and velocities of many modes, and velocities along rows: Σ cᵢq̇ᵢ, q̇ᵢ = speedᵢ·Yᵢ + placeᵢ·Xᵢ, qᵢ = ρᵢXᵢ
//! ([`super::coordinates`]); their physical energy Σ ½mᵢq̇ᵢ² + ½kᵢqᵢ².

use super::{bank::Bank, coordinates::Coordinates};
use crate::{
    instructions,
    modal::eights::{LANES, each, eights},
};
use fearless_simd::{Level, Simd, dispatch, f64x8, prelude::*};
use hamiltone_core::state::Motion;
use hamiltone_numerics::{aligned::Aligned, lanes::fold};

/// What velocities are made of, shared by all rows of a bank.
#[derive(Clone, Debug)]
pub(super) struct Velocities {
    level: Level,
    modes: Vec<Coordinates>,
    /// The factors of Y and X.
    pub speed: Aligned,
    pub place: Aligned,
    /// ½m and ½kρ².
    kinetic: Aligned,
    elastic: Aligned,
}

impl Velocities {
    /// Of modes with these masses, kg, and stiffnesses k, N/m.
    pub fn new(modes: &[Coordinates], mass: &[f64], stiffness: &[f64]) -> Self {
        let each = |of: &dyn Fn(usize) -> f64| each(modes.len(), of);
        Self {
            level: instructions::level(),
            modes: modes.to_vec(),
            speed: each(&|i| modes[i].read[0]),
            place: each(&|i| modes[i].read[1]),
            kinetic: each(&|i| 0.5 * mass[i]),
            elastic: each(&|i| 0.5 * stiffness[i] * (modes[i].scale * modes[i].scale)),
        }
    }

    /// The modes.
    pub fn modes(&self) -> &[Coordinates] {
        &self.modes
    }

    /// Replaces the constants of a mode.
    pub fn set(&mut self, i: usize, mode: Coordinates) {
        let [speed, place] = mode.read;
        (self.modes[i], self.speed[i], self.place[i]) = (mode, speed, place);
    }

    /// Positions and velocities.
    pub fn save(&self, bank: &Bank, motion: &mut Motion) {
        dispatch!(self.level, simd => simd.vectorize(#[inline(always)] || self.write(bank, motion)));
    }

    #[inline(always)]
    fn write(&self, bank: &Bank, motion: &mut Motion) {
        let states = bank.place.iter().zip(bank.speed.iter());
        let given = motion.q.iter_mut().zip(&mut motion.v);
        for ((mode, (q, v)), (x, y)) in self.modes.iter().zip(given).zip(states) {
            (*q, *v) = mode.motion(*x, *y);
        }
    }

    /// The velocities that are read, where they are not those of [`Velocities::save`].
    pub fn read(&self, bank: &Bank, v: &mut [f64]) {
        for (i, (v, mode)) in v.iter_mut().zip(&self.modes).enumerate() {
            let [speed, place] = mode.read;
            if mode.read != [mode.speed, mode.place] {
                *v = speed * bank.speed[i] + place * bank.place[i];
            }
        }
    }

    /// Σ ½mᵢq̇ᵢ² + ½kᵢqᵢ², J.
    pub fn energy(&self, bank: &Bank) -> f64 {
        let weights = (&self.kinetic[..], &self.elastic[..]);
        dispatch!(self.level, simd => self.sum(simd, bank, weights, #[inline(always)] |v, x, [m, k]| m * (v * v) + k * (x * x)))
    }

    /// Σ cᵢq̇ᵢ, m/s, of weights that are padded like the bank.
    pub fn along(&self, weights: &[f64], bank: &Bank) -> f64 {
        dispatch!(self.level, simd => self.sum(simd, bank, (weights, weights), #[inline(always)] |v, _, [c, _]| c * v))
    }

    /// Σ f(q̇ᵢ, Xᵢ, weightsᵢ).
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
                let mut total = f64x8::splat(simd, 0.0);
                let constants = eights(&self.speed).zip(eights(&self.place));
                let states = eights(&bank.speed).zip(eights(&bank.place));
                let weights = eights(weights.0).zip(eights(weights.1));
                for (((speed, place), (y, x)), (one, other)) in constants.zip(states).zip(weights) {
                    let load = |x: &[f64; LANES]| f64x8::from_slice(simd, x);
                    let x = load(x);
                    let v = load(speed) * load(y) + load(place) * x;
                    total += f(v, x, [load(one), load(other)]);
                }
                fold(total.into())
            },
        )
    }
}

//! Positions and velocities of many modes, and velocities along rows: Σ cᵢq̇ᵢ, q̇ᵢ = speedᵢ·Yᵢ + placeᵢ·Xᵢ, qᵢ = ρᵢXᵢ
//! ([`super::coordinates`]).

use super::{bank::EcBank, coordinates::Coordinates};
use crate::{
    instructions,
    modal::{
        eights::{LANES, each, eights},
        terminals::ReadWeights,
    },
};
use fearless_simd::{Level, Simd, dispatch, f64x8, prelude::*};
use hamiltone_core::{row::Row, state::Motion};
use hamiltone_numerics::{aligned::Aligned, lanes::fold};

/// What velocities are made of, shared by all rows of a bank.
#[derive(Clone, Debug)]
pub(super) struct EcVelocities {
    level: Level,
    modes: Vec<Coordinates>,
    /// The factors of Y and X.
    pub speed: Aligned,
    pub place: Aligned,
}

impl EcVelocities {
    /// Of these modes.
    pub fn new(modes: &[Coordinates]) -> Self {
        let each = |of: &dyn Fn(usize) -> f64| each(modes.len(), of);
        Self {
            level: instructions::level(),
            modes: modes.to_vec(),
            speed: each(&|i| modes[i].read[0]),
            place: each(&|i| modes[i].read[1]),
        }
    }

    /// The modes.
    pub fn modes(&self) -> &[Coordinates] {
        &self.modes
    }

    /// c·q of the positions X.
    pub fn place(&self, row: &Row, place: &[f64]) -> f64 {
        row.sum(|i, w| w * (self.modes[i].scale * place[i]))
    }

    /// Replaces the constants of a mode.
    pub fn set(&mut self, i: usize, mode: Coordinates) {
        let [speed, place] = mode.read;
        (self.modes[i], self.speed[i], self.place[i]) = (mode, speed, place);
    }

    /// Positions and velocities, as `of` makes them of X and Y of each mode.
    pub fn tell(
        &self,
        bank: &EcBank,
        motion: &mut Motion,
        of: impl Fn(&Coordinates, f64, f64) -> (f64, f64),
    ) {
        let states = bank.place.iter().zip(bank.speed.iter());
        let given = motion.q.iter_mut().zip(&mut motion.v);
        for ((mode, (q, v)), (x, y)) in self.modes.iter().zip(given).zip(states) {
            (*q, *v) = of(mode, *x, *y);
        }
    }

    /// Σ cᵢq̇ᵢ, m/s.
    pub fn along(&self, weights: &ReadWeights, bank: &EcBank) -> f64 {
        dispatch!(self.level, simd => self.sum(simd, weights, bank))
    }

    #[inline(always)]
    fn sum<S: Simd>(&self, simd: S, weights: &ReadWeights, bank: &EcBank) -> f64 {
        let (read, weights) = weights.read();
        simd.vectorize(
            #[inline(always)]
            || {
                let mut total = f64x8::splat(simd, 0.0);
                let constants = eights(&self.speed[read.clone()]).zip(eights(&self.place[read.clone()]));
                let states = eights(&bank.speed[read.clone()]).zip(eights(&bank.place[read]));
                for (((speed, place), (y, x)), c) in constants.zip(states).zip(eights(weights)) {
                    let load = |x: &[f64; LANES]| f64x8::from_slice(simd, x);
                    total += load(c) * (load(speed) * load(y) + load(place) * load(x));
                }
                fold(total.into())
            },
        )
    }
}

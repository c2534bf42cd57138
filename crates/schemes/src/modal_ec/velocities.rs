//! Velocities along rows: Σ cᵢq̇ᵢ with q̇ᵢ = speedᵢ·Yᵢ + placeᵢ·Xᵢ ([`super::coordinates`]).

use super::{bank::Bank, coordinates::Coordinates};
use crate::{
    instructions,
    modal::eights::{eights, fold, padded},
};
use fearless_simd::{Level, Simd, dispatch, f64x8, prelude::*};
use hamiltone_core::row::Row;

/// What velocities are made of, shared by all rows of a bank.
#[derive(Clone, Debug)]
pub(super) struct Velocities {
    level: Level,
    speed: Vec<f64>,
    place: Vec<f64>,
}

impl Velocities {
    pub fn new(modes: &[Coordinates]) -> Self {
        let each = |of: fn(&Coordinates) -> f64| {
            let mut values: Vec<f64> = modes.iter().map(of).collect();
            values.resize(padded(modes.len()), 0.0);
            values
        };
        Self { level: instructions::level(), speed: each(|mode| mode.speed), place: each(|mode| mode.place) }
    }

    /// A row's weights as [`Velocities::along`] takes them.
    pub fn weights(&self, row: &Row) -> Vec<f64> {
        let mut weights = vec![0.0; self.speed.len()];
        row.add_scaled(1.0, &mut weights);
        weights
    }

    /// Σ cᵢq̇ᵢ, m/s.
    pub fn along(&self, weights: &[f64], bank: &Bank) -> f64 {
        dispatch!(self.level, simd => self.total(simd, weights, bank))
    }

    #[inline(always)]
    fn total<S: Simd>(&self, simd: S, weights: &[f64], bank: &Bank) -> f64 {
        simd.vectorize(
            #[inline(always)]
            || {
                let mut total = f64x8::splat(simd, 0.0);
                let constants = eights(&self.speed).zip(eights(&self.place));
                let states = eights(&bank.speed).zip(eights(&bank.place));
                for (((speed, place), (y, x)), weight) in constants.zip(states).zip(eights(weights)) {
                    let load = |x: &[f64; 8]| f64x8::from_slice(simd, x);
                    total += load(weight) * (load(speed) * load(y) + load(place) * load(x));
                }
                fold(total.into())
            },
        )
    }
}

//! Positions and velocities of many modes, and velocities along rows: Σ cᵢq̇ᵢ, q̇ᵢ = speedᵢ·Yᵢ + placeᵢ·Xᵢ, qᵢ = ρᵢXᵢ
//! ([`super::coordinates`]); their physical energy Σ ½mᵢq̇ᵢ² + ½kᵢqᵢ².

use super::{bank::Bank, coordinates::Coordinates};
use crate::{
    instructions,
    modal::eights::{LANES, eights, fold, padded},
};
use fearless_simd::{Level, Simd, dispatch, f64x8, prelude::*};
use hamiltone_core::state::Motion;
use hamiltone_numerics::double::Double;

/// What velocities are made of, shared by all rows of a bank.
#[derive(Clone, Debug)]
pub(super) struct Velocities {
    level: Level,
    modes: Vec<Coordinates>,
    speed: Vec<f64>,
    place: Vec<f64>,
    /// ½m and ½kρ².
    kinetic: Vec<f64>,
    elastic: Vec<f64>,
}

impl Velocities {
    /// Of modes with these masses, kg, and stiffnesses k, N/m.
    pub fn new(modes: &[Coordinates], mass: &[f64], stiffness: &[f64]) -> Self {
        let each = |of: &dyn Fn(usize) -> f64| {
            let mut values: Vec<f64> = (0..modes.len()).map(of).collect();
            values.resize(padded(modes.len()), 0.0);
            values
        };
        Self {
            level: instructions::level(),
            modes: modes.to_vec(),
            speed: each(&|i| modes[i].speed),
            place: each(&|i| modes[i].place),
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
        (self.modes[i], self.speed[i], self.place[i]) = (mode, mode.speed, mode.place);
    }

    /// Positions and velocities to twice the digits.
    pub fn save(&self, bank: &Bank, motion: &mut Motion) {
        dispatch!(self.level, simd => simd.vectorize(#[inline(always)] || self.write(bank, motion)));
    }

    #[inline(always)]
    fn write(&self, bank: &Bank, motion: &mut Motion) {
        let places = bank.place.iter().zip(&bank.place_rest);
        let speeds = bank.speed.iter().zip(&bank.speed_rest);
        let positions = motion.q.iter_mut().zip(&mut motion.q_remainder);
        let velocities = motion.v.iter_mut().zip(&mut motion.v_remainder);
        for ((mode, (q, v)), (x, y)) in
            self.modes.iter().zip(positions.zip(velocities)).zip(places.zip(speeds))
        {
            let double = |(high, low): (&f64, &f64)| Double { high: *high, low: *low };
            let (position, velocity) = mode.motion(double(x), double(y));
            (*q.0, *q.1) = position;
            (*v.0, *v.1) = velocity;
        }
    }

    /// Σ ½mᵢq̇ᵢ² + ½kᵢqᵢ², J.
    pub fn energy(&self, bank: &Bank) -> f64 {
        dispatch!(self.level, simd => self.energies(simd, bank))
    }

    #[inline(always)]
    fn energies<S: Simd>(&self, simd: S, bank: &Bank) -> f64 {
        simd.vectorize(
            #[inline(always)]
            || {
                let mut total = f64x8::splat(simd, 0.0);
                let constants = eights(&self.speed).zip(eights(&self.place));
                let weights = eights(&self.kinetic).zip(eights(&self.elastic));
                let states = eights(&bank.speed).zip(eights(&bank.place));
                for (((speed, place), (y, x)), (kinetic, elastic)) in constants.zip(states).zip(weights) {
                    let load = |x: &[f64; LANES]| f64x8::from_slice(simd, x);
                    let (y, x) = (load(y), load(x));
                    let v = load(speed) * y + load(place) * x;
                    total += load(kinetic) * (v * v) + load(elastic) * (x * x);
                }
                fold(total.into())
            },
        )
    }

    /// Σ cᵢq̇ᵢ, m/s, of weights that are padded like the bank.
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
                    let load = |x: &[f64; LANES]| f64x8::from_slice(simd, x);
                    total += load(weight) * (load(speed) * load(y) + load(place) * load(x));
                }
                fold(total.into())
            },
        )
    }
}

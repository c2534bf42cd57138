//! Modes without n that one row alone pulls, with all that a step reads of eight of them side by side in memory.
//!
//!   back = r(X + Y) + hY − wf,   S = 2Y − back,   Y⁺ = Y − back,   X⁺ = X + S
//!
//! is the step of [`super::bank`] for them, to the same bits. Strings have two or three eights each: where each quantity has an array of its own, finding the
//! places of a string in all of them takes longer than its step.

use super::bank::{EcBank, Sums, Totals, load};
use crate::modal::eights::{LANES, eights, eights_mut};
use fearless_simd::{Simd, f64x8, prelude::*};

/// Eight modes: r, h and w, X and Y.
#[derive(Clone, Copy, Debug, Default)]
#[repr(align(64))]
pub(super) struct PulledEight {
    spring: [f64; LANES],
    damper: [f64; LANES],
    row: [f64; LANES],
    place: [f64; LANES],
    speed: [f64; LANES],
}

/// The constants of a bank without n, and the row that pulls it.
pub(super) fn take_constants(modes: &mut [PulledEight], bank: &EcBank, row: &[f64]) {
    let constants = eights(&bank.spring).zip(eights(&bank.damper)).zip(eights(row));
    for (eight, ((spring, damper), row)) in modes.iter_mut().zip(constants) {
        (eight.spring, eight.damper, eight.row) = (*spring, *damper, *row);
    }
}

/// X and Y of a bank.
pub(super) fn take_state(modes: &mut [PulledEight], bank: &EcBank) {
    for (eight, (place, speed)) in modes.iter_mut().zip(eights(&bank.place).zip(eights(&bank.speed))) {
        (eight.place, eight.speed) = (*place, *speed);
    }
}

/// X and Y, for a bank.
pub(super) fn give_state(modes: &[PulledEight], bank: &mut EcBank) {
    let states = eights_mut(&mut bank.place).zip(eights_mut(&mut bank.speed));
    for (eight, (place, speed)) in modes.iter().zip(states) {
        (*place, *speed) = (eight.place, eight.speed);
    }
}

/// The step, pulled by this force along the row, for use within vectorised code.
#[inline(always)]
pub(super) fn step<S: Simd>(simd: S, modes: &mut [PulledEight], force: f64) -> Sums {
    let mut totals = Totals::new(simd);
    let pulling = f64x8::splat(simd, force);
    for eight in modes {
        let (h, w) = (load(simd, &eight.damper), load(simd, &eight.row));
        let (x, y) = (load(simd, &eight.place), load(simd, &eight.speed));
        let pull = w * pulling;
        let back = load(simd, &eight.spring) * (x + y) + h * y - pull;
        let s = (y + y) - back;
        let (next_x, next_y) = (x + s, y - back);
        next_x.store_array(&mut eight.place);
        next_y.store_array(&mut eight.speed);
        totals.dissipated += h * (s * s);
        totals.pulled += pull * s;
        totals.halfway += (next_x + next_y) * w;
    }
    totals.sums(simd)
}

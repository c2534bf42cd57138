//! Many steps in which nothing acts, by eights of modes: all steps of eight modes before those of the next eight.
//!
//!   e = −(rU + hY),   Y⁺ = Y + e,   S = Y + Y⁺,   X⁺ = X + S   (`bank.rs`, F = 0)
//!
//! State and constants of eight modes stay in registers for all these steps; what the modes of a step add to its loss ½ΣhS² and to its outputs goes into eight
//! lanes of that step, in the order in which a single step adds them up. So the bits are those of single steps, however many are taken at a time.

use super::{bank::Bank, velocities::Velocities};
use crate::modal::{
    eights::LANES,
    ports::{Ports, Reading},
};
use fearless_simd::{Simd, dispatch, f64x8, prelude::*};
use hamiltone_numerics::lanes::fold;

/// The most steps at a time.
pub(super) const MAX_STEPS: usize = 64;

/// A number of eight modes for each step.
type Lanes = [[f64; LANES]; MAX_STEPS];

/// What kernels read of a mode: nothing, cX, or c(aY + bX).
const NOTHING: u8 = 0;
const PLACE: u8 = 1;
const SPEED: u8 = 2;

/// Eight modes: their numbers among all, n, r, h, and c, a and b of what is read.
struct Eight<S: Simd> {
    first: usize,
    turn: f64x8<S>,
    spring: f64x8<S>,
    damper: f64x8<S>,
    read: [f64x8<S>; 3],
}

/// The memory in which steps are added up.
#[derive(Clone)]
pub(super) struct FreeSteps {
    dissipated: Box<Lanes>,
    /// Of each output.
    outputs: Vec<Lanes>,
    /// What a second pass over eight modes, for another output of theirs, dissipates once more.
    again: Box<Lanes>,
}

impl FreeSteps {
    /// For so many outputs.
    pub fn new(outputs: usize) -> Self {
        let zero = [[0.0; LANES]; MAX_STEPS];
        Self { dissipated: Box::new(zero), outputs: vec![zero; outputs], again: Box::new(zero) }
    }

    /// Takes as many steps as `dissipated` is long, at most [`MAX_STEPS`]: what each dissipates, J, and the outputs after each that read modes.
    pub fn take(
        &mut self,
        bank: &mut Bank,
        (velocities, ports): (&Velocities, &Ports),
        dissipated: &mut [f64],
        outputs: &mut [f64],
    ) {
        let (level, steps, count) = (bank.level, dissipated.len(), self.outputs.len());
        for lanes in std::iter::once(&mut *self.dissipated).chain(&mut self.outputs) {
            lanes[..steps].fill([0.0; LANES]);
        }
        dispatch!(level, simd => simd.vectorize(
            #[inline(always)]
            || self.modes(simd, bank, (velocities, ports), steps)
        ));
        for (n, dissipated) in dissipated.iter_mut().enumerate() {
            *dissipated = 0.5 * fold(self.dissipated[n]);
            for (output, lanes) in outputs[n * count..(n + 1) * count].iter_mut().zip(&self.outputs) {
                *output = fold(lanes[n]);
            }
        }
    }

    #[inline(always)]
    fn modes<S: Simd>(
        &mut self,
        simd: S,
        bank: &mut Bank,
        (velocities, ports): (&Velocities, &Ports),
        steps: usize,
    ) {
        for first in (0..bank.place.len()).step_by(LANES) {
            let load = |x: &[f64]| f64x8::from_slice(simd, &x[first..first + LANES]);
            let zero = f64x8::splat(simd, 0.0);
            let mut eight = Eight {
                first,
                turn: load(&bank.turn),
                spring: load(&bank.spring),
                damper: load(&bank.damper),
                read: [zero; 3],
            };
            let start = (load(&bank.place), load(&bank.speed));
            let mut is_first = true;
            for (k, reading) in ports.readings(first / LANES) {
                // Each output takes a pass from the same start; most modes are read by one.
                start.0.store_slice(&mut bank.place[first..first + LANES]);
                start.1.store_slice(&mut bank.speed[first..first + LANES]);
                let losses =
                    if std::mem::take(&mut is_first) { &mut self.dissipated } else { &mut self.again };
                let sums = &mut self.outputs[k][..steps];
                match reading {
                    Reading::Displacement(weights) => {
                        eight.read[0] = load(weights);
                        advance::<S, PLACE>(simd, bank, &eight, &mut losses[..steps], sums);
                    }
                    Reading::Velocity(weights) => {
                        eight.read = [load(weights), load(&velocities.speed), load(&velocities.place)];
                        advance::<S, SPEED>(simd, bank, &eight, &mut losses[..steps], sums);
                    }
                }
            }
            if is_first {
                let losses = &mut self.dissipated[..steps];
                advance::<S, NOTHING>(simd, bank, &eight, losses, &mut self.again[..steps]);
            }
        }
    }
}

/// The steps of eight modes; what they dissipate and what is read is added.
#[inline(always)]
fn advance<S: Simd, const READ: u8>(
    simd: S,
    bank: &mut Bank,
    eight: &Eight<S>,
    losses: &mut [[f64; LANES]],
    sums: &mut [[f64; LANES]],
) {
    match eight.first < bank.slow {
        true => steps::<S, READ, false>(simd, bank, eight, losses, sums),
        false => steps::<S, READ, true>(simd, bank, eight, losses, sums),
    }
}

/// The same, with the terms of n where `TURNED`.
#[inline(always)]
fn steps<S: Simd, const READ: u8, const TURNED: bool>(
    simd: S,
    bank: &mut Bank,
    eight: &Eight<S>,
    losses: &mut [[f64; LANES]],
    sums: &mut [[f64; LANES]],
) {
    let modes = eight.first..eight.first + LANES;
    let (one, two) = (f64x8::splat(simd, 1.0), f64x8::splat(simd, 2.0));
    let (n, r, h) = (eight.turn, eight.spring, eight.damper);
    let [c, a, b] = eight.read;
    let mut x = f64x8::from_slice(simd, &bank.place[modes.clone()]);
    let mut y = f64x8::from_slice(simd, &bank.speed[modes.clone()]);
    for (loss, sum) in losses.iter_mut().zip(sums) {
        let back = r * (x + y) + h * y;
        let s = if TURNED {
            let turned = n * x;
            let s = ((two - n) * y - turned) - back;
            y = ((one - n) * y - turned) - back;
            s
        } else {
            let s = (y + y) - back;
            y -= back;
            s
        };
        x += s;
        (f64x8::from_slice(simd, loss) + h * (s * s)).store_array(loss);
        match READ {
            PLACE => (f64x8::from_slice(simd, sum) + x * c).store_array(sum),
            SPEED => (f64x8::from_slice(simd, sum) + c * (a * y + b * x)).store_array(sum),
            _ => {}
        }
    }
    x.store_slice(&mut bank.place[modes.clone()]);
    y.store_slice(&mut bank.speed[modes]);
}

//! Many steps in which nothing acts, by eights of modes: all steps of four eights before those of the next four, or of two or one, where the
//! next are read by other outputs or have other terms.
//!
//!   e = −(rU + hY),   Y⁺ = Y + e,   S = Y + Y⁺,   X⁺ = X + S   (`bank.rs`, F = 0)
//!
//! The state of these modes is loaded and stored once for all these steps; what the modes of a step add to its loss ½ΣhS² and to its outputs goes into
//! eight lanes of that step, in the order in which a single step adds them up. So the bits are those of single steps, however many are taken at
//! a time. Each operation of a step waits for the one before: of four eights, three compute while one waits. They take two thirds of the time of
//! two and two (`cargo bench -p hamiltone-benches --bench modal`, AVX-512, whose registers hold no more).

use super::{bank::EcBank, velocities::EcVelocities};
use crate::modal::{
    eights::LANES,
    terminals::{Reading, Terminals},
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

/// Eight modes: n, r, h, and c, a and b of what is read.
struct Eight<S: Simd> {
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
    /// What a second pass over the same modes, for another output of theirs, dissipates once more.
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
        bank: &mut EcBank,
        (velocities, terminals): (&EcVelocities, &Terminals),
        dissipated: &mut [f64],
        outputs: &mut [f64],
    ) {
        let (level, steps, count) = (bank.level, dissipated.len(), self.outputs.len());
        for lanes in std::iter::once(&mut *self.dissipated).chain(&mut self.outputs) {
            lanes[..steps].fill([0.0; LANES]);
        }
        dispatch!(level, simd => simd.vectorize(
            #[inline(always)]
            || self.modes(simd, bank, (velocities, terminals), steps)
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
        bank: &mut EcBank,
        (velocities, terminals): (&EcVelocities, &Terminals),
        steps: usize,
    ) {
        let size = bank.place.len() / LANES;
        let (mut first, slow) = (0, bank.slow / LANES);
        while first < size {
            // Eights that are taken together use the same branch in n and feed the same outputs.
            let alike = |eight: usize| {
                eight < size && (first < slow) == (eight < slow) && terminals.read_alike(first, eight)
            };
            let count = (1..4).take_while(|n| alike(first + n)).count() + 1;
            first += match count {
                4 => self.eights::<S, 4>(simd, bank, (velocities, terminals), (first * LANES, steps)),
                2 | 3 => self.eights::<S, 2>(simd, bank, (velocities, terminals), (first * LANES, steps)),
                _ => self.eights::<S, 1>(simd, bank, (velocities, terminals), (first * LANES, steps)),
            };
        }
    }

    /// The steps of so many eights from mode `first` on, which the same outputs read; returns their number.
    #[inline(always)]
    fn eights<S: Simd, const EIGHTS: usize>(
        &mut self,
        simd: S,
        bank: &mut EcBank,
        (velocities, terminals): (&EcVelocities, &Terminals),
        (first, steps): (usize, usize),
    ) -> usize {
        let load = |x: &[f64], eight: usize| f64x8::from_slice(simd, &x[first + eight * LANES..][..LANES]);
        let zero = f64x8::splat(simd, 0.0);
        let mut eights: [Eight<S>; EIGHTS] = std::array::from_fn(|eight| Eight {
            turn: load(&bank.turn, eight),
            spring: load(&bank.spring, eight),
            damper: load(&bank.damper, eight),
            read: [zero; 3],
        });
        let state = |x: &[f64]| -> [f64x8<S>; EIGHTS] { std::array::from_fn(|eight| load(x, eight)) };
        let start = (state(&bank.place), state(&bank.speed));
        let turned = first >= bank.slow;
        let mut end = None;
        for (k, reading) in terminals.readings(first / LANES) {
            // Each output takes a pass from the same start; most modes are read by one.
            let losses = if end.is_none() { &mut self.dissipated } else { &mut self.again };
            let (losses, sums) = (&mut losses[..steps], &mut self.outputs[k][..steps]);
            end = Some(match reading {
                Reading::Displacement(weights) => {
                    eights.iter_mut().enumerate().for_each(|(i, eight)| eight.read[0] = load(weights, i));
                    advance::<S, PLACE, EIGHTS>(simd, &eights, (start, turned), losses, sums)
                }
                Reading::Velocity(weights) => {
                    for (i, eight) in eights.iter_mut().enumerate() {
                        eight.read =
                            [load(weights, i), load(&velocities.speed, i), load(&velocities.place, i)];
                    }
                    advance::<S, SPEED, EIGHTS>(simd, &eights, (start, turned), losses, sums)
                }
            });
        }
        let (x, y) = end.unwrap_or_else(|| {
            let (losses, sums) = (&mut self.dissipated[..steps], &mut self.again[..steps]);
            advance::<S, NOTHING, EIGHTS>(simd, &eights, (start, turned), losses, sums)
        });
        for (eight, (x, y)) in x.into_iter().zip(y).enumerate() {
            let modes = first + eight * LANES..first + (eight + 1) * LANES;
            x.store_slice(&mut bank.place[modes.clone()]);
            y.store_slice(&mut bank.speed[modes]);
        }
        EIGHTS
    }
}

/// X and Y of eights of modes.
type Eights<S, const EIGHTS: usize> = ([f64x8<S>; EIGHTS], [f64x8<S>; EIGHTS]);

/// The steps of eights from X and Y on, with the terms of n where `turned`; what they dissipate and what is read is added. Returns X and Y at
/// their end.
#[inline(always)]
fn advance<S: Simd, const READ: u8, const EIGHTS: usize>(
    simd: S,
    eights: &[Eight<S>; EIGHTS],
    (start, turned): (Eights<S, EIGHTS>, bool),
    losses: &mut [[f64; LANES]],
    sums: &mut [[f64; LANES]],
) -> Eights<S, EIGHTS> {
    match turned {
        true => steps::<S, READ, true, EIGHTS>(simd, eights, start, losses, sums),
        false => steps::<S, READ, false, EIGHTS>(simd, eights, start, losses, sums),
    }
}

/// The same, with the terms of n where `TURNED`.
#[inline(always)]
fn steps<S: Simd, const READ: u8, const TURNED: bool, const EIGHTS: usize>(
    simd: S,
    eights: &[Eight<S>; EIGHTS],
    (mut x, mut y): Eights<S, EIGHTS>,
    losses: &mut [[f64; LANES]],
    sums: &mut [[f64; LANES]],
) -> Eights<S, EIGHTS> {
    let (one, two) = (f64x8::splat(simd, 1.0), f64x8::splat(simd, 2.0));
    for (loss, sum) in losses.iter_mut().zip(sums) {
        let mut lost = f64x8::from_slice(simd, loss);
        let mut read = f64x8::from_slice(simd, sum);
        for ((eight, x), y) in eights.iter().zip(&mut x).zip(&mut y) {
            let Eight { turn: n, spring: r, damper: h, read: [c, a, b] } = *eight;
            let back = r * (*x + *y) + h * *y;
            let s = if TURNED {
                let turned = n * *x;
                let s = ((two - n) * *y - turned) - back;
                *y = ((one - n) * *y - turned) - back;
                s
            } else {
                let s = (*y + *y) - back;
                *y -= back;
                s
            };
            *x += s;
            lost += h * (s * s);
            match READ {
                PLACE => read += *x * c,
                SPEED => read += c * (a * *y + b * *x),
                _ => {}
            }
        }
        lost.store_array(loss);
        if READ != NOTHING {
            read.store_array(sum);
        }
    }
    (x, y)
}

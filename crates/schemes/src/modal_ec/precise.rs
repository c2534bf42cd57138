//! Modes whose step is taken to twice the digits, since their roundings would add up.
//!
//! A slow mode, ωΔt below 1/600, changes by a small part of itself in a step and rounds the same way for a thousand of them.
//! An undamped mode of which 2π/ωΔt is a fraction of small numbers returns to the same few states, and each of them rounds
//! the same way whenever it comes round. Both would let the energy drift by up to an eps a step.

use super::bank::Bank;
use hamiltone_numerics::double::Double;
use std::f64::consts::TAU;

/// r below which a mode is slow: ω²Δt²/2 for ωΔt = 1/600.
const SLOW: f64 = 0.5 / (600.0 * 600.0);
/// States that come round after at most so many steps.
const LONGEST_ROUND: u32 = 64;
/// By less than this a round of steps misses a whole number of periods: within 10⁶ steps the last digits change.
const MISSED: f64 = 1e-10;
/// Below this h, what a step takes of the energy, damping leaves the last digits of 10⁶ steps as they are.
const UNDAMPED: f64 = 1e-10;

/// Such a mode of a bank, and its state to twice the digits.
#[derive(Clone, Copy, Debug)]
pub(super) struct Precise {
    mode: usize,
    /// X and Y.
    place: Double,
    speed: Double,
}

impl Precise {
    /// The modes of `bank` that are such; `angles` are ωΔt, 0 of modes that are left out.
    pub fn among(bank: &Bank, angles: &[f64]) -> Vec<Self> {
        let repeats = |angle: f64| {
            let returns = |n: u32| {
                let turns = f64::from(n) * angle / TAU;
                (turns - turns.round()).abs() < MISSED
            };
            angle > 0.0 && (1..=LONGEST_ROUND).any(returns)
        };
        let holds = |&mode: &usize| {
            let (turn, spring, damper) = bank.constants_of(mode);
            (turn == 0.0 && spring < SLOW) || (damper.abs() < UNDAMPED && repeats(angles[mode]))
        };
        let of = |mode| Self { mode, place: Double::default(), speed: Double::default() };
        (0..angles.len()).filter(holds).map(of).collect()
    }

    /// Takes over the state before the bank's step.
    pub fn read(&mut self, bank: &Bank) {
        let i = self.mode;
        self.place = Double::sum(bank.place[i], bank.place_rest[i]);
        self.speed = Double::sum(bank.speed[i], bank.speed_rest[i]);
    }

    /// The bank's step once more. Products with 0, 1 and 2 are exact and left out: a free mass has r = h = 0, a slow mode n = 0.
    pub fn step(&mut self, bank: &mut Bank) {
        let (n, r, h) = bank.constants_of(self.mode);
        let mut t = Double::from(bank.push[self.mode]);
        if r != 0.0 {
            let mut middle = self.place;
            middle += self.speed;
            t += middle.times(-r);
        }
        if h != 0.0 {
            t += self.speed.times(-h);
        }
        let mut moved = self.speed.doubled();
        if n != 0.0 {
            t += self.place.times(-n);
            moved = self.speed.times(2.0 - n);
            self.speed = self.speed.times(1.0 - n);
        }
        moved += t;
        self.speed += t;
        self.place += moved;
        (bank.moved[self.mode], bank.moved_rest[self.mode]) = (moved.high, moved.low);
        self.write(bank);
    }

    /// What elements add to the step of every mode.
    pub fn add(&mut self, pushes: &[f64], bank: &mut Bank) {
        let push = Double::from(pushes[self.mode]);
        self.speed += push;
        self.place += push;
        self.write(bank);
    }

    fn write(&self, bank: &mut Bank) {
        let i = self.mode;
        (bank.place[i], bank.place_rest[i]) = (self.place.high, self.place.low);
        (bank.speed[i], bank.speed_rest[i]) = (self.speed.high, self.speed.low);
    }
}

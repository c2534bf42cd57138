//! Undamped modes that return to the same few states: 2π/ωΔt is a fraction of small numbers.
//!
//! Each of the states rounds the same way whenever it comes round, and what rounding makes of the energy adds up, by up to
//! an eps a step. The step of these modes is taken to twice the digits; any other frequency or damping makes the last
//! digits of each state different from those of the last round.

use super::bank::Bank;
use hamiltone_numerics::double::Double;
use std::f64::consts::TAU;

/// States that come round after so many steps.
const STEPS: u32 = 64;
/// By less than this a round of steps misses a whole number of periods: within 10⁶ steps the last digits change.
const MISSED: f64 = 1e-10;
/// Below this h, what a step takes of the energy, damping leaves the last digits of 10⁶ steps as they are.
const UNDAMPED: f64 = 1e-10;

/// Such a mode of the bank, and its state before the step.
#[derive(Clone, Copy, Debug)]
pub(super) struct Repeating {
    mode: usize,
    /// X and Y, and what rounding left out of them.
    place: Double,
    speed: Double,
}

impl Repeating {
    /// This mode, where it is one: `angle` is ωΔt, `damper` h.
    pub fn of(mode: usize, angle: f64, damper: f64) -> Option<Self> {
        let returns = |n: u32| {
            let turns = f64::from(n) * angle / TAU;
            (turns - turns.round()).abs() < MISSED
        };
        let holds = damper.abs() < UNDAMPED && angle > 0.0 && (1..=STEPS).any(returns);
        holds.then_some(Self { mode, place: Double::default(), speed: Double::default() })
    }

    /// Notes the state before the step.
    pub fn before(&mut self, bank: &Bank) {
        let i = self.mode;
        self.place = Double::sum(bank.place[i], bank.place_rest[i]);
        self.speed = Double::sum(bank.speed[i], bank.speed_rest[i]);
    }

    /// The bank's step once more, to twice the digits.
    pub fn step(&self, bank: &mut Bank) {
        let i = self.mode;
        let (n, r, h) = bank.constants_of(i);
        let mut middle = self.place;
        middle += self.speed;
        let mut t = Double::from(bank.push[i]);
        t += middle.times(-r);
        t += self.speed.times(-h);
        t += self.place.times(-n);
        let mut speed = self.speed.times(1.0 - n);
        speed += t;
        let mut moved = self.speed.times(2.0 - n);
        moved += t;
        let mut place = self.place;
        place += moved;
        (bank.place[i], bank.place_rest[i]) = (place.high, place.low);
        (bank.speed[i], bank.speed_rest[i]) = (speed.high, speed.low);
        bank.moved[i] = moved.high;
    }
}

//! Modes near Nyquist, aΔt near π, 3π, …: Qⁿ⁺¹ is nearly −Qⁿ, and their sum determines the phase.
//!
//!   S = Qⁿ⁻¹ + Qⁿ,   S⁺ = g′Qⁿ − (1 − h)S + F,   g′ = (1 + z)(1 + z′) = 4 − g − 2h,   D⁺ = S⁺ − 2Qⁿ
//!
//! is the step of the bank in digits that do not cancel: g is 4 to a rounding there, which after n steps is
//! n·eps/sin aΔt of phase; g′ is as small as it should be.

use super::bank::MoreauBank;
use crate::modal::pole::Pole;
use hamiltone_core::state::Archive;

/// |cos(aΔt/2)| below which modes are taken so.
const NEAR: f64 = 0.05;

/// Such a mode of the bank.
#[derive(Clone, Copy, Debug)]
pub(super) struct NearNyquist {
    mode: usize,
    /// g′.
    spring: f64,
    /// Q at n.
    place: f64,
    /// S: Q at n + 1 more than −Q at n.
    sum: f64,
}

impl NearNyquist {
    /// Those among `poles`.
    pub fn among(poles: &[Pole]) -> Vec<Self> {
        let opposed = |(mode, pole): (usize, &Pole)| {
            let near = pole.opposed < 4.0 * NEAR * NEAR;
            near.then_some(Self { mode, spring: pole.opposed, place: 0.0, sum: 0.0 })
        };
        poles.iter().enumerate().filter_map(opposed).collect()
    }

    /// Every number that the next step depends on.
    pub fn archive(&mut self, archive: &mut Archive) {
        archive.number(&mut self.place);
        archive.number(&mut self.sum);
    }

    /// Takes over what was done to the bank.
    pub fn follow(&mut self, bank: &MoreauBank) {
        self.place = bank.place[self.mode];
        self.sum = bank.after[self.mode] + 2.0 * self.place;
    }

    /// The bank's free step once more.
    pub fn step(&mut self, bank: &mut MoreauBank) {
        let (i, sum) = (self.mode, self.sum);
        // Qⁿ from S and Qⁿ⁻¹; S is small here, so that their difference keeps its digits.
        self.place = sum - self.place;
        self.sum = (self.spring * self.place - (sum - bank.damper[i] * sum)) + bank.push[i];
        bank.place[i] = self.place;
        bank.after[i] = self.sum - 2.0 * self.place;
        // The sum above stands for the compensation of the bank.
        bank.rest[i] = 0.0;
    }
}

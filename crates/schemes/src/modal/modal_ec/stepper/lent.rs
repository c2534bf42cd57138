//! A bank whose modes are stepped elsewhere for a while: what is followed of it meanwhile, so that it takes the step at home in which anything
//! but the one row that pulls it can matter.

use super::ModalStepper;
use crate::modal::{
    followed_energy::FollowedEnergy,
    modal_ec::bank::{EcBank, Sums},
    reach::Way,
};

/// What is followed of a bank in steps that are taken elsewhere.
#[derive(Clone, Copy, Debug)]
pub(in crate::modal::modal_ec) struct Lent {
    energy: FollowedEnergy,
    way: Way,
    /// Of the row: its size and u.
    size: f64,
    pub halfway: f64,
}

impl Lent {
    /// Whether the next step is to be taken at home.
    #[inline]
    fn is_due(&self) -> bool {
        self.energy.due().0 || !self.way.none_due()
    }

    /// A step begins in which a joint pushes with this force; whether it can be taken elsewhere.
    #[inline]
    pub fn begin_step(&mut self, force: f64) -> bool {
        let mut way = self.way;
        way.expect(self.size * force.abs());
        if self.energy.due().0 || !way.none_due() {
            return false;
        }
        self.way = way;
        self.energy.begin_steps(1);
        true
    }

    /// It has ended.
    #[inline]
    pub fn end_step(&mut self, sums: &Sums) {
        self.halfway = sums.halfway;
        self.energy.add(sums.supplied + sums.pulled - sums.dissipated);
        self.way.advance_by(1, self.energy.most(0.0));
    }
}

impl ModalStepper {
    /// Itself for steps that are taken in another bank, from the mode `first` on; `None` where more than one row may act on it in the next one.
    pub fn lend(&self, bank: &mut EcBank, first: usize) -> Option<Lent> {
        let (_, size, halfway) = self.pulls.single()?;
        let lent = Lent { energy: self.energy, way: self.contacts.way(), size, halfway };
        if self.acted || self.driven || lent.is_due() {
            return None;
        }
        let all = first..first + self.bank.place.len();
        bank.place[all.clone()].copy_from_slice(&self.bank.place);
        bank.speed[all].copy_from_slice(&self.bank.speed);
        Some(lent)
    }

    /// Shows what it has been lent for, without taking it back.
    pub fn look_at(&mut self, bank: &EcBank, first: usize) {
        let all = first..first + self.bank.place.len();
        self.bank.place.copy_from_slice(&bank.place[all.clone()]);
        self.bank.speed.copy_from_slice(&bank.speed[all]);
    }

    /// Takes itself back.
    pub fn take_back(&mut self, bank: &EcBank, first: usize, lent: &Lent) {
        self.look_at(bank, first);
        self.energy = lent.energy;
        self.contacts.resume(lent.way);
        self.pulls.set(lent.halfway);
    }

    /// Its bank and the row that pulls it, if it can be lent at all: if a single row does, no mode is fast and nothing is read of it.
    pub fn as_lent(&self) -> Option<(&EcBank, &[f64])> {
        let (row, ..) = self.pulls.single()?;
        let can = self.bank.slow == self.bank.place.len() && self.constants.system.outputs.is_empty();
        can.then_some((&self.bank, row))
    }
}

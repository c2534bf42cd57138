//! A bank whose modes are stepped in a shared array for a while: how it moves in and out.

use super::ModalStepper;
use crate::modal::modal_ec::{bank::EcBank, followed::Followed};

impl ModalStepper {
    /// The bank, and the row that pulls it where it is the only one: a shared array steps no other.
    pub fn only_row(&self) -> Option<(&EcBank, &[f64])> {
        Some((&self.bank, self.pulls.only_row()?))
    }

    /// Copies X and Y into the modes from `first` on of a shared array. `None` where it must take the next step by itself: an input drives it, an
    /// element may have acted in the last step or can in the next one, all modes are to be looked at, or one of them has ωΔt above π/2.
    pub fn move_in(&self, shared: &mut EcBank, first: usize) -> Option<Followed> {
        let (size, halfway) = self.pulls.known()?;
        let followed = Followed { energy: self.energy, way: self.contacts.way(), size, halfway };
        let is_slow = self.bank.slow == self.bank.place.len();
        if self.acted || self.driven || !is_slow || followed.is_due() {
            return None;
        }
        let all = first..first + self.bank.place.len();
        shared.place[all.clone()].copy_from_slice(&self.bank.place);
        shared.speed[all].copy_from_slice(&self.bank.speed);
        Some(followed)
    }

    /// Takes X and Y from the shared array, for whoever reads them here.
    pub fn copy_state(&mut self, shared: &EcBank, first: usize) {
        let all = first..first + self.bank.place.len();
        self.bank.place.copy_from_slice(&shared.place[all.clone()]);
        self.bank.speed.copy_from_slice(&shared.speed[all]);
    }

    /// Takes X, Y and what was followed, and steps by itself again.
    pub fn move_out(&mut self, shared: &EcBank, first: usize, followed: &Followed) {
        self.copy_state(shared, first);
        self.energy = followed.energy;
        self.contacts.resume(followed.way);
        self.pulls.set(followed.halfway);
    }
}

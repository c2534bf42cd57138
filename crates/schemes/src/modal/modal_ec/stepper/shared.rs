//! A bank whose modes are stepped in a shared array for a while: how it moves in and out.

use super::ModalStepper;
use crate::modal::modal_ec::{
    bank::EcBank,
    followed::Followed,
    pulled::{self, PulledEight},
};

impl ModalStepper {
    /// The bank, and the row that pulls it where it is the only one and there are no forms: a shared array steps no other.
    pub fn only_row(&self) -> Option<(&EcBank, &[f64])> {
        let is_alone = self.contacts.forms.none();
        is_alone.then(|| Some((&self.bank, self.pulls.only_row()?)))?
    }

    /// Copies X and Y into these modes of a shared array. `None` where it must take the next step by itself: an input drives it, an
    /// element may have acted in the last step or can in the next one, all modes are to be looked at, or one of them has ωΔt above π/2.
    pub fn move_in(&self, shared: &mut [PulledEight]) -> Option<Followed> {
        let (size, halfway) = self.pulls.known()?;
        let followed = Followed { energy: self.energy, way: self.contacts.way(), size, halfway };
        let is_slow = self.bank.slow == self.bank.place.len();
        if self.acted || self.driven || !is_slow || followed.is_due() {
            return None;
        }
        pulled::take_state(shared, &self.bank);
        Some(followed)
    }

    /// Takes X and Y from the shared array, for whoever reads them here.
    pub fn copy_state(&mut self, shared: &[PulledEight]) {
        pulled::give_state(shared, &mut self.bank);
    }

    /// Takes X, Y and what was followed, and steps by itself again.
    pub fn move_out(&mut self, shared: &[PulledEight], followed: &Followed) {
        self.copy_state(shared);
        self.energy = followed.energy;
        self.contacts.resume(followed.way);
        self.pulls.set(followed.halfway);
    }
}

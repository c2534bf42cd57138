//! What is followed of a bank whose modes are stepped in a shared array ([`super::joined`]): its energy and its way, which say when an element can matter.

use super::bank::Sums;
use crate::modal::{followed_energy::FollowedEnergy, reach::Way};

/// What is followed of a bank in the shared array.
#[derive(Clone, Copy, Debug)]
pub(super) struct Followed {
    pub energy: FollowedEnergy,
    pub way: Way,
    /// Of the row: its size and u.
    pub size: f64,
    pub halfway: f64,
}

impl Followed {
    /// Whether all modes are to be looked at in the next step, or an element can matter.
    #[inline]
    pub fn is_due(&self) -> bool {
        self.energy.due().0 || !self.way.none_due()
    }

    /// A step begins in which a joint pushes with this force; `false` where the bank must take it by itself.
    #[inline]
    pub fn begin_step(&mut self, force: f64) -> bool {
        let before = self.way;
        self.way.expect(self.size * force.abs());
        if self.is_due() {
            self.way = before;
            return false;
        }
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

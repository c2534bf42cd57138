//! Bodies on supports that rest while a damper lies on them.
//!
//! Where it is allowed ([`hamiltone_core::stepper::Change::Rest`]), a bank that stands on others rests once a control holds a damper on
//! it, nothing else acts on it, and it stores less than a given part ε of the whole beyond what its supports lift:
//!
//!   E_bank + V(D, ζ) − V(κ, 0) ≤ ε E
//!
//! Then it takes no steps, and V of its links is V(κ, 0): what a string under tension that does not bend adds to its bridge. Once an input
//! of it changes, it goes on at rest on its supports, X = bw(X) and Y = bw(Y), so that nothing jumps at them. The change of the stored
//! energy is booked both times: the balance is exact.

use super::{JoinedStepper, member::Member};
use hamiltone_core::ledger::Ledger;

/// Every so many steps it is looked whether any bank can rest.
const INTERVAL: u32 = 64;

impl JoinedStepper {
    /// Wakes what something acts on in the step that begins, in which an input `moves` or none does, and, at regular steps, lets rest what is held.
    pub(super) fn settle(&mut self, share: f64, (input, moves): (&[f64], bool), ledger: &mut Ledger) {
        let count = self.constants.inputs;
        let is_due = self.clock == 0;
        self.clock = (self.clock + 1) % INTERVAL;
        let woken = (is_due || moves).then(|| self.wake(|_, member| !member.is_held(input, count))).flatten();
        let rested = is_due.then(|| self.let_rest(share, input)).flatten();
        if let Some(before) = woken.or(rested) {
            let change = self.stored() - before;
            ledger.supplied += change.max(0.0);
            ledger.dissipated += (-change).max(0.0);
        }
    }

    /// Those go on that `wakes` says so of; what all stored before, J, if there are any.
    pub(super) fn wake(&mut self, mut wakes: impl FnMut(usize, &mut Member) -> bool) -> Option<f64> {
        let mut before = None;
        for m in 0..self.members.len() {
            if !self.rests[m] || !wakes(m, &mut self.members[m]) {
                continue;
            }
            // It reads the supports.
            before.get_or_insert_with(|| self.stored());
            self.members[m].stand(&self.halfway, &self.before);
            (self.rests[m], self.is_stale) = (false, true);
        }
        if before.is_some() {
            self.list_awake();
        }
        before
    }

    /// Lets rest what is held and stores little; what all stored before, J, if anything is.
    fn let_rest(&mut self, share: f64, input: &[f64]) -> Option<f64> {
        let (count, mut all, mut changes) = (self.constants.inputs, None, false);
        for m in 0..self.members.len() {
            let member = &mut self.members[m];
            if self.rests[m] || !member.can_rest || !member.is_held(input, count) {
                continue;
            }
            let limit = share * *all.get_or_insert_with(|| self.stored());
            if self.stored_by(m) <= limit {
                self.shared.leave(m, &mut self.members[m]);
                self.members[m].rest();
                self.rests[m] = true;
                changes = true;
            }
        }
        if changes {
            self.list_awake();
        }
        all.filter(|_| changes)
    }

    /// What a bank stores beyond what its supports lift, J, by the rows as they were read last.
    fn stored_by(&mut self, m: usize) -> f64 {
        let (u, before) = (&self.halfway, &self.before);
        let links = self.links.iter().filter(|link| link.member == m);
        let beyond = links.map(|link| link.energy(false, u, before) - link.energy(true, u, before));
        let beyond: f64 = beyond.sum();
        beyond + self.members[m].stepper.stored()
    }

    /// Lists what is awake.
    pub(super) fn list_awake(&mut self) {
        self.awake.clear();
        self.awake.extend((0..self.members.len()).filter(|m| !self.rests[*m]));
        self.pushes.list(&self.links, &self.rests);
    }
}

//! Strings that nothing acts on but their bridge, stepped in one array.
//!
//! A step of a bank by itself costs some 70 ns besides its modes, of which a string has 20 to 80 at 0.8 ns. So where a single row pulls a bank and no element
//! can matter in the next step, its X and Y move into one array of the modes of all such strings. Its energy and its way
//! ([`crate::modal::reach`]) are followed there. It takes a step by itself where an element can matter in it, an input changes or all modes
//! are looked at. Each step gives the same bits either way.

use super::member::Member;
use crate::{
    instructions,
    modal::{
        eights::zeros,
        modal_ec::{
            bank::{EcBank, Pull, Sums},
            followed::Followed,
        },
    },
};
use fearless_simd::{Level, Simd, dispatch};
use hamiltone_numerics::aligned::Aligned;
use std::{ops::Range, sync::Arc};

/// The place of a bank in the array, and the row of joints that pulls it.
#[derive(Debug)]
struct Slot {
    member: usize,
    modes: Range<usize>,
    row: usize,
}

/// A bank that is stepped in the array: what is followed of it, its force and what flows in the step.
#[derive(Clone, Copy, Debug)]
struct Active {
    followed: Followed,
    force: f64,
    sums: Sums,
}

/// Strings that are stepped in one array.
#[derive(Clone)]
pub(super) struct SharedBank {
    level: Level,
    slots: Arc<[Slot]>,
    /// The slot of each bank, if it has one.
    of_members: Arc<[Option<usize>]>,
    bank: EcBank,
    /// The rows of all slots side by side.
    row: Arc<Aligned>,
    /// What is stepped here, by slot.
    active: Vec<Option<Active>>,
}

impl SharedBank {
    /// Slots for those of `members` that a single row pulls which no other has: then the order of sums over members is that of any.
    pub fn new(members: &[Member]) -> Self {
        let (mut slots, mut size) = (Vec::new(), 0);
        let mut of_members = vec![None; members.len()];
        for (m, member) in members.iter().enumerate() {
            let Some((_, row)) = member.stepper.only_row() else { continue };
            let is_own = |other: &Member| !other.rows.contains(&member.rows[0]);
            if !members.iter().enumerate().all(|(k, other)| k == m || is_own(other)) {
                continue;
            }
            of_members[m] = Some(slots.len());
            slots.push(Slot { member: m, modes: size..size + row.len(), row: member.rows[0] });
            size += row.len();
        }
        let mut shared = Self {
            level: instructions::level(),
            active: vec![None; slots.len()],
            slots: slots.into(),
            of_members: of_members.into(),
            bank: EcBank::new(&vec![(0.0, 0.0, 0.0); size]),
            row: zeros(size).into(),
        };
        shared.renew(members);
        shared
    }

    /// Takes the constants of all members, none of which is stepped here: their springs may be other ones.
    pub fn renew(&mut self, members: &[Member]) {
        for slot in self.slots.iter() {
            let Some((bank, row)) = members[slot.member].stepper.only_row() else { continue };
            self.bank.copy_constants(slot.modes.start, bank);
            Arc::make_mut(&mut self.row)[slot.modes.clone()].copy_from_slice(row);
        }
    }

    /// A bank that has taken a step by itself is stepped here from now on, if only its row can act in the next one.
    pub fn enter(&mut self, m: usize, member: &Member) {
        let Some(slot) = self.of_members[m] else { return };
        let followed = member.stepper.move_in(&mut self.bank, self.slots[slot].modes.start);
        self.active[slot] = followed.map(|followed| Active { followed, force: 0.0, sums: Sums::default() });
    }

    /// A bank is not stepped here any more.
    pub fn leave(&mut self, m: usize, member: &mut Member) {
        let Some(slot) = self.of_members[m] else { return };
        if let Some(active) = self.active[slot].take() {
            member.stepper.move_out(&self.bank, self.slots[slot].modes.start, &active.followed);
        }
    }

    /// None is.
    pub fn leave_all(&mut self, members: &mut [Member]) {
        members.iter_mut().enumerate().for_each(|(m, member)| self.leave(m, member));
    }

    /// A bank that is stepped here shows its state.
    pub fn show(&self, m: usize, member: &mut Member) {
        let Some(slot) = self.of_members[m] else { return };
        if self.active[slot].is_some() {
            member.stepper.copy_state(&self.bank, self.slots[slot].modes.start);
        }
    }

    /// All do.
    pub fn show_all(&self, members: &mut [Member]) {
        members.iter_mut().enumerate().for_each(|(m, member)| self.show(m, member));
    }

    /// Adds c·U of all that are stepped here to the rows of joints.
    pub fn read(&self, halfway: &mut [f64]) {
        for (slot, active) in self.slots.iter().zip(&self.active) {
            if let Some(active) = active {
                halfway[slot.row] += active.followed.halfway;
            }
        }
    }

    /// A step begins with these forces along rows: those leave that must take it by themselves.
    pub fn begin(&mut self, forces: &[f64], members: &mut [Member]) {
        for slot in 0..self.active.len() {
            let Some(active) = &mut self.active[slot] else { continue };
            let (member, row) = (self.slots[slot].member, self.slots[slot].row);
            active.force = forces[row];
            if !active.followed.begin_step(active.force) {
                self.leave(member, &mut members[member]);
            }
        }
    }

    /// The step of all that are here.
    pub fn step(&mut self) {
        dispatch!(self.level, simd => self.step_all(simd));
    }

    #[inline(always)]
    fn step_all<S: Simd>(&mut self, simd: S) {
        let Self { slots, active, bank, row, .. } = self;
        simd.vectorize(
            #[inline(always)]
            || {
                for (slot, active) in slots.iter().zip(active) {
                    let Some(active) = active else { continue };
                    let pull = Pull { row: &row[..], force: active.force };
                    active.sums = bank.step_some(simd, slot.modes.clone(), pull);
                    active.followed.end_step(&active.sums);
                }
            },
        );
    }

    /// Whether a bank is stepped here.
    pub fn has(&self, m: usize) -> bool {
        self.of_members[m].is_some_and(|slot| self.active[slot].is_some())
    }

    /// What a bank lost in the step, if it took it here.
    pub fn dissipated(&self, m: usize) -> Option<f64> {
        let active = &self.active[self.of_members[m]?];
        active.as_ref().map(|active| active.sums.dissipated)
    }
}

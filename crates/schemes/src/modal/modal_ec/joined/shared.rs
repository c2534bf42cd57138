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
        eights::LANES,
        modal_ec::{
            followed::Followed,
            pulled::{self, PulledEight},
        },
    },
};
use fearless_simd::{Level, Simd, dispatch};
use std::{ops::Range, sync::Arc};

/// The place of a bank in the array, and the row of joints that pulls it; none of a bank that is never stepped there.
#[derive(Debug, Default)]
struct Slot {
    eights: Range<usize>,
    row: usize,
}

/// A bank that is stepped in the array: what is followed of it, its force and what it loses in the step.
#[derive(Clone, Copy, Debug)]
struct Active {
    followed: Followed,
    force: f64,
    dissipated: f64,
}

/// Strings that are stepped in one array.
#[derive(Clone)]
pub(super) struct SharedBank {
    level: Level,
    eights: Vec<PulledEight>,
    /// By bank: its slot, and what is followed of it while it is stepped here.
    slots: Arc<[Slot]>,
    active: Vec<Option<Active>>,
}

impl SharedBank {
    /// Slots for those of `members` that a single row pulls which no other has: then the order of sums over members is that of any.
    pub fn new(members: &[Member]) -> Self {
        let mut size = 0;
        let mut slot = |(m, member): (usize, &Member)| {
            let (_, row) = member.stepper.only_row()?;
            let is_own = |other: &Member| !other.rows.contains(&member.rows[0]);
            if !members.iter().enumerate().all(|(k, other)| k == m || is_own(other)) {
                return None;
            }
            let first = size;
            size += row.len() / LANES;
            Some(Slot { eights: first..size, row: member.rows[0] })
        };
        let slots: Vec<Slot> =
            members.iter().enumerate().map(|each| slot(each).unwrap_or_default()).collect();
        let mut shared = Self {
            level: instructions::level(),
            eights: vec![PulledEight::default(); size],
            active: vec![None; slots.len()],
            slots: slots.into(),
        };
        shared.renew(members);
        shared
    }

    /// Takes the constants of all members, none of which is stepped here: their springs may be other ones.
    pub fn renew(&mut self, members: &[Member]) {
        for (slot, member) in self.slots.iter().zip(members) {
            if let Some((bank, row)) = member.stepper.only_row() {
                pulled::take_constants(&mut self.eights[slot.eights.clone()], bank, row);
            }
        }
    }

    /// A bank that has taken a step by itself is stepped here from now on, if only its row can act in the next one.
    pub fn enter(&mut self, m: usize, member: &Member) {
        let modes = self.slots[m].eights.clone();
        if !modes.is_empty() {
            let followed = member.stepper.move_in(&mut self.eights[modes]);
            self.active[m] = followed.map(|followed| Active { followed, force: 0.0, dissipated: 0.0 });
        }
    }

    /// A bank is not stepped here any more.
    pub fn leave(&mut self, m: usize, member: &mut Member) {
        if let Some(active) = self.active[m].take() {
            member.stepper.move_out(&self.eights[self.slots[m].eights.clone()], &active.followed);
        }
    }

    /// None is.
    pub fn leave_all(&mut self, members: &mut [Member]) {
        members.iter_mut().enumerate().for_each(|(m, member)| self.leave(m, member));
    }

    /// A bank that is stepped here shows its state.
    pub fn show(&self, m: usize, member: &mut Member) {
        if self.has(m) {
            member.stepper.copy_state(&self.eights[self.slots[m].eights.clone()]);
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
        for (m, member) in members.iter_mut().enumerate() {
            let Some(active) = &mut self.active[m] else { continue };
            active.force = forces[self.slots[m].row];
            if !active.followed.begin_step(active.force) {
                self.leave(m, member);
            }
        }
    }

    /// The step of all that are here.
    pub fn step(&mut self) {
        dispatch!(self.level, simd => self.step_all(simd));
    }

    #[inline(always)]
    fn step_all<S: Simd>(&mut self, simd: S) {
        let Self { slots, active, eights, .. } = self;
        simd.vectorize(
            #[inline(always)]
            || {
                for (slot, active) in slots.iter().zip(active) {
                    let Some(active) = active else { continue };
                    let sums = pulled::step(simd, &mut eights[slot.eights.clone()], active.force);
                    active.dissipated = sums.dissipated;
                    active.followed.end_step(&sums);
                }
            },
        );
    }

    /// Whether a bank is stepped here.
    pub fn has(&self, m: usize) -> bool {
        self.active[m].is_some()
    }

    /// What a bank lost in the step, if it took it here.
    pub fn dissipated(&self, m: usize) -> Option<f64> {
        self.active[m].as_ref().map(|active| active.dissipated)
    }
}

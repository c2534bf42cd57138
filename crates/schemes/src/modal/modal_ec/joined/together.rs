//! Strings that nothing acts on but their bridge, stepped together.
//!
//! A bank by itself costs more than the modes of a string do: what it is made of fills dozens of cache lines. So where a single row
//! pulls a bank and no element can matter in the next step, its X and Y are lent to one array of the modes of all such strings, and of it
//! remain a few numbers: by how much its energy and its way have grown ([`crate::modal::reach`]), and what the row reads. It goes home for the step in which an
//! element can matter, an input changes or all modes are looked at. Each step gives the same bits either way.

use super::member::Member;
use crate::{
    instructions,
    modal::modal_ec::{
        bank::{EcBank, Pull, Sums},
        stepper::Lent,
    },
};
use fearless_simd::{Level, Simd, dispatch};
use hamiltone_numerics::aligned::{Aligned, aligned};
use std::{ops::Range, sync::Arc};

/// Where the modes of a bank lie in the array, and the row of joints that pulls it.
#[derive(Debug)]
struct Home {
    member: usize,
    modes: Range<usize>,
    row: usize,
}

/// A bank that is lent: what is followed of it, its force and what flows in the step.
#[derive(Clone, Copy, Debug)]
struct Guest {
    lent: Lent,
    force: f64,
    sums: Sums,
}

/// Strings that are stepped in one array.
#[derive(Clone)]
pub(super) struct Together {
    level: Level,
    homes: Arc<[Home]>,
    /// The home of each bank, if it has one.
    of_members: Arc<[Option<usize>]>,
    bank: EcBank,
    /// The rows of all homes side by side.
    row: Arc<Aligned>,
    /// Who is there, by home.
    guests: Vec<Option<Guest>>,
}

impl Together {
    /// Room for those of `members` that can be lent.
    pub fn new(members: &mut [Member]) -> Self {
        let (mut homes, mut constants, mut row) = (Vec::new(), Vec::new(), Vec::new());
        let mut of_members = vec![None; members.len()];
        for (m, member) in members.iter_mut().enumerate() {
            // A row is known once it has been read.
            member.stepper.halfway();
            let Some((bank, own)) = member.stepper.as_lent() else { continue };
            let first = constants.len();
            constants.extend(bank.constants());
            of_members[m] = Some(homes.len());
            homes.push(Home { member: m, modes: first..constants.len(), row: member.rows[0] });
            row.extend(own);
        }
        Self {
            level: instructions::level(),
            guests: vec![None; homes.len()],
            homes: homes.into(),
            of_members: of_members.into(),
            bank: EcBank::new(&constants),
            row: aligned(row).into(),
        }
    }

    /// The springs of banks, none of which is here, have been changed.
    pub fn renew(&mut self, members: &mut [Member]) {
        for home in self.homes.iter() {
            let Member { stepper, .. } = &mut members[home.member];
            // A row is known once it has been read.
            stepper.halfway();
            let Some((bank, row)) = stepper.as_lent() else { continue };
            home.modes.clone().zip(bank.constants()).for_each(|(i, mode)| self.bank.set_constants(i, mode));
            Arc::make_mut(&mut self.row)[home.modes.clone()].copy_from_slice(row);
        }
    }

    /// Lends it a bank that has taken a step by itself, if only its row can act in the next one.
    pub fn lend(&mut self, m: usize, member: &Member) {
        let Some(home) = self.of_members[m] else { return };
        let lent = member.stepper.lend(&mut self.bank, self.homes[home].modes.start);
        self.guests[home] = lent.map(|lent| Guest { lent, force: 0.0, sums: Sums::default() });
    }

    /// A bank goes home, if it is here.
    pub fn release(&mut self, m: usize, member: &mut Member) {
        let Some(home) = self.of_members[m] else { return };
        if let Some(guest) = self.guests[home].take() {
            member.stepper.take_back(&self.bank, self.homes[home].modes.start, &guest.lent);
        }
    }

    /// All go home.
    pub fn release_all(&mut self, members: &mut [Member]) {
        members.iter_mut().enumerate().for_each(|(m, member)| self.release(m, member));
    }

    /// The banks at home look like those that are here, which stay.
    pub fn show(&self, members: &mut [Member]) {
        for (Home { member, modes, .. }, guest) in self.homes.iter().zip(&self.guests) {
            if guest.is_some() {
                members[*member].stepper.look_at(&self.bank, modes.start);
            }
        }
    }

    /// Adds c·U of all that are here to the rows of joints.
    pub fn read(&self, halfway: &mut [f64]) {
        for (home, guest) in self.homes.iter().zip(&self.guests) {
            if let Some(guest) = guest {
                halfway[home.row] += guest.lent.halfway;
            }
        }
    }

    /// A step begins with these forces along rows: those go home that must take it there.
    pub fn begin(&mut self, forces: &[f64], members: &mut [Member]) {
        for home in 0..self.guests.len() {
            let Some(guest) = &mut self.guests[home] else { continue };
            let (member, row) = (self.homes[home].member, self.homes[home].row);
            guest.force = forces[row];
            if !guest.lent.begin_step(guest.force) {
                self.release(member, &mut members[member]);
            }
        }
    }

    /// The step of all that are here.
    pub fn step(&mut self) {
        dispatch!(self.level, simd => self.step_all(simd));
    }

    #[inline(always)]
    fn step_all<S: Simd>(&mut self, simd: S) {
        let Self { homes, guests, bank, row, .. } = self;
        simd.vectorize(
            #[inline(always)]
            || {
                for (home, guest) in homes.iter().zip(guests) {
                    let Some(guest) = guest else { continue };
                    let pull = Pull { row: &row[..], force: guest.force };
                    guest.sums = bank.step_some(simd, home.modes.clone(), pull);
                    guest.lent.end_step(&guest.sums);
                }
            },
        );
    }

    /// Whether a bank is here.
    pub fn has(&self, m: usize) -> bool {
        self.of_members[m].is_some_and(|home| self.guests[home].is_some())
    }

    /// What a bank lost in the step, if it took it here.
    pub fn dissipated(&self, m: usize) -> Option<f64> {
        let guest = &self.guests[self.of_members[m]?];
        guest.as_ref().map(|guest| guest.sums.dissipated)
    }
}

//! The forces of a contact of many parts over time: when and where along a body it is in contact.

use hamiltone_core::state::Archive;
use hamiltone_render::{Block, tuning};
use hamiltone_scene::plan::{ContactPlan, Plan};
use std::ops::Range;

/// A picture has at most twice as many columns.
const COLUMNS: usize = 1100;
/// The largest number of contacts shown.
const MAX_CONTACTS: usize = 4;
/// The length of the close-up, in periods of the lowest partial of the body.
const PERIODS: f64 = 4.0;

/// The forces of the parts of a contact, from t = 0.
pub struct ContactMap {
    /// The contact's number in the scene.
    pub contact: usize,
    /// Whether it is the close-up of the beginning.
    pub close_up: bool,
    /// Samples per column.
    pub every: u64,
    /// The largest force (N) of each part within each column, up to the last contact: columns × parts.
    pub forces: Vec<f64>,
    parts: Range<usize>,
    /// The last sample shown.
    end: u64,
}

impl ContactMap {
    /// Those of all contacts along bodies: one of the whole run, and a close-up of its beginning.
    pub fn all(plan: &Plan) -> Vec<Self> {
        let many = |(_, contact): &(usize, &ContactPlan)| contact.along.is_some() && contact.parts.len() > 1;
        let contacts = plan.contacts.iter().enumerate().filter(many).take(MAX_CONTACTS);
        contacts.flat_map(|(number, contact)| Self::of(plan, number, contact)).collect()
    }

    fn of(plan: &Plan, number: usize, contact: &ContactPlan) -> Vec<Self> {
        let body = contact.along.as_ref().and_then(|along| plan.bodies.iter().find(|b| b.name == along.body));
        let lowest = body.and_then(|body| {
            let theory = body.placed.representation.partial(1);
            theory.or_else(|| tuning::discrete(plan, body, 1).first().copied())
        });
        let beginning = lowest.map(|f| (PERIODS / f * plan.sample_rate).ceil() as u64);
        let new = |close_up, end| Self {
            contact: number,
            close_up,
            every: 1,
            forces: Vec::new(),
            parts: contact.parts.clone(),
            end,
        };
        beginning.map(|end| new(true, end)).into_iter().chain([new(false, u64::MAX)]).collect()
    }

    /// Adds a sample of the sound.
    pub fn post(&mut self, plan: &Plan, block: &Block) {
        let sample = block.last() / plan.oversampling as u64;
        let (contacts, parts) = (&block.contacts[self.parts.clone()], self.parts.len());
        if sample > self.end || contacts.iter().all(|contact| contact.impulse == 0.0) {
            return;
        }
        while sample / self.every >= 2 * COLUMNS as u64 {
            self.halve();
        }
        let column = (sample / self.every) as usize * parts;
        self.forces.resize(column + parts, 0.0);
        for (force, contact) in self.forces[column..].iter_mut().zip(contacts) {
            *force = force.max(plan.sample_rate * contact.impulse.abs());
        }
    }

    /// Goes through the columns, to write them into a checkpoint or to take them over.
    pub fn archive(&mut self, archive: &mut Archive) {
        archive.long(&mut self.every);
        archive.list(&mut self.forces);
    }

    /// Whether the numbers of a checkpoint can be those of a run.
    pub fn fits(&self) -> bool {
        let columns = self.forces.len() / self.parts.len();
        // A column of all samples of the longest sound is far below 2⁴⁸.
        columns * self.parts.len() == self.forces.len()
            && columns <= 2 * COLUMNS
            && self.every.is_power_of_two()
            && self.every < 1 << 48
    }

    /// Joins columns in pairs.
    fn halve(&mut self) {
        let parts = self.parts.len();
        let pairs = self.forces.chunks(2 * parts);
        let larger = |pair: &[f64], i: usize| pair[i].max(pair.get(parts + i).copied().unwrap_or(0.0));
        self.forces = pairs.flat_map(|pair| (0..parts).map(move |i| larger(pair, i))).collect();
        self.every *= 2;
    }

    /// The number of samples up to the last contact.
    pub fn length(&self) -> u64 {
        (self.forces.len() / self.parts.len()) as u64 * self.every
    }

    /// The number of parts.
    pub fn parts(&self) -> usize {
        self.parts.len()
    }
}

//! When and where a contact of many parts touches: the largest force of each part over time.

use crate::partials;
use hamiltone_render::Block;
use hamiltone_scene::plan::{ContactPlan, Plan};
use std::ops::Range;

/// A picture has at most twice as many instants.
const COLUMNS: usize = 1100;
/// The most contacts that are shown.
const CONTACTS: usize = 4;
/// How many periods of the body's lowest partial are shown from near.
const PERIODS: f64 = 4.0;

/// The forces of a contact's parts over a time that begins at t = 0.
pub struct Contactogram {
    /// The contact's number in the scene.
    pub contact: usize,
    /// Whether it is the beginning, from near.
    pub near: bool,
    /// Samples a column.
    pub every: u64,
    /// The largest force (N) of every part up to the last touch, one column after the other.
    pub forces: Vec<f64>,
    parts: Range<usize>,
    /// The last sample that is kept.
    end: u64,
}

impl Contactogram {
    /// Those of a plan's contacts along bodies: of the whole run and of its beginning.
    pub fn all(plan: &Plan) -> Vec<Self> {
        let many = |(_, contact): &(usize, &ContactPlan)| contact.along.is_some() && contact.parts.len() > 1;
        let contacts = plan.contacts.iter().enumerate().filter(many).take(CONTACTS);
        contacts.flat_map(|(number, contact)| Self::of(plan, number, contact)).collect()
    }

    fn of(plan: &Plan, number: usize, contact: &ContactPlan) -> Vec<Self> {
        let body = contact.along.as_ref().and_then(|along| plan.bodies.iter().find(|b| b.name == along.body));
        let lowest = body.and_then(|body| {
            let theory = body.placed.representation.partial(1);
            theory.or_else(|| partials::discrete(plan, body, 1).first().copied())
        });
        let beginning = lowest.map(|f| (PERIODS / f * plan.sample_rate).ceil() as u64);
        let new = |near, end| Self {
            contact: number,
            near,
            every: 1,
            forces: Vec::new(),
            parts: contact.parts.clone(),
            end,
        };
        beginning.map(|end| new(true, end)).into_iter().chain([new(false, u64::MAX)]).collect()
    }

    /// Enters a sample.
    pub fn post(&mut self, plan: &Plan, block: &Block) {
        let sample = block.last() / plan.oversampling as u64;
        let (touched, parts) = (&block.touched[self.parts.clone()], self.parts.len());
        if sample > self.end || touched.iter().all(|touched| touched.impulse == 0.0) {
            return;
        }
        while sample / self.every >= 2 * COLUMNS as u64 {
            self.halve();
        }
        let column = (sample / self.every) as usize * parts;
        self.forces.resize(column + parts, 0.0);
        for (force, touched) in self.forces[column..].iter_mut().zip(touched) {
            *force = force.max(plan.sample_rate * touched.impulse.abs());
        }
    }

    /// Makes one column of two.
    fn halve(&mut self) {
        let parts = self.parts.len();
        let pairs = self.forces.chunks(2 * parts);
        let larger = |pair: &[f64], i: usize| pair[i].max(pair.get(parts + i).copied().unwrap_or(0.0));
        self.forces = pairs.flat_map(|pair| (0..parts).map(move |i| larger(pair, i))).collect();
        self.every *= 2;
    }

    /// The number of the first sample after the last touch.
    pub fn length(&self) -> u64 {
        (self.forces.len() / self.parts.len()) as u64 * self.every
    }

    /// How many parts there are.
    pub fn parts(&self) -> usize {
        self.parts.len()
    }
}

//! When and where a contact of many parts touches: the largest force of each part over time.

use super::partials;
use crate::{
    plan::{ContactPlan, Plan},
    sinks::Block,
};
use std::ops::Range;

/// The most instants of a picture.
const COLUMNS: u64 = 1100;
/// The most contacts that are shown.
const CONTACTS: usize = 4;
/// How many periods of the body's lowest partial are shown from near.
const PERIODS: f64 = 4.0;

/// The forces of a contact's parts over a time that begins at t = 0.
pub(super) struct Contactogram {
    /// The contact's number in the scene.
    pub contact: usize,
    /// Samples a column.
    pub every: u64,
    /// The largest force (N) of every part, one column after the other.
    pub forces: Vec<f64>,
    parts: Range<usize>,
    /// The last sample.
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
        let frames = plan.frames as u64;
        let body = contact.along.as_ref().and_then(|along| plan.bodies.iter().find(|b| b.name == along.body));
        let lowest = body.and_then(|body| {
            let theory = body.placed.extent.as_ref().and_then(|extent| extent.partials.as_ref());
            theory.map(|partial| partial(1)).or_else(|| partials::discrete(plan, body, 1).first().copied())
        });
        let beginning = lowest.map(|f| (PERIODS / f * plan.sample_rate).ceil() as u64);
        let ends = beginning.filter(|end| 3 * end < 2 * frames).into_iter().chain([frames]);
        let new = |end: u64| Self {
            contact: number,
            every: end.div_ceil(COLUMNS).max(1),
            forces: Vec::new(),
            parts: contact.parts.clone(),
            end,
        };
        ends.map(new).collect()
    }

    /// Enters a sample.
    pub fn post(&mut self, plan: &Plan, block: &Block) {
        let sample = block.last() / plan.oversampling as u64;
        if sample > self.end {
            return;
        }
        let column = (sample / self.every) as usize * self.parts.len();
        self.forces.resize(column + self.parts.len(), 0.0);
        for (force, touched) in self.forces[column..].iter_mut().zip(&block.touched[self.parts.clone()]) {
            *force = force.max(plan.sample_rate * touched.impulse.abs());
        }
    }

    /// How many parts there are.
    pub fn parts(&self) -> usize {
        self.parts.len()
    }
}

//! The forces of contacts over time, at the rate of the sound: their impulses over its samples.

use hamiltone_render::Block;
use hamiltone_scene::plan::{ContactPlan, Plan};
use std::ops::Range;

/// The most contacts that are shown.
const CONTACTS: usize = 8;
/// The most samples that are kept of one: over a minute and a half at 44.1 kHz.
const SAMPLES: usize = 1 << 22;

/// The force of one contact over time.
pub struct Force {
    /// The contact's name.
    pub contact: String,
    /// N or Pa.
    pub unit: &'static str,
    /// One a sample of the sound.
    pub values: Vec<f64>,
    parts: Range<usize>,
}

impl Force {
    /// Those of a plan's contacts.
    pub fn all(plan: &Plan) -> Vec<Self> {
        let force = |contact: &ContactPlan| Self {
            contact: contact.name.clone(),
            unit: contact.measure.force(),
            values: Vec::new(),
            parts: contact.parts.clone(),
        };
        plan.contacts.iter().take(CONTACTS).map(force).collect()
    }

    /// Enters a sample.
    pub fn post(&mut self, plan: &Plan, block: &Block) {
        if self.values.len() < SAMPLES {
            let impulses = block.touched[self.parts.clone()].iter().map(|touched| touched.impulse);
            self.values.push(plan.sample_rate * impulses.sum::<f64>());
        }
    }
}

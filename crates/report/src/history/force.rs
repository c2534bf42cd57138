//! The forces of contacts over time, averaged over each sample of the sound: impulse × sample rate.

use hamiltone_render::Block;
use hamiltone_scene::plan::{ContactPlan, Plan};
use std::ops::Range;

/// The largest number of contacts shown.
const MAX_CONTACTS: usize = 8;
/// The largest number of samples kept of one: 95 s at 44.1 kHz.
const MAX_SAMPLES: usize = 1 << 22;

/// The force of one contact over time.
pub struct Force {
    /// The contact's name.
    pub contact: String,
    /// N or Pa.
    pub unit: &'static str,
    /// One for each sample of the sound.
    pub values: Vec<f64>,
    parts: Range<usize>,
}

impl Force {
    /// Those of the contacts of a plan.
    pub fn all(plan: &Plan) -> Vec<Self> {
        let force = |contact: &ContactPlan| Self {
            contact: contact.name.clone(),
            unit: contact.measure.force(),
            values: Vec::new(),
            parts: contact.parts.clone(),
        };
        plan.contacts.iter().take(MAX_CONTACTS).map(force).collect()
    }

    /// Adds a sample of the sound.
    pub fn post(&mut self, plan: &Plan, block: &Block) {
        if self.values.len() < MAX_SAMPLES {
            let impulses = block.contacts[self.parts.clone()].iter().map(|contact| contact.impulse);
            self.values.push(plan.sample_rate * impulses.sum::<f64>());
        }
    }
}

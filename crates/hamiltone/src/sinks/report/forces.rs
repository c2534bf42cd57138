//! The forces of contacts over time, at the rate of the sound: ΣV′(x)(1 + μẋ) of their parts.

use crate::{plan::Plan, sinks::Block};
use hamiltone_core::system::{Contact, System};
use std::ops::Range;

/// The most contacts that are shown.
const CONTACTS: usize = 8;
/// The most samples that are kept of one: over a minute and a half at 44.1 kHz.
const SAMPLES: usize = 1 << 22;

/// The force of one contact over time.
pub(super) struct Force {
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
        let force = |contact: &crate::plan::ContactPlan| Self {
            contact: contact.name.clone(),
            unit: contact.measure.force(),
            values: Vec::new(),
            parts: contact.parts.clone(),
        };
        plan.contacts.iter().take(CONTACTS).map(force).collect()
    }

    /// Enters the state after a block.
    pub fn post(&mut self, system: &System, block: &Block) {
        if self.values.len() < SAMPLES {
            let force = |contact: &Contact| {
                let Some(potential) = contact.law.potential() else { return 0.0 };
                let x = contact.row.dot(block.q) - contact.gap;
                if x <= potential.onset() {
                    return 0.0;
                }
                potential.force(x) * (1.0 + potential.loss() * contact.row.dot(block.v))
            };
            self.values.push(system.contacts[self.parts.clone()].iter().map(force).sum());
        }
    }
}

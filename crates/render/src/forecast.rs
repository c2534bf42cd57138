//! What a run will need, known before it: memory, and space for its files.
//!
//! Rows, channels and degrees of freedom determine the sizes. What does not grow with the duration, such as the model
//! itself, is left out.

use crate::decimate;
use hamiltone_scene::Plan;
use std::path::PathBuf;

/// What a run or one of its sinks needs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Forecast {
    /// Memory, bytes.
    pub memory: u128,
    /// The files and their sizes, bytes.
    pub files: Vec<(PathBuf, u128)>,
}

/// What a run of this plan needs whose sinks need this ([`crate::Sink::forecast`]).
pub fn forecast(plan: &Plan, sinks: impl IntoIterator<Item = Forecast>) -> Forecast {
    let channels = plan.pickups.len() as u128;
    let mut all = Forecast {
        memory: sound(plan) + channels * decimate::memory(plan.oversampling, plan.steps()),
        files: vec![],
    };
    for needs in sinks {
        all.memory += needs.memory;
        all.files.extend(needs.files);
    }
    all
}

/// The size of the sound in memory, bytes.
pub fn sound(plan: &Plan) -> u128 {
    8 * plan.frames as u128 * plan.pickups.len() as u128
}

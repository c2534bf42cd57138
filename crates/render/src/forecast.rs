//! What a run will need, known before it: memory, and space for its files.
//!
//! Rows, channels and degrees of freedom determine the sizes. The memory of the model itself is left out.

use crate::options::Storage;
use hamiltone_plan::{Plan, decimate, mix};
use std::path::PathBuf;

/// What a run or one of its sinks needs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Forecast {
    /// Memory, bytes.
    pub memory: u128,
    /// Temporary files, each in the folder of this file, and their sizes, bytes: they exist until all files are written.
    pub temporary: Vec<(PathBuf, u128)>,
    /// The files and their sizes, bytes.
    pub files: Vec<(PathBuf, u128)>,
}

/// What a run of this plan needs that keeps its samples so, and whose sinks need this ([`crate::Sink::forecast`]).
pub fn forecast(plan: &Plan, storage: &Storage, sinks: impl IntoIterator<Item = Forecast>) -> Forecast {
    let channels = plan.pickups.len() as u128;
    let mut all = Forecast {
        memory: channels * decimate::memory(plan.oversampling, plan.steps()),
        ..Forecast::default()
    };
    match storage {
        Storage::Memory => all.memory += sound(plan),
        Storage::Beside(path) => all.temporary.push((path.clone(), sound(plan))),
    }
    sinks.into_iter().for_each(|needs| all.add(needs));
    all
}

impl Forecast {
    /// What this and something else need together.
    pub fn add(&mut self, other: Self) {
        self.memory += other.memory;
        self.temporary.extend(other.temporary);
        self.files.extend(other.files);
    }
}

/// What a performance of this plan needs whose samples are in a temporary file beside `path`, besides its outputs: it keeps the channels
/// of its buses, which are mixed while it is played, and no pickups.
pub fn performance(plan: &Plan, path: PathBuf) -> Forecast {
    let channels: usize = mix::live(plan).iter().map(Vec::len).sum();
    Forecast { temporary: vec![(path, 8 * plan.frames as u128 * channels as u128)], ..Forecast::default() }
}

/// The size of the samples of the sound, bytes.
pub fn sound(plan: &Plan) -> u128 {
    8 * plan.frames as u128 * plan.pickups.len() as u128
}

//! A release: the force of a press goes back to 0,
//!
//!   f(t) = f₀ (1 + cos(π(t − t₀)/T))/2
//!
//! f₀ (N) being the force there when the release begins, at t₀.

use super::{
    gesture::{GestureEntry, Target},
    held::{Back, RAMP},
};
use hamiltone_core::parameter::{Entry, Kind};

/// The line of the catalogue.
pub const ENTRY: GestureEntry = GestureEntry {
    target: Target::Place,
    entry: Entry {
        kind: Kind {
            name: "release",
            summary: "the end of a press: its force goes back to 0",
            equation: "f(t) = f₀ (1 + cos(π(t − t₀)/T))/2, then 0",
            source: "–",
            parameters: &[RAMP],
            rules: &[],
        },
        make: Back::of,
    },
};

//! Undamping: the resistance of a damper goes back to that of its contact,
//!
//!   r(t) = r₀ + (r₁ − r₀) s((t − t₀)/T),   s(a) = (1 − cos πa)/2
//!
//! r₀ (N s/m) is the resistance when it begins, at t₀, and r₁ the `resistance` of `[contact.NAME]`, 0 where it has none.

use super::{
    gesture::{GestureEntry, Target},
    held::{Back, RAMP},
};
use hamiltone_core::parameter::{Entry, Kind};

/// The line of the catalogue.
pub const ENTRY: GestureEntry = GestureEntry {
    target: Target::Control,
    entry: Entry {
        kind: Kind {
            name: "undamp",
            summary: "the end of damping: the resistance goes back to that of the contact itself",
            equation: "r(t) = r₀ + (r₁ − r₀)(1 − cos(π(t − t₀)/T))/2, then r₁, the contact's own",
            source: "–",
            parameters: &[RAMP],
            rules: &[],
        },
        make: Back::of,
    },
};

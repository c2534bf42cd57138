//! A bow that goes nearer to the bridge, or away from it, in a ramp,
//!
//!   a(t) = a₀ + (a − a₀) s((t − t₀)/T),   s(x) = (1 − cos πx)/2
//!
//! a is the part of the path from the place in `between` of the contact, 0, to that of its `moves_to`, 1; a₀ is where the bow is when it begins, at t₀. It
//! supplies no energy: friction acts across the path.

use super::{
    gesture::{GestureEntry, Target},
    held::{Held, RAMP, amount_or_curve, curve},
};
use hamiltone_core::parameter::{Absent, Entry, Kind, Parameter, Range, Role, Takes};

const PART: Range = Range { min: 0.0, max: 1.0, open: false };

/// The line of the catalogue.
pub const ENTRY: GestureEntry = GestureEntry {
    target: Target::Shifted,
    entry: Entry {
        kind: Kind {
            name: "shift",
            summary: "the place of a bow is reached in a ramp: nearer to the bridge (sul ponticello), over the fingerboard (sul tasto), or nearer as the string is stopped shorter",
            equation: "a(t) = a₀ + (a − a₀)(1 − cos(π(t − t₀)/T))/2, then a",
            source: "–",
            parameters: &[
                Parameter {
                    name: "part",
                    takes: Takes::Number(Role::Number, PART),
                    absent: Absent::Rule,
                    doc: "a: the part of the path from the place in `between` of the contact, 0, to that in `moves_to`, 1",
                },
                RAMP,
                curve(
                    Role::Number,
                    PART,
                    "pairs of the time since `time` and the part, straight between them, whose end is held",
                ),
            ],
            rules: &[amount_or_curve("where the bow goes", &[&["part", "ramp"], &["curve"]])],
        },
        make: |values| Held::of(values, "part"),
    },
};

//! A movement: the obstacle of a contact is moved in a ramp and stays,
//!
//!   h(t) = h₀ + (h − h₀) s((t − t₀)/T),   s(a) = (1 − cos πa)/2,   x = first − second − gap − h(t)
//!
//! h₀ (m) is its position when it begins, at t₀; 0 is where the contact has it. The work −f ḣ of the contact's force is
//! supplied energy.

use super::{
    gesture::{GestureEntry, Target},
    held::{Held, RAMP, amount_or_curve, curve},
};
use hamiltone_core::parameter::{Absent, Entry, Kind, Parameter, Range, Role, Takes};

/// The line of the catalogue.
pub const ENTRY: GestureEntry = GestureEntry {
    target: Target::Obstacle,
    entry: Entry {
        kind: Kind {
            name: "move",
            summary: "the obstacle of a contact moves and stays: a finger that lifts, a fret or a bridge that is shifted",
            equation: "h(t) = h₀ + (h − h₀)(1 − cos(π(t − t₀)/T))/2, then h;  x = first − second − gap − h(t)",
            source: "–",
            parameters: &[
                Parameter {
                    name: "position",
                    takes: Takes::Number(Role::Displacement, Range::ANY),
                    absent: Absent::Rule,
                    doc: "h, added to the gap of the contact: 0 is where the contact has its obstacle",
                },
                RAMP,
                curve(
                    Role::Displacement,
                    Range::ANY,
                    "pairs of the time since `time` and the position, straight between them, whose end is held",
                ),
            ],
            rules: &[amount_or_curve("where it goes", &[&["position", "ramp"], &["curve"]])],
        },
        make: |values| Held::of(values, "position"),
    },
};

//! Blowing: the pressure in the mouth is reached in a ramp and held,
//!
//!   p(t) = p₀ + (p − p₀) s((t − t₀)/T),   s(a) = (1 − cos πa)/2
//!
//! p₀ (Pa) is the pressure when it begins, at t₀. What the player supplies is the flow into the bore times it, at a jet
//! the flow of the jet times it.

use super::{
    gesture::{GestureEntry, Target},
    held::{Held, RAMP, amount_or_curve, curve},
};
use hamiltone_core::parameter::{Absent, Entry, Kind, Parameter, Range, Role, Takes};

/// Pressures that a player or a bellows could make, Pa; negative ones draw.
const PRESSURES: Range = Range { min: -1e5, max: 1e5, open: false };

/// The line of the catalogue.
pub const ENTRY: GestureEntry = GestureEntry {
    target: Target::Blown,
    entry: Entry {
        kind: Kind {
            name: "blow",
            summary: "the pressure in the mouth of a player is reached in a ramp and held; 0 ends it",
            equation: "p(t) = p₀ + (p − p₀)(1 − cos(π(t − t₀)/T))/2, then p",
            source: "Fuks & Sundberg 1999: pressures of players of reed instruments",
            parameters: &[
                Parameter {
                    name: "pressure",
                    takes: Takes::Number(Role::Pressure, PRESSURES),
                    absent: Absent::Rule,
                    doc: "p at the contact, which has the law `reed`, `lips` or `jet`; a jet needs p > 0",
                },
                RAMP,
                curve(
                    Role::Pressure,
                    PRESSURES,
                    "pairs of the time since `time` and the pressure, straight between them, whose end is held",
                ),
            ],
            rules: &[amount_or_curve("how strongly it is blown", &[&["pressure", "ramp"], &["curve"]])],
        },
        make: |values| Held::of(values, "pressure"),
    },
};

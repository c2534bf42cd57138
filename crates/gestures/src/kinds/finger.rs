//! Fingers on the holes of a wind, its valves or its slide: the reed or the lips go from one bore to another in a ramp,
//!
//!   n(t) = n₀ + (n − n₀) s((t − t₀)/T),   s(a) = (1 − cos πa)/2
//!
//! n counts the bores of the contact, 0 being that in `between` and 1, 2, … those of `fingerings`; between two whole numbers the air of both takes part with the weights √(1 − f)
//! and √f, f being what n lies beyond the first. n₀ is where it is when it begins, at t₀. It supplies no energy, and the air of a bore that is left rings on.

use super::{
    gesture::{GestureEntry, Target},
    held::{Held, RAMP, amount_or_curve, curve},
};
use hamiltone_core::parameter::{Absent, Entry, Kind, Parameter, Range, Role, Takes};

/// The line of the catalogue.
pub const ENTRY: GestureEntry = GestureEntry {
    target: Target::Fingered,
    entry: Entry {
        kind: Kind {
            name: "finger",
            summary: "the bore on which a reed, lips or a jet play is reached in a ramp: fingers on holes, valves or a slide",
            equation: "n(t) = n₀ + (n − n₀)(1 − cos(π(t − t₀)/T))/2, then n;  weights √(1 − f) and √f of the bores around n",
            source: "–",
            parameters: &[
                Parameter {
                    name: "bore",
                    takes: Takes::Number(Role::Number, Range::NOT_NEGATIVE),
                    absent: Absent::Rule,
                    doc: "n: 0 is the bore in `between` of the contact, 1 the first of its `fingerings`",
                },
                RAMP,
                curve(
                    Role::Number,
                    Range::NOT_NEGATIVE,
                    "pairs of the time since `time` and the bore, straight between them, whose end is held",
                ),
            ],
            rules: &[amount_or_curve("which bore it plays", &[&["bore", "ramp"], &["curve"]])],
        },
        make: |values| Held::of(values, "bore"),
    },
};

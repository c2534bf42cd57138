//! Damping: the resistance of a damper is reached in a ramp and held,
//!
//!   r(t) = r₀ + (r − r₀) s((t − t₀)/T),   s(a) = (1 − cos πa)/2,   f = r(t) ẋ
//!
//! r₀ (N s/m) is the resistance when it begins, at t₀. It supplies no energy: the damper dissipates r(t) ẋ² ≥ 0.

use super::{
    gesture::{GestureEntry, Target},
    held::{Held, RAMP, amount_or_curve, curve},
};
use hamiltone_core::parameter::{Absent, Entry, Kind, Parameter, Range, Role, Takes};

/// The line of the catalogue.
pub const ENTRY: GestureEntry = GestureEntry {
    target: Target::Control,
    entry: Entry {
        kind: Kind {
            name: "damp",
            summary: "the resistance of a damper is reached in a ramp and held: felt that falls on a string, a palm",
            equation: "r(t) = r₀ + (r − r₀)(1 − cos(π(t − t₀)/T))/2, then r;  f = r(t) ẋ",
            source: "passive for every r(t) ≥ 0 (see `damper`)",
            parameters: &[
                Parameter {
                    name: "resistance",
                    takes: Takes::Number(Role::Resistance, Range::NOT_NEGATIVE),
                    absent: Absent::Rule,
                    doc: "r of the contact, which has the law `damper`",
                },
                RAMP,
                curve(
                    Role::Resistance,
                    Range::NOT_NEGATIVE,
                    "pairs of the time since `time` and the resistance, straight between them, whose end is held",
                ),
            ],
            rules: &[amount_or_curve("how strongly it damps", &[&["resistance", "ramp"], &["curve"]])],
        },
        make: |values| Held::of(values, "resistance"),
    },
};

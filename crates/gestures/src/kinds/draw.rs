//! Drawing: the speed of a bow is reached in a ramp and held,
//!
//!   v(t) = v₀ + (v − v₀) s((t − t₀)/T),   s(a) = (1 − cos πa)/2,   w = d/dt(first − second) − v
//!
//! v₀ (m/s) is the speed when it begins, at t₀. A negative speed draws the other way. The work F v of the friction F is supplied energy.

use super::{
    gesture::{GestureEntry, Target},
    held::{Held, RAMP, amount_or_curve, curve},
};
use hamiltone_core::parameter::{Absent, Entry, Kind, Parameter, Range, Role, Takes};

/// The line of the catalogue.
pub const ENTRY: GestureEntry = GestureEntry {
    target: Target::Rate,
    entry: Entry {
        kind: Kind {
            name: "draw",
            summary: "the speed of a bow is reached in a ramp and held; a negative one draws the other way",
            equation: "v(t) = v₀ + (v − v₀)(1 − cos(π(t − t₀)/T))/2, then v;  w = d/dt(first − second) − v",
            source: "–",
            parameters: &[
                Parameter {
                    name: "speed",
                    takes: Takes::Number(Role::Velocity, Range::ANY),
                    absent: Absent::Rule,
                    doc: "v of the hair of the contact, which has the law of a bow",
                },
                RAMP,
                curve(
                    Role::Velocity,
                    Range::ANY,
                    "pairs of the time since `time` and the speed, straight between them, whose end is held",
                ),
            ],
            rules: &[amount_or_curve("how fast it is drawn", &[&["speed", "ramp"], &["curve"]])],
        },
        make: |values| Held::of(values, "speed"),
    },
};

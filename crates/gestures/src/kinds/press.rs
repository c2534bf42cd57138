//! A press: a force that is reached in a ramp and held,
//!
//!   f(t) = f₀ + (F − f₀) s((t − t₀)/T),   s(a) = (1 − cos πa)/2
//!
//! f₀ (N) is the force there when the press begins, at t₀. It mostly acts on a finger: a body of its own, with the mass
//! and the spring of a hand, that a contact presses against a string. Its work f u_t is supplied energy.

use super::{
    gesture::{GestureEntry, Target},
    held::{Held, RAMP, amount_or_curve, curve},
};
use hamiltone_core::parameter::{Absent, Entry, Kind, Parameter, Range, Role, Takes};

/// The line of the catalogue.
pub const ENTRY: GestureEntry = GestureEntry {
    target: Target::Place,
    entry: Entry {
        kind: Kind {
            name: "press",
            summary: "a force that is reached in a ramp and held: a finger that presses, a hand on a pedal",
            equation: "f(t) = f₀ + (F − f₀)(1 − cos(π(t − t₀)/T))/2, then F",
            source: "–",
            parameters: &[
                Parameter {
                    name: "force",
                    takes: Takes::Number(Role::Drive, Range::ANY),
                    absent: Absent::Rule,
                    doc: "F (a pressure on a body per unit area or on air); positive along the body's displacement",
                },
                RAMP,
                curve(
                    Role::Drive,
                    Range::ANY,
                    "pairs of the time since `time` and the force, straight between them, whose end is held",
                ),
            ],
            rules: &[amount_or_curve("how strongly it presses", &[&["force", "ramp"], &["curve"]])],
        },
        make: |values| Held::of(values, "force"),
    },
};

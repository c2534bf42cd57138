//! Bowing: the force with which a bow presses is reached in a ramp and held,
//!
//!   N(t) = N₀ + (N − N₀) s((t − t₀)/T),   s(a) = (1 − cos πa)/2
//!
//! N₀ (N) is the force when it begins, at t₀; 0 lifts the bow. It supplies no energy: what the string gets is the work of the drawn hair (`draw`).

use super::{
    gesture::{GestureEntry, Target},
    held::{Held, RAMP, amount_or_curve, curve},
};
use hamiltone_core::parameter::{Absent, Entry, Kind, Parameter, Range, Role, Takes};

/// The line of the catalogue.
pub const ENTRY: GestureEntry = GestureEntry {
    target: Target::Pressed,
    entry: Entry {
        kind: Kind {
            name: "bow",
            summary: "the force with which a bow presses is reached in a ramp and held; 0 lifts it",
            equation: "N(t) = N₀ + (N − N₀)(1 − cos(π(t − t₀)/T))/2, then N",
            source: "Schelleng 1973, J. Acoust. Soc. Am. 53: which forces play",
            parameters: &[
                Parameter {
                    name: "force",
                    takes: Takes::Number(Role::Force, Range::NOT_NEGATIVE),
                    absent: Absent::Rule,
                    doc: "N of the contact, which has the law of a bow",
                },
                RAMP,
                curve(
                    Role::Force,
                    Range::NOT_NEGATIVE,
                    "pairs of the time since `time` and the force, straight between them, whose end is held",
                ),
            ],
            rules: &[amount_or_curve("how strongly it presses", &[&["force", "ramp"], &["curve"]])],
        },
        make: |values| Held::of(values, "force"),
    },
};

//! The embouchure: lips press a reed towards its lay, or a tongue closes it, so that its opening is reached in a ramp and held; at a jet,
//! how far away the edge is,
//!
//!   H(t) = H₀ + (H − H₀) s((t − t₀)/T),   s(a) = (1 − cos πa)/2
//!
//! H₀ (m) is the opening when it begins, at t₀. It supplies no energy.

use super::{
    gesture::{GestureEntry, Target},
    held::{Held, RAMP, amount_or_curve, curve},
};
use hamiltone_core::parameter::{Absent, Entry, Kind, Parameter, Range, Role, Takes};

/// Openings, and distances of a jet, m; a law takes the nearest that it allows.
const OPENINGS: Range = Range { min: 0.0, max: 0.1, open: false };

/// The line of the catalogue.
pub const ENTRY: GestureEntry = GestureEntry {
    target: Target::Opened,
    entry: Entry {
        kind: Kind {
            name: "embouchure",
            summary: "the opening of a reed or of lips without pressure, or the distance of the edge from where a jet begins, is reached in a ramp and held; at 0 a tongue closes a reed or lips",
            equation: "H(t) = H₀ + (H − H₀)(1 − cos(π(t − t₀)/T))/2, then H;  h = [H + x]₊",
            source: "Chaigne & Kergomard 2016, ch. 9",
            parameters: &[
                Parameter {
                    name: "opening",
                    takes: Takes::Number(Role::Length, OPENINGS),
                    absent: Absent::Rule,
                    doc: "H of the contact, which has the law `reed` or `lips`; W of one with the law `jet`",
                },
                RAMP,
                curve(
                    Role::Length,
                    OPENINGS,
                    "pairs of the time since `time` and the opening, straight between them, whose end is held",
                ),
            ],
            rules: &[amount_or_curve("how far it is open", &[&["opening", "ramp"], &["curve"]])],
        },
        make: |values| Held::of(values, "opening"),
    },
};

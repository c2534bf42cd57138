//! A bend: the tension of a string is changed in a ramp and held,
//!
//!   u(t) = u₀ + (u − u₀) s((t − t₀)/T),   s(a) = (1 − cos πa)/2,   u = K₁(2^(s/6) − 1)/B₁
//!
//! by a finger that pulls the string aside, a tremolo arm or a peg. u (N, of a membrane N/m) is added to the tension at rest, so that the first mode goes by s
//! semitones: K₁ (N/m) is its stiffness and B₁ (m) what it gains of it with the tension. What the player works against the tension is supplied energy.

use super::{
    gesture::{Acted, Gesture, GestureEntry, Target},
    held::{RAMP, amount_or_curve, curve},
};
use crate::shape::Shape;
use hamiltone_core::parameter::{Absent, Complaint, Entry, Kind, Parameter, Range, Role, Takes};

/// A string an octave lower is nearly slack; half an octave above it has twice its tension, up to which steps bear it.
const SEMITONES: Range = Range { min: -12.0, max: 6.0, open: false };

/// The line of the catalogue.
pub const ENTRY: GestureEntry = GestureEntry {
    target: Target::Strained,
    entry: Entry {
        kind: Kind {
            name: "bend",
            summary: "the tension of a string or membrane is changed in a ramp: a bent string, a tremolo arm, a peg, the pedal of timpani",
            equation: "u(t) = u₀ + (u − u₀)(1 − cos(π(t − t₀)/T))/2, then u;  u = K₁(2^(s/6) − 1)/B₁",
            source: "–",
            parameters: &[
                Parameter {
                    name: "semitones",
                    takes: Takes::Number(Role::Number, SEMITONES),
                    absent: Absent::Rule,
                    doc: "s, by how much the first mode is above its pitch at rest",
                },
                RAMP,
                curve(
                    Role::Number,
                    SEMITONES,
                    "pairs of the time since `time` and the semitones, straight in the tension between them, whose end is held",
                ),
            ],
            rules: &[amount_or_curve("how far it bends", &[&["semitones", "ramp"], &["curve"]])],
        },
        make: |values| {
            Ok(Box::new(match values.pairs("curve") {
                Some(points) => Bend::Curve(points.into()),
                None => Bend::Level(values.required("semitones")?, values.required(RAMP.name)?),
            }))
        },
    },
};

/// Semitones, reached in a ramp (s), or by a curve.
enum Bend {
    Level(f64, f64),
    Curve(Vec<(f64, f64)>),
}

impl Gesture for Bend {
    fn on(&self, acted: &Acted<'_>) -> Result<Shape, Complaint> {
        let tension = |semitones: f64| {
            (acted.bend)(semitones).map_err(|message| Complaint::new(Target::Strained.key(), message))
        };
        Ok(match self {
            Bend::Level(semitones, ramp) => Shape::Level { value: tension(*semitones)?, ramp: *ramp },
            Bend::Curve(points) => {
                let points: Result<Vec<_>, _> = points.iter().map(|(t, s)| Ok((*t, tension(*s)?))).collect();
                Shape::Curve { points: points?.into() }
            }
        })
    }
}

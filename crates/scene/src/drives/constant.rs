//! A force that never changes: u(t) = value.

use super::driving::Driving;
use hamiltone_core::parameter::{Absent, Entry, Kind, Parameter, Range, Role, Takes};
use hamiltone_plan::Signal;

/// The registry's line.
pub const ENTRY: Entry<Driving> = Entry {
    kind: Kind {
        name: "constant",
        summary: "a constant force",
        equation: "u(t) = value",
        source: "–",
        parameters: &[Parameter {
            name: "value",
            takes: Takes::Number(Role::Drive, Range::ANY),
            absent: Absent::Required,
            doc: "the force (a pressure on a body per unit area or on air); positive along the body's displacement",
        }],
        rules: &[],
    },
    make: |values| Ok(Driving::Force(Box::new(Constant(values.required("value")?)))),
};

struct Constant(f64);

impl Signal for Constant {
    fn value(&self, _: f64) -> f64 {
        self.0
    }
}

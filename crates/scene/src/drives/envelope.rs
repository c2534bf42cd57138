//! A curve through points (tᵢ, xᵢ), straight between them and level outside:
//!
//!   x(t) = xᵢ + (xᵢ₊₁ − xᵢ)(t − tᵢ)/(tᵢ₊₁ − tᵢ),   tᵢ ≤ t ≤ tᵢ₊₁
//!
//! As a drive of its own it is a force; as the `envelope` of another drive it is
//! a factor, u(t)·x(t).

use super::driving::Driving;
use hamiltone_core::parameter::{Absent, Complaint, Entry, Kind, Parameter, Range, Role, Takes, Values};
use hamiltone_numerics::piecewise::linear;
use hamiltone_plan::Signal;

/// The registry's line.
pub const ENTRY: Entry<Driving> = Entry {
    kind: Kind {
        name: "envelope",
        summary: "a force, piecewise linear through given points (t, u)",
        equation: "u(t) = uᵢ + (uᵢ₊₁ − uᵢ)(t − tᵢ)/(tᵢ₊₁ − tᵢ);  level before the first and after the last point",
        source: "–",
        parameters: &[Parameter {
            name: "points",
            takes: Takes::Curve { x: (Role::Time, Range::ANY), y: (Role::Drive, Range::ANY), least: 1 },
            absent: Absent::Required,
            doc: "pairs of time and force (a pressure on a body per unit area or on air), times ascending",
        }],
        rules: &[],
    },
    make: |values| Ok(Driving::Force(Box::new(EnvelopeCurve::new(values, "points")))),
};

/// The parameter with which another drive takes an envelope.
pub const ENVELOPE: Parameter = Parameter {
    name: "envelope",
    takes: Takes::Curve { x: (Role::Time, Range::ANY), y: (Role::Number, Range::ANY), least: 1 },
    absent: Absent::Optional("the drive keeps its strength"),
    doc: "pairs of time and factor, times ascending: the drive is multiplied by straight lines through them",
};

/// `signal`, multiplied by the `envelope` where one is given.
pub fn shaped(signal: impl Signal + 'static, values: &Values) -> Result<Driving, Complaint> {
    if values.pairs(ENVELOPE.name).is_some() {
        Ok(Driving::Force(Box::new(Shaped(signal, EnvelopeCurve::new(values, ENVELOPE.name)))))
    } else {
        Ok(Driving::Force(Box::new(signal)))
    }
}

struct Shaped<S>(S, EnvelopeCurve);

impl<S: Signal> Signal for Shaped<S> {
    fn value(&self, t: f64) -> f64 {
        self.0.value(t) * self.1.value(t)
    }
}

struct EnvelopeCurve(Vec<(f64, f64)>);

impl EnvelopeCurve {
    fn new(values: &Values, name: &str) -> Self {
        Self(values.pairs(name).unwrap_or_default().to_vec())
    }
}

impl Signal for EnvelopeCurve {
    fn value(&self, t: f64) -> f64 {
        linear(&self.0, t)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn straight_between_and_level_outside() {
        let curve = EnvelopeCurve(vec![(1.0, 2.0), (3.0, -2.0)]);
        for (t, x) in [(0.0, 2.0), (1.0, 2.0), (1.5, 1.0), (2.0, 0.0), (3.0, -2.0), (9.0, -2.0)] {
            assert_eq!(curve.value(t), x, "{t}");
        }
    }

    #[test]
    fn times_that_do_not_ascend_are_refused() {
        let values = |points: Vec<(f64, f64)>| Values::default().with("points", points);
        assert!(ENTRY.build(&values(vec![(0.0, 1.0), (0.1, 2.0)])).is_ok());
        assert!(ENTRY.build(&values(vec![(0.0, 1.0), (0.0, 2.0)])).is_err());
        assert!(ENTRY.build(&values(vec![])).is_err());
    }
}

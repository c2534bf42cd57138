//! What gestures have in common that reach a level and hold it: an amount, reached in a ramp, or a curve.

use super::gesture::{Acted, Gesture};
use crate::shape::Shape;
use hamiltone_core::parameter::{Absent, Complaint, OneOf, Parameter, Range, Role, Rule, Takes, Values};

/// The parameter of a ramp.
pub const RAMP: Parameter = Parameter {
    name: "ramp",
    takes: Takes::Number(Role::Time, Range::POSITIVE),
    absent: Absent::Number(0.01),
    doc: "T, how long it takes from the level before, by a raised cosine",
};

/// The parameter of a curve in place of an amount of this role and range.
pub const fn curve(role: Role, range: Range, doc: &'static str) -> Parameter {
    let takes = Takes::Curve { x: (Role::Time, Range::NOT_NEGATIVE), y: (role, range), least: 1 };
    Parameter { name: "curve", takes, absent: Absent::Rule, doc }
}

/// An amount with its ramp, or a curve.
pub const fn amount_or_curve(states: &'static str, alternatives: &'static [&'static [&'static str]]) -> Rule {
    Rule::OneOf(OneOf { states, alternatives, required: true })
}

/// A level, reached in a ramp or by a curve.
pub struct Held(Shape);

impl Held {
    /// The level of the parameter of this name, or the curve.
    pub fn of(values: &Values, amount: &'static str) -> Result<Box<dyn Gesture>, Complaint> {
        let shape = match values.pairs("curve") {
            Some(points) => Shape::Curve { points: points.into() },
            None => Shape::Level { value: values.required(amount)?, ramp: values.required(RAMP.name)? },
        };
        Ok(Box::new(Self(shape)))
    }
}

impl Gesture for Held {
    fn on(&self, _: &Acted<'_>) -> Result<Shape, Complaint> {
        Ok(self.0.clone())
    }
}

/// A level that goes back to that of the input itself.
pub struct Back {
    ramp: f64,
}

impl Back {
    /// In the ramp that the values have.
    pub fn of(values: &Values) -> Result<Box<dyn Gesture>, Complaint> {
        Ok(Box::new(Self { ramp: values.required(RAMP.name)? }))
    }
}

impl Gesture for Back {
    fn on(&self, acted: &Acted<'_>) -> Result<Shape, Complaint> {
        Ok(Shape::Level { value: acted.own, ramp: self.ramp })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kinds::catalogue;

    fn shape(kind: &'static str, values: &Values, own: f64) -> Shape {
        let line = catalogue().iter().find(|line| line.entry.kind.name == kind).unwrap();
        let mut all = Values::defaults(line.entry.kind.parameters);
        values.iter().for_each(|(name, value)| all.set(name, value.clone()));
        let acted =
            Acted { own, mass: None, compliance: &|| Err(String::new()), bend: &|_| Err(String::new()) };
        line.entry.build(&all).unwrap().on(&acted).unwrap()
    }

    #[test]
    fn levels_are_reached_and_left() {
        let press = shape("press", &Values::default().with("force", 3.0), 0.0);
        assert_eq!(press, Shape::Level { value: 3.0, ramp: 0.01 });
        // A damper goes back to the resistance of its contact.
        let undamp = shape("undamp", &Values::default().with("ramp", 0.5), 0.25);
        assert_eq!(undamp, Shape::Level { value: 0.25, ramp: 0.5 });
        let points = vec![(0.0, 0.0), (0.01, 1e-3)];
        let lift = shape("move", &Values::default().with("curve", points.clone()), 0.0);
        assert_eq!(lift, Shape::Curve { points: points.into() });
    }
}

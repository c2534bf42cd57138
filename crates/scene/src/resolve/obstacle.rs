//! Obstacles along a body: a curve with a contact at every point of the body that it reaches, or frets at single points.
//!
//! A curve is a height b(x) (m) from one x to another, flat at 0 unless a shape is given. Each shape is one file; a
//! scene gives one of them.

mod frets;
mod parabola;
mod profile;

use crate::document::section::Section;
use hamiltone_core::parameter::{Complaint, OneOf, Parameter, Rule, Values};

/// The shapes, as a contact's parameters.
pub const PARAMETERS: &[Parameter] =
    &[profile::PROFILE, profile::INTERPOLATION, parabola::PARABOLA, frets::FRETS, frets::EQUAL_FRETS];

/// A contact takes one of them; `interpolation` is of a profile.
pub const RULES: &[Rule] = &[Rule::OneOf(OneOf {
    states: "the shape of the obstacle",
    alternatives: &[
        &[profile::PROFILE.name, profile::INTERPOLATION.name],
        &[parabola::PARABOLA.name],
        &[frets::FRETS.name],
        &[frets::EQUAL_FRETS.name],
    ],
    required: false,
})];

/// What makes an obstacle of a shape's values along a body of some length, m.
type ReadShape = fn(&Values, f64) -> Result<Obstacle, Complaint>;

/// The shapes, of which a scene gives one.
const SHAPES: [(&str, ReadShape); 4] = [
    (profile::PROFILE.name, |values, _| Ok(Obstacle::Curve(profile::read(values)))),
    (parabola::PARABOLA.name, |values, _| parabola::read(values).map(Obstacle::Curve)),
    (frets::FRETS.name, |values, _| frets::list(values).map(Obstacle::Points)),
    (frets::EQUAL_FRETS.name, |values, length| frets::equal(values, length).map(Obstacle::Points)),
];
/// Those that say at which points contacts lie.
const POINTS: [&str; 2] = [frets::FRETS.name, frets::EQUAL_FRETS.name];

/// The shape of an obstacle along a body.
pub enum Obstacle {
    /// The height at x, m; `None` where it does not reach.
    Curve(Box<dyn Fn(f64) -> Option<f64>>),
    /// Points (x, height), m.
    Points(Vec<(f64, f64)>),
}

impl Obstacle {
    /// What the values say of the shape along a body of this length, m.
    ///
    /// # Errors
    /// A [`Complaint`] about the parameter that is wrong.
    pub fn read(section: &Section<'_>, values: &Values, length: f64) -> Result<Self, Complaint> {
        let shape = SHAPES.iter().find(|(name, _)| section.table.contains_key(*name));
        match shape {
            Some((_, read)) => read(values, length),
            None => Ok(Obstacle::Curve(Box::new(|_| Some(0.0)))),
        }
    }
}

/// The first shape that a section gives, if it gives one.
pub fn given(section: &Section<'_>) -> Option<&'static str> {
    SHAPES.into_iter().map(|(name, _)| name).find(|name| section.table.contains_key(*name))
}

/// Whether a section names points, each with a law of its own rather than one per unit length.
pub fn of_points(section: &Section<'_>) -> bool {
    POINTS.iter().any(|name| section.table.contains_key(*name))
}

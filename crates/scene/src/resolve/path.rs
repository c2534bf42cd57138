//! What a contact along a body follows: a string or bar from end to end, or a straight line on a surface.
//!
//! `along = ["0.2,0.5", "0.8,0.5"]` names the two ends of a line on a surface, each as after `@`. x (m) counts from the
//! left end of a string or bar, or from the first end of the line.

use super::{
    frame::{Form, Key},
    places::{Named, NoPlace, place_on},
    stages::Bodies,
};
use crate::document::{problem::Problem, section::Section};
use hamiltone_core::{
    body::{Placed, Sample},
    geometry::{Geometry, Place, Position},
    row::Row,
};
use std::sync::Arc;

/// The line on a surface.
pub const ALONG: Key = Key {
    name: "along",
    required: false,
    form: Form::Points,
    example: "[\"0.2,0.5\", \"0.8,0.5\"]",
    doc: "for a surface that `between` names without @: the two ends of the straight line along which the contact lies, each as after @; its law is then per unit length",
};

/// A line on a body.
pub struct Path {
    /// The body's name.
    pub body: String,
    /// Its length, m.
    pub length: f64,
    placed: Arc<Placed>,
    /// Of a surface, the ends of the line.
    ends: Option<[Position; 2]>,
}

/// A sample point of a path.
pub struct PathSample {
    /// Where it lies along the path, m.
    pub x: f64,
    /// The point.
    pub sample: Sample,
}

impl Path {
    /// Whether it follows a string or bar from end to end.
    pub fn is_line(&self) -> bool {
        self.ends.is_none()
    }

    /// The sample points in order, each with the length that it stands for.
    pub fn samples(&self) -> Vec<PathSample> {
        match self.ends {
            None => match self.placed.modal.as_ref().and_then(|modal| modal.pieces) {
                Some(count) => self.ends_of_pieces(count),
                None => {
                    let samples = self.placed.representation.samples().into_iter();
                    samples.map(|sample| PathSample { x: sample.at[0], sample }).collect()
                }
            },
            Some([from, to]) => {
                let samples = self.placed.samples_between(from, to).into_iter().enumerate();
                samples
                    .map(|(i, sample)| PathSample { x: (i as f64 + 0.5) * sample.weight, sample })
                    .collect()
            }
        }
    }

    /// The ends of so many equal pieces of a string or bar where it is not held, each with the length of the trapezoidal rule.
    fn ends_of_pieces(&self, count: usize) -> Vec<PathSample> {
        let each = self.length / count as f64;
        let sample = |i: usize| {
            let x = i as f64 / count as f64 * self.length;
            let weight = if i == 0 || i == count { 0.5 * each } else { each };
            PathSample { x, sample: Sample { row: self.placed.row_at([x, 0.0]), at: [x, 0.0], weight } }
        };
        (0..=count).map(sample).filter(|point| !point.sample.row.is_zero()).collect()
    }

    /// The midpoints of so many equal pieces of a string or bar.
    pub fn pieces(&self, count: usize) -> Vec<PathSample> {
        let weight = self.length / count as f64;
        let sample = |i: usize| {
            let x = (i as f64 + 0.5) * weight;
            PathSample { x, sample: Sample { row: self.placed.row_at([x, 0.0]), at: [x, 0.0], weight } }
        };
        (0..count).map(sample).collect()
    }

    /// The position at x, m, and its row.
    ///
    /// # Errors
    /// What is wrong: x is not on the path, or the body is fixed there.
    pub fn at(&self, x: f64) -> Result<(Position, Row), String> {
        let [at, _] = Geometry::Line { length: self.length }.position(Place::Length(x))?;
        let position = match self.ends {
            None => [at, 0.0],
            Some([from, to]) => self.placed.geometry.between(from, to, at / self.length),
        };
        let row = self.placed.row_at(position);
        match row.is_zero() {
            true => Err(format!("`{}` is fixed at {x} m: no contact is possible there", self.body)),
            false => Ok((position, row)),
        }
    }
}

/// Whether a contact follows this end of `between`: a line without @, or a surface without @ where the section
/// says along which line.
pub fn follows(section: &Section<'_>, end: &Named) -> bool {
    let body = end.body().filter(|_| end.place == Place::Whole);
    body.is_some_and(|body| match body.geometry {
        Geometry::Point => false,
        Geometry::Line { .. } => true,
        Geometry::Surface(_) => section.table.contains_key(ALONG.name),
    })
}

impl Bodies<'_> {
    /// The path along the body that `end` names as a whole.
    pub fn path(&mut self, section: &Section<'_>, end: &Named) -> Option<Path> {
        let placed = end.body()?.clone();
        let body = end.name.clone();
        let given = section.table.contains_key(ALONG.name);
        match placed.geometry {
            Geometry::Line { length } if !given => Some(Path { body, length, placed, ends: None }),
            Geometry::Surface(_) => {
                let [from, to] = self.line_ends(section, end)?;
                let length = placed.geometry.distance(from, to);
                if length > 0.0 {
                    return Some(Path { body, length, placed, ends: Some([from, to]) });
                }
                let message = "`along` takes two different places";
                self.refuse(section.problem(ALONG.name, message, "a line without length"))
            }
            _ => {
                self.no_surface(section);
                None
            }
        }
    }

    /// Says that `along` needs a surface.
    pub fn no_surface(&mut self, section: &Section<'_>) {
        let message = "`along` applies only to a surface that `between` names without @";
        let help = "leave it out: a string or bar without @ has the contact from end to end, or where a `profile` reaches";
        self.problems.push(section.problem(ALONG.name, message, "").help(help));
    }

    /// The positions of the two places of `along` on a surface.
    fn line_ends(&mut self, section: &Section<'_>, end: &Named) -> Option<[Position; 2]> {
        let Some(texts) = section.two_texts(ALONG.name) else {
            let message = "`along` takes two places on the surface";
            let help = format!("write {} = {}", ALONG.name, ALONG.example);
            return self.refuse(section.problem(ALONG.name, message, "not two texts").help(help));
        };
        let geometry = end.body()?.geometry;
        let positions = texts.map(|(text, span)| {
            let place = place_on(text.trim().trim_start_matches('@'));
            let position = place.and_then(|place| Ok(geometry.position(place)?));
            position.map_err(|NoPlace { message, .. }| {
                let message = format!("{}: `{text}` is no place on `{}`: {message}", section.title, end.name);
                self.problems.push(
                    Problem::new(message, span, "")
                        .help(format!("write places as after @, such as {} = {}", ALONG.name, ALONG.example)),
                );
            })
        });
        let [Ok(from), Ok(to)] = positions else { return None };
        Some([from, to])
    }
}

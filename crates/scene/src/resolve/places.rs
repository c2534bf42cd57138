//! Places: `hammer`, `string@0.1 m`, `string@0.2`, `plate@0.3,0.4`, `membrane@5 cm,30 deg`, `ground`.

use super::stages::Bodies;
use crate::{
    document::{problem::Problem, section::Section, suggest::suggest},
    units::{Quantity, Unit, plain},
};
use hamiltone_core::{
    body::{Measure, Placed},
    geometry::{Coordinate, Geometry, Place, Surface},
    row::Row,
};
use std::{ops::Range, sync::Arc};
use toml::Spanned;

/// How places are written, for `describe`: a text, and what it means.
pub const PLACES: &[(&str, &str)] = &[
    ("hammer", "a body at one point; for a string, bar or tube its whole length"),
    ("string@0.2", "a fraction of the length, from 0 at the left end to 1 at the right end"),
    ("string@12 cm", "a length from the left end"),
    ("plate@0.3,0.4", "fractions of the two sides of a rectangle"),
    ("plate@10 cm,20 cm", "lengths along the two sides"),
    ("membrane@0.5,30 deg", "on a disc: a fraction of the radius, and an angle"),
    ("membrane@5 cm,0.25", "the same with a fraction of a turn: bare numbers are fractions"),
    ("ground", "the ground, at rest at 0"),
];

/// A place as it is written, with its body found.
pub struct Named {
    /// As it is written.
    pub text: String,
    /// Where it is written.
    pub span: Range<usize>,
    /// The name of its body.
    pub name: String,
    /// Its body.
    pub body: Owner,
    /// The place on it.
    pub place: Place,
}

/// What a place is on.
#[derive(Clone)]
pub enum Owner {
    /// The ground.
    Ground,
    /// A body that is broken: what is known of it is its name.
    Broken,
    /// A body of the system.
    Body(Arc<Placed>),
}

impl Named {
    /// The body, where there is one that is not broken.
    pub fn body(&self) -> Option<&Arc<Placed>> {
        match &self.body {
            Owner::Body(body) => Some(body),
            Owner::Ground | Owner::Broken => None,
        }
    }

    /// Whether it is the ground.
    pub fn is_ground(&self) -> bool {
        matches!(self.body, Owner::Ground)
    }

    /// Whether its body is broken.
    pub fn is_broken(&self) -> bool {
        matches!(self.body, Owner::Broken)
    }

    /// What the body is measured in; `None` for the ground and for a body that is broken.
    pub fn measure(&self) -> Option<Measure> {
        self.body().map(|body| body.measure)
    }
}

impl Bodies<'_> {
    /// The place that `text` at `span` names; `None` where its body or its place is none.
    pub fn named(&mut self, section: &Section<'_>, text: &str, span: &Range<usize>) -> Option<Named> {
        let (name, place) = match text.split_once('@') {
            None => (text.trim(), Ok(Place::Whole)),
            Some((name, place)) => (name.trim(), place_on(place)),
        };
        let body = match (name, self.bodies.get(name)) {
            ("ground", _) => Some(Owner::Ground),
            (_, Some(Some(body))) => Some(Owner::Body(body.clone())),
            (_, Some(None)) => Some(Owner::Broken),
            (_, None) => {
                let names = self.bodies.keys().map(String::as_str).chain(["ground"]);
                let help = suggest(name, names, "bodies");
                let message = format!("{}: there is no body `{name}`", section.title);
                self.refuse(Problem::new(message, span.clone(), "").help(help))
            }
        };
        let place = place.map_err(|wrong| self.no_place(section, text, span, name, &wrong)).ok();
        Some(Named { text: text.into(), span: span.clone(), name: name.into(), body: body?, place: place? })
    }

    /// The place at `key`, which must be given.
    pub fn named_at(&mut self, section: &Section<'_>, key: &str) -> Option<Named> {
        let text = section.required_text(key, &format!("{key} = \"BODY\""), self.problems)?;
        let span = section.table.get(key).map_or(section.span.clone(), Spanned::span);
        self.named(section, text, &span)
    }

    /// The row of a place: that of the ground reads nothing; `None` where the place is not on the body.
    pub fn row(&mut self, section: &Section<'_>, at: &Named) -> Option<Row> {
        let row = match &at.body {
            Owner::Ground => return Some(Row::ground()),
            Owner::Broken => return None,
            Owner::Body(body) => body.row(at.place),
        };
        let wrong = |message: String| NoPlace { message, instead: None };
        row.map_err(|e| self.no_place(section, &at.text, &at.span, &at.name, &wrong(e))).ok()
    }

    /// Says that a place is none.
    pub fn no_place(
        &mut self,
        section: &Section<'_>,
        text: &str,
        span: &Range<usize>,
        name: &str,
        NoPlace { message, instead }: &NoPlace,
    ) {
        let geometry = self.bodies.get(name).and_then(Option::as_ref).map(|body| body.geometry);
        let help = instead.as_ref().map(|instead| format!("write \"{name}@{instead}\""));
        let help = help.unwrap_or_else(|| match geometry {
            Some(Geometry::Line { length }) => format!(
                "write \"{name}@0.2\" (a fraction of its length) or \"{name}@{} m\" (a length)",
                plain(0.2 * length)
            ),
            Some(Geometry::Surface(Surface::Rectangle { sides: [a, b] })) => format!(
                "write \"{name}@0.3,0.4\" (fractions of its sides) or \"{name}@{} m,{} m\" (lengths); \
                 a contact along a line on it takes `along`",
                plain(0.3 * a),
                plain(0.4 * b)
            ),
            Some(Geometry::Surface(Surface::Disc { radius })) => format!(
                "write \"{name}@0.5,30 deg\" (a fraction of its radius and an angle) or \"{name}@{} m,30 deg\"; \
                 a contact along a line on it takes `along`",
                plain(0.5 * radius)
            ),
            _ => format!(
                "write \"{name}\", or \"{name}@0.1 m\" (a length) or \"{name}@0.2\" (a fraction) on a string, bar or tube, or \"{name}@0.3,0.4\" on a surface"
            ),
        });
        let message = format!("{}: `{text}` is no place: {message}", section.title);
        self.problems.push(Problem::new(message, span.clone(), "").help(help));
    }

    /// The two places of `between`; `None` where the key is not a pair of texts.
    pub fn between(&mut self, section: &Section<'_>) -> Option<[Option<Named>; 2]> {
        let help = "write between = [\"BODY\", \"ground\"]";
        if !section.table.contains_key("between") {
            return self.refuse(section.problem("", "`between` is missing", "").help(help));
        }
        if let Some(texts) = section.two_texts("between") {
            return Some(texts.map(|(text, span)| self.named(section, text, &span)));
        }
        self.refuse(section.problem("between", "`between` takes two places", "not two texts").help(help))
    }
}

/// Why a text after `@` is no place.
pub struct NoPlace {
    /// What is wrong with it.
    pub message: String,
    /// What to write after `@` instead, where that is known.
    pub instead: Option<String>,
}

impl From<String> for NoPlace {
    fn from(message: String) -> Self {
        Self { message, instead: None }
    }
}

/// A place as written after `@`.
///
/// # Errors
/// What is wrong with it.
pub fn place_on(text: &str) -> Result<Place, NoPlace> {
    if let Some((first, second)) = text.split_once(',') {
        let (first, second) = (first.trim(), second.trim());
        let angle = |x: f64| format!("{first},{} deg", plain(x));
        let length = |x: f64| format!("{} cm,{second}", plain(x));
        return match (coordinate(first, length), coordinate(second, angle)) {
            (Ok(first), Ok(second)) => Ok(Place::Pair(first, second)),
            (Err(wrong), _) | (_, Err(wrong)) => Err(wrong),
        };
    }
    match coordinate(text, |x| format!("{} cm", plain(x)))? {
        Coordinate::Length(x) => Ok(Place::Length(x)),
        Coordinate::Fraction(x) => Ok(Place::Fraction(x)),
        Coordinate::Angle(_) => Err("an angle alone is neither a length nor a fraction".to_string().into()),
    }
}

/// One coordinate; `instead` is what a bare number was probably meant to be.
fn coordinate(text: &str, instead: impl Fn(f64) -> String) -> Result<Coordinate, NoPlace> {
    let quantity = Quantity::parse(text).map_err(|e| e.to_string())?;
    let (length, none) = (Unit::parse("m").map_err(|e| e.to_string())?, quantity.unit.measures(&Unit::NONE));
    match quantity.value {
        x if !x.is_finite() => Err(format!("{x} is not finite").into()),
        x if quantity.unit.measures(&length) => Ok(Coordinate::Length(x)),
        x if none && quantity.unit.is_angle() => Ok(Coordinate::Angle(x)),
        x if none && (0.0..=1.0).contains(&x) => Ok(Coordinate::Fraction(x)),
        x if none => Err(NoPlace {
            message: format!(
                "{} is not a fraction between 0 and 1; a bare number is a fraction of the length, of a side or radius, or of a turn",
                plain(x)
            ),
            instead: (x > 1.0).then(|| instead(x)),
        }),
        _ => Err(format!("{} is neither a length nor a fraction", quantity.symbol).into()),
    }
}

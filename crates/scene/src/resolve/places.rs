//! Places: `hammer`, `string@0.1 m`, `string@0.2`, `plate@0.3,0.4`, `membrane@5 cm,30 deg`, `ground`.

use super::builder::Builder;
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

/// A place as it is written, with its body found.
pub struct Named {
    /// As it is written.
    pub text: String,
    /// Where it is written.
    pub span: Range<usize>,
    /// The name of its body.
    pub name: String,
    /// Its body; `None` for the ground.
    pub body: Option<Arc<Placed>>,
    /// The place on it.
    pub place: Place,
}

impl Named {
    /// What the body is measured in; `None` for the ground.
    pub fn measure(&self) -> Option<Measure> {
        self.body.as_ref().map(|body| body.measure)
    }
}

impl Builder<'_> {
    /// The place that `text` at `span` names; `None` where it is not one, or its body is broken.
    pub fn named(&mut self, section: &Section<'_>, text: &str, span: &Range<usize>) -> Option<Named> {
        let (name, place) = match text.split_once('@') {
            None => (text.trim(), Ok(Place::Whole)),
            Some((name, place)) => (name.trim(), place_on(place)),
        };
        let named =
            |body, place| Named { text: text.into(), span: span.clone(), name: name.into(), body, place };
        if name == "ground" {
            return Some(named(None, Place::Whole));
        }
        let Some(body) = self.bodies.get(name) else {
            let names = self.bodies.keys().map(String::as_str).chain(["ground"]);
            let message = format!("{}: there is no body `{name}`", section.title);
            let problem = Problem::new(message, span.clone(), "");
            self.problems.push(problem.help(suggest(name, names, "bodies")));
            return None;
        };
        let body = body.clone()?;
        match place {
            Ok(place) => Some(named(Some(body), place)),
            Err(message) => {
                self.no_place(section, text, span, name, &message);
                None
            }
        }
    }

    /// The place at `key`, which must be given.
    pub fn named_at(&mut self, section: &Section<'_>, key: &str) -> Option<Named> {
        let text = section.required_text(key, &format!("{key} = \"BODY\""), self.problems)?;
        let span = section.table.get(key).map_or(section.span.clone(), Spanned::span);
        self.named(section, text, &span)
    }

    /// The row of a place: that of the ground reads nothing.
    pub fn row(&mut self, section: &Section<'_>, at: &Named) -> Option<Row> {
        let Some(body) = &at.body else { return Some(Row::ground()) };
        match body.row(at.place) {
            Ok(row) => Some(row),
            Err(message) => {
                self.no_place(section, &at.text, &at.span, &at.name, &message);
                None
            }
        }
    }

    /// Says that a place is none.
    pub fn no_place(
        &mut self,
        section: &Section<'_>,
        text: &str,
        span: &Range<usize>,
        name: &str,
        message: &str,
    ) {
        let geometry = self.bodies.get(name).and_then(Option::as_ref).map(|body| body.geometry);
        let help = match geometry {
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
                "write \"{name}\", or \"{name}@0.1 m\" (a length) or \"{name}@0.2\" (a fraction) on a body that is long, or \"{name}@0.3,0.4\" on a surface"
            ),
        };
        let message = format!("{}: `{text}` is no place: {message}", section.title);
        self.problems.push(Problem::new(message, span.clone(), "").help(help));
    }

    /// The two places of `between`; `None` where the key is not a pair of texts.
    pub fn between(&mut self, section: &Section<'_>) -> Option<[Option<Named>; 2]> {
        let help = "write between = [\"BODY\", \"ground\"]";
        if !section.table.contains_key("between") {
            self.problems.push(section.problem("", "`between` is missing", "").help(help));
            return None;
        }
        if let Some(texts) = section.two_texts("between") {
            return Some(texts.map(|(text, span)| self.named(section, text, &span)));
        }
        self.problems
            .push(section.problem("between", "`between` takes two places", "not two texts").help(help));
        None
    }
}

/// A place as written after `@`.
///
/// # Errors
/// What is wrong with it.
pub fn place_on(text: &str) -> Result<Place, String> {
    if let Some((first, second)) = text.split_once(',') {
        return Ok(Place::Pair(coordinate(first)?, coordinate(second)?));
    }
    match coordinate(text)? {
        Coordinate::Length(x) => Ok(Place::Length(x)),
        Coordinate::Fraction(x) => Ok(Place::Fraction(x)),
        Coordinate::Angle(_) => Err("an angle alone is neither a length nor a fraction".into()),
    }
}

fn coordinate(text: &str) -> Result<Coordinate, String> {
    let quantity = Quantity::parse(text).map_err(|e| e.to_string())?;
    let (length, none) = (Unit::parse("m").map_err(|e| e.to_string())?, quantity.unit.measures(&Unit::NONE));
    match quantity.value {
        x if !x.is_finite() => Err(format!("{x} is not finite")),
        x if quantity.unit.measures(&length) => Ok(Coordinate::Length(x)),
        x if none && quantity.unit.is_angle() => Ok(Coordinate::Angle(x)),
        x if none && (0.0..=1.0).contains(&x) => Ok(Coordinate::Fraction(x)),
        x if none => Err(format!("{x} is not a fraction between 0 and 1")),
        _ => Err(format!("{} is neither a length nor a fraction", quantity.symbol)),
    }
}

//! Places: `hammer`, `string@0.1 m`, `string@0.2`, `ground`.

use super::Builder;
use crate::{
    scene::{Problem, problem::suggest, section::Section},
    units::{Quantity, Unit},
};
use hamiltone_core::{body::Place, row::Row};
use std::ops::Range;
use toml::de::DeValue;

/// A place, found: its row, and whether its body is per unit area (`None` for the ground).
pub struct End {
    /// The row that reads it.
    pub row: Row,
    /// Whether its body is per unit area; `None` for the ground.
    pub per_area: Option<bool>,
}

impl Builder<'_> {
    /// The place that `text` at `span` names; `None` where it is not one, or its body is broken.
    pub fn place(&mut self, section: &Section<'_>, text: &str, span: &Range<usize>) -> Option<End> {
        let (name, place) = match text.split_once('@') {
            None => (text.trim(), Ok(Place::Whole)),
            Some((name, place)) => (name.trim(), place_on(place)),
        };
        if name == "ground" {
            return Some(End { row: Row::ground(), per_area: None });
        }
        let mut refuse = |message: String, help: String| {
            let message = format!("{}: {message}", section.title);
            self.problems.push(Problem::new(message, span.clone(), "").help(help));
            None
        };
        let Some(body) = self.bodies.get(name) else {
            let names: Vec<&str> = self.bodies.keys().map(String::as_str).chain(["ground"]).collect();
            return refuse(format!("there is no body `{name}`"), suggest(name, names, "bodies"));
        };
        let body = body.as_ref()?;
        match place.and_then(|place| (body.locate)(place)) {
            Ok(row) => Some(End { row, per_area: Some(body.measure.force() == "Pa") }),
            Err(message) => refuse(
                format!("`{text}` is no place: {message}"),
                format!(
                    "write \"{name}\", or \"{name}@0.1 m\" (a length) or \"{name}@0.2\" (a fraction) on a body that is long"
                ),
            ),
        }
    }

    /// The two places of `between`, with the spans of both; `None` where the key is not a pair of texts.
    pub fn between(&mut self, section: &Section<'_>) -> Option<[Option<End>; 2]> {
        let help = "write between = [\"BODY\", \"ground\"]";
        let Some(value) = section.table.get("between") else {
            self.problems.push(section.problem("", "`between` is missing", "").help(help));
            return None;
        };
        if let DeValue::Array(items) = value.get_ref()
            && let [first, second] = &items[..]
            && let (DeValue::String(a), DeValue::String(b)) = (first.get_ref(), second.get_ref())
        {
            return Some([self.place(section, a, &first.span()), self.place(section, b, &second.span())]);
        }
        self.problems
            .push(section.problem("between", "`between` takes two places", "not two texts").help(help));
        None
    }

    /// The row first − second of a joint, and whether its force is per unit area; the
    /// second is known where the first is not, for as long as one body is.
    pub fn joint(&mut self, section: &Section<'_>) -> (Option<Row>, Option<bool>) {
        let Some([first, second]) = self.between(section) else { return (None, None) };
        let per_area = |end: &Option<End>| end.as_ref().and_then(|end| end.per_area);
        let (a, b) = (per_area(&first), per_area(&second));
        let (Some(first), Some(second)) = (first, second) else { return (None, a.or(b)) };
        let row = first.row.minus(&second.row);
        if row.last_dof().is_none() {
            let message = "`between` joins a place with itself: nothing can move there";
            let help = "name two different places; the second may be \"ground\"";
            self.problems.push(section.problem("between", message, "the same place").help(help));
            return (None, a.or(b));
        }
        (Some(row), a.or(b))
    }
}

fn place_on(text: &str) -> Result<Place, String> {
    let quantity = Quantity::parse(text)?;
    let length = Unit::parse("m")?;
    match quantity.value {
        x if !x.is_finite() => Err(format!("{x} is not finite")),
        x if quantity.unit.measures(&length) => Ok(Place::Length(x)),
        x if quantity.unit.measures(&Unit::NONE) && (0.0..=1.0).contains(&x) => Ok(Place::Fraction(x)),
        x if quantity.unit.measures(&Unit::NONE) => Err(format!("{x} is not a fraction between 0 and 1")),
        _ => Err(format!("{} is neither a length nor a fraction", quantity.symbol)),
    }
}

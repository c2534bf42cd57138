//! Tables of an instrument: values at some keys or strings, with straight lines or power laws between them ([`piecewise`]), and level
//! below the first and above the last point.

use super::keys::key;
use crate::{
    document::{
        expected::Expected,
        problem::Problem,
        section::Section,
        suggest::suggest,
        value::{self, Wrong},
    },
    resolve::instruments::TABLE,
};
use hamiltone_core::parameter::Range;
use hamiltone_numerics::piecewise;
use toml::{Spanned, de::DeValue};

/// The variables of formulas.
const VARIABLES: [&str; 11] = [
    "key",
    "frequency",
    "string",
    "open",
    "fret",
    "velocity",
    "soft",
    "pedal",
    "pressure",
    "value",
    "program",
];

/// A table.
#[derive(Clone, Debug, PartialEq)]
pub struct TableCurve {
    /// The variable that it depends on.
    pub over: String,
    /// (x, y), x ascending.
    points: Vec<(f64, f64)>,
    geometric: bool,
}

impl TableCurve {
    /// y at x.
    pub fn at(&self, x: f64) -> f64 {
        let curve = if self.geometric { piecewise::geometric } else { piecewise::linear };
        curve(&self.points, x)
    }
}

/// Every `[table.NAME]`.
pub fn tables(root: &Section<'_>, problems: &mut Vec<Problem>) -> Vec<(String, TableCurve)> {
    let Some(all) = root.table.get("table") else { return Vec::new() };
    let Some(all) = all.get_ref().as_table() else {
        problems.push(
            Problem::new("`table` must be sections with names", all.span(), "").help("write [table.NAME]"),
        );
        return Vec::new();
    };
    let mut tables = Vec::new();
    for (name, value) in all {
        let Some(table) = value.get_ref().as_table() else {
            let problem = Problem::new("a table must be a section", name.span(), "not a section");
            problems.push(problem.help("write [table.NAME] with points = [[\"A0\", 1], [\"C8\", 2]]"));
            continue;
        };
        let section = Section { title: format!("table `{}`", name.get_ref()), span: value.span(), table };
        section.refuse_unknown(&TABLE.names(), problems);
        if VARIABLES.contains(&name.get_ref().as_ref()) {
            let message = format!("`{}` is a variable of formulas", name.get_ref());
            problems.push(Problem::new(message, name.span(), "taken").help("choose another name"));
        }
        match curve(&section, problems) {
            Ok(curve) => tables.extend(curve.map(|curve| (name.get_ref().to_string(), curve))),
            Err(Wrong { message, span, remark, help }) => {
                let message = format!("{}: {message}", section.title);
                problems.push(Problem::new(message, span, remark).help(help));
            }
        }
    }
    tables
}

fn curve(section: &Section<'_>, problems: &mut Vec<Problem>) -> Result<Option<TableCurve>, Wrong> {
    const HELP: &str =
        "write points = [[\"A0\", 1], [\"C8\", 2]]: notes or numbers, ascending, each with its value";
    let over = section.text("over", problems).unwrap_or("key").to_string();
    if let (false, Some(value)) = (VARIABLES.contains(&over.as_str()), section.table.get("over")) {
        let help = suggest(&over, VARIABLES, "variables");
        return Err(Wrong::new(value, format!("there is no variable `{over}`"), "unknown", &help));
    }
    let geometric = match section.table.get("interpolation") {
        None => false,
        Some(value) => value::word(value, &["linear", "geometric"])? == "geometric",
    };
    let Some(given) = section.table.get("points") else {
        problems.push(section.problem("points", "`points` is missing", "").help(HELP));
        return Ok(None);
    };
    let DeValue::Array(items) = given.get_ref() else {
        return Err(Wrong::new(given, "`points` takes a list", "not a list", HELP));
    };
    let mut points: Vec<(f64, f64)> = Vec::new();
    for item in items.iter() {
        let pair = item.get_ref().as_array().filter(|pair| pair.len() == 2);
        let pair = pair.ok_or_else(|| Wrong::new(item, "`points` takes pairs", "not a pair", HELP))?;
        let (x, y) = (x(&pair[0])?, plain(&pair[1])?);
        if points.last().is_some_and(|last| last.0 >= x) {
            return Err(Wrong::new(item, "`points` must ascend", "not above the one before", HELP));
        }
        if geometric && y <= 0.0 {
            let help = "a geometric interpolation needs values above 0; leave `interpolation` out for straight lines";
            return Err(Wrong::new(&pair[1], format!("the value is {y}"), "not above 0", help));
        }
        points.push((x, y));
    }
    if points.is_empty() {
        return Err(Wrong::new(given, "`points` has no point", "empty", HELP));
    }
    Ok(Some(TableCurve { over, points, geometric }))
}

/// A key by its note, or any number.
fn x(value: &Spanned<DeValue<'_>>) -> Result<f64, Wrong> {
    match value.get_ref() {
        DeValue::String(_) => key(value).map(f64::from),
        _ => plain(value),
    }
}

fn plain(value: &Spanned<DeValue<'_>>) -> Result<f64, Wrong> {
    value::number(value, &Expected { units: Vec::new(), range: Range::ANY, whole: false })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_interpolation_is_the_one_that_is_stated() {
        let curve =
            |geometric| TableCurve { over: "key".into(), points: vec![(0.0, 1.0), (2.0, 4.0)], geometric };
        // √4, rounded once.
        assert!(curve(false).at(1.0) == 2.5 && (curve(true).at(1.0) - 2.0).abs() < 1e-15);
    }
}

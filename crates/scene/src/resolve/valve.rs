//! A contact of air: a reed, lips or a jet at a bore, and at further bores of which they play one at a time, with further lips for them where a player stretches them.

use super::{
    frame::{Form, Key},
    places::Named,
    stages::Connections,
};
use crate::document::{problem::Problem, section::Section};
use hamiltone_core::{
    body::Measure,
    element::{Element, Law},
    row::Row,
};
use toml::de::DeValue;

/// The key of further bores.
pub const FINGERINGS: Key = Key {
    name: "fingerings",
    required: false,
    form: Form::Names,
    example: "[\"long_bore\", \"short_bore\"]",
    doc: "of the laws `reed`, `lips` and `jet`: further bores, of which the gesture `finger` chooses one, numbered from 1; 0 is the bore in `between`. In [string.contact.NAME] of an instrument a name that is copied for each fret stands for all frets",
};

/// The key of further lips.
pub const EMBOUCHURES: Key = Key {
    name: "embouchures",
    required: false,
    form: Form::Names,
    example: "[\"high_lips\", \"higher_lips\"]",
    doc: "of the laws `reed`, `lips` and `jet`: the reed, the lips or the air in the window at each of `fingerings`, which the gesture `finger` chooses with the bore; then a bore may be there several times. Those in `between` unless given. In [string.contact.NAME] of an instrument a name that is copied for each fret stands for all frets",
};

/// What a reed, lips and the air in a window are.
const MOVING: &str = "name a body that can move, such as one of the kind `oscillator`, or `mass` at a jet";

/// A number of bores or lips, as messages say it.
fn counted(count: usize, one: &str) -> String {
    format!("{count} {one}{}", if count == 1 { "" } else { "s" })
}

/// The rows of a law at air and at what moves there: before those of each branch one that nothing moves, at which a jet is blown.
pub fn with_wind(law: &Law, rows: Vec<Row>) -> Vec<Row> {
    let Law::Port(law) = law else { return rows };
    let still = law.port.still();
    if still == 0 {
        return rows;
    }
    let branch = |own: &[Row]| [vec![Row::ground(); still], own.to_vec()].concat();
    rows.chunks_exact(2).flat_map(branch).collect()
}

impl Connections<'_> {
    /// The rows of a valve on each of its branches: that of the air first.
    pub fn valve(&mut self, section: &Section<'_>, [first, second]: [&Named; 2]) -> Option<Vec<Row>> {
        let is_air = |end: &Named| end.measure() == Some(Measure::Pressure);
        let (air, reed) = if is_air(first) { (first, second) } else { (second, first) };
        let (air, moved) = (self.row(section, air), self.row(section, reed));
        let (air, moved) = (air?, moved?);
        if moved.is_zero() {
            let message = format!("`{}` does not move: it is no reed, lips or window", reed.text);
            return self.refuse(section.problem("between", message, "").help(MOVING));
        }
        let bores = self.choice(section, FINGERINGS.name, Measure::Pressure);
        let lips = self.choice(section, EMBOUCHURES.name, Measure::Length);
        let (bores, mut lips) = (bores?, lips?);
        if !section.table.contains_key(EMBOUCHURES.name) {
            lips.resize(bores.len(), moved.clone());
        } else if lips.len() != bores.len() {
            let message = format!(
                "`embouchures` has {}, and `fingerings` {}",
                counted(lips.len(), "name"),
                counted(bores.len(), "name")
            );
            let help = "name one for each of `fingerings`";
            return self.refuse(section.problem(EMBOUCHURES.name, message, "").help(help));
        }
        let branches = bores.into_iter().zip(lips).flat_map(|(bore, lips)| [bore, lips]);
        Some([air, moved].into_iter().chain(branches).collect())
    }

    /// The rows of the bodies that a list names: bores, or what moves by a length.
    fn choice(&mut self, section: &Section<'_>, key: &str, measure: Measure) -> Option<Vec<Row>> {
        let (kind, other) = match measure {
            Measure::Pressure => ("bore", "is no bore"),
            _ => ("oscillator` or `mass", "is no body that moves"),
        };
        let help = format!("name bodies such as those of the kind `{kind}`: {key} = [\"NAME\"]");
        let Some(value) = section.table.get(key) else { return Some(Vec::new()) };
        let DeValue::Array(items) = value.get_ref() else {
            let message = format!("`{key}` takes a list of bodies");
            return self.refuse(section.problem(key, message, "not a list").help(help));
        };
        let mut rows = Vec::new();
        for item in items.iter() {
            let DeValue::String(name) = item.get_ref() else {
                let problem = Problem::new(format!("{}: this is no name", section.title), item.span(), "");
                return self.refuse(problem.help(help));
            };
            let named = self.named(section, name, &item.span())?;
            if named.is_broken() {
                return None;
            }
            if named.measure() != Some(measure) {
                let message = format!("{}: `{name}` {other}", section.title);
                return self.refuse(Problem::new(message, item.span(), "").help(help));
            }
            let row = self.row(section, &named)?;
            if row.is_zero() {
                let message =
                    format!("{}: `{name}` does not move: it is no reed, lips or window", section.title);
                return self.refuse(Problem::new(message, item.span(), "").help(MOVING));
            }
            rows.push(row);
        }
        Some(rows)
    }

    /// Whether no other valve is at the bores or on the reed of these rows, each of which would have to be solved with the other, and no bore is named twice
    /// with the same lips.
    pub fn check_alone(&mut self, section: &Section<'_>, rows: &[Row]) -> Option<()> {
        let branches: Vec<&[Row]> = rows.chunks_exact(2).collect();
        if branches.iter().enumerate().any(|(i, branch)| branches[..i].contains(branch)) {
            let (message, help) = (
                "a bore is named twice",
                "name each bore once, or another reed, lips or window for it in `embouchures`",
            );
            let key =
                [EMBOUCHURES.name, FINGERINGS.name].into_iter().find(|key| section.table.contains_key(*key));
            return self.refuse(section.problem(key.unwrap_or_default(), message, "").help(help));
        }
        let shares =
            |element: &&Element| element.rows.len() > 1 && element.rows.iter().any(|row| rows.contains(row));
        let Some(other) = self.system.elements.iter().find(shares) else { return Some(()) };
        let message = format!("contact `{}` is at the same bore or on the same body", other.name);
        let help = "give each reed, lips or jet a bore and a body of its own";
        self.refuse(section.problem("between", message, "").help(help))
    }
}

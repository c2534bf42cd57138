//! A contact of air: a reed or lips at a bore, and at further bores of which they play one at a time.

use super::{
    frame::{Form, Key},
    places::Named,
    stages::Connections,
};
use crate::document::{problem::Problem, section::Section};
use hamiltone_core::{body::Measure, element::Element, row::Row};
use toml::de::DeValue;

/// The key of further bores.
pub const FINGERINGS: Key = Key {
    name: "fingerings",
    required: false,
    form: Form::Names,
    example: "[\"long_bore\", \"short_bore\"]",
    doc: "of the laws `reed` and `lips`: further bores, of which the gesture `finger` chooses one, numbered from 1; 0 is the bore in `between`. In [string.contact.NAME] of an instrument a name that is copied for each fret stands for all frets",
};

impl Connections<'_> {
    /// The rows of a valve: that of the air first.
    pub fn valve(&mut self, section: &Section<'_>, [first, second]: [&Named; 2]) -> Option<Vec<Row>> {
        let is_air = |end: &Named| end.measure() == Some(Measure::Pressure);
        let (air, reed) = if is_air(first) { (first, second) } else { (second, first) };
        let (air, moved) = (self.row(section, air), self.row(section, reed));
        let (air, moved) = (air?, moved?);
        if moved.is_zero() {
            let message = format!("`{}` does not move: it is no reed", reed.text);
            let help = "name a body that can move, such as one of the kind `oscillator`";
            return self.refuse(section.problem("between", message, "").help(help));
        }
        let mut rows = vec![air, moved];
        rows.extend(self.fingerings(section)?);
        Some(rows)
    }

    /// The rows of `fingerings`.
    fn fingerings(&mut self, section: &Section<'_>) -> Option<Vec<Row>> {
        const HELP: &str = "name bodies of the kind `bore`: fingerings = [\"BORE\"]";
        let Some(value) = section.table.get(FINGERINGS.name) else { return Some(Vec::new()) };
        let DeValue::Array(items) = value.get_ref() else {
            let message = "`fingerings` takes a list of bores";
            return self.refuse(section.problem(FINGERINGS.name, message, "not a list").help(HELP));
        };
        let mut rows = Vec::new();
        for item in items.iter() {
            let DeValue::String(name) = item.get_ref() else {
                let problem = Problem::new(format!("{}: this is no name", section.title), item.span(), "");
                return self.refuse(problem.help(HELP));
            };
            let named = self.named(section, name, &item.span())?;
            if named.is_broken() {
                return None;
            }
            if named.measure() != Some(Measure::Pressure) {
                let message = format!("{}: `{name}` is no bore", section.title);
                return self.refuse(Problem::new(message, item.span(), "").help(HELP));
            }
            rows.push(self.row(section, &named)?);
        }
        Some(rows)
    }

    /// Whether no other valve is at the bores or on the reed of these rows, each of which would have to be solved with the other, and no bore is named twice.
    pub fn check_alone(&mut self, section: &Section<'_>, rows: &[Row]) -> Option<()> {
        let [air, reed, others @ ..] = rows else { return Some(()) };
        if others.iter().enumerate().any(|(i, row)| row == air || others[..i].contains(row)) {
            let message = "a bore is named twice";
            return self.refuse(section.problem(FINGERINGS.name, message, "").help("name each bore once"));
        }
        let shares = |element: &&Element| match &element.rows[..] {
            [a, r, more @ ..] => {
                r == reed
                    || rows.iter().enumerate().any(|(i, row)| i != 1 && (row == a || more.contains(row)))
            }
            _ => false,
        };
        let Some(other) = self.system.elements.iter().find(shares) else { return Some(()) };
        let message = format!("contact `{}` is at the same bore or the same reed", other.name);
        let help = "give each reed a bore and a body of its own";
        self.refuse(section.problem("between", message, "").help(help))
    }
}

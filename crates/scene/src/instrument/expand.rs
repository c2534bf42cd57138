//! The scene that an instrument stands for.
//!
//! Sections outside the instrument are in it once. Every `[key.body.NAME]` becomes a `[body.NAME-60]` for each key, every
//! `[string.body.NAME]` a `[body.NAME-1]` for each string and every `[fret.body.NAME]` a `[body.NAME-1-12]` for each fret of
//! each string; so do contacts, links, drives and pickups. What notes and pedals do in it is read apart (`batches`).

use super::{
    definition::{Definition, Players},
    formula::evaluate,
    keys::Tuning,
    scope::Scope,
    sink::Sink,
    writer::{Copying, Names, Writer},
};
use crate::{
    document::{expanded::Expanded, problem::Problem, section::Section, suggest::suggest},
    resolve::{
        driven::TENSION_OF,
        instruments::WHEN,
        tension::POLARISATION_OF,
        valve::{EMBOUCHURES, FINGERINGS},
    },
};
use std::{collections::BTreeSet, ops::Range};
use toml::{
    Spanned,
    de::{DeTable, DeValue},
};
use toml_edit::Key;

/// The section that makes a scene an instrument.
pub const INSTRUMENT: &str = "instrument";
/// The sections that only instruments have.
pub const SECTIONS: [&str; 14] = [
    INSTRUMENT,
    "table",
    "key",
    "string",
    "fret",
    "note_on",
    "slur",
    "give_way",
    "note_off",
    "pedal_down",
    "pedal_up",
    "pedal_move",
    "pressure",
    "controller",
];
/// The keys whose values begin with the name of a part.
const REFERENCES: [&str; 12] = [
    "at",
    "between",
    "moves_to",
    "torsion",
    "pressed_by",
    "motion",
    "rate",
    "control",
    "fingering",
    "place",
    TENSION_OF,
    POLARISATION_OF,
];

/// Copies the sections of an instrument.
pub struct Expander<'a> {
    /// The text of the instrument.
    pub source: &'a str,
    /// Its document.
    pub root: &'a DeTable<'a>,
    /// What it says of itself.
    pub definition: &'a Definition,
    tuning: &'a Tuning<'a>,
    /// The parts that are copied for each key or string, and for each fret.
    copied: [BTreeSet<&'a str>; 2],
}

/// A copy: a key, or a string, perhaps with one of its frets.
#[derive(Clone)]
pub struct Part {
    /// The number of the key or string, from 0.
    pub unit: usize,
    /// The fret, from 1.
    pub fret: Option<u8>,
    /// The variables of formulas with their values.
    pub variables: Vec<(&'static str, f64)>,
}

impl<'a> Expander<'a> {
    /// Of the instrument with this document.
    pub fn new(
        source: &'a str,
        root: &'a DeTable<'a>,
        definition: &'a Definition,
        tuning: &'a Tuning<'a>,
    ) -> Self {
        let players = if matches!(definition.players, Players::Keys(_)) { "key" } else { "string" };
        let names = |template: &str| {
            let kinds = root.get(template).and_then(|value| value.get_ref().as_table());
            let named = kinds.into_iter().flat_map(|kinds| kinds.iter());
            let tables = named.filter_map(|(_, value)| value.get_ref().as_table());
            tables.flat_map(|table| table.iter().map(|(name, _)| name.get_ref().as_ref())).collect()
        };
        let copied = [names(players), names("fret")];
        Self { source, root, definition, tuning, copied }
    }

    /// The scene without its gestures.
    pub fn expand(&self, rate: f64, sink: &mut Sink<'_>) -> Expanded {
        let mut writer = Writer::new(self.source, sink);
        self.refuse_unused(&mut writer);
        self.once(rate, &mut writer);
        let units = self.units();
        for part in &units {
            self.copies(self.template(), part, &mut writer);
            for fret in 1..=self.frets() {
                self.copies("fret", &self.fretted(part, fret), &mut writer);
            }
            if writer.sink.is_full() {
                break;
            }
        }
        writer.finish()
    }

    /// The names of the parts that are copied, perhaps for no key.
    pub fn templates(&self) -> impl Iterator<Item = &'a str> {
        self.copied.iter().flatten().copied()
    }

    fn template(&self) -> &'static str {
        if matches!(self.definition.players, Players::Keys(_)) { "key" } else { "string" }
    }

    fn frets(&self) -> u8 {
        match self.definition.players {
            Players::Keys(_) => 0,
            Players::Strings { frets, .. } => frets,
        }
    }

    /// Templates of the other kind of player are never copied.
    fn refuse_unused(&self, writer: &mut Writer<'_, '_>) {
        let (unused, help): (&[&str], _) = match self.definition.players {
            Players::Keys(_) => (&["string", "fret"], "write [key.…], or strings = […] in [instrument]"),
            Players::Strings { .. } => (&["key"], "write [string.…], or keys = \"A0..C8\" in [instrument]"),
        };
        for name in ["slur", "give_way"] {
            if let (Players::Keys(_), Some((key, _))) =
                (&self.definition.players, self.root.get_key_value(name))
            {
                let message =
                    format!("`{name}` is of an instrument with `strings`: a key of its own follows no other");
                let help = "leave it out, or write strings = […] in [instrument]";
                writer.sink.problem(Problem::new(message, key.span(), "unused").help(help));
            }
        }
        for name in unused {
            if let Some((key, _)) = self.root.get_key_value(*name) {
                let message = format!("`{name}` sections are not copied by this instrument");
                writer.sink.problem(Problem::new(message, key.span(), "unused").help(help));
            }
        }
    }

    /// The keys or strings.
    pub fn units(&self) -> Vec<Part> {
        let hz = |key: u8| (self.tuning)(f64::from(key));
        match &self.definition.players {
            Players::Keys(keys) => {
                let part = |(unit, key): (usize, &u8)| {
                    let variables = vec![("key", f64::from(*key)), ("frequency", hz(*key))];
                    Part { unit, fret: None, variables }
                };
                keys.iter().enumerate().map(part).collect()
            }
            Players::Strings { open, .. } => {
                let part = |(unit, key): (usize, &u8)| {
                    let number = ("string", (unit + 1) as f64);
                    let key_and_fret = [("key", f64::from(*key)), ("fret", 0.0)];
                    let own = [number, ("open", f64::from(*key)), ("frequency", hz(*key))];
                    let variables = own.into_iter().chain(key_and_fret).collect();
                    Part { unit, fret: None, variables }
                };
                open.iter().enumerate().map(part).collect()
            }
        }
    }

    /// One of the frets of a string.
    pub fn fretted(&self, part: &Part, fret: u8) -> Part {
        let mut part = part.clone();
        part.fret = Some(fret);
        for (name, value) in &mut part.variables {
            if ["key", "fret"].contains(name) {
                *value += f64::from(fret);
            }
        }
        part
    }

    /// What a copied thing is called: by the number of its key, or of its string and fret.
    pub fn renamed(&self, name: &str, part: &Part) -> Option<String> {
        let number = match &self.definition.players {
            Players::Keys(keys) => usize::from(keys[part.unit]),
            Players::Strings { .. } => part.unit + 1,
        };
        match part.fret {
            Some(fret) if self.copied[1].contains(name) => Some(format!("{name}-{number}-{fret}")),
            _ => self.copied[0].contains(name).then(|| format!("{name}-{number}")),
        }
    }

    /// What a thing that is copied for each fret is called on all frets of a string.
    pub fn fretted_names(&self, name: &str, part: &Part) -> Option<Vec<String>> {
        let on = |fret| self.renamed(name, &Part { fret: Some(fret), ..part.clone() });
        (part.fret.is_none() && self.copied[1].contains(name))
            .then(|| (1..=self.frets()).filter_map(on).collect())
    }

    /// What the formulas of a copy know.
    pub fn scope<'s>(&'s self, part: &'s Part) -> Scope<'s> {
        Scope::new(&part.variables, &self.definition.tables, self.tuning)
    }

    /// What is in the scene once.
    fn once(&self, rate: f64, writer: &mut Writer<'_, '_>) {
        let none = Part { unit: 0, fret: None, variables: Vec::new() };
        let (scope, rename, frets) = (self.scope(&none), |_: &str| None, |_: &str| None);
        let copying = Copying { environment: &scope, rename: &rename, frets: &frets };
        let own = self.root.iter().filter(|(key, _)| !SECTIONS.contains(&key.get_ref().as_ref()));
        let (sections, values): (Vec<_>, Vec<_>) =
            own.partition(|(key, value)| self.section(value).is_some() || key.get_ref() == "run");
        for (key, value) in values {
            if value.get_ref().is_array() {
                let known = SECTIONS.iter().copied().filter(|name| *name != INSTRUMENT);
                let message = format!("an instrument has no list `{}`", key.get_ref());
                let help = suggest(key.get_ref(), known, "lists and sections");
                writer.sink.problem(Problem::new(message, key.span(), "unknown").help(help));
            } else {
                self.pair(key, value, copying, writer);
            }
        }
        let mut has_run = false;
        for (key, value) in sections {
            let name = key.get_ref().as_ref();
            // In braces as well, since it gets more keys.
            if let ("run", Some(table)) = (name, value.get_ref().as_table()) {
                has_run = true;
                writer.put("[run]\n", key.span());
                self.run(table, rate, copying, key.span(), writer);
            } else if name == "run" {
                has_run = true;
                self.pair(key, value, copying, writer);
            } else if let Some(table) = self.section(value) {
                self.sections(name, key.span(), table, copying, writer);
            }
        }
        if !has_run {
            writer.put("[run]\n", 0..0);
            self.run(&DeTable::new(), rate, copying, 0..0, writer);
        }
    }

    /// `[run]`, at the rate that the player asks for. A scene needs a duration, an instrument has none.
    fn run(
        &self,
        table: &DeTable<'a>,
        rate: f64,
        copying: Copying<'_>,
        span: Range<usize>,
        writer: &mut Writer<'_, '_>,
    ) {
        for (key, value) in table {
            if key.get_ref() != "sample_rate" && self.section(value).is_none() {
                self.pair(key, value, copying, writer);
            }
        }
        writer.put(&format!("sample_rate = {rate:?}\n"), span.clone());
        if !table.contains_key("duration") {
            writer.put("duration = \"1 s\"\n", span);
        }
        for (key, value) in table {
            if let Some(inner) = self.section(value) {
                self.keys(&format!("run.{}", quoted(key.get_ref())), value.span(), inner, copying, writer);
            }
        }
    }

    /// The table of a section; `None` of any other value, such as a table in braces.
    fn section(&self, value: &'a Spanned<DeValue<'a>>) -> Option<&'a DeTable<'a>> {
        let table = value.get_ref().as_table()?;
        (!self.source[value.span()].starts_with('{')).then_some(table)
    }

    /// Named sections, `[what.NAME]`, or one without a name.
    fn sections(
        &self,
        what: &str,
        span: Range<usize>,
        table: &'a DeTable<'a>,
        copying: Copying<'_>,
        writer: &mut Writer<'_, '_>,
    ) {
        let what = quoted(what);
        let (named, plain): (Vec<_>, Vec<_>) =
            table.iter().partition(|(_, value)| value.get_ref().is_table());
        if !plain.is_empty() {
            writer.put(&format!("[{what}]\n"), span);
            plain.into_iter().for_each(|(key, value)| self.pair(key, value, copying, writer));
        }
        for (name, value) in named {
            let Some(table) = value.get_ref().as_table() else { continue };
            let name = (copying.rename)(name.get_ref()).unwrap_or_else(|| name.get_ref().to_string());
            self.keys(&format!("{what}.{}", quoted(&name)), value.span(), table, copying, writer);
        }
    }

    /// A section and those within it.
    fn keys(
        &self,
        path: &str,
        span: Range<usize>,
        table: &'a DeTable<'a>,
        copying: Copying<'_>,
        writer: &mut Writer<'_, '_>,
    ) {
        if !self.is_there(table, copying, writer) {
            return;
        }
        writer.put(&format!("[{path}]\n"), span);
        for (key, value) in table.iter().filter(|(key, _)| key.get_ref() != WHEN.name) {
            if self.section(value).is_none() {
                self.pair(key, value, copying, writer);
            }
        }
        for (key, value) in table {
            if let Some(inner) = self.section(value) {
                self.keys(&format!("{path}.{}", quoted(key.get_ref())), value.span(), inner, copying, writer);
            }
        }
    }

    /// Whether `when` holds, where it is given.
    pub fn is_there(&self, table: &DeTable<'_>, copying: Copying<'_>, writer: &mut Writer<'_, '_>) -> bool {
        let Some(value) = table.get(WHEN.name) else { return true };
        let text = value.get_ref().as_str().unwrap_or_default();
        writer.sink.work(text.len());
        let formula = text.strip_prefix('{').and_then(|text| text.strip_suffix('}'));
        let wrong = match formula.map(|formula| evaluate(formula, copying.environment)) {
            Some(Ok(number)) => return number != 0.0,
            Some(Err(wrong)) => (wrong.message, wrong.help),
            None => {
                ("`when` takes a formula in braces".into(), "write for example when = \"{key < 90}\"".into())
            }
        };
        writer.sink.problem(Problem::new(wrong.0, value.span(), "").help(wrong.1));
        false
    }

    /// Writes a key with its value.
    pub fn pair(
        &self,
        key: &Spanned<impl AsRef<str>>,
        value: &Spanned<DeValue<'_>>,
        copying: Copying<'_>,
        writer: &mut Writer<'_, '_>,
    ) {
        let name = key.get_ref().as_ref();
        writer.put(&quoted(name), key.span());
        writer.put(" = ", key.span());
        let names = match name {
            _ if [FINGERINGS.name, EMBOUCHURES.name].contains(&name) => Names::OfFrets,
            _ if REFERENCES.contains(&name) => Names::OfCopy,
            _ => Names::None,
        };
        writer.value(value.span(), copying, names);
        writer.put("\n", value.span());
    }

    /// The copies of all sections of a template for a part.
    fn copies(&self, template: &str, part: &Part, writer: &mut Writer<'_, '_>) {
        let Some(value) = self.root.get(template) else { return };
        let Some(kinds) = self.section(value) else {
            let message = format!("`{template}` must be sections with names");
            let help = format!("write [{template}.body.NAME] or [{template}.contact.NAME]");
            writer.sink.problem(Problem::new(message, value.span(), "").help(help));
            return;
        };
        let (scope, rename) = (self.scope(part), |name: &str| self.renamed(name, part));
        let frets = |name: &str| self.fretted_names(name, part);
        let copying = Copying { environment: &scope, rename: &rename, frets: &frets };
        for (what, value) in kinds {
            match self.section(value) {
                Some(table) => self.sections(what.get_ref(), what.span(), table, copying, writer),
                None => {
                    let message = format!("`{template}.{}` must be sections with names", what.get_ref());
                    let help = format!("write [{template}.body.NAME] or [{template}.contact.NAME]");
                    writer.sink.problem(Problem::new(message, what.span(), "").help(help));
                }
            }
        }
    }
}

/// A name as TOML writes it.
fn quoted(name: &str) -> String {
    Key::new(name).to_string()
}

/// Whether a document is an instrument.
pub fn is_instrument(root: &Section<'_>) -> bool {
    root.table.contains_key(INSTRUMENT)
}

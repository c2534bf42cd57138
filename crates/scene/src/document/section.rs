//! A table of the scene, read against a table of parameters.
//!
//! Nothing here knows a body, a law or a scheme: keys, units, ranges and words come
//! from the [`Parameter`] table of the kind, and so does every message. A parameter that
//! is a table of its own is a section within its section.

use super::{
    columns,
    expected::{Circumstances, example, exponent_name, unit},
    problem::Problem,
    suggest::suggest,
    value::{self, Wrong},
};
use hamiltone_core::{
    body::Measure,
    parameter::{Absent, Complaint, Parameter, Takes, Values},
};
use std::{collections::BTreeSet, ops};
use toml::{
    Spanned,
    de::{DeTable, DeValue},
};

/// A table of the scene with its name for messages.
pub struct Section<'a> {
    /// As messages name it: ``body `reed` ``.
    pub title: String,
    /// Its header in the text.
    pub span: ops::Range<usize>,
    /// Its keys and values.
    pub table: &'a DeTable<'a>,
}

impl<'a> Section<'a> {
    /// A problem with the value of `key`, or with the section where it has no such key.
    pub fn problem(&self, key: &str, message: impl std::fmt::Display, remark: &str) -> Problem {
        let span = self.find(key).map_or(self.span.clone(), Spanned::span);
        Problem::new(format!("{}: {message}", self.title), span, remark)
    }

    /// The value of a key, also of one such as `loss.d1` in a table within.
    fn find(&self, key: &str) -> Option<&'a Spanned<DeValue<'a>>> {
        let mut keys = key.split('.');
        let first = self.table.get(keys.next()?)?;
        keys.try_fold(first, |value, key| value.get_ref().as_table()?.get(key))
    }

    /// What a part complains of, at the value it complains of.
    pub fn complaint(&self, complaint: &Complaint) -> Problem {
        let Complaint { parameter, message } = complaint;
        let message = if parameter.is_empty() { message.clone() } else { format!("`{parameter}` {message}") };
        self.problem(parameter, message, "")
    }

    /// The text at `key`, if it is given as text.
    pub fn text(&self, key: &str, problems: &mut Vec<Problem>) -> Option<&'a str> {
        match self.table.get(key)?.get_ref() {
            DeValue::String(text) => Some(text),
            other => {
                let message = format!("`{key}` takes text in quotes, not {}", value::describe(other));
                problems.push(self.problem(key, message, "not text"));
                None
            }
        }
    }

    /// The text at `key`, which must be given; `example` is what to write.
    pub fn required_text(&self, key: &str, example: &str, problems: &mut Vec<Problem>) -> Option<&'a str> {
        if !self.table.contains_key(key) {
            problems
                .push(self.problem(key, format!("`{key}` is missing"), "").help(format!("add {example}")));
        }
        self.text(key, problems)
    }

    /// The two texts of the list at `key`, each with where it stands.
    pub fn two_texts(&self, key: &str) -> Option<[(&'a str, ops::Range<usize>); 2]> {
        let DeValue::Array(items) = self.table.get(key)?.get_ref() else { return None };
        let [first, second] = &items[..] else { return None };
        match (first.get_ref(), second.get_ref()) {
            (DeValue::String(a), DeValue::String(b)) => Some([(a, first.span()), (b, second.span())]),
            _ => None,
        }
    }

    /// Names every key that is neither a parameter nor one of `own`.
    pub fn refuse_unknown(&self, parameters: &[Parameter], own: &[&str], problems: &mut Vec<Problem>) {
        let known = || own.iter().copied().chain(parameters.iter().map(|p| p.name));
        for (key, _) in self.table {
            if known().all(|name| name != key.get_ref()) {
                let known: Vec<&str> = known().collect();
                let message = format!("{}: there is no key `{}`", self.title, key.get_ref());
                let help = suggest(key.get_ref(), known, "keys that it takes");
                problems.push(Problem::new(message, key.span(), "unknown").help(help));
            }
        }
    }

    /// The values of `parameters`, in SI and in range; `None` where any is wrong.
    pub fn values(
        &self,
        parameters: &[Parameter],
        circumstances: Circumstances<'_>,
        problems: &mut Vec<Problem>,
    ) -> Option<Values> {
        let before = problems.len();
        let mut values = Values::defaults(parameters);
        let mut failed = BTreeSet::new();
        // A unit such as N/m^exponent waits for the number it names.
        let (plain, waiting): (Vec<&Parameter>, Vec<&Parameter>) =
            parameters.iter().partition(|p| exponent_name(p).is_none());
        for parameter in plain.into_iter().chain(waiting) {
            let Some(given) = self.table.get(parameter.name) else {
                if let Absent::Required = parameter.absent {
                    let message = format!("`{}` is missing", parameter.name);
                    let help = format!("add {} ({})", example(parameter, circumstances), parameter.doc);
                    problems.push(self.problem("", message, "").help(help));
                    failed.insert(parameter.name);
                }
                continue;
            };
            let known = values.numbers.clone();
            let number = |name: &str| known.get(name).copied().filter(|_| !failed.contains(name));
            let unit = |unit: &str| circumstances.unit(unit, number);
            if let Takes::Table(inner) = parameter.takes {
                let table = self.within(parameter, given, circumstances, problems);
                let inner = table.and_then(|table| table.checked(inner, circumstances, problems));
                values.tables.extend(inner.map(|inner| (parameter.name, inner)));
            } else if let Err(wrongs) = read(given, parameter, unit, circumstances, &mut values) {
                failed.insert(parameter.name);
                problems.extend(wrongs.into_iter().map(|wrong| self.wrong(parameter, circumstances, wrong)));
            }
        }
        (problems.len() == before).then_some(values)
    }

    /// The table that a parameter takes, as a section.
    fn within(
        &self,
        parameter: &Parameter,
        given: &'a Spanned<DeValue<'a>>,
        circumstances: Circumstances<'_>,
        problems: &mut Vec<Problem>,
    ) -> Option<Section<'a>> {
        let DeValue::Table(table) = given.get_ref() else {
            let message =
                format!("`{}` takes a table, not {}", parameter.name, value::describe(given.get_ref()));
            let help = format!("write for example {} ({})", example(parameter, circumstances), parameter.doc);
            problems.push(self.problem(parameter.name, message, "not a table").help(help));
            return None;
        };
        Some(Section { title: format!("{}: `{}`", self.title, parameter.name), span: given.span(), table })
    }

    /// Its values, where it holds no other keys than these.
    fn checked(
        &self,
        parameters: &[Parameter],
        circumstances: Circumstances<'_>,
        problems: &mut Vec<Problem>,
    ) -> Option<Values> {
        self.refuse_unknown(parameters, &[], problems);
        self.values(parameters, circumstances, problems)
    }

    fn wrong(&self, parameter: &Parameter, circumstances: Circumstances<'_>, wrong: Wrong) -> Problem {
        let message = format!("{}: `{}` {}", self.title, parameter.name, wrong.message);
        let mut help = match wrong.help.is_empty() {
            true => format!("write for example {} ({})", example(parameter, circumstances), parameter.doc),
            false => wrong.help,
        };
        if unit(parameter).contains('N') {
            if circumstances.measure == Some(Measure::PerArea) {
                help += "; the body is per unit area, so that forces are pressures";
            }
            if circumstances.along {
                help += "; it acts along the body, so that forces are per unit length";
            }
        }
        Problem::new(message, wrong.span, wrong.remark).help(help)
    }
}

fn read(
    given: &Spanned<DeValue<'_>>,
    parameter: &Parameter,
    unit: impl Fn(&str) -> Option<String>,
    circumstances: Circumstances<'_>,
    values: &mut Values,
) -> Result<(), Vec<Wrong>> {
    let name = parameter.name;
    match parameter.takes {
        Takes::Number(symbol, range) => {
            let number = value::number(given, unit(symbol).as_deref(), range).map_err(|w| vec![w])?;
            values.numbers.insert(name, number);
        }
        Takes::Numbers(symbol, range) => {
            let unit = unit(symbol);
            let list = value::list(given, |item| value::number(item, unit.as_deref(), range))?;
            values.lists.insert(name, list);
        }
        Takes::Pairs(x, y) => {
            let (x, y) = (unit(x), unit(y));
            let pairs = value::list(given, |item| value::pair(item, x.as_deref(), y.as_deref()))?;
            values.pairs.insert(name, pairs);
        }
        Takes::Word(words) => {
            values.words.insert(name, value::word(given, words).map_err(|w| vec![w])?);
        }
        Takes::File => {
            let file = value::text(given).map_err(|w| vec![w])?;
            values.words.insert(name, circumstances.base.join(file).to_string_lossy().into_owned());
        }
        Takes::Columns(columns) => {
            let file = circumstances.base.join(value::text(given).map_err(|w| vec![w])?);
            let read =
                columns::read(&file, columns).map_err(|message| vec![Wrong::new(given, message, "", "")])?;
            values.columns.insert(name, read);
            values.words.insert(name, file.to_string_lossy().into_owned());
        }
        // A section of its own: it does not come here.
        Takes::Table(_) => {}
    }
    Ok(())
}

//! A table of the scene, read against a table of parameters.
//!
//! Nothing here knows a body, a law or a scheme: keys, units, ranges and words come
//! from the [`Parameter`] table of the kind, and so does every message.

use super::{
    problem::{Problem, suggest},
    value::{self, Wrong},
};
use hamiltone_core::parameter::{Absent, Complaint, Parameter, Range, Takes, Values};
use std::{collections::BTreeSet, ops, path::Path};
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

/// What the meaning of a section's values depends on.
#[derive(Clone, Copy)]
pub struct Circumstances<'a> {
    /// The folder that file names start from.
    pub base: &'a Path,
    /// Whether forces are per unit area (Pa in place of N); `None` where that is not known.
    pub per_area: Option<bool>,
}

impl<'a> Section<'a> {
    /// A problem with the value of `key`, or with the section where it has no such key.
    pub fn problem(&self, key: &str, message: impl std::fmt::Display, remark: &str) -> Problem {
        let span = self.table.get(key).map_or(self.span.clone(), Spanned::span);
        Problem::new(format!("{}: {message}", self.title), span, remark)
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
            let unit = |unit: &str| actual_unit(unit, circumstances.per_area, number);
            if let Err(wrongs) = read(given, parameter, unit, circumstances, &mut values) {
                failed.insert(parameter.name);
                problems.extend(wrongs.into_iter().map(|wrong| self.wrong(parameter, circumstances, wrong)));
            }
        }
        (problems.len() == before).then_some(values)
    }

    fn wrong(&self, parameter: &Parameter, circumstances: Circumstances<'_>, wrong: Wrong) -> Problem {
        let message = format!("{}: `{}` {}", self.title, parameter.name, wrong.message);
        let mut help = match wrong.help.is_empty() {
            true => format!("write for example {} ({})", example(parameter, circumstances), parameter.doc),
            false => wrong.help,
        };
        if circumstances.per_area == Some(true) && unit(parameter).contains('N') {
            help += "; the body is per unit area, so that forces are pressures";
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
        Takes::Table(_) => return Err(vec![]),
    }
    Ok(())
}

/// The unit of a parameter's numbers in its table, `""` where it has none.
pub fn unit(parameter: &Parameter) -> &'static str {
    match parameter.takes {
        Takes::Number(unit, _) | Takes::Numbers(unit, _) | Takes::Pairs(_, unit) => unit,
        Takes::Word(_) | Takes::File | Takes::Table(_) => "",
    }
}

/// The parameter that a unit such as `N/m^exponent` takes its exponent from.
fn exponent_name(parameter: &Parameter) -> Option<&'static str> {
    let (_, exponent) = unit(parameter).split_once('^')?;
    exponent.starts_with(char::is_alphabetic).then_some(exponent)
}

/// A table's unit with its exponent and its force filled in; `None` where either is not known.
fn actual_unit(unit: &str, per_area: Option<bool>, number: impl Fn(&str) -> Option<f64>) -> Option<String> {
    let unit = match unit.split_once('^') {
        Some((base, name)) if name.starts_with(char::is_alphabetic) => format!("{base}^{}", number(name)?),
        _ => unit.to_string(),
    };
    if unit.contains('N') { Some(force_unit(&unit, per_area?)) } else { Some(unit) }
}

/// Pa in place of N where forces are per unit area.
pub fn force_unit(unit: &str, per_area: bool) -> String {
    if per_area { unit.replace('N', "Pa") } else { unit.into() }
}

/// What could be written for a parameter.
pub fn example(parameter: &Parameter, circumstances: Circumstances<'_>) -> String {
    let unit = |unit: &str| match exponent_name(parameter) {
        Some(_) => String::new(),
        None => force_unit(unit, circumstances.per_area == Some(true)),
    };
    let number = |symbol: &str, range: Range| {
        let x = [1.0, range.min, range.max].into_iter().find(|x| range.holds(*x)).unwrap_or(0.0);
        match unit(symbol).as_str() {
            "" => format!("{x}"),
            unit => format!("\"{x} {unit}\""),
        }
    };
    let value = match parameter.takes {
        Takes::Number(symbol, range) => number(symbol, range),
        Takes::Numbers(symbol, range) => format!("[{}]", number(symbol, range)),
        Takes::Pairs(x, y) => format!("[[{}, {}]]", number(x, Range::ANY), number(y, Range::ANY)),
        Takes::Word(words) => format!("\"{}\"", words.first().unwrap_or(&"")),
        Takes::File => "\"sound.wav\"".into(),
        Takes::Table(inner) => {
            let inner: Vec<String> =
                inner.iter().map(|parameter| example(parameter, circumstances)).collect();
            format!("{{ {} }}", inner.join(", "))
        }
    };
    format!("{} = {value}", parameter.name)
}

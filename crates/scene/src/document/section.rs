//! A table of the scene, read against a table of parameters.
//!
//! Nothing here knows a body, a law or a scheme: keys, units, ranges and words come
//! from the [`Parameter`] table of the kind, and so does every message. A parameter that
//! is a table of its own is a section within its section.

use super::{
    columns,
    expected::{Circumstances, Expected, example},
    problem::{Problem, UNKNOWN},
    reading::too_large,
    suggest::{closest, suggest},
    value::{self, Wrong},
};
use hamiltone_core::{
    body::Measure,
    parameter::{Complaint, Parameter, Range, Role, Table, Takes, Value, Values},
};
use std::ops;
use toml::{
    Spanned,
    de::{DeTable, DeValue},
};

/// A table of the scene with its name for messages.
#[derive(Clone)]
pub struct Section<'a> {
    /// As messages name it: ``body `reed` ``.
    pub title: String,
    /// Its header in the text.
    pub span: ops::Range<usize>,
    /// Its keys and values.
    pub table: &'a DeTable<'a>,
}

/// Values that were read.
pub struct Checked {
    /// The values, as far as they could be read.
    pub values: Values,
    /// Whether nothing is wrong with them; keys that there are not do not count.
    pub sound: bool,
}

impl Checked {
    /// The values, unless anything is wrong.
    pub fn sound(self) -> Option<Values> {
        self.sound.then_some(self.values)
    }
}

impl<'a> Section<'a> {
    /// A problem with the value of `key`, or with the section where it has no such key.
    pub fn problem(&self, key: &str, message: impl std::fmt::Display, remark: &str) -> Problem {
        let span = self.find(key).map_or(self.span.clone(), Spanned::span);
        Problem::new(format!("{}: {message}", self.title), span, remark)
    }

    /// The value of a key, also of one such as `loss.d1` in a table within.
    pub fn find(&self, key: &str) -> Option<&'a Spanned<DeValue<'a>>> {
        let mut keys = key.split('.');
        let first = self.table.get(keys.next()?)?;
        keys.try_fold(first, |value, key| value.get_ref().as_table()?.get(key))
    }

    /// The section `[what.NAME]` in this one.
    pub fn named(&self, what: &str, name: &str) -> Option<Self> {
        let value = self.table.get(what)?.get_ref().as_table()?.get(name)?;
        let table = value.get_ref().as_table()?;
        Some(Self { title: format!("{what} `{name}`"), span: value.span(), table })
    }

    /// The sections of the list `[[list]]` in this one, by number; `entry` is what messages call one. What is no section is a problem.
    pub fn listed(&self, list: &str, entry: &str, problems: &mut Vec<Problem>) -> Vec<(usize, Self)> {
        let Some(value) = self.table.get(list) else { return Vec::new() };
        let DeValue::Array(entries) = value.get_ref() else {
            let problem =
                Problem::new(format!("`{list}` must be a list of sections"), value.span(), "not a list");
            problems.push(problem.help(format!("write [[{list}]] above each entry")));
            return Vec::new();
        };
        let section = |(number, value): (usize, &'a Spanned<DeValue<'a>>)| {
            let (title, span) = (format!("{entry} {}", number + 1), value.span());
            if let Some(table) = value.get_ref().as_table() {
                return Some((number, Self { title, span, table }));
            }
            let problem = Problem::new(format!("{title} must be a section"), span, "not a section");
            problems.push(problem.help(format!("write [[{list}]] above its keys")));
            None
        };
        entries.iter().enumerate().filter_map(section).collect()
    }

    /// What a part complains of, at the value it complains of.
    pub fn complaint(&self, complaint: &Complaint) -> Problem {
        let Complaint { parameter, message, help, at } = complaint;
        let message = if parameter.is_empty() { message.clone() } else { format!("`{parameter}` {message}") };
        let part = at.and_then(|at| value::part(self.find(parameter)?, at));
        let problem = match part {
            Some(span) => Problem::new(format!("{}: {message}", self.title), span, ""),
            None => self.problem(parameter, message, ""),
        };
        problem.help(help.clone())
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

    /// Names every key that is none of these, and returns those that were probably meant.
    pub fn refuse_unknown<'n>(&self, known: &[&'n str], problems: &mut Vec<Problem>) -> Vec<&'n str> {
        let mut meant = Vec::new();
        for (key, _) in self.table.iter().filter(|(key, _)| !known.contains(&key.get_ref().as_ref())) {
            let message = format!("{}: there is no key `{}`", self.title, key.get_ref());
            let help = suggest(key.get_ref(), known.iter().copied(), "keys that it takes");
            problems.push(Problem::new(message, key.span(), UNKNOWN).help(help));
            meant.extend(closest(key.get_ref(), known.iter().copied()));
        }
        meant
    }

    /// The values of a table, in SI and in range, with all that is missing and every rule that is broken, where the
    /// section may have the keys `own` besides. A value that cannot be read stands as [`Value::Unreadable`], so that it
    /// is not missed.
    pub fn values(
        &self,
        table: &Table<'_>,
        own: &[&str],
        circumstances: Circumstances<'_>,
        problems: &mut Vec<Problem>,
    ) -> Checked {
        let mut values = self.read(table.parameters, own, circumstances, problems);
        let open = |key: &str| !self.table.contains_key(key);
        let mut complaints = table.contradictions(&values, open);
        for (key, word) in table.implied(&values, open) {
            // Of what excludes one another both have been named.
            let contradicted = !complaints.is_empty();
            values.set(key, if contradicted { Value::Unreadable } else { word.into() });
        }
        complaints.extend(table.check(&values));
        let sound = complaints.is_empty() && values.are_readable();
        for complaint in complaints {
            let problem = self.complaint(&complaint);
            let parameter = table.find(&complaint.parameter);
            problems.push(match parameter {
                Some(parameter) if !values.is_given(&complaint.parameter) => {
                    problem.help(format!("add {} ({})", example(parameter, circumstances), parameter.doc))
                }
                _ => problem,
            });
            // Nobody shall go on with a value that is wrong.
            let root = complaint.parameter.split('.').next().unwrap_or_default();
            if let Some(parameter) = table.find(root) {
                values.set(parameter.name, Value::Unreadable);
            }
        }
        Checked { values, sound }
    }

    /// The values of parameters, whether or not they fit together.
    fn read(
        &self,
        parameters: &[Parameter],
        own: &[&str],
        circumstances: Circumstances<'_>,
        problems: &mut Vec<Problem>,
    ) -> Values {
        let mut values = Values::defaults(parameters);
        let known: Vec<&str> = own.iter().copied().chain(parameters.iter().map(|p| p.name)).collect();
        // A parameter that is misspelled is not missing.
        let meant = self.refuse_unknown(&known, problems);
        for parameter in parameters.iter().filter(|p| meant.contains(&p.name)) {
            values.set(parameter.name, Value::Unreadable);
        }
        // A unit such as N/m^exponent waits for the number it names.
        let (plain, waiting): (Vec<&Parameter>, Vec<&Parameter>) =
            parameters.iter().partition(|p| p.role().is_none_or(|role| role.exponent().is_none()));
        for parameter in plain.into_iter().chain(waiting) {
            let Some(given) = self.table.get(parameter.name) else { continue };
            let value = match parameter.takes {
                Takes::Table(inner) => {
                    self.within(parameter, given, circumstances, problems).map(|section| {
                        Value::Table(section.read(inner.parameters, &[], circumstances, problems))
                    })
                }
                _ => {
                    let expected =
                        |role, range| circumstances.expected(role, range, |name| values.number(name));
                    let wrong = |wrong| self.wrong(parameter, circumstances, wrong);
                    read(given, parameter, expected, circumstances)
                        .map_err(|wrongs| problems.extend(wrongs.into_iter().map(wrong)))
                        .ok()
                }
            };
            values.set(parameter.name, value.unwrap_or(Value::Unreadable));
        }
        values
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

    /// What is wrong with the value of a key.
    pub fn wrong_value(&self, key: &str, Wrong { message, span, remark, help }: Wrong) -> Problem {
        Problem::new(format!("{}: `{key}` {message}", self.title), span, remark).help(help)
    }

    fn wrong(&self, parameter: &Parameter, circumstances: Circumstances<'_>, wrong: Wrong) -> Problem {
        let mut help = match wrong.help.is_empty() {
            true => format!("write for example {} ({})", example(parameter, circumstances), parameter.doc),
            false => wrong.help.clone(),
        };
        if parameter.role().is_some_and(Role::depends_on_forces) {
            if circumstances.measure == Some(Measure::PerArea) {
                help += "; the body is per unit area, so that forces are pressures";
            }
            if circumstances.along == Some(true) {
                help += "; it acts along the body, so that forces are per unit length";
            }
        }
        self.wrong_value(parameter.name, Wrong { help, ..wrong })
    }
}

/// Reads a value that is no table.
fn read(
    given: &Spanned<DeValue<'_>>,
    parameter: &Parameter,
    expected: impl Fn(Role, Range) -> Expected,
    circumstances: Circumstances<'_>,
) -> Result<Value, Vec<Wrong>> {
    let one = |wrong| vec![wrong];
    Ok(match parameter.takes {
        Takes::Number(role, range) => value::number(given, &expected(role, range)).map_err(one)?.into(),
        Takes::Numbers(role, range) => {
            let expected = expected(role, range);
            value::list(given, |item| value::number(item, &expected).map_err(one))?.into()
        }
        Takes::Ratios(range, _) => {
            let expected = expected(Role::Number, range);
            value::list(given, |item| value::number(item, &expected).map_err(one))?.into()
        }
        Takes::Pitch => value::pitch(given, circumstances.a4).map_err(one)?.into(),
        Takes::Pairs(x, y) | Takes::Curve { x, y, .. } => {
            let (x, y) = (expected(x.0, x.1), expected(y.0, y.1));
            value::list(given, |item| value::pair(item, &x, &y))?.into()
        }
        Takes::Word(words) => value::word(given, words).map_err(one)?.into(),
        Takes::File => {
            let file = circumstances.base.join(value::text(given).map_err(one)?);
            // Whether it can be read at all is seen by what reads it.
            let size = file.metadata().map_or(0, |metadata| metadata.len());
            circumstances.reading.count(size.into()).map_err(|exceeded| {
                let message = format!("cannot be read: {} ({})", file.display(), too_large(&exceeded));
                one(Wrong::new(given, message, "", ""))
            })?;
            file.to_string_lossy().into_owned().into()
        }
        Takes::Columns(columns) => {
            let file = circumstances.base.join(value::text(given).map_err(one)?);
            let unreadable = |message| one(Wrong::new(given, message, "", ""));
            columns::read(&file, columns, circumstances.reading).map_err(unreadable)?.into()
        }
        Takes::Formula(_) => value::text(given).map_err(one)?.into(),
        Takes::Constants(_) => value::constants(given)?.into(),
        // A section of its own: it does not come here.
        Takes::Table(_) => Value::Unreadable,
    })
}

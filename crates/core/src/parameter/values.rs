//! Values given to a kind: SI numbers and words by the names of its parameters.

use super::{
    columns::Columns,
    complaint::Complaint,
    rule::OneOf,
    table::{Absent, Parameter},
};
use std::collections::BTreeMap;

/// A value of one parameter.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// A number, SI.
    Number(f64),
    /// A list of numbers, SI.
    Numbers(Vec<f64>),
    /// A list of pairs, SI.
    Pairs(Vec<(f64, f64)>),
    /// A word, a formula, or the path of a file.
    Word(String),
    /// A file of named columns.
    Columns(Columns),
    /// Numbers under names of the scene's own, SI.
    Constants(BTreeMap<String, f64>),
    /// A table of its own.
    Table(Values),
    /// Something that could not be read: the parameter counts as given, but has no value.
    Unreadable,
}

/// The values given to a kind, and the defaults of what is not given.
///
/// ```
/// use hamiltone_core::parameter::Values;
///
/// let values = Values::default().with("tension", 160.0).with("method", "modal");
/// assert_eq!(values.number("tension"), Some(160.0));
/// assert!(values.is_given("method") && !values.is_given("length"));
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Values {
    given: BTreeMap<&'static str, Value>,
    defaults: BTreeMap<&'static str, Value>,
    detail: Option<Detail>,
    step: Option<f64>,
}

/// How finely a body is to be represented where its values leave that open.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Detail {
    /// Up to which frequency the sound goes, Hz: modes are taken up to it.
    pub highest: f64,
    /// How many coordinates the grid may have from which modes are found numerically.
    pub coordinates: usize,
}

impl Values {
    /// The defaults of a table of parameters; nothing is given yet.
    pub fn defaults(parameters: &[Parameter]) -> Self {
        let default = |parameter: &Parameter| match parameter.absent {
            Absent::Number(x) => Some((parameter.name, Value::Number(x))),
            Absent::Word(word) => Some((parameter.name, Value::Word(word.into()))),
            Absent::Required | Absent::Optional(_) | Absent::Rule => None,
        };
        Self {
            given: BTreeMap::new(),
            defaults: parameters.iter().filter_map(default).collect(),
            detail: None,
            step: None,
        }
    }

    /// States the time step that the body is meant for, s.
    pub fn set_step(&mut self, dt: f64) {
        self.step = Some(dt);
    }

    /// The time step that the body is meant for, s, where that was stated: what a fitted body sounds like depends on it.
    pub fn step(&self) -> Option<f64> {
        self.step
    }

    /// States how finely the body is to be represented where no value says so.
    pub fn set_detail(&mut self, detail: Detail) {
        self.detail = Some(detail);
    }

    /// How finely the body is to be represented, where that was stated.
    pub fn detail(&self) -> Option<Detail> {
        self.detail
    }

    /// Gives a value.
    pub fn set(&mut self, name: &'static str, value: impl Into<Value>) {
        self.given.insert(name, value.into());
    }

    /// The same values with one more.
    #[must_use]
    pub fn with(mut self, name: &'static str, value: impl Into<Value>) -> Self {
        self.set(name, value);
        self
    }

    /// Takes a given value back: its default holds again, if it has one.
    pub fn unset(&mut self, name: &str) {
        self.given.remove(name);
    }

    /// The same, and the value that was given.
    pub fn take(&mut self, name: &str) -> Option<Value> {
        self.given.remove(name)
    }

    /// Every value, by default or given, in the order of the names.
    pub fn iter(&self) -> impl Iterator<Item = (&'static str, &Value)> {
        let defaults = self.defaults.iter().filter(|(name, _)| !self.given.contains_key(*name));
        let mut all: Vec<_> = defaults.chain(&self.given).map(|(name, value)| (*name, value)).collect();
        all.sort_by_key(|(name, _)| *name);
        all.into_iter()
    }

    /// Whether a parameter was given, as opposed to left at its default; a path such as `loss.d1` looks into tables.
    pub fn is_given(&self, path: &str) -> bool {
        match path.split_once('.') {
            None => self.given.contains_key(path),
            Some((table, rest)) => self.table(table).is_some_and(|table| table.is_given(rest)),
        }
    }

    /// Whether every given value could be read.
    pub fn are_readable(&self) -> bool {
        self.given.keys().all(|name| self.is_readable(name))
    }

    /// Whether a value could be read, where it was given.
    pub fn is_readable(&self, name: &str) -> bool {
        match self.given.get(name) {
            Some(Value::Unreadable) => false,
            Some(Value::Table(inner)) => inner.are_readable(),
            _ => true,
        }
    }

    fn get(&self, name: &str) -> Option<&Value> {
        self.given.get(name).or_else(|| self.defaults.get(name))
    }

    /// A number, if it was given or has a default.
    pub fn number(&self, name: &str) -> Option<f64> {
        match self.get(name)? {
            Value::Number(x) => Some(*x),
            _ => None,
        }
    }

    /// A number that the table requires or defaults.
    ///
    /// # Errors
    /// A [`Complaint`] where it is missing: the values were not checked against the table.
    pub fn required(&self, name: &'static str) -> Result<f64, Complaint> {
        self.number(name).ok_or_else(|| Complaint::new(name, "is missing"))
    }

    /// A whole number, if it was given or has a default: [`super::Table::check`] refuses others.
    pub fn count(&self, name: &str) -> Option<usize> {
        self.number(name).map(|x| x as usize)
    }

    /// A list of numbers, if it was given.
    pub fn list(&self, name: &str) -> Option<&[f64]> {
        match self.get(name)? {
            Value::Numbers(list) => Some(list),
            _ => None,
        }
    }

    /// A list of pairs, if it was given.
    pub fn pairs(&self, name: &str) -> Option<&[(f64, f64)]> {
        match self.get(name)? {
            Value::Pairs(pairs) => Some(pairs),
            _ => None,
        }
    }

    /// A word, a formula or the path of a file, if it was given or has a default.
    pub fn word(&self, name: &str) -> Option<&str> {
        match self.get(name)? {
            Value::Word(word) => Some(word),
            _ => None,
        }
    }

    /// A file of named columns, if it was given.
    pub fn columns(&self, name: &str) -> Option<&Columns> {
        match self.get(name)? {
            Value::Columns(columns) => Some(columns),
            _ => None,
        }
    }

    /// Numbers under names of the scene's own, if they were given.
    pub fn constants(&self, name: &str) -> Option<&BTreeMap<String, f64>> {
        match self.get(name)? {
            Value::Constants(constants) => Some(constants),
            _ => None,
        }
    }

    /// A table of its own, if it was given.
    pub fn table(&self, name: &str) -> Option<&Values> {
        match self.get(name)? {
            Value::Table(table) => Some(table),
            _ => None,
        }
    }

    /// The alternative of a group that was given, by the name of its first parameter.
    pub fn one_of(&self, group: &OneOf) -> Option<&'static str> {
        let given = |names: &&&[&'static str]| names.iter().any(|name| self.is_given(name));
        group.alternatives.iter().find(given).map(|names| names[0])
    }
}

impl From<f64> for Value {
    fn from(x: f64) -> Self {
        Value::Number(x)
    }
}

impl From<&str> for Value {
    fn from(word: &str) -> Self {
        Value::Word(word.into())
    }
}

impl From<String> for Value {
    fn from(word: String) -> Self {
        Value::Word(word)
    }
}

impl From<Vec<f64>> for Value {
    fn from(list: Vec<f64>) -> Self {
        Value::Numbers(list)
    }
}

impl From<Vec<(f64, f64)>> for Value {
    fn from(pairs: Vec<(f64, f64)>) -> Self {
        Value::Pairs(pairs)
    }
}

impl From<BTreeMap<String, f64>> for Value {
    fn from(constants: BTreeMap<String, f64>) -> Self {
        Value::Constants(constants)
    }
}

impl From<Columns> for Value {
    fn from(columns: Columns) -> Self {
        Value::Columns(columns)
    }
}

impl From<Values> for Value {
    fn from(table: Values) -> Self {
        Value::Table(table)
    }
}

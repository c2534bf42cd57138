//! How a kind of part describes itself: its parameters, with units, ranges and defaults.
//!
//! One table a kind is the only list there is: reading a scene, checking it,
//! `describe`, the error messages and the JSON Schema all read it.

use std::collections::BTreeMap;

/// One parameter of a kind of body, contact, drive or scheme.
#[derive(Clone, Copy, Debug)]
pub struct Parameter {
    /// Its key in the scene.
    pub name: &'static str,
    /// What values it takes.
    pub takes: Takes,
    /// What happens when it is left out.
    pub absent: Absent,
    /// What it is, with its symbol and, where it has one, its source.
    pub doc: &'static str,
}

/// The values that a parameter takes.
#[derive(Clone, Copy, Debug)]
pub enum Takes {
    /// A number in this unit (SI; `""` for a plain number) and range.
    Number(&'static str, Range),
    /// A list of numbers, likewise.
    Numbers(&'static str, Range),
    /// A list of (x, y) pairs: the units of x and of y.
    Pairs(&'static str, &'static str),
    /// One of these words.
    Word(&'static [&'static str]),
    /// A path to a file, relative to the scene.
    File,
    /// A path to a file of numbers in named columns (CSV, or NPZ with an array a column), relative to the scene.
    Columns(&'static [Column]),
    /// A table of its own, such as `loss = { d1 = 1.1, d3 = 2.7e-4 }`.
    Table(&'static [Parameter]),
}

/// A column of a file of numbers.
#[derive(Clone, Copy, Debug)]
pub struct Column {
    /// Its name; one that ends in `=` stands for any number of columns such as `x=0.12`.
    pub name: &'static str,
    /// The unit of its numbers, SI.
    pub unit: &'static str,
    /// Their range.
    pub range: Range,
    /// Whether the file must have it.
    pub required: bool,
}

/// The numbers of a file of named columns, checked against its table.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Columns {
    /// How many rows it has.
    pub rows: usize,
    /// The columns by name.
    pub named: BTreeMap<&'static str, Vec<f64>>,
    /// The columns whose names end in a number, by that number, ascending.
    pub numbered: Vec<(f64, Vec<f64>)>,
}

/// An interval of numbers; every range excludes NaN and the infinities.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Range {
    /// The smallest value.
    pub min: f64,
    /// The largest value.
    pub max: f64,
    /// Whether `min` itself is excluded.
    pub open: bool,
}

impl Range {
    /// Any finite number.
    pub const ANY: Self = Self { min: f64::NEG_INFINITY, max: f64::INFINITY, open: false };
    /// Numbers > 0.
    pub const POSITIVE: Self = Self { min: 0.0, max: f64::INFINITY, open: true };
    /// Numbers ≥ 0.
    pub const NOT_NEGATIVE: Self = Self { min: 0.0, max: f64::INFINITY, open: false };

    /// Numbers from `min` on.
    pub const fn from(min: f64) -> Self {
        Self { min, max: f64::INFINITY, open: false }
    }

    /// Whether it holds `x`.
    pub fn holds(&self, x: f64) -> bool {
        x.is_finite() && x <= self.max && if self.open { x > self.min } else { x >= self.min }
    }

    /// `x`, or a complaint that names the parameter and the range.
    ///
    /// # Errors
    /// A [`Complaint`] where the range does not hold `x`.
    pub fn check(&self, parameter: &'static str, x: f64) -> Result<f64, Complaint> {
        let complaint = || Complaint::new(parameter, format!("is {x}; it must be {self}"));
        self.holds(x).then_some(x).ok_or_else(complaint)
    }
}

impl std::fmt::Display for Range {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let sign = if self.open { ">" } else { "≥" };
        match (self.min.is_finite(), self.max.is_finite()) {
            (false, false) => write!(f, "any finite number"),
            (true, false) => write!(f, "{sign} {}", self.min),
            (false, true) => write!(f, "≤ {}", self.max),
            (true, true) => write!(f, "{sign} {} and ≤ {}", self.min, self.max),
        }
    }
}

/// What happens when a parameter is left out.
#[derive(Clone, Copy, Debug)]
pub enum Absent {
    /// It must be given.
    Required,
    /// It may be left out; the text says what then holds.
    Optional(&'static str),
    /// This number is used.
    Number(f64),
    /// This word is used.
    Word(&'static str),
}

/// A kind of part: what `describe` prints, and the parameters that a scene may give it.
#[derive(Clone, Copy, Debug)]
pub struct Kind {
    /// Its name in scenes.
    pub name: &'static str,
    /// One line: what it is.
    pub summary: &'static str,
    /// Its equations, in Unicode.
    pub equation: &'static str,
    /// Where it comes from: paper and equation numbers.
    pub source: &'static str,
    /// Its parameters.
    pub parameters: &'static [Parameter],
}

/// The values given to a kind, read against its table: SI numbers, in range, defaults filled in.
#[derive(Clone, Debug, Default)]
pub struct Values {
    /// Single numbers.
    pub numbers: BTreeMap<&'static str, f64>,
    /// Lists of numbers.
    pub lists: BTreeMap<&'static str, Vec<f64>>,
    /// Lists of pairs.
    pub pairs: BTreeMap<&'static str, Vec<(f64, f64)>>,
    /// Words and paths.
    pub words: BTreeMap<&'static str, String>,
    /// Files of named columns.
    pub columns: BTreeMap<&'static str, Columns>,
    /// Tables of their own.
    pub tables: BTreeMap<&'static str, Values>,
}

impl Values {
    /// The defaults of a table, to be overwritten by what is given.
    pub fn defaults(parameters: &[Parameter]) -> Self {
        let mut values = Self::default();
        for parameter in parameters {
            match parameter.absent {
                Absent::Number(x) => {
                    values.numbers.insert(parameter.name, x);
                }
                Absent::Word(word) => {
                    values.words.insert(parameter.name, word.into());
                }
                Absent::Required | Absent::Optional(_) => {}
            }
        }
        values
    }

    /// A number, if it was given or has a default.
    pub fn number(&self, name: &str) -> Option<f64> {
        self.numbers.get(name).copied()
    }

    /// A number that the table requires or defaults.
    ///
    /// # Errors
    /// A [`Complaint`] where it is missing: the values were not read against the table.
    pub fn required(&self, name: &'static str) -> Result<f64, Complaint> {
        self.number(name).ok_or_else(|| Complaint::new(name, "is missing"))
    }

    /// A table of its own, if it was given.
    pub fn table(&self, name: &str) -> Option<&Values> {
        self.tables.get(name)
    }

    /// A word, if it was given or has a default.
    pub fn word(&self, name: &str) -> Option<&str> {
        self.words.get(name).map(String::as_str)
    }
}

/// What is wrong with the values given to a part; the plan adds file, line and value.
#[derive(Clone, Debug, PartialEq)]
pub struct Complaint {
    /// The parameter complained of, or `""` for the part as a whole.
    pub parameter: &'static str,
    /// What is wrong and what to write instead.
    pub message: String,
}

impl Complaint {
    /// A complaint about one parameter.
    pub fn new(parameter: &'static str, message: impl Into<String>) -> Self {
        Self { parameter, message: message.into() }
    }
}

impl std::fmt::Display for Complaint {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} {}", self.parameter, self.message)
    }
}

impl std::error::Error for Complaint {}

/// A line of a registry: how a kind describes itself, and how it is made from values read against its table.
pub struct Entry<T> {
    /// Its name, equations and parameters.
    pub kind: Kind,
    /// Makes the part.
    pub make: fn(&Values) -> Result<T, Complaint>,
}

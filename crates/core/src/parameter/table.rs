//! The table of a kind: its parameters, what each takes and what holds without it.

use super::{range::Range, role::Role, rule::Rule};

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
    /// A number of this role and range.
    Number(Role, Range),
    /// A list of numbers, likewise.
    Numbers(Role, Range),
    /// A list of so many ascending ratios at most, each of this range.
    Ratios(Range, usize),
    /// A note such as `"E2"` or `"F#3 -14 cents"`; its value is its frequency, Hz.
    Pitch,
    /// A list of (x, y) pairs: the roles and ranges of x and of y.
    Pairs((Role, Range), (Role, Range)),
    /// A curve: a list of (x, y) pairs with x ascending.
    Curve {
        /// The role and range of x.
        x: (Role, Range),
        /// The role and range of y.
        y: (Role, Range),
        /// The least number of pairs.
        least: usize,
    },
    /// One of these words; `"true"` and `"false"` are also written without quotes.
    Word(&'static [&'static str]),
    /// A path to a file, relative to the scene.
    File,
    /// A path to a file of numbers in named columns (CSV, or NPZ with an array a column), relative to the scene.
    Columns(&'static [Column]),
    /// A formula of a variable that its kind names, such as `"K*x^2.5/2.5"`: examples of it.
    Formula(&'static [&'static str]),
    /// A table of numbers under names of the scene's own, with any unit: names of the examples of a formula.
    Constants(&'static [&'static str]),
    /// A table of its own, such as `loss = { d1 = 1.1, d3 = 2.7e-4 }`.
    Table(Table<'static>),
}

/// A word as a scene writes it.
pub fn written(word: &str) -> String {
    if SWITCH.contains(&word) { word.into() } else { format!("\"{word}\"") }
}

/// The words of a parameter that is on or off.
pub const SWITCH: [&str; 2] = ["false", "true"];

/// Parameters, and the rules between them.
#[derive(Clone, Copy, Debug)]
pub struct Table<'a> {
    /// The parameters.
    pub parameters: &'a [Parameter],
    /// What must hold between them.
    pub rules: &'a [Rule],
}

impl Parameter {
    /// The role of its numbers, of pairs that of the second; `None` where it takes no numbers.
    pub fn role(&self) -> Option<Role> {
        match self.takes {
            Takes::Number(role, _) | Takes::Numbers(role, _) | Takes::Pairs(_, (role, _)) => Some(role),
            Takes::Curve { y: (role, _), .. } => Some(role),
            Takes::Ratios(..) => Some(Role::Number),
            Takes::Pitch | Takes::Word(_) | Takes::File | Takes::Columns(_) | Takes::Table(_) => None,
            Takes::Formula(_) | Takes::Constants(_) => None,
        }
    }
}

/// A column of a file of numbers.
#[derive(Clone, Copy, Debug)]
pub struct Column {
    /// Its name; one that ends in `=` stands for any number of columns such as `x=0.12`.
    pub name: &'static str,
    /// The role of its numbers.
    pub role: Role,
    /// Their range.
    pub range: Range,
    /// Whether the file must have it.
    pub required: bool,
}

/// What happens when a parameter is left out.
#[derive(Clone, Copy, Debug)]
pub enum Absent {
    /// It must be given.
    Required,
    /// It may be left out; the text says what then holds.
    Optional(&'static str),
    /// It may be left out; a [`Rule`] says what then must be given or holds.
    Rule,
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
    /// What must hold between them.
    pub rules: &'static [Rule],
}

impl Kind {
    /// Its parameters and the rules between them.
    pub const fn table(&self) -> Table<'static> {
        Table { parameters: self.parameters, rules: self.rules }
    }
}

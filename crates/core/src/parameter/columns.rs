//! Files of numbers in named columns.

use std::collections::BTreeMap;

/// The numbers of a file of named columns, checked against its table.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Columns {
    /// The path of the file, as it was opened.
    pub file: String,
    /// How many rows it has.
    pub rows: usize,
    /// The columns by name.
    pub named: BTreeMap<&'static str, Vec<f64>>,
    /// The columns whose names end in a number, by that number, ascending.
    pub numbered: Vec<(f64, Vec<f64>)>,
}

//! A table of the report: columns of text and of numbers.

/// A table; its rows have a cell for each column.
#[derive(Default)]
pub struct Table {
    /// What it shows.
    pub caption: &'static str,
    /// The columns.
    pub columns: Vec<Column>,
    /// The cells, row by row.
    pub rows: Vec<Vec<String>>,
}

/// A column.
#[derive(Clone, Copy)]
pub enum Column {
    /// Words, to the left.
    Text(&'static str),
    /// Sentences, to the left, which may be broken into lines.
    Prose(&'static str),
    /// Numbers, to the right; the heading has their unit, and all have as many digits.
    Number(&'static str),
}

impl Column {
    /// The heading.
    pub fn name(self) -> &'static str {
        match self {
            Self::Text(name) | Self::Prose(name) | Self::Number(name) => name,
        }
    }

    /// Its class in the style sheet.
    pub fn class(self) -> &'static str {
        match self {
            Self::Text(_) => "text",
            Self::Prose(_) => "prose",
            Self::Number(_) => "number",
        }
    }
}

//! Tables as text.

use crate::figure::{Cell, Table};
use comfy_table::{CellAlignment, ContentArrangement, presets};
use hamiltone_numerics::math::log10;
use std::fmt;

impl Table {
    /// An empty table.
    pub fn new(title: impl Into<String>, columns: &[&str]) -> Self {
        let columns = columns.iter().map(ToString::to_string).collect();
        Self { title: title.into(), columns, rows: Vec::new(), notes: Vec::new() }
    }

    /// Adds a row.
    pub fn row(&mut self, cells: impl IntoIterator<Item = Cell>) {
        self.rows.push(cells.into_iter().collect());
    }

    /// Adds a note.
    pub fn note(&mut self, note: impl Into<String>) {
        self.notes.push(note.into());
    }
}

impl fmt::Display for Cell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Cell::Text(text) => f.write_str(text),
            Cell::Number(x) => f.write_str(&six_digits(*x)),
            Cell::Blank => f.write_str("–"),
        }
    }
}

/// Six significant digits: plain between 1e-3 and 1e6, with an exponent elsewhere.
fn six_digits(x: f64) -> String {
    let size = x.abs();
    if x == 0.0 || !x.is_finite() {
        return format!("{x}");
    }
    if !(1e-3..1e6).contains(&size) {
        return format!("{x:.5e}");
    }
    let before = log10(size).floor() as i32;
    format!("{x:.*}", (5 - before).max(0) as usize)
}

impl fmt::Display for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut table = comfy_table::Table::new();
        table.load_preset(presets::UTF8_FULL_CONDENSED).set_content_arrangement(ContentArrangement::Disabled);
        table.set_header(&self.columns);
        for row in &self.rows {
            table.add_row(row.iter().map(|cell| {
                let text = comfy_table::Cell::new(cell);
                match cell {
                    Cell::Text(_) => text,
                    Cell::Number(_) | Cell::Blank => text.set_alignment(CellAlignment::Right),
                }
            }));
        }
        writeln!(f, "{}", self.title)?;
        writeln!(f, "{table}")?;
        for note in &self.notes {
            writeln!(f, "  · {note}")?;
        }
        Ok(())
    }
}

//! Tables of figures as Markdown and CSV, on the terminal and in a folder.

use crate::machine::Machine;
use std::{
    fs, io,
    path::{Path, PathBuf},
};

/// A table.
pub struct Table {
    /// What it shows, a heading.
    pub title: String,
    /// The names of the columns.
    pub columns: Vec<&'static str>,
    /// Its rows, as many cells as columns.
    pub rows: Vec<Vec<String>>,
}

impl Table {
    /// An empty one.
    pub fn new(title: impl Into<String>, columns: &[&'static str]) -> Self {
        Self { title: title.into(), columns: columns.to_vec(), rows: Vec::new() }
    }

    /// As Markdown, its columns aligned so that it can be read as text.
    pub fn markdown(&self) -> String {
        let widths: Vec<usize> = (0..self.columns.len())
            .map(|i| {
                let cells = self.rows.iter().map(|row| row[i].chars().count());
                cells.chain([self.columns[i].chars().count(), 3]).max().unwrap_or(0)
            })
            .collect();
        let line = |cells: &mut dyn Iterator<Item = &str>| {
            let padded: Vec<String> =
                cells.zip(&widths).map(|(cell, width)| format!("{cell:>width$}")).collect();
            format!("| {} |\n", padded.join(" | "))
        };
        let rule: Vec<String> = widths.iter().map(|width| "-".repeat(*width)).collect();
        let head = line(&mut self.columns.iter().copied()) + &line(&mut rule.iter().map(String::as_str));
        let rows = self.rows.iter().map(|row| line(&mut row.iter().map(String::as_str)));
        format!("## {}\n\n{head}{}\n", self.title, rows.collect::<String>())
    }

    /// As CSV: its title as a comment, the names, the rows.
    pub fn csv(&self) -> String {
        let line = |cells: &mut dyn Iterator<Item = &str>| {
            let quoted: Vec<String> = cells
                .map(|cell| if cell.contains([',', '"']) { format!("{cell:?}") } else { cell.to_string() })
                .collect();
            quoted.join(",") + "\n"
        };
        let head = line(&mut self.columns.iter().copied());
        let rows = self.rows.iter().map(|row| line(&mut row.iter().map(String::as_str)));
        format!("# {}\n{head}{}", self.title, rows.collect::<String>())
    }
}

/// The folder of archived tables, unless another is asked for.
pub fn usual_folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("archive")
}

/// Writes the tables of a benchmark beside each other, `NAME-DATE-COMMIT.md` and `.csv`; the path of the first.
///
/// # Errors
/// Where they cannot be written.
pub fn write(
    folder: &Path,
    name: &str,
    machine: &Machine,
    notes: &str,
    tables: &[Table],
) -> io::Result<PathBuf> {
    fs::create_dir_all(folder)?;
    let date = machine.date.replace(':', "").replace(' ', "-");
    let path = folder.join(format!("{name}-{date}-{}", machine.commit.replace('+', "-changed")));
    let markdown: String = tables.iter().map(Table::markdown).collect();
    let csv: Vec<String> = tables.iter().map(Table::csv).collect();
    fs::write(path.with_extension("csv"), format!("{}{}", machine.lines("# "), csv.join("\n")))?;
    let path = path.with_extension("md");
    fs::write(&path, format!("# {name}\n\n{machine}\n{notes}\n{markdown}"))?;
    Ok(path)
}

#[cfg(test)]
mod tests {
    use super::Table;

    #[test]
    fn tables_are_aligned_and_quoted() {
        let mut table = Table::new("Steps", &["scheme", "ns"]);
        table.rows.push(vec!["ec, linear".into(), "1.25".into()]);
        assert_eq!(
            table.markdown(),
            "## Steps\n\n|     scheme |   ns |\n| ---------- | ---- |\n| ec, linear | 1.25 |\n\n"
        );
        assert_eq!(table.csv(), "# Steps\nscheme,ns\n\"ec, linear\",1.25\n");
    }
}

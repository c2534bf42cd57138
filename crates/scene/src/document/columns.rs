//! Files of numbers in named columns: CSV, or NPZ with an array a column, as numpy's `savez` writes it.
//!
//! CSV: a line of names, then lines of numbers, SI, with a point; lines that begin with # and empty ones are passed
//! over. What is wrong is named by file, line, column, value and what is allowed.

use super::{npz, reading::Reading, suggest::suggest};
use crate::{limits::Limited, units};
use csv::{ReaderBuilder, Trim};
use hamiltone_core::parameter::{Column, Columns};
use std::{collections::BTreeSet, path::Path};

/// A column as it was read: its name, what it means, and its numbers.
type Raw = (String, &'static Column, Vec<f64>);

/// The columns of a file.
///
/// # Errors
/// The rest of a sentence that begins with the parameter.
pub fn read(path: &Path, columns: &'static [Column], reading: &Reading<'_>) -> Result<Columns, String> {
    let unreadable = |e: String| format!("cannot be read: {} ({e})", path.display());
    let at = |message: String| format!("has a mistake in {}: {message}", path.display());
    let bytes = reading.bytes(path).map_err(unreadable)?;
    let raw = if bytes.starts_with(b"PK") {
        let arrays = npz::read(bytes, reading).map_err(unreadable)?;
        arrays
            .into_iter()
            .map(|array| checked(array, columns))
            .collect::<Result<Vec<Raw>, _>>()
            .map_err(at)?
    } else {
        csv(&bytes, columns, reading).map_err(|wrong| match wrong {
            ColumnsError::File(e) => unreadable(e),
            ColumnsError::Value(message) => at(message),
        })?
    };
    let mut read =
        Columns { rows: raw.first().map_or(0, |(.., numbers)| numbers.len()), ..Columns::default() };
    read.file = path.to_string_lossy().into_owned();
    let mut seen = BTreeSet::new();
    for (name, column, numbers) in raw {
        if numbers.len() != read.rows {
            return Err(at(format!("column `{name}` has {} numbers, not {}", numbers.len(), read.rows)));
        }
        let key = match name.split_once('=') {
            Some((_, place)) => {
                let x = place_of(place).map_err(|e| at(format!("column `{name}`: {e}")))?;
                read.numbered.push((x, numbers));
                format!("{x}")
            }
            None => {
                read.named.insert(column.name, numbers);
                name.clone()
            }
        };
        if !seen.insert(key) {
            return Err(at(format!("column `{name}` is there twice")));
        }
    }
    if let Some(column) = columns.iter().find(|c| c.required && !read.named.contains_key(c.name)) {
        return Err(format!("has no column `{}` in {}", column.name, path.display()));
    }
    read.numbered.sort_by(|a, b| a.0.total_cmp(&b.0));
    Ok(read)
}

/// An array as a column, its numbers in range.
fn checked((name, numbers): (String, Vec<f64>), columns: &'static [Column]) -> Result<Raw, String> {
    let column = find(&name, columns)?;
    for (i, x) in numbers.iter().enumerate() {
        in_range(*x, column).map_err(|message| format!("entry {}, column `{name}`: {message}", i + 1))?;
    }
    Ok((name, column, numbers))
}

/// Whether a number is in the range of its column.
fn in_range(x: f64, column: &Column) -> Result<(), String> {
    if column.range.holds(x) {
        return Ok(());
    }
    let limit = format!("{} {}", column.range, column.role.symbol());
    Err(format!("is {x}, but must be {}", limit.trim_end()))
}

/// The column that a name means.
fn find(name: &str, columns: &'static [Column]) -> Result<&'static Column, String> {
    let means = |column: &&Column| match column.name.strip_suffix('=') {
        Some(start) => name.split_once('=').is_some_and(|(own, _)| own.trim() == start),
        None => column.name == name,
    };
    columns.iter().find(means).ok_or_else(|| {
        let names = columns.iter().map(|column| column.name);
        format!("there is no column `{name}`; {}", suggest(name, names, "columns that it takes"))
    })
}

/// Metres, also with a unit.
fn place_of(text: &str) -> Result<f64, String> {
    let plain = text.trim().parse().ok().filter(|x: &f64| x.is_finite());
    match plain {
        Some(x) => Ok(x),
        None => units::read(text, &["m"]).map_err(|e| e.to_string()),
    }
}

/// Why a CSV file is refused.
enum ColumnsError {
    /// It is none.
    File(String),
    /// Something in it is wrong.
    Value(String),
}

/// The columns of a CSV file, each number checked where it is read.
fn csv(bytes: &[u8], columns: &'static [Column], reading: &Reading<'_>) -> Result<Vec<Raw>, ColumnsError> {
    let mut reader = ReaderBuilder::new().comment(Some(b'#')).trim(Trim::All).from_reader(bytes);
    let names = reader.headers().map_err(|e| ColumnsError::File(e.to_string()))?.clone();
    let exceeded = reading.limits().check(Limited::Columns, names.len() as u128);
    exceeded.map_err(|exceeded| ColumnsError::File(format!("it has columns: {exceeded}")))?;
    let named = |name: &str| Ok((name.to_string(), find(name, columns)?, Vec::new()));
    let mut raw: Vec<Raw> =
        names.iter().map(named).collect::<Result<_, String>>().map_err(ColumnsError::Value)?;
    for record in reader.records() {
        let record = record.map_err(|e| ColumnsError::File(e.to_string()))?;
        let line = || record.position().map_or(0, |position| position.line());
        for ((name, column, numbers), text) in raw.iter_mut().zip(&record) {
            let number = text.parse().map_err(|_| format!("`{text}` is no number"));
            let number = number.and_then(|x| in_range(x, column).map(|()| x));
            numbers.push(
                number.map_err(|e| ColumnsError::Value(format!("line {}, column `{name}`: {e}", line())))?,
            );
        }
    }
    Ok(raw)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::limits::Limits;
    use hamiltone_core::parameter::{Range, Role};
    use std::io::{Cursor, Write};

    const COLUMNS: &[Column] = &[
        Column { name: "frequency", role: Role::Frequency, range: Range::POSITIVE, required: true },
        Column { name: "mass", role: Role::Mass, range: Range::POSITIVE, required: false },
        Column { name: "x=", role: Role::Number, range: Range::ANY, required: false },
    ];

    /// The file of this name and these bytes, read.
    fn of(name: &str, bytes: &[u8]) -> Result<Columns, String> {
        let path = std::env::temp_dir().join(format!("hamiltone-columns-{}-{name}", std::process::id()));
        std::fs::write(&path, bytes).unwrap();
        let read = read(&path, COLUMNS, &Reading::new(&Limits::default()));
        std::fs::remove_file(&path).unwrap();
        read
    }

    #[test]
    fn csv_is_read_and_its_mistakes_are_placed() {
        let good =
            of("good", b"# a bell\nfrequency, x=20 cm, x=0.1\n100, 1, 0\n\n250.5, -1, 2e-1\n").unwrap();
        assert_eq!(good.named["frequency"], [100.0, 250.5]);
        assert_eq!(good.numbered, [(0.1, vec![0.0, 0.2]), (0.2, vec![1.0, -1.0])]);
        let wrong = |text: &str, told: &str| {
            let message = of("wrong", text.as_bytes()).unwrap_err();
            assert!(message.contains(told), "{message}");
        };
        wrong("frequency\n100\n-2\n", "line 3, column `frequency`: is -2, but must be > 0 Hz");
        wrong("frequency\n1,5\n", "line: 2");
        wrong("frequency\n1O\n", "line 2, column `frequency`: `1O` is no number");
        wrong("frequenzy\n1\n", "there is no column `frequenzy`; did you mean `frequency`?");
        wrong("mass\n1\n", "has no column `frequency`");
        wrong("frequency,frequency\n1,1\n", "is there twice");
        wrong("frequency,x=1 s\n1,1\n", "column `x=1 s`");
        let folder = read(&std::env::temp_dir(), COLUMNS, &Reading::new(&Limits::default()));
        assert!(folder.unwrap_err().contains("not a plain file"));
    }

    /// As numpy writes them: `savez("f.npz", **{"frequency": [100, 200], "x=0.1": [1, -1]})` of float64.
    #[test]
    fn npz_is_read() {
        let file = |descr: &str| {
            let mut zip = zip::ZipWriter::new(Cursor::new(Vec::new()));
            for (name, numbers) in [("frequency", [100.0, 200.0_f64]), ("x=0.1", [1.0, -1.0])] {
                zip.start_file(format!("{name}.npy"), zip::write::SimpleFileOptions::default()).unwrap();
                let header = format!("{{'descr': '{descr}', 'fortran_order': False, 'shape': (2,), }}");
                zip.write_all(b"\x93NUMPY\x01\x00").unwrap();
                zip.write_all(&(header.len() as u16).to_le_bytes()).unwrap();
                zip.write_all(header.as_bytes()).unwrap();
                numbers.iter().for_each(|x| zip.write_all(&x.to_le_bytes()).unwrap());
            }
            zip.finish().unwrap().into_inner()
        };
        let read = of("good.npz", &file("<f8")).unwrap();
        assert_eq!(read.named["frequency"], [100.0, 200.0]);
        assert_eq!(read.numbered, [(0.1, vec![1.0, -1.0])]);
        assert!(of("wrong.npz", &file("<f4")).unwrap_err().contains("no list of float64"));
        assert!(of("broken.npz", b"PK and no more").unwrap_err().contains("cannot be read"));
    }
}

//! Files of numbers in named columns: CSV, or NPZ with an array a column, as numpy's `savez` writes it.
//!
//! CSV: a line of names, then lines of numbers, SI, with a point; lines that begin with # and empty ones are passed
//! over. What is wrong is named by file, line, column, value and what is allowed.

use super::suggest::suggest;
use crate::units;
use csv::{ReaderBuilder, Trim};
use hamiltone_core::parameter::{Column, Columns};
use std::{
    collections::BTreeSet,
    io::{Cursor, Read},
    path::Path,
};
use zip::ZipArchive;

/// The largest file that is read, bytes.
const MAX_FILE_BYTES: u64 = 100_000_000;

/// A column as it was read: its name, and its numbers with the line or entry of each.
type Raw = (String, Vec<(usize, Result<f64, String>)>);

/// The columns of a file.
///
/// # Errors
/// The rest of a sentence that begins with the parameter.
pub fn read(path: &Path, columns: &'static [Column]) -> Result<Columns, String> {
    let unreadable = |e: &dyn std::fmt::Display| format!("cannot be read: {} ({e})", path.display());
    let metadata = path.metadata().map_err(|e| unreadable(&e))?;
    // A pipe or device would wait for ever.
    if !metadata.is_file() {
        return Err(unreadable(&"it is not a plain file"));
    }
    if metadata.len() > MAX_FILE_BYTES {
        return Err(unreadable(&format!("it has more than {MAX_FILE_BYTES} bytes")));
    }
    let bytes = std::fs::read(path).map_err(|e| unreadable(&e))?;
    let (raw, row) = match bytes.starts_with(b"PK") {
        true => (npz(bytes).map_err(|e| unreadable(&e))?, "entry"),
        false => (csv(&bytes).map_err(|e| unreadable(&e))?, "line"),
    };
    let mut read =
        Columns { rows: raw.first().map_or(0, |(_, numbers)| numbers.len()), ..Columns::default() };
    read.file = path.to_string_lossy().into_owned();
    let mut seen = BTreeSet::new();
    for (name, numbers) in raw {
        let at = |message: String| format!("has a mistake in {}: {message}", path.display());
        let column = find(&name, columns).map_err(at)?;
        if numbers.len() != read.rows {
            return Err(at(format!("column `{name}` has {} numbers, not {}", numbers.len(), read.rows)));
        }
        let check = |(i, number): (usize, Result<f64, String>)| {
            let here = |message: String| at(format!("{row} {i}, column `{name}`: {message}"));
            match number {
                Ok(x) if column.range.holds(x) => Ok(x),
                Ok(x) => {
                    let limit = format!("{} {}", column.range, column.role.symbol());
                    Err(here(format!("is {x}, but must be {}", limit.trim_end())))
                }
                Err(text) => Err(here(format!("`{text}` is no number"))),
            }
        };
        let checked = numbers.into_iter().map(check).collect::<Result<Vec<f64>, _>>()?;
        let key = match name.split_once('=') {
            Some((_, place)) => {
                let x = place_of(place).map_err(|e| at(format!("column `{name}`: {e}")))?;
                read.numbered.push((x, checked));
                format!("{x}")
            }
            None => {
                read.named.insert(column.name, checked);
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

fn csv(bytes: &[u8]) -> Result<Vec<Raw>, String> {
    let mut reader = ReaderBuilder::new().comment(Some(b'#')).trim(Trim::All).from_reader(bytes);
    let names = reader.headers().map_err(|e| e.to_string())?.clone();
    let mut raw: Vec<Raw> = names.iter().map(|name| (name.to_string(), Vec::new())).collect();
    for record in reader.records() {
        let record = record.map_err(|e| e.to_string())?;
        let line = record.position().map_or(0, |position| position.line() as usize);
        for ((_, numbers), text) in raw.iter_mut().zip(&record) {
            numbers.push((line, text.parse().map_err(|_| text.to_string())));
        }
    }
    Ok(raw)
}

fn npz(bytes: Vec<u8>) -> Result<Vec<Raw>, String> {
    let mut zip = ZipArchive::new(Cursor::new(bytes)).map_err(|e| e.to_string())?;
    (0..zip.len())
        .map(|i| {
            let mut file = zip.by_index(i).map_err(|e| format!("{e}; write it with numpy.savez"))?;
            let name = file.name().map_err(|e| e.to_string())?.trim_end_matches(".npy").to_string();
            let mut bytes = Vec::new();
            file.by_ref().take(MAX_FILE_BYTES).read_to_end(&mut bytes).map_err(|e| e.to_string())?;
            let numbers = npy(&bytes).ok_or_else(|| format!("array `{name}` is no list of float64"))?;
            Ok((name, numbers.into_iter().enumerate().map(|(i, x)| (i + 1, Ok(x))).collect()))
        })
        .collect()
}

/// A list of little-endian float64 of the npy format.
fn npy(bytes: &[u8]) -> Option<Vec<f64>> {
    let rest = bytes.strip_prefix(b"\x93NUMPY")?;
    let (header, data) = match (rest.first()?, rest.get(2..)?) {
        (1, rest) => {
            rest.split_first_chunk::<2>().map(|(n, rest)| (usize::from(u16::from_le_bytes(*n)), rest))?
        }
        (_, rest) => {
            rest.split_first_chunk::<4>().map(|(n, rest)| (u32::from_le_bytes(*n) as usize, rest))?
        }
    };
    let (header, data) = data.split_at_checked(header)?;
    let header: String = std::str::from_utf8(header).ok()?.split_whitespace().collect();
    let list = header.contains("'shape':(")
        && header.split("'shape':(").nth(1)?.split(')').next()?.matches(',').count() == 1;
    let known = header.contains("'descr':'<f8'") && list && data.len() % 8 == 0;
    let float = |chunk: &[u8]| chunk.try_into().ok().map(f64::from_le_bytes);
    known.then(|| data.chunks_exact(8).filter_map(float).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use hamiltone_core::parameter::{Range, Role};
    use std::io::Write;

    const COLUMNS: &[Column] = &[
        Column { name: "frequency", role: Role::Frequency, range: Range::POSITIVE, required: true },
        Column { name: "mass", role: Role::Mass, range: Range::POSITIVE, required: false },
        Column { name: "x=", role: Role::Number, range: Range::ANY, required: false },
    ];

    /// The file of this name and these bytes, read.
    fn of(name: &str, bytes: &[u8]) -> Result<Columns, String> {
        let path = std::env::temp_dir().join(format!("hamiltone-columns-{}-{name}", std::process::id()));
        std::fs::write(&path, bytes).unwrap();
        let read = read(&path, COLUMNS);
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
        assert!(read(&std::env::temp_dir(), COLUMNS).unwrap_err().contains("not a plain file"));
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

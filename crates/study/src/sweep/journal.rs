//! The journal of a sweep: one line a finished run, written when it is finished.
//!
//! | a line has | what |
//! |---|---|
//! | up to the last tab | JSON: of the first line which sweep it is, of others the row of a run |
//! | 16 digits behind it | the check sum of that (`hamiltone_core::checksum`), hexadecimal |
//!
//! A sweep that was killed continues where it ended: runs in the journal are not repeated, a line that was cut off at the end is.
//! A journal of another sweep, and one with a line whose check sum is another, are refused and stay as they are. When all runs are there, the
//! table is written in the order of their numbers and the journal is removed.

use super::Sweep;
use crate::{features::Row, table};
use hamiltone_core::checksum;
use hamiltone_render::{SinkError, commit::commit, file::failed};
use serde_json::{Value, json};
use std::{
    collections::{BTreeMap, HashSet},
    fs::{self, File, OpenOptions, TryLockError},
    io::{Read, Write},
    path::{Path, PathBuf},
};

/// The version of its lines: 1 had no check sums.
const VERSION: u32 = 2;

/// The journal of a sweep and the table that is made of it.
pub struct Journal {
    table: PathBuf,
    path: PathBuf,
    file: File,
    rows: BTreeMap<usize, Row>,
    /// The runs that are missing.
    pending: Vec<usize>,
}

impl Journal {
    /// Opens the journal of the table at `path`, or begins one.
    ///
    /// # Errors
    /// A table of unknown format, a journal of another sweep, one that is damaged or in use, and errors of the file system.
    pub fn open(sweep: &Sweep, table: &Path) -> Result<Self, SinkError> {
        table::check(table)?;
        let path = path(table);
        let error = |error: std::io::Error| failed(&path, error);
        let refuse = |reason: String| SinkError { path: path.clone(), reason };
        let options = OpenOptions::new().read(true).append(true).create(true).open(&path);
        let mut file = options.map_err(error)?;
        match file.try_lock() {
            Err(TryLockError::WouldBlock) => return Err(refuse("another sweep is writing to it".into())),
            // A file system without locks.
            Ok(()) | Err(TryLockError::Error(_)) => {}
        }
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes).map_err(error)?;
        // What a kill has cut off has no end of line.
        let whole = bytes.iter().rposition(|byte| *byte == b'\n').map_or(0, |last| last + 1);
        let text = String::from_utf8_lossy(&bytes[..whole]);
        let head =
            line(&json!({ "journal": VERSION, "sweep": sweep.digest(), "runs": sweep.runs().count() }));
        // Nothing is written to a file that is no journal of this sweep.
        let rest = match text.strip_prefix(&head) {
            Some(rest) => {
                file.set_len(whole as u64).map_err(error)?;
                rest
            }
            None if head.as_bytes().starts_with(&bytes) => {
                file.set_len(0).map_err(error)?;
                file.write_all(head.as_bytes()).map_err(error)?;
                ""
            }
            None => {
                return Err(refuse(
                    "it belongs to a sweep with another scene, other values or another version of the program, or its first line is \
                     damaged; remove it to begin anew, or choose another name for the table"
                        .into(),
                ));
            }
        };
        let (mut rows, runs) = (BTreeMap::new(), sweep.runs().collect::<HashSet<_>>());
        for (number_of_line, text) in (2..).zip(rest.lines()) {
            let damaged = || {
                refuse(format!("line {number_of_line} is damaged; remove this line, and its run is repeated"))
            };
            let row: Row =
                unsealed(text).and_then(|text| serde_json::from_str(text).ok()).ok_or_else(damaged)?;
            rows.insert(number(&row).filter(|number| runs.contains(number)).ok_or_else(damaged)?, row);
        }
        let pending = sweep.runs().filter(|run| !rows.contains_key(run)).collect();
        Ok(Self { table: table.into(), path, file, rows, pending })
    }

    /// The runs that are missing, in order.
    pub fn pending(&self) -> &[usize] {
        &self.pending
    }

    /// How many runs are finished.
    pub fn finished(&self) -> usize {
        self.rows.len()
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Enters a finished run.
    ///
    /// # Errors
    /// Where it cannot be written.
    pub fn enter(&mut self, row: Row) -> Result<(), SinkError> {
        let number = number(&row).ok_or_else(|| SinkError {
            path: self.path.clone(),
            reason: "a row without the number of its run".into(),
        })?;
        let line = line(&Value::Object(row.clone()));
        // In one call, so that a kill leaves whole lines but for the last.
        self.file.write_all(line.as_bytes()).map_err(|error| failed(&self.path, error))?;
        self.rows.insert(number, row);
        Ok(())
    }

    /// Writes the table, removes the journal and returns the rows in order.
    ///
    /// # Errors
    /// Where runs are missing, or the table cannot be written; then the journal stays.
    pub fn finish(self) -> Result<Vec<Row>, SinkError> {
        let missing = self.pending.iter().filter(|run| !self.rows.contains_key(run)).count();
        if missing > 0 {
            return Err(SinkError { path: self.path, reason: format!("{missing} runs are missing") });
        }
        let rows: Vec<Row> = self.rows.into_values().collect();
        commit(vec![table::stage(&self.table, &rows)?])?;
        fs::remove_file(&self.path).map_err(|error| failed(&self.path, error))?;
        Ok(rows)
    }
}

/// The journal of a table: its name with `.journal` behind it.
pub fn path(table: &Path) -> PathBuf {
    let mut name = table.file_name().unwrap_or_default().to_owned();
    name.push(".journal");
    table.with_file_name(name)
}

/// A line of the journal.
fn line(content: &Value) -> String {
    let content = content.to_string();
    format!("{content}\t{:016x}\n", checksum::of(content.as_bytes()))
}

/// What stands before the check sum of a line, where that is its own.
fn unsealed(line: &str) -> Option<&str> {
    let (content, sum) = line.rsplit_once('\t')?;
    (sum == format!("{:016x}", checksum::of(content.as_bytes()))).then_some(content)
}

fn number(row: &Row) -> Option<usize> {
    row.get("run")?.as_u64()?.try_into().ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{axis::Axis, source::Source};
    use hamiltone_scene::Limits;
    use std::sync::atomic::AtomicBool;

    const SCENE: &str = "hamiltone = 2\nrun.duration = \"1 ms\"\npickup.left.at = \"fork\"\n\
                         body.fork = { kind = \"oscillator\", mass = \"2 g\", frequency = \"440 Hz\", velocity = 1.0 }";

    fn sweep() -> Sweep {
        let source = Source {
            text: SCENE.into(),
            name: "fork.toml".into(),
            file: None,
            base: PathBuf::new(),
            limits: Limits::default(),
            shared: Default::default(),
        };
        Sweep::new(source, vec![Axis::parse("body.fork.velocity=1:3:3").unwrap()]).unwrap()
    }

    /// Every bit of a row is covered: a changed digit is never a number of the table. What is refused stays as it is, and a line that a
    /// kill cut off is repeated.
    #[test]
    fn a_damaged_line_is_refused_with_its_number_and_a_cut_one_is_repeated() {
        let folder = std::env::temp_dir().join(format!("hamiltone-journal-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let (table, sweep) = (folder.join("t.csv"), sweep());
        let mut journal = Journal::open(&sweep, &table).unwrap();
        for run in 0..2 {
            journal.enter(sweep.row(run, &AtomicBool::new(false)).unwrap()).unwrap();
        }
        drop(journal);
        let file = path(&table);
        let whole = fs::read(&file).unwrap();
        let ends: Vec<usize> = (0..whole.len()).filter(|i| whole[*i] == b'\n').collect();
        let refused = |bytes: &[u8]| {
            fs::write(&file, bytes).unwrap();
            let said = Journal::open(&sweep, &table).err().map(|error| error.to_string());
            assert_eq!(fs::read(&file).unwrap(), bytes, "the journal is as it was");
            said.expect("it is refused")
        };
        for at in (0..ends[1]).filter(|at| *at != ends[0]) {
            let mut damaged = whole.clone();
            damaged[at] ^= 1;
            let said = refused(&damaged);
            let line = if at < ends[0] { "first line is damaged" } else { "line 2 is damaged" };
            assert!(said.contains(line) && said.contains("t.csv.journal"), "{at}: {said}");
        }
        let mut last = whole.clone();
        last[ends[2] - 20] ^= 1;
        assert!(refused(&last).contains("line 3 is damaged"));
        let begun = r#"{"runs":3,"sweep":"0"}"#;
        assert!(refused(format!("{begun}\n").as_bytes()).contains("another version of the program"));
        for length in [ends[1] + 1, ends[1] + 9, ends[2]] {
            fs::write(&file, &whole[..length]).unwrap();
            assert_eq!(Journal::open(&sweep, &table).unwrap().pending(), [1, 2], "{length}");
        }
        fs::write(&file, &whole).unwrap();
        assert_eq!(Journal::open(&sweep, &table).unwrap().pending(), [2]);
        fs::remove_dir_all(&folder).unwrap();
    }
}

//! The journal of a sweep: one line of JSON a finished run, written when it is finished.
//!
//! A sweep that was killed continues where it ended: runs in the journal are not repeated, a line that was cut off is. The
//! first line says which sweep it is, and a journal of another one is refused. When all runs are there, the table is
//! written in the order of their numbers and the journal is removed.

use super::Sweep;
use crate::{features::Row, table};
use hamiltone_render::{SinkError, commit::commit, file::failed};
use serde_json::{Value, json};
use std::{
    collections::{BTreeMap, HashSet},
    fs::{self, File, OpenOptions, TryLockError},
    io::{Read, Write},
    path::{Path, PathBuf},
};

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
    /// A table of unknown format, a journal of another sweep or one that is in use, and errors of the file system.
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
        let head = format!("{}\n", json!({ "sweep": sweep.digest(), "runs": sweep.runs().count() }));
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
                    "it belongs to a sweep with another scene, other values or another version of the program; remove it to \
                     begin anew, or choose another name for the table"
                        .into(),
                ));
            }
        };
        let (mut rows, runs) = (BTreeMap::new(), sweep.runs().collect::<HashSet<_>>());
        for (line, text) in rest.lines().enumerate() {
            let damaged =
                || refuse(format!("line {} is damaged; remove the line to repeat its run", line + 2));
            let row: Row = serde_json::from_str(text).map_err(|_| damaged())?;
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
        let line = format!("{}\n", Value::Object(row.clone()));
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

fn number(row: &Row) -> Option<usize> {
    row.get("run")?.as_u64()?.try_into().ok()
}

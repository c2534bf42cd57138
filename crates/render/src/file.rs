//! A file that appears under its name only when it is complete.

use crate::sink::SinkError;
use std::{
    fs::{self, File},
    io::{self, BufWriter, Write},
    path::{Path, PathBuf},
    sync::{Mutex, MutexGuard, PoisonError},
};

/// The temporary files of runs that are going on.
static UNFINISHED: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

/// Removes the temporary files of all runs that are going on: for a program that is interrupted.
pub fn remove_unfinished() {
    let mut parts = unfinished();
    // The program ends: an error could not be reported to anyone.
    parts.drain(..).for_each(|part| drop(fs::remove_file(part)));
}

fn unfinished() -> MutexGuard<'static, Vec<PathBuf>> {
    UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A file that is written under a temporary name, `.part` added. When it is dropped, the temporary file is removed.
pub struct Pending {
    part: PathBuf,
    out: Option<BufWriter<File>>,
}

impl Pending {
    /// Creates the temporary file of `path`, in a folder that exists.
    ///
    /// # Errors
    /// Where it cannot be created, or `path` is something else than a plain file.
    pub fn create(path: &Path) -> Result<Self, SinkError> {
        let mut name = path.as_os_str().to_owned();
        name.push(".part");
        let part = PathBuf::from(name);
        match fs::metadata(path) {
            Ok(there) if there.is_dir() => {
                return Err(SinkError { path: path.into(), reason: "it is a folder".into() });
            }
            // A pipe or a device would be replaced by a file.
            Ok(there) if !there.is_file() => {
                return Err(SinkError { path: path.into(), reason: "it is not a plain file".into() });
            }
            _ => {}
        }
        let out = File::create(&part).map_err(|error| failed(path, error))?;
        unfinished().push(part.clone());
        Ok(Self { part, out: Some(BufWriter::new(out)) })
    }

    /// Writes the whole file by `write` and renames it to `path`.
    ///
    /// # Errors
    /// Those of `write` and of the file system.
    pub fn commit(
        mut self,
        path: &Path,
        write: impl FnOnce(&mut BufWriter<File>) -> io::Result<()>,
    ) -> Result<(), SinkError> {
        let Some(mut out) = self.out.take() else { return Ok(()) };
        let written = write(&mut out).and_then(|()| out.flush()).and_then(|()| out.get_ref().sync_all());
        drop(out);
        // A symbolic link stays, and its target is replaced.
        let target = fs::canonicalize(path).unwrap_or_else(|_| path.into());
        written.and_then(|()| fs::rename(&self.part, target)).map_err(|error| failed(path, error))
    }
}

impl Drop for Pending {
    fn drop(&mut self) {
        self.out = None;
        unfinished().retain(|part| *part != self.part);
        // After a commit there is nothing to remove; otherwise `drop` cannot report an error.
        let _ = fs::remove_file(&self.part);
    }
}

/// An error of the file system, with the file that it is about.
pub fn failed(path: &Path, error: io::Error) -> SinkError {
    SinkError { path: path.into(), reason: error.to_string() }
}

//! A file that appears under its name only when it is whole.

use crate::sink::SinkError;
use std::{
    fs::{self, File},
    io::{self, BufWriter, Write},
    path::{Path, PathBuf},
    sync::{Mutex, MutexGuard, PoisonError},
};

/// The temporary files of runs that go on.
static UNFINISHED: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

/// Removes the temporary files of all runs that go on, for a program that is about to end.
pub fn abandon() {
    let mut parts = unfinished();
    // Nobody is left to tell.
    parts.drain(..).for_each(|part| drop(fs::remove_file(part)));
}

fn unfinished() -> MutexGuard<'static, Vec<PathBuf>> {
    UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A file being written under a temporary name beside its own; dropped, it vanishes.
pub struct Pending {
    part: PathBuf,
    out: Option<BufWriter<File>>,
}

impl Pending {
    /// Begins `path`, in a folder that exists.
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

    /// Writes the whole file by `write` and gives it the name `path`.
    pub fn commit(
        mut self,
        path: &Path,
        write: impl FnOnce(&mut BufWriter<File>) -> io::Result<()>,
    ) -> Result<(), SinkError> {
        let Some(mut out) = self.out.take() else { return Ok(()) };
        let written = write(&mut out).and_then(|()| out.flush()).and_then(|()| out.get_ref().sync_all());
        drop(out);
        // Behind a link it is the file that is meant.
        let target = fs::canonicalize(path).unwrap_or_else(|_| path.into());
        written.and_then(|()| fs::rename(&self.part, target)).map_err(|error| failed(path, error))
    }
}

impl Drop for Pending {
    fn drop(&mut self) {
        self.out = None;
        unfinished().retain(|part| *part != self.part);
        // After a commit there is nothing left to remove; otherwise nobody is left to tell.
        let _ = fs::remove_file(&self.part);
    }
}

/// An error of the system, with the file it is about.
pub fn failed(path: &Path, error: io::Error) -> SinkError {
    SinkError { path: path.into(), reason: error.to_string() }
}

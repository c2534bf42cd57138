//! All files of a run get their names together, or none does.
//!
//! 1. The folders are locked (advisory locks of the operating system, which end with the process that holds them), so that
//!    two runs that write the same names do so one after the other.
//! 2. Every file that is replaced or removed gets a second name, and the complete new file is renamed to its place.
//! 3. Where that fails, what was changed is undone in reverse order; otherwise the second names are removed.
//!
//! Where a file system has no locks, as some network file systems, the last rename wins.

use crate::{
    error::SinkError,
    file::{Pending, Staged, check_target, failed, folder},
    temporary::registry,
};
use std::{
    collections::BTreeSet,
    fs::{self, File, TryLockError},
    io::{self, ErrorKind},
    path::{Path, PathBuf},
    time::{Duration, Instant},
};
use tempfile::Builder;

/// How long another program may hold the lock of a folder; renaming takes milliseconds.
const LONGEST_WAIT: Duration = Duration::from_secs(30);
/// The time between two attempts to lock a folder.
const PAUSE: Duration = Duration::from_millis(5);

/// Gives all files their names.
///
/// # Errors
/// The first file that cannot have its name; then every name has the file that it had before. Where that cannot be
/// restored, the message says under which name it is.
pub fn commit(files: Vec<Staged>) -> Result<(), SinkError> {
    let _locks = lock(&files)?;
    // An interruption waits until all files have their names.
    let mut registry = registry();
    let mut changes = Vec::new();
    for Staged(file) in files {
        let name = file.name.clone();
        if let Err(error) = place(file, &mut changes) {
            let mut error = failed(&name, error);
            let lost = changes.into_iter().rev().filter_map(|change| change.undo().err());
            error.reason.extend(lost.map(|lost| format!("; {lost}")));
            return Err(error);
        }
    }
    changes.into_iter().for_each(Replacement::keep);
    registry.committed = true;
    Ok(())
}

/// Locks the folders of all files, in the order of their names, so that no two programs wait for each other.
fn lock(files: &[Staged]) -> Result<Vec<File>, SinkError> {
    let folders = files.iter().map(|Staged(file)| folder(&file.target));
    let folders: BTreeSet<PathBuf> = folders.filter_map(|folder| fs::canonicalize(folder).ok()).collect();
    let begin = Instant::now();
    let mut locks = Vec::new();
    for path in folders {
        let Ok(folder) = File::open(&path) else { continue };
        while let Err(TryLockError::WouldBlock) = folder.try_lock() {
            if begin.elapsed() > LONGEST_WAIT {
                let reason =
                    format!("another program has locked this folder for {} s", LONGEST_WAIT.as_secs());
                return Err(SinkError { path, reason });
            }
            std::thread::sleep(PAUSE);
        }
        locks.push(folder);
    }
    Ok(locks)
}

/// Gives one file its name, and removes the one that it makes obsolete.
fn place(file: Pending, changes: &mut Vec<Replacement>) -> io::Result<()> {
    let Pending { file, target, obsolete, .. } = file;
    let previous = set_aside(&target)?;
    let placed = file.persist(&target);
    if previous.is_some() || placed.is_ok() {
        changes.push(Replacement { target, previous });
    }
    placed.map_err(|persist| persist.error)?;
    if let Some(target) = obsolete
        && let Some(previous) = set_aside(&target)?
    {
        let removed = remove(&target);
        changes.push(Replacement { target, previous: Some(previous) });
        removed?;
    }
    Ok(())
}

/// A name whose file is new, was replaced or was removed.
struct Replacement {
    target: PathBuf,
    /// The name under which the previous file still is, if there was one.
    previous: Option<PathBuf>,
}

impl Replacement {
    /// The previous file gets its name back.
    fn undo(self) -> Result<(), String> {
        let Some(previous) = &self.previous else {
            return remove(&self.target)
                .map_err(|error| format!("`{}` cannot be removed: {error}", self.target.display()));
        };
        fs::rename(previous, &self.target).map_err(|error| {
            let (target, previous) = (self.target.display(), previous.display());
            format!("the previous `{target}` cannot be restored and is `{previous}`: {error}")
        })?;
        // A rename between two names of one file leaves both.
        let _ = remove(previous);
        Ok(())
    }

    /// The previous file is given up.
    fn keep(self) {
        // The files of the run are in place: what stays behind is no reason to fail.
        self.previous.into_iter().for_each(|previous| drop(remove(&previous)));
    }
}

/// A second name for a file, if it exists; on file systems without hard links, its only one. It is a user's file: nothing but
/// this commit removes it.
fn set_aside(path: &Path) -> io::Result<Option<PathBuf>> {
    match fs::symlink_metadata(path) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        there => there?,
    };
    // A folder may have appeared there since the run began.
    check_target(path).map_err(|error| io::Error::other(error.reason))?;
    let rename = |name: &Path| match fs::hard_link(path, name) {
        Err(error) if error.kind() != ErrorKind::AlreadyExists => fs::rename(path, name),
        linked => linked,
    };
    let named = Builder::new().prefix(".hamiltone-").suffix(".previous").make_in(folder(path), rename)?;
    named.keep().map(|(_, name)| Some(name)).map_err(|persist| persist.error)
}

/// Removes a file, if it exists.
fn remove(path: &Path) -> io::Result<()> {
    match fs::remove_file(path) {
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(()),
        result => result,
    }
}

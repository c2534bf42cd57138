//! Temporary files, and what an interruption does with them.
//!
//! A temporary file has a name of its own, `.hamiltone-PID-N.part`, beside the file that it becomes. It is created
//! exclusively (`O_EXCL`): neither a file of another run nor a symbolic link that stands under its name is opened. Files that
//! get no other name, as of samples, give theirs up at once on Unix; those that will be renamed stay, with little or nothing
//! in them until a run is complete, where the program is killed before. The next run in their folder removes them
//! ([`crate::leftover`]): a file that belongs to a run is locked by it until it has its name.

use crate::{
    leftover::{self, PART},
    seal::is_same,
};
use std::{
    collections::BTreeSet,
    fs::{self, File, OpenOptions, TryLockError},
    io::{self, ErrorKind},
    path::{Path, PathBuf},
    sync::{Mutex, MutexGuard, PoisonError},
};

/// The temporary files of the runs of this process.
static REGISTRY: Mutex<Registry> =
    Mutex::new(Registry { unfinished: Vec::new(), swept: BTreeSet::new(), created: 0, committed: false });

/// The extension of second names of earlier files, while they are replaced: they are a user's.
pub(crate) const PREVIOUS: &str = "previous";
/// How many names are tried where files stand under them.
const MAX_TRIES: u64 = 10_000;

/// The temporary files of the runs of this process. While it is locked, no file is created or renamed.
pub(crate) struct Registry {
    unfinished: Vec<PathBuf>,
    /// The folders whose leftovers were removed.
    swept: BTreeSet<PathBuf>,
    created: u64,
    /// Whether files of a run stand under their names.
    pub(crate) committed: bool,
}

/// Waits until no other thread creates or renames files.
pub(crate) fn registry() -> MutexGuard<'static, Registry> {
    REGISTRY.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Removes the temporary files of all runs that are going on: for a program that is interrupted and ends at once. A
/// commit that has begun is completed first; afterwards this process creates and renames no file.
///
/// Returns whether a run has written its files.
pub fn remove_unfinished() -> bool {
    let mut registry = registry();
    // The program ends: an error could not be reported to anyone.
    registry.unfinished.drain(..).for_each(|path| drop(fs::remove_file(path)));
    let committed = registry.committed;
    // It stays locked until the process ends.
    std::mem::forget(registry);
    committed
}

impl Registry {
    /// Calls `make` with new names in `folder`, of this extension, until one is free, and returns that name.
    pub(crate) fn with_new_name<T>(
        &mut self,
        (folder, extension): (&Path, &str),
        make: impl Fn(&Path) -> io::Result<T>,
    ) -> io::Result<(PathBuf, T)> {
        let mut tries = 0;
        loop {
            self.created += 1;
            tries += 1;
            let path = folder.join(format!(".hamiltone-{}-{}.{extension}", std::process::id(), self.created));
            match make(&path) {
                Ok(made) => return Ok((path, made)),
                Err(error) if error.kind() == ErrorKind::AlreadyExists && tries < MAX_TRIES => {}
                Err(error) => return Err(error),
            }
        }
    }
}

/// Creates a file that no other run removes as a leftover: it is locked as long as it is open. Between its creation and its lock
/// another run may hold it for one; then it is as if it had existed, and the next name is tried. Where a file system has no
/// locks, nobody removes anything.
fn create_locked(path: &Path) -> io::Result<File> {
    let file = OpenOptions::new().read(true).write(true).create_new(true).open(path)?;
    let is_held = matches!(file.try_lock(), Err(TryLockError::WouldBlock));
    let is_named =
        fs::symlink_metadata(path).is_ok_and(|named| file.metadata().is_ok_and(|own| is_same(&named, &own)));
    if is_named && !is_held { Ok(file) } else { Err(ErrorKind::AlreadyExists.into()) }
}

/// A temporary file, which is removed when this is dropped.
pub(crate) struct Temporary {
    path: PathBuf,
    /// Whether there is no file of this name any more.
    gone: bool,
}

impl Temporary {
    /// Creates one in `folder`.
    pub fn create(folder: &Path) -> io::Result<(Self, File)> {
        let mut registry = registry();
        if registry.swept.insert(folder.into()) {
            leftover::remove(folder);
        }
        let (path, file) = registry.with_new_name((folder, PART), create_locked)?;
        registry.unfinished.push(path.clone());
        Ok((Self { path, gone: false }, file))
    }

    /// Gives up its name where a file that is open needs none (Unix): nothing of it is left when the program is killed.
    pub fn give_up_name(&mut self) {
        if cfg!(unix) && fs::remove_file(&self.path).is_ok() {
            registry().unfinished.retain(|path| *path != self.path);
            self.gone = true;
        }
    }

    /// Renames it to `target`, which it replaces.
    pub fn rename(&mut self, target: &Path) -> io::Result<()> {
        fs::rename(&self.path, target)?;
        self.gone = true;
        Ok(())
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        registry().unfinished.retain(|path| *path != self.path);
        if !self.gone {
            // `drop` cannot report an error.
            let _ = fs::remove_file(&self.path);
        }
    }
}

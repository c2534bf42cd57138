//! Temporary files, and what is left of those of runs that were interrupted or killed.
//!
//! A temporary file is beside the file that it becomes and has a name of its own, `.hamiltone-RUN-RANDOM.part`: RUN is a random
//! number of this process, RANDOM is drawn by `tempfile`, which creates the file exclusively (`O_EXCL`) and removes it when it is
//! dropped. Two things `tempfile` does not do:
//!
//! - **Interruptions.** A program that ends at a signal drops nothing: [`remove_unfinished`] removes what has the number of this
//!   process.
//! - **Leftovers.** What a killed run left is removed by the next run in the folder. A run holds an advisory lock on each of its
//!   temporary files until it has its name; the operating system releases it when the process ends, however that comes. So a
//!   file of such a name that can be locked belongs to nobody, in whichever container or, where locks reach them, on whichever
//!   machine of a shared folder. No other name, no link, no folder, and no file where the system has no locks, is removed.

use crate::seal::{is_named, random};
use std::{
    collections::BTreeSet,
    fs::{self, File, OpenOptions, TryLockError},
    io::{self, BufWriter, ErrorKind},
    path::{Path, PathBuf},
    sync::{LazyLock, Mutex, MutexGuard, PoisonError},
};
use tempfile::{Builder, NamedTempFile};

/// How all names of temporary files begin and end.
const NAME: (&str, &str) = (".hamiltone-", ".part");
/// How those of this process begin.
static OWN: LazyLock<String> = LazyLock::new(|| format!("{}{:016x}-", NAME.0, random()));
/// What the runs of this process have written.
static REGISTRY: Mutex<Registry> = Mutex::new(Registry { folders: BTreeSet::new(), committed: false });

/// What the runs of this process have written. While it is locked, no file is created or renamed.
pub(crate) struct Registry {
    /// The folders of temporary files.
    folders: BTreeSet<PathBuf>,
    /// Whether files of a run have their names.
    pub(crate) committed: bool,
}

/// Waits until no other thread creates or renames files.
pub(crate) fn registry() -> MutexGuard<'static, Registry> {
    REGISTRY.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Removes the temporary files of all runs of this process: for a program that is interrupted and ends at once. A commit that
/// has begun is completed first; afterwards this process creates and renames no file.
///
/// Returns whether a run has written its files.
pub fn remove_unfinished() -> bool {
    let registry = registry();
    let own = registry.folders.iter().flat_map(|folder| temporary(folder, &OWN));
    // The program ends: an error could not be reported to anyone.
    own.for_each(|path| drop(fs::remove_file(path)));
    let committed = registry.committed;
    // It stays locked until the process ends.
    std::mem::forget(registry);
    committed
}

/// Creates a temporary file in `folder`; the first one also removes leftovers there.
pub(crate) fn create(folder: &Path) -> io::Result<NamedTempFile<BufWriter<File>>> {
    let mut registry = registry();
    if registry.folders.insert(folder.into()) {
        remove_leftovers(folder);
    }
    Builder::new().prefix(&*OWN).suffix(NAME.1).make_in(folder, create_locked)
}

/// Creates a file that no other run removes as a leftover: it is locked as long as it is open. Between its creation and its lock
/// another run may hold it for one; then it is as if it had existed, and the next name is tried. Where a file system has no
/// locks, nobody removes anything.
fn create_locked(path: &Path) -> io::Result<BufWriter<File>> {
    let file = OpenOptions::new().read(true).write(true).create_new(true).open(path)?;
    let is_held = matches!(file.try_lock(), Err(TryLockError::WouldBlock));
    if !is_held && is_named(&file, path) {
        Ok(BufWriter::new(file))
    } else {
        Err(ErrorKind::AlreadyExists.into())
    }
}

/// The plain files of a folder whose names begin so and end as those of temporary files.
fn temporary(folder: &Path, prefix: &str) -> impl Iterator<Item = PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let plain = entries.filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_file()));
    plain.map(|entry| entry.path()).filter(move |path| {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        name.starts_with(prefix) && name.ends_with(NAME.1)
    })
}

/// Removes the leftovers in a folder. What cannot be removed stays: it is no reason not to run.
fn remove_leftovers(folder: &Path) {
    for path in temporary(folder, NAME.0) {
        let Ok(file) = OpenOptions::new().read(true).write(true).open(&path) else { continue };
        // Meanwhile it may have got its name, and another file this one. A run that has just created it and finds it locked takes
        // another name.
        if file.try_lock().is_ok() && is_named(&file, &path) {
            let _ = fs::remove_file(path);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::file::Pending;
    use std::io::Write;

    fn names(folder: &Path) -> BTreeSet<String> {
        fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect()
    }

    /// Of all that has a similar name only plain files that can be locked go; what a link leads to stays.
    #[test]
    fn only_files_that_nobody_holds_are_removed() {
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path();
        fs::create_dir(folder.join(".hamiltone-1-5.part")).unwrap();
        let stay = [
            ".hamiltone-1-2.part",
            ".hamiltone-1-3.previous",
            ".hamiltone-1-2part",
            "hamiltone-1-2.part",
            "x.wav",
        ];
        for name in stay.iter().chain(&[".hamiltone-1-1.part", ".hamiltone-0123456789abcdef-aB3xY9.part"]) {
            fs::write(folder.join(name), "x").unwrap();
        }
        let held = File::open(folder.join(stay[0])).unwrap();
        held.try_lock().unwrap();
        let mut expected: BTreeSet<String> = stay.map(String::from).into();
        expected.insert(".hamiltone-1-5.part".into());
        #[cfg(unix)]
        {
            std::os::unix::fs::symlink("x.wav", folder.join(".hamiltone-1-6.part")).unwrap();
            expected.insert(".hamiltone-1-6.part".into());
        }
        remove_leftovers(folder);
        assert_eq!(names(folder), expected);
        drop(held);
        remove_leftovers(folder);
        expected.remove(stay[0]);
        assert_eq!(names(folder), expected);
    }

    /// From its creation until it has its name a file of a run that goes on is held, also when it is complete.
    #[test]
    fn the_files_of_a_living_run_are_not_removed() {
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path();
        let file = Pending::create(&folder.join("x.wav")).unwrap();
        remove_leftovers(folder);
        assert_eq!(names(folder).len(), 1);
        let staged = file.stage(|out| out.write_all(b"x")).unwrap();
        remove_leftovers(folder);
        assert_eq!(names(folder).len(), 1);
        staged.replace().unwrap();
        remove_leftovers(folder);
        assert_eq!(names(folder), ["x.wav".to_string()].into());
    }
}

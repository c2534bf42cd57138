//! A file that appears under its name only when it is complete, together with the other files of its run.
//!
//! [`Pending`] is being written, [`Staged`] is complete under its temporary name, and [`crate::commit`] gives all files of
//! a run their names.

use crate::{
    error::SinkError,
    temporary::{create, registry},
};
use std::{
    fs::{self, File},
    io::{self, BufWriter, Write},
    path::{Path, PathBuf},
};
use tempfile::NamedTempFile;

/// A file that is written under a temporary name. When it is dropped, the temporary file is removed.
pub struct Pending {
    /// Open, and so locked, until it has its name.
    pub(crate) file: NamedTempFile<BufWriter<File>>,
    /// The name as it was given.
    pub(crate) name: PathBuf,
    /// The name with its symbolic links resolved.
    pub(crate) target: PathBuf,
    /// See [`Pending::in_place_of`].
    pub(crate) obsolete: Option<PathBuf>,
}

impl Pending {
    /// Creates the temporary file of `path`, in a folder that exists.
    ///
    /// # Errors
    /// Where it cannot be created, or `path` is something else than a plain file.
    pub fn create(path: &Path) -> Result<Self, SinkError> {
        check_target(path)?;
        let target = linked(path).map_err(|error| failed(path, error))?;
        let file = create(folder(&target)).map_err(|error| failed(path, error))?;
        Ok(Self { file, name: path.into(), target, obsolete: None })
    }

    /// Its name as it was given, and where it is written.
    pub fn parts(&mut self) -> (&Path, &mut BufWriter<File>) {
        (&self.name, self.file.as_file_mut())
    }

    /// The same, and the file `obsolete` is removed when this one has its name.
    #[must_use]
    pub fn in_place_of(mut self, obsolete: impl Into<PathBuf>) -> Self {
        self.obsolete = Some(obsolete.into());
        self
    }

    /// Writes the whole file by `write`.
    ///
    /// # Errors
    /// Those of `write` and of the file system.
    pub fn stage(
        mut self,
        write: impl FnOnce(&mut BufWriter<File>) -> io::Result<()>,
    ) -> Result<Staged, SinkError> {
        write(self.file.as_file_mut()).map_err(|error| failed(&self.name, error))?;
        self.complete()
    }

    /// The file as it was written so far is complete.
    ///
    /// # Errors
    /// Those of the file system.
    pub fn complete(mut self) -> Result<Staged, SinkError> {
        let out = self.file.as_file_mut();
        let written = out.flush().and_then(|()| out.get_ref().sync_all());
        written.map_err(|error| failed(&self.name, error))?;
        Ok(Staged(self))
    }
}

/// A complete file under its temporary name. When it is dropped, it is removed.
pub struct Staged(pub(crate) Pending);

impl Staged {
    /// Gives it its name by itself, at once: for a file that does not belong to the outputs of a run.
    ///
    /// # Errors
    /// Where it cannot have its name; then the earlier file stays.
    pub(crate) fn replace(self) -> Result<(), SinkError> {
        let Pending { file, name, target, .. } = self.0;
        // The program is not interrupted in between.
        let registry = registry();
        let renamed = file.persist(&target).map_err(|persist| persist.error);
        drop(registry);
        renamed.and_then(|_| sync(folder(&target))).map_err(|error| failed(&name, error))
    }
}

/// Writes the names of a folder to the disk, where the system has that.
#[cfg(unix)]
fn sync(folder: &Path) -> io::Result<()> {
    File::open(folder)?.sync_all()
}

/// Nothing: folders are no files here.
#[cfg(not(unix))]
fn sync(_: &Path) -> io::Result<()> {
    Ok(())
}

/// How many symbolic links lead to a file at most, as the systems have it.
const MAX_LINKS: usize = 40;

/// The file that takes the place of `path`: a symbolic link stays, and the file that it leads to is replaced, or created where
/// there is none.
///
/// # Errors
/// Links that lead to each other in a circle.
pub fn linked(path: &Path) -> io::Result<PathBuf> {
    let mut path = path.to_path_buf();
    for _ in 0..=MAX_LINKS {
        match fs::read_link(&path) {
            Ok(target) => path = folder(&path).join(target),
            Err(_) => return Ok(path),
        }
    }
    Err(io::Error::other("its symbolic links lead in a circle; remove them, or choose another name"))
}

/// The folder of a file: `.` where its path has none.
pub fn folder(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// Checks that a file can take the place of what stands under its name.
///
/// # Errors
/// A folder, a pipe or a device.
pub fn check_target(path: &Path) -> Result<(), SinkError> {
    let reason = match fs::metadata(path) {
        Ok(there) if there.is_dir() => "it is a folder",
        // A pipe or a device would be replaced by a file.
        Ok(there) if !there.is_file() => "it is not a plain file",
        _ => return Ok(()),
    };
    Err(SinkError { path: path.into(), reason: reason.into() })
}

/// An error of the file system, with the file that it is about.
pub fn failed(path: &Path, error: io::Error) -> SinkError {
    SinkError { path: path.into(), reason: error.to_string() }
}

//! A file that appears under its name only when it is complete, together with the other files of its run.
//!
//! [`Pending`] is being written, [`Staged`] is complete under its temporary name, and [`crate::commit`] gives all files of
//! a run their names.

use crate::{
    error::SinkError,
    temporary::{Temporary, registry},
};
use std::{
    fs::{self, File},
    io::{self, BufWriter, Write},
    path::{Path, PathBuf},
};

/// A file that is written under a temporary name. When it is dropped, the temporary file is removed.
pub struct Pending {
    // Closed before the temporary file is removed.
    out: BufWriter<File>,
    temporary: Temporary,
    name: PathBuf,
    target: PathBuf,
}

impl Pending {
    /// Creates the temporary file of `path`, in a folder that exists.
    ///
    /// # Errors
    /// Where it cannot be created, or `path` is something else than a plain file.
    pub fn create(path: &Path) -> Result<Self, SinkError> {
        check_target(path)?;
        // A symbolic link stays, and its target is replaced.
        let target = fs::canonicalize(path).unwrap_or_else(|_| path.into());
        let (temporary, file) = Temporary::create(folder(&target)).map_err(|error| failed(path, error))?;
        Ok(Self { out: BufWriter::new(file), temporary, name: path.into(), target })
    }

    /// Writes the whole file by `write`.
    ///
    /// # Errors
    /// Those of `write` and of the file system.
    pub fn stage(
        self,
        write: impl FnOnce(&mut BufWriter<File>) -> io::Result<()>,
    ) -> Result<Staged, SinkError> {
        let Self { mut out, temporary, name, target } = self;
        let written = write(&mut out).and_then(|()| out.flush()).and_then(|()| out.get_ref().sync_all());
        // What could not be written is not written again when the buffer is dropped.
        drop(out.into_parts().0);
        written.map_err(|error| failed(&name, error))?;
        Ok(Staged { temporary, name, target, obsolete: None })
    }
}

/// A complete file under its temporary name. When it is dropped, it is removed.
pub struct Staged {
    pub(crate) temporary: Temporary,
    /// The name as it was given.
    pub(crate) name: PathBuf,
    /// The name with its symbolic links resolved.
    pub(crate) target: PathBuf,
    /// A file that is removed when this one has its name.
    pub(crate) obsolete: Option<PathBuf>,
}

impl Staged {
    /// Gives it its name by itself, at once: for a file that does not belong to the outputs of a run.
    ///
    /// # Errors
    /// Where it cannot have its name; then the earlier file stays.
    pub(crate) fn replace(mut self) -> Result<(), SinkError> {
        // The program is not interrupted in between.
        let registry = registry();
        let renamed = self.temporary.rename(&self.target);
        drop(registry);
        renamed.and_then(|()| sync(folder(&self.target))).map_err(|error| failed(&self.name, error))
    }

    /// The same, and the file `obsolete` is removed when this one has its name.
    #[must_use]
    pub fn in_place_of(mut self, obsolete: impl Into<PathBuf>) -> Self {
        self.obsolete = Some(obsolete.into());
        self
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

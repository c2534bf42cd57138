//! An output of a run, and the names that it takes: those of a run that failed or was interrupted are not those of a good one.
//!
//! | ending | name | earlier files |
//! |---|---|---|
//! | good | `NAME.EXT` | `NAME.failed.EXT` is removed |
//! | failed | `NAME.failed.EXT` | `NAME.EXT` stays |
//! | interrupted | `NAME.partial.EXT` | both stay |
//!
//! So the files under one kind of name belong to one run.

use crate::{
    error::SinkError,
    file::{Pending, Staged, check_target},
};
use std::{
    fs::File,
    io::{self, BufWriter},
    path::{Path, PathBuf},
};

/// How a run ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Ending {
    /// It is complete, finite, balanced and passive.
    #[default]
    Good,
    /// It violated its energy balance, gained energy, diverged or became non-finite.
    Failed,
    /// It was interrupted, and what there was is kept.
    Interrupted,
}

impl Ending {
    /// All of them.
    pub const ALL: [Self; 3] = [Ending::Good, Ending::Failed, Ending::Interrupted];

    /// The name of an output of a run that ended so: `.failed` or `.partial` before the extension.
    pub fn name(self, path: &Path) -> PathBuf {
        let mark = match self {
            Ending::Good => return path.into(),
            Ending::Failed => ".failed",
            Ending::Interrupted => ".partial",
        };
        let mut name = path.file_stem().unwrap_or_default().to_owned();
        name.push(mark);
        if let Some(extension) = path.extension() {
            name.push(".");
            name.push(extension);
        }
        path.with_file_name(name)
    }
}

/// A file that a sink writes when the run has ended.
pub struct Target {
    path: PathBuf,
    /// Under the name of a good run, which is the most probable.
    file: Pending,
}

impl Target {
    /// Creates a temporary file for `path`, so that what can be known to fail fails before a long run.
    ///
    /// # Errors
    /// Where it cannot be created, or one of its names is something else than a plain file.
    pub fn create(path: &Path) -> Result<Self, SinkError> {
        Ending::ALL.into_iter().try_for_each(|ending| check_target(&ending.name(path)))?;
        Ok(Self { path: path.into(), file: Pending::create(path)? })
    }

    /// The file of a run that ended so, which is still to be written.
    ///
    /// # Errors
    /// Where it cannot be created.
    pub fn pending(self, ending: Ending) -> Result<Pending, SinkError> {
        if ending == Ending::Good {
            return Ok(self.file.in_place_of(Ending::Failed.name(&self.path)));
        }
        Pending::create(&ending.name(&self.path))
    }

    /// Writes the whole file by `write`, for a run that ended so.
    ///
    /// # Errors
    /// Those of `write` and of the file system.
    pub fn stage(
        self,
        ending: Ending,
        write: impl FnOnce(&mut BufWriter<File>) -> io::Result<()>,
    ) -> Result<Staged, SinkError> {
        self.pending(ending)?.stage(write)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_keeps_its_extension() {
        let names = |path: &str| Ending::ALL.map(|ending| ending.name(Path::new(path)));
        assert_eq!(
            names("out/reed.wav"),
            ["out/reed.wav", "out/reed.failed.wav", "out/reed.partial.wav"].map(PathBuf::from)
        );
        assert_eq!(names("reed"), ["reed", "reed.failed", "reed.partial"].map(PathBuf::from));
    }
}

//! A file that could not be written, or not be read where a run continues, and why.

use hamiltone_scene::document::problem::{printable, printable_path};
use std::path::PathBuf;

/// A file that could not be written, or, in [`crate::RunError::Resume`], not be continued.
#[derive(Debug)]
pub struct SinkError {
    /// The file.
    pub path: PathBuf,
    /// Why not.
    pub reason: String,
}

impl std::fmt::Display for SinkError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let path = printable_path(&self.path);
        write!(f, "cannot write `{path}`: {}", printable(&self.reason))
    }
}

impl SinkError {
    /// The error in the words of a reader.
    pub(crate) fn read(&self) -> impl std::fmt::Display {
        let path = printable_path(&self.path);
        format!("cannot continue from `{path}`: {}", printable(&self.reason))
    }
}

impl std::error::Error for SinkError {}

impl From<SinkError> for std::io::Error {
    fn from(error: SinkError) -> Self {
        std::io::Error::other(error.to_string())
    }
}

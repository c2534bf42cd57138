//! A file that could not be written, and why.

use hamiltone_scene::document::problem::printable;
use std::path::PathBuf;

/// A file that could not be written.
#[derive(Debug)]
pub struct SinkError {
    /// The file.
    pub path: PathBuf,
    /// Why not.
    pub reason: String,
}

impl std::fmt::Display for SinkError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let path = printable(&self.path.display().to_string());
        write!(f, "cannot write `{path}`: {}", printable(&self.reason))
    }
}

impl std::error::Error for SinkError {}

impl From<SinkError> for std::io::Error {
    fn from(error: SinkError) -> Self {
        std::io::Error::other(error.to_string())
    }
}

//! Why a study gave no results.

use hamiltone_scene::Diagnostics;

/// Why a study gave no results.
#[derive(Debug)]
pub enum Failure {
    /// The scene is wrong.
    Scene(Diagnostics),
    /// What was asked for cannot be done.
    Other(String),
    /// It was stopped.
    Stopped,
}

impl From<Diagnostics> for Failure {
    fn from(diagnostics: Diagnostics) -> Self {
        Failure::Scene(diagnostics)
    }
}

impl From<String> for Failure {
    fn from(message: String) -> Self {
        Failure::Other(message)
    }
}

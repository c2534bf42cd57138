//! Why a study gave no results.

use hamiltone_scene::Diagnostics;
use std::{
    error::Error,
    fmt::{self, Display, Formatter},
};

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

impl Display for Failure {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Failure::Scene(diagnostics) => diagnostics.fmt(f),
            Failure::Other(message) => f.write_str(message),
            Failure::Stopped => f.write_str("the study was stopped"),
        }
    }
}

impl Error for Failure {}

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

//! Why a command failed before it did anything, and how that is printed.

use hamiltone_scene::Diagnostics;
use miette::GraphicalReportHandler;
use std::io::{IsTerminal, stderr};

/// Why a command failed. Each is invalid input.
pub enum Failure {
    /// Errors in the scene.
    Scene(Diagnostics),
    /// Anything else.
    Other(String),
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

impl Failure {
    /// Prints it to standard error.
    pub fn show(&self) {
        match self {
            Failure::Scene(diagnostics) => show(diagnostics),
            Failure::Other(message) => eprintln!("error: {message}"),
        }
    }
}

/// The source with underlined errors on a terminal with colours; one line per error elsewhere.
fn show(diagnostics: &Diagnostics) {
    let colours = std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty());
    if stderr().is_terminal() && colours {
        let handler = GraphicalReportHandler::new();
        for report in diagnostics.reports() {
            let mut page = String::new();
            match handler.render_report(&mut page, &report) {
                Ok(()) => eprint!("{page}"),
                Err(_) => eprintln!("{report}"),
            }
        }
    } else {
        for line in diagnostics.to_string().lines() {
            eprintln!("error: {line}");
        }
    }
    if diagnostics.problems.len() > 1 {
        eprintln!("{} problems; nothing was run", diagnostics.problems.len());
    }
}

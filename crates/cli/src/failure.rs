//! Why a command has nothing to show, and how that is printed.

use hamiltone_scene::Diagnostics;
use miette::GraphicalReportHandler;
use std::io::{IsTerminal, stderr};

/// Why a command has nothing to show; every one is bad input.
pub enum Failure {
    /// The scene is wrong.
    Scene(Diagnostics),
    /// Something else is.
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

/// Underlined source on a terminal with colours, else one line a problem.
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

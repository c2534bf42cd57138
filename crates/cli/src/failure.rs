//! Why a command failed before it did anything, and how that is printed.

use crate::output::{print_page, tell};
use hamiltone_scene::{Diagnostics, document::problem::printable};
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
            Failure::Other(message) => tell!("error: {}", printable(message)),
        }
    }
}

/// How many errors are shown with their source: drawing one takes time in proportion to the whole scene.
const MAX_PICTURES: usize = 50;

fn print_lines(lines: impl IntoIterator<Item = String>) {
    lines.into_iter().for_each(|line| tell!("error: {line}"));
}

/// The source with underlined errors on a terminal with colours; one line per error elsewhere.
fn show(diagnostics: &Diagnostics) {
    let colours = std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty());
    if stderr().is_terminal() && colours {
        let handler = GraphicalReportHandler::new();
        for report in diagnostics.reports().take(MAX_PICTURES) {
            let mut page = String::new();
            match handler.render_report(&mut page, &report) {
                Ok(()) => print_page(&page),
                Err(_) => tell!("{report}"),
            }
        }
        print_lines(diagnostics.lines().into_iter().skip(MAX_PICTURES));
    } else {
        print_lines(diagnostics.lines());
    }
    if diagnostics.problems.len() > 1 {
        tell!("{} problems; nothing was run", diagnostics.problems.len());
    }
}

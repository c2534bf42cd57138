//! Why a command failed before it did anything, and how that is printed.

use crate::output::{print_page, tell};
use hamiltone_render::SinkError;
use hamiltone_scene::{Diagnostics, document::problem::printable};
use hamiltone_study::failure as study;
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

impl From<study::Failure> for Failure {
    fn from(failure: study::Failure) -> Self {
        match failure {
            study::Failure::Scene(diagnostics) => Failure::Scene(diagnostics),
            study::Failure::Other(message) => Failure::Other(message),
            study::Failure::Stopped => Failure::Other("interrupted".into()),
        }
    }
}

impl From<SinkError> for Failure {
    fn from(error: SinkError) -> Self {
        Failure::Other(error.to_string())
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::output::escaped;
    use hamiltone_scene::Scene;
    use miette::GraphicalTheme;
    use std::path::Path;

    /// Characters that a terminal would obey are replaced by others of one column: what is wrong is still underlined.
    #[test]
    fn hidden_characters_move_no_underline() {
        let scene = "hamiltone = 1\r\n[run]\r\n\"]0;\u{202e}\u{9b}\" = 1 # \u{2066}\r\nduration = 1\r\n\
                     scheme = \"a\u{202e}\u{61c}\"\r\n";
        let wrong = Scene::new(scene, "a\u{1b}\u{200f}.toml", Path::new(""), &[]).plan().err().unwrap();
        let handler = GraphicalReportHandler::new_themed(GraphicalTheme::unicode_nocolor()).with_links(false);
        let mut underlined = Vec::new();
        for report in wrong.reports() {
            let mut page = String::new();
            handler.render_report(&mut page, &report).unwrap();
            assert_eq!(escaped(&page), page, "something hidden is left");
            let lines: Vec<Vec<char>> = page.lines().map(|line| line.chars().collect()).collect();
            for pair in lines.windows(2) {
                let marks =
                    || pair[1].iter().enumerate().filter(|(_, c)| "─┬▲".contains(**c)).map(|(i, _)| i);
                if pair[1].contains(&'·') && marks().count() > 0 {
                    underlined.push(marks().filter_map(|i| pair[0].get(i)).collect::<String>());
                }
            }
        }
        let expected = ["\"]0;\u{fffd}¿\"", "\"a\u{fffd}¿\""];
        assert!(expected.iter().all(|text| underlined.iter().any(|u| u == text)), "{underlined:?}");
    }
}

//! Why there is no performance, or no recording of it, with the exit codes of the program.

use hamiltone_render::SinkError;
use hamiltone_scene::{Diagnostics, document::problem::printable};

/// Every part is finite and balanced.
pub const OK: u8 = 0;
/// A part lost its energy balance or was muted, or gestures were refused.
pub const FAILED: u8 = 1;
/// Invalid input.
pub const BAD_INPUT: u8 = 2;
/// A device or a file failed.
pub const TROUBLE: u8 = 3;

/// Why.
#[derive(Debug)]
pub enum Failure {
    /// Invalid input: one line for each error.
    Input(Vec<String>),
    /// A device that cannot be used or failed, or a file that cannot be written.
    Trouble(String),
}

impl Failure {
    /// Something is wrong with an option.
    pub fn input(message: impl Into<String>) -> Self {
        Self::Input(vec![message.into()])
    }

    /// Prints it to standard error; the exit code.
    pub fn show(&self) -> u8 {
        let (lines, code) = match self {
            Self::Input(lines) => (&lines[..], BAD_INPUT),
            Self::Trouble(line) => (std::slice::from_ref(line), TROUBLE),
        };
        lines.iter().for_each(|line| eprintln!("error: {}", printable(line)));
        code
    }
}

impl From<Diagnostics> for Failure {
    fn from(diagnostics: Diagnostics) -> Self {
        Self::Input(diagnostics.lines())
    }
}

impl From<SinkError> for Failure {
    fn from(error: SinkError) -> Self {
        Self::Trouble(error.to_string())
    }
}

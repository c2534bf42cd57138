//! What is wrong with a file of Scala: line, column, what is there, and what to write instead.

use hamiltone_core::printable::printable;
use std::fmt;

/// The first mistake of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TextError {
    /// The line, from 1.
    pub line: usize,
    /// The column in characters, from 1.
    pub column: usize,
    /// What is there and what is allowed.
    pub message: String,
    /// What to write instead.
    pub help: String,
}

impl TextError {
    /// A mistake; characters that would not be printed are escaped.
    pub fn new(line: usize, column: usize, message: impl AsRef<str>, help: impl AsRef<str>) -> Self {
        Self { line, column, message: printable(message.as_ref()), help: printable(help.as_ref()) }
    }
}

impl fmt::Display for TextError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}, column {}: {}; {}", self.line, self.column, self.message, self.help)
    }
}

impl std::error::Error for TextError {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_error_is_one_line_without_control_characters() {
        let error = TextError::new(3, 7, "`\u{1b}x\n` is no pitch", "write \"3/2\"");
        assert_eq!(error.to_string(), r#"line 3, column 7: `\u{1b}x\n` is no pitch; write "3/2""#);
    }
}

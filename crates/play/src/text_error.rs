//! What is wrong with a text: line, column, what is there, and what to write instead.

use hamiltone_scene::document::problem::printable;
use std::fmt;

/// One mistake.
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

/// All mistakes of a text, at least one, in the order of their lines.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TextErrors(pub Vec<TextError>);

impl From<TextError> for TextErrors {
    fn from(error: TextError) -> Self {
        Self(vec![error])
    }
}

impl fmt::Display for TextErrors {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, error) in self.0.iter().enumerate() {
            write!(f, "{}{error}", if i > 0 { "\n" } else { "" })?;
        }
        Ok(())
    }
}

impl std::error::Error for TextErrors {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_error_is_one_line_without_control_characters() {
        let one = TextError::new(3, 7, "`\u{1b}x\n` is no note", "write \"C4\"");
        let all = TextErrors(vec![one.clone(), one]);
        let line = r#"line 3, column 7: `\u{1b}x\n` is no note; write "C4""#;
        assert_eq!(all.to_string(), format!("{line}\n{line}"));
    }
}

//! The lines of Scala's files: those that begin with `!` are comments; of the others the first word counts.

use super::error::TextError;
use std::{fmt::Display, ops::RangeInclusive, str::FromStr};

/// The first word of a line.
#[derive(Clone, Copy)]
pub struct Value<'a> {
    pub text: &'a str,
    line: usize,
    column: usize,
}

impl Value<'_> {
    pub fn error(&self, message: impl AsRef<str>, help: impl AsRef<str>) -> TextError {
        TextError::new(self.line, self.column, message, help)
    }

    /// A number within a range.
    pub fn number<T: FromStr + PartialOrd + Display>(
        &self,
        what: &str,
        range: RangeInclusive<T>,
    ) -> Result<T, TextError> {
        let number = self.text.parse().ok().filter(|number| range.contains(number));
        let help = || format!("write a number from {} to {}", range.start(), range.end());
        number.ok_or_else(|| self.error(format!("`{}` is no {what}", self.text), help()))
    }
}

/// The lines of a file that are no comments.
pub struct Lines<'a> {
    lines: Vec<(usize, &'a str)>,
    next: usize,
    /// The number of lines, comments included.
    all: usize,
}

impl<'a> Lines<'a> {
    pub fn new(text: &'a str) -> Self {
        // A mark of the byte order is no part of the text.
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let lines: Vec<_> = (1..).zip(text.lines()).filter(|(_, line)| !line.starts_with('!')).collect();
        Self { lines, next: 0, all: text.lines().count() }
    }

    /// The next line in full, where there is one.
    pub fn line(&mut self) -> Option<(usize, &'a str)> {
        let line = self.lines.get(self.next).copied();
        self.next += 1;
        line
    }

    /// The first word of the next line, which is `what`.
    pub fn value(&mut self, what: &str) -> Result<Value<'a>, TextError> {
        self.optional().ok_or_else(|| match self.lines.get(self.next - 1) {
            Some((line, _)) => {
                TextError::new(*line, 1, format!("{what} is missing: the line is empty"), "write it here")
            }
            None => {
                TextError::new(self.all + 1, 1, format!("{what} is missing: the file ends"), "add the line")
            }
        })
    }

    /// The same, where there is a line and it is not empty.
    pub fn optional(&mut self) -> Option<Value<'a>> {
        let (line, text) = self.line()?;
        let word = text.split_whitespace().next()?;
        let before = text.len() - text.trim_start().len();
        Some(Value { text: word, line, column: text[..before].chars().count() + 1 })
    }

    /// The first word behind all that was asked for.
    pub fn more(mut self) -> Option<Value<'a>> {
        while self.next < self.lines.len() {
            let value = self.optional();
            if value.is_some() {
                return value;
            }
        }
        None
    }
}

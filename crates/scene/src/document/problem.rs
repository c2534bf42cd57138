//! One thing that is wrong with a scene: its place, a sentence with the offending value and the allowed range, and
//! what to write instead. A reader collects every problem before it gives up.

use super::set::Set;
use std::{ops::Range, path::Path};

/// One thing that is wrong.
#[derive(Clone, Debug, PartialEq)]
pub struct Problem {
    /// What is wrong.
    pub message: String,
    /// Where, in the text with its changes or on the command line; the first is the place, others explain.
    pub labels: Vec<Label>,
    /// What to write instead.
    pub help: String,
}

/// What is remarked of a key that there is not.
pub(crate) const UNKNOWN: &str = "unknown";

/// A place with a remark.
#[derive(Clone, Debug, PartialEq)]
pub struct Label {
    /// Where.
    pub place: Place,
    /// What is said of it; empty where the message says it all.
    pub remark: String,
}

/// Where a problem stands.
#[derive(Clone, Debug, PartialEq)]
pub enum Place {
    /// Bytes of the text that is read: that with its changes, or the scene that an instrument stands for.
    Text(Range<usize>),
    /// Bytes of the text of an instrument with its changes.
    Instrument(Range<usize>),
    /// Bytes of the change of this number, as it is shown.
    CommandLine(usize, Range<usize>),
}

impl Problem {
    /// A problem at `span` of the scene's text.
    pub fn new(message: impl Into<String>, span: Range<usize>, remark: impl Into<String>) -> Self {
        let label = Label { place: Place::Text(span), remark: printable(&remark.into()) };
        Self { message: printable(&message.into()), labels: vec![label], help: String::new() }
    }

    /// A problem with a change itself.
    pub fn on_command_line(index: usize, set: &Set, message: String) -> Self {
        let place = Place::CommandLine(index, 0..set.shown.len());
        let labels = vec![Label { place, remark: String::new() }];
        Self { message: printable(&message), labels, help: String::new() }
    }

    /// Whether a key has a name that there is not.
    pub fn is_unknown_key(&self) -> bool {
        self.labels.iter().any(|label| label.remark == UNKNOWN)
    }

    /// The same, with its places in the text of an instrument that `of` tells of those in a text that stands for a part of it.
    #[must_use]
    pub fn of_instrument(mut self, of: impl Fn(&Range<usize>) -> Range<usize>) -> Self {
        for label in &mut self.labels {
            if let Place::Text(span) = &label.place {
                label.place = Place::Instrument(of(span));
            }
        }
        self
    }

    /// The same, with what to write instead.
    #[must_use]
    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.help = printable(&help.into());
        self
    }

    /// The same, with a second place.
    #[must_use]
    pub fn and(mut self, span: Range<usize>, remark: impl Into<String>) -> Self {
        self.labels.push(Label { place: Place::Text(span), remark: printable(&remark.into()) });
        self
    }
}

/// Whether a character changes how others are shown: it moves a terminal's cursor, or reverses the text.
fn is_hidden(c: char) -> bool {
    let directs =
        matches!(c, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    c.is_control() || directs
}

/// A text with its control characters escaped: names and values of a scene may hold any, and none
/// may reach a terminal.
pub fn printable(text: &str) -> String {
    let escaped = |c: char| if is_hidden(c) { c.escape_default().to_string() } else { c.to_string() };
    text.chars().map(escaped).collect()
}

/// The name of a file, likewise.
pub fn printable_path(path: impl AsRef<Path>) -> String {
    printable(&path.as_ref().display().to_string())
}

/// A text that is shown with its lines, every control character replaced by one that is as long in bytes, so that
/// places in it stay.
pub fn visible(text: &str) -> String {
    let shown = |(at, c): (usize, char)| match c.len_utf8() {
        _ if !is_hidden(c) || c == '\n' || c == '\t' => c,
        // The end of a line as other systems write it.
        1 if text[at..].starts_with("\r\n") => ' ',
        1 => '?',
        2 => '¿',
        _ => '\u{fffd}',
    };
    text.char_indices().map(shown).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_control_character_is_shown() {
        let text = "a\u{1b}[31m\u{7f}\u{9b}\u{202e}\n\tµ";
        assert_eq!(printable(text), r"a\u{1b}[31m\u{7f}\u{9b}\u{202e}\n\tµ");
        assert_eq!(visible(text), "a?[31m?¿\u{fffd}\n\tµ");
        assert_eq!(visible(text).len(), text.len());
        assert_eq!(visible("a = 1\r\nb\rc\r\n"), "a = 1 \nb?c \n");
    }
}

//! Texts of users as they may be shown: without control characters, and without characters that reverse what follows.

use std::path::Path;

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

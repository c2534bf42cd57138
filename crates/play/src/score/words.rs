//! The words of a line and their columns; a `#` at the beginning of a word ends the line.

/// A word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Word<'a> {
    /// Its characters.
    pub text: &'a str,
    /// The column of the first of them, from 1.
    pub column: usize,
}

/// The words of a line before its comment.
pub fn words(line: &str) -> Vec<Word<'_>> {
    let (mut words, mut start) = (Vec::new(), None);
    for (column, (at, c)) in (1..).zip(line.char_indices()) {
        match start {
            Some((from, first)) if c.is_whitespace() => {
                words.push(Word { text: &line[from..at], column: first });
                start = None;
            }
            None if c == '#' => return words,
            None if !c.is_whitespace() => start = Some((at, column)),
            _ => {}
        }
    }
    words.extend(start.map(|(from, column)| Word { text: &line[from..], column }));
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sharps_are_no_comments() {
        let found = words(" C#4\tµ 1/4 #comment # more");
        let expected = [("C#4", 2), ("µ", 6), ("1/4", 8)];
        assert_eq!(found, expected.map(|(text, column)| Word { text, column }));
        assert_eq!(words("# all").len() + words("").len(), 0);
        assert_eq!(words("C4"), [Word { text: "C4", column: 1 }]);
    }
}

//! Lines and columns of a text, found in time that does not grow with it.

/// How many bytes lie between two places whose characters are counted beforehand.
const STEP: usize = 1024;

/// The lines of a text.
#[derive(Clone, Debug)]
pub struct Lines<'a> {
    text: &'a str,
    /// Where each line begins.
    starts: Vec<usize>,
    /// The characters before every `STEP`-th byte.
    characters: Vec<usize>,
}

impl<'a> Lines<'a> {
    /// The lines of `text`.
    pub fn new(text: &'a str) -> Self {
        let starts = std::iter::once(0).chain(text.match_indices('\n').map(|(i, _)| i + 1)).collect();
        let begins = |byte: &&u8| **byte & 0xc0 != 0x80;
        let mut count = 0;
        let count_chunk = |chunk: &[u8]| {
            let before = count;
            count += chunk.iter().filter(begins).count();
            before
        };
        let characters = text.as_bytes().chunks(STEP).map(count_chunk).collect();
        Self { text, starts, characters }
    }

    /// Line and column, from 1, of a byte.
    pub fn of(&self, offset: usize) -> (usize, usize) {
        let line = self.starts.partition_point(|start| *start <= offset);
        let start = self.starts[line - 1];
        (line, self.before(offset) - self.before(start) + 1)
    }

    /// How many characters begin before a byte.
    fn before(&self, offset: usize) -> usize {
        let offset = offset.min(self.text.len());
        let chunk = (offset / STEP).min(self.characters.len().saturating_sub(1));
        let rest = &self.text.as_bytes()[chunk * STEP..offset];
        self.characters.get(chunk).unwrap_or(&0) + rest.iter().filter(|byte| **byte & 0xc0 != 0x80).count()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_byte_has_its_line_and_column() {
        let text = "é\n\nab\nµ".repeat(800) + &"ü".repeat(3000);
        let lines = Lines::new(&text);
        for (offset, _) in text.char_indices().chain([(text.len(), ' ')]) {
            let before = &text[..offset];
            let start = before.rfind('\n').map_or(0, |i| i + 1);
            let expected = (before.matches('\n').count() + 1, before[start..].chars().count() + 1);
            assert_eq!(lines.of(offset), expected, "{offset}");
        }
        assert_eq!(Lines::new("").of(0), (1, 1));
    }
}

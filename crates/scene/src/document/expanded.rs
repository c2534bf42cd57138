//! A text that was written from pieces of another, and where each piece comes from: what is wrong with it is shown there.

use std::ops::Range;

/// A text that was written from pieces of another.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct Expanded {
    text: String,
    /// Its pieces in order, and where each comes from.
    pieces: Vec<(Range<usize>, Range<usize>)>,
}

impl Expanded {
    /// Adds a text that stands for a piece of the other.
    pub fn push(&mut self, text: &str, source: Range<usize>) {
        let start = self.text.len();
        self.text.push_str(text);
        self.pieces.push((start..self.text.len(), source));
    }

    /// Adds another such text.
    pub fn append(&mut self, other: &Self) {
        let offset = self.text.len();
        self.text.push_str(&other.text);
        let moved = |(text, source): &(Range<usize>, Range<usize>)| {
            (text.start + offset..text.end + offset, source.clone())
        };
        self.pieces.extend(other.pieces.iter().map(moved));
    }

    /// The text so far.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Where in the other text a span comes from.
    pub fn source(&self, span: &Range<usize>) -> Range<usize> {
        let piece = |offset: usize| {
            let next = self.pieces.partition_point(|(text, _)| text.start <= offset);
            next.checked_sub(1).map(|i| &self.pieces[i])
        };
        // Within a piece that was changed the whole of it is meant.
        let same = |(text, source): &(Range<usize>, Range<usize>)| text.len() == source.len();
        let start = piece(span.start)
            .map_or(0, |piece| piece.1.start + if same(piece) { span.start - piece.0.start } else { 0 });
        let end = piece(span.end.saturating_sub(1).max(span.start)).map_or(0, |piece| {
            if same(piece) {
                piece.1.start + (span.end - piece.0.start).min(piece.1.len())
            } else {
                piece.1.end
            }
        });
        start..end.max(start)
    }
}

/// Its size alone: there may be thousands of pieces.
impl std::fmt::Debug for Expanded {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Expanded({} bytes of {} pieces)", self.text.len(), self.pieces.len())
    }
}

//! Numbers and lengths in a part of a file. Nothing is read beyond its end, and nothing is allocated by a stated length.

use super::error::MidiError;
use std::ops::Range;

/// A part of a file, and how far it has been read.
pub struct Bytes<'a> {
    file: &'a [u8],
    /// The next byte of the file.
    pub at: usize,
    end: usize,
    /// What ends there, for errors.
    name: &'static str,
}

impl<'a> Bytes<'a> {
    /// The bytes of this range, as far as the file has them.
    pub fn new(file: &'a [u8], range: Range<usize>, name: &'static str) -> Self {
        let end = range.end.min(file.len());
        Self { file, at: range.start.min(end), end, name }
    }

    /// How many are left.
    pub fn left(&self) -> usize {
        self.end - self.at
    }

    /// The next one, which stays.
    pub fn peek(&self) -> Option<u8> {
        (self.left() > 0).then(|| self.file[self.at])
    }

    /// The next `length` bytes, which are `what`.
    pub fn take(&mut self, length: usize, what: &str) -> Result<&'a [u8], MidiError> {
        if length > self.left() {
            let found = format!("the end of the {} after {} of {length} bytes", self.name, self.left());
            return Err(MidiError::new(self.at, what, found));
        }
        self.at += length;
        Ok(&self.file[self.at - length..self.at])
    }

    /// A number of `length` bytes, at most 4, the highest first.
    pub fn number(&mut self, length: usize, what: &str) -> Result<u32, MidiError> {
        Ok(self.take(length, what)?.iter().fold(0, |number, byte| number << 8 | u32::from(*byte)))
    }

    /// A byte from 0 to 127.
    pub fn data(&mut self, what: &str) -> Result<u8, MidiError> {
        let at = self.at;
        match self.take(1, what)?[0] {
            byte @ ..0x80 => Ok(byte),
            byte => Err(MidiError::new(at, format!("{what} from 0 to 127"), format!("0x{byte:02x}"))),
        }
    }

    /// A number of one to four bytes with seven bits each, the highest first; all but the last have their top bit set.
    pub fn variable(&mut self, what: &str) -> Result<u32, MidiError> {
        let (at, mut number) = (self.at, 0);
        for _ in 0..4 {
            let byte = self.number(1, what)?;
            number = number << 7 | byte & 0x7f;
            if byte < 0x80 {
                return Ok(number);
            }
        }
        Err(MidiError::new(at, format!("{what} of at most 4 bytes"), "a fourth byte that continues"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The examples of the standard.
    #[test]
    fn numbers_of_variable_length() {
        for (bytes, number) in [
            (&[0x00][..], 0),
            (&[0x7f], 0x7f),
            (&[0x81, 0x00], 0x80),
            (&[0xff, 0x7f], 0x3fff),
            (&[0x81, 0x80, 0x00], 0x4000),
            (&[0xff, 0xff, 0xff, 0x7f], 0x0fff_ffff),
        ] {
            assert_eq!(Bytes::new(bytes, 0..4, "file").variable("a length"), Ok(number));
        }
        let error = Bytes::new(&[0x80, 0x80, 0x80, 0x80, 0], 0..5, "file").variable("a length").unwrap_err();
        assert_eq!(error.offset, 0);
        let error = Bytes::new(&[0, 0x80], 1..9, "track").variable("a length").unwrap_err();
        assert_eq!((error.offset, error.found.as_str()), (2, "the end of the track after 0 of 1 bytes"));
    }
}

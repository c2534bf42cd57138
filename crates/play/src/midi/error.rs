//! Why a MIDI file is refused.

use std::fmt;

/// A byte that should be another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MidiError {
    /// Its place, from 0.
    pub offset: usize,
    /// What should be there.
    pub expected: String,
    /// What is there.
    pub found: String,
}

impl MidiError {
    /// An error at a byte.
    pub fn new(offset: usize, expected: impl Into<String>, found: impl Into<String>) -> Self {
        Self { offset, expected: expected.into(), found: found.into() }
    }
}

impl fmt::Display for MidiError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "byte {} (0x{0:x}): expected {}, found {}", self.offset, self.expected, self.found)
    }
}

impl std::error::Error for MidiError {}

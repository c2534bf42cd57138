//! Header and tracks: a file is a list of chunks, each of a type (4 bytes), a length n (4 bytes) and n bytes.
//!
//! The first is `MThd` with the type of the file, the number of its tracks and what a tick is; tracks are `MTrk`. Chunks of
//! other types are skipped.

use super::{bytes::Bytes, error::MidiError};
use hamiltone_gestures::tempo::Division;
use std::ops::Range;

/// How the tracks sound.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Types 0 and 1.
    Together,
    /// Type 2.
    InTurn,
}

/// What the chunks of a file state.
pub struct Chunks {
    /// How the tracks sound.
    pub kind: Kind,
    /// What a tick is.
    pub division: Division,
    /// The bytes of each track.
    pub tracks: Vec<Range<usize>>,
    /// What is unusual.
    pub warnings: Vec<String>,
}

impl Chunks {
    pub fn read(file: &[u8]) -> Result<Self, MidiError> {
        let mut bytes = Bytes::new(file, 0..file.len(), "file");
        let (name, length) = chunk(&mut bytes, "`MThd`, the beginning of a Standard MIDI File")?;
        if name != b"MThd" {
            let found = format!("`{}`", name.escape_ascii());
            return Err(MidiError::new(0, "`MThd`, the beginning of a Standard MIDI File", found));
        }
        if length < 6 {
            return Err(MidiError::new(4, "a header of at least 6 bytes", length.to_string()));
        }
        let header = bytes.at;
        let number = bytes.number(2, "the type of the file")?;
        let stated = bytes.number(2, "the number of tracks")?;
        let division = division(bytes.number(2, "the division of time")?, header + 4)?;
        let kind = match (number, stated) {
            (0 | 1, 1) | (1, _) => Kind::Together,
            (0, _) => {
                return Err(MidiError::new(header + 2, "1 track, since the type is 0", stated.to_string()));
            }
            (2, _) => Kind::InTurn,
            _ => return Err(MidiError::new(header, "a type of file from 0 to 2", number.to_string())),
        };
        bytes.take(length - 6, "the rest of the header")?;
        let (tracks, mut warnings) = tracks(&mut bytes, stated as usize)?;
        if tracks.is_empty() {
            return Err(MidiError::new(bytes.at, "a track, `MTrk`", "the end of the file"));
        }
        if tracks.len() != stated as usize {
            warnings.push(format!("the header states {stated} tracks, the file has {}", tracks.len()));
        }
        Ok(Self { kind, division, tracks, warnings })
    }
}

/// The bytes of each track, and what is unusual.
fn tracks(bytes: &mut Bytes, stated: usize) -> Result<(Vec<Range<usize>>, Vec<String>), MidiError> {
    let (mut tracks, mut warnings) = (Vec::new(), Vec::new());
    while bytes.left() > 0 {
        let start = bytes.at;
        let read = chunk(bytes, "a track, `MTrk`").and_then(|(name, length)| {
            let from = bytes.at;
            bytes.take(length, "the content of a chunk").map(|_| (name, from..from + length))
        });
        match read {
            Ok((b"MTrk", range)) => tracks.push(range),
            Ok(_) => {}
            // All that was promised is there: what follows is no part of the piece.
            Err(_) if stated > 0 && tracks.len() >= stated => {
                bytes.at = start;
                warnings.push(format!("{} bytes after the last track are ignored", bytes.left()));
                break;
            }
            Err(error) => return Err(error),
        }
    }
    Ok((tracks, warnings))
}

/// The type and length of a chunk.
fn chunk<'a>(bytes: &mut Bytes<'a>, what: &str) -> Result<(&'a [u8; 4], usize), MidiError> {
    let name = bytes.take(4, what)?.first_chunk().unwrap_or(b"    ");
    Ok((name, bytes.number(4, "the length of a chunk")? as usize))
}

/// Ticks per quarter note, or, with the top bit set, frames per second as a negative number, and ticks per frame.
fn division(word: u32, offset: usize) -> Result<Division, MidiError> {
    let [high, low] = (word as u16).to_be_bytes();
    let frames = match high as i8 {
        0.. if word == 0 => return Err(MidiError::new(offset, "1 to 32767 ticks per quarter note", "0")),
        0.. => return Ok(Division::Quarter(word as u64)),
        -24 => 24.0,
        -25 => 25.0,
        // Colour television (drop frame): 29.97.
        -29 => 30_000.0 / 1001.0,
        -30 => 30.0,
        other => {
            return Err(MidiError::new(offset, "-24, -25, -29 or -30 frames per second", other.to_string()));
        }
    };
    if low == 0 {
        return Err(MidiError::new(offset + 1, "1 to 255 ticks per frame", "0"));
    }
    Ok(Division::Second(frames * f64::from(low)))
}

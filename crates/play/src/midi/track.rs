//! The messages of a track: each a delta time in ticks, and a channel message, a SysEx message or a meta event.
//!
//! Running status: a channel message without a status byte has that of the channel message before; a SysEx message or a meta
//! event ends it. SysEx messages (`F0`, and `F7` for their continuations and for escapes) are skipped by their length.

use super::{bytes::Bytes, error::MidiError};
use std::ops::Range;

/// A channel message.
pub struct Message {
    /// When.
    pub tick: u64,
    /// The byte at which it begins, behind its delta time.
    pub offset: usize,
    /// Channel, and 16 for each port.
    pub part: u16,
    /// Its kind, 0x80 to 0xE0, without the channel.
    pub status: u8,
    /// Its data; the second is 0 where the kind has one.
    pub data: [u8; 2],
}

/// What a track holds.
#[derive(Default)]
pub struct ParsedTrack {
    /// In the order of the file.
    pub messages: Vec<Message>,
    /// Ticks, and microseconds of a quarter note from there on.
    pub tempos: Vec<(u64, f64)>,
    /// The tick at which the track ends, and the byte that says so.
    pub end: (u64, usize),
    /// What is unusual.
    pub warnings: Vec<String>,
    port: u8,
}

impl ParsedTrack {
    /// Reads the track in these bytes of a file.
    pub fn read(file: &[u8], range: Range<usize>) -> Result<Self, MidiError> {
        let mut bytes = Bytes::new(file, range, "track");
        let (mut track, mut tick, mut running) = (Self::default(), 0, None);
        while bytes.left() > 0 {
            tick += u64::from(bytes.variable("a delta time")?);
            track.end = (tick, bytes.at);
            let next = bytes.peek();
            let status = match next {
                Some(0x80..) | None => bytes.number(1, "a message")? as u8,
                Some(byte) => running.ok_or_else(|| {
                    let expected = "a status byte, 0x80 or more: no channel message stands directly before";
                    MidiError::new(bytes.at, expected, format!("0x{byte:02x}"))
                })?,
            };
            running = (status < 0xf0).then_some(status);
            match status {
                0xff if track.meta(&mut bytes, tick)? => {
                    if bytes.left() > 0 {
                        track.warnings.push(format!("has {} bytes after its end, ignored", bytes.left()));
                    }
                    return Ok(track);
                }
                0xff => {}
                0xf0 | 0xf7 => drop(payload(&mut bytes, "a SysEx message")?),
                0xf1.. => {
                    let expected = "a channel message, SysEx message or meta event";
                    return Err(MidiError::new(track.end.1, expected, format!("status 0x{status:02x}")));
                }
                _ => {
                    let first = bytes.data("a data byte")?;
                    let second = if matches!(status, 0xc0..=0xdf) { 0 } else { bytes.data("a data byte")? };
                    let part = 16 * u16::from(track.port) + u16::from(status & 0x0f);
                    let (offset, status, data) = (track.end.1, status & 0xf0, [first, second]);
                    track.messages.push(Message { tick, offset, part, status, data });
                }
            }
        }
        track.warnings.push("has no end-of-track event".into());
        Ok(track)
    }

    /// A meta event behind its status; whether the track ends with it.
    fn meta(&mut self, bytes: &mut Bytes, tick: u64) -> Result<bool, MidiError> {
        let kind = bytes.data("the type of a meta event")?;
        let at = bytes.at;
        let content = payload(bytes, "a meta event")?;
        match (kind, content) {
            (0x2f, _) => return Ok(true),
            (0x51, [0, 0, 0]) => {
                let expected = "a tempo of 1 to 16777215 µs per quarter note";
                return Err(MidiError::new(bytes.at - 3, expected, "0"));
            }
            (0x51, [a, b, c]) => self.tempos.push((tick, u32::from_be_bytes([0, *a, *b, *c]).into())),
            (0x51, _) => {
                return Err(MidiError::new(at, "3 as the length of a tempo", content.len().to_string()));
            }
            (0x21, [port]) => self.port = *port,
            _ => {}
        }
        Ok(false)
    }
}

/// A length, and so many bytes.
fn payload<'a>(bytes: &mut Bytes<'a>, what: &str) -> Result<&'a [u8], MidiError> {
    let length = bytes.variable("a length")?;
    bytes.take(length as usize, &format!("{what} of {length} bytes"))
}

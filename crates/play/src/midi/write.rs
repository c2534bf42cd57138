//! Writes Standard MIDI Files of type 1.
//!
//! Messages of one tick are written in the order: releases, all others, notes that begin; each group as it was added. A key
//! that is struck again at the tick of its release is thus released first.

/// A track in the making; ticks count from the beginning of the piece.
#[derive(Clone, Debug, Default)]
pub struct Track {
    /// Tick, group within the tick, and the bytes.
    messages: Vec<(u32, u8, Vec<u8>)>,
}

impl Track {
    /// Adds a message or meta event, status first.
    pub fn message(&mut self, tick: u32, bytes: &[u8]) -> &mut Self {
        let group = match bytes.first().map(|status| status & 0xf0) {
            Some(0x80) => 0,
            Some(0x90) => 2,
            _ => 1,
        };
        self.messages.push((tick, group, bytes.to_vec()));
        self
    }

    /// A tempo, microseconds of a quarter note, below 2²⁴.
    pub fn tempo(&mut self, tick: u32, microseconds: u32) -> &mut Self {
        let [_, a, b, c] = microseconds.to_be_bytes();
        self.message(tick, &[0xff, 0x51, 3, a, b, c])
    }

    /// A note of so many ticks on a channel from 0; keys and velocities are 0 to 127.
    pub fn note(&mut self, tick: u32, length: u32, channel: u8, key: u8, velocity: u8) -> &mut Self {
        let channel = channel & 0x0f;
        self.message(tick, &[0x90 | channel, key & 0x7f, velocity & 0x7f]);
        self.message(tick.saturating_add(length), &[0x80 | channel, key & 0x7f, 64])
    }

    /// A controller that moves to a value from 0 to 127.
    pub fn control(&mut self, tick: u32, channel: u8, number: u8, value: u8) -> &mut Self {
        self.message(tick, &[0xb0 | channel & 0x0f, number & 0x7f, value & 0x7f])
    }

    /// Adds its chunk to a file.
    fn append(&self, file: &mut Vec<u8>) {
        let mut messages: Vec<_> = self.messages.iter().collect();
        messages.sort_by_key(|(tick, group, _)| (*tick, *group));
        let (mut content, mut last) = (Vec::new(), 0);
        for (tick, _, bytes) in messages {
            variable(tick - last, &mut content);
            content.extend(bytes);
            last = *tick;
        }
        content.extend([0, 0xff, 0x2f, 0]);
        file.extend(b"MTrk");
        file.extend((content.len() as u32).to_be_bytes());
        file.extend(content);
    }
}

/// A file of these tracks, which sound together, with so many ticks to a quarter note, 1 to 32767.
///
/// ```
/// use hamiltone_play::midi::write::{Track, file};
///
/// let mut track = Track::default();
/// track.note(0, 200, 0, 60, 100).control(200, 0, 64, 127);
/// let content = [0, 0x90, 60, 100, 0x81, 0x48, 0x80, 60, 64, 0, 0xb0, 64, 127, 0, 0xff, 0x2f, 0];
/// assert_eq!(file(96, &[track])[22..], content);
/// ```
pub fn file(ticks_per_quarter: u16, tracks: &[Track]) -> Vec<u8> {
    let mut file = b"MThd\0\0\0\x06\0\x01".to_vec();
    file.extend((tracks.len() as u16).to_be_bytes());
    file.extend((ticks_per_quarter & 0x7fff).to_be_bytes());
    tracks.iter().for_each(|track| track.append(&mut file));
    file
}

/// A number with seven bits to a byte; beyond 2²⁸ − 1 the largest that a delta time can be.
fn variable(number: u32, bytes: &mut Vec<u8>) {
    let number = number.min(0x0fff_ffff);
    for shift in [21, 14, 7] {
        if number >> shift > 0 {
            bytes.push((number >> shift) as u8 & 0x7f | 0x80);
        }
    }
    bytes.push(number as u8 & 0x7f);
}

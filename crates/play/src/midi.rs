//! Standard MIDI Files (MMA, RP-001, version 1.0) of types 0, 1 and 2.
//!
//! In the order in which a file is read: [`error`] – byte offset, what was expected, what was found; `bytes` – numbers
//! and lengths; `chunks` – header and tracks; `track` – the messages of a track; [`channel`] – what a message means; [`mpe`] – what it means where
//! each note has a channel of its own.
//! [`write`](mod@write) makes files.
//!
//! The tracks of types 0 and 1 sound together, by the tempo changes of all. The tracks of type 2 are pieces of their own, each
//! with its own tempo, and are played one after the other. `docs/midi.md` of the repository lists every message.

mod bytes;
pub mod channel;
mod chunks;
pub mod error;
pub mod mpe;
mod track;
pub mod write;

pub use error::MidiError;

use channel::Channel;
use chunks::{Chunks, Kind};
use hamiltone_gestures::{
    performance::{Event, Performance},
    tempo::{LONGEST, TempoMap},
};
use std::collections::BTreeMap;
use track::ParsedTrack;

/// The most warnings about the tracks of a file: it may have 65 535 of them.
const MOST_WARNINGS: usize = 20;

/// Reads a Standard MIDI File. Memory and time are in proportion to its bytes, whatever lengths it states.
///
/// ```
/// use hamiltone_play::{Action, midi};
///
/// let mut track = midi::write::Track::default();
/// track.tempo(0, 500_000).note(480, 240, 0, 60, 127);
/// let performance = midi::read(&midi::write::file(480, &[track]))?;
/// assert_eq!(performance.events()[0].time, 0.5);
/// assert_eq!(performance.events()[0].action, Action::NoteOn { key: 60, velocity: 1.0 });
///
/// let error = midi::read(b"MThd\0\0\0\x06\0\x03\0\x01\0\x60").unwrap_err();
/// assert_eq!((error.offset, error.found.as_str()), (8, "3"));
/// # Ok::<(), midi::MidiError>(())
/// ```
///
/// # Errors
/// A [`MidiError`] where the file is malformed, states a tempo of 0, or lasts longer than a day.
pub fn read(file: &[u8]) -> Result<Performance, MidiError> {
    let Chunks { kind, division, tracks, mut warnings } = Chunks::read(file)?;
    let tracks =
        tracks.into_iter().map(|bytes| ParsedTrack::read(file, bytes)).collect::<Result<Vec<_>, _>>()?;
    for (number, track) in (1..).zip(&tracks) {
        warnings.extend(track.warnings.iter().map(|warning| format!("track {number} {warning}")));
    }
    let sequences: Vec<&[ParsedTrack]> = match kind {
        Kind::Together => vec![&tracks],
        Kind::InTurn => tracks.chunks(1).collect(),
    };
    let (mut events, mut start) = (Vec::new(), 0.0);
    for tracks in sequences {
        let tempos = tracks.iter().flat_map(|track| track.tempos.iter().copied()).collect();
        start = sequence(tracks, &TempoMap::new(division, tempos), start, &mut events)?;
    }
    if warnings.len() > MOST_WARNINGS {
        let more = warnings.len() - MOST_WARNINGS;
        warnings.truncate(MOST_WARNINGS);
        warnings.push(format!("{more} warnings more of this kind"));
    }
    Ok(Performance::new(events, start, warnings))
}

/// The events of tracks that sound together from `start`; when they end, s.
fn sequence(
    tracks: &[ParsedTrack],
    map: &TempoMap,
    start: f64,
    events: &mut Vec<Event>,
) -> Result<f64, MidiError> {
    let time = |tick, offset| match start + map.seconds(tick) {
        time if time <= LONGEST => Ok(time),
        time => {
            let expected = format!("events within {LONGEST} s, a day");
            Err(MidiError::new(
                offset,
                expected,
                format!("one at {time} s: delta times or tempo are too large"),
            ))
        }
    };
    let mut messages: Vec<_> = tracks.iter().flat_map(|track| &track.messages).collect();
    messages.sort_by_key(|message| message.tick);
    let mut channels: BTreeMap<u16, Channel> = BTreeMap::new();
    for message in messages {
        let (time, part) = (time(message.tick, message.offset)?, message.part);
        let channel = channels.entry(part).or_default();
        channel.apply(message.status, message.data, |action| events.push(Event { time, part, action }));
    }
    tracks.iter().try_fold(start, |end, track| Ok(time(track.end.0, track.end.1)?.max(end)))
}

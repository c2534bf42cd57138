//! J. S. Bach, Prelude in C major, BWV 846 (1722), without the bar that printed editions added after bar 22.
//!
//! The notes lie from F2 to A5, so that piano, guitar (to the 17th fret) and marimba have them: the C2 of the last four bars
//! is C3, and what would then double it, or lie below it, moves or rests. Dynamics, tempo and pedal are ours.

use hamiltone_gestures::note::Note;
use hamiltone_play::midi::write::{Track, file};
use std::error::Error;

/// Bars 1 to 32: five notes each, played as 1 2 3 4 5 3 4 5 in sixteenths, twice; the first two are held.
const BARS: [&str; 32] = [
    "C4 E4 G4 C5 E5",
    "C4 D4 A4 D5 F5",
    "B3 D4 G4 D5 F5",
    "C4 E4 G4 C5 E5",
    "C4 E4 A4 E5 A5",
    "C4 D4 F#4 A4 D5",
    "B3 D4 G4 D5 G5",
    "B3 C4 E4 G4 C5",
    "A3 C4 E4 G4 C5",
    "D3 A3 D4 F#4 C5",
    "G3 B3 D4 G4 B4",
    "G3 Bb3 E4 G4 C#5",
    "F3 A3 D4 A4 D5",
    "F3 Ab3 D4 F4 B4",
    "E3 G3 C4 G4 C5",
    "E3 F3 A3 C4 F4",
    "D3 F3 A3 C4 F4",
    "G2 D3 G3 B3 F4",
    "C3 E3 G3 C4 E4",
    "C3 G3 Bb3 C4 E4",
    "F2 F3 A3 C4 E4",
    "F#2 C3 A3 C4 Eb4",
    "Ab2 F3 B3 C4 D4",
    "G2 F3 G3 B3 D4",
    "G2 E3 G3 C4 E4",
    "G2 D3 G3 C4 F4",
    "G2 D3 G3 B3 F4",
    "G2 Eb3 A3 C4 F#4",
    "G2 E3 G3 C4 G4",
    "G2 D3 G3 C4 F4",
    "G2 D3 G3 B3 F4",
    "C3 E3 G3 Bb3 E4",
];
/// Bars 33 and 34: the bass, a second voice or a rest, and fourteen sixteenths.
const CADENCE: [(&str, Option<&str>, &str); 2] = [
    ("C3", None, "F3 A3 C4 F4 C4 A3 C4 A3 F3 A3 F3 D3 F3 D3"),
    ("C3", Some("B3"), "G4 B4 D5 F5 D5 B4 D5 B4 G4 B4 D4 F4 E4 D4"),
];
/// Bar 35.
const CHORD: &str = "C3 E4 G4 C5";

/// The velocity of each bar.
const VELOCITIES: [i16; 35] = [
    62, 64, 66, 63, 74, 68, 72, 64, 60, 63, 58, 67, 60, 65, 58, 54, 52, 55, 50, 58, 62, 68, 72, 68, 66, 64,
    68, 78, 82, 76, 72, 66, 60, 56, 50,
];
/// What is added for each sixteenth of half a bar.
const ACCENTS: [i16; 8] = [8, -2, -8, -4, 2, -8, -4, 0];
/// Where the tempo changes, in quarter notes from the beginning, and the quarter notes per minute from there on.
const TEMPOS: [(u32, u32); 6] = [(0, 66), (128, 64), (132, 60), (134, 56), (136, 46), (138, 40)];

const QUARTER: u32 = 480;
const SIXTEENTH: u32 = QUARTER / 4;
const BAR: u32 = 4 * QUARTER;
const SUSTAIN: u8 = 64;

fn keys(names: &str) -> Result<Vec<u8>, Box<dyn Error>> {
    let key = |name| {
        let note = Note::parse(name).map_err(|error| error.message)?;
        note.key().ok_or_else(|| format!("{name} is no key").into())
    };
    names.split(' ').map(key).collect()
}

/// A voice in the making.
struct Voice(Track);

impl Voice {
    /// A note at a sixteenth of a bar that lasts so many sixteenths.
    fn note(&mut self, bar: usize, at: u32, length: u32, key: u8) {
        let velocity = VELOCITIES[bar] + ACCENTS[at as usize % 8] - if at < 8 { 0 } else { 3 };
        self.0.note(bar as u32 * BAR + at * SIXTEENTH, length * SIXTEENTH, 0, key, velocity as u8);
    }
}

/// The file.
pub fn song() -> Result<Vec<u8>, Box<dyn Error>> {
    let mut conductor = Track::default();
    conductor.message(0, b"\xff\x03\x1bPrelude in C major, BWV 846");
    for (quarter, tempo) in TEMPOS {
        conductor.tempo(quarter * QUARTER, 60_000_000 / tempo);
    }
    let mut voice = Voice(Track::default());
    for bar in 0..35 {
        // The pedal changes just after the first note of a bar.
        let start = bar * BAR;
        voice.0.control(start, 0, SUSTAIN, 0).control(start + SIXTEENTH / 2, 0, SUSTAIN, 127);
    }
    for (bar, names) in BARS.iter().enumerate() {
        let keys = keys(names)?;
        for half in [0, 8] {
            for (at, note) in (0..).zip([0, 1, 2, 3, 4, 2, 3, 4]) {
                let length = if note < 2 { 8 - at } else { 1 };
                voice.note(bar, half + at, length, keys[note]);
            }
        }
    }
    for (bar, (bass, second, figure)) in (BARS.len()..).zip(CADENCE) {
        for key in keys(bass)? {
            voice.note(bar, 0, 16, key);
        }
        for key in second.map_or(Ok(Vec::new()), keys)? {
            voice.note(bar, 1, 15, key);
        }
        for (at, key) in (2..).zip(keys(figure)?) {
            voice.note(bar, at, 1, key);
        }
    }
    for key in keys(CHORD)? {
        voice.note(34, 0, 16, key);
    }
    voice.0.control(35 * BAR, 0, SUSTAIN, 0);
    Ok(file(QUARTER as u16, &[conductor, voice.0]))
}

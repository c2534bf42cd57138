//! A performance: what a player does, as events in seconds. MIDI files and scores become one of these.
//!
//! Events are sorted by time. Events of the same time keep the order in which their source states them: a note-off stands
//! before a note-on only where the source has it so.

use crate::note::Note;
use std::collections::BTreeMap;

/// Numbers of controllers that instruments usually follow.
pub mod controller {
    /// Modulation wheel.
    pub const MODULATION: u8 = 1;
    /// Volume of the part.
    pub const VOLUME: u8 = 7;
    /// Expression: volume within a phrase.
    pub const EXPRESSION: u8 = 11;
    /// Sustain pedal: from 64/127 it is down, and keys that are released sound on.
    pub const SUSTAIN: u8 = 64;
    /// Sostenuto pedal: keys that are down when it goes down sound on.
    pub const SOSTENUTO: u8 = 66;
    /// Soft pedal, una corda.
    pub const UNA_CORDA: u8 = 67;
    /// Those that players follow in a way of their own, or that set numbers of a channel: no instrument gives them another meaning.
    pub const FOLLOWED: [u8; 15] =
        [0, 6, VOLUME, EXPRESSION, 32, 38, SUSTAIN, SOSTENUTO, UNA_CORDA, 96, 97, 98, 99, 100, 101];
}

/// The velocity of a release where the source has none.
pub const RELEASE: f64 = 64.0 / 127.0;

/// What a player does at a time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Action {
    /// A key goes down: its number from 0 to 127 (60 is C4), and its velocity in (0, 1].
    NoteOn {
        /// The number of the key.
        key: u8,
        /// How fast it goes down.
        velocity: f64,
    },
    /// A key is released.
    NoteOff {
        /// The number of the key.
        key: u8,
        /// How fast it is released, 0 to 1; [`RELEASE`] where the source has none.
        velocity: f64,
    },
    /// A controller or pedal moves to a value from 0 to 1.
    Control {
        /// The number of the controller, 0 to 119.
        number: u8,
        /// Its value.
        value: f64,
    },
    /// The pitch of all notes of the part is bent by so many semitones.
    Bend {
        /// How far from the pitch of the key.
        semitones: f64,
    },
    /// Pressure on keys that are down, 0 to 1.
    Pressure {
        /// The key, or all keys of the part.
        key: Option<u8>,
        /// How much.
        value: f64,
    },
    /// A parameter of the instrument moves.
    Parameter {
        /// Its number, in the order of the instrument's file.
        number: usize,
        /// Its value, in its unit.
        value: f64,
    },
    /// Another program (instrument) is chosen, 0 to 127.
    Program(u8),
    /// All keys of the part are released; pedals still hold their notes.
    AllNotesOff,
    /// Keys and pedals of the part are released at once.
    AllSoundOff,
}

/// An action at a time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Event {
    /// When, s.
    pub time: f64,
    /// Whose: the MIDI channel from 0, plus 16 for each port; in a score the number of the part less one.
    pub part: u16,
    /// What.
    pub action: Action,
}

/// A sorted list of events.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Performance {
    events: Vec<Event>,
    duration: f64,
    warnings: Vec<String>,
    /// How many of them are of the source and not of its notes.
    of_source: usize,
}

impl Performance {
    /// A performance of these events, which lasts `duration` s at least, with what is to be said of its source. Events of
    /// one time keep their order. A warning is added where keys are never released.
    ///
    /// ```
    /// use hamiltone_gestures::performance::{Action, Event, Performance};
    ///
    /// let on = Event { time: 1.0, part: 0, action: Action::NoteOn { key: 60, velocity: 0.5 } };
    /// let performance = Performance::new(vec![on], 0.0, Vec::new());
    /// assert_eq!(performance.duration(), 1.0);
    /// assert!(performance.warnings()[0].contains("never released"));
    /// ```
    pub fn new(mut events: Vec<Event>, duration: f64, mut warnings: Vec<String>) -> Self {
        events.sort_by(|a, b| a.time.total_cmp(&b.time));
        let last = events.last().map_or(0.0, |event| event.time);
        let of_source = warnings.len();
        warnings.extend(unreleased(&events));
        Self { events, duration: duration.max(last), warnings, of_source }
    }

    /// The events, sorted by time.
    pub fn events(&self) -> &[Event] {
        &self.events
    }

    /// When the source ends, s: its last event or later. Notes may sound on after it.
    pub fn duration(&self) -> f64 {
        self.duration
    }

    /// What is unusual about the source, one sentence each, without a final dot.
    pub fn warnings(&self) -> &[String] {
        &self.warnings
    }
}

impl Performance {
    /// The warnings that are of the source and not of its notes.
    pub fn file_warnings(&self) -> &[String] {
        &self.warnings[..self.of_source]
    }

    /// The parts that have notes, ascending.
    pub fn parts(&self) -> Vec<u16> {
        let notes = self.events.iter().filter(|event| matches!(event.action, Action::NoteOn { .. }));
        let mut parts: Vec<u16> = notes.map(|event| event.part).collect();
        parts.sort_unstable();
        parts.dedup();
        parts
    }
}

/// The keys that go down and are never released, in words.
fn unreleased(events: &[Event]) -> Option<String> {
    let mut down = BTreeMap::new();
    for event in events {
        match event.action {
            Action::NoteOn { key, .. } => drop(down.insert((event.part, key), event.time)),
            Action::NoteOff { key, .. } => drop(down.remove(&(event.part, key))),
            Action::AllNotesOff | Action::AllSoundOff => down.retain(|(part, _), _| *part != event.part),
            _ => {}
        }
    }
    let ((part, key), time) = down.iter().min_by(|a, b| a.1.total_cmp(b.1))?;
    let count = if down.len() == 1 { "1 note is".into() } else { format!("{} notes are", down.len()) };
    let name = Note::of_key(*key);
    Some(format!(
        "{count} never released; the first is {name} (key {key}) of part {} at {time:.3} s",
        part + 1
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn event(time: f64, part: u16, action: Action) -> Event {
        Event { time, part, action }
    }

    #[test]
    fn events_are_sorted_and_keep_the_order_of_one_time() {
        let (on, off) =
            (Action::NoteOn { key: 60, velocity: 1.0 }, Action::NoteOff { key: 60, velocity: 0.5 });
        let given = [event(2.0, 0, off), event(1.0, 0, off), event(1.0, 0, on), event(0.0, 0, on)];
        let sorted = Performance::new(given.to_vec(), 0.0, Vec::new());
        assert_eq!(sorted.events(), [given[3], given[1], given[2], given[0]]);
        assert_eq!(sorted.duration(), 2.0);
        assert_eq!(Performance::new(given.to_vec(), 3.0, Vec::new()).duration(), 3.0);
        assert!(sorted.warnings().is_empty());
    }

    #[test]
    fn notes_that_stay_down_are_counted() {
        let on = |key| Action::NoteOn { key, velocity: 1.0 };
        let mut events = vec![event(0.5, 0, on(61)), event(0.25, 1, on(60)), event(0.5, 1, on(60))];
        let warnings = |events: &[Event]| Performance::new(events.to_vec(), 0.0, Vec::new()).warnings;
        let expected = "2 notes are never released; the first is C#4 (key 61) of part 1 at 0.500 s";
        assert_eq!(warnings(&events), [expected]);
        events.push(event(1.0, 0, Action::AllSoundOff));
        let expected = "1 note is never released; the first is C4 (key 60) of part 2 at 0.500 s";
        assert_eq!(warnings(&events), [expected]);
        events.push(event(1.0, 1, Action::AllNotesOff));
        assert!(warnings(&events).is_empty());
    }
}

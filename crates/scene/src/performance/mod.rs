//! Performances as `[[score]]` entries of a TOML file, in the order in which a musician reads them:
//!
//! ```toml
//! score = [
//!     { tempo = 96 },                                        # quarter notes per minute, from here on, for all parts
//!     { dynamic = "mf" },                                    # ppp pp p mp mf f ff fff, or velocity = 0 to 1
//!     { notes = "C4", length = "1/4" },                      # a note and its length as a fraction of a whole note
//!     { notes = "C4 E4 G4", length = "1/2.", dynamic = "ff" },   # a chord, dotted, with a dynamic of its own
//!     { rest = "1/8", part = 2 },                            # every part has its own place, and continues where it stopped
//!     { time = "3/2", pedal = "down" },                      # at this place of the part, in whole notes from its beginning
//! ]
//! ```
//!
//! `entries` has all keys. Here they get their times. Places are counted in ticks, so that notes of different
//! parts which coincide do so exactly. At one time keys are released before others go down.

pub mod ensemble;
mod entries;

use crate::document::diagnostics::Diagnostics;
use entries::{Act, Score};
use hamiltone_gestures::{
    performance::{Action, Event, Performance, RELEASE},
    tempo::{Division, LONGEST, TempoMap},
};
use std::collections::BTreeMap;

/// The ticks of a whole note, 2⁹·3²·5²·7·11·13: the usual fractions are whole numbers of them, others are rounded, to 18 ns at a
/// tempo of 60. A day at the fastest tempo, 360 000 whole notes, has fewer than 2⁵³ of them, so that f64 counts them exactly.
const WHOLE: u64 = 115_315_200;
/// The velocity until one is stated: mf.
const DEFAULT: f64 = 80.0 / 127.0;

/// Where a part is.
#[derive(Clone, Copy)]
struct PartState {
    tick: u64,
    /// The last entry that moved it.
    entry: usize,
    velocity: f64,
}

/// An action with its tick and its entry.
struct Pending {
    tick: u64,
    entry: usize,
    part: u16,
    action: Action,
}

impl Pending {
    /// The order of actions at one tick: keys are released first and go down last.
    fn rank(&self) -> u8 {
        match self.action {
            Action::NoteOff { .. } => 0,
            Action::NoteOn { .. } => 2,
            _ => 1,
        }
    }
}

/// Reads a score; `name` stands in messages.
///
/// ```
/// let text = r#"score = [{ tempo = 60 }, { notes = "C4 E4", length = "1/4" }, { rest = "1/4" }, { notes = "G4", length = "1/2" }]"#;
/// assert_eq!(hamiltone_scene::performance::read(text, "x.toml")?.duration(), 4.0);
///
/// let wrong = hamiltone_scene::performance::read("[[score]]\nnotes = \"e4\"\nlength = \"1/4\"", "x.toml").unwrap_err();
/// let message = "x.toml:2:9: score entry 1: `notes`: `e4` does not begin with a letter from A to G; write \"E4\"";
/// assert_eq!(wrong.to_string(), message);
/// # Ok::<(), hamiltone_scene::Diagnostics>(())
/// ```
///
/// # Errors
/// All that is wrong with the text; or the first entry that reaches beyond a day.
pub fn read(text: &str, name: &str) -> Result<Performance, Diagnostics> {
    let score = Score::read(text, name)?;
    performed(&score).map_err(|(entry, time)| {
        let message = format!("it reaches to {time:.0} s, beyond {LONGEST} s, a day");
        score.wrong(entry, &message, "write shorter lengths, or a faster tempo")
    })
}

/// The events, or the first entry that lies beyond a day with its end, s.
fn performed(score: &Score) -> Result<Performance, (usize, f64)> {
    let ticks = |fraction: f64| (fraction * WHOLE as f64).round() as u64;
    let (mut tempos, mut pending) = (Vec::new(), Vec::new());
    let mut places = BTreeMap::new();
    for (number, entry) in score.entries().iter().enumerate() {
        let part = entry.part;
        let place = places.entry(part).or_insert(PartState { tick: 0, entry: number, velocity: DEFAULT });
        let mut act = |tick, action| pending.push(Pending { tick, entry: number, part, action });
        let begin = entry.time.map_or(place.tick, ticks);
        let mut end = begin;
        match &entry.act {
            Act::Nothing => {}
            Act::Notes(keys, length) => {
                end += ticks(*length);
                for key in keys.iter().copied() {
                    act(begin, Action::NoteOn { key, velocity: entry.velocity.unwrap_or(place.velocity) });
                    act(end, Action::NoteOff { key, velocity: RELEASE });
                }
            }
            Act::Rest(length) => end += ticks(*length),
            Act::Tempo(tempo) => tempos.push((begin, 60e6 / tempo)),
            Act::Action(action) => act(begin, *action),
        }
        if !matches!(entry.act, Act::Notes(..)) {
            place.velocity = entry.velocity.unwrap_or(place.velocity);
        }
        if end != place.tick {
            (place.tick, place.entry) = (end, number);
        }
    }
    pending.sort_by_key(|pending| (pending.tick, pending.rank()));
    let map = TempoMap::new(Division::Quarter(WHOLE / 4), tempos);
    let time = |tick, entry| match map.seconds(tick) {
        time if time <= LONGEST => Ok(time),
        time => Err((entry, time)),
    };
    let event = |Pending { tick, entry, part, action }| Ok(Event { time: time(tick, entry)?, part, action });
    let events = pending.into_iter().map(event).collect::<Result<Vec<_>, _>>()?;
    let ends = places.values().map(|place| time(place.tick, place.entry));
    let end = ends.collect::<Result<Vec<_>, _>>()?.into_iter().fold(0.0, f64::max);
    Ok(Performance::new(events, end, Vec::new()))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Entries, the keys of each as in TOML, separated by `;`.
    fn score(entries: &str) -> Result<Performance, Diagnostics> {
        let entries: Vec<String> =
            entries.split(';').map(|entry| format!("{{ {} }}", entry.trim())).collect();
        read(&format!("score = [\n{}\n]", entries.join(",\n")), "x.toml")
    }

    /// Time, part, key and velocity in 127ths of the notes that begin.
    fn notes(performance: &Performance) -> Vec<(f64, u16, u8, f64)> {
        let note = |event: &Event| match event.action {
            Action::NoteOn { key, velocity } => Some((event.time, event.part, key, velocity * 127.0)),
            _ => None,
        };
        performance.events().iter().filter_map(note).collect()
    }

    const C4: &str = "notes = \"C4\", length";

    #[test]
    fn parts_have_their_own_clock_and_dynamic() {
        let two = "part = 2, notes";
        let text = format!(
            "tempo = 60; {C4} = \"1/4\"; part = 2, dynamic = \"pp\"; {two} = \"C#3\", length = \"1/2\"; \
             notes = \"D4 E4\", length = \"1/4\", velocity = 1; {two} = \"Bb3\", length = \"1\"; {C4} = \"1/8\""
        );
        let played = score(&text).unwrap();
        let expected = [
            (0.0, 0, 60, 80.0),
            (0.0, 1, 49, 32.0),
            (1.0, 0, 62, 127.0),
            (1.0, 0, 64, 127.0),
            (2.0, 1, 58, 32.0),
            (2.0, 0, 60, 80.0),
        ];
        assert_eq!(notes(&played), expected);
        assert_eq!(played.duration(), 6.0);
    }

    #[test]
    fn tempo_changes_and_places() {
        // A quarter lasts 1 s up to 1/4, then 0.5 s; 1/12 and 1/4. are exact.
        let twelfth = format!("{C4} = \"1/12\"");
        let text = format!(
            "tempo = 60; rest = \"1/4\"; tempo = 120; {twelfth}; {twelfth}; {twelfth}; {C4} = \"1/4.\"; {C4} = \"1/8\"; \
             time = \"1/8\"; {C4} = \"1/8\""
        );
        let times: Vec<f64> = notes(&score(&text).unwrap()).iter().map(|note| note.0).collect();
        // 1/12 at 120 is a sixth of a second, rounded twice.
        let third = 0.5 / 3.0;
        let expected = [0.5, 1.0, 1.0 + third, 1.0 + 2.0 * third, 1.5, 2.25];
        assert!(times.iter().zip(expected).all(|(a, b)| (a - b).abs() < 4.0 * f64::EPSILON), "{times:?}");
        assert_eq!((times[4], times[5]), (1.5, 2.25));
    }

    /// A hundred notes of 1/100 and eleven of 1/11 end together; of 17 in a whole note each is within half a tick.
    #[test]
    fn unusual_fractions_coincide() {
        let text = format!(
            "tempo = 60{}{}{}",
            format!("; {C4} = \"1/100\"").repeat(100),
            format!("; part = 2, {C4} = \"1/11\"").repeat(11),
            format!("; part = 3, {C4} = \"1/17\"").repeat(17)
        );
        let played = score(&text).unwrap();
        let mut ends: Vec<(u16, f64)> =
            played.events().iter().rev().map(|event| (event.part, event.time)).collect();
        ends.sort_by_key(|(part, _)| *part);
        ends.dedup_by_key(|(part, _)| *part);
        assert_eq!(ends[..2], [(0, 4.0), (1, 4.0)]);
        assert!((ends[2].1 - 4.0).abs() <= 17.0 * 0.5 * 4.0 / WHOLE as f64, "{ends:?}");
    }

    #[test]
    fn keys_are_released_before_they_go_down_again() {
        let text = format!(
            "time = \"1/4\", {C4} = \"1/4\"; time = \"0\", {C4} = \"1/4\"; pedal = \"down\"; pedal = \"up\""
        );
        let played = score(&format!("tempo = 60; {text}")).unwrap();
        let actions: Vec<Action> = played.events().iter().map(|event| event.action).collect();
        let on = Action::NoteOn { key: 60, velocity: DEFAULT };
        let off = Action::NoteOff { key: 60, velocity: RELEASE };
        let pedal = |value| Action::Control { number: 64, value };
        assert_eq!(actions, [on, off, pedal(1.0), pedal(0.0), on, off]);
        assert!(played.warnings().is_empty());
    }

    #[test]
    fn an_entry_beyond_a_day_is_named() {
        for last in
            [format!("time = \"10000\", {C4} = \"10000\""), "rest = \"10000\"; part = 2, rest = \"1\"".into()]
        {
            let errors = score(&format!("tempo = 1; {C4} = \"1/4\"; {last}")).unwrap_err();
            let expected = "x.toml:4:1: score entry 3: it reaches to ";
            assert!(errors.to_string().starts_with(expected) && errors.problems.len() == 1, "{errors}");
        }
    }
}

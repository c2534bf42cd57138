//! Scores as text, one statement a line, in the order in which a musician reads them:
//!
//! ```text
//! tempo 96                # quarter notes per minute, from here on, for all parts
//! part 1                  # what follows belongs to this part, and continues where it stopped
//! dynamic mf              # ppp pp p mp mf f ff fff, or a velocity from 1 to 127
//! C4 1/4                  # a note and its length as a fraction of a whole note
//! C4 E4 G4 1/2. ff        # a chord, dotted, with a dynamic of its own
//! rest 1/8
//! at 3/2                  # go to this place of the part, in whole notes from its beginning
//! pedal down              # or up: controller 64
//! control 11 0.8          # any other, 0 to 1
//! bend -0.5               # semitones
//! pressure 0.3            # of all keys, 0 to 1
//! program 5
//! ```
//!
//! A `#` at the beginning of a word begins a comment. Notes are those of [`hamiltone_scene::note`] without cents, from C-1
//! to G9. Lengths are counted exactly, whatever their denominators: three notes of `1/12` last as long as one of `1/4`. At one time keys
//! are released before others go down.

mod dynamic;
mod length;
mod statement;
mod words;

use crate::{
    performance::{Action, Event, Performance, RELEASE},
    tempo::{Division, LONGEST, TempoMap},
    text_error::{TextError, TextErrors},
};
use length::Grid;
use statement::Statement;
use std::collections::BTreeMap;

/// Reading ends at so many mistakes.
const MOST_ERRORS: usize = 20;

/// Where a part is.
#[derive(Clone, Copy)]
struct Place {
    tick: u64,
    /// The last line that moved it.
    line: usize,
    velocity: f64,
}

/// An action with its tick and its line.
struct Pending {
    tick: u64,
    line: usize,
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

/// Reads a score.
///
/// ```
/// let performance = hamiltone_play::score::read("tempo 60\nC4 E4 1/4 p\nrest 1/4\nG4 1/2\n")?;
/// assert_eq!(performance.duration(), 4.0);
///
/// let errors = hamiltone_play::score::read("C4 1/4\ne4 1/4").unwrap_err();
/// let message = "line 2, column 1: `e4` does not begin with a letter from A to G; write \"E4\"";
/// assert_eq!(errors.to_string(), message);
/// # Ok::<(), hamiltone_play::text_error::TextErrors>(())
/// ```
///
/// # Errors
/// [`TextErrors`], one for each line that cannot be read, up to 20; or the first line that lies beyond a day.
pub fn read(text: &str) -> Result<Performance, TextErrors> {
    let (mut grid, mut statements, mut errors) = (Grid::default(), Vec::new(), Vec::new());
    for (line, words) in (1..).zip(text.lines().map(words::words)) {
        match statement::read(line, &words, &mut grid) {
            Ok(statement) => statements.push((line, statement)),
            Err(error) => errors.push(error),
        }
        if errors.len() == MOST_ERRORS {
            break;
        }
    }
    if !errors.is_empty() {
        return Err(TextErrors(errors));
    }
    let mut draft = Draft::default();
    statements.into_iter().for_each(|(line, statement)| draft.add(line, statement, grid));
    Ok(draft.timed(grid)?)
}

/// A score in the making, in ticks.
#[derive(Default)]
struct Draft {
    /// Ticks, and microseconds of a quarter note from there on.
    tempos: Vec<(u64, f64)>,
    pending: Vec<Pending>,
    places: BTreeMap<u16, Place>,
    /// The part to which statements belong.
    part: u16,
}

impl Draft {
    fn add(&mut self, line: usize, statement: Statement, grid: Grid) {
        let part = self.part;
        let start = Place { tick: 0, line, velocity: dynamic::DEFAULT };
        let place = self.places.entry(part).or_insert(start);
        let mut act = |tick, action| self.pending.push(Pending { tick, line, part, action });
        let before = place.tick;
        match statement {
            Statement::Nothing => {}
            Statement::Tempo(tempo) => self.tempos.push((place.tick, 60e6 / tempo)),
            Statement::Part(number) => self.part = number,
            Statement::At(at) => place.tick = grid.ticks(at),
            Statement::Dynamic(velocity) => place.velocity = velocity,
            Statement::Rest(length) => place.tick = place.tick.saturating_add(grid.ticks(length)),
            Statement::Notes { keys, length, velocity } => {
                // A line that reaches beyond all ticks is refused for its time.
                let end = place.tick.saturating_add(grid.ticks(length));
                for key in keys {
                    let velocity = velocity.unwrap_or(place.velocity);
                    act(place.tick, Action::NoteOn { key, velocity });
                    act(end, Action::NoteOff { key, velocity: RELEASE });
                }
                place.tick = end;
            }
            Statement::Act(action) => act(place.tick, action),
        }
        if place.tick != before {
            place.line = line;
        }
    }

    /// The same in seconds, or the first line that lies beyond a day.
    fn timed(mut self, grid: Grid) -> Result<Performance, TextError> {
        self.pending.sort_by_key(|pending| (pending.tick, pending.rank()));
        let map = TempoMap::new(Division::Quarter(grid.quarter()), self.tempos);
        let time = |tick, line| match map.seconds(tick) {
            time if time <= LONGEST => Ok(time),
            time => {
                let message = format!("the line reaches to {time:.0} s, beyond {LONGEST} s, a day");
                Err(TextError::new(line, 1, message, "write shorter lengths, or a faster tempo"))
            }
        };
        let event =
            |Pending { tick, line, part, action }| Ok(Event { time: time(tick, line)?, part, action });
        let events = self.pending.into_iter().map(event).collect::<Result<Vec<_>, _>>()?;
        let ends = self.places.values().map(|place| time(place.tick, place.line));
        let end = ends.collect::<Result<Vec<_>, _>>()?.into_iter().fold(0.0, f64::max);
        Ok(Performance::new(events, end, Vec::new()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Time, part, key and velocity in 127ths of the notes that begin.
    fn notes(text: &str) -> Vec<(f64, u16, u8, f64)> {
        let performance = read(text).unwrap();
        let note = |event: &Event| match event.action {
            Action::NoteOn { key, velocity } => Some((event.time, event.part, key, velocity * 127.0)),
            _ => None,
        };
        performance.events().iter().filter_map(note).collect()
    }

    #[test]
    fn parts_have_their_own_clock_and_dynamic() {
        let text =
            "tempo 60\nC4 1/4\npart 2\ndynamic pp\nC#3 1/2 # held\npart 1\nD4 E4 1/4 100\npart 2\nBb3 1\n";
        let expected = [(0.0, 0, 60, 80.0), (0.0, 1, 49, 32.0), (1.0, 0, 62, 100.0), (1.0, 0, 64, 100.0)];
        assert_eq!(notes(text)[..4], expected);
        assert_eq!(notes(text)[4], (2.0, 1, 58, 32.0));
        assert_eq!(read(text).unwrap().duration(), 6.0);
    }

    #[test]
    fn tempo_changes_and_places() {
        // A quarter lasts 1 s up to 1/4, then 0.5 s; 1/12 and 1/4. are exact.
        let text =
            "tempo 60\nrest 1/4\ntempo 120\nC4 1/12\nC4 1/12\nC4 1/12\nC4 1/4.\nC4 1/8\nat 1/8\nD4 1/8\n";
        let times: Vec<f64> = notes(text).iter().map(|note| note.0).collect();
        // 1/12 at 120 is a sixth of a second, rounded twice.
        let third = 0.5 / 3.0;
        let expected = [0.5, 1.0, 1.0 + third, 1.0 + 2.0 * third, 1.5, 2.25];
        assert!(times.iter().zip(expected).all(|(a, b)| (a - b).abs() < 4.0 * f64::EPSILON), "{times:?}");
        assert_eq!((times[4], times[5]), (1.5, 2.25));
    }

    /// A hundred notes of 1/100 and eleven of 1/11 end together.
    #[test]
    fn any_fractions_are_counted_exactly() {
        let text = format!("tempo 60\n{}part 2\n{}", "C4 1/100\n".repeat(100), "D4 1/11\n".repeat(11));
        let all = notes(&text);
        let performance = read(&text).unwrap();
        let ends: Vec<f64> = performance.events().iter().rev().take(2).map(|event| event.time).collect();
        assert_eq!((all.len(), ends, performance.duration()), (111, vec![4.0, 4.0], 4.0));
        assert!(all.iter().any(|note| (note.0 - 0.04).abs() < 1e-15));
    }

    #[test]
    fn keys_are_released_before_they_go_down_again() {
        let text = "tempo 60\nat 1/4\nC4 1/4\nat 0\nC4 1/4\npedal down\npedal up\n";
        let actions: Vec<Action> = read(text).unwrap().events().iter().map(|event| event.action).collect();
        let on = Action::NoteOn { key: 60, velocity: 80.0 / 127.0 };
        let off = Action::NoteOff { key: 60, velocity: RELEASE };
        let pedal = |value| Action::Control { number: 64, value };
        assert_eq!(actions, [on, off, pedal(1.0), pedal(0.0), on, off]);
        assert!(read(text).unwrap().warnings().is_empty());
    }

    #[test]
    fn all_lines_that_cannot_be_read_are_named() {
        let errors = read("tempo 0\nC4 1/4\nC4\n\nX4 1/4\n").unwrap_err().0;
        assert_eq!(errors.iter().map(|error| error.line).collect::<Vec<_>>(), [1, 3, 5]);
        assert_eq!(read(&"x\n".repeat(30)).unwrap_err().0.len(), MOST_ERRORS);
        let long = read("tempo 1\nC4 1/4\nat 10000\nC4 10000\n").unwrap_err().0;
        assert_eq!((long.len(), long[0].line), (1, 4));
        let rest = read("tempo 1\nC4 1/4\nrest 10000\npart 2\n").unwrap_err().0;
        assert_eq!((rest.len(), rest[0].line), (1, 3));
    }
}

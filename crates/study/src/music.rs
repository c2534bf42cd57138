//! What is played, and in which tuning: files that a user names; and what there is to say of a song that was played.

use crate::failure::Failure;
use hamiltone_gestures::note::Note;
use hamiltone_plan::instrument::InstrumentPlan;
use hamiltone_play::{
    Performance, midi,
    offline::Played,
    tuning::{Mapping, Scale, TextError, Tuning},
};
use hamiltone_scene::performance;
use hamiltone_scene::{
    Limits,
    digest::sha256,
    document::{problem::printable_path, reading},
    limits::Limited,
};
use std::{collections::BTreeSet, path::Path};

/// The music.
pub struct Music {
    /// Its events.
    pub performance: Performance,
    /// The SHA-256 of its file or text.
    pub sha256: String,
}

impl Music {
    /// Some of its parts, numbered from 1; all where none is named.
    ///
    /// # Errors
    /// A part that it does not have.
    pub fn with_parts(self, asked: &[u16]) -> Result<Self, Failure> {
        let there: BTreeSet<u16> = self.performance.events().iter().map(|event| event.part).collect();
        if let Some(part) = asked.iter().find(|part| !there.contains(&(part.wrapping_sub(1)))) {
            let there = if there.is_empty() { "none at all".into() } else { numbers(there) };
            return Err(Failure::Other(format!("the song has no part {part}; it has {there}")));
        }
        let performance = if asked.is_empty() { self.performance } else { only(&self.performance, asked) };
        Ok(Self { performance, ..self })
    }
}

/// The bytes of a file, unless it is larger than its kind may be; of a pipe no more than that are read.
fn bytes(path: &Path, of: Limited, limits: &Limits) -> Result<Vec<u8>, Failure> {
    let bytes = reading::within(path, of, limits);
    bytes.map_err(|why| Failure::Other(format!("`{}` cannot be read: {why}", printable_path(path))))
}

/// The text of a file.
fn text(path: &Path, of: Limited, limits: &Limits) -> Result<String, Failure> {
    String::from_utf8(bytes(path, of, limits)?).map_err(|error| {
        let at = error.utf8_error().valid_up_to();
        Failure::Other(format!("`{}`: byte {at} is not UTF-8", printable_path(path)))
    })
}

/// The error of a text, with the name of its file.
fn wrong(path: &Path, error: &TextError) -> Failure {
    let TextError { line, column, message, help } = error;
    Failure::Other(format!("{}:{line}:{column}: {message}; {help}", printable_path(path)))
}

/// Reads a Standard MIDI File, or a score (.toml).
///
/// # Errors
/// Where it cannot be read, with the byte, or with line and column.
pub fn read(path: &Path, limits: &Limits) -> Result<Music, Failure> {
    let name = printable_path(path);
    let is_score = path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("toml"));
    if is_score {
        return score(&text(path, Limited::Music, limits)?, &name);
    }
    let bytes = bytes(path, Limited::Music, limits)?;
    let performance = midi::read(&bytes).map_err(|error| {
        let message = format!("{name}: this is not a Standard MIDI File: {error}");
        Failure::Other(format!("{message}; a score is a .toml file with [[score]] entries"))
    })?;
    Ok(Music { performance, sha256: sha256(&bytes) })
}

/// Reads the text of a score; `name` stands in messages.
///
/// # Errors
/// All that is wrong with it.
pub fn score(text: &str, name: &str) -> Result<Music, Failure> {
    Ok(Music { performance: performance::read(text, name)?, sha256: sha256(text.as_bytes()) })
}

/// What these parts do, numbered from 1.
pub fn only(performance: &Performance, parts: &[u16]) -> Performance {
    let events = performance.events().iter().filter(|event| parts.contains(&(event.part + 1)));
    let warnings = performance.file_warnings().to_vec();
    Performance::new(events.copied().collect(), performance.duration(), warnings)
}

/// The numbers of parts, from 1.
pub fn numbers(parts: impl IntoIterator<Item = u16>) -> String {
    let numbers: Vec<String> = parts.into_iter().map(|part| (part + 1).to_string()).collect();
    numbers.join(", ")
}

/// The tuning of a Scala scale (.scl), with its keyboard mapping (.kbm); without one degree 0 is on C4, and A4 is 440 Hz.
///
/// # Errors
/// Where a file cannot be read, with line and column.
pub fn tuning(scale: &Path, keyboard: Option<&Path>, limits: &Limits) -> Result<Tuning, Failure> {
    let parsed =
        Scale::parse(&text(scale, Limited::Tuning, limits)?).map_err(|error| wrong(scale, &error))?;
    let mapping = match keyboard {
        Some(path) => {
            Mapping::parse(&text(path, Limited::Tuning, limits)?).map_err(|error| wrong(path, &error))?
        }
        None => Mapping::linear(440.0),
    };
    Ok(Tuning::scala(&parsed, &mapping))
}

/// The name of a key with its number.
pub fn note(key: u8) -> String {
    format!("{} (key {key})", Note::of_key(key))
}

/// Refuses a song of whose notes none was played; `who` has none of them.
///
/// # Errors
/// A sentence that names the first key.
pub fn check_notes(notes: u64, missing: &[(u8, u64)], who: &str) -> Result<(), Failure> {
    let all: u64 = missing.iter().map(|(_, count)| count).sum();
    match missing.first() {
        Some((first, _)) if notes == 0 => Err(Failure::Other(format!(
            "{who} of the {all} notes of the song, from {} on; transpose it, or choose another instrument",
            note(*first)
        ))),
        _ => Ok(()),
    }
}

/// What there is to say of a song that one instrument plays, where it has several parts, or none.
pub fn of_song(performance: &Performance) -> Vec<String> {
    let parts = performance.parts();
    let mut said = performance.warnings().to_vec();
    if parts.is_empty() {
        said.push("the song has no notes".into());
    }
    if parts.len() > 1 {
        said.push(format!(
            "the song has the parts {}: all are played on this instrument, which has one set of pedals, controllers and programs; choose one of them, or let an ensemble play: see docs/midi.md",
            numbers(parts)
        ));
    }
    said
}

/// What the user should know of what an instrument played.
pub fn of_played(instrument: &InstrumentPlan, played: &Played) -> Vec<String> {
    let mut said = instrument.plan.warnings.clone();
    if played.cut {
        said.push(format!(
            "the sound is faded out {:.0} dB below its peak, before it has decayed; allow it a longer tail, such as 120 s",
            -played.end
        ));
    }
    let missing: u64 = played.missing.iter().map(|(_, count)| count).sum();
    if missing > 0 {
        let times = |count: u64| if count > 1 { format!(" ×{count}") } else { String::new() };
        let key = |(key, count): &(u8, u64)| note(*key) + &times(*count);
        let keys: Vec<String> = played.missing.iter().map(key).collect();
        let there = if instrument.notes.programs.is_empty() { "" } else { " in the program that was chosen" };
        said.push(format!(
            "{missing} of the notes were not played: the instrument has no {}{there}; transpose the song, or choose an instrument that has them",
            keys.join(", ")
        ));
    }
    let ignored =
        |(what, count): &(String, u64)| format!("{what} has no effect on this instrument ({count} messages)");
    said.extend(played.ignored.iter().map(ignored));
    said
}

//! What is played, and in which tuning: files that the command line names.

use super::arguments::PlayArguments;
use crate::failure::Failure;
use hamiltone_gestures::note::Note;
use hamiltone_play::{
    Performance, midi,
    tuning::{Mapping, Scale, TextError, Tuning},
};
use hamiltone_scene::performance;
use hamiltone_scene::{
    Limits,
    digest::sha256,
    document::{problem::printable_path, reading},
    limits::Limited,
};
use std::{
    collections::BTreeSet,
    path::{Path, PathBuf},
};

/// The music.
pub struct Music {
    /// Its events.
    pub performance: Performance,
    /// The SHA-256 of its file.
    pub sha256: String,
    /// The files that were read.
    files: Vec<PathBuf>,
}

impl Music {
    /// The files that were read, with those of the tuning and the instrument.
    pub fn inputs(&self) -> &[PathBuf] {
        &self.files
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

/// Reads the music that is asked for.
///
/// # Errors
/// Where it cannot be read, with the byte, or with line and column.
pub fn read(arguments: &PlayArguments, limits: &Limits) -> Result<Music, Failure> {
    let path = &arguments.song;
    let name = printable_path(path);
    let is_score = path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("toml"));
    let (performance, sha256) = if is_score {
        let text = text(path, Limited::Music, limits)?;
        (performance::read(&text, &name)?, sha256(text.as_bytes()))
    } else {
        let bytes = bytes(path, Limited::Music, limits)?;
        let performance = midi::read(&bytes).map_err(|error| {
            let message = format!("{name}: this is not a Standard MIDI File: {error}");
            Failure::Other(format!("{message}; a score is a .toml file with [[score]] entries"))
        })?;
        (performance, sha256(&bytes))
    };
    let performance =
        if arguments.part.is_empty() { performance } else { parts(&performance, &arguments.part)? };
    let others = [Some(path), arguments.tuning.as_ref(), arguments.keyboard.as_ref()];
    let files = others.into_iter().flatten().chain([&arguments.instrument]).cloned().collect();
    Ok(Music { performance, sha256, files })
}

/// Some of the parts of a performance, numbered from 1.
fn parts(performance: &Performance, parts: &[u16]) -> Result<Performance, Failure> {
    let there: BTreeSet<u16> = performance.events().iter().map(|event| event.part).collect();
    if let Some(part) = parts.iter().find(|part| !there.contains(&(**part - 1))) {
        let there = match there.is_empty() {
            true => "none at all".into(),
            false => numbers(there),
        };
        return Err(Failure::Other(format!("--part {part}: the song has no such part; it has {there}")));
    }
    Ok(only(performance, parts))
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

/// The tuning that is asked for; `None` for equal temperament.
///
/// # Errors
/// Where a file cannot be read, with line and column.
pub fn tuning(arguments: &PlayArguments, limits: &Limits) -> Result<Option<Tuning>, Failure> {
    let Some(path) = &arguments.tuning else { return Ok(None) };
    let scale = Scale::parse(&text(path, Limited::Tuning, limits)?).map_err(|error| wrong(path, &error))?;
    let mapping = match &arguments.keyboard {
        Some(path) => {
            Mapping::parse(&text(path, Limited::Tuning, limits)?).map_err(|error| wrong(path, &error))?
        }
        None => Mapping::linear(440.0),
    };
    Ok(Some(Tuning::scala(&scale, &mapping)))
}

/// The name of a key with its number.
pub fn note(key: u8) -> String {
    format!("{} (key {key})", Note::of_key(key))
}

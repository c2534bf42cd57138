//! Keys by the names of their notes: one, a range or a list; programs by their numbers.

use crate::document::{
    expected::Expected,
    value::{self, Wrong},
};
use hamiltone_core::parameter::Range;
use hamiltone_gestures::note::Note;
use toml::{Spanned, de::DeValue};

/// The frequency of a key, Hz, as MIDI numbers them: 60 is C4. It is not a number for a key that makes no sound; formulas ask
/// for fractions of keys, too, which lie between them.
pub type Tuning<'a> = dyn Fn(f64) -> f64 + Sync + 'a;

/// The keys of a range, such as `"A0..C8"`, or of a list of notes or numbers, which may be there `twice`.
pub fn keys(value: &Spanned<DeValue<'_>>, twice: bool) -> Result<Vec<u8>, Wrong> {
    const HELP: &str = "write a range such as \"A0..C8\", or a list such as [\"E2\", \"A2\", 50]";
    match value.get_ref() {
        DeValue::String(text) => {
            let ends = text.split_once("..").ok_or_else(|| {
                Wrong::new(value, format!("takes a range of notes, not `{text}`"), "", HELP)
            })?;
            let end = |note: &str| {
                key_of(note)
                    .map_err(|message| Wrong::new(value, format!("cannot be read: {message}"), "", HELP))
            };
            let (first, last) = (end(ends.0)?, end(ends.1)?);
            if first > last {
                return Err(Wrong::new(
                    value,
                    "begins above its end",
                    "descending",
                    "write the lower note first",
                ));
            }
            Ok((first..=last).collect())
        }
        DeValue::Array(items) if !items.is_empty() => {
            let mut keys = Vec::new();
            for item in items.iter() {
                let next = key(item)?;
                if !twice && keys.contains(&next) {
                    let message = format!("has the key {next} twice");
                    return Err(Wrong::new(item, message, "again", "write each key once"));
                }
                keys.push(next);
            }
            Ok(keys)
        }
        _ => Err(Wrong::new(value, "takes a range or a list of notes", "", HELP)),
    }
}

/// The programs of a list, each once.
pub fn programs(value: &Spanned<DeValue<'_>>) -> Result<Vec<u8>, Wrong> {
    let Some(items) = value.get_ref().as_array().filter(|items| !items.is_empty()) else {
        let help = "write numbers from 0 to 127, such as [45] (pizzicato), or leave it out";
        return Err(Wrong::new(value, "takes a list of programs", "", help));
    };
    let mut programs = Vec::new();
    for item in items.iter() {
        let next = midi_number(item)?;
        if programs.contains(&next) {
            return Err(Wrong::new(item, format!("has {next} twice"), "again", "write each program once"));
        }
        programs.push(next);
    }
    Ok(programs)
}

/// A key by the name of its note, or its number.
pub fn key(value: &Spanned<DeValue<'_>>) -> Result<u8, Wrong> {
    if let DeValue::String(text) = value.get_ref() {
        return key_of(text).map_err(|message| {
            Wrong::new(value, format!("cannot be read: {message}"), "no key", "write a note such as \"C4\"")
        });
    }
    midi_number(value)
}

fn midi_number(value: &Spanned<DeValue<'_>>) -> Result<u8, Wrong> {
    let range = Range { min: 0.0, max: 127.0, open: false };
    value::number(value, &Expected { units: Vec::new(), range, whole: true }).map(|number| number as u8)
}

fn key_of(text: &str) -> Result<u8, String> {
    let note = Note::parse(text.trim()).map_err(|error| error.message)?;
    note.key().ok_or_else(|| format!("`{}` is not one of the keys C-1 to G9", text.trim()))
}

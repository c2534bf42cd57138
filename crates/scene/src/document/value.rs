//! Single values: numbers with units, words, files, lists and pairs of them.

use super::{expected::Expected, suggest::suggest};
use crate::units::{self, Mismatch};
use hamiltone_core::parameter::{Range, SWITCH};
use hamiltone_gestures::note::{Note, NoteError};
use std::{collections::BTreeMap, ops};
use toml::{Spanned, de::DeValue};

/// Why a value is not what its key takes; the section adds its name and its parameter's.
pub struct Wrong {
    /// The rest of the sentence that begins with the parameter.
    pub message: String,
    /// The value.
    pub span: ops::Range<usize>,
    /// A word or two under it.
    pub remark: String,
    /// What to write instead, if that is more than the parameter's description.
    pub help: String,
}

impl Wrong {
    /// What is wrong with a value.
    pub fn new(value: &Spanned<DeValue<'_>>, message: impl Into<String>, remark: &str, help: &str) -> Self {
        Self { message: message.into(), span: value.span(), remark: remark.into(), help: help.into() }
    }
}

/// A value's type with its article.
pub fn describe(value: &DeValue<'_>) -> &'static str {
    match value {
        DeValue::String(_) => "text",
        DeValue::Integer(_) | DeValue::Float(_) => "a number",
        DeValue::Boolean(_) => "true or false",
        DeValue::Datetime(_) => "a date",
        DeValue::Array(_) => "a list",
        DeValue::Table(_) => "a table",
    }
}

/// A number in SI: plain, or text with a unit that measures the same as one that is expected.
pub fn number(value: &Spanned<DeValue<'_>>, expected: &Expected) -> Result<f64, Wrong> {
    let Expected { units, range, whole } = expected;
    let symbol = units.first().map_or("", |unit| unit.as_ref());
    let with_unit = |text: String| if symbol.is_empty() { text } else { format!("{text} {symbol}") };
    let (number, written) = match value.get_ref() {
        DeValue::Integer(i) if i.radix() == 10 => {
            (i.as_str().parse().unwrap_or(f64::NAN), with_unit(i.to_string()))
        }
        DeValue::Integer(i) => (
            i128::from_str_radix(i.as_str(), i.radix()).map_or(f64::NAN, |i| i as f64),
            with_unit(i.to_string()),
        ),
        DeValue::Float(x) => (x.as_str().parse().unwrap_or(f64::NAN), with_unit(x.to_string())),
        DeValue::String(text) => {
            let units: Vec<&str> = units.iter().map(AsRef::as_ref).collect();
            let number = units::read(text, &units).map_err(|mismatch| match mismatch {
                Mismatch::Unreadable { message, help } => {
                    Wrong::new(value, format!("cannot be read: {message}"), "", &help)
                }
                Mismatch::Unit { message, help } => Wrong::new(value, message, "wrong unit", &help),
            });
            (number?, text.to_string())
        }
        other => {
            let message = format!("takes a number, not {}", describe(other));
            return Err(Wrong::new(value, message, "not a number", ""));
        }
    };
    let must_be = |what: &str| format!("is {written}, but must be {what}");
    if !number.is_finite() {
        return Err(Wrong::new(value, must_be("a finite number"), "not finite", ""));
    }
    if !range.holds(number) {
        let limit = with_unit(range.to_string());
        return Err(Wrong::new(value, must_be(&limit), &format!("not {range}"), ""));
    }
    if *whole && number.fract() != 0.0 {
        let help = format!("write {}", number.round().clamp(range.min, range.max));
        return Err(Wrong::new(value, must_be("a whole number"), "not whole", &help));
    }
    Ok(number)
}

/// A list, each of its items read by `item`.
pub fn list<T>(
    value: &Spanned<DeValue<'_>>,
    item: impl Fn(&Spanned<DeValue<'_>>) -> Result<T, Vec<Wrong>>,
) -> Result<Vec<T>, Vec<Wrong>> {
    let DeValue::Array(items) = value.get_ref() else {
        let message = format!("takes a list in [ ], not {}", describe(value.get_ref()));
        return Err(vec![Wrong::new(value, message, "not a list", "")]);
    };
    let (mut list, mut wrongs) = (Vec::new(), Vec::new());
    for value in items.iter() {
        match item(value) {
            Ok(x) => list.push(x),
            Err(wrong) => wrongs.extend(wrong),
        }
    }
    if wrongs.is_empty() { Ok(list) } else { Err(wrongs) }
}

/// A pair of numbers.
pub fn pair(value: &Spanned<DeValue<'_>>, x: &Expected, y: &Expected) -> Result<(f64, f64), Vec<Wrong>> {
    match value.get_ref() {
        DeValue::Array(items) if items.len() == 2 => match (number(&items[0], x), number(&items[1], y)) {
            (Ok(x), Ok(y)) => Ok((x, y)),
            (x, y) => Err([x.err(), y.err()].into_iter().flatten().collect()),
        },
        _ => Err(vec![Wrong::new(value, "takes pairs of numbers", "not a pair", "write [[0, 0], [0.5, 1]]")]),
    }
}

/// Text.
pub fn text(value: &Spanned<DeValue<'_>>) -> Result<String, Wrong> {
    match value.get_ref() {
        DeValue::String(text) => Ok(text.to_string()),
        other => {
            Err(Wrong::new(value, format!("takes text in quotes, not {}", describe(other)), "not text", ""))
        }
    }
}

/// Where the character at a byte of a text stands; `None` where the text is written with escapes, or no text.
pub fn part(value: &Spanned<DeValue<'_>>, at: usize) -> Option<ops::Range<usize>> {
    let (DeValue::String(text), span) = (value.get_ref(), value.span()) else { return None };
    let quote = 1;
    let plain = span.len() == text.len() + 2 * quote;
    // The end of a text is its quote.
    let length = text.get(at..)?.chars().next().map_or(quote, char::len_utf8);
    let begin = span.start + quote + at;
    plain.then_some(begin..begin + length)
}

/// A table of numbers under any names, SI or with any unit.
pub fn constants(value: &Spanned<DeValue<'_>>) -> Result<BTreeMap<String, f64>, Vec<Wrong>> {
    let DeValue::Table(table) = value.get_ref() else {
        let message = format!("takes a table, not {}", describe(value.get_ref()));
        return Err(vec![Wrong::new(value, message, "not a table", "write { K = 1e9 }")]);
    };
    let any = Expected { units: Vec::new(), range: Range::ANY, whole: false };
    let (mut constants, mut wrongs) = (BTreeMap::new(), Vec::new());
    for (name, value) in table.iter() {
        match number(value, &any) {
            Ok(x) => drop(constants.insert(name.get_ref().to_string(), x)),
            Err(wrong) => {
                let message = format!("has `{}`, which {}", name.get_ref(), wrong.message);
                wrongs.push(Wrong { message, ..wrong });
            }
        }
    }
    if wrongs.is_empty() { Ok(constants) } else { Err(wrongs) }
}

/// The frequency of a note, Hz, A4 having `a4`.
pub fn pitch(value: &Spanned<DeValue<'_>>, a4: f64) -> Result<f64, Wrong> {
    let DeValue::String(text) = value.get_ref() else {
        let message = format!("takes a note in quotes, not {}", describe(value.get_ref()));
        let help = "write for example \"E2\"; a number of Hz is a `frequency`";
        return Err(Wrong::new(value, message, "not a note", help));
    };
    let note = Note::parse(text).map_err(|NoteError { message, help }| {
        Wrong::new(value, format!("cannot be read: {message}"), "no note", &help)
    })?;
    Ok(note.frequency(a4))
}

/// One of some words.
pub fn word(value: &Spanned<DeValue<'_>>, words: &[&str]) -> Result<String, Wrong> {
    let text = match value.get_ref() {
        DeValue::Boolean(switch) if words.contains(&SWITCH[0]) => switch.to_string(),
        _ => text(value)?,
    };
    if words.contains(&text.as_str()) {
        return Ok(text);
    }
    let help = suggest(&text, words.iter().copied(), "words that it takes");
    Err(Wrong::new(value, format!("is not `{text}`"), "unknown", &help))
}

//! Which keys are surveyed.
//!
//! | text | keys |
//! |---|---|
//! | `C4` | one |
//! | `C3:C5` | all keys of the instrument from C3 to C5 |
//! | `36` | the key of this MIDI number, as those of drums are named |

use super::name;
use hamiltone_gestures::note::Note;
use std::collections::BTreeSet;

/// The lowest and the highest key of a range.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KeyRange {
    low: u8,
    high: u8,
}

impl KeyRange {
    /// Reads a note, a MIDI number, or two of them with a colon in between.
    ///
    /// # Errors
    /// A sentence that says what is wrong and how to write it.
    pub fn parse(text: &str) -> Result<Self, String> {
        let (low, high) = text.split_once(':').unwrap_or((text, text));
        let (low, high) = (key(low)?, key(high)?);
        if low > high {
            return Err(format!(
                "`{text}` goes down; write the lower key first: {}:{}",
                name(high),
                name(low)
            ));
        }
        Ok(Self { low, high })
    }
}

/// The MIDI number of a key, from a note such as C4 or from the number itself.
///
/// # Errors
/// A sentence that says what is wrong and how to write it.
pub fn key(text: &str) -> Result<u8, String> {
    let text = text.trim();
    if let Ok(number) = text.parse::<u32>() {
        let key = u8::try_from(number).ok().filter(|key| *key < 128);
        return key.ok_or_else(|| format!("`{text}` is no key: MIDI numbers go from 0 to 127"));
    }
    let note = Note::parse(text).map_err(|error| format!("{}; {}", error.message, error.help))?;
    note.key().ok_or_else(|| format!("`{text}` is no key: keys go from C-1 to G9, without cents"))
}

/// The keys of an instrument (ascending) in any of the ranges, ascending; all of them without a range.
///
/// # Errors
/// A range in which the instrument has no key.
pub fn selected(ranges: &[KeyRange], keys: &[u8]) -> Result<Vec<u8>, String> {
    if ranges.is_empty() {
        return Ok(keys.into());
    }
    let mut found = BTreeSet::new();
    for range in ranges {
        let own: Vec<u8> =
            keys.iter().copied().filter(|key| (range.low..=range.high).contains(key)).collect();
        if own.is_empty() {
            let asked = match range {
                KeyRange { low, high } if low == high => name(*low),
                KeyRange { low, high } => format!("{}:{}", name(*low), name(*high)),
            };
            return Err(format!("--keys {asked}: the instrument has no such key; {}", compass(keys)));
        }
        found.extend(own);
    }
    Ok(found.into_iter().collect())
}

/// Which keys there are, in words.
fn compass(keys: &[u8]) -> String {
    match keys {
        [first, .., last] => {
            let lacks = keys.len() <= usize::from(last - first);
            let some = if lacks { ", not all of them" } else { "" };
            format!("its keys go from {} to {}{some}", name(*first), name(*last))
        }
        [only] => format!("its only key is {}", name(*only)),
        [] => "it has no keys".into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(texts: &[&str], keys: &[u8]) -> Result<Vec<u8>, String> {
        let ranges: Result<Vec<KeyRange>, String> = texts.iter().map(|text| KeyRange::parse(text)).collect();
        selected(&ranges?, keys)
    }

    #[test]
    fn keys_are_those_of_the_instrument() {
        let keys: Vec<u8> = (60..=72).filter(|key| *key != 61).collect();
        assert_eq!(of(&[], &keys), Ok(keys.clone()));
        assert_eq!(of(&["E4", "60", "C4:D4"], &keys), Ok(vec![60, 62, 64]));
        assert_eq!(of(&["A0:C4"], &keys), Ok(vec![60]));
    }

    #[test]
    fn what_is_no_key_is_refused_with_a_correction() {
        for (text, why) in [
            ("e4", "write \"E4\""),
            ("C4:", "does not begin with a letter"),
            ("C5:C4", "write the lower key first: C4:C5"),
            ("128", "MIDI numbers go from 0 to 127"),
            ("C10", "keys go from C-1 to G9"),
            ("C4 +3 cents", "without cents"),
            ("B9:C4", "keys go from C-1 to G9"),
            ("C#4", "its keys go from C4 to C5, not all of them"),
            ("A0:B0", "--keys A0:B0: the instrument has no such key"),
        ] {
            let refused = of(&[text], &[60, 62, 72]).unwrap_err();
            assert!(refused.contains(why), "{text}: {refused}");
        }
    }
}

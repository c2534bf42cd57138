//! Notes by their names: `"E2"`, `"F#3"`, `"B♭1 −14 cents"`.
//!
//!   f = f_A4 · 2^((n − 9)/12 + (k − 4) + c/1200)
//!
//! n is the semitone of the letter and its accidentals above C, k the octave, c the cents; octaves begin at C, and C4, with
//! A4 = 440 Hz, is 261.626 Hz (scientific pitch notation, Young 1939). The temperament is equal.

use hamiltone_numerics::math;

/// Notes as a regular expression, for the JSON Schema: what [`Note::parse`] reads.
pub const PATTERN: &str = r"\s*[A-G](?:#{1,2}|♯{1,2}|b{1,2}|♭{1,2})?(?:-?[0-9]|1[0-2])(?:\s*[-+−]\s*[0-9]{1,4}(?:\.[0-9]{1,6})?\s*cents?)?\s*";

/// The letters with their semitones above C.
const LETTERS: [(char, i32); 7] = [('C', 0), ('D', 2), ('E', 4), ('F', 5), ('G', 7), ('A', 9), ('B', 11)];
/// The lowest and the highest octave: C−9 is 0.03 Hz, B12 126 kHz.
const OCTAVES: [i32; 2] = [-9, 12];

/// A note of equal temperament, and how many cents beside it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Note {
    /// Semitones above C4.
    semitones: i32,
    /// Cents above that.
    cents: f64,
}

/// Why a text is no note.
#[derive(Clone, Debug, PartialEq)]
pub struct NoteError {
    /// What cannot be read.
    pub message: String,
    /// What to write instead.
    pub help: String,
}

impl Note {
    /// Reads a note such as `E2`, `F#3`, `Bb1`, `C-1`, or `E2 +3.5 cents`.
    ///
    /// ```
    /// use hamiltone_gestures::note::Note;
    ///
    /// assert!((Note::parse("C4")?.frequency(440.0) - 261.626).abs() < 1e-3);
    /// assert_eq!(Note::parse("A♯3 -100 cents")?.frequency(442.0), 221.0);
    /// # Ok::<(), hamiltone_gestures::note::NoteError>(())
    /// ```
    ///
    /// # Errors
    /// A [`NoteError`] that says what cannot be read and what to write instead.
    pub fn parse(text: &str) -> Result<Self, NoteError> {
        Self::read(text).map_err(|message| NoteError { message, help: correction(text.trim()) })
    }

    /// The same with the reason alone.
    fn read(text: &str) -> Result<Self, String> {
        let text = text.trim();
        let letter = text.chars().next().and_then(|letter| LETTERS.iter().find(|(name, _)| *name == letter));
        let Some((letter, semitone)) = letter else {
            return Err(format!("`{text}` does not begin with a letter from A to G"));
        };
        let (accidental, rest) = accidental(&text[letter.len_utf8()..]);
        let sign = usize::from(rest.starts_with('-'));
        let digits = rest[sign..].chars().take_while(char::is_ascii_digit).count();
        let (octave, cents) = rest.split_at(sign + digits);
        let [lowest, highest] = OCTAVES;
        let octave = match octave.parse::<i32>() {
            Err(_) if digits == 0 => return Err(format!("`{text}` has no octave after its letter")),
            Ok(number) if (lowest..=highest).contains(&number) && (digits == 1 || number > 9) => number,
            _ => return Err(format!("`{octave}` is no octave from {lowest} to {highest}")),
        };
        let cents = match cents.trim() {
            "" => 0.0,
            given => self::cents(given)
                .ok_or_else(|| format!("`{given}` is no number of cents with a sign, such as `-14 cents`"))?,
        };
        Ok(Self { semitones: semitone + accidental + 12 * (octave - 4), cents })
    }

    /// The note of a frequency from 0.1 Hz to 100 kHz, where A4 has this one, Hz.
    ///
    /// ```
    /// use hamiltone_gestures::note::Note;
    /// assert_eq!(Note::of(439.0, 440.0).to_string(), "A4 -3.939101 cents");
    /// assert_eq!(Note::of(110.0, 440.0).to_string(), "A2");
    /// ```
    pub fn of(frequency: f64, a4: f64) -> Self {
        let cents = 1200.0 * math::log2(frequency / a4) + 900.0;
        let semitones = (cents / 100.0).round();
        Self { semitones: semitones as i32, cents: cents - 100.0 * semitones }
    }

    /// The note of a key of a keyboard by its MIDI number: 60 is C4.
    pub fn of_key(key: u8) -> Self {
        Self { semitones: i32::from(key) - 60, cents: 0.0 }
    }

    /// Its key by the MIDI number, where it has one: C-1 is 0, G9 is 127; notes with cents have none.
    ///
    /// ```
    /// use hamiltone_gestures::note::Note;
    ///
    /// assert_eq!(Note::parse("C4")?.key(), Some(60));
    /// assert_eq!(Note::parse("G#9")?.key(), None);
    /// assert_eq!(Note::of_key(69).to_string(), "A4");
    /// # Ok::<(), hamiltone_gestures::note::NoteError>(())
    /// ```
    pub fn key(self) -> Option<u8> {
        let key = u8::try_from(self.semitones + 60).ok()?;
        (key < 128 && self.cents == 0.0).then_some(key)
    }

    /// Its frequency, Hz, where A4 has this one, Hz.
    pub fn frequency(self, a4: f64) -> f64 {
        above_a4(100.0 * f64::from(self.semitones - 9) + self.cents, a4)
    }
}

/// The frequency of a key in equal temperament, Hz: of 69 it is that of A4, which is given in Hz.
pub fn equal_temperament(key: f64, a4: f64) -> f64 {
    above_a4(100.0 * (key - 69.0), a4)
}

/// So many cents above A4, Hz; whole octaves are exact.
fn above_a4(cents: f64, a4: f64) -> f64 {
    let octaves = (cents / 1200.0).floor();
    a4 * math::powi(2.0, octaves as i32) * math::pow(2.0, (cents - 1200.0 * octaves) / 1200.0)
}

/// As [`Note::parse`] reads it, with a sharp where it has an accidental and cents to a millionth.
impl std::fmt::Display for Note {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let within = self.semitones.rem_euclid(12);
        let below = LETTERS.iter().rev().find(|(_, semitone)| *semitone <= within);
        let (letter, semitone) = below.copied().unwrap_or(LETTERS[0]);
        let sharp = if semitone < within { "#" } else { "" };
        write!(f, "{letter}{sharp}{}", self.semitones.div_euclid(12) + 4)?;
        let cents = (self.cents * 1e6).round() / 1e6;
        if cents == 0.0 { Ok(()) } else { write!(f, " {cents:+} cents") }
    }
}

/// The semitones of up to two sharps or flats, and what follows them.
fn accidental(text: &str) -> (i32, &str) {
    for (sign, semitone) in [('#', 1), ('♯', 1), ('b', -1), ('♭', -1)] {
        if let Some(rest) = text.strip_prefix(sign) {
            return match rest.strip_prefix(sign) {
                Some(rest) => (2 * semitone, rest),
                None => (semitone, rest),
            };
        }
    }
    (0, text)
}

/// Cents with a sign and their unit.
fn cents(text: &str) -> Option<f64> {
    let (sign, rest) = match text.chars().next()? {
        '+' => (1.0, &text[1..]),
        '-' => (-1.0, &text[1..]),
        '−' => (-1.0, &text['−'.len_utf8()..]),
        _ => return None,
    };
    let number = rest.strip_suffix("cents").or_else(|| rest.strip_suffix("cent"))?.trim();
    let (whole, part) = number.split_once('.').map_or((number, None), |(whole, part)| (whole, Some(part)));
    let digits = |text: &str, most: usize| {
        (1..=most).contains(&text.len()) && text.chars().all(|c| c.is_ascii_digit())
    };
    let plain = digits(whole, 4) && part.is_none_or(|part| digits(part, 6));
    plain.then(|| number.parse::<f64>().ok().map(|cents| sign * cents))?
}

/// What to write instead: the note that is probably meant, by a small letter, German names, a blank or without its octave.
fn correction(text: &str) -> String {
    let unit = text.trim_end_matches(|c: char| c.is_alphabetic() || c.is_whitespace());
    if let Ok(number) = unit.parse::<f64>() {
        return format!("write frequency = \"{number} Hz\", or a note such as pitch = \"E2\"");
    }
    // Cents stand behind the digits of the octave.
    let mut before = None;
    let behind = |(_, c): &(usize, char)| {
        let last = before.replace(*c);
        last.is_some_and(|c| c.is_ascii_digit()) && (c.is_whitespace() || "+-−".contains(*c))
    };
    let end = text.char_indices().find(behind).map_or(text.len(), |(i, _)| i);
    let meant = format!("{}{}", name(&text[..end]), deviation(text[end..].trim()));
    match Note::read(&meant) {
        Ok(_) if text.starts_with(['H', 'h']) => format!("write \"{meant}\": the German H is B"),
        Ok(_) => format!("write \"{meant}\""),
        Err(_) => "write for example \"E2\", \"F#3\", \"Bb1\" or \"E2 -14 cents\"".into(),
    }
}

/// A name in English spelling, with the octave 4 where it has none.
fn name(text: &str) -> String {
    let compact: String = text.chars().filter(|c| !c.is_whitespace()).collect();
    let mut rest = compact.chars();
    let letter = match rest.next().map(|letter| letter.to_ascii_uppercase()) {
        Some('H') => 'B',
        Some(letter) => letter,
        None => return compact,
    };
    let rest = rest.as_str();
    let german = [("is", "#"), ("es", "b"), ("s", "b")];
    let spelled = german.iter().find_map(|(end, sign)| Some(format!("{sign}{}", rest.strip_prefix(end)?)));
    let octave = if compact.ends_with(|c: char| c.is_ascii_digit()) { "" } else { "4" };
    format!("{letter}{}{octave}", spelled.as_deref().unwrap_or(rest))
}

/// Cents in full, where there is a number of them.
fn deviation(text: &str) -> String {
    let number: String = text.chars().filter(|c| c.is_ascii_digit() || *c == '.').collect();
    let sign = if text.starts_with(['-', '−']) { '-' } else { '+' };
    if number.is_empty() { String::new() } else { format!(" {sign}{number} cents") }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hertz(text: &str) -> f64 {
        Note::parse(text).unwrap().frequency(440.0)
    }

    /// Against n semitones from A4; the power and the product round, each by half an eps.
    #[test]
    fn names_are_frequencies() {
        for (text, semitones) in [
            ("A4", 0.0),
            ("C4", -9.0),
            ("E2", -29.0),
            ("F#3", -15.0),
            ("F♯3", -15.0),
            ("Gb3", -15.0),
            ("G♭3", -15.0),
            ("Bb1", -35.0),
            ("B#3", -9.0),
            ("Cb4", -10.0),
            ("F##3", -14.0),
            ("Ebb2", -31.0),
            ("C-1", -69.0),
            ("C0", -57.0),
            ("C12", 87.0),
            (" E2 +3.5 cents ", -29.0 + 0.035),
            ("E2 -14 cents", -29.14),
            ("E2 − 14 cents", -29.14),
            ("E2+1200cents", -17.0),
            ("C-1 -1 cent", -69.01),
        ] {
            let expected = 440.0 * math::pow(2.0, semitones / 12.0);
            assert!((hertz(text) / expected - 1.0).abs() < 8.0 * f64::EPSILON, "{text}: {}", hertz(text));
        }
        assert_eq!((hertz("A4"), hertz("A-1"), hertz("A9")), (440.0, 13.75, 14080.0));
        assert!((hertz("E2") - 82.407).abs() < 5e-4 && (hertz("C4") - 261.626).abs() < 5e-4);
    }

    #[test]
    fn notes_are_written_as_they_are_read() {
        for text in ["A4", "C#-1", "B12", "C-9", "F#3 -14 cents", "E2 +3.5 cents", "G#0 +49.999999 cents"] {
            let note = Note::parse(text).unwrap();
            assert_eq!(note.to_string(), text);
            // A millionth of a cent is 6·10⁻¹⁰.
            let back = Note::of(note.frequency(440.0), 440.0).frequency(440.0);
            assert!((back / note.frequency(440.0) - 1.0).abs() < 1e-14, "{text}");
        }
    }

    #[test]
    fn what_is_no_note_is_corrected() {
        for (text, message, help) in [
            ("e2", "does not begin with a letter", "write \"E2\""),
            ("h2", "does not begin with a letter", "write \"B2\": the German H is B"),
            ("Fis3", "no octave", "write \"F#3\""),
            ("Es2", "no octave", "write \"Eb2\""),
            ("F # 3", "no octave", "write \"F#3\""),
            ("E", "no octave", "write \"E4\""),
            ("E13", "`13` is no octave from -9 to 12", "write for example"),
            ("E02", "`02` is no octave", "write for example"),
            ("E2 14 cents", "no number of cents with a sign", "write \"E2 +14 cents\""),
            ("E2 -14", "no number of cents with a sign", "write \"E2 -14 cents\""),
            ("e2-14ct", "does not begin", "write \"E2 -14 cents\""),
            ("82.4 Hz", "does not begin", "write frequency = \"82.4 Hz\""),
            ("440", "does not begin", "write frequency = \"440 Hz\""),
            ("", "does not begin", "write for example \"E2\""),
            ("tuba", "does not begin", "write for example \"E2\""),
        ] {
            let error = Note::parse(text).unwrap_err();
            assert!(error.message.contains(message) && error.help.contains(help), "{text}: {error:?}");
        }
    }
}

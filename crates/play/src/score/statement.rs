//! One line of a score.

use super::{
    dynamic,
    length::{self, Grid, Length},
    words::Word,
};
use crate::{
    performance::{Action, controller},
    text_error::TextError,
};
use hamiltone_scene::note::Note;
use std::{fmt::Display, ops::RangeInclusive, str::FromStr};

/// The words that begin statements other than notes.
const KEYWORDS: [&str; 10] =
    ["tempo", "part", "at", "dynamic", "rest", "pedal", "control", "bend", "pressure", "program"];

/// What a line says.
pub enum Statement {
    Nothing,
    /// Quarter notes per minute.
    Tempo(f64),
    /// The number of a part, less one.
    Part(u16),
    At(Length),
    Dynamic(f64),
    Rest(Length),
    Notes {
        keys: Vec<u8>,
        length: Length,
        velocity: Option<f64>,
    },
    Act(Action),
}

/// The words of a line that have not been read.
struct Rest<'a, 'g> {
    line: usize,
    words: &'a [Word<'a>],
    /// The column behind the words read, for what is missing.
    column: usize,
    /// What counts the lengths of the score.
    grid: &'g mut Grid,
}

impl<'a> Rest<'a, '_> {
    fn next(&mut self) -> Option<Word<'a>> {
        let (word, rest) = self.words.split_first()?;
        self.words = rest;
        self.column = word.column + word.text.chars().count();
        Some(*word)
    }

    fn error(&self, word: Word, message: impl AsRef<str>, help: impl AsRef<str>) -> TextError {
        TextError::new(self.line, word.column, message, help)
    }

    /// The next word, which is `what`.
    fn word(&mut self, what: &str, help: &str) -> Result<Word<'a>, TextError> {
        self.next().ok_or_else(|| TextError::new(self.line, self.column, format!("{what} is missing"), help))
    }

    /// A number within a range.
    fn number<T>(&mut self, what: &str, range: RangeInclusive<T>) -> Result<T, TextError>
    where
        T: FromStr + PartialOrd + Display,
    {
        let help = format!("write a number from {} to {}", range.start(), range.end());
        let word = self.word(what, &help)?;
        let number = word.text.parse().ok().filter(|number| range.contains(number));
        number.ok_or_else(|| self.error(word, format!("`{}` is no {what}", word.text), help))
    }

    fn length(&mut self, what: &str) -> Result<Length, TextError> {
        let word = self.word(what, length::HELP)?;
        let length = length::length(word.text).map_err(|why| self.error(word, why, length::HELP))?;
        let help = "write lengths with denominators that have more factors in common";
        self.grid.admit(length).map_err(|why| self.error(word, why, help))?;
        Ok(length)
    }

    /// A length that is not 0.
    fn lasting(&mut self) -> Result<Length, TextError> {
        let word = self.words.first().copied();
        match (self.length("length")?, word) {
            (length, Some(word)) if length.is_zero() => {
                Err(self.error(word, "the length is 0", length::HELP))
            }
            (length, _) => Ok(length),
        }
    }

    fn dynamic(&mut self) -> Result<f64, TextError> {
        let word = self.word("dynamic", dynamic::HELP)?;
        let velocity = dynamic::velocity(word.text);
        velocity.ok_or_else(|| self.error(word, format!("`{}` is no dynamic", word.text), dynamic::HELP))
    }

    /// 1 where the pedal is down.
    fn pedal(&mut self) -> Result<f64, TextError> {
        let help = "write `pedal down` or `pedal up`";
        let word = self.word("position of the pedal", help)?;
        match word.text {
            "down" => Ok(1.0),
            "up" => Ok(0.0),
            other => Err(self.error(word, format!("`{other}` is no position of the pedal"), help)),
        }
    }
}

/// Reads the words of a line, and makes the grid fine enough for its length.
pub fn read(line: usize, words: &[Word], grid: &mut Grid) -> Result<Statement, TextError> {
    let mut rest = Rest { line, words, column: 1, grid };
    let statement = match words.first() {
        None => return Ok(Statement::Nothing),
        Some(first) if KEYWORDS.contains(&first.text) => {
            rest.next();
            keyword(first.text, &mut rest)?
        }
        Some(first) if first.text.chars().all(|c| c.is_ascii_lowercase()) => {
            let help = format!("begin with a note such as C4, or with {}", KEYWORDS.join(", "));
            return Err(rest.error(*first, format!("`{}` is no statement", first.text), help));
        }
        Some(_) => notes(&mut rest)?,
    };
    match rest.next() {
        None => Ok(statement),
        Some(word) => {
            let message = format!("`{}` is more than the statement takes", word.text);
            Err(rest.error(word, message, "write one statement a line, and comments behind ` # `"))
        }
    }
}

/// The statement that this word begins.
fn keyword(first: &str, rest: &mut Rest<'_, '_>) -> Result<Statement, TextError> {
    Ok(match first {
        "tempo" => Statement::Tempo(rest.number("tempo", 1.0..=1000.0)?),
        "part" => Statement::Part(rest.number("number of a part", 1..=256)? - 1),
        "at" => Statement::At(rest.length("place")?),
        "dynamic" => Statement::Dynamic(rest.dynamic()?),
        "rest" => Statement::Rest(rest.lasting()?),
        "control" => {
            let number = rest.number("number of a controller", 0..=119)?;
            Statement::Act(Action::Control { number, value: rest.number("value", 0.0..=1.0)? })
        }
        "bend" => Statement::Act(Action::Bend { semitones: rest.number("bend", -48.0..=48.0)? }),
        "pressure" => {
            Statement::Act(Action::Pressure { key: None, value: rest.number("pressure", 0.0..=1.0)? })
        }
        "program" => Statement::Act(Action::Program(rest.number("program", 0..=127)?)),
        _ => Statement::Act(Action::Control { number: controller::SUSTAIN, value: rest.pedal()? }),
    })
}

/// Notes, a length, and perhaps a dynamic.
fn notes(rest: &mut Rest<'_, '_>) -> Result<Statement, TextError> {
    let mut keys = Vec::new();
    while let Some(word) = rest.words.first().copied().filter(|word| !word.text.starts_with(is_digit)) {
        let note = Note::parse(word.text).map_err(|error| rest.error(word, error.message, error.help))?;
        keys.push(note.key().ok_or_else(|| {
            rest.error(
                word,
                format!("`{}` is no key of a keyboard", word.text),
                "write a note from C-1 to G9",
            )
        })?);
        rest.next();
    }
    if keys.is_empty() {
        let help = "write the notes first, then their length: C4 1/4";
        return Err(TextError::new(rest.line, 1, "the line begins with a length", help));
    }
    let length = rest.lasting()?;
    let velocity = if rest.words.is_empty() { None } else { Some(rest.dynamic()?) };
    Ok(Statement::Notes { keys, length, velocity })
}

fn is_digit(c: char) -> bool {
    c.is_ascii_digit()
}

#[cfg(test)]
mod tests {
    use super::{super::words::words, *};

    fn action(line: &str) -> Action {
        match read(1, &words(line), &mut Grid::default()) {
            Ok(Statement::Act(action)) => action,
            _ => panic!("{line} is no action"),
        }
    }

    #[test]
    fn actions() {
        assert_eq!(action("pedal down"), Action::Control { number: 64, value: 1.0 });
        assert_eq!(action(" pedal  up # now"), Action::Control { number: 64, value: 0.0 });
        assert_eq!(action("control 11 0.8"), Action::Control { number: 11, value: 0.8 });
        assert_eq!(action("bend -0.5"), Action::Bend { semitones: -0.5 });
        assert_eq!(action("pressure 0.25"), Action::Pressure { key: None, value: 0.25 });
        assert_eq!(action("program 5"), Action::Program(5));
    }

    #[test]
    fn mistakes_have_their_column_and_a_correction() {
        for (line, column, message, help) in [
            ("tempo", 6, "tempo is missing", "a number from 1 to 1000"),
            ("tempo 0.5", 7, "`0.5` is no tempo", "a number from 1 to 1000"),
            ("tempo nan", 7, "`nan` is no tempo", "from 1"),
            ("part 0", 6, "`0` is no number of a part", "from 1 to 256"),
            ("at 1/0", 4, "`1/0` divides by 0", "1/12"),
            ("at 1/999983", 4, "the denominator 999983", "factors in common"),
            ("rest 0", 6, "the length is 0", "fraction of a whole note"),
            ("dynamic loud", 9, "`loud` is no dynamic", "mf"),
            ("pedal half", 7, "`half` is no position of the pedal", "`pedal up`"),
            ("control 120 0", 9, "`120` is no number of a controller", "0 to 119"),
            ("control 64", 11, "value is missing", "0 to 1"),
            ("bend inf", 6, "`inf` is no bend", "-48 to 48"),
            ("loud", 1, "`loud` is no statement", "tempo, part"),
            ("C4 e4 1/4", 4, "`e4` does not begin", "write \"E4\""),
            ("C4 µ 1/4", 4, "`µ` does not begin", "write"),
            ("C4 G#9 1/4", 4, "`G#9` is no key", "C-1 to G9"),
            ("C4", 3, "length is missing", "1/4"),
            ("C4 0", 4, "the length is 0", "1/4"),
            ("1/4 C4", 1, "begins with a length", "C4 1/4"),
            ("C4 1/4 E4", 8, "`E4` is no dynamic", "fff"),
            ("C4 1/4 f f", 10, "`f` is more than", "one statement a line"),
        ] {
            let Err(error) = read(7, &words(line), &mut Grid::default()) else { panic!("{line} is read") };
            assert_eq!((error.line, error.column), (7, column), "{line}: {error}");
            assert!(error.message.contains(message) && error.help.contains(help), "{line}: {error}");
        }
    }
}

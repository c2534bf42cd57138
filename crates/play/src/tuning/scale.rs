//! Scales of Scala (`.scl`): a description, the number n of pitches, and the pitches of the degrees 1 to n, one a line.
//!
//!   p(d) = p(n)^⌊d/n⌋ · p(d mod n),  p(0) = 1
//!
//! A pitch with a dot is in cents, another is a ratio `a/b` or a whole number. What follows a pitch on its line is a remark,
//! and lines that begin with `!` are comments. The last pitch is the period, usually `2/1`.

use super::{
    error::TextError,
    interval,
    lines::{Lines, Value},
};
use hamiltone_numerics::math;

/// The most pitches of a scale.
const MAX_PITCHES: usize = 10_000;
/// The largest interval, cents either way: 20 octaves.
const WIDEST: f64 = 24_000.0;
const HELP: &str = "write cents with a dot (701.955), a ratio (3/2) or a whole number (2)";

/// A scale.
#[derive(Clone, Debug, PartialEq)]
pub struct Scale {
    description: String,
    /// The ratios of the degrees 1 to n to degree 0.
    ratios: Vec<f64>,
}

impl Scale {
    /// Reads the text of a `.scl` file.
    ///
    /// ```
    /// use hamiltone_play::tuning::Scale;
    ///
    /// let scale = Scale::parse("! triad.scl\nA triad\n 3\n 5/4 third\n 701.955\n 2\n")?;
    /// assert_eq!((scale.description(), scale.len(), scale.ratio(4)), ("A triad", 3, 2.5));
    /// let error = Scale::parse("A triad\n1\n2,0\n").unwrap_err();
    /// assert!(error.to_string().starts_with("line 3, column 1: `2,0` is no pitch"));
    /// # Ok::<(), hamiltone_play::tuning::TextError>(())
    /// ```
    ///
    /// # Errors
    /// The first line that is missing or cannot be read; pitches beyond 20 octaves either way are refused.
    pub fn parse(text: &str) -> Result<Self, TextError> {
        let mut lines = Lines::new(text);
        let description = lines.line().map_or("", |(_, line)| line).trim().into();
        let count = lines.value("number of pitches")?.number("number of pitches", 0..=MAX_PITCHES)?;
        let mut ratios = Vec::new();
        for degree in 1..=count {
            ratios.push(pitch(lines.value(&format!("pitch {degree} of {count}"))?)?);
        }
        match lines.more() {
            None => Ok(Self { description, ratios }),
            Some(value) => {
                let message =
                    format!("`{}` is one pitch more than the {count} that the file states", value.text);
                Err(value.error(message, "change the number of pitches, or begin remarks with `!`"))
            }
        }
    }

    /// What the file says of itself.
    pub fn description(&self) -> &str {
        &self.description
    }

    /// The number of pitches within a period, and the degree of the period.
    pub fn len(&self) -> usize {
        self.ratios.len()
    }

    /// Whether degree 0 is the only pitch: the file states 0 of them.
    pub fn is_empty(&self) -> bool {
        self.ratios.is_empty()
    }

    /// The ratio of a degree to degree 0, p(d); 1 for every degree of an empty scale.
    pub fn ratio(&self, degree: i32) -> f64 {
        let Some(period) = self.ratios.last() else { return 1.0 };
        let count = self.ratios.len() as i32;
        let within = match degree.rem_euclid(count) {
            0 => 1.0,
            above => self.ratios[above as usize - 1],
        };
        math::powi(*period, degree.div_euclid(count)) * within
    }
}

/// A pitch as a ratio.
fn pitch(value: Value) -> Result<f64, TextError> {
    let (widest, text) = (interval::ratio(WIDEST), value.text);
    let ratio = if text.contains('.') {
        text.parse().ok().filter(|cents: &f64| cents.abs() <= WIDEST).map(interval::ratio)
    } else {
        let (above, below) = text.split_once('/').unwrap_or((text, "1"));
        let number = |text: &str| text.parse::<u64>().ok().map(|number| number as f64);
        number(above).zip(number(below)).map(|(above, below)| above / below)
    };
    let allowed = |ratio: &f64| (1.0 / widest..=widest).contains(ratio);
    ratio.filter(allowed).ok_or_else(|| value.error(format!("`{text}` is no pitch within 20 octaves"), HELP))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn degrees_repeat_by_the_period() {
        let scale = Scale::parse("x\n3\n5/4\n3/2\n2/1").unwrap();
        let degrees = [-4, -3, -1, 0, 1, 2, 3, 4].map(|degree| scale.ratio(degree));
        assert_eq!(degrees, [0.375, 0.5, 0.75, 1.0, 1.25, 1.5, 2.0, 2.5]);
        let cents = Scale::parse("\u{feff}x\r\n2\r\n -100.0 cents\r\n 1200.\r\n\r\n").unwrap();
        assert_eq!(cents.ratio(3), 2.0 * interval::ratio(-100.0));
        assert!(Scale::parse("empty\n0\n").unwrap().is_empty());
        assert_eq!(Scale::parse("empty\n0\n").unwrap().ratio(7), 1.0);
    }

    #[test]
    fn errors_have_their_lines() {
        for (text, line, column, message) in [
            ("", 1, 1, "number of pitches is missing: the file ends"),
            ("x", 2, 1, "number of pitches is missing: the file ends"),
            ("x\n\n", 2, 1, "number of pitches is missing: the line is empty"),
            ("x\n  -1\n", 2, 3, "`-1` is no number of pitches"),
            ("x\n10001\n", 2, 1, "`10001` is no number"),
            ("x\n2\n! 1\n3/2\n!\n", 6, 1, "pitch 2 of 2 is missing"),
            ("x\n1\n\t3/0\n", 3, 2, "`3/0` is no pitch"),
            ("x\n1\n0/3\n", 3, 1, "`0/3` is no pitch"),
            ("x\n1\n-3/2\n", 3, 1, "`-3/2` is no pitch"),
            ("x\n1\n24000.1\n", 3, 1, "within 20 octaves"),
            ("x\n1\nnan.\n", 3, 1, "no pitch"),
            ("x\n1\n2\n\n3/2\n", 5, 1, "one pitch more than the 1"),
        ] {
            let error = Scale::parse(text).unwrap_err();
            assert_eq!((error.line, error.column), (line, column), "{text:?}: {error}");
            assert!(error.message.contains(message), "{text:?}: {error}");
        }
    }
}

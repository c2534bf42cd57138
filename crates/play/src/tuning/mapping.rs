//! Keyboard mappings of Scala (`.kbm`): which degree of a scale a key has. The lines are, comments (`!`) aside:
//!
//! 1. the size m of the pattern, which repeats; 0 for a linear mapping, d(k) = k − k₀
//! 2. the first and (3.) the last key that is mapped
//! 4. the middle key k₀, on which the pattern begins
//! 5. the reference key and (6.) its frequency, Hz
//! 7. the degree o by which the pattern rises when it repeats; 0 for that of the scale's period
//! 8. and on: the degree of each key of the pattern, or `x`; those left out at the end are `x`
//!
//!   d(k) = o ⌊(k − k₀)/m⌋ + pattern[(k − k₀) mod m]

use super::{error::TextError, lines::Lines};
use hamiltone_gestures::note::Note;

/// The most keys of a pattern.
const MAX_KEYS: usize = 10_000;
/// The largest degree, either way.
const HIGHEST: i32 = 10_000;

/// A mapping.
#[derive(Clone, Debug, PartialEq)]
pub struct Mapping {
    first: u8,
    last: u8,
    middle: u8,
    reference: u8,
    frequency: f64,
    octave: i32,
    /// Empty for a linear mapping.
    pattern: Vec<Option<i32>>,
}

impl Mapping {
    /// Degree 0 on key 60, C4, with the frequency that it has in equal temperament with this A4, Hz; every key is a degree.
    pub fn linear(a4: f64) -> Self {
        let frequency = Note::of_key(60).frequency(a4);
        Self { first: 0, last: 127, middle: 60, reference: 60, frequency, octave: 0, pattern: Vec::new() }
    }

    /// Reads the text of a `.kbm` file.
    ///
    /// ```
    /// use hamiltone_play::tuning::Mapping;
    ///
    /// let white = "12\n0\n127\n60\n69\n442.0\n7\n0\nx\n1\nx\n2\n3\nx\n4\nx\n5\nx\n6\n";
    /// let mapping = Mapping::parse(white)?;
    /// assert_eq!((mapping.degree(72, 7), mapping.degree(61, 7)), (Some(7), None));
    /// let error = Mapping::parse("0\n0\n128\n").unwrap_err();
    /// assert_eq!(error.to_string(), "line 3, column 1: `128` is no last key; write a number from 0 to 127");
    /// # Ok::<(), hamiltone_play::tuning::TextError>(())
    /// ```
    ///
    /// # Errors
    /// The first line that is missing or cannot be read, and a reference key that the pattern leaves out.
    pub fn parse(text: &str) -> Result<Self, TextError> {
        let mut lines = Lines::new(text);
        let size = lines.value("size of the pattern")?.number("size of the pattern", 0..=MAX_KEYS)?;
        let mut key = |what| lines.value(what)?.number(what, 0..=127_u8);
        let (first, last, middle) = (key("first key")?, key("last key")?, key("middle key")?);
        let at = lines.value("reference key")?;
        let reference = at.number("reference key", 0..=127)?;
        let frequency = lines.value("reference frequency")?.number("reference frequency, Hz", 1e-3..=1e6)?;
        let octave =
            lines.value("degree of the octave")?.number("degree of the octave", -HIGHEST..=HIGHEST)?;
        let mut pattern = vec![None; size];
        for degree in &mut pattern {
            let Some(value) = lines.optional() else { break };
            if !value.text.eq_ignore_ascii_case("x") {
                *degree = Some(value.number("degree, or `x`", -HIGHEST..=HIGHEST)?);
            }
        }
        if let Some(value) = lines.more() {
            let message = format!("`{}` stands behind the {size} keys of the pattern", value.text);
            return Err(value.error(message, "change the size, or begin remarks with `!`"));
        }
        let mapping = Self { first, last, middle, reference, frequency, octave, pattern };
        if mapping.pattern_degree(reference, 0).is_none() {
            let message = format!("the reference key {reference} is `x` in the pattern");
            return Err(at.error(message, "choose a key that has a degree"));
        }
        Ok(mapping)
    }

    /// The degree of a key by the pattern, also beyond the first and the last key.
    fn pattern_degree(&self, key: u8, period: i32) -> Option<i32> {
        let above = i32::from(key) - i32::from(self.middle);
        let size = self.pattern.len() as i32;
        if size == 0 {
            return Some(above);
        }
        let within = self.pattern[above.rem_euclid(size) as usize]?;
        let octave = if self.octave == 0 { period } else { self.octave };
        Some(octave * above.div_euclid(size) + within)
    }

    /// The degree of a key, d(k), of a scale whose period has this degree; none where the pattern or the range of keys leaves
    /// the key out.
    pub fn degree(&self, key: u8, period: i32) -> Option<i32> {
        (self.first..=self.last).contains(&key).then(|| self.pattern_degree(key, period))?
    }

    /// The degree of the reference key, which may lie outside the range, and its frequency, Hz.
    pub fn reference(&self, period: i32) -> (i32, f64) {
        // Reading refuses a reference without a degree.
        (self.pattern_degree(self.reference, period).unwrap_or(0), self.frequency)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MIDDLE: &str = "! size\n3\n50\n70\n60\n61\n300.0\n7\n0 remark\n2\nX\n";

    #[test]
    fn patterns_repeat_within_the_range() {
        let mapping = Mapping::parse(MIDDLE).unwrap();
        let degrees = [60, 61, 62, 63, 64, 59, 58, 57].map(|key| mapping.degree(key, 12));
        let expected = [Some(0), Some(2), None, Some(7), Some(9), None, Some(-5), Some(-7)];
        assert_eq!(degrees, expected);
        assert_eq!(
            [49, 50, 70, 71].map(|key| mapping.degree(key, 12).is_some()),
            [false, false, true, false]
        );
        assert_eq!(mapping.reference(12), (2, 300.0));
        // A pattern that rises by 0 rises by the period of the scale.
        let period = Mapping::parse(&MIDDLE.replace("\n7\n", "\n0\n")).unwrap();
        assert_eq!([60, 63, 57].map(|key| period.degree(key, 12)), [Some(0), Some(12), Some(-12)]);
        // What is left out at the end is not mapped.
        let short = Mapping::parse("4\n0\n127\n60\n60\n100\n4\n0\n\n").unwrap();
        assert_eq!([60, 61, 63, 64].map(|key| short.degree(key, 12)), [Some(0), None, None, Some(4)]);
        // The reference may lie beyond the range.
        let linear = Mapping::parse("0\n10\n20\n60\n62\n100\n0\n").unwrap();
        assert_eq!(
            (linear.degree(10, 5), linear.degree(9, 5), linear.reference(5)),
            (Some(-50), None, (2, 100.0))
        );
    }

    #[test]
    fn errors_have_their_lines() {
        for (from, to, line, message) in [
            ("3\n50", "-3\n50", 2, "`-3` is no size of the pattern"),
            ("\n50\n", "\nfifty\n", 3, "`fifty` is no first key"),
            ("\n60\n", "\n128\n", 5, "`128` is no middle key"),
            ("\n61\n", "\n62\n", 6, "the reference key 62 is `x`"),
            ("300.0", "0", 7, "`0` is no reference frequency, Hz"),
            ("300.0", "nan", 7, "`nan` is no reference frequency, Hz"),
            ("\n7\n", "\n10001\n", 8, "`10001` is no degree of the octave"),
            ("\n2\n", "\ny\n", 10, "`y` is no degree, or `x`"),
            ("X\n", "X\n4\n", 12, "`4` stands behind the 3 keys"),
        ] {
            let text = MIDDLE.replacen(from, to, 1);
            let error = Mapping::parse(&text).unwrap_err();
            assert_eq!(error.line, line, "{text:?}: {error}");
            assert!(error.message.contains(message), "{text:?}: {error}");
        }
        let error = Mapping::parse("3\n50\n").unwrap_err().to_string();
        assert!(error.starts_with("line 3, column 1: last key is missing: the file ends"), "{error}");
    }
}

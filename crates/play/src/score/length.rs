//! Lengths as fractions of a whole note, with dots: `1/4`, `3/8`, `2`, `1/4.` = 3/8, `1/4..` = 7/16.
//!
//!   n/d · (2 − 2⁻ᵏ)   for k dots
//!
//! They are counted exactly, in ticks: a whole note has the least common multiple of all denominators d of a score, and of
//! 161 280 = 2⁹·3²·5·7, of which the usual lengths and tuplets are whole numbers.

/// The ticks of a whole note at least.
const WHOLE: u64 = 161_280;
/// The most ticks of a whole note: a day at the fastest tempo, 360 000 whole notes, has fewer than 2⁵³, so that f64 counts them exactly.
const MOST_TICKS: u64 = 1 << 34;
/// The largest numerator and denominator.
const MAX_PART: u64 = 1_000_000;
/// The most whole notes of one length.
const LONGEST: u64 = 10_000;
/// What to write instead of what is no length.
pub const HELP: &str =
    "write a fraction of a whole note up to 10000, such as 1/4, 3/8, 2, 1/12 or 1/4. (dotted)";

/// A length in lowest terms; 0 is one, too.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Length {
    above: u64,
    below: u64,
}

impl Length {
    /// Whether it is 0.
    pub fn is_zero(self) -> bool {
        self.above == 0
    }
}

/// The length that a text states. Where there is none, why.
pub fn length(text: &str) -> Result<Length, String> {
    let plain = text.trim_end_matches('.');
    let dots = text.len() - plain.len();
    let (numerator, denominator) = plain.split_once('/').unwrap_or((plain, "1"));
    let number = |part: &str| {
        if part.is_empty() || !part.bytes().all(|byte| byte.is_ascii_digit()) {
            return Err(format!("`{text}` is no length"));
        }
        let within = part.parse::<u64>().ok().filter(|number| *number <= MAX_PART);
        within.ok_or_else(|| format!("`{text}` has a number above {MAX_PART}"))
    };
    let (numerator, denominator) = (number(numerator)?, number(denominator)?);
    if denominator == 0 {
        return Err(format!("`{text}` divides by 0"));
    }
    if dots > 3 {
        return Err(format!("`{text}` has {dots} dots, at most 3 are allowed"));
    }
    // (2 − 2⁻ᵏ) n/d = (2ᵏ⁺¹ − 1) n / 2ᵏd
    let (above, below) = (((2 << dots) - 1) * numerator, denominator << dots);
    if above > LONGEST * below {
        return Err(format!("`{text}` is longer than {LONGEST} whole notes"));
    }
    let common = divisor(above, below);
    Ok(Length { above: above / common, below: below / common })
}

/// The ticks of a whole note in which all lengths of a score are whole numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Grid(u64);

impl Default for Grid {
    fn default() -> Self {
        Self(WHOLE)
    }
}

impl Grid {
    /// Makes it fine enough for one more length; where it would be too fine to count exactly, why.
    pub fn admit(&mut self, length: Length) -> Result<(), String> {
        let finer = self.0 * (length.below / divisor(self.0, length.below));
        if finer > MOST_TICKS {
            return Err(format!(
                "the denominator {}, those of the lengths before and {WHOLE} have no common multiple up to {MOST_TICKS}",
                length.below
            ));
        }
        self.0 = finer;
        Ok(())
    }

    /// The ticks of a length that it has admitted.
    pub fn ticks(self, length: Length) -> u64 {
        length.above * (self.0 / length.below)
    }

    /// The ticks of a quarter note.
    pub fn quarter(self) -> u64 {
        self.0 / 4
    }
}

/// The greatest common divisor, b > 0.
fn divisor(a: u64, b: u64) -> u64 {
    if a == 0 { b } else { divisor(b % a, a) }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// In 161 280ths.
    fn ticks(text: &str) -> u64 {
        let mut grid = Grid::default();
        let length = length(text).unwrap();
        grid.admit(length).unwrap();
        assert_eq!(grid, Grid(WHOLE));
        grid.ticks(length)
    }

    #[test]
    fn lengths_are_exact() {
        assert_eq!(
            [ticks("1"), ticks("1/4"), ticks("0"), ticks("0/9"), ticks("10000")],
            [161_280, 40_320, 0, 0, 1_612_800_000]
        );
        assert_eq!(ticks("1/4."), ticks("3/8"));
        assert_eq!(ticks("1/4..") * 16, 7 * WHOLE);
        assert_eq!(3 * ticks("1/12"), ticks("1/4"));
        assert_eq!(ticks("1/512") * 512, WHOLE);
    }

    #[test]
    fn every_denominator_makes_the_ticks_finer() {
        let mut grid = Grid::default();
        let all = ["1/100", "1/11", "5/1000", "1/4", "3/13.", "20000/3"].map(|text| length(text).unwrap());
        all.iter().for_each(|length| grid.admit(*length).unwrap());
        let whole = grid.ticks(length("1").unwrap());
        assert_eq!(all.map(|length| grid.ticks(length)).map(|ticks| ticks * 39_000 / whole)[0], 390);
        assert_eq!((100 * grid.ticks(all[0]), 11 * grid.ticks(all[1])), (whole, whole));
        assert_eq!((200 * grid.ticks(all[2]), 26 * grid.ticks(all[4])), (whole, 9 * whole));
        assert_eq!((3 * grid.ticks(all[5]), 4 * grid.quarter()), (20_000 * whole, whole));
        // Two large primes.
        let mut grid = Grid::default();
        grid.admit(length("1/9973").unwrap()).unwrap();
        assert!(grid.admit(length("1/9967").unwrap()).unwrap_err().contains("the denominator 9967"));
    }

    #[test]
    fn what_is_no_length_is_refused() {
        for (text, why) in [
            ("", "no length"),
            (".", "no length"),
            ("1/", "no length"),
            ("1/0", "divides by 0"),
            ("+1/4", "no length"),
            ("1/4/4", "no length"),
            ("10001", "longer than 10000 whole notes"),
            ("99999999999999999999999", "above 1000000"),
            ("1/1000001", "above 1000000"),
            ("1/4....", "has 4 dots"),
        ] {
            assert!(length(text).unwrap_err().contains(why), "{text}");
        }
    }
}

//! Lengths as fractions of a whole note, with dots: `1/4`, `3/8`, `2`, `1/4.` = 3/8, `1/4..` = 7/16.
//!
//!   ticks = n/d · (2 − 2⁻ᵏ) · 161 280
//!
//! for k dots. A whole note has 161 280 = 2⁹·3²·5·7 ticks, so that the usual lengths and tuplets are whole numbers of them.

/// The ticks of a quarter note.
pub const QUARTER: u16 = 40_320;
/// The ticks of a whole note.
const WHOLE: u64 = 4 * QUARTER as u64;
/// The most whole notes of one length, and the largest numerator.
const MOST: u64 = 10_000;
/// What to write instead of what is no length.
pub const HELP: &str =
    "write a fraction of a whole note up to 10000, such as 1/4, 3/8, 2, 1/12 or 1/4. (dotted)";

/// The ticks of a length; 0 is one, too. Where there is none, why.
pub fn ticks(text: &str) -> Result<u64, String> {
    let plain = text.trim_end_matches('.');
    let dots = (text.len() - plain.len()) as u32;
    let (numerator, denominator) = plain.split_once('/').unwrap_or((plain, "1"));
    let number = |text: &str| {
        let digits = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
        text.parse::<u64>().ok().filter(|number| digits && *number <= MOST)
    };
    let (Some(numerator), Some(denominator @ 1..)) = (number(numerator), number(denominator)) else {
        return Err(format!("`{text}` is no length"));
    };
    if dots > 3 {
        return Err(format!("`{text}` has {dots} dots, at most 3 are allowed"));
    }
    // (2 − 2⁻ᵏ) n/d = (2ᵏ⁺¹ − 1) n / 2ᵏd
    let (above, below) = (((2 << dots) - 1) * numerator * WHOLE, denominator << dots);
    if above % below != 0 {
        return Err(format!("`{text}` is no whole number of 1/{WHOLE} notes"));
    }
    Ok(above / below)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_are_exact() {
        let whole = |text| ticks(text).unwrap();
        assert_eq!(
            [whole("1"), whole("1/4"), whole("0"), whole("10000")],
            [161_280, 40_320, 0, 1_612_800_000]
        );
        assert_eq!(whole("1/4."), whole("3/8"));
        assert_eq!(whole("1/4..") * 16, 7 * WHOLE);
        assert_eq!(3 * whole("1/12"), whole("1/4"));
        assert_eq!(whole("1/512") * 512, WHOLE);
    }

    #[test]
    fn what_is_no_length_is_refused() {
        for (text, why) in [
            ("", "no length"),
            (".", "no length"),
            ("1/", "no length"),
            ("1/0", "no length"),
            ("+1/4", "no length"),
            ("1/4/4", "no length"),
            ("10001", "no length"),
            ("99999999999999999999999", "no length"),
            ("1/11", "no whole number"),
            ("1/4....", "has 4 dots"),
        ] {
            assert!(ticks(text).unwrap_err().contains(why), "{text}");
        }
    }
}

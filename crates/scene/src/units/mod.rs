//! Quantities as people write them, `"0.24 mm"` or `"1e12 N/m^1.5"`, read into SI.
//!
//! A prefix is a power of ten that joins the decimal exponent of the number before
//! it is rounded: `"0.24 mm"` is the double nearest to 2.4e-4, as if written so.
//! Exponents are real, for the stiffness of a power law.

mod advice;
mod pattern;
mod symbols;
mod unit;

pub use advice::{Instead, UnitError};
pub use pattern::quantity as pattern;
pub use unit::Unit;

use hamiltone_numerics::math;

/// A number with a unit.
#[derive(Clone, Debug, PartialEq)]
pub struct Quantity {
    /// Its value in SI.
    pub value: f64,
    /// Its unit.
    pub unit: Unit,
    /// The number as written, in that unit.
    pub written: f64,
    /// The unit as written.
    pub symbol: String,
}

impl Quantity {
    /// Reads a quantity such as `0.24 mm`.
    ///
    /// # Errors
    /// A sentence that says what cannot be read, and what to write instead.
    pub fn parse(text: &str) -> Result<Self, UnitError> {
        let (number, symbol) = split(text);
        let no_number = || format!("`{}` does not begin with a number", text.trim());
        let (mantissa, power) = number.split_once(['e', 'E']).unwrap_or((number, "0"));
        let mantissa = mantissa.replace('_', "");
        let power: i64 =
            power.parse().map_err(|_| format!("the exponent of `{}` is out of range", text.trim()))?;
        let scaled = |ten: i64| format!("{mantissa}e{}", power.saturating_add(ten)).parse::<f64>();
        let written = scaled(0).map_err(|_| no_number())?;
        let unit = Unit::parse(symbol)?;
        let whole = unit.ten.trunc();
        let mut value = scaled(whole as i64).map_err(|_| no_number())?;
        if unit.ten != whole {
            value *= math::pow(10.0, unit.ten - whole);
        }
        Ok(Self { value: value * unit.factor, unit, written, symbol: symbol.into() })
    }
}

/// A text as its number, with the exponent, and its unit.
fn split(text: &str) -> (&str, &str) {
    let text = text.trim();
    let mantissa = text.trim_start_matches(|c: char| c.is_ascii_digit() || "+-._".contains(c));
    let mut end = text.len() - mantissa.len();
    if let Some(tail) = mantissa.strip_prefix(['e', 'E']) {
        let other = |&(i, c): &(usize, char)| !(c.is_ascii_digit() || (i == 0 && "+-".contains(c)));
        let digits = tail.char_indices().find(other).map_or(tail.len(), |(i, _)| i);
        if tail[..digits].ends_with(|c: char| c.is_ascii_digit()) {
            end += 1 + digits;
        }
    }
    (&text[..end], text[end..].trim())
}

/// Why a text is not a quantity in the unit that is wanted, and what to write instead.
#[derive(Clone, Debug, PartialEq)]
pub enum Mismatch {
    /// It is no quantity at all.
    Unreadable {
        /// What cannot be read.
        message: String,
        /// What to write instead.
        help: String,
    },
    /// It is one of another unit.
    Unit {
        /// What is wrong.
        message: String,
        /// What to write instead.
        help: String,
    },
}

impl std::fmt::Display for Mismatch {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let (Mismatch::Unreadable { message, help } | Mismatch::Unit { message, help }) = self;
        write!(f, "{message}; {help}")
    }
}

/// Reads a text as a quantity in one of the units `wanted` (SI, such as `Hz`; `""` for a plain number); where there are
/// none, in any unit.
///
/// # Errors
/// A [`Mismatch`] that names the expected unit and gives an example.
pub fn read(text: &str, wanted: &[&str]) -> Result<f64, Mismatch> {
    let example = |x: f64| match wanted.first() {
        None | Some(&"") => format!("write {} without quotes", plain(x)),
        Some(unit) => format!("write \"{} {unit}\", or {} without quotes", plain(x), plain(x)),
    };
    let expected: Vec<Unit> = wanted.iter().map(|unit| Unit::parse(unit).unwrap_or(Unit::NONE)).collect();
    let measures = |unit: &Unit| expected.is_empty() || expected.iter().any(|other| unit.measures(other));
    let given = Quantity::parse(text).map_err(|error| {
        let help = corrected(text, &error, measures).unwrap_or_else(|| {
            example(
                split(text).0.replace('_', "").parse().ok().filter(|x: &f64| x.is_finite()).unwrap_or(1.0),
            )
        });
        Mismatch::Unreadable { message: error.message, help }
    })?;
    if measures(&given.unit) && (!given.symbol.is_empty() || wanted.is_empty() || wanted.contains(&"")) {
        return Ok(given.value);
    }
    if given.symbol.is_empty() {
        return Err(Mismatch::Unit { message: "has no unit".into(), help: example(given.written) });
    }
    let message = match wanted {
        [""] => format!("is a plain number, not in {}", given.symbol),
        _ => format!("is measured in {}, not in {}", wanted.join(" or "), given.symbol),
    };
    let turn = std::f64::consts::TAU;
    let expected = expected.first().copied().unwrap_or(Unit::NONE);
    let (cycles, wanted_cycles) = (given.unit.powers[3], expected.powers[3]);
    let help = match given.unit.is_rate() && expected.is_rate() {
        true if wanted_cycles == 1.0 && given.unit.powers[4] == 1.0 => {
            format!("{text} are {} Hz (divided by 2π): write \"{0} Hz\"", plain(given.value / turn))
        }
        true if cycles == 1.0 && expected.powers[4] == 1.0 => {
            format!("{text} are {} rad/s (times 2π): write \"{0} rad/s\"", plain(given.value * turn))
        }
        _ => example(given.written),
    };
    Err(Mismatch::Unit { message, help })
}

/// What to write for a text with a misspelled unit, where that is a quantity that `measures` what is wanted.
fn corrected(text: &str, error: &UnitError, measures: impl Fn(&Unit) -> bool) -> Option<String> {
    let Instead { wrong, right, factor } = error.instead.as_ref()?;
    let (number, symbol) = split(text);
    let unit = symbol.replacen(wrong, right, 1);
    let number = match *factor {
        1.0 => number.to_string(),
        factor if symbol == wrong => plain(number.parse::<f64>().ok()? * factor),
        _ => return None,
    };
    measures(&Unit::parse(&unit).ok()?).then(|| format!("write \"{number} {unit}\""))
}

/// A number for people: nine digits are enough to recognise it.
pub fn plain(x: f64) -> String {
    let rounded: f64 = format!("{x:.8e}").parse().unwrap_or(x);
    match rounded.abs() {
        a if a != 0.0 && !(1e-4..1e7).contains(&a) => format!("{rounded:e}"),
        _ => format!("{rounded}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prefixes_round_once() {
        // Each equals the decimal literal, to the last bit: 0.24 · 1e-3 as doubles would not.
        for (text, unit, value) in [
            ("0.24 mm", "m", 2.4e-4),
            ("0.1mm", "m", 1e-4),
            ("44.1 kHz", "Hz", 44100.0),
            ("5.687 g", "kg", 5.687e-3),
            ("0.05 kg/m^2", "kg/m^2", 0.05),
            ("0.05 kg/m²", "kg/m^2", 0.05),
            ("5 g/cm^2", "kg/m^2", 50.0),
            ("2800 1/s", "1/s", 2800.0),
            ("2800 s⁻¹", "1/s", 2800.0),
            ("2.8 1/ms", "1/s", 2800.0),
            ("1e12 N/m^1.5", "N/m^1.5", 1e12),
            ("1.51647e9 N/m^2.56", "N/m^2.56", 1.51647e9),
            ("3 µs", "s", 3e-6),
            ("2 min", "s", 120.0),
            ("3 N s/m", "N s/m", 3.0),
            ("3 N·s/m", "kg/s", 3.0),
            ("6 kg/(m s)", "Pa s", 6.0),
            ("-4 m/s", "m/s", -4.0),
            ("1_000 m", "m", 1000.0),
            ("1e3", "", 1000.0),
            ("3 rad", "", 3.0),
            ("-6 dB", "dB", -6.0),
        ] {
            assert_eq!(read(text, &[unit]), Ok(value), "{text}");
        }
    }

    #[test]
    fn a_real_power_of_a_prefix() {
        // 1 N/mm^1.5 = 10^4.5 N/m^1.5; the power of ten is rounded once, the product once more.
        let value = read("1 N/mm^1.5", &["N/m^1.5"]).unwrap();
        assert!((value / 31622.776601683792 - 1.0).abs() < 4.0 * f64::EPSILON);
    }

    #[test]
    fn rates_are_told_apart() {
        let wrong = |text, unit| match read(text, &[unit]).unwrap_err() {
            Mismatch::Unit { message, help } => (message, help),
            other => panic!("{other:?}"),
        };
        assert!(wrong("15707.963267948966 rad/s", "Hz").1.contains("\"2500 Hz\""));
        assert_eq!(wrong("2500 1/s", "Hz").1, "write \"2500 Hz\", or 2500 without quotes");
        assert!(wrong("2800 Hz", "1/s").0.contains("measured in 1/s, not in Hz"));
        assert!(wrong("1 Hz", "rad/s").1.contains("6.28318531 rad/s"));
        assert!(wrong("3 mm", "Hz").1.contains("\"3 Hz\""));
        assert!(wrong("3", "Hz").0.contains("no unit"));
        assert!(wrong("3 m", "").0.contains("plain number"));
        assert!(wrong("3 dB", "").0.contains("plain number"));
        assert_eq!(wrong("3 m", "dB").1, "write \"3 dB\", or 3 without quotes");
        let several = read("3 mm", &["N", "Pa"]).unwrap_err();
        assert!(
            matches!(several, Mismatch::Unit { message, .. } if message.contains("in N or Pa, not in mm"))
        );
        assert_eq!(read("3 kPa", &["N", "Pa"]), Ok(3000.0));
        assert_eq!(read("3 mm", &[]), Ok(0.003));
    }

    #[test]
    fn nonsense_is_named() {
        let wrong = |text: &str| Quantity::parse(text).unwrap_err().message;
        assert!(wrong("3 parsec").contains("`parsec` is no unit"));
        assert!(wrong("three m").contains("does not begin with a number"));
        assert!(wrong("3 kg/m s").contains("write kg/(m s) or kg s/m"));
        assert!(wrong("3 m^x").contains("no exponent"));
        assert!(wrong("3 (m").contains("missing"));
        assert!(wrong("").contains("number"));
        assert!(Quantity::parse(&format!("1 {}m", "(".repeat(5000))).is_err());
    }

    /// A unit that is nearly right is corrected, with the number that was written.
    #[test]
    fn misspelled_units_are_corrected() {
        for (text, unit, says) in [
            ("900 kg/m3", "kg/m^3", "write \"900 kg/m^3\""),
            ("2 s-1", "1/s", "write \"2 s^-1\""),
            ("44.1 khz", "Hz", "write \"44.1 kHz\""),
            ("3 MPA", "Pa", "write \"3 MPa\""),
            ("1.5 h", "s", "write \"90 min\""),
            ("2500 Herz", "Hz", "write \"2500 Hz\""),
            ("-3 db", "dB", "write \"-3 dB\""),
            ("2 h", "Hz", "write \"2 Hz\", or 2 without quotes"),
            ("7 parsec", "m", "write \"7 m\", or 7 without quotes"),
        ] {
            match read(text, &[unit]) {
                Err(Mismatch::Unreadable { help, .. }) => assert_eq!(help, says, "{text}"),
                other => panic!("{text}: {other:?}"),
            }
        }
    }
}

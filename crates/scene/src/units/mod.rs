//! Quantities as people write them, `"0.24 mm"` or `"1e12 N/m^1.5"`, read into SI.
//!
//! A prefix is a power of ten that joins the decimal exponent of the number before
//! it is rounded: `"0.24 mm"` is the double nearest to 2.4e-4, as if written so.
//! Exponents are real, for the stiffness of a power law.

mod unit;

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
    /// A sentence that says what cannot be read.
    pub fn parse(text: &str) -> Result<Self, String> {
        let text = text.trim();
        let digits =
            text.len() - text.trim_start_matches(|c: char| c.is_ascii_digit() || "+-._".contains(c)).len();
        let (mantissa, mut rest) = text.split_at(digits);
        let mut power = 0_i64;
        if let Some(tail) = rest.strip_prefix(['e', 'E']) {
            let end = tail
                .char_indices()
                .find(|&(i, c)| !(c.is_ascii_digit() || (i == 0 && "+-".contains(c))))
                .map_or(tail.len(), |(i, _)| i);
            if tail[..end].ends_with(|c: char| c.is_ascii_digit()) {
                power =
                    tail[..end].parse().map_err(|_| format!("the exponent of `{text}` is out of range"))?;
                rest = &tail[end..];
            }
        }
        let mantissa = mantissa.replace('_', "");
        let scaled = |ten: i64| format!("{mantissa}e{}", power.saturating_add(ten)).parse::<f64>();
        let written = scaled(0).map_err(|_| format!("`{text}` does not begin with a number"))?;
        let unit = Unit::parse(rest)?;
        let whole = unit.ten.trunc();
        let mut value = scaled(whole as i64).map_err(|_| format!("`{text}` is no number"))?;
        if unit.ten != whole {
            value *= math::pow(10.0, unit.ten - whole);
        }
        Ok(Self { value: value * unit.factor, unit, written, symbol: rest.trim().into() })
    }
}

/// Why a text is not a quantity in the unit that is wanted, and what to write instead.
#[derive(Clone, Debug, PartialEq)]
pub struct Mismatch {
    /// What is wrong.
    pub message: String,
    /// What to write instead.
    pub help: String,
}

/// Reads a text as a quantity in the unit `wanted` (SI, such as `Hz`; `""` for a plain number).
///
/// # Errors
/// A [`Mismatch`] that names the expected unit and gives an example.
pub fn read(text: &str, wanted: &str) -> Result<f64, Mismatch> {
    let example = |x: f64| match wanted {
        "" => format!("write {} without quotes", plain(x)),
        _ => format!("write \"{} {wanted}\", or {} without quotes", plain(x), plain(x)),
    };
    let given = Quantity::parse(text).map_err(|message| Mismatch { message, help: example(1.0) })?;
    let expected = Unit::parse(wanted).unwrap_or(Unit::NONE);
    if given.unit.measures(&expected) && (wanted.is_empty() || !given.symbol.is_empty()) {
        return Ok(given.value);
    }
    if given.symbol.is_empty() {
        return Err(Mismatch { message: "has no unit".into(), help: example(given.written) });
    }
    let message = match wanted {
        "" => format!("is a plain number, not in {}", given.symbol),
        _ => format!("is measured in {wanted}, not in {}", given.symbol),
    };
    let turn = std::f64::consts::TAU;
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
    Err(Mismatch { message, help })
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
        ] {
            assert_eq!(read(text, unit), Ok(value), "{text}");
        }
    }

    #[test]
    fn a_real_power_of_a_prefix() {
        // 1 N/mm^1.5 = 10^4.5 N/m^1.5; the power of ten is rounded once, the product once more.
        let value = read("1 N/mm^1.5", "N/m^1.5").unwrap();
        assert!((value / 31622.776601683792 - 1.0).abs() < 4.0 * f64::EPSILON);
    }

    #[test]
    fn rates_are_told_apart() {
        let wrong = |text, unit| read(text, unit).unwrap_err();
        assert!(wrong("15707.963267948966 rad/s", "Hz").help.contains("\"2500 Hz\""));
        assert_eq!(wrong("2500 1/s", "Hz").help, "write \"2500 Hz\", or 2500 without quotes");
        assert!(wrong("2800 Hz", "1/s").message.contains("measured in 1/s, not in Hz"));
        assert!(wrong("1 Hz", "rad/s").help.contains("6.28318531 rad/s"));
        assert!(wrong("3 mm", "Hz").help.contains("\"3 Hz\""));
        assert!(wrong("3", "Hz").message.contains("no unit"));
        assert!(wrong("3 m", "").message.contains("plain number"));
    }

    #[test]
    fn nonsense_is_named() {
        let wrong = |text| Quantity::parse(text).unwrap_err();
        assert!(wrong("3 parsec").contains("`parsec` is no unit"));
        assert!(wrong("three m").contains("does not begin with a number"));
        assert!(wrong("3 kg/m s").contains("above or below the line"));
        assert!(wrong("3 m^x").contains("no exponent"));
        assert!(wrong("3 (m").contains("missing"));
        assert!(wrong("").contains("number"));
        assert!(Quantity::parse(&format!("1 {}m", "(".repeat(5000))).is_err());
    }
}

//! What a parameter takes here: the unit that holds under the circumstances, and an example.
//!
//! Parameter tables state forces in N. A body per unit area and the air in a tube have
//! their forces in Pa, and what acts along a body has them per unit length:
//!
//!   N/m^α  →  Pa/m^α,   N/m^α  →  N/m^(α+1)

use hamiltone_core::{
    body::Measure,
    parameter::{Absent, Parameter, Range, Takes},
};
use std::path::Path;

/// What the meaning of a section's values depends on.
#[derive(Clone, Copy)]
pub struct Circumstances<'a> {
    /// The folder that file names start from.
    pub base: &'a Path,
    /// What the body's forces are measured in; `None` where that is not known.
    pub measure: Option<Measure>,
    /// Whether it acts along a body, so that its forces are per unit length.
    pub along: bool,
}

impl Circumstances<'_> {
    /// A table's unit with its exponent and its force filled in; `None` where either is not known.
    pub fn unit(&self, unit: &str, number: impl Fn(&str) -> Option<f64>) -> Option<String> {
        let (base, exponent) = match unit.split_once('^') {
            Some((base, name)) if name.starts_with(char::is_alphabetic) => (base, Some(number(name)?)),
            Some((base, power)) if power.parse::<f64>().is_ok() => (base, power.parse().ok()),
            _ => (unit, None),
        };
        let force = base.contains('N');
        let base = if force { base.replace('N', self.measure?.force()) } else { base.into() };
        Some(match (exponent, force && self.along) {
            (Some(exponent), true) => format!("{base}^{}", exponent + 1.0),
            (Some(exponent), false) => format!("{base}^{exponent}"),
            (None, true) => format!("{base}/m"),
            (None, false) => base,
        })
    }

    /// The unit of an example: none where it depends on another number.
    fn example_unit(&self, unit: &str) -> String {
        let known = Self { measure: self.measure.or(Some(Measure::Length)), ..*self };
        known.unit(unit, |_| None).unwrap_or_default()
    }
}

/// The unit of a parameter's numbers in its table, `""` where it has none.
pub fn unit(parameter: &Parameter) -> &'static str {
    match parameter.takes {
        Takes::Number(unit, _) | Takes::Numbers(unit, _) | Takes::Pairs(_, unit) => unit,
        Takes::Word(_) | Takes::File | Takes::Columns(_) | Takes::Table(_) => "",
    }
}

/// The parameter that a unit such as `N/m^exponent` takes its exponent from.
pub fn exponent_name(parameter: &Parameter) -> Option<&'static str> {
    let (_, exponent) = unit(parameter).split_once('^')?;
    exponent.starts_with(char::is_alphabetic).then_some(exponent)
}

/// What could be written for a parameter: its default, or a plain value of its range.
pub fn example(parameter: &Parameter, circumstances: Circumstances<'_>) -> String {
    let default = match parameter.absent {
        Absent::Number(x) => x,
        _ => f64::NAN,
    };
    let number = |symbol: &str, range: Range| {
        let among = [default, plain(range), range.min, range.max];
        let x = among.into_iter().find(|x| range.holds(*x)).unwrap_or(0.0);
        match circumstances.example_unit(symbol).as_str() {
            "" => format!("{x}"),
            unit => format!("\"{x} {unit}\""),
        }
    };
    let value = match parameter.takes {
        Takes::Number(symbol, range) => number(symbol, range),
        Takes::Numbers(symbol, range) => format!("[{}]", number(symbol, range)),
        Takes::Pairs(x, y) => format!("[[{}, {}]]", number(x, Range::ANY), number(y, Range::ANY)),
        Takes::Word(words) => format!("\"{}\"", words.first().unwrap_or(&"")),
        Takes::File => "\"sound.wav\"".into(),
        Takes::Columns(_) => "\"table.csv\"".into(),
        Takes::Table(inner) => {
            let inner: Vec<String> =
                inner.iter().map(|parameter| example(parameter, circumstances)).collect();
            format!("{{ {} }}", inner.join(", "))
        }
    };
    format!("{} = {value}", parameter.name)
}

/// 1, or where that lies at an end of a range a power of ten in its middle.
fn plain(Range { min, max, .. }: Range) -> f64 {
    let inside = min <= 0.0 || max == f64::INFINITY || (10.0 * min..=0.1 * max).contains(&1.0);
    if inside { 1.0 } else { 10.0_f64.powf((min * max).sqrt().log10().round()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forces_follow_the_body_and_its_length() {
        let unit = |measure, along, unit: &str| {
            Circumstances { base: "".as_ref(), measure, along }.unit(unit, |_| Some(1.5)).unwrap()
        };
        let (length, area) = (Some(Measure::Length), Some(Measure::PerArea));
        assert_eq!(unit(length, false, "N/m^exponent"), "N/m^1.5");
        assert_eq!(unit(length, true, "N/m^exponent"), "N/m^2.5");
        assert_eq!(unit(area, false, "N/m^exponent"), "Pa/m^1.5");
        assert_eq!(unit(length, true, "N/m^1.5"), "N/m^2.5");
        assert_eq!(unit(length, true, "N"), "N/m");
        assert_eq!(unit(length, true, "kg/m^2"), "kg/m^2");
        assert_eq!(unit(length, false, "m^2/s"), "m^2/s");
        assert_eq!(unit(length, true, "m^2/s"), "m^2/s");
        assert_eq!(unit(None, true, "s/m"), "s/m");
        let unknown = Circumstances { base: "".as_ref(), measure: None, along: false };
        assert_eq!(unknown.unit("N", |_| None), None);
    }
}

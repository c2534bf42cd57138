//! A slot: a parameter of the plugin that moves a parameter of the instrument that is loaded.
//!
//! A plugin has the same parameters whatever it plays, so that slots have positions p from 0 to 1 and no values of their own:
//!
//!   v = low + 2p (b − low) for p < ½,   v = b + (2p − 1)(high − b) else
//!
//! b is the value that the preset gives, without one the default. A slot that was not moved stands at ½, which is b to the bit with every instrument.

use hamiltone_plan::parameter::ParameterPlan;

/// Where slots stand that were not moved.
pub const MIDDLE: f32 = 0.5;

/// The value of a parameter at a position of its slot, around the value `base`.
pub fn value(parameter: &ParameterPlan, base: f64, position: f64) -> f64 {
    let [low, high] = parameter.range;
    let value = if position < 0.5 {
        low + 2.0 * position * (base - low)
    } else {
        base + (2.0 * position - 1.0) * (high - base)
    };
    parameter.within(value)
}

/// The position at which a parameter has a value: the inverse of [`value`].
pub fn position(parameter: &ParameterPlan, base: f64, value: f64) -> f64 {
    let ([low, high], value) = (parameter.range, parameter.within(value));
    match value.total_cmp(&base) {
        std::cmp::Ordering::Less => 0.5 * (value - low) / (base - low),
        std::cmp::Ordering::Equal => 0.5,
        std::cmp::Ordering::Greater => 0.5 + 0.5 * (value - base) / (high - base),
    }
}

/// What a host shows of a parameter: its name, a value and its unit.
pub fn text(parameter: &ParameterPlan, value: f64) -> String {
    // Zero has no sign, and whole numbers have no digits behind the point.
    let rounded = (value * 10.0).round() / 10.0 + 0.0;
    format!("{} {rounded} {}", parameter.name, parameter.unit)
}

/// The value in what a user writes: the first number, with or without the name and the unit.
pub fn number(text: &str) -> Option<f64> {
    let is_part = |c: char| c.is_ascii_digit() || "+-.".contains(c);
    text.split_whitespace().find_map(|word| word.trim_end_matches(|c| !is_part(c)).parse().ok())
}

#[cfg(test)]
mod tests {
    use super::*;
    use hamiltone_plan::parameter::{Changes, Unit};

    #[test]
    fn the_middle_is_the_base_and_ends_are_the_range() {
        let (name, about) = ("level".to_string(), String::new());
        let range = [-20.0, 6.0];
        let level = ParameterPlan {
            name,
            about,
            unit: Unit::Decibel,
            range,
            default: 0.0,
            initial: 0.0,
            midi: None,
            changes: Changes::Level,
        };
        for base in [-20.0, -7.3, 0.1, 6.0] {
            let values = [0.0, 0.5, 1.0].map(|position| value(&level, base, position));
            assert_eq!(values, [-20.0, base, 6.0]);
            for wanted in [-20.0, -11.0, base, 3.0, 6.0] {
                assert!((value(&level, base, position(&level, base, wanted)) - wanted).abs() < 1e-12);
            }
        }
        assert_eq!(
            (text(&level, -0.04).as_str(), text(&level, 2.56).as_str()),
            ("level 0 dB", "level 2.6 dB")
        );
        assert_eq!(
            [number("level -2.5 dB"), number("80%"), number("3 dB"), number("loud")],
            [Some(-2.5), Some(80.0), Some(3.0), None]
        );
    }
}

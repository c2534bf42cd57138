//! Reads the format of a scene, and gives what keys of an earlier one mean: see [`Format`].

use hamiltone_core::parameter::{Rule, Table, Values};
use hamiltone_plan::Format;
use toml::de::DeValue;

/// The format that the value of `hamiltone` states. 2.0 is the same number as 2, as in JSON Schema.
pub fn read(value: &DeValue<'_>) -> Option<Format> {
    let number = match value {
        DeValue::Integer(number) => i128::from_str_radix(number.as_str(), number.radix()).ok()? as f64,
        DeValue::Float(number) => number.as_str().parse().ok()?,
        _ => return None,
    };
    Format::ALL.into_iter().find(|format| f64::from(format.number()) == number)
}

/// Gives the parameters that keys of this format mean where they are not those of the same name; the keys that were given so,
/// each with its parameter.
pub fn translate(
    format: Format,
    table: &Table<'_>,
    values: &mut Values,
) -> Vec<(&'static str, &'static str)> {
    let mut translated = Vec::new();
    if format > Format::One {
        return translated;
    }
    for rule in table.rules {
        if let Rule::Formerly { parameter, meant } = *rule
            && let Some(value) = values.take(parameter)
        {
            values.set(meant, value);
            translated.push((parameter, meant));
        }
    }
    translated
}

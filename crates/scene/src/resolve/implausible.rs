//! Values that are allowed, but that no instrument has: mostly numbers whose unit was left out.
//!
//! What is usual stands in one table, [`Usual`], by the role of a parameter. Numbers per unit area are those of test models
//! and are not judged.

use super::reader::Reader;
use crate::{document::section::Section, units::plain};
use hamiltone_core::{
    body::Measure,
    parameter::{Parameter, Range, Role, Takes, Usual, Value, Values},
};
use std::path::PathBuf;
use toml::de::DeValue;

/// A value with its unit may lie outside what is usual by this factor.
const NEAR: f64 = 100.0;

impl Reader<'_> {
    /// Notes the files among given values, and warns of each that is not usual, of a part that acts on bodies with this measure.
    pub fn take_note(
        &mut self,
        section: &Section<'_>,
        parameters: &[Parameter],
        values: &Values,
        measure: Option<Measure>,
    ) {
        for parameter in parameters {
            let file = match parameter.takes {
                Takes::File => values.word(parameter.name),
                _ => values.columns(parameter.name).map(|columns| &*columns.file),
            };
            self.files.extend(file.map(PathBuf::from));
        }
        if measure == Some(Measure::PerArea) {
            return;
        }
        for (path, found) in unusual("", parameters, values) {
            let has_unit = match section.find(&path).map(|value| value.get_ref()) {
                Some(DeValue::String(_)) => true,
                Some(DeValue::Array(items)) => {
                    items.iter().all(|item| matches!(item.get_ref(), DeValue::String(_)))
                }
                _ => false,
            };
            if has_unit && found.is_near() {
                continue;
            }
            let problem = section.problem(&path, found.message(&path), "not usual");
            self.unusual.push(problem.help(found.help(&path, has_unit)));
        }
    }
}

/// A value that is not usual.
struct Unusual {
    value: f64,
    role: Role,
    usual: Usual,
}

impl Unusual {
    /// Whether it could be meant where its unit is written: a large bell has a mass of tonnes.
    fn is_near(&self) -> bool {
        let Range { min, max, .. } = self.usual.range;
        (min / NEAR..=max * NEAR).contains(&self.value.abs())
    }

    fn message(&self, path: &str) -> String {
        let Self { value, usual, .. } = self;
        let unit = self.role.symbol();
        let range = match usual.range.min {
            0.0 => format!("at most {}", plain(usual.range.max)),
            min => format!("{} to {}", plain(min), plain(usual.range.max)),
        };
        format!("`{path}` is {} {unit}, where instruments have {range} {unit}", plain(*value))
    }

    fn help(&self, path: &str, has_unit: bool) -> String {
        match self.usual.instead(self.value).filter(|_| !has_unit) {
            Some(unit) => format!("is that {unit}? then write {path} = \"{} {unit}\"", plain(self.value)),
            None => "check its value and its unit".into(),
        }
    }
}

/// The first value of each given parameter that is not usual, with its path.
fn unusual(path: &str, parameters: &[Parameter], values: &Values) -> Vec<(String, Unusual)> {
    let mut all = Vec::new();
    for parameter in parameters.iter().filter(|parameter| values.is_given(parameter.name)) {
        let own = format!("{path}{}", parameter.name);
        if let (Takes::Table(inner), Some(values)) = (parameter.takes, values.table(parameter.name)) {
            all.extend(unusual(&format!("{own}."), inner.parameters, values));
        }
        let given = values.iter().find(|(name, _)| *name == parameter.name).map(|(_, value)| value);
        let found = match (parameter.takes, given) {
            (Takes::Number(role, _), Some(Value::Number(x))) => first(role, [*x]),
            (Takes::Numbers(role, _), Some(Value::Numbers(list))) => first(role, list.iter().copied()),
            (Takes::Pairs(x, y) | Takes::Curve { x, y, .. }, Some(Value::Pairs(pairs))) => {
                let along = first(x.0, pairs.iter().map(|pair| pair.0));
                along.or_else(|| first(y.0, pairs.iter().map(|pair| pair.1)))
            }
            _ => None,
        };
        all.extend(found.map(|found| (own, found)));
    }
    all
}

/// The first number of this role that is not usual.
fn first(role: Role, numbers: impl IntoIterator<Item = f64>) -> Option<Unusual> {
    let usual = role.usual()?;
    let value = numbers.into_iter().find(|x| !usual.holds(*x))?;
    Some(Unusual { value, role, usual })
}

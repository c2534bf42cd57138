//! Parts by enumeration: every word, and a few numbers, of a kind's parameter table.

use crate::parts::use_constants;
use hamiltone_core::{
    parameter::{Absent, Entry, Kind, Parameter, Role, Takes, Values},
    scheme::Scheme,
};
use std::collections::BTreeMap;

/// A scheme with options: a variant of an entry of the catalogue.
pub struct Method {
    /// Its name and options.
    pub name: String,
    /// Its number among the variants of its entry; the first has the defaults.
    pub variant: u64,
    /// The scheme.
    pub scheme: Box<dyn Scheme>,
}

/// Every scheme of the catalogue with every word of its options, its numbers at their defaults and at ½, 1, 2; of
/// several options one at a time.
pub fn methods() -> Vec<Method> {
    hamiltone_schemes::catalogue().iter().flat_map(variants).collect()
}

fn variants(entry: &'static Entry<Box<dyn Scheme>>) -> Vec<Method> {
    let defaults = Values::defaults(entry.kind.parameters);
    let options = entry.kind.parameters.iter();
    let others = options.flat_map(|option| alternatives(&defaults, option, |_| vec![0.5, 1.0, 2.0]));
    let mut variants: Vec<Method> = Vec::new();
    for values in std::iter::once(defaults.clone()).chain(others) {
        let words = values.iter().filter_map(|(name, _)| values.word(name).map(String::from));
        let numbers = values.iter().filter_map(|(name, _)| Some(format!("{name}={}", values.number(name)?)));
        let options = words.chain(numbers);
        let name = std::iter::once(entry.kind.name.to_string()).chain(options).collect::<Vec<_>>().join(" ");
        let known = variants.iter().any(|variant| variant.name == name);
        if let (Ok(scheme), false) = (entry.build(&values), known) {
            variants.push(Method { name, variant: variants.len() as u64, scheme });
        }
    }
    variants
}

/// All combinations of a kind's words, and of the numbers of each role that are in range, with its defaults, that keep
/// its rules; what is optional also absent.
pub fn values(kind: &Kind, numbers: impl Fn(Role) -> Vec<f64>) -> Vec<Values> {
    let start = vec![Values::defaults(kind.parameters)];
    let mut all = kind.parameters.iter().fold(start, |all, parameter| {
        all.iter().flat_map(|values| alternatives(values, parameter, &numbers)).collect()
    });
    all.iter_mut().for_each(|values| use_constants(kind.parameters, values));
    all.retain(|values| kind.table().check(values).is_empty());
    all
}

fn alternatives(values: &Values, parameter: &Parameter, numbers: impl Fn(Role) -> Vec<f64>) -> Vec<Values> {
    let mut all = match parameter.absent {
        Absent::Required => Vec::new(),
        _ => vec![values.clone()],
    };
    match parameter.takes {
        Takes::Number(role, range) => {
            let default = values.number(parameter.name);
            for x in numbers(role).into_iter().filter(|&x| range.holds(x) && Some(x) != default) {
                all.push(values.clone());
                all.last_mut().into_iter().for_each(|values| values.set(parameter.name, x));
            }
        }
        Takes::Word(words) => {
            all = words.iter().map(|_| values.clone()).collect();
            for (values, word) in all.iter_mut().zip(words) {
                values.set(parameter.name, *word);
            }
        }
        Takes::Formula(examples) => {
            all = examples.iter().map(|_| values.clone()).collect();
            for (values, text) in all.iter_mut().zip(examples) {
                values.set(parameter.name, *text);
            }
        }
        Takes::Constants(names) => {
            // Ones alone: with more, examples and roles would multiply.
            let ones: BTreeMap<String, f64> = names.iter().map(|name| (name.to_string(), 1.0)).collect();
            all.iter_mut().for_each(|values| values.set(parameter.name, ones.clone()));
        }
        Takes::Numbers(..)
        | Takes::Ratios(..)
        | Takes::Pitch
        | Takes::Pairs(..)
        | Takes::Curve { .. }
        | Takes::File
        | Takes::Columns(_)
        | Takes::Table(_) => {}
    }
    all
}

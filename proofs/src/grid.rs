//! Parts by enumeration: every word, and a few numbers, of a kind's parameter table.

use hamiltone_core::{
    parameter::{Absent, Entry, Kind, Parameter, Takes, Values},
    scheme::Scheme,
};

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
        let options =
            values.words.values().cloned().chain(values.numbers.iter().map(|(k, x)| format!("{k}={x}")));
        let name = std::iter::once(entry.kind.name.to_string()).chain(options).collect::<Vec<_>>().join(" ");
        let known = variants.iter().any(|variant| variant.name == name);
        if let (Ok(scheme), false) = ((entry.make)(&values), known) {
            variants.push(Method { name, variant: variants.len() as u64, scheme });
        }
    }
    variants
}

/// All combinations of a kind's words, and of the numbers of each unit that are in range, with its
/// defaults; what is optional also absent.
pub fn values(kind: &Kind, numbers: impl Fn(&str) -> Vec<f64>) -> Vec<Values> {
    kind.parameters.iter().fold(vec![Values::defaults(kind.parameters)], |all, parameter| {
        all.iter().flat_map(|values| alternatives(values, parameter, &numbers)).collect()
    })
}

fn alternatives(values: &Values, parameter: &Parameter, numbers: impl Fn(&str) -> Vec<f64>) -> Vec<Values> {
    let mut all = match parameter.absent {
        Absent::Required => Vec::new(),
        _ => vec![values.clone()],
    };
    match parameter.takes {
        Takes::Number(unit, range) => {
            let default = values.number(parameter.name);
            for x in numbers(unit).into_iter().filter(|&x| range.holds(x) && Some(x) != default) {
                all.push(values.clone());
                all.last_mut().map(|values| values.numbers.insert(parameter.name, x));
            }
        }
        Takes::Word(words) => {
            all = words.iter().map(|_| values.clone()).collect();
            for (values, word) in all.iter_mut().zip(words) {
                values.words.insert(parameter.name, (*word).into());
            }
        }
        Takes::Numbers(..) | Takes::Pairs(..) | Takes::File | Takes::Columns(_) | Takes::Table(_) => {}
    }
    all
}

//! A smaller scene with the same fault: parts are left out while it persists.

use super::{
    options::Options,
    scene::{Drawn, Section},
};
use toml::Value;

/// The most scenes that are tried.
const TRIES: usize = 150;
/// The shortest duration, s: some samples.
const SHORTEST: f64 = 2e-4;

/// The smallest scene that is found of which `same` holds.
pub fn shrink(scene: &Drawn, same: impl Fn(&Drawn) -> bool) -> Drawn {
    let mut best = scene.clone();
    let mut tries = 0;
    loop {
        let smaller = candidates(&best).into_iter().find(|candidate| {
            tries += 1;
            tries <= TRIES && same(candidate)
        });
        match smaller {
            Some(smaller) => best = smaller,
            None => return best,
        }
    }
}

/// Scenes with one thing less, the largest things first.
fn candidates(scene: &Drawn) -> Vec<Drawn> {
    let changed = |change: &dyn Fn(&mut Drawn)| {
        let mut smaller = scene.clone();
        change(&mut smaller);
        smaller
    };
    let mut all = Vec::new();
    let plain = scene.options.arguments().len() > 2 || !scene.options.set.is_empty();
    if plain {
        all.push(changed(&|s| s.options = Options::default()));
    }
    for i in (1..scene.sections.len()).rev() {
        all.push(changed(&|s| without(s, i)));
    }
    let long = scene.sections[0].number("duration").is_some_and(|duration| duration > SHORTEST);
    for factor in [0.1, 0.5].into_iter().filter(|_| long) {
        all.push(changed(&|s| shorter(&mut s.sections[0], factor)));
    }
    for (i, section) in scene.sections.iter().enumerate() {
        for key in section.keys.keys() {
            all.push(changed(&|s| drop(s.sections[i].keys.remove(key))));
            if let Some(Value::Table(inner)) = section.keys.get(key) {
                for own in inner.keys() {
                    all.push(changed(&|s| {
                        if let Some(Value::Table(inner)) = s.sections[i].keys.get_mut(key) {
                            inner.remove(own);
                        }
                    }));
                }
            }
            if let Some(round) = section.keys.get(key).and_then(rounder) {
                all.push(changed(&|s| drop(s.sections[i].keys.insert(key.clone(), round.clone()))));
            }
        }
    }
    all
}

/// Leaves out a section and what refers to it.
fn without(scene: &mut Drawn, i: usize) {
    let gone = scene.sections.remove(i);
    let Some(name) = gone.name else { return };
    let refers = |section: &Section| {
        let texts = section
            .keys
            .iter()
            .filter(|(key, _)| ["at", "between", "motion", "control"].contains(&key.as_str()));
        texts.into_iter().any(|(_, value)| match value {
            Value::Array(ends) => ends.iter().any(|end| end.as_str().is_some_and(|end| is(end, &name))),
            value => value.as_str().is_some_and(|end| is(end, &name)),
        })
    };
    scene.sections.retain(|section| !refers(section));
}

fn is(place: &str, name: &str) -> bool {
    place.split('@').next() == Some(name)
}

fn shorter(run: &mut Section, factor: f64) {
    if let Some(Value::Float(duration)) = run.keys.get_mut("duration") {
        *duration = (*duration * factor).max(SHORTEST);
    }
}

/// The number to two digits, where it has more.
fn rounder(value: &Value) -> Option<Value> {
    let Value::Float(x) = value else { return None };
    let round: f64 = format!("{x:.1e}").parse().ok()?;
    (round != *x).then_some(Value::Float(round))
}

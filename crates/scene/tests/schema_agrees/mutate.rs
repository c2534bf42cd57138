//! Changes of a scene: types, bounds, units, keys that are missing or too many, alternatives, names.

use super::random::Random;
use serde_json::{Map, Value, json};

/// Texts of every kind, right in some place.
const TEXTS: [&str; 62] = [
    "pluck",
    "undamp",
    "0 N s/m",
    "E2",
    "F#3",
    "Bb1",
    "G♭4 −3.25 cents",
    "A##-9",
    "C12+1cent",
    "D4 -12345 cents",
    "H2",
    "E",
    "E02",
    "E13",
    "E-10",
    "E#b2",
    "E2 3 cents",
    "E2 -.5 cents",
    "E2 -1.1234567 cents",
    "",
    " ",
    "2500",
    "-1",
    "0.5",
    " 3 ",
    "1_000",
    "1e3",
    "+.5",
    "5.",
    "1e",
    "1e5e5",
    "5.5.5",
    "nan",
    "1 m",
    "1 mm",
    "1mm",
    "-2 m",
    "440 Hz",
    "2 kHz",
    "2 Khz",
    "3 min",
    "3 mmin",
    "1 Nm",
    "1 N m",
    "1 N/m^1.5",
    "1 m²",
    "1 m^",
    "1 m1",
    "1 kg/(m s)",
    "1 1/s",
    "50 %",
    "ground",
    "mass",
    "string@0.2",
    "string@",
    "string@1 m,2",
    "raw",
    "peak -1 dBFS",
    "gain 80 db",
    "-6 dB",
    "-6 db",
    "reference -6 dB",
];

const NAMES: [&str; 14] = [
    "none",
    "main",
    "ground",
    "time",
    "ledger",
    "pickup",
    "manifest",
    "a.b",
    "a b",
    "é",
    "",
    "fresh",
    "x-1_B",
    "string@0.2",
];

/// One change somewhere in a scene.
pub fn change(scene: &mut Value, random: &mut Random) {
    let table = table(scene, random);
    let keys: Vec<String> = table.keys().cloned().collect();
    let key = if keys.is_empty() { "new".to_string() } else { random.of(&keys).clone() };
    match random.below(8) {
        0 => drop(table.remove(&key)),
        1 => drop(table.insert((*random.of(&NAMES)).to_string(), any(random))),
        // A name of another thing, with the same value.
        2 => {
            if let Some(old) = table.remove(&key) {
                table.insert((*random.of(&NAMES)).to_string(), old);
            }
        }
        3 => drop(table.insert((*random.of(&EXTRA)).to_string(), any(random))),
        _ => {
            if let Some(old) = table.get_mut(&key) {
                *old = near(old, random);
            }
        }
    }
}

/// Keys that some sections take, also beside others.
const EXTRA: [&str; 44] = [
    "score",
    "gesture",
    "time",
    "height",
    "force",
    "curve",
    "ramp",
    "resistance",
    "pitch",
    "pitch",
    "ideal_frequency",
    "undamped_frequency",
    "tuning",
    "undercut",
    "length",
    "thickness",
    "a4",
    "at",
    "motion",
    "control",
    "tension",
    "frequency",
    "wave_speed",
    "mass",
    "stiffness",
    "loss",
    "damping",
    "gap",
    "exponent",
    "profile",
    "parabola",
    "frets",
    "interpolation",
    "along",
    "kind",
    "law",
    "options",
    "method",
    "modes",
    "intervals",
    "level",
    "gain",
    "pan",
    "bus",
];

/// A table of the scene: the scene itself, or one within, also one in a list.
fn table<'a>(value: &'a mut Value, random: &mut Random) -> &'a mut Map<String, Value> {
    let listed = |inner: &Value| inner.as_array().is_some_and(|list| list.iter().any(Value::is_object));
    let inner: Vec<String> = value
        .as_object()
        .into_iter()
        .flatten()
        .filter(|(_, inner)| inner.is_object() || listed(inner))
        .map(|(name, _)| name.clone())
        .collect();
    if inner.is_empty() || random.below(6) == 0 {
        return value.as_object_mut().unwrap();
    }
    let name = random.of(&inner).clone();
    let inner = &mut value[name.as_str()];
    if inner.is_array() {
        let objects: Vec<&mut Value> =
            inner.as_array_mut().into_iter().flatten().filter(|item| item.is_object()).collect();
        let number = random.below(objects.len());
        let chosen = objects.into_iter().nth(number);
        return chosen.and_then(Value::as_object_mut).expect("an object of the list");
    }
    table(inner, random)
}

/// A value like the old one, or anything.
fn near(old: &Value, random: &mut Random) -> Value {
    match (old, random.below(3)) {
        (Value::Number(x), 0) => {
            let x = x.as_f64().unwrap();
            json!([-x, 0.0, x + 0.5, 1.5 * x, x, -1.0][random.below(6)])
        }
        (Value::Number(x), 1) => json!(format!("{x}")),
        (Value::String(text), 0) => {
            let end = random.below(text.chars().count() + 1);
            text.chars().take(end).collect::<String>().into()
        }
        (Value::Array(items), 0) => items.iter().skip(1).cloned().collect(),
        (Value::Array(items), 1) => items.iter().chain(items.last()).cloned().collect(),
        _ => any(random),
    }
}

fn any(random: &mut Random) -> Value {
    match random.below(10) {
        0 => json!(random.below(12)),
        1 => json!(-1),
        2 => json!(0.5),
        3 => json!(true),
        4 => json!([]),
        5 => json!([[0, 1], [0.5, 0]]),
        6 => json!({}),
        7 => [json!([4]), json!([4, 10]), json!([3, 3]), json!([4, 10, 20]), json!([0.5])][random.below(5)]
            .clone(),
        _ => (*random.of(&TEXTS)).into(),
    }
}

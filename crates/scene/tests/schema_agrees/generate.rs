//! Sections written from the schema alone: one of its kinds, what is required, and some of what is optional.

use super::random::Random;
use serde_json::{Map, Value, json};

/// Texts that are quantities, or nearly.
const QUANTITIES: [&str; 12] = [
    "1 m",
    "0.3 mm",
    "2 N",
    "440 Hz",
    "1e-3 s",
    "5 kg",
    "0.05 kg/m^2",
    "1e9 N/m^1.5",
    "1e3 1/s",
    "7850 kg/m³",
    "2",
    "0.5",
];

/// Writes one section of the scene anew: that of a name which it has, so that what refers to it still does.
pub fn replace_section(scene: &mut Value, schema: &Value, random: &mut Random) {
    let frames = ["body", "link", "contact", "drive", "score", "bus", "pickup", "run", "output"];
    let frame = *random.of(&frames);
    let section = &schema["properties"][frame];
    if section["type"] == "array" {
        return replace_entry(&mut scene[frame], section, schema, random);
    }
    let Some(inner) = section.get("additionalProperties").filter(|inner| inner.is_object()) else {
        scene[frame] = value(section, schema, random);
        return;
    };
    let names: Vec<String> = scene
        .get(frame)
        .and_then(Value::as_object)
        .map_or(Vec::new(), |table| table.keys().cloned().collect());
    let name = if names.is_empty() { "new".to_string() } else { random.of(&names).clone() };
    let mut new = value(inner, schema, random);
    if let Some(old) = scene.get(frame).and_then(|frame| frame.get(&name)) {
        keep_references(&mut new, old);
    }
    if scene.get(frame).is_none() {
        scene[frame] = json!({});
    }
    scene[frame][name] = new;
}

/// Writes one entry of a list of sections anew, or adds one.
fn replace_entry(list: &mut Value, section: &Value, schema: &Value, random: &mut Random) {
    let mut new = value(&section["items"], schema, random);
    match list.as_array_mut() {
        Some(entries) if !entries.is_empty() && random.below(4) > 0 => {
            let old = random.below(entries.len());
            // Of gestures only those with the same key have the same target.
            let shares = |entry: &&Value| {
                ["at", "motion", "control"]
                    .iter()
                    .any(|key| new.get(key).is_some() && entry.get(key).is_some())
            };
            let same = entries.iter().find(shares).cloned();
            if let Some(same) = same {
                keep_references(&mut new, &same);
            }
            entries[old] = new;
        }
        Some(entries) => entries.push(new),
        None => *list = json!([new]),
    }
}

/// What it refers to stays, else hardly anything would be accepted.
fn keep_references(new: &mut Value, old: &Value) {
    for key in ["at", "between", "along", "motion", "control"] {
        if new.get(key).is_some() && old.get(key).is_some() {
            new[key] = old[key].clone();
        }
    }
}

/// A value of a schema, often one that it accepts.
fn value(schema: &Value, root: &Value, random: &mut Random) -> Value {
    if let Some(reference) = schema.get("$ref").and_then(Value::as_str) {
        return text(reference, random);
    }
    if let Some(constant) = schema.get("const") {
        return constant.clone();
    }
    if let Some(words) = schema.get("enum").and_then(Value::as_array) {
        return random.of(words).clone();
    }
    let object = schema["type"] == "object";
    for alternatives in ["oneOf", "anyOf"] {
        if let Some(ways) = schema.get(alternatives).and_then(Value::as_array).filter(|_| !object) {
            let way = random.below(ways.len());
            return value(&ways[way], root, random);
        }
    }
    match schema["type"].as_str() {
        Some("object") => object_of(schema, root, random),
        Some("array") => match schema.get("prefixItems").and_then(Value::as_array) {
            Some(items) => items.iter().map(|item| value(item, root, random)).collect(),
            None => {
                let least = schema["minItems"].as_u64().unwrap_or(0) as usize;
                let most = schema["maxItems"].as_u64().map_or(least + 3, |most| most as usize);
                let count = least + random.below(most - least + 1);
                (0..count).map(|_| value(&schema["items"], root, random)).collect()
            }
        },
        Some("integer") => json!(number(schema, random).round() as i64),
        Some("number") => json!(number(schema, random)),
        _ => (*random.of(&["x", "mass", "1 m", "carillon_bell.csv", "main", "none"])).into(),
    }
}

fn object_of(schema: &Value, root: &Value, random: &mut Random) -> Value {
    let Some(properties) = schema["properties"].as_object() else { return json!({}) };
    let required: Vec<&str> =
        schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
    let often = 2 + random.below(4);
    let given =
        properties.iter().filter(|(name, _)| required.contains(&name.as_str()) || random.below(often) == 0);
    let given: Vec<_> = given.collect();
    let entries = given.into_iter().map(|(name, inner)| (name.clone(), value(inner, root, random)));
    Value::Object(entries.collect::<Map<_, _>>())
}

/// In range mostly, and small: large counts are grids that take time.
fn number(schema: &Value, random: &mut Random) -> f64 {
    let bound = |name: &str| schema.get(name).and_then(Value::as_f64);
    let least = bound("minimum").or(bound("exclusiveMinimum")).unwrap_or(-1.0);
    let most = bound("maximum").unwrap_or(f64::INFINITY).min(least.max(0.0) + 9.0);
    match random.below(8) {
        0 => least,
        1 => most,
        2 => least - 1.0,
        _ => least + (most - least) * random.below(8) as f64 / 7.0,
    }
}

/// A text of a definition.
fn text(reference: &str, random: &mut Random) -> Value {
    let texts: &[&str] = match reference.rsplit('/').next().unwrap() {
        "place" => &["mass", "string", "string@0.2", "ground", "reed", "plate@0.3,0.4", "string@3 cm"],
        "point" => &["0.2", "0.2,0.5", "5 cm,30 deg"],
        "pitch" => &["E2", "F#3 -14 cents", "B♭1 + 3.5 cents", "C-1", "A12", "e2", "E2 14 cents", "440 Hz"],
        "level" => &[
            "raw",
            "peak -1 dBFS",
            "gain 80 dB",
            "peak -3dBFS",
            "peak 3 dBFS",
            "reference",
            "reference +3 dB",
            "reference 3",
            "reference3 dB",
        ],
        _ => &QUANTITIES,
    };
    (*random.of(texts)).into()
}

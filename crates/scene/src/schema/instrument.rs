//! The JSON Schema of instruments: that of the scenes that they stand for, whose texts may have formulas, with the sections that
//! only instruments have.
//!
//! What formulas give is not known to it, nor whether the names and tables in them exist.

use super::{
    definitions::{definitions, formulas},
    section::{key_schema, section, section_of, sections},
};
use crate::{
    catalogue::Category,
    resolve::{Frame, ROOT, Sections, WHEN, frames, instrument_frames},
};
use hamiltone_plan::Format;
use serde_json::{Map, Value, json};

/// The sections of a scene that an instrument does not have: it is played.
const NOT_PLAYED: [&str; 2] = ["drive", "score"];
/// The keys of [run] that it does not have: a song has the duration, and a player the rate.
const NOT_RUN: [&str; 2] = ["duration", "sample_rate"];

/// The schema (draft 2020-12) of an instrument.
pub fn instrument_schema() -> Value {
    let mut properties: Map<String, Value> =
        ROOT.iter().map(|key| (key.name.into(), key_schema(key))).collect();
    properties.insert(
        "hamiltone".into(),
        json!({ "enum": Format::ALL.map(Format::number), "description": "the format of the scene" }),
    );
    let once: Map<String, Value> = scene_sections().collect();
    let named = |frame: &Frame| frame.sections == Sections::Named && once.contains_key(frame.name);
    let copied: Vec<&str> = frames().iter().filter(|frame| named(frame)).map(|frame| frame.name).collect();
    for frame in instrument_frames() {
        let schema = match frame.sections {
            Sections::Copied => copies(&frame, &copied),
            Sections::Listed => sections(&frame, section_of(&frame, Some(Category::Gestures))),
            Sections::One => section(&frame),
            Sections::Named => sections(&frame, section(&frame)),
        };
        properties.insert(frame.name.into(), schema);
    }
    properties.extend(once);
    json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "An instrument of Hamiltone",
        "type": "object",
        "required": ["hamiltone", "instrument", "note_on"],
        "additionalProperties": false,
        "properties": properties,
        "$defs": formulas(definitions()),
    })
}

/// The sections of scenes that instruments have, too.
fn scene_sections() -> impl Iterator<Item = (String, Value)> {
    let own = frames().into_iter().filter(|frame| !NOT_PLAYED.contains(&frame.name));
    own.map(|frame| {
        let one = section(&frame);
        let one = match frame.sections {
            Sections::One => without(one, &NOT_RUN),
            _ => with_when(one),
        };
        (frame.name.into(), sections(&frame, one))
    })
}

/// Sections of these kinds, as outside.
fn copies(frame: &Frame, kinds: &[&str]) -> Value {
    let kind = |kind: &&str| (kind.to_string(), json!({ "$ref": format!("#/properties/{kind}") }));
    json!({
        "type": "object",
        "description": frame.summary,
        "properties": kinds.iter().map(kind).collect::<Map<String, Value>>(),
        "additionalProperties": false,
    })
}

/// A section that a formula can leave out.
fn with_when(section: Value) -> Value {
    each_way(section, &|way| way["properties"][WHEN.name] = key_schema(&WHEN))
}

/// A section without some of its keys.
fn without(section: Value, keys: &[&str]) -> Value {
    each_way(section, &|way| {
        if let Some(properties) = way["properties"].as_object_mut() {
            properties.retain(|key, _| !keys.contains(&key.as_str()));
        }
        if let Some(required) = way["required"].as_array_mut() {
            required.retain(|key| key.as_str().is_none_or(|key| !keys.contains(&key)));
        }
    })
}

/// Changes a section, or each of its kinds.
fn each_way(mut section: Value, change: &dyn Fn(&mut Value)) -> Value {
    let ways = section.get_mut("oneOf").and_then(Value::as_array_mut);
    // Of a section without kinds they are which of its keys is given.
    match ways.filter(|ways| ways.iter().all(|way| way["type"] == "object")) {
        Some(ways) => ways.iter_mut().for_each(change),
        None => change(&mut section),
    }
    section
}

//! The JSON Schemas of scenes and of instruments, made from the same tables that read them: an editor
//! with it completes keys, shows what they are and underlines what is wrong.
//!
//! It accepts what the program accepts and refuses what the program refuses (`tests/schema_agrees`), but for what a
//! schema cannot express:
//!
//! - references: that a body, contact or file of this name exists, that a place lies on its body, that what is named has
//!   the quantity, obstacle or control that is asked for, and what a file holds;
//! - the values of texts: that `"2 mm"` has the dimension of its key, is in range or whole; units whose parentheses do not
//!   match or that stand after a second `/`; whether the value of a drive, whose unit depends on what it drives, has one;
//! - several values together: ascending pairs, decay times that fit together, a duration of at least one sample, contacts
//!   that overlap at the start, the `length` of measured modes that are sines, what the scheme covers and its stability limit.

mod definitions;
mod instrument;
mod rules;
mod section;

pub use instrument::instrument_schema;
pub use section::NAME;

use crate::resolve::{ROOT, frames};
use hamiltone_plan::Format;
use serde_json::{Map, Value, json};

/// The sections of which there must be one.
const SECTIONS: [&str; 2] = ["body", "pickup"];

/// The schema (draft 2020-12) of a scene.
pub fn schema() -> Value {
    let mut properties: Map<String, Value> =
        ROOT.iter().map(|key| (key.name.into(), section::key_schema(key))).collect();
    properties.insert(
        "hamiltone".into(),
        json!({ "enum": Format::ALL.map(Format::number), "description": "the format of the scene" }),
    );
    for frame in frames() {
        let mut sections = section::sections(&frame, section::section(&frame));
        if SECTIONS.contains(&frame.name) {
            sections["minProperties"] = json!(1);
        }
        properties.insert(frame.name.into(), sections);
    }
    json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "A scene of Hamiltone",
        "type": "object",
        "required": ["hamiltone", "run", SECTIONS[0], SECTIONS[1]],
        "additionalProperties": false,
        "properties": properties,
        "$defs": definitions::definitions(),
    })
}

//! The JSON Schema of scenes, made from the same tables that read them: an editor
//! with it completes keys, shows what they are and underlines what is wrong.

use crate::{
    catalogue::Category,
    resolve::{BALANCE_BOUND, Frame, Key, ROOT, frames},
};
use hamiltone_core::parameter::{Absent, Parameter, Range, Role, Table, Takes};
use serde_json::{Map, Value, json};

mod rules;

/// What a name is made of.
pub const NAME: &str = "^[A-Za-z0-9_-]+$";
/// Text that is a number with a unit.
pub const QUANTITY: &str = r"^\s*[-+]?[0-9._]+([eE][-+]?[0-9]+)?\s*\S";

/// The schema (draft 2020-12) of a scene.
pub fn schema() -> Value {
    let mut properties: Map<String, Value> =
        ROOT.iter().map(|key| (key.name.into(), key_schema(key))).collect();
    properties.insert("hamiltone".into(), json!({ "const": 1, "description": "the format of the scene" }));
    for frame in frames() {
        let section = section(&frame);
        let section = if frame.named {
            json!({
                "type": "object",
                "description": frame.summary,
                "propertyNames": { "pattern": NAME },
                "additionalProperties": section,
            })
        } else {
            section
        };
        properties.insert(frame.name.into(), section);
    }
    json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "A scene of Hamiltone",
        "type": "object",
        "required": ["hamiltone", "run", "body", "pickup"],
        "additionalProperties": false,
        "properties": properties,
    })
}

/// One section: as it is, or one of its kinds.
fn section(frame: &Frame) -> Value {
    let category = Category::ALL.into_iter().find(|category| category.place().0 == frame.name);
    let Some(category) = category else { return object(frame.summary, frame.keys, &frame.table(), &[]) };
    let key = category.place().1;
    let kinds = category.kinds().into_iter().map(|kind| {
        let own: Vec<Key> =
            frame.keys.iter().filter(|own| own.name != key && own.name != "options").copied().collect();
        let named = (key, json!({ "const": kind.name, "description": kind.summary }), true);
        if category == Category::Schemes {
            let parameters = [kind.parameters, &[BALANCE_BOUND]].concat();
            let table = Table { parameters: &parameters, rules: kind.rules };
            let options = object("the scheme's own parameters", &[], &table, &[]);
            object(kind.summary, &own, &frame.table(), &[named, ("options", options, false)])
        } else {
            let parameters = [kind.parameters, frame.parameters].concat();
            let rules = [kind.rules, frame.rules].concat();
            object(kind.summary, &own, &Table { parameters: &parameters, rules: &rules }, &[named])
        }
    });
    json!({ "oneOf": kinds.collect::<Vec<_>>() })
}

fn object(summary: &str, keys: &[Key], table: &Table<'_>, more: &[(&str, Value, bool)]) -> Value {
    let mut properties = Map::new();
    let mut required = Vec::new();
    let keys = keys.iter().map(|key| (key.name, key_schema(key), key.required));
    let parameters =
        table.parameters.iter().map(|p| (p.name, parameter_schema(p), matches!(p.absent, Absent::Required)));
    for (name, schema, needed) in more.iter().cloned().chain(keys).chain(parameters) {
        properties.insert(name.into(), schema);
        if needed {
            required.push(name);
        }
    }
    let mut schema = json!({
        "type": "object",
        "description": summary,
        "properties": properties,
        "required": required,
        "additionalProperties": false,
    });
    if !table.rules.is_empty() {
        schema["allOf"] = json!(rules::all(table));
    }
    schema
}

fn key_schema(key: &Key) -> Value {
    if key.example.starts_with('[') {
        let pair = json!({ "type": "string" });
        return json!({ "type": "array", "items": pair, "minItems": 2, "maxItems": 2, "description": key.doc });
    }
    json!({ "type": "string", "description": key.doc })
}

fn parameter_schema(parameter: &Parameter) -> Value {
    let mut schema = match parameter.takes {
        Takes::Number(role, range) => number(role, range),
        Takes::Numbers(role, range) => json!({ "type": "array", "items": number(role, range) }),
        Takes::Pairs(x, y) | Takes::Curve { x, y, .. } => {
            let pair = [number(x.0, x.1), number(y.0, y.1)];
            json!({ "type": "array", "items": { "type": "array", "prefixItems": pair, "minItems": 2, "maxItems": 2 } })
        }
        Takes::Word(words) => json!({ "enum": words }),
        Takes::File | Takes::Columns(_) => json!({ "type": "string" }),
        Takes::Table(inner) => object("", &[], &inner, &[]),
    };
    let unit = match parameter.takes {
        Takes::Number(role, _) | Takes::Numbers(role, _) if !role.symbol().is_empty() => {
            format!(" [{}]", role.symbol())
        }
        _ => String::new(),
    };
    schema["description"] = json!(format!("{}{unit}", parameter.doc));
    match parameter.absent {
        Absent::Number(x) => schema["default"] = json!(x),
        Absent::Word(word) => schema["default"] = json!(word),
        Absent::Required | Absent::Optional(_) | Absent::Rule => {}
    }
    schema
}

/// A plain number in range, or, where there is a unit, text that begins with a number.
fn number(role: Role, range: Range) -> Value {
    let mut plain = json!({ "type": if role.is_whole() { "integer" } else { "number" } });
    if range.min.is_finite() {
        plain[if range.open { "exclusiveMinimum" } else { "minimum" }] = json!(range.min);
    }
    if range.max.is_finite() {
        plain["maximum"] = json!(range.max);
    }
    if role.symbol().is_empty() {
        return plain;
    }
    json!({ "anyOf": [plain, { "type": "string", "pattern": QUANTITY }] })
}

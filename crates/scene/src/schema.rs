//! The JSON Schema of scenes, made from the same tables that read them: an editor
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

use crate::{
    catalogue::Category,
    note,
    resolve::{BALANCE_BOUND, Form, Format, Frame, Key, RESERVED, RESERVED_BUSES, ROOT, Sections, frames},
    units,
};
use hamiltone_core::parameter::{Absent, Parameter, Range, Role, Table, Takes};
use serde_json::{Map, Value, json};

mod rules;

/// The sections of which there must be one.
const SECTIONS: [&str; 2] = ["body", "pickup"];
/// What a name is made of.
pub const NAME: &str = "^[A-Za-z0-9_-]+$";

/// The schema (draft 2020-12) of a scene.
pub fn schema() -> Value {
    let mut properties: Map<String, Value> =
        ROOT.iter().map(|key| (key.name.into(), key_schema(key))).collect();
    properties.insert(
        "hamiltone".into(),
        json!({ "enum": Format::ALL.map(Format::number), "description": "the format of the scene" }),
    );
    for frame in frames() {
        let section = section(&frame);
        let section = match frame.sections {
            Sections::One => section,
            Sections::Listed => {
                json!({ "type": "array", "description": frame.summary, "items": section })
            }
            Sections::Named => {
                let more: &[&str] = if frame.name == "bus" { &RESERVED_BUSES } else { &[] };
                let reserved = [&RESERVED[..], more].concat();
                json!({
                    "type": "object",
                    "description": frame.summary,
                    "propertyNames": { "pattern": NAME, "not": { "enum": reserved } },
                    "additionalProperties": section,
                    "minProperties": usize::from(SECTIONS.contains(&frame.name)),
                })
            }
        };
        properties.insert(frame.name.into(), section);
    }
    json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "A scene of Hamiltone",
        "type": "object",
        "required": ["hamiltone", "run", SECTIONS[0], SECTIONS[1]],
        "additionalProperties": false,
        "properties": properties,
        "$defs": definitions(),
    })
}

/// The texts that several keys take.
fn definitions() -> Value {
    let (with_unit, any) = (units::pattern(false), units::pattern(true));
    let point = format!(r"\s*{any}(?:,\s*{any})?");
    let exponent = "(?:[eE][-+]?[0-9]+)?";
    let decibels = format!(r"(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+){exponent}");
    let zero = format!(r"(?:0+(?:\.0*)?|\.0+){exponent}");
    let text = |pattern: String| json!({ "type": "string", "pattern": pattern });
    json!({
        "quantity": text(format!(r"^\s*{with_unit}$")),
        "number": text(format!(r"^\s*{any}$")),
        "pitch": text(format!("^{}$", note::PATTERN)),
        "place": text(format!(r"^\s*[A-Za-z0-9_-]+\s*(?:@{point})?$")),
        "point": text(format!("^{point}$")),
        "level": text(format!(r"^\s*(?:raw|reference(?: \s*[-+]?{decibels}\s*dB)?|peak \s*(?:-{decibels}|\+?{zero})\s*dBFS|gain \s*[-+]?{decibels}\s*dB)\s*$")),
    })
}

/// A definition by its name.
fn definition(name: &str) -> Value {
    json!({ "$ref": format!("#/$defs/{name}") })
}

/// One section: as it is, or one of its kinds.
fn section(frame: &Frame) -> Value {
    let category = Category::ALL.into_iter().find(|category| category.place().0 == frame.name);
    let Some(category) = category else {
        return one_given(frame.one_of, object(frame.summary, frame.keys, &frame.table(), &[]));
    };
    let key = category.place().1;
    let own: Vec<Key> =
        frame.keys.iter().filter(|own| own.name != key && own.name != "options").copied().collect();
    let kinds = category.kinds().into_iter().map(|kind| {
        let named = (key, json!({ "const": kind.name, "description": kind.summary }), true);
        if category == Category::Schemes {
            let parameters = [kind.parameters, &[BALANCE_BOUND]].concat();
            let table = Table { parameters: &parameters, rules: kind.rules };
            let options = object("the scheme's own parameters", &[], &table, &[]);
            return object(kind.summary, &own, &frame.table(), &[named, ("options", options, false)]);
        }
        let parameters = [kind.parameters, frame.parameters].concat();
        let rules = [kind.rules, frame.rules].concat();
        let table = Table { parameters: &parameters, rules: &rules };
        match category.target(kind) {
            None => one_given(frame.one_of, object(kind.summary, &own, &table, &[named])),
            // Of the keys that name what it acts on it takes this one.
            Some(target) => {
                let takes = |own: &&Key| own.name == target || !frame.one_of.contains(&own.name);
                let needed = |own: &Key| Key { required: own.required || own.name == target, ..*own };
                let own: Vec<Key> = own.iter().filter(takes).map(needed).collect();
                object(kind.summary, &own, &table, &[named])
            }
        }
    });
    let mut ways: Vec<Value> = kinds.collect();
    if frame.keys.iter().any(|own| own.name == key && !own.required) {
        // None is named, and one is chosen.
        ways.push(object(frame.summary, &own, &frame.table(), &[]));
    }
    json!({ "oneOf": ways })
}

/// The object with exactly one of these keys, where there are any.
fn one_given(keys: &[&str], mut object: Value) -> Value {
    if !keys.is_empty() {
        let ways: Vec<Value> = keys.iter().map(|key| json!({ "required": [key] })).collect();
        object["oneOf"] = json!(ways);
    }
    object
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
    let pair = |name| json!({ "type": "array", "items": definition(name), "minItems": 2, "maxItems": 2 });
    let mut schema = match key.form {
        Form::Text => json!({ "type": "string" }),
        Form::Place => definition("place"),
        Form::Places => pair("place"),
        Form::Points => pair("point"),
        Form::Level => definition("level"),
    };
    schema["description"] = json!(key.doc);
    schema
}

fn parameter_schema(parameter: &Parameter) -> Value {
    let mut schema = match parameter.takes {
        Takes::Number(role, range) => number(role, range),
        Takes::Numbers(role, range) => {
            json!({ "type": "array", "items": number(role, range), "minItems": 1 })
        }
        Takes::Ratios(range, most) => {
            let item = number(Role::Number, range);
            json!({ "type": "array", "items": item, "minItems": 1, "maxItems": most })
        }
        Takes::Pitch => definition("pitch"),
        Takes::Pairs(x, y) => pairs(x, y, 1),
        Takes::Curve { x, y, least } => pairs(x, y, least),
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

/// At least so many pairs of numbers.
fn pairs(x: (Role, Range), y: (Role, Range), least: usize) -> Value {
    let pair = [number(x.0, x.1), number(y.0, y.1)];
    let pair = json!({ "type": "array", "prefixItems": pair, "minItems": 2, "maxItems": 2 });
    json!({ "type": "array", "items": pair, "minItems": least })
}

/// A plain number in range, or text that is a number with a unit. Where there is no unit, and for a drive, whose unit
/// depends on what it drives, the text may be a number alone.
fn number(role: Role, range: Range) -> Value {
    let mut plain = json!({ "type": if role.is_whole() { "integer" } else { "number" } });
    if range.min.is_finite() {
        plain[if range.open { "exclusiveMinimum" } else { "minimum" }] = json!(range.min);
    }
    if range.max.is_finite() {
        plain["maximum"] = json!(range.max);
    }
    if role == Role::Odd {
        plain["not"] = json!({ "multipleOf": 2 });
    }
    let alone = role.symbol().is_empty() || role == Role::Drive;
    json!({ "anyOf": [plain, definition(if alone { "number" } else { "quantity" })] })
}

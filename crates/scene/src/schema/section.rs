//! One section as a schema: its keys and parameters, those of each kind that it can name, and the rules between them.

use super::{
    definitions::definition,
    rules::{self, spellings},
};
use crate::{
    catalogue::Category,
    resolve::{BALANCE_BOUND, Form, Frame, Key, RESERVED, RESERVED_BUSES, Sections},
};
use hamiltone_core::parameter::{Absent, Parameter, Range, Role, Table, Takes};
use serde_json::{Map, Value, json};

/// What a name is made of.
pub const NAME: &str = "^[A-Za-z0-9_-]+$";

/// All sections of a frame, where one has this schema.
pub fn sections(frame: &Frame, section: Value) -> Value {
    match frame.sections {
        Sections::One | Sections::Copied => section,
        Sections::Listed => json!({ "type": "array", "description": frame.summary, "items": section }),
        Sections::Named => {
            let more: &[&str] = if frame.name == "bus" { &RESERVED_BUSES } else { &[] };
            let reserved = [&RESERVED[..], more].concat();
            json!({
                "type": "object",
                "description": frame.summary,
                "propertyNames": { "pattern": NAME, "not": { "enum": reserved } },
                "additionalProperties": section,
            })
        }
    }
}

/// One section: as it is, or one of its kinds.
pub fn section(frame: &Frame) -> Value {
    let category = Category::ALL.into_iter().find(|category| category.place().0 == frame.name);
    section_of(frame, category)
}

/// One section whose kinds are those of a category, if it has kinds.
pub fn section_of(frame: &Frame, category: Option<Category>) -> Value {
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

/// What a key takes.
pub fn key_schema(key: &Key) -> Value {
    let pair = |name| json!({ "type": "array", "items": definition(name), "minItems": 2, "maxItems": 2 });
    let mut schema = match key.form {
        Form::Text => json!({ "type": "string" }),
        Form::Place => definition("place"),
        Form::Places => pair("place"),
        Form::Points => pair("point"),
        Form::Level => definition("level"),
        Form::Names => json!({ "type": "array", "items": { "type": "string" }, "minItems": 1 }),
        Form::Keys => {
            let note = json!({ "type": ["string", "integer"] });
            json!({ "anyOf": [
                { "type": "string", "pattern": r"\.\." },
                { "type": "array", "items": note, "minItems": 1 },
            ] })
        }
        Form::Curve => {
            let pair = [json!({ "type": ["string", "number"] }), number(Role::Number, Range::ANY)];
            let pair = json!({ "type": "array", "prefixItems": pair, "minItems": 2, "maxItems": 2 });
            json!({ "type": "array", "items": pair, "minItems": 1 })
        }
        Form::Programs => json!({
            "type": "array",
            "items": { "type": "integer", "minimum": 0, "maximum": 127 },
            "minItems": 1,
            "uniqueItems": true,
        }),
        Form::Controller => json!({ "type": "integer", "minimum": 0, "maximum": 119 }),
        Form::Formula => json!({ "type": "string", "pattern": r"^\{.*\}$" }),
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
        Takes::Word(words) => {
            json!({ "enum": words.iter().flat_map(|word| spellings(word)).collect::<Vec<_>>() })
        }
        Takes::File | Takes::Columns(_) | Takes::Formula(_) => json!({ "type": "string" }),
        Takes::Constants(_) => {
            let any = json!({ "anyOf": [{ "type": "number" }, { "type": "string" }] });
            json!({ "type": "object", "additionalProperties": any })
        }
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
        Absent::Word(word) => schema["default"] = spellings(word).pop().into(),
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

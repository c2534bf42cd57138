//! The texts that several keys take, each a definition of the schema.

use crate::units;
use hamiltone_gestures::note;
use serde_json::{Value, json};

/// The texts that several keys take.
pub fn definitions() -> Value {
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
pub fn definition(name: &str) -> Value {
    json!({ "$ref": format!("#/$defs/{name}") })
}

/// The same, where texts may have formulas in braces; a level relative to the peak is none that can be played.
pub fn formulas(mut definitions: Value) -> Value {
    let formula = json!({ "type": "string", "pattern": r"^[^{}]*(?:\{[^{}]+\}[^{}]*)+$" });
    for definition in definitions.as_object_mut().into_iter().flat_map(|all| all.values_mut()) {
        *definition = json!({ "anyOf": [definition, formula] });
    }
    definitions["level"]["not"] = json!({ "pattern": r"^\s*peak" });
    definitions
}

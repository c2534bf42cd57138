//! Rules between parameters as JSON Schema.
//!
//! | rule | schema |
//! |---|---|
//! | one of several | anyOf: each alternative required without those of the others; or none of them, where none is needed |
//! | any of several | anyOf: required |
//! | all but one of several | anyOf: one left out, and of each other one of its parameters alone |
//! | a key of format 1 | anything: both keys are taken in every format |
//! | a needs b | not a, or b |
//! | a is unused beside b | not both, or what uses a |
//! | only with a word | not a, or the word, or no word where nothing is given that needs another |

use hamiltone_core::parameter::{Absent, OneOf, Rule, SWITCH, Table};
use serde_json::{Value, json};

/// A word as it can be written: of a parameter that is on or off also without quotes.
pub fn spellings(word: &str) -> Vec<Value> {
    let switch = (word == SWITCH[0] || word == SWITCH[1]).then(|| json!(word == SWITCH[1]));
    [json!(word)].into_iter().chain(switch).collect()
}

/// The rules of a table, each as a schema that its object must satisfy.
pub fn all(table: &Table<'_>) -> Vec<Value> {
    table.rules.iter().map(|rule| rule_schema(rule, table)).collect()
}

fn rule_schema(rule: &Rule, table: &Table<'_>) -> Value {
    let mut schema = match rule {
        Rule::OneOf(group) => one_of(group, table),
        Rule::AnyOf(names) => any(names),
        Rule::AllButOne(groups) => all_but_one(groups),
        Rule::Formerly { .. } => json!({}),
        Rule::Needs { parameter, needs } => {
            either(not(given(parameter)), json!({ "required": without_default(needs, table) }))
        }
        Rule::Unused { parameter, beside, unless } => {
            let both = not(json!({ "required": [parameter, beside] }));
            unless.map_or(both.clone(), |unless| either(both, given(unless)))
        }
        Rule::OnlyWith { parameters, key, word } => {
            let none = |paths: &[&str]| paths.iter().map(|path| not(given(path))).collect::<Vec<Value>>();
            // A word that is not given follows from the parameters that need one.
            let others = |other: &Rule| match *other {
                Rule::OnlyWith { parameters, key: same, word: another }
                    if same == *key && another != *word =>
                {
                    none(parameters)
                }
                _ => Vec::new(),
            };
            let mut open = vec![not(given(key))];
            open.extend(table.rules.iter().flat_map(others));
            let stated = json!({ "properties": { *key: { "enum": spellings(word) } }, "required": [key] });
            json!({ "anyOf": [{ "allOf": none(parameters) }, stated, { "allOf": open }] })
        }
    };
    schema["description"] = json!(rule.sentence(table.parameters));
    schema
}

/// One alternative alone, or none where none is needed.
fn one_of(group: &OneOf, table: &Table<'_>) -> Value {
    let alone = |names: &&[&'static str]| {
        let others: Vec<&str> = group.names().filter(|name| !names.contains(name)).collect();
        json!({ "required": without_default(names, table), "allOf": [any(names), not(any(&others))] })
    };
    let mut ways: Vec<Value> = group.alternatives.iter().map(alone).collect();
    if !group.required {
        ways.push(not(any(&group.names().collect::<Vec<_>>())));
    }
    json!({ "anyOf": ways })
}

/// One group left out, and of each other one parameter alone.
fn all_but_one(groups: &[&[&str]]) -> Value {
    let alone = |names: &[&str]| -> Value {
        let way = |name: &&str| {
            let others = names.iter().filter(|other| *other != name).map(|other| not(given(other)));
            json!({ "allOf": std::iter::once(given(name)).chain(others).collect::<Vec<Value>>() })
        };
        json!({ "anyOf": names.iter().map(way).collect::<Vec<Value>>() })
    };
    let without = |left: usize| {
        let part = |(i, names): (usize, &&[&str])| if i == left { not(any(names)) } else { alone(names) };
        json!({ "allOf": groups.iter().enumerate().map(part).collect::<Vec<Value>>() })
    };
    json!({ "anyOf": (0..groups.len()).map(without).collect::<Vec<Value>>() })
}

/// Those that must be given where the others are: a default stands in for the rest.
fn without_default<'n>(names: &[&'n str], table: &Table<'_>) -> Vec<&'n str> {
    let default = |name: &str| {
        table.find(name).is_some_and(|p| matches!(p.absent, Absent::Number(_) | Absent::Word(_)))
    };
    names.iter().copied().filter(|name| !default(name)).collect()
}

/// A parameter is given; a path such as `loss.quality` looks into tables.
fn given(path: &str) -> Value {
    match path.split_once('.') {
        None => json!({ "required": [path] }),
        Some((table, rest)) => json!({ "required": [table], "properties": { table: given(rest) } }),
    }
}

fn any(names: &[&str]) -> Value {
    json!({ "anyOf": names.iter().map(|name| given(name)).collect::<Vec<_>>() })
}

fn either(a: Value, b: Value) -> Value {
    json!({ "anyOf": [a, b] })
}

fn not(schema: Value) -> Value {
    json!({ "not": schema })
}

//! The dotted path of the key or the value at a byte of a TOML text, such as `contact.felt.gap`, for programs that
//! report problems by field.

use std::ops::Range;
use toml::de::{DeTable, DeValue};

/// The path of the innermost key or value at `offset`; empty where there is none.
pub fn at(text: &str, offset: usize) -> String {
    let (table, _) = DeTable::parse_recoverable(text);
    let mut path = Vec::new();
    if in_table(table.get_ref(), offset, &mut path) { path.join(".") } else { String::new() }
}

/// Goes into the entry of a table at `offset`, and tells whether there is one.
fn in_table(table: &DeTable<'_>, offset: usize, path: &mut Vec<String>) -> bool {
    for (key, value) in table {
        path.push(key.get_ref().to_string());
        if in_value(value.get_ref(), offset, path)
            || contains(&key.span(), offset)
            || contains(&value.span(), offset)
        {
            return true;
        }
        path.pop();
    }
    false
}

/// The same of the parts of a value.
fn in_value(value: &DeValue<'_>, offset: usize, path: &mut Vec<String>) -> bool {
    match value {
        DeValue::Table(table) => in_table(table, offset, path),
        DeValue::Array(list) => list.iter().enumerate().any(|(i, entry)| {
            path.push(i.to_string());
            let found = in_value(entry.get_ref(), offset, path) || contains(&entry.span(), offset);
            if !found {
                path.pop();
            }
            found
        }),
        _ => false,
    }
}

fn contains(span: &Range<usize>, offset: usize) -> bool {
    span.contains(&offset)
}

#[cfg(test)]
mod tests {
    use super::at;

    #[test]
    fn keys_and_values_have_their_paths() {
        let text = "run.duration = \"1 s\"\n[body.string]\nloss = { t60 = [[\"80 Hz\", 4]] }\n[[score]]\nat = 1\n[[score]]\nat = 2\n";
        for (part, path) in [
            ("duration", "run.duration"),
            ("\"1 s\"", "run.duration"),
            ("string", "body.string"),
            ("t60", "body.string.loss.t60"),
            ("\"80 Hz\"", "body.string.loss.t60.0.0"),
            ("2", "score.1.at"),
        ] {
            let offset = if part == "2" { text.rfind('2') } else { text.find(part) };
            assert_eq!(at(text, offset.unwrap()), path, "{part}");
        }
        assert_eq!(at("# nothing\n", 3), "");
        assert_eq!(at("a = ", 0), "a");
    }
}

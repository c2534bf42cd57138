//! One change of a document: the value at a path such as `contact.felt.gap`, or `note_on.0.speed` in the first entry of a list.

use super::set::Set;
use std::ops::Range;
use toml::de::{DeTable, DeValue};
use toml_edit::{DocumentMut, Item, Key, Table, TableLike, Value};

/// What a part of a path leads to.
enum Node<'a> {
    Table(&'a mut dyn TableLike),
    Item(&'a mut Item),
    Value(&'a mut Value),
}

/// Makes one change and returns the path it went to. Tables that are not there are added; entries of lists are not.
pub fn put(document: &mut DocumentMut, set: &Set) -> Result<Vec<String>, String> {
    let keys = Key::parse(&set.path).map_err(|_| {
        format!("`{}` is no path: write names with dots between, such as run.duration", set.path)
    })?;
    let path: Vec<String> = keys.iter().map(|key| key.get().to_string()).collect();
    let value = set.value.parse::<Value>().unwrap_or_else(|_| Value::from(set.value.as_str()));
    let mut node = Node::Table(document.as_table_mut());
    for (depth, name) in path.iter().enumerate() {
        let new = || {
            if depth + 1 == path.len() {
                return Item::Value(value.clone());
            }
            let mut table = Table::new();
            table.set_implicit(true);
            Item::Table(table)
        };
        let entry = match node {
            Node::Table(table) => Ok(Node::Item(table.entry(name).or_insert_with(new))),
            Node::Item(Item::Table(table)) => Ok(Node::Item(table.entry(name).or_insert_with(new))),
            Node::Item(Item::ArrayOfTables(list)) => entry(name, list.len())
                .and_then(|at| list.get_mut(at).map(|table| Node::Table(table)).ok_or_else(String::new)),
            Node::Item(Item::Value(Value::Array(list))) | Node::Value(Value::Array(list)) => {
                entry(name, list.len())
                    .and_then(|at| list.get_mut(at).map(Node::Value).ok_or_else(String::new))
            }
            Node::Item(Item::Value(Value::InlineTable(table))) | Node::Value(Value::InlineTable(table)) => {
                let table: &mut dyn TableLike = table;
                Ok(Node::Item(table.entry(name).or_insert_with(new)))
            }
            Node::Item(_) | Node::Value(_) => Err("not a table of the scene".into()),
        };
        node = entry.map_err(|why| {
            let parent = depth.checked_sub(1).map_or("", |last| path[last].as_str());
            format!("`{parent}` in `{}` is {why}", set.path)
        })?;
    }
    let old = match node {
        Node::Item(Item::ArrayOfTables(list)) => {
            let last = list.len().saturating_sub(1);
            return Err(format!(
                "`{0}` is a list of sections, not a value: change a key of an entry from 0 to {last}, as {0}.0.KEY",
                set.path
            ));
        }
        Node::Item(item) => item.as_value_mut(),
        Node::Value(value) => Some(value),
        Node::Table(_) => None,
    };
    let old = old.ok_or_else(|| {
        format!("`{0}` is a table, not a value: change one of its keys, as {0}.KEY", set.path)
    })?;
    let decor = old.decor().clone();
    *old = value;
    *old.decor_mut() = decor;
    Ok(path)
}

/// The number of an entry in a list of this length.
fn entry(name: &str, length: usize) -> Result<usize, String> {
    let plain = !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_digit());
    match name.parse::<usize>() {
        Ok(at) if plain && at < length => Ok(at),
        _ if length == 0 => Err(format!("a list without entries: there is no entry `{name}`")),
        _ => Err(format!(
            "a list: in place of `{name}` write the number of an entry, from 0 to {}",
            length - 1
        )),
    }
}

/// Where a path is in a text.
#[derive(Clone, Debug)]
pub struct Placed {
    /// The spans of its keys; of an entry of a list that of the entry.
    pub keys: Vec<Range<usize>>,
    /// The span of its value.
    pub value: Range<usize>,
}

/// The spans of the keys and the value at a path.
pub fn find(table: &DeTable<'_>, path: &[String]) -> Option<Placed> {
    let (first, rest) = path.split_first()?;
    let (key, mut value) = table.get_key_value(first.as_str())?;
    let mut keys = vec![key.span()];
    for name in rest {
        match value.get_ref() {
            DeValue::Table(inner) => {
                let (key, inner) = inner.get_key_value(name.as_str())?;
                keys.push(key.span());
                value = inner;
            }
            DeValue::Array(list) => {
                value = list.get(name.parse::<usize>().ok()?)?;
                keys.push(value.span());
            }
            _ => return None,
        }
    }
    Some(Placed { keys, value: value.span() })
}

#[cfg(test)]
mod tests {
    use super::*;

    const FILE: &str = "a = [[100, 1], [200, 2]] # b\n[[score]]\ntime = 1\n\n[[score]]\ntime = 2 # late\nloss = { t = [3, 4] }\n";

    fn with(set: &str) -> Result<String, String> {
        let mut document = FILE.parse::<DocumentMut>().unwrap();
        let set = Set::parse(set).unwrap();
        let path = put(&mut document, &set)?;
        let text = document.to_string();
        let (table, _) = DeTable::parse_recoverable(&text);
        let placed = find(table.get_ref(), &path).unwrap();
        // What was put is found again.
        assert_eq!(text[placed.value].trim_matches('"'), set.value.trim_matches('"'));
        Ok(text)
    }

    #[test]
    fn entries_of_lists_are_changed() {
        for (set, from, to) in [
            ("score.1.time=5", "time = 2", "time = 5"),
            ("score.0.time=2 s", "time = 1", "time = \"2 s\""),
            ("score.0.at=\"x\"", "time = 1\n", "time = 1\nat = \"x\"\n"),
            ("score.1.loss.t.0=7", "t = [3, 4]", "t = [7, 4]"),
            ("a.1.0=250", "[200, 2]", "[250, 2]"),
            ("a.0=[1, 1]", "[100, 1]", "[1, 1]"),
            ("a=[]", "[[100, 1], [200, 2]]", "[]"),
        ] {
            assert_eq!(with(set), Ok(FILE.replacen(from, to, 1)), "{set}");
        }
    }

    #[test]
    fn what_is_no_entry_is_refused_with_those_that_are() {
        for (set, says) in [
            (
                "score.2.time=1",
                "`score` in `score.2.time` is a list: in place of `2` write the number of an entry, from 0 to 1",
            ),
            ("score.time=1", "in place of `time`"),
            ("score.-1.time=1", "from 0 to 1"),
            ("a.2=1", "`a` in `a.2` is a list"),
            ("a.0.2=1", "`0` in `a.0.2` is a list"),
            ("a.0.0.0=1", "`0` in `a.0.0.0` is not a table"),
            ("score.0=1", "`score.0` is a table, not a value: change one of its keys, as score.0.KEY"),
            ("score=1", "`score` is a list of sections, not a value: change a key of an entry from 0 to 1"),
        ] {
            let refused = with(set).unwrap_err();
            assert!(refused.contains(says), "{set}: {refused}");
        }
    }
}

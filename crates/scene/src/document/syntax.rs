//! The scene as TOML: every syntax error at once, and keys that are given twice with both their lines.

use super::{lines::Lines, problem::Problem};
use std::{collections::BTreeMap, ops::Range};
use toml::{
    Spanned,
    de::{DeTable, DeValue},
};

/// How many places are shown where a text is not TOML.
const MAX_SHOWN: usize = 10;

/// The document, unless its syntax is too broken to go on; a key given twice leaves the rest readable.
pub fn parse<'a>(text: &'a str, problems: &mut Vec<Problem>) -> Option<Spanned<DeTable<'a>>> {
    let (document, errors) = DeTable::parse_recoverable(text);
    let (twice, broken): (Vec<_>, Vec<_>) = errors.iter().partition(|e| e.message() == "duplicate key");
    let given = if twice.is_empty() { Given::default() } else { Given::new(text, document.get_ref()) };
    let lines = Lines::new(text);
    let mut repeated_section: Option<Range<usize>> = None;
    for error in &twice {
        let span = error.span().unwrap_or_default();
        // Keys of a repeated section are merged into the first one's and would be reported again.
        if repeated_section.as_ref().is_some_and(|section| section.contains(&span.start)) {
            continue;
        }
        let name = text.get(span.clone()).unwrap_or_default();
        let line = text[..span.start].rfind('\n').map_or(0, |i| i + 1);
        let header = text[line..].trim_start().starts_with('[');
        if header {
            let end = text[span.end..].find("\n[").map_or(text.len(), |i| span.end + i);
            repeated_section = Some(span.start..end);
        }
        let what = if header { header_text(text, line) } else { name };
        let problem = Problem::new(format!("`{what}` is given twice"), span.clone(), "again here");
        let first = if header { given.header(what, line) } else { given.key(name, span.start) };
        problems.push(match first {
            Some(first) => {
                let (line, _) = lines.of(first.start);
                problem
                    .and(first, "first here")
                    .help(format!("it is on line {line} already: remove one, or give it another name"))
            }
            None => problem.help("remove one, or give it another name"),
        });
    }
    for error in broken.iter().take(MAX_SHOWN) {
        let message = format!("this is not TOML: {}", error.message());
        let quotes = error.message().contains("must be quoted");
        let help =
            if quotes { "put text, and numbers with units, in quotes, such as \"0.24 mm\"" } else { "" };
        problems.push(Problem::new(message, error.span().unwrap_or_default(), "here").help(help));
    }
    if let Some(next) = broken.get(MAX_SHOWN) {
        let more = broken.len() - MAX_SHOWN;
        let message = format!("and {more} more places are not TOML: is this a scene at all?");
        problems.push(Problem::new(message, next.span().unwrap_or_default(), "here"));
    }
    broken.is_empty().then_some(document)
}

/// `contact.felt` of a line `[contact.felt]`.
fn header_text(text: &str, line: usize) -> &str {
    let inner = text[line..].trim_start().trim_start_matches('[');
    inner[..inner.find([']', '\n']).unwrap_or(inner.len())].trim()
}

/// Where everything was given first.
#[derive(Default)]
struct Given<'a> {
    /// The first line with each header.
    headers: BTreeMap<&'a str, Range<usize>>,
    /// The keys of each name, in the order of the text.
    keys: BTreeMap<String, Vec<Range<usize>>>,
}

impl<'a> Given<'a> {
    fn new(text: &'a str, document: &DeTable<'_>) -> Self {
        let mut given = Self::default();
        let mut start = 0;
        for line in text.split_inclusive('\n') {
            if line.trim_start().starts_with('[') {
                let span = start..start + line.trim_end().len();
                given.headers.entry(header_text(text, start)).or_insert(span);
            }
            start += line.len();
        }
        given.add_keys(document);
        given.keys.values_mut().for_each(|spans| spans.sort_by_key(|span| span.start));
        given
    }

    fn add_keys(&mut self, table: &DeTable<'_>) {
        for (key, value) in table {
            self.keys.entry(key.get_ref().to_string()).or_default().push(key.span());
            if let DeValue::Table(inner) = value.get_ref() {
                self.add_keys(inner);
            }
        }
    }

    /// The first line with this header, where it lies before `before`.
    fn header(&self, header: &str, before: usize) -> Option<Range<usize>> {
        self.headers.get(header).filter(|line| line.start < before).cloned()
    }

    /// The last key of this name before `before`: within its section, the first one.
    fn key(&self, name: &str, before: usize) -> Option<Range<usize>> {
        let spans = self.keys.get(name)?;
        let next = spans.partition_point(|span| span.start < before);
        next.checked_sub(1).map(|i| spans[i].clone())
    }
}

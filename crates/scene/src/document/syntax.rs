//! The scene as TOML: every syntax error at once, and keys that are given twice with both their lines.

use super::{problem::Problem, text::line_and_column};
use std::ops::Range;
use toml::{
    Spanned,
    de::{DeTable, DeValue},
};

/// How many places are shown where a text is not TOML.
const MOST: usize = 10;

/// The document, unless its syntax is too broken to go on; a key given twice leaves the rest readable.
pub fn parse<'a>(text: &'a str, problems: &mut Vec<Problem>) -> Option<Spanned<DeTable<'a>>> {
    let (document, errors) = DeTable::parse_recoverable(text);
    let (twice, broken): (Vec<_>, Vec<_>) = errors.iter().partition(|e| e.message() == "duplicate key");
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
        let first = if header {
            first_header(text, what, line)
        } else {
            first_key(document.get_ref(), name, span.start)
        };
        problems.push(match first {
            Some(first) => {
                let (line, _) = line_and_column(text, first.start);
                problem
                    .and(first, "first here")
                    .help(format!("it is on line {line} already: remove one, or give it another name"))
            }
            None => problem.help("remove one, or give it another name"),
        });
    }
    for error in broken.iter().take(MOST) {
        let message = format!("this is not TOML: {}", error.message());
        let quotes = error.message().contains("must be quoted");
        let help =
            if quotes { "put text, and numbers with units, in quotes, such as \"0.24 mm\"" } else { "" };
        problems.push(Problem::new(message, error.span().unwrap_or_default(), "here").help(help));
    }
    if let Some(next) = broken.get(MOST) {
        let more = broken.len() - MOST;
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

/// The first line with the same header.
fn first_header(text: &str, header: &str, before: usize) -> Option<Range<usize>> {
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        if start < before && line.trim_start().starts_with('[') && header_text(text, start) == header {
            return Some(start..start + line.trim_end().len());
        }
        start += line.len();
    }
    None
}

/// The last key of this name before `before`: within its section, the first one.
fn first_key(table: &DeTable<'_>, name: &str, before: usize) -> Option<Range<usize>> {
    let mut found: Option<Range<usize>> = None;
    for (key, value) in table {
        let inner = match value.get_ref() {
            DeValue::Table(inner) => first_key(inner, name, before),
            _ => None,
        };
        let own = (key.get_ref() == name && key.span().start < before).then(|| key.span());
        found = [found, own, inner].into_iter().flatten().max_by_key(|span| span.start);
    }
    found
}

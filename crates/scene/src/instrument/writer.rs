//! The text of a scene, written from pieces of an instrument's text, with where each piece comes from.
//!
//! What stands in braces within a string is a formula, and its value is written in its place; the exact decimal number of an f64
//! is read back as the same f64. Names of things that are copied get the suffix of their copy.

use super::{
    formula::{Environment, evaluate},
    sink::Sink,
};
use crate::document::{expanded::Expanded, problem::Problem};
use std::ops::Range;

/// How much of a formula a message shows.
const MAX_SHOWN: usize = 200;

/// The text so far.
pub struct Writer<'a, 's> {
    source: &'a str,
    expanded: Expanded,
    /// What is wrong with formulas, at their places in the source, and the work.
    pub sink: &'a mut Sink<'s>,
}

/// How the values of a copy are written.
#[derive(Clone, Copy)]
pub struct Copying<'a> {
    /// What formulas know.
    pub environment: &'a dyn Environment,
    /// The name that a copied thing has in this copy; `None` of what is not copied.
    pub rename: &'a dyn Fn(&str) -> Option<String>,
    /// The names that a thing has on all frets of this string, where it is copied for each.
    pub frets: &'a dyn Fn(&str) -> Option<Vec<String>>,
}

/// What names at the beginning of strings become.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Names {
    /// They are none, and stay.
    None,
    /// Those of the copy.
    OfCopy,
    /// Those of the copy, or in a list of a string those of all its frets.
    OfFrets,
}

impl<'a, 's> Writer<'a, 's> {
    /// Nothing is written yet.
    pub fn new(source: &'a str, sink: &'a mut Sink<'s>) -> Self {
        Self { source, expanded: Expanded::default(), sink }
    }

    /// The whole text.
    pub fn finish(self) -> Expanded {
        self.expanded
    }

    /// The text so far; what follows begins another.
    pub fn take(&mut self) -> Expanded {
        std::mem::take(&mut self.expanded)
    }

    /// Adds a text that stands for a piece of the source.
    pub fn put(&mut self, text: &str, source: Range<usize>) {
        self.sink.work(text.len());
        self.expanded.push(text, source);
    }

    /// Adds what another writer of the same source has written.
    pub fn append(&mut self, written: &Expanded) {
        self.expanded.append(written);
    }

    /// Adds a piece of the source as it is.
    pub fn copy(&mut self, source: Range<usize>) {
        let text = &self.source[source.clone()];
        self.sink.work(text.len());
        self.expanded.push(text, source);
    }

    /// Adds a value, the formulas in its strings evaluated, and the names at the beginning of its strings.
    pub fn value(&mut self, value: Range<usize>, copying: Copying<'_>, names: Names) {
        let (text, mut at) = (&self.source[value.clone()], 0);
        while let Some(found) = text[at..].find(['"', '\'', '#']) {
            let begin = at + found;
            self.copy(value.start + at..value.start + begin);
            let (token, rest) = (text.as_bytes()[begin], &text[begin..]);
            let end = match token {
                b'#' => rest.find('\n').unwrap_or(rest.len()),
                _ if is_multiline(rest) => rest[3..].find(&rest[..3]).map_or(rest.len(), |end| end + 6),
                b'"' => end_of_string(rest),
                _ => rest[1..].find('\'').map_or(rest.len(), |end| end + 2),
            };
            let whole = value.start + begin..value.start + begin + end;
            if token == b'#' || is_multiline(rest) || end < 2 {
                self.copy(whole);
            } else {
                self.string(whole, copying, names);
            }
            at = begin + end;
        }
        self.copy(value.start + at..value.end);
    }

    /// Adds a string with its quotes.
    fn string(&mut self, whole: Range<usize>, copying: Copying<'_>, names: Names) {
        let inner = whole.start + 1..whole.end - 1;
        let mut pieces: Vec<(String, Range<usize>)> = Vec::new();
        let mut at = inner.start;
        while let Some(open) = self.source[at..inner.end].find('{').map(|found| at + found) {
            pieces.push((self.source[at..open].into(), at..open));
            let Some(close) = self.source[open..inner.end].find('}').map(|found| open + found) else {
                let problem =
                    Problem::new("a `}` is missing behind this `{`", open..open + 1, "opens a formula");
                self.sink.problem(problem.help("write a formula such as {2*key}"));
                return;
            };
            let formula = &self.source[open + 1..close];
            self.sink.work(formula.len());
            match evaluate(formula, copying.environment) {
                Ok(number) => pieces.push((number.to_string(), open..close + 1)),
                Err(wrong) => {
                    // The end of a formula is its brace.
                    let place = open + 1 + wrong.at.min(formula.len());
                    let length = self.source[place..].chars().next().map_or(0, char::len_utf8);
                    let shown: String = formula.chars().take(MAX_SHOWN).collect();
                    let more = if shown.len() < formula.len() { "…" } else { "" };
                    let message = format!("the formula `{shown}{more}`: {}", wrong.message);
                    self.sink.problem(Problem::new(message, place..place + length, "").help(wrong.help));
                    return;
                }
            }
            at = close + 1;
        }
        pieces.push((self.source[at..inner.end].into(), at..inner.end));
        if names != Names::None {
            let all: String = pieces.iter().map(|(text, _)| text.as_str()).collect();
            let name = all.split('@').next().unwrap_or_default();
            let frets = if names == Names::OfFrets { (copying.frets)(name.trim()) } else { None };
            if let Some(frets) = frets {
                let list: Vec<String> = frets.iter().map(|name| format!("{name:?}")).collect();
                self.put(&list.join(", "), whole);
                return;
            }
            if let Some(renamed) = (copying.rename)(name.trim()) {
                pieces = vec![(format!("{renamed}{}", &all[name.len()..]), inner)];
            }
        }
        self.copy(whole.start..whole.start + 1);
        pieces.into_iter().for_each(|(text, source)| self.put(&text, source));
        self.copy(whole.end - 1..whole.end);
    }
}

fn is_multiline(text: &str) -> bool {
    text.starts_with("\"\"\"") || text.starts_with("'''")
}

/// Where a string in double quotes ends that `text` begins with.
fn end_of_string(text: &str) -> usize {
    let mut escaped = false;
    for (at, c) in text.char_indices().skip(1) {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '"' => return at + 1,
            _ => {}
        }
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::limits::Limits;

    struct Twelve;

    impl Environment for Twelve {
        fn value(&self, name: &str) -> Option<f64> {
            (name == "n").then_some(12.0)
        }
        fn function(&self, _: &str, _: &[f64]) -> Option<f64> {
            None
        }
        fn names(&self) -> Vec<String> {
            vec!["n".into()]
        }
    }

    fn written(source: &str, names: Names) -> Result<String, Vec<Problem>> {
        let limits = Limits::default();
        let mut sink = Sink::new(&limits);
        let mut writer = Writer::new(source, &mut sink);
        let rename = |name: &str| (name == "hammer").then(|| "hammer-60".to_string());
        let frets =
            |name: &str| (name == "pipe").then(|| vec!["pipe-1-1".to_string(), "pipe-1-2".to_string()]);
        let copying = Copying { environment: &Twelve, rename: &rename, frets: &frets };
        writer.value(0..source.len(), copying, names);
        let text = writer.finish().text().to_string();
        let problems = sink.into_problems();
        if problems.is_empty() { Ok(text) } else { Err(problems) }
    }

    #[test]
    fn formulas_and_names_are_replaced_in_strings_alone() {
        for (source, names, expected) in [
            (r#""{n/8} mm""#, Names::None, r#""1.5 mm""#),
            (
                r#"["hammer", 'hammer@{n}', "a@hammer"]"#,
                Names::OfCopy,
                r#"["hammer-60", 'hammer-60@12', "a@hammer"]"#,
            ),
            (r#""hammer""#, Names::None, r#""hammer""#),
            ("{ a = \"{n}\" } # it's {n}\n", Names::None, "{ a = \"12\" } # it's {n}\n"),
            (r#""a \" {n}""#, Names::None, r#""a \" 12""#),
            ("3.5", Names::None, "3.5"),
            ("\"\"\"{n}\"\"\"", Names::None, "\"\"\"{n}\"\"\""),
            (r#"["hammer", "pipe"]"#, Names::OfFrets, r#"["hammer-60", "pipe-1-1", "pipe-1-2"]"#),
        ] {
            assert_eq!(written(source, names).unwrap(), expected);
        }
    }

    #[test]
    fn what_is_wrong_stands_at_its_place() {
        for (source, at) in [(r#""a {n + } mm""#, 8), (r#""a {n mm""#, 3), (r#""{x}""#, 2)] {
            let problems = written(source, Names::None).unwrap_err();
            let crate::document::problem::Place::Text(span) = &problems[0].labels[0].place else { panic!() };
            assert_eq!(span.start, at, "{source}: {problems:?}");
        }
    }
}

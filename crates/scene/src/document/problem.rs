//! What is wrong with a scene, and how it is shown.
//!
//! A reader collects every problem before it gives up. Each has a place, a sentence
//! with the offending value and the allowed range, and what to write instead.
//! [`Diagnostics`] prints one line a problem (`file:line:column: …`); through
//! [`Diagnostics::reports`] a program can show the underlined source.

use super::text::{Origin, SceneText, Set};
use miette::{LabeledSpan, NamedSource, SourceSpan};
use std::{fmt, ops::Range};

/// One thing that is wrong.
#[derive(Clone, Debug, PartialEq)]
pub struct Problem {
    /// What is wrong.
    pub message: String,
    /// Where, in the text with its changes or on the command line; the first is the place, others explain.
    pub labels: Vec<Label>,
    /// What to write instead.
    pub help: String,
}

/// A place with a remark.
#[derive(Clone, Debug, PartialEq)]
pub struct Label {
    place: Place,
    remark: String,
}

#[derive(Clone, Debug, PartialEq)]
enum Place {
    Text(Range<usize>),
    CommandLine(usize, Range<usize>),
}

impl Problem {
    /// A problem at `span` of the scene's text.
    pub fn new(message: impl Into<String>, span: Range<usize>, remark: impl Into<String>) -> Self {
        let label = Label { place: Place::Text(span), remark: remark.into() };
        Self { message: printable(&message.into()), labels: vec![label], help: String::new() }
    }

    /// A problem with a change itself.
    pub fn on_command_line(index: usize, set: &Set, message: String) -> Self {
        let place = Place::CommandLine(index, 0..set.shown.len());
        let labels = vec![Label { place, remark: String::new() }];
        Self { message: printable(&message), labels, help: String::new() }
    }

    /// The same, with what to write instead.
    #[must_use]
    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.help = printable(&help.into());
        self
    }

    /// The same, with a second place.
    #[must_use]
    pub fn and(mut self, span: Range<usize>, remark: impl Into<String>) -> Self {
        self.labels.push(Label { place: Place::Text(span), remark: remark.into() });
        self
    }
}

/// A text with its control characters escaped: names and values of a scene may hold any, and none
/// may reach a terminal.
pub fn printable(text: &str) -> String {
    let escaped = |c: char| if c.is_control() { c.escape_default().to_string() } else { c.to_string() };
    text.chars().map(escaped).collect()
}

/// Everything that is wrong with a scene.
#[derive(Clone, Debug)]
pub struct Diagnostics {
    text: Box<SceneText>,
    /// The problems, in the order of the text.
    pub problems: Vec<Problem>,
}

impl Diagnostics {
    /// The problems of a text.
    pub fn new(text: SceneText, mut problems: Vec<Problem>) -> Self {
        problems.sort_by_key(|p| match &p.labels[0].place {
            Place::CommandLine(i, _) => (0, *i),
            Place::Text(span) => (1, span.start),
        });
        Self { text: Box::new(text), problems }
    }

    /// Each problem with its source, for a renderer of `miette` diagnostics.
    pub fn reports(&self) -> impl Iterator<Item = Report> + '_ {
        self.problems.iter().map(|problem| Report::new(&self.text, problem))
    }
}

impl fmt::Display for Diagnostics {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let lines: Vec<String> = self.problems.iter().map(|problem| one_line(&self.text, problem)).collect();
        f.write_str(&lines.join("\n"))
    }
}

impl std::error::Error for Diagnostics {}

/// A problem as `file:line:column: message; help`.
pub fn one_line(text: &SceneText, problem: &Problem) -> String {
    let place = Report::new(text, problem).place;
    let help = if problem.help.is_empty() { String::new() } else { format!("; {}", problem.help) };
    format!("{place}: {}{help}", problem.message)
}

/// One problem with the source it stands in.
#[derive(Debug)]
pub struct Report {
    problem: Problem,
    place: String,
    source: NamedSource<String>,
    labels: Vec<(Range<usize>, String)>,
}

impl Report {
    fn new(text: &SceneText, problem: &Problem) -> Self {
        let origin = |label: &Label| match &label.place {
            Place::Text(span) => text.origin(span),
            Place::CommandLine(i, span) => Origin::Set(*i, span.clone()),
        };
        let origins: Vec<Origin> = problem.labels.iter().map(origin).collect();
        let (name, source, place) = match &origins[0] {
            Origin::File(span) => {
                let (line, column) = line_and_column(&text.file, span.start);
                (text.name.as_str(), text.file.clone(), format!("{}:{line}:{column}", text.name))
            }
            Origin::Set(i, _) => ("command line", text.sets[*i].shown.clone(), text.sets[*i].shown.clone()),
        };
        let beside = |origin: &Origin| match (origin, &origins[0]) {
            (Origin::File(span), Origin::File(_)) => Some(span.clone()),
            (Origin::Set(i, span), Origin::Set(j, _)) if i == j => Some(span.clone()),
            _ => None,
        };
        let labels = problem.labels.iter().zip(&origins);
        let labels =
            labels.filter_map(|(label, origin)| Some((beside(origin)?, label.remark.clone()))).collect();
        Self { problem: problem.clone(), place, source: NamedSource::new(name, source), labels }
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.problem.message)
    }
}

impl std::error::Error for Report {}

impl miette::Diagnostic for Report {
    fn help<'a>(&'a self) -> Option<Box<dyn fmt::Display + 'a>> {
        (!self.problem.help.is_empty()).then(|| Box::new(&self.problem.help) as _)
    }

    fn source_code(&self) -> Option<&dyn miette::SourceCode> {
        Some(&self.source)
    }

    fn labels(&self) -> Option<Box<dyn Iterator<Item = LabeledSpan> + '_>> {
        Some(Box::new(self.labels.iter().enumerate().map(|(i, (span, remark))| {
            let remark = (!remark.is_empty()).then(|| remark.clone());
            let span = SourceSpan::from(span.clone());
            if i == 0 {
                LabeledSpan::new_primary_with_span(remark, span)
            } else {
                LabeledSpan::new_with_span(remark, span)
            }
        })))
    }
}

/// Line and column, from 1, of a byte.
pub fn line_and_column(text: &str, offset: usize) -> (usize, usize) {
    let before = text.get(..offset).unwrap_or(text);
    let line_start = before.rfind('\n').map_or(0, |i| i + 1);
    (before.matches('\n').count() + 1, before[line_start..].chars().count() + 1)
}

/// The closest of `known` to `given`, if one is close.
pub fn closest<'a>(given: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let given = given.to_lowercase();
    let distance = |name: &str| strsim::damerau_levenshtein(&given, &name.to_lowercase());
    let scored = known.into_iter().map(|name| (distance(name), name));
    // A third of the letters may be wrong, and always one.
    let near = |&(d, name): &(usize, &str)| d <= (name.chars().count().max(given.chars().count()) / 3).max(1);
    scored.filter(near).min_by_key(|&(d, _)| d).map(|(_, name)| name)
}

/// `did you mean …?` where something is close, else the list of what there is.
pub fn suggest<'a>(given: &str, known: impl IntoIterator<Item = &'a str> + Clone, what: &str) -> String {
    let list = || known.clone().into_iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ");
    match closest(given, known.clone()) {
        Some(name) => format!("did you mean `{name}`?"),
        None if known.clone().into_iter().next().is_none() => format!("there are no {what}"),
        None => format!("{what}: {}", list()),
    }
}

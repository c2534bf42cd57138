//! Everything that is wrong with a scene, and how it is shown.
//!
//! [`Diagnostics`] prints one line a problem (`file:line:column: …`); through
//! [`Diagnostics::reports`] a program can show the underlined source.

use super::{
    field,
    lines::Lines,
    problem::{Label, Place, Problem, printable, visible},
    text::{Origin, SceneText},
};
use miette::{LabeledSpan, NamedSource, SourceSpan};
use std::{fmt, ops::Range, sync::Arc};

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
            Place::Instrument(span) => (2, span.start),
        });
        Self { text: Box::new(text), problems }
    }

    /// Each problem with its source, for a renderer of `miette` diagnostics.
    pub fn reports(&self) -> impl Iterator<Item = Report> + '_ {
        let source: Arc<str> = visible(&self.text.file).into();
        self.problems.iter().map(move |problem| Report::new(&self.text, &source, problem))
    }

    /// Each problem as `file:line:column: message; help`.
    pub fn lines(&self) -> Vec<String> {
        one_line_each(&self.text, &self.problems)
    }

    /// Each problem with its place in parts, for programs.
    pub fn located(&self) -> Vec<Located> {
        let lines = Lines::new(&self.text.file);
        let of = |problem: &Problem| {
            let label = &problem.labels[0];
            let place = match origin(&self.text, label) {
                Origin::File(span) => Some(lines.of(span.start)),
                Origin::Set(..) => None,
            };
            let field = match &label.place {
                Place::Text(span) => field::at(self.text.read(), span.start),
                Place::Instrument(span) => field::at(&self.text.merged, span.start),
                Place::CommandLine(i, _) => self.text.sets[*i].path.clone(),
            };
            Located {
                file: self.text.name.clone(),
                place,
                field,
                message: problem.message.clone(),
                help: problem.help.clone(),
            }
        };
        self.problems.iter().map(of).collect()
    }
}

impl fmt::Display for Diagnostics {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.lines().join("\n"))
    }
}

impl std::error::Error for Diagnostics {}

/// Problems as `file:line:column: message; help`.
pub fn one_line_each(text: &SceneText, problems: &[Problem]) -> Vec<String> {
    let lines = Lines::new(&text.file);
    let line = |problem: &Problem| {
        let place = place(text, &lines, &origin(text, &problem.labels[0]));
        let help = if problem.help.is_empty() { String::new() } else { format!("; {}", problem.help) };
        format!("{place}: {}{help}", problem.message)
    };
    problems.iter().map(line).collect()
}

/// Where the user wrote what a label stands at.
pub(crate) fn origin(text: &SceneText, label: &Label) -> Origin {
    match &label.place {
        Place::Text(span) => text.origin(span),
        Place::Instrument(span) => text.origin_of_merged(span),
        Place::CommandLine(i, span) => Origin::Set(*i, span.clone()),
    }
}

/// `file:line:column`, or the option of the command line.
fn place(text: &SceneText, lines: &Lines<'_>, origin: &Origin) -> String {
    printable(&match origin {
        Origin::File(span) => {
            let (line, column) = lines.of(span.start);
            format!("{}:{line}:{column}", text.name)
        }
        Origin::Set(i, _) => text.sets[*i].shown.clone(),
    })
}

/// One problem with its place in parts.
#[derive(Clone, Debug, PartialEq)]
pub struct Located {
    /// The name of the scene.
    pub file: String,
    /// Line and column, from 1, in the text as it was before changes; `None` of what a change brought.
    pub place: Option<(usize, usize)>,
    /// The dotted path of the key or value, such as `contact.felt.gap`; empty where there is none.
    pub field: String,
    /// What is wrong.
    pub message: String,
    /// What to write instead.
    pub help: String,
}

/// One problem with the source it stands in.
#[derive(Debug)]
pub struct Report {
    problem: Problem,
    source: NamedSource<Arc<str>>,
    labels: Vec<(Range<usize>, String)>,
}

impl Report {
    fn new(text: &SceneText, file: &Arc<str>, problem: &Problem) -> Self {
        let origins: Vec<Origin> = problem.labels.iter().map(|label| origin(text, label)).collect();
        let (name, source) = match &origins[0] {
            Origin::File(_) => (printable(&text.name), file.clone()),
            Origin::Set(i, _) => ("command line".into(), visible(&text.sets[*i].shown).into()),
        };
        let beside = |origin: &Origin| match (origin, &origins[0]) {
            (Origin::File(span), Origin::File(_)) => Some(span.clone()),
            (Origin::Set(i, span), Origin::Set(j, _)) if i == j => Some(span.clone()),
            _ => None,
        };
        let labels = problem.labels.iter().zip(&origins);
        let labels =
            labels.filter_map(|(label, origin)| Some((beside(origin)?, label.remark.clone()))).collect();
        Self { problem: problem.clone(), source: NamedSource::new(name, source), labels }
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

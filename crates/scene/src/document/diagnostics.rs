//! Everything that is wrong with a scene, and how it is shown.
//!
//! [`Diagnostics`] prints one line a problem (`file:line:column: …`); through
//! [`Diagnostics::reports`] a program can show the underlined source.

use super::{
    problem::{Label, Place, Problem},
    text::{Origin, SceneText, line_and_column},
};
use miette::{LabeledSpan, NamedSource, SourceSpan};
use std::{fmt, ops::Range};

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

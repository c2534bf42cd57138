//! One thing that is wrong with a scene: its place, a sentence with the offending value and the allowed range, and
//! what to write instead. A reader collects every problem before it gives up.

use super::set::Set;
pub use hamiltone_core::printable::{printable, printable_path, visible};
use std::ops::Range;

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

/// What is remarked of a key that there is not.
pub(crate) const UNKNOWN: &str = "unknown";

/// A place with a remark.
#[derive(Clone, Debug, PartialEq)]
pub struct Label {
    /// Where.
    pub place: Place,
    /// What is said of it; empty where the message says it all.
    pub remark: String,
}

/// Where a problem stands.
#[derive(Clone, Debug, PartialEq)]
pub enum Place {
    /// Bytes of the text that is read: that with its changes, or the scene that an instrument stands for.
    Text(Range<usize>),
    /// Bytes of the text of an instrument with its changes.
    Instrument(Range<usize>),
    /// Bytes of the change of this number, as it is shown.
    CommandLine(usize, Range<usize>),
}

impl Problem {
    /// A problem at `span` of the scene's text.
    pub fn new(message: impl Into<String>, span: Range<usize>, remark: impl Into<String>) -> Self {
        let label = Label { place: Place::Text(span), remark: printable(&remark.into()) };
        Self { message: printable(&message.into()), labels: vec![label], help: String::new() }
    }

    /// A problem with a change itself.
    pub fn on_command_line(index: usize, set: &Set, message: String) -> Self {
        let place = Place::CommandLine(index, 0..set.shown.len());
        let labels = vec![Label { place, remark: String::new() }];
        Self { message: printable(&message), labels, help: String::new() }
    }

    /// Whether a key has a name that there is not.
    pub fn is_unknown_key(&self) -> bool {
        self.labels.iter().any(|label| label.remark == UNKNOWN)
    }

    /// The same, with its places in the text of an instrument that `of` tells of those in a text that stands for a part of it.
    #[must_use]
    pub fn of_instrument(mut self, of: impl Fn(&Range<usize>) -> Range<usize>) -> Self {
        for label in &mut self.labels {
            if let Place::Text(span) = &label.place {
                label.place = Place::Instrument(of(span));
            }
        }
        self
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
        self.labels.push(Label { place: Place::Text(span), remark: printable(&remark.into()) });
        self
    }
}

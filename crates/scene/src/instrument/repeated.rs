//! Problems that the copies of one section share.

use crate::document::{
    diagnostics::origin,
    problem::{Place, Problem},
    text::{Origin, SceneText},
};
use std::collections::BTreeSet;

/// A message without its numbers.
fn wording(problem: &Problem) -> String {
    problem.message.chars().filter(|c| !c.is_ascii_digit()).collect()
}

/// Whether two problems at one place of a text differ by numbers only.
pub fn same(one: &Problem, other: &Problem) -> bool {
    match (&one.labels[0].place, &other.labels[0].place) {
        (Place::Text(here), Place::Text(there)) => here == there && wording(one) == wording(other),
        _ => false,
    }
}

/// The problems of an expanded text, of those at one place of the file that differ by numbers only the first: one mistake in a
/// section that is copied for 88 keys is one problem.
pub fn distinct(text: &SceneText, problems: Vec<Problem>) -> Vec<Problem> {
    let mut seen = BTreeSet::new();
    let is_new = |problem: &Problem| {
        if matches!(problem.labels[0].place, Place::CommandLine(..)) {
            return true;
        }
        // Sections of longer names end later.
        let place = match origin(text, &problem.labels[0]) {
            Origin::File(span) => (None, span.start),
            Origin::Set(i, span) => (Some(i), span.start),
        };
        seen.insert((place, wording(problem)))
    };
    let mut is_new = is_new;
    problems.into_iter().filter(|problem| is_new(problem)).collect()
}

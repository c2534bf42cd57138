//! Which partials of a run stand for its pitch and its decay.

use hamiltone_report::partials::{Partial, Partials};

/// The audible partial that is farthest from theory, by its cents, with its body.
pub(super) fn worst(bodies: &[Partials]) -> Option<(&str, &Partial, f64)> {
    let all = bodies.iter().flat_map(|body| body.list.iter().map(move |partial| (body, partial)));
    let known = all.filter(|(body, partial)| partial.is_audible() && is_own(body, partial));
    let off = known.filter_map(|(body, partial)| Some((body.body.as_str(), partial, partial.cents()?)));
    off.max_by(|a, b| a.2.abs().total_cmp(&b.2.abs()))
}

/// The first partial, whose decay is shown.
pub(super) fn first(bodies: &[Partials]) -> Option<&Partial> {
    let body = bodies.first()?;
    body.list.first().filter(|partial| is_own(body, partial))
}

/// Whether what was measured is a partial's own: in a short sound the strongest bin within three may belong to something else; a bin
/// away, or 1 %, it is this partial.
fn is_own(body: &Partials, partial: &Partial) -> bool {
    let expected = partial.predicted.or(partial.theory);
    let pair = partial.measured.zip(expected);
    pair.is_some_and(|(measured, expected)| {
        (measured - expected).abs() <= body.resolution.max(0.01 * expected)
    })
}

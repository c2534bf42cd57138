//! What can be shown of a run when it is over, without having followed it: the page of [`crate::Report`] with the sections that
//! are made of the sound alone, for a notebook.

use crate::{charts, page, partials};
use hamiltone_render::{Outcome, SinkError};
use hamiltone_scene::Plan;

/// A self-contained page with verdict, player, waveform, spectra, partials, decay times and audit; `scene` is its text.
///
/// # Errors
/// Where the sound cannot be read.
pub fn html(plan: &Plan, outcome: &Outcome, scene: &str) -> Result<String, SinkError> {
    let shown = charts::section::shown(&outcome.sound)?;
    let partials = partials::all(plan, outcome, shown)?;
    let sections = charts::of_sound(plan, outcome, &partials, shown)?;
    page::html(plan, outcome, &sections, &partials, scene)
}

//! The report's charts, in sections.

mod contact;
mod contact_map;
mod decay;
mod energy;
mod glide;
mod octaves;
mod partials;
mod phase;
pub mod section;
mod shape;
pub mod spectra;
mod surface;
mod waveform;

use crate::{history::History, partials::Partials, plot::Chart};
use hamiltone_render::{Outcome, SinkError};
use hamiltone_scene::Plan;
use section::Section;

/// All sections of a report; those without content are left out. Charts over time end at `shown` (s), if that is given.
///
/// # Errors
/// Where the sound cannot be read.
pub fn sections(
    plan: &Plan,
    outcome: &Outcome,
    history: &History,
    measured: &[Partials],
    shown: Option<f64>,
) -> Result<Vec<Section>, SinkError> {
    let mut sections = of_sound(plan, outcome, measured, shown)?;
    sections.extend([
        shape::section(plan, &history.shapes),
        surface::section(plan, &history.surfaces),
        octaves::section(plan, &history.octaves),
        contact::section(plan, outcome, history),
        energy::section(plan, outcome, &history.energy, shown),
    ]);
    sections.extend(history.orbit.as_ref().map(|orbit| phase::section(plan, orbit)));
    sections.retain(has_content);
    Ok(sections)
}

/// The sections that are made of the sound alone; those without content are left out.
///
/// # Errors
/// Where the sound cannot be read.
pub fn of_sound(
    plan: &Plan,
    outcome: &Outcome,
    measured: &[Partials],
    shown: Option<f64>,
) -> Result<Vec<Section>, SinkError> {
    let mut sections = vec![
        waveform::section(plan, &outcome.sound, shown)?,
        spectra::section(plan, &outcome.sound, shown)?,
        glide::section(plan, &outcome.sound, shown)?,
        partials::section(measured),
        decay::section(measured),
    ];
    sections.retain(has_content);
    Ok(sections)
}

fn has_content(section: &Section) -> bool {
    let drawn = |chart: &Chart| !chart.series.is_empty() || chart.image.is_some();
    !section.tables.is_empty() || section.charts.iter().any(drawn)
}

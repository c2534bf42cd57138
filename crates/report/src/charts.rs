//! The report's charts, in sections.

mod contactogram;
mod energy;
mod forces;
mod partials;
mod phase;
mod shape;
mod spectra;
mod surface;
mod waveform;

use crate::{
    partials::Partials,
    plot::{Axis, Chart, quantity},
    report::Kept,
};
use hamiltone_render::{Outcome, sound::Sound};
use hamiltone_scene::Plan;

/// Charts that belong under one heading.
#[derive(Default)]
pub struct Section {
    /// The heading.
    pub title: &'static str,
    /// What to look for.
    pub note: String,
    /// The charts.
    pub charts: Vec<Chart>,
    /// A table of their numbers, its head first; or none.
    pub table: Vec<Vec<String>>,
}

const WIDE: (f64, f64) = (1120.0, 290.0);
const HALF: (f64, f64) = (556.0, 330.0);
/// The most channels that are drawn.
const CHANNELS: usize = 4;

/// All sections of a report; those with nothing to show are left out.
pub fn sections(plan: &Plan, outcome: &Outcome, kept: &Kept, heard: &[Partials]) -> Vec<Section> {
    let shown = shown(&outcome.sound);
    let mut sections = vec![
        waveform::section(plan, outcome, shown),
        spectra::section(plan, outcome, shown),
        partials::section(heard),
        shape::section(plan, &kept.shapes),
        surface::section(plan, &kept.surfaces),
        forces::section(plan, outcome, kept),
        energy::section(plan, outcome, &kept.energy, shown),
    ];
    sections.extend(kept.orbit.as_ref().map(|orbit| phase::section(plan, orbit)));
    sections.retain(|section| {
        !section.table.is_empty()
            || section.charts.iter().any(|chart| !chart.series.is_empty() || chart.image.is_some())
    });
    sections
}

/// The time axis, up to what is shown.
fn time(shown: Option<f64>) -> Axis {
    let axis = Axis::new("time", "s");
    match shown {
        Some(end) => axis.range(0.0, end),
        None => axis,
    }
}

/// The end of what charts over time show, s, where a sound dies away in the first half of
/// its time: a little after every channel has stayed 80 dB below its largest.
pub fn shown(sound: &Sound) -> Option<f64> {
    let last = |channel: usize| {
        let values: Vec<f64> = sound.channel(channel).map(f64::abs).collect();
        let floor = 1e-4 * values.iter().copied().fold(0.0, f64::max);
        values.iter().rposition(|x| *x > floor)
    };
    let last = (0..sound.channels).filter_map(last).max()?;
    let end = (last + last / 6).max(64);
    (2 * end < sound.frames()).then(|| end as f64 / sound.rate)
}

/// A sentence on what is left out, if anything is.
fn left_out(shown: Option<f64>) -> String {
    shown.map_or(String::new(), |end| {
        format!(" The sound dies away; charts over time end at {}.", quantity(end, "s"))
    })
}

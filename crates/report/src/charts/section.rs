//! A section of the report: charts under one heading, and what its charts have in common.

use crate::plot::{Axis, Chart, quantity};
use hamiltone_render::sound::Sound;

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

/// The size of a chart over the whole width, px.
pub const WIDE: (f64, f64) = (1120.0, 290.0);
/// The size of one of two charts side by side, px.
pub const HALF: (f64, f64) = (556.0, 330.0);
/// The most channels that are drawn.
pub const CHANNELS: usize = 4;

/// The time axis, up to what is shown.
pub fn time(shown: Option<f64>) -> Axis {
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
pub fn left_out(shown: Option<f64>) -> String {
    shown.map_or(String::new(), |end| {
        format!(" The sound dies away; charts over time end at {}.", quantity(end, "s"))
    })
}

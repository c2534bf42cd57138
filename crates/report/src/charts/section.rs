//! A section of the report: charts under one heading. Sizes and axes that charts have in common.

use crate::plot::{Axis, Chart, quantity};
use hamiltone_render::sound::Sound;

/// Charts under one heading.
#[derive(Default)]
pub struct Section {
    /// The heading.
    pub title: &'static str,
    /// An explanation of the charts.
    pub note: String,
    /// The charts.
    pub charts: Vec<Chart>,
    /// A table of numbers, the heading first; empty for none.
    pub table: Vec<Vec<String>>,
}

/// The size of a chart over the whole width, px.
pub const WIDE: (f64, f64) = (1120.0, 290.0);
/// The size of one of two charts side by side, px.
pub const HALF: (f64, f64) = (556.0, 330.0);
/// The largest number of channels shown.
pub const MAX_CHANNELS: usize = 4;

/// The time axis, up to `shown` (s) where that is given.
pub fn time(shown: Option<f64>) -> Axis {
    let axis = Axis::new("time", "s");
    match shown {
        Some(end) => axis.range(0.0, end),
        None => axis,
    }
}

/// The end of charts over time, s, where a sound decays in the first half of its duration: shortly after all channels
/// have decayed by 80 dB.
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

/// A sentence on where charts over time end, if that is before the end of the sound.
pub fn shown_until(shown: Option<f64>) -> String {
    shown.map_or(String::new(), |end| {
        format!(" Charts over time end at {}, when all channels have decayed by 80 dB.", quantity(end, "s"))
    })
}

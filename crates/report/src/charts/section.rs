//! A section of the report: charts under one heading. Sizes and axes that charts have in common.

use crate::{
    plot::{Axis, Chart, quantity},
    table::Table,
};
use hamiltone_render::{SinkError, Sound};

/// Charts under one heading.
#[derive(Default)]
pub struct Section {
    /// The heading.
    pub title: &'static str,
    /// An explanation of the charts.
    pub note: String,
    /// The charts.
    pub charts: Vec<Chart>,
    /// Tables of numbers.
    pub tables: Vec<Table>,
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

/// How many frames are read at once.
const FRAMES: u64 = 1 << 13;

/// The end of charts over time, s, where a sound decays in the first half of its duration: shortly after all channels
/// have decayed by 80 dB.
///
/// # Errors
/// Where the sound cannot be read.
pub fn shown(sound: &Sound) -> Result<Option<f64>, SinkError> {
    // From the end backwards: most sounds that last are not silent there.
    let mut end = sound.frames();
    let mut last = None;
    while end > 0 && last.is_none() {
        let start = end.saturating_sub(FRAMES);
        let mut frame = start;
        sound.for_each(start..end, |rows| {
            for row in rows.chunks_exact(sound.channels) {
                if row.iter().zip(&sound.peaks).any(|(x, peak)| x.abs() > 1e-4 * peak) {
                    last = Some(frame);
                }
                frame += 1;
            }
            Ok::<(), SinkError>(())
        })?;
        end = start;
    }
    let end = last.map(|last| (last + last / 6).max(64));
    Ok(end.filter(|end| 2 * end < sound.frames()).map(|end| end as f64 / sound.rate))
}

/// A sentence on where charts over time end, if that is before the end of the sound.
pub fn shown_until(shown: Option<f64>) -> String {
    shown.map_or(String::new(), |end| {
        format!(" Charts over time end at {}, when all channels have decayed by 80 dB.", quantity(end, "s"))
    })
}

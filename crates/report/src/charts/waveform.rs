//! The channels over time.

use super::section::{MAX_CHANNELS, Section, WIDE, shown_until, time};
use crate::{
    plot::{Axis, Chart},
    series::TimeSeries,
};
use hamiltone_render::{SinkError, Sound};
use hamiltone_scene::Plan;

/// The length of the close-up, s.
const CLOSE_UP: f64 = 0.025;

/// The channels over time, as far as they are shown.
struct Waveforms {
    series: Vec<TimeSeries>,
    /// The sample of the first channel with the largest magnitude, and that.
    loudest: (u64, f64),
}

impl Waveforms {
    fn read(sound: &Sound, frames: u64) -> Result<Self, SinkError> {
        let channels = sound.channels.min(MAX_CHANNELS);
        let mut all = Self { series: Vec::new(), loudest: (0, 0.0) };
        all.series.resize_with(channels, TimeSeries::default);
        let mut frame = 0;
        sound.for_each(0..frames, |rows| {
            for row in rows.chunks_exact(sound.channels) {
                if row[0].abs() >= all.loudest.1 {
                    all.loudest = (frame, row[0].abs());
                }
                all.series.iter_mut().zip(row).for_each(|(series, x)| series.push(*x));
                frame += 1;
            }
            Ok::<(), SinkError>(())
        })?;
        Ok(all)
    }
}

/// Pickup by pickup, and a close-up of the first.
///
/// # Errors
/// Where the sound cannot be read.
pub fn section(plan: &Plan, sound: &Sound, shown: Option<f64>) -> Result<Section, SinkError> {
    let frames =
        shown.map_or(sound.frames(), |end| ((end * sound.rate).ceil() as u64 + 1).min(sound.frames()));
    let waveforms = Waveforms::read(sound, frames)?;
    let mut charts = Vec::new();
    for (i, (pickup, series)) in plan.pickups.iter().zip(&waveforms.series).enumerate() {
        let chart = |title: String, time: Axis, (times, values): (Vec<f64>, Vec<f64>)| {
            let axis = Axis::new(&*pickup.quantity, &*pickup.unit);
            Chart::new(title, time, axis).sized(WIDE.0, WIDE.1).line("", times, values)
        };
        charts.push(chart(pickup.name.clone(), time(shown), series.line(0..frames, sound.rate)));
        let width = ((CLOSE_UP * sound.rate) as u64).max(64);
        if i == 0 && frames > 4 * width {
            let from = waveforms.loudest.0.saturating_sub(width / 8).min(frames - width);
            let title = format!("{}: close-up of its maximum", pickup.name);
            let times = (from..from + width).map(|i| i as f64 / sound.rate).collect();
            charts.push(chart(title, time(None), (times, sound.part(0, from..from + width)?)));
        }
    }
    let mut note = format!(
        "The pickups in SI units, before AC coupling, mix, level and fade-out of the file.{}",
        shown_until(shown)
    );
    if waveforms.series.iter().any(|series| !series.is_exact()) {
        note.push_str(" The lines show the smallest and the largest sample within each short interval.");
    }
    if let Some(filter) = sound.filter() {
        note.push_str(&format!(" Decimated from the internal rate: {filter}."));
    }
    if plan.pickups.len() > MAX_CHANNELS {
        note.push_str(&format!(" The first {MAX_CHANNELS} of {} channels.", plan.pickups.len()));
    }
    Ok(Section { title: "Waveform", note, charts, ..Section::default() })
}

//! The channels over time.

use super::section::{MAX_CHANNELS, Section, WIDE, shown_until, time};
use crate::plot::{Axis, Chart};
use hamiltone_render::Outcome;
use hamiltone_scene::Plan;

/// The length of the close-up, s.
const CLOSE_UP: f64 = 0.025;

/// Channel by channel, and a close-up of the first.
pub fn section(plan: &Plan, outcome: &Outcome, shown: Option<f64>) -> Section {
    let sound = &outcome.sound;
    let frames = shown.map_or(sound.frames(), |end| (end * sound.rate).ceil() as usize + 1);
    let times: Vec<f64> = (0..frames).map(|i| i as f64 / sound.rate).collect();
    let mut charts = Vec::new();
    for (i, pickup) in plan.pickups.iter().enumerate().take(MAX_CHANNELS) {
        let values: Vec<f64> = sound.channel(i).take(frames).collect();
        let chart = |title: String, time: Axis, from: usize, to: usize| {
            Chart::new(title, time, Axis::new(pickup.quantity, pickup.unit)).sized(WIDE.0, WIDE.1).line(
                "",
                times[from..to].to_vec(),
                values[from..to].to_vec(),
            )
        };
        charts.push(chart(pickup.name.clone(), time(shown), 0, values.len()));
        let width = ((CLOSE_UP * sound.rate) as usize).max(64);
        if i == 0 && values.len() > 4 * width {
            let loudest = (0..values.len()).max_by(|a, b| values[*a].abs().total_cmp(&values[*b].abs()));
            let from = loudest.unwrap_or(0).saturating_sub(width / 8).min(values.len() - width);
            let title = format!("{}: close-up of its maximum", pickup.name);
            charts.push(chart(title, time(None), from, from + width));
        }
    }
    let mut note = format!("SI units, before normalisation.{}", shown_until(shown));
    if let Some(filter) = sound.filter() {
        note.push_str(&format!(" Decimated from the internal rate: {filter}."));
    }
    if plan.pickups.len() > MAX_CHANNELS {
        note.push_str(&format!(" The first {MAX_CHANNELS} of {} channels.", plan.pickups.len()));
    }
    Section { title: "Waveform", note, charts, ..Section::default() }
}

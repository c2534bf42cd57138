//! The energy of a plate in each third of an octave over time: how far it went from low to high modes, and when.

use super::section::{Section, WIDE};
use crate::{
    history::octaves::Octaves,
    picture,
    plot::{Axis, Chart, ColourBar, Image},
};
use hamiltone_numerics::math::{log10, pow};
use hamiltone_scene::Plan;

/// The smallest energy shown, relative to the largest.
const SMALLEST: f64 = 1e-6;

pub(super) fn section(plan: &Plan, plates: &[Octaves]) -> Section {
    let charts = plates.iter().filter_map(|plate| chart(plan, plate)).collect();
    let note = "Twice the kinetic energy of the modes of each third of an octave, in the mean over a column. Large amplitudes move energy to high modes; what \
                comes to the uppermost band would go on to modes that are missing. Bands without modes are black.";
    Section { title: "Cascade", note: note.into(), charts, ..Section::default() }
}

/// The chart, where there was any energy.
fn chart(plan: &Plan, plate: &Octaves) -> Option<Chart> {
    let (bands, means): (usize, Vec<f64>) = (plate.count(), plate.means().collect());
    let largest = means.iter().copied().fold(0.0, f64::max);
    if !largest.is_finite() || largest == 0.0 {
        return None;
    }
    let columns = means.len() / bands;
    let byte = |energy: f64| {
        let level = log10((energy / largest).max(SMALLEST)) / log10(SMALLEST);
        (255.0 * (1.0 - level)).round() as u8
    };
    let pixels: Vec<u8> = (0..bands)
        .rev()
        .flat_map(|band| means.iter().skip(band).step_by(bands).map(|energy| byte(*energy)))
        .collect();
    let data_uri = picture::data_uri(columns, bands, &pixels, colorous::INFERNO)?;
    let end = (columns as u64 * plate.every) as f64 / plan.sample_rate;
    let edge = |band: f64| 1000.0 * pow(10.0, band / 10.0);
    let y = (edge(f64::from(plate.bands.0) - 0.5), edge(f64::from(plate.bands.1) + 0.5));
    let title = format!("Energy of {} per third of an octave", plate.body);
    let axes = (Axis::new("time", "s").range(0.0, end), Axis::new("frequency", "Hz").log().range(y.0, y.1));
    let mut chart = Chart::new(title, axes.0, axes.1).sized(WIDE.0, WIDE.1);
    chart.image = Some(Image { data_uri, x: (0.0, end), y });
    chart.colours = picture::bar(colorous::INFERNO, 0, 255).map(|data_uri| ColourBar {
        axis: Axis::new("energy", "J").log().range(SMALLEST * largest, largest),
        data_uri,
    });
    Some(chart)
}

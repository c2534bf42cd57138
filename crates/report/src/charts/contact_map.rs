//! The force of a contact along a body over x and time, as a picture.

use super::section::WIDE;
use crate::{
    history::contact_map::ContactMap,
    picture,
    plot::{Axis, Chart, ColourBar, Image},
};
use hamiltone_numerics::math::log10;
use hamiltone_scene::Plan;

/// The smallest force shown, relative to the largest.
const SMALLEST: f64 = 1e-4;
/// The brightness of the smallest force, of 255: clearly not black.
const DARKEST: f64 = 70.0;
/// Up to so many parts have a band of their own; more are placed by x.
const MAX_BANDS: usize = 40;
/// The height of a picture, px.
const ROWS: usize = 216;

/// The chart, where there was any contact.
pub fn chart(plan: &Plan, map: &ContactMap) -> Option<Chart> {
    let contact = plan.contacts.get(map.contact)?;
    let along = contact.along.as_ref()?;
    let parts = map.parts();
    let largest = map.forces.iter().copied().fold(0.0, f64::max);
    let filled = map.forces.len() / parts;
    if !largest.is_finite() || filled == 0 {
        return None;
    }
    let all = (plan.frames as u64 / map.every) as usize + 1;
    let columns = (filled + filled / 10 + 2).min(all).max(filled);
    let single = parts <= MAX_BANDS;
    let (low, high) =
        (along.x.iter().copied().fold(f64::INFINITY, f64::min), along.x.iter().copied().fold(0.0, f64::max));
    let rows = if single { parts * (ROWS / parts).max(2) } else { parts.min(ROWS) };
    let row_of = |part: usize| match single {
        true => part,
        false => ((along.x[part] - low) / (high - low) * (rows - 1) as f64).round() as usize,
    };
    let mut levels = vec![0.0_f64; if single { parts } else { rows } * columns];
    for (column, forces) in map.forces.chunks(parts).enumerate() {
        for (part, force) in forces.iter().enumerate() {
            let level = &mut levels[row_of(part) * columns + column];
            *level = level.max(*force);
        }
    }
    let byte = |force: f64| match force {
        0.0 => 0,
        force => {
            let bright = 1.0 - (log10((force / largest).max(SMALLEST)) / log10(SMALLEST));
            (DARKEST + (255.0 - DARKEST) * bright).round() as u8
        }
    };
    let height = levels.len() / columns;
    let band = rows / height;
    let pixels: Vec<u8> = (0..rows)
        .rev()
        .flat_map(|row| {
            // A dark line between bands.
            let edge = band > 3 && row % band == 0;
            levels[row / band * columns..][..columns]
                .iter()
                .map(move |force| if edge { 0 } else { byte(*force) })
        })
        .collect();
    let data_uri = picture::data_uri(columns, rows, &pixels, colorous::INFERNO)?;
    let end = (columns as u64 * map.every) as f64 / plan.sample_rate;
    let (axis, y) = if single {
        (Axis::new(format!("number in {}", contact.name), ""), (-0.5, parts as f64 - 0.5))
    } else {
        let half = 0.5 * (high - low) / (parts - 1).max(1) as f64;
        (Axis::new("x", "m"), (low - half, high + half))
    };
    let title = format!(
        "Contact force of {}{} (black: no contact)",
        contact.name,
        if map.close_up { ", close-up of the beginning" } else { "" },
    );
    let time = Axis::new("time", "s").range(0.0, end);
    let mut chart = Chart::new(title, time, axis.range(y.0, y.1)).sized(WIDE.0, WIDE.1);
    chart.image = Some(Image { data_uri, x: (0.0, end), y });
    chart.colours = picture::bar(colorous::INFERNO, DARKEST as u8, 255).map(|data_uri| ColourBar {
        axis: Axis::new("force", contact.measure.force()).log().range(SMALLEST * largest, largest),
        data_uri,
    });
    Some(chart)
}

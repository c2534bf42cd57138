//! The deflection of a one-dimensional body: at twelve instants of its first period, and over x and time.

use super::section::{HALF, Section, WIDE};
use crate::{
    history::shape::{PERIODS, Shape},
    picture,
    plot::{Axis, Chart, ColourBar, Image, Style},
};
use hamiltone_scene::Plan;

/// The number of instants in half a period.
const INSTANTS: usize = 6;
/// The height of the picture, px.
const HEIGHT: usize = 161;
/// An obstacle of more points is drawn as a line.
const MAX_POINTS: usize = 40;

/// Every body, one after the other.
pub fn section(plan: &Plan, shapes: &[Shape]) -> Section {
    let mut charts = Vec::new();
    for shape in shapes.iter().filter(|shape| shape.values.iter().any(|u| *u != 0.0)) {
        charts.extend((0..2).filter_map(|half| lines(plan, shape, half)));
        charts.extend(over_time(shape));
    }
    let note = format!(
        "Deflection at twelve instants of the first period of the lowest partial, and over its first {PERIODS} periods. \
         Obstacles are shown dashed or as dots."
    );
    Section { title: "Shape", note, charts, ..Section::default() }
}

/// Six instants of one half of the first period.
fn lines(plan: &Plan, shape: &Shape, half: usize) -> Option<Chart> {
    let first = shape.times.partition_point(|time| *time <= shape.period) * shape.x.len();
    let widen = |(from, to): (f64, f64), u: &f64| (from.min(*u), to.max(*u));
    let (from, to) = shape.values[..first].iter().fold((0.0, 0.0), widen);
    let pad = 0.06 * (to - from);
    let which = ["first", "second"][half];
    let title = format!("{}: {which} half of the first period (t in ms)", shape.body);
    let (name, unit) = shape.quantity;
    let mut chart = Chart::new(title, Axis::new("x", "m"), Axis::new(name, unit).range(from - pad, to + pad))
        .sized(HALF.0, HALF.1);
    for i in 0..INSTANTS {
        let t = shape.period * (half * INSTANTS + i) as f64 / (2 * INSTANTS) as f64;
        let next = shape.times.partition_point(|time| *time < t - 1e-12);
        let Some(time) = shape.times.get(next) else { break };
        chart = chart.line(format!("{:.2}", 1e3 * time), shape.x.clone(), shape.at(next).to_vec());
    }
    if chart.series.is_empty() {
        return None;
    }
    for contact in &plan.contacts {
        let Some(along) = contact.along.as_ref().filter(|along| along.body == shape.body) else { continue };
        let style = if along.x.len() > MAX_POINTS { Style::Dashed } else { Style::Points };
        chart = chart.with(style, contact.name.clone(), along.x.clone(), along.heights.clone());
    }
    Some(chart)
}

/// x upwards, time to the right, displacement as colour.
fn over_time(shape: &Shape) -> Option<Chart> {
    let (columns, places) = (shape.times.len(), shape.x.len());
    let largest = shape.values.iter().fold(0.0_f64, |a, u| a.max(u.abs()));
    if columns < 2 || !largest.is_finite() {
        return None;
    }
    let level = |u: f64| (127.5 * (1.0 + u / largest)).round() as u8;
    let pixels: Vec<u8> = (0..HEIGHT)
        .map(|row| (HEIGHT - 1 - row) * (places - 1) / (HEIGHT - 1))
        .flat_map(|place| (0..columns).map(move |column| level(shape.at(column)[place])))
        .collect();
    let data_uri = picture::data_uri(columns, HEIGHT, &pixels, colorous::RED_BLUE)?;
    let end = *shape.times.last()?;
    let title = format!("{} over x and time", shape.body);
    let mut chart =
        Chart::new(title, Axis::new("time", "s").range(0.0, end), Axis::new("x", "m")).sized(WIDE.0, WIDE.1);
    chart.image = Some(Image { data_uri, x: (0.0, end), y: (0.0, shape.length) });
    let (name, unit) = shape.quantity;
    chart.colours = picture::bar(colorous::RED_BLUE, 0, 255)
        .map(|data_uri| ColourBar { axis: Axis::new(name, unit).range(-largest, largest), data_uri });
    Some(chart)
}

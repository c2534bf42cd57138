//! Partials compared with theory, in cents and as a table.

use super::section::{Section, WIDE};
use crate::{
    partials::{Partial, Partials, in_cents},
    plot::{Axis, Chart, Style},
};
use hamiltone_render::tuning::cents;

/// Every body, one after the other.
pub fn section(all: &[Partials]) -> Section {
    let mut section = Section { title: "Partials", ..Section::default() };
    for partials in all {
        section.charts.extend(chart(partials));
        section.table.extend(table(partials));
        section.note += &format!(
            "{}, measured at {}: FFT resolution {:.2} Hz; short-lived partials use 4× and 16× shorter windows. ",
            partials.body, partials.pickups, partials.resolution
        );
    }
    section.note += "Theory: the continuous body without losses. Grid: eigenfrequencies of its spatial discretisation. \
                     The difference between grid and measurement is due to the time step, losses and contacts.";
    section
}

fn chart(partials: &Partials) -> Option<Chart> {
    let number = Axis::new("partial", "").range(0.5, partials.list.len() as f64 + 0.5);
    let title = format!("Partials of {}: deviation from theory", partials.body);
    let mut chart = Chart::new(title, number, Axis::new("deviation", "cents")).sized(WIDE.0, WIDE.1);
    let deviations = |of: fn(&Partial) -> Option<f64>| -> (Vec<f64>, Vec<f64>) {
        let deviation = |p: &Partial| Some((p.number as f64, cents(of(p)?, p.theory?)));
        partials.list.iter().filter_map(deviation).unzip()
    };
    let (x, measured) = deviations(|p| p.measured);
    let (n, grid) = deviations(|p| p.grid);
    if x.is_empty() {
        return None;
    }
    chart = chart.points("measured", x, measured);
    if !n.is_empty() {
        chart = chart.with(Style::Dashed, "grid", n, grid);
    }
    Some(chart)
}

/// A heading and a row for each partial.
fn table(partials: &Partials) -> Vec<Vec<String>> {
    let head = [
        "partial",
        "measured, Hz",
        "theory, Hz",
        "deviation from theory, cents",
        "grid, Hz",
        "deviation from grid, cents",
    ];
    let hertz = |f: Option<f64>| f.map_or("–".into(), |f| format!("{f:.3}"));
    let deviation = |f: Option<f64>, reference: Option<f64>| match (f, reference) {
        (Some(f), Some(reference)) => in_cents(f, reference),
        _ => "–".into(),
    };
    let row = |p: &Partial| {
        vec![
            format!("{} {}", partials.body, p.number),
            hertz(p.measured),
            hertz(p.theory),
            deviation(p.measured, p.theory),
            hertz(p.grid),
            deviation(p.measured, p.grid),
        ]
    };
    [vec![head.map(String::from).to_vec()], partials.list.iter().map(row).collect()].concat()
}

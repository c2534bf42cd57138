//! Partials compared with theory, in cents and as a table.

use super::section::{Section, WIDE};
use crate::{
    partials::{Partial, Partials, in_cents},
    plot::{Axis, Chart, Style},
    table::{Column, Table},
};
use hamiltone_render::tuning::cents;

/// Every body, one after the other.
pub fn section(all: &[Partials]) -> Section {
    let mut section = Section { title: "Tuning", ..Section::default() };
    for partials in all {
        section.charts.extend(chart(partials));
        section.note += &format!(
            "{}, measured at {}: FFT resolution {:.2} Hz; short-lived partials use 4× and 16× shorter windows. ",
            partials.body, partials.pickups, partials.resolution
        );
        if let Some((from, to)) = partials.part {
            section.note += &format!(
                "Frequencies and decays are those from {from:.3} s to {to:.3} s, the longest time without a gesture. "
            );
        }
    }
    section.tables.extend((!all.is_empty()).then(|| table(all)));
    section.note += "Theory: the continuous body without losses and links. Grid: eigenfrequencies of its modes or of its grid. \
                     Predicted: as the time step sounds those. The difference between prediction and measurement is \
                     due to losses and contacts.";
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
    if x.is_empty() {
        return None;
    }
    chart = chart.points("measured", x, measured);
    for (name, of) in [("predicted", (|p| p.predicted) as fn(&Partial) -> Option<f64>), ("grid", |p| p.grid)]
    {
        let (n, deviation) = deviations(of);
        if !n.is_empty() {
            chart = chart.with(Style::Dashed, name, n, deviation);
        }
    }
    Some(chart)
}

/// A row for each partial of each body.
fn table(all: &[Partials]) -> Table {
    let hertz = |f: Option<f64>| f.map_or("–".into(), |f| format!("{f:.3}"));
    let deviation = |f: Option<f64>, reference: Option<f64>| match (f, reference) {
        (Some(f), Some(reference)) => in_cents(f, reference),
        _ => "–".into(),
    };
    let row = |body: &str, p: &Partial| {
        vec![
            body.to_string(),
            p.number.to_string(),
            hertz(p.theory),
            hertz(p.grid),
            hertz(p.predicted),
            hertz(p.measured),
            deviation(p.predicted, p.theory),
            deviation(p.measured, p.theory),
            deviation(p.measured, p.predicted),
        ]
    };
    Table {
        caption: "Frequencies of the partials",
        columns: vec![
            Column::Text("body"),
            Column::Number("partial"),
            Column::Number("theory, Hz"),
            Column::Number("grid, Hz"),
            Column::Number("predicted, Hz"),
            Column::Number("measured, Hz"),
            Column::Number("predicted − theory, cents"),
            Column::Number("measured − theory, cents"),
            Column::Number("measured − predicted, cents"),
        ],
        rows: all.iter().flat_map(|body| body.list.iter().map(|p| row(&body.body, p))).collect(),
    }
}

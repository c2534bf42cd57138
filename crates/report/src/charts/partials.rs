//! Partials against theory, in cents and as a table.

use super::{Section, WIDE};
use crate::{
    partials::{Partial, Partials, cents, in_cents},
    plot::{Axis, Chart, Style},
};

pub fn section(all: &[Partials]) -> Section {
    let mut section = Section { title: "Partials", ..Section::default() };
    for partials in all {
        section.charts.extend(chart(partials));
        section.table.extend(table(partials));
        section.note += &format!(
            "{} as heard by {}; lines of its spectrum lie {:.2} Hz apart, four and sixteen times as far in the \
             beginnings where partials are looked for that die soon. ",
            partials.body,
            partials.pickups,
            2.0 * partials.line
        );
    }
    section.note += "Theory is the continuous body's, undamped; the grid's are those of its difference \
                     equations. What lies between the grid and what is heard is the time step, losses, contacts.";
    section
}

fn chart(partials: &Partials) -> Option<Chart> {
    let number = Axis::new("partial", "").range(0.5, partials.list.len() as f64 + 0.5);
    let title = format!("Partials of {}, in cents from theory", partials.body);
    let mut chart = Chart::new(title, number, Axis::new("deviation", "cents")).sized(WIDE.0, WIDE.1);
    let deviations = |of: fn(&Partial) -> Option<f64>| -> (Vec<f64>, Vec<f64>) {
        let deviation = |p: &Partial| Some((p.number as f64, cents(of(p)?, p.theory?)));
        partials.list.iter().filter_map(deviation).unzip()
    };
    let (x, heard) = deviations(|p| p.heard);
    let (n, grid) = deviations(|p| p.grid);
    if x.is_empty() {
        return None;
    }
    chart = chart.points("heard", x, heard);
    if !n.is_empty() {
        chart = chart.with(Style::Dashed, "grid", n, grid);
    }
    Some(chart)
}

/// A head and a row a partial.
fn table(partials: &Partials) -> Vec<Vec<String>> {
    let head = ["partial", "heard, Hz", "theory, Hz", "cents from theory", "grid, Hz", "cents from grid"];
    let hertz = |f: Option<f64>| f.map_or("–".into(), |f| format!("{f:.3}"));
    let apart = |f: Option<f64>, reference: Option<f64>| match (f, reference) {
        (Some(f), Some(reference)) => in_cents(f, reference),
        _ => "–".into(),
    };
    let row = |p: &Partial| {
        vec![
            format!("{} {}", partials.body, p.number),
            hertz(p.heard),
            hertz(p.theory),
            apart(p.heard, p.theory),
            hertz(p.grid),
            apart(p.heard, p.grid),
        ]
    };
    [vec![head.map(String::from).to_vec()], partials.list.iter().map(row).collect()].concat()
}

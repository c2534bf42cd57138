//! Decay times of the partials, as a scene asks for, as the system has them and as measured in the sound.

use super::section::{Section, WIDE};
use crate::{
    partials::{Partial, Partials},
    plot::{Axis, Chart, Style},
    table::{Column, Table},
};

/// Every body, one after the other.
pub fn section(all: &[Partials]) -> Section {
    let note = "T60: the time in which a partial falls by 60 dB. Requested: what the losses in the scene ask for, of \
                bodies that links join for their common modes. System: of the modes that are stepped, with all that damps them. Both without contacts and dampers. Measured: from the slope of its level, up to 60 dB below its beginning and \
                down to 30 dB above what sounds beside it.";
    Section {
        title: "Decay",
        note: note.into(),
        charts: all.iter().filter_map(chart).collect(),
        tables: (!all.is_empty()).then(|| table(all)).into_iter().collect(),
    }
}

fn chart(partials: &Partials) -> Option<Chart> {
    let finite = |(f, t60): &(f64, f64)| f.is_finite() && t60.is_finite();
    let requested = |p: &Partial| Some((p.grid.or(p.theory)?, p.requested?));
    let asked: (Vec<f64>, Vec<f64>) = partials.list.iter().filter_map(requested).filter(finite).unzip();
    let measured = |p: &Partial| Some((p.measured?, p.decay.ok()?));
    let found: (Vec<f64>, Vec<f64>) = partials.list.iter().filter_map(measured).filter(finite).unzip();
    if asked.0.is_empty() && found.0.is_empty() {
        return None;
    }
    let title = format!("Decay of the partials of {}", partials.body);
    let mut chart = Chart::new(title, Axis::new("frequency", "Hz").log(), Axis::new("T60", "s").log());
    if !asked.0.is_empty() {
        chart = chart.with(Style::Line, "requested", asked.0, asked.1);
    }
    if !found.0.is_empty() {
        chart = chart.points("measured", found.0, found.1);
    }
    Some(chart.sized(WIDE.0, WIDE.1))
}

/// A row for each partial of each body.
fn table(all: &[Partials]) -> Table {
    let row = |body: &str, p: &Partial| {
        let (measured, remark) = match p.decay {
            Ok(t60) => (seconds(t60), String::new()),
            Err(obstacle) => ("–".into(), format!("not measurable: {obstacle}")),
        };
        let difference = match (p.requested, p.decay) {
            (Some(asked), Ok(found)) if asked.is_finite() => percent(found / asked - 1.0),
            _ => "–".into(),
        };
        vec![
            body.to_string(),
            p.number.to_string(),
            p.measured.or(p.grid).or(p.theory).map_or("–".into(), |f| format!("{f:.3}")),
            p.requested.map_or("–".into(), seconds),
            p.system.map_or("–".into(), seconds),
            measured,
            difference,
            remark,
        ]
    };
    Table {
        caption: "Decay times of the partials",
        columns: vec![
            Column::Text("body"),
            Column::Number("partial"),
            Column::Number("frequency, Hz"),
            Column::Number("requested T60, s"),
            Column::Number("system T60, s"),
            Column::Number("measured T60, s"),
            Column::Number("difference, %"),
            Column::Prose("remark"),
        ],
        rows: all.iter().flat_map(|body| body.list.iter().map(|p| row(&body.body, p))).collect(),
    }
}

/// A decay time with four decimals.
fn seconds(t60: f64) -> String {
    if t60.is_finite() { format!("{t60:.4}") } else { "no losses".into() }
}

/// A part in percent, with its sign and two digits.
fn percent(part: f64) -> String {
    let text = format!("{:+.2}", 100.0 * part);
    if text == "-0.00" || text == "+0.00" { "0.00".into() } else { text.replace('-', "−") }
}

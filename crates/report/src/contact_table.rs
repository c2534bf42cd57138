//! The contacts of a run as a table: the same quantities for every law, so that laws can be compared.

use crate::{
    plot::quantity,
    table::{Column, Table},
};
use hamiltone_render::{Outcome, observe::ContactRecord};
use hamiltone_scene::Plan;

/// A contact with more parts has one row only.
const MAX_PART_ROWS: usize = 40;

/// What is told of each contact besides its name and its law.
const NUMBERS: [&str; 8] = [
    "minimum gap",
    "maximum penetration",
    "number of contacts",
    "time in contact",
    "first contact",
    "longest contact",
    "impulse",
    "maximum force",
];

/// The table; none where the scene has no contacts.
pub fn table(plan: &Plan, outcome: &Outcome) -> Option<Table> {
    let seconds = |samples: u64| quantity(samples as f64 / plan.sample_rate, "s");
    let row = |name: String, law: &str, unit: &str, record: &ContactRecord| {
        let gap = if record.gap_min.is_finite() {
            quantity(record.gap_min, "m").replace('-', "−")
        } else {
            "–".into()
        };
        vec![
            name,
            law.into(),
            gap,
            quantity(record.penetration_max(), "m"),
            record.contacts.to_string(),
            seconds(record.duration),
            record.first.map_or("never".into(), seconds),
            seconds(record.longest),
            quantity(record.impulse, &format!("{unit}·s")).replace('-', "−"),
            quantity(record.impulse_max * plan.sample_rate, unit),
        ]
    };
    let mut rows = Vec::new();
    for (contact, summary) in plan.contacts.iter().zip(&outcome.contacts) {
        let unit = contact.measure.force();
        rows.push(row(contact.name.clone(), contact.law, unit, &summary.whole));
        let Some(along) = contact.along.as_ref().filter(|along| along.x.len() <= MAX_PART_ROWS) else {
            continue;
        };
        for (i, (part, x)) in summary.parts.iter().zip(&along.x).enumerate() {
            let name = format!("{}[{i}] at {}", contact.name, quantity(*x, "m"));
            rows.push(row(name, contact.law, unit, part));
        }
    }
    let names = [Column::Text("contact"), Column::Text("law")];
    let columns = names.into_iter().chain(NUMBERS.map(Column::Number)).collect();
    (!rows.is_empty()).then_some(Table { caption: "Contacts", columns, rows })
}

//! The contacts of a run as a table: the same quantities for every law, so that laws can be compared.

use crate::plot::quantity;
use hamiltone_render::{Outcome, observe::ContactRecord};
use hamiltone_scene::Plan;

/// A contact with more parts has one row only.
const MAX_PART_ROWS: usize = 40;

/// The rows of the table, the heading first; none where the scene has no contacts.
pub fn table(plan: &Plan, outcome: &Outcome) -> Vec<Vec<String>> {
    let head = [
        "contact",
        "law",
        "minimum gap",
        "maximum penetration",
        "number of contacts",
        "time in contact",
        "first contact",
        "longest contact",
        "impulse",
        "maximum force",
    ];
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
    let mut table = vec![head.map(String::from).to_vec()];
    for (contact, summary) in plan.contacts.iter().zip(&outcome.contacts) {
        let unit = contact.measure.force();
        table.push(row(contact.name.clone(), contact.law, unit, &summary.whole));
        let Some(along) = contact.along.as_ref().filter(|along| along.x.len() <= MAX_PART_ROWS) else {
            continue;
        };
        for (i, (part, x)) in summary.parts.iter().zip(&along.x).enumerate() {
            let name = format!("{}[{i}] at {}", contact.name, quantity(*x, "m"));
            table.push(row(name, contact.law, unit, part));
        }
    }
    if table.len() > 1 { table } else { Vec::new() }
}

//! What contacts did, as a table: the same quantities whatever the law, so that laws can be compared.

use crate::plot::quantity;
use hamiltone_render::{outcome::Outcome, watch::Record};
use hamiltone_scene::Plan;

/// Up to so many parts of a contact have a row each in tables.
const ROWS: usize = 40;

/// The contacts of a run as a table, its head first; nothing where there are no contacts.
pub fn table(plan: &Plan, outcome: &Outcome) -> Vec<Vec<String>> {
    let head = [
        "contact",
        "law",
        "least gap",
        "greatest penetration",
        "touches",
        "time touched",
        "first touch",
        "longest touch",
        "impulse",
        "largest force",
    ];
    let seconds = |samples: u64| quantity(samples as f64 / plan.sample_rate, "s");
    let row = |name: String, law: &str, unit: &str, record: &Record| {
        let gap =
            if record.gap.is_finite() { quantity(record.gap, "m").replace('-', "−") } else { "–".into() };
        vec![
            name,
            law.into(),
            gap,
            quantity(record.penetration(), "m"),
            record.touches.to_string(),
            seconds(record.closed),
            record.first.map_or("never".into(), seconds),
            seconds(record.longest),
            quantity(record.impulse, &format!("{unit}·s")).replace('-', "−"),
            quantity(record.strongest * plan.sample_rate, unit),
        ]
    };
    let mut table = vec![head.map(String::from).to_vec()];
    for (contact, touching) in plan.contacts.iter().zip(&outcome.contacts) {
        let unit = contact.measure.force();
        table.push(row(contact.name.clone(), contact.law, unit, &touching.whole));
        let Some(along) = contact.along.as_ref().filter(|along| along.x.len() <= ROWS) else { continue };
        for (i, (part, x)) in touching.parts.iter().zip(&along.x).enumerate() {
            let name = format!("{}[{i}] at {}", contact.name, quantity(*x, "m"));
            table.push(row(name, contact.law, unit, part));
        }
    }
    if table.len() > 1 { table } else { Vec::new() }
}

//! What contacts did, for the audit and for people: the same quantities whatever the law, so that laws can be compared.

use crate::{plan::Plan, plot::quantity, run::Outcome, watch::Record};
use serde_json::{Value, json};

/// Up to so many parts of a contact have a row each in tables.
const ROWS: usize = 40;

/// The contacts of a run, for the audit.
pub(super) fn json(plan: &Plan, outcome: &Outcome) -> Vec<Value> {
    let seconds = |samples: u64| samples as f64 / plan.sample_rate;
    let finite = |x: f64| x.is_finite().then_some(x);
    let contact = |(contact, touching): (&crate::plan::ContactPlan, &crate::watch::Touching)| {
        let (whole, unit) = (&touching.whole, contact.measure.force());
        let each = |of: &dyn Fn(&Record) -> Value| touching.parts.iter().map(of).collect::<Vec<Value>>();
        let parts = contact.along.as_ref().map(|along| {
            json!({
                "x_m": along.x,
                "gap_min_m": each(&|part| json!(finite(part.gap))),
                "touches": each(&|part| json!(part.touches)),
                "touched_s": each(&|part| json!(seconds(part.closed))),
                "impulse": each(&|part| json!(part.impulse)),
            })
        });
        json!({
            "name": contact.name,
            "law": contact.law,
            "gap_min_m": finite(whole.gap),
            "penetration_max_m": whole.penetration(),
            "touches": whole.touches,
            "touched_s": seconds(whole.closed),
            "touch_first_s": whole.first.map(seconds),
            "touch_longest_s": seconds(whole.longest),
            "impulse": whole.impulse,
            "impulse_unit": format!("{unit} s"),
            "force_max": whole.strongest * plan.sample_rate,
            "force_unit": unit,
            "parts": parts,
        })
    };
    plan.contacts.iter().zip(&outcome.contacts).map(contact).collect()
}

/// The same as a table, its head first; nothing where there are no contacts.
pub(super) fn table(plan: &Plan, outcome: &Outcome) -> Vec<Vec<String>> {
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

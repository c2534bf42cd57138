//! The contacts of a run in the audit: the same quantities for every law, so that laws can be compared.

use crate::{
    observe::{ContactRecord, ContactSummary},
    outcome::Outcome,
};
use hamiltone_plan::{ContactPlan, Plan};
use serde_json::{Value, json};

/// The contacts of a run, for the audit.
pub(super) fn json(plan: &Plan, outcome: &Outcome) -> Vec<Value> {
    let seconds = |samples: u64| samples as f64 / plan.sample_rate;
    let finite = |x: f64| x.is_finite().then_some(x);
    let contact = |(contact, summary): (&ContactPlan, &ContactSummary)| {
        let (whole, unit) = (&summary.whole, contact.measure.force());
        let each =
            |of: &dyn Fn(&ContactRecord) -> Value| summary.parts.iter().map(of).collect::<Vec<Value>>();
        let parts = contact.along.as_ref().map(|along| {
            json!({
                "x_m": along.x,
                "gap_min_m": each(&|part| json!(finite(part.gap_min))),
                "contacts": each(&|part| json!(part.contacts)),
                "contact_duration_s": each(&|part| json!(seconds(part.duration))),
                "impulse": each(&|part| json!(part.impulse)),
            })
        });
        json!({
            "name": contact.name,
            "law": contact.law,
            "gap_min_m": finite(whole.gap_min),
            "penetration_max_m": whole.penetration_max(),
            "contacts": whole.contacts,
            "contact_duration_s": seconds(whole.duration),
            "contact_first_s": whole.first.map(seconds),
            "contact_longest_s": seconds(whole.longest),
            "impulse": whole.impulse,
            "impulse_unit": format!("{unit} s"),
            "force_max": whole.impulse_max * plan.sample_rate,
            "force_unit": unit,
            "parts": parts,
        })
    };
    plan.contacts.iter().zip(&outcome.contacts).map(contact).collect()
}

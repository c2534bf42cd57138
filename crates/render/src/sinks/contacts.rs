//! What contacts did, for the audit: the same quantities whatever the law, so that laws can be compared.

use crate::{
    outcome::Outcome,
    watch::{Record, Touching},
};
use hamiltone_scene::plan::{ContactPlan, Plan};
use serde_json::{Value, json};

/// The contacts of a run, for the audit.
pub(super) fn json(plan: &Plan, outcome: &Outcome) -> Vec<Value> {
    let seconds = |samples: u64| samples as f64 / plan.sample_rate;
    let finite = |x: f64| x.is_finite().then_some(x);
    let contact = |(contact, touching): (&ContactPlan, &Touching)| {
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

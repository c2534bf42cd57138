//! The verdict of a run, first on its page: one word for all, and a line with numbers for each criterion.

use super::text::count;
use crate::plot::escape;
use hamiltone_core::{audit::MAX_PHYSICAL_ENERGY, claims::Balance};
use hamiltone_render::{
    Ending, Outcome,
    cascade::{CASCADE_LIMIT, Cascade},
    passivity::CONTACT_WORK_LIMIT,
    stretching::{STRETCHING_LIMIT, Stretched},
    verdict::Verdict,
};
use hamiltone_scene::Plan;
use std::fmt::Write as _;

/// The class of its colour in the style sheet.
fn class(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Green => "good",
        Verdict::Amber => "warn",
        Verdict::Red => "bad",
    }
}

/// One criterion.
struct Criterion {
    name: &'static str,
    grade: Verdict,
    word: &'static str,
    numbers: String,
}

/// The box.
pub fn html(plan: &Plan, outcome: &Outcome) -> String {
    let mut lines = vec![balance(outcome), passivity(plan, outcome), tuning(outcome)];
    lines.extend(stretching(outcome));
    lines.extend(cascade(outcome));
    let (grade, word) = whole(outcome, [&lines[0], &lines[1]]);
    let mut out =
        format!("<div class=\"verdict {}\"><strong>{}: {word}</strong><dl>", class(grade), grade.word());
    for Criterion { name, grade, word, numbers } in &lines {
        let _ = write!(
            out,
            "<dt>{name}</dt><dd><b class=\"{}\">{word}</b> <span>{}</span></dd>",
            class(*grade),
            // A hyphen in an exponent would be a place to break the line.
            escape(numbers).replace("e-", "e−")
        );
    }
    out.push_str("</dl></div>");
    out
}

fn whole(outcome: &Outcome, [balance, passivity]: [&Criterion; 2]) -> (Verdict, &'static str) {
    match (outcome.ending, outcome.audit.fault, outcome.ok, outcome.balance) {
        (Ending::Interrupted, ..) => (Verdict::Red, "Interrupted"),
        (_, Some(_), ..) => (Verdict::Red, "Failed"),
        (.., false, _) if balance.grade != Verdict::Green => (Verdict::Red, "Energy balance violated"),
        (.., false, _) if passivity.grade != Verdict::Green => (Verdict::Red, "Energy gained"),
        (.., false, _) => (Verdict::Red, "Out of tune"),
        _ if !outcome.stretched.iter().all(Stretched::holds) => {
            (Verdict::Amber, "Stretched beyond the equations")
        }
        _ if !outcome.cascades.iter().all(Cascade::holds) => (Verdict::Amber, "Too few modes"),
        _ if outcome.verdict == Verdict::Amber => (Verdict::Amber, "Out of tune"),
        (.., Balance::Exact { .. }) => (Verdict::Green, "Energy balance exact to rounding error"),
        (.., Balance::Bounded) => (Verdict::Green, "Energy balance within its bound"),
    }
}

fn balance(outcome: &Outcome) -> Criterion {
    let audit = &outcome.audit;
    let claim = match outcome.balance {
        Balance::Exact { .. } => "claimed exact",
        Balance::Bounded => "claimed bounded",
    };
    let mut numbers = format!(
        "{claim}: largest relative energy residual {:.1e} (tolerance {:.1e}), {}",
        audit.residual_max_relative(),
        outcome.tolerance,
        count(audit.steps, "step")
    );
    let imbalance = outcome.imbalance();
    if let Some(what) = &imbalance {
        numbers.clone_from(what);
    }
    let (grade, word) = if imbalance.is_none() { (Verdict::Green, "ok") } else { (Verdict::Red, "violated") };
    Criterion { name: "Energy balance", grade, word, numbers }
}

fn passivity(plan: &Plan, outcome: &Outcome) -> Criterion {
    let passivity = &outcome.passivity;
    let numbers = passivity.gain(plan.energy_unit()).unwrap_or_else(|| {
        let (energy, work) = (passivity.energy_relative(), passivity.contact_work_relative());
        format!(
            "energy at most {energy:.3} of what was put in (limit {MAX_PHYSICAL_ENERGY}), work of contacts {work:.1e} (limit {CONTACT_WORK_LIMIT})"
        )
    });
    let (grade, word) =
        if passivity.holds() { (Verdict::Green, "ok") } else { (Verdict::Red, "energy gained") };
    Criterion { name: "Passivity", grade, word, numbers }
}

/// That of the body whose tension rose most, where any can.
fn stretching(outcome: &Outcome) -> Option<Criterion> {
    let most = outcome.stretched.iter().max_by(|a, b| a.ratio.total_cmp(&b.ratio))?;
    let (grade, word) =
        if most.holds() { (Verdict::Green, "ok") } else { (Verdict::Amber, "beyond the equations") };
    let numbers = format!(
        "the motion of {} raised its tension by at most {:.3} of it (limit {STRETCHING_LIMIT})",
        most.body, most.ratio
    );
    Some(Criterion { name: "Stretching", grade, word, numbers })
}

/// That of the plate whose highest modes held most, where any stretches.
fn cascade(outcome: &Outcome) -> Option<Criterion> {
    let most = outcome.cascades.iter().max_by(|a, b| a.share.total_cmp(&b.share))?;
    let (grade, word) = if most.holds() { (Verdict::Green, "ok") } else { (Verdict::Amber, "too few modes") };
    let numbers = format!(
        "the highest tenth of the {} modes of {} held {:.2} % of its kinetic energy (limit {} %)",
        most.modes,
        most.body,
        100.0 * most.share,
        100.0 * CASCADE_LIMIT
    );
    Some(Criterion { name: "Cascade", grade, word, numbers })
}

fn tuning(outcome: &Outcome) -> Criterion {
    let tuning = &outcome.tuning;
    let (grade, word) = match tuning.verdict() {
        Verdict::Green if tuning.partials.is_empty() => (Verdict::Green, "not compared"),
        Verdict::Green => (Verdict::Green, "ok"),
        off => (off, "out of tune"),
    };
    let numbers = tuning.sentence();
    Criterion { name: "Tuning", grade, word, numbers }
}

//! The verdict of a run, first on its page: one word for all, and a line with numbers for each criterion.

use super::text::count;
use crate::plot::escape;
use hamiltone_core::{audit::MAX_PHYSICAL_ENERGY, claims::Balance};
use hamiltone_render::{Ending, Outcome, passivity::CONTACT_WORK_LIMIT, tuning::MAX_CENTS};
use hamiltone_scene::Plan;
use std::fmt::Write as _;

/// How good a result is: a colour and, in every line, a word.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Grade {
    Good,
    Warn,
    Bad,
}

impl Grade {
    fn class(self) -> &'static str {
        match self {
            Self::Good => "good",
            Self::Warn => "warn",
            Self::Bad => "bad",
        }
    }
}

/// One criterion.
struct Line {
    name: &'static str,
    grade: Grade,
    word: &'static str,
    numbers: String,
}

/// The box.
pub fn html(plan: &Plan, outcome: &Outcome) -> String {
    let lines = [balance(outcome), passivity(plan, outcome), tuning(outcome)];
    let (grade, word) = whole(outcome, &lines);
    let mut out = format!("<div class=\"verdict {}\"><strong>{word}</strong><dl>", grade.class());
    for Line { name, grade, word, numbers } in &lines {
        let _ = write!(
            out,
            "<dt>{name}</dt><dd><b class=\"{}\">{word}</b> <span>{}</span></dd>",
            grade.class(),
            // A hyphen in an exponent would be a place to break the line.
            escape(numbers).replace("e-", "e−")
        );
    }
    out.push_str("</dl></div>");
    out
}

fn whole(outcome: &Outcome, lines: &[Line; 3]) -> (Grade, &'static str) {
    let [balance, ..] = lines;
    match (outcome.ending, outcome.audit.fault, outcome.ok, outcome.balance) {
        (Ending::Interrupted, ..) => (Grade::Bad, "Interrupted"),
        (_, Some(_), ..) => (Grade::Bad, "Failed"),
        (.., false, _) if balance.grade == Grade::Good => (Grade::Bad, "Energy gained"),
        (.., false, _) => (Grade::Bad, "Energy balance violated"),
        _ if !outcome.tuning.holds() => (Grade::Warn, "Out of tune"),
        (.., Balance::Exact) => (Grade::Good, "Energy balance exact to rounding error"),
        (.., Balance::Bounded) => (Grade::Good, "Energy balance within its bound"),
    }
}

fn balance(outcome: &Outcome) -> Line {
    let audit = &outcome.audit;
    let claim = match outcome.balance {
        Balance::Exact => "claimed exact",
        Balance::Bounded => "claimed bounded",
    };
    let mut numbers = format!(
        "{claim}: largest relative energy residual {:.1e} (tolerance {:.1e}), {}",
        audit.residual_max_relative(),
        outcome.tolerance,
        count(audit.steps, "step")
    );
    if let Some((step, fault)) = audit.fault {
        numbers = format!("step {step}: {fault}");
    }
    let ok = audit.ok(outcome.tolerance);
    let (grade, word) = if ok { (Grade::Good, "ok") } else { (Grade::Bad, "violated") };
    Line { name: "Energy balance", grade, word, numbers }
}

fn passivity(plan: &Plan, outcome: &Outcome) -> Line {
    let passivity = &outcome.passivity;
    let numbers = passivity.gain(plan.energy_unit()).unwrap_or_else(|| {
        let (energy, work) = (passivity.energy_relative(), passivity.contact_work_relative());
        format!(
            "energy at most {energy:.3} of what was put in (limit {MAX_PHYSICAL_ENERGY}), work of contacts {work:.1e} (limit {CONTACT_WORK_LIMIT})"
        )
    });
    let (grade, word) = if passivity.holds() { (Grade::Good, "ok") } else { (Grade::Bad, "energy gained") };
    Line { name: "Passivity", grade, word, numbers }
}

fn tuning(outcome: &Outcome) -> Line {
    let tuning = &outcome.tuning;
    let (grade, word) = match (tuning.partials.is_empty(), tuning.holds()) {
        (true, _) => (Grade::Good, "not compared"),
        (false, true) => (Grade::Good, "ok"),
        (false, false) => (Grade::Warn, "out of tune"),
    };
    let mut numbers = tuning.sentence();
    if !numbers.contains("limit") && !tuning.partials.is_empty() {
        numbers += &format!(" (limit {MAX_CENTS} cents)");
    }
    Line { name: "Tuning", grade, word, numbers }
}

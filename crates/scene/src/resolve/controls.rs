//! Whether the drives of controls stay where their laws allow: r(t) ≥ 0 of a damper, N(t) ≥ 0 of a bow.

use crate::{
    document::{problem::Problem, section::Section},
    units::plain,
};
use hamiltone_core::{element::Control, input::Action};
use hamiltone_plan::Plan;

/// At most so many values of a drive are looked at, evenly spaced; those between are the audit's to report.
const MAX_VALUES: u64 = 10_000_000;

/// What is wrong with the values that controls take in the run.
pub fn problems(plan: &Plan, root: &Section<'_>) -> Vec<Problem> {
    let (rate, steps) = (plan.internal_rate(), plan.steps());
    let mut problems = Vec::new();
    let stride = steps / MAX_VALUES + 1;
    for (input, drive) in plan.system.inputs.iter().zip(&plan.drives) {
        let Action::Control(elements) = &input.action else { continue };
        // What a score sets is within the ranges of its parameters.
        let Some(section) = root.named("drive", &drive.name) else { continue };
        let control = plan.system.elements[elements.clone()].iter().find_map(|e| e.law.control());
        let Some(Control { allowed, name, .. }) = control else { continue };
        let at = |n: u64| ((n * stride) as f64 / rate, drive.signal.value((n * stride) as f64 / rate));
        let Some((t, u)) = (0..=steps / stride).map(at).find(|(_, u)| !allowed.holds(*u)) else {
            continue;
        };
        let (u, unit, t) = (plain(u), &drive.unit, plain(t));
        let message =
            format!("its value, the {name}, is {u} {unit} at t = {t} s; it must be {allowed} {unit}");
        let help = "give values in this range at every time; between the samples of a file runs a smooth curve, which may \
                    leave it beside a jump";
        problems.push(section.problem("control", message, "out of range").help(help));
    }
    problems
}

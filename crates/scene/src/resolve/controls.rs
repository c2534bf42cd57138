//! Whether the drives of controls stay where their laws allow: r(t) ≥ 0 of a damper, N(t) ≥ 0 of a bow, a bore that there is, a part of the path of a bow, a tension above 0 and at most doubled.

use super::{driven::TENSION_OF, tension::form_of};
use crate::{
    document::{problem::Problem, section::Section},
    units::plain,
};
use hamiltone_core::{element::Law, input::Action, parameter::Range, port::Branches};
use hamiltone_plan::{BodyPlan, Plan};

/// At most so many values of a drive are looked at, evenly spaced; those between are the audit's to report.
const MAX_VALUES: u64 = 10_000_000;

/// What is wrong with the values that controls take in the run.
pub fn problems(plan: &Plan, root: &Section<'_>) -> Vec<Problem> {
    let (rate, steps) = (plan.internal_rate(), plan.steps());
    let mut problems = Vec::new();
    let stride = steps / MAX_VALUES + 1;
    for (input, drive) in plan.system.inputs.iter().zip(&plan.drives) {
        // What a score sets is within the ranges of its parameters.
        let Some(section) = root.named("drive", &drive.name) else { continue };
        let Some((key, name, allowed)) = controlled(plan, &input.action) else { continue };
        let at = |n: u64| ((n * stride) as f64 / rate, drive.signal.value((n * stride) as f64 / rate));
        let Some((t, u)) = (0..=steps / stride).map(at).find(|(_, u)| !allowed.holds(*u)) else {
            continue;
        };
        let unit = if drive.unit.is_empty() { String::new() } else { format!(" {}", drive.unit) };
        let (u, t) = (plain(u), plain(t));
        let message = format!("its value, the {name}, is {u}{unit} at t = {t} s; it must be {allowed}{unit}");
        let help = "give values in this range at every time; between the samples of a file runs a smooth curve, which may \
                    leave it beside a jump";
        problems.push(section.problem(key, message, "out of range").help(help));
    }
    problems
}

/// The key of the drive, what its value is, and the values that the elements take.
fn controlled(plan: &Plan, action: &Action) -> Option<(&'static str, &'static str, Range)> {
    let system = &plan.system;
    match action {
        Action::Strain(forms) => {
            let strained = |body: &&BodyPlan| form_of(system, &body.placed) == Some(forms.start);
            let body = plan.bodies.iter().find(strained)?;
            // A string without tension is none, and one with more than twice its own is beyond its equations.
            let rest = body.placed.representation.rest_tension()?;
            let allowed = Range { min: -rest, max: rest, open: true };
            Some((TENSION_OF, "change of the tension", allowed))
        }
        Action::Control(elements) => {
            let control =
                system.elements[elements.clone()].iter().find_map(|element| element.law.control())?;
            Some(("control", control.name, control.allowed))
        }
        Action::Branch(elements) => {
            let element = system.elements[elements.clone()].first()?;
            let (key, name) = match &element.law {
                Law::Port(law) if law.port.branches() == Branches::Places => ("place", "part of its path"),
                _ => ("fingering", "bore"),
            };
            Some((key, name, element.branch_range()))
        }
        _ => None,
    }
}

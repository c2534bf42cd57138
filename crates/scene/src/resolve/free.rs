//! Bodies that nothing holds: set in motion they drift away, which no linear model stops.
//!
//!   ω² = min over a, b of (uᵀKu)/(uᵀMu),   u = a + b(x/L − ½)
//!
//! is the slowest motion of a body without bending (Rayleigh–Ritz with a shift and a tilt); where it is below
//! [`SLOWEST`] no support and no link holds it. A point is shifted alone. Of surfaces two edges at least are held.
//!
//! A mass that flies away is harmless: it is usually a hammer after its blow. A bar or string that drifts is a missing support,
//! and carries a growing displacement into the sound. How far both went is measured in the run.

use crate::document::{problem::Problem, section::Section};
use hamiltone_core::{
    body::{InitialMotion, Placed, Support},
    geometry::Geometry,
    input::Action,
    parameter::Parameter,
    row::Row,
    system::System,
};
use hamiltone_plan::{BodyPlan, FreeBody, Plan};
use std::f64::consts::TAU;

/// What is slower is a drift, rad/s: 0.1 Hz.
const SLOWEST: f64 = 0.1 * TAU;
/// The parameter of bodies that can be suspended.
const SUSPENSION: &str = "suspension";

/// The bodies that can drift. What is blown is air that flows through a window.
pub fn bodies(system: &System, bodies: &[BodyPlan]) -> Vec<FreeBody> {
    let blown = || system.elements.iter().filter(|element| element.is_blown());
    let free = |body: &BodyPlan| {
        let own = |row: &Row| row.entries().any(|(dof, _)| body.placed.dofs.contains(&dof));
        if blown().any(|element| element.rows.iter().any(own)) {
            return None;
        }
        let mean = drifting(system, &body.placed)?;
        Some(FreeBody { name: body.name.clone(), mean })
    };
    bodies.iter().filter_map(free).collect()
}

/// A warning for each of them of some length that something sets in motion.
pub fn warnings(plan: &Plan, root: &Section<'_>) -> Vec<Problem> {
    let is_free = |body: &&BodyPlan| plan.free.iter().any(|free| free.name == body.name);
    let warning = |body: &BodyPlan| {
        let extended = body.placed.geometry != Geometry::Point;
        let section = root.named("body", &body.name);
        let section = section.filter(|_| extended && is_driven(&plan.system, &body.placed))?;
        let takes = parameter_of(&section, SUSPENSION).is_some();
        let help = match (takes, section.table.contains_key(SUSPENSION)) {
            (_, true) => {
                "its suspension leaves it free to turn: give it two places, such as at = [0.224, 0.776]"
            }
            (true, false) => {
                "add suspension = {} (soft cords), or a link to \"ground\" at one of its nodes or more"
            }
            (false, false) => "add a link to \"ground\" at one of its nodes or more",
        };
        let message = "nothing holds it: once it is struck it drifts away";
        Some(section.problem("", message, "free").help(help))
    };
    plan.bodies.iter().filter(is_free).filter_map(warning).collect()
}

/// The parameter of this name of a body's kind, where it takes one.
pub fn parameter_of(section: &Section<'_>, parameter: &str) -> Option<&'static Parameter> {
    let kind = section.text("kind", &mut Vec::new());
    let entry = hamiltone_bodies::catalogue().iter().find(|entry| Some(entry.kind.name) == kind)?;
    entry.kind.parameters.iter().find(|own| own.name == parameter)
}

/// The row of the mean displacement of a body that nothing holds; `None` of one that is held.
fn drifting(system: &System, placed: &Placed) -> Option<Row> {
    let length = match placed.geometry {
        _ if !placed.measure.moves() => return None,
        Geometry::Surface(_) => return None,
        Geometry::Point => None,
        Geometry::Line { length } => Some(length),
    };
    // Between two ends that are held there is no motion without bending.
    if length.is_some_and(|length| [0.0, length].into_iter().all(|x| placed.row_at([x, 0.0]).is_zero())) {
        return None;
    }
    let shift = motion(system, placed, &|_| 1.0);
    let form = |a: &[f64], b: &[f64]| {
        let mass: f64 = system.mass.iter().zip(a).zip(b).map(|((m, a), b)| m * a * b).sum();
        [mass, system.stiffness_form(a, b)]
    };
    let [mass, stiffness] = form(&shift, &shift);
    if mass == 0.0 {
        return None;
    }
    let slowest = match length {
        None => stiffness / mass,
        Some(length) => {
            let tilt = motion(system, placed, &|x| x / length - 0.5);
            smaller([mass, stiffness], form(&shift, &tilt), form(&tilt, &tilt))
        }
    };
    if slowest >= SLOWEST * SLOWEST {
        return None;
    }
    let weights = placed.dofs.clone().map(|dof| (dof, system.mass[dof] * shift[dof] / mass));
    Some(Row::Sparse(weights.collect()))
}

/// The coordinates of the whole system that make the displacement u(x) of a body.
fn motion(system: &System, placed: &Placed, u: &dyn Fn(f64) -> f64) -> Vec<f64> {
    let at = Box::new(|[x, _]: [f64; 2]| (u(x), 0.0));
    let values =
        placed.representation.project(&InitialMotion { at, support: Support::Whole { corners: Vec::new() } });
    let mut q = vec![0.0; system.size()];
    values.iter().for_each(|value| q[value.dof] = value.position);
    q
}

/// The smaller λ of det(K − λM) = 0, each pair the entry of M and of K: of 1, 1; 1, 2; and 2, 2.
fn smaller([m, k]: [f64; 2], [mixed_m, mixed_k]: [f64; 2], [n, l]: [f64; 2]) -> f64 {
    let (a, c) = (m * n - mixed_m * mixed_m, k * l - mixed_k * mixed_k);
    let b = k * n + l * m - 2.0 * mixed_k * mixed_m;
    if b <= 0.0 { 0.0 } else { (2.0 * c / (b + (b * b - 4.0 * a * c).max(0.0).sqrt())).max(0.0) }
}

/// Whether contacts, forces or initial velocities act on a body.
fn is_driven(system: &System, placed: &Placed) -> bool {
    let moves = |row: &Row| row.entries().any(|(dof, weight)| weight != 0.0 && placed.dofs.contains(&dof));
    let forced = |action: &Action| matches!(action, Action::Force(row) if moves(row));
    system.elements.iter().any(|element| element.rows.iter().any(moves))
        || system.inputs.iter().any(|input| forced(&input.action))
        || system.initial.velocity[placed.dofs.clone()].iter().any(|v| *v != 0.0)
}

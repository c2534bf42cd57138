//! Initial conditions that penetrate an obstacle.
//!
//! The energy V(x₀) that a compliant contact stores at t = 0 is released into the bodies: alone it accelerates them to
//!
//!   v = √(2V(x₀) cᵀM⁻¹c),   x₀ = c·q₀ − gap − h(0)
//!
//! h(t) being the position of an obstacle that a drive moves. A wrong sign in a stiff contact stores megajoules.
//!
//! A speed above that of sound is refused; much more energy than everything else in the scene stores is worth a warning.
//! A rigid obstacle stores no energy and allows no penetration: one beyond rounding is refused.

use crate::{
    document::{problem::Problem, section::Section},
    units::plain,
};
use hamiltone_core::{
    element::{Element, Law},
    input::Action,
    system::System,
};
use hamiltone_plan::{ContactPlan, Drive};

/// The speed of sound in air, m/s: no part of an instrument is faster.
const SPEED_OF_SOUND: f64 = 343.0;
/// The largest initial energy of a contact, as a multiple of all other energy, that gives no warning.
const MAX_ENERGY_RATIO: f64 = 1000.0;
/// The largest initial penetration of a rigid obstacle, m: a rounding of positions, far below what is audible.
const RIGID_PENETRATION_TOLERANCE: f64 = 1e-9;

/// Checks each contact at t = 0, along a body the worst of its points: what is refused, and what is worth a warning.
pub fn check(
    system: &System,
    drives: &[Drive],
    contacts: &[ContactPlan],
    root: &Section<'_>,
) -> (Vec<Problem>, Vec<Problem>) {
    let (mut problems, mut warnings) = (Vec::new(), Vec::new());
    let initial = &system.initial;
    let mut references = vec![0.0; system.elements.len()];
    for (input, drive) in system.inputs.iter().zip(drives) {
        if let Action::Motion(elements) = &input.action {
            references[elements.clone()].iter_mut().for_each(|h| *h += drive.signal.value(0.0));
        }
    }
    let initial_contact = |(contact, reference): (&Element, &f64)| {
        let x = contact.row().dot(&initial.position) - contact.gap - reference;
        let compliance = contact.row().sum(|i, w| w * w / system.mass[i]);
        let energy = contact.law.energy(x);
        InitialContact { x, energy, speed: (2.0 * energy * compliance).sqrt() }
    };
    let kinetic: f64 = system.mass.iter().zip(&initial.velocity).map(|(m, v)| 0.5 * m * v * v).sum();
    let others = kinetic + 0.5 * system.stiffness_form(&initial.position, &initial.position);
    for plan in contacts {
        let elements = &system.elements[plan.parts.clone()];
        let parts: Vec<InitialContact> =
            elements.iter().zip(&references[plan.parts.clone()]).map(initial_contact).collect();
        let energy: f64 = parts.iter().map(|part| part.energy).sum();
        let worse =
            |a: &InitialContact, b: &InitialContact| a.speed.total_cmp(&b.speed).then(a.x.total_cmp(&b.x));
        let worst = parts.iter().enumerate().max_by(|a, b| worse(a.1, b.1));
        let Some((part, worst)) = worst else { continue };
        let rigid = matches!(elements[part].law, Law::Rigid { .. });
        let depth = plain(worst.x.abs());
        let (refused, doubtful, message) = if rigid {
            let at =
                plan.along.as_ref().map_or(String::new(), |along| format!(" at {} m", plain(along.x[part])));
            (
                worst.x > RIGID_PENETRATION_TOLERANCE,
                false,
                format!("the initial penetration of the rigid obstacle is {depth} m{at}, but must be 0"),
            )
        } else {
            let speed = plain(worst.speed);
            let refused = worst.speed > SPEED_OF_SOUND || worst.speed.is_nan();
            let doubtful = others != 0.0 && energy > MAX_ENERGY_RATIO * others;
            (
                refused,
                doubtful,
                format!(
                    "the initial penetration of {depth} m stores energy that accelerates the bodies to {speed} m/s"
                ),
            )
        };
        if !refused && !doubtful {
            continue;
        }
        let Some(section) = root.named("contact", &plan.name) else { continue };
        let help = format!(
            "check the gap, the initial positions and the order of `between`: penetration is first − second − gap; \
             with a gap {depth} m larger it is 0"
        );
        let problem = section.problem("between", message, "initial penetration").help(help);
        if refused { problems.push(problem) } else { warnings.push(problem) }
    }
    (problems, warnings)
}

/// A contact at t = 0.
struct InitialContact {
    /// Its penetration, m.
    x: f64,
    /// Its stored energy, J.
    energy: f64,
    /// The speed to which its energy accelerates the bodies, m/s.
    speed: f64,
}

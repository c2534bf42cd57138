//! A start inside a stiff obstacle.
//!
//! An energy-conserving scheme keeps whatever energy the start holds, and a stiff
//! contact that is penetrated by a wrong sign holds a megajoule. Released, it throws
//! its bodies at
//!
//!   v = √(2V(x₀) cᵀM⁻¹c),   x₀ = c·q₀ − gap − h(0)
//!
//! h(t) being the position of an obstacle that a drive moves.
//!
//! Faster than sound is a mistake; much more energy than everything else in the scene
//! holds is worth a warning. A rigid obstacle has no energy to throw with and lets nothing in: a start deeper inside
//! than rounding is a mistake.

use super::builder::Builder;
use crate::{document::section::Section, units::plain};
use hamiltone_core::{
    element::{Element, Law},
    input::Action,
};

/// The speed of sound in air, m/s: no part of an instrument is faster.
const ABSURD: f64 = 343.0;
/// What a contact may hold at the start, as a multiple of all other energy, before it is worth a word.
const SURPRISING: f64 = 1000.0;

/// How far inside a rigid obstacle a body may start, m: a rounding of its place, far below what is audible.
const ROUNDING: f64 = 1e-9;

impl Builder<'_> {
    /// Checks each contact at the start; along a body the point that is worst.
    pub fn check_start(&mut self, root: &Section<'_>) {
        let (system, start) = (&self.system, &self.system.initial);
        let mut references = vec![0.0; system.elements.len()];
        for (input, drive) in system.inputs.iter().zip(&self.drives) {
            if let Action::Motion(elements) = &input.action {
                references[elements.clone()].iter_mut().for_each(|h| *h += drive.signal.value(0.0));
            }
        }
        let held = |(contact, reference): (&Element, &f64)| {
            let x = contact.row().dot(&start.position) - contact.gap - reference;
            let compliance = contact.row().sum(|i, w| w * w / system.mass[i]);
            let energy = contact.law.energy(x);
            Held { x, energy, speed: (2.0 * energy * compliance).sqrt() }
        };
        let kinetic: f64 = system.mass.iter().zip(&start.velocity).map(|(m, v)| 0.5 * m * v * v).sum();
        let others = kinetic + 0.5 * system.stiffness_form(&start.position, &start.position);
        for plan in &self.contact_plans {
            let contacts = &system.elements[plan.parts.clone()];
            let parts: Vec<Held> = contacts.iter().zip(&references[plan.parts.clone()]).map(held).collect();
            let energy: f64 = parts.iter().map(|part| part.energy).sum();
            let worse = |a: &Held, b: &Held| a.speed.total_cmp(&b.speed).then(a.x.total_cmp(&b.x));
            let worst = parts.iter().enumerate().max_by(|a, b| worse(a.1, b.1));
            let Some((part, worst)) = worst else { continue };
            let rigid = matches!(contacts[part].law, Law::Rigid { .. });
            let depth = plain(worst.x.abs());
            let (absurd, surprising, message) = if rigid {
                let at = plan
                    .along
                    .as_ref()
                    .map_or(String::new(), |along| format!(" at {} m", plain(along.x[part])));
                (
                    worst.x > ROUNDING,
                    false,
                    format!("starts {depth} m inside its obstacle{at}, which is rigid and lets nothing in"),
                )
            } else {
                let speed = plain(worst.speed);
                let absurd = worst.speed > ABSURD || worst.speed.is_nan();
                let surprising = others != 0.0 && energy > SURPRISING * others;
                (
                    absurd,
                    surprising,
                    format!(
                        "starts {depth} m inside its obstacle and would throw the bodies apart at {speed} m/s"
                    ),
                )
            };
            if !absurd && !surprising {
                continue;
            }
            let Some(section) = root.named("contact", &plan.name) else { continue };
            let help = format!(
                "check the gap, the start positions and the order of `between`: penetration is first − second − gap; \
                 a gap {depth} m larger just touches"
            );
            let problem = section.problem("between", message, "penetrated at the start").help(help);
            if absurd { self.problems.push(problem) } else { self.warnings.push(problem) }
        }
    }
}

/// A contact at the start.
struct Held {
    /// Its penetration, m.
    x: f64,
    /// What it stores, J.
    energy: f64,
    /// The speed with which it would throw its bodies, m/s.
    speed: f64,
}

//! How far the motion of strings and membranes raised their tension.
//!
//!   ΔT/(T + u) = (ψ/s)/(T + u)        ([`hamiltone_core::form`])
//!
//! T is the tension at rest, and u what a player adds to it. The equations of strings and membranes that stretch hold for small
//! slopes, ½∫u_x² dx ≪ L: where the tension is more than doubled the next terms of the lengthening count. It is looked at every 16
//! samples, which meets the phases of a vibration one after the other.

use hamiltone_core::{simulation::Simulation, state::Archive};
use hamiltone_plan::Plan;
use hamiltone_scene::units::plain;

/// Samples from one look to the next.
const EVERY: u64 = 16;
/// ΔT/(T + u) up to which the equations hold.
pub const STRETCHING_LIMIT: f64 = 1.0;

/// The largest ΔT/(T + u) of a body.
#[derive(Clone, Debug, PartialEq)]
pub struct Stretched {
    /// Its name.
    pub body: String,
    /// The largest ΔT/(T + u), at least 0.
    pub ratio: f64,
}

impl Stretched {
    /// Whether the equations hold.
    pub fn holds(&self) -> bool {
        self.ratio <= STRETCHING_LIMIT
    }

    /// What is wrong and what to change, where they do not.
    pub fn warning(&self) -> Option<String> {
        (!self.holds()).then(|| {
            format!(
                "the motion of `{}` raised its tension by {} times (limit {STRETCHING_LIMIT}): its equations hold for small slopes; excite it less, or give it more \
                 tension or a smaller `axial_stiffness`",
                self.body,
                plain((100.0 * self.ratio).round() / 100.0)
            )
        })
    }
}

/// Follows the tensions of a run.
pub(crate) struct Tensions {
    /// The forms with the bodies and their tension at rest, N or N/m.
    bodies: Vec<(usize, String, f64)>,
    /// Steps from one look to the next.
    every: u64,
    /// The largest so far.
    most: Vec<f64>,
}

impl Tensions {
    /// Of a plan, if any of its bodies stretches.
    pub fn of(plan: &Plan) -> Option<Self> {
        let mut bodies: Vec<(usize, String, f64)> = Vec::new();
        for body in &plan.bodies {
            let rest = body.placed.representation.rest_tension();
            let form = hamiltone_bodies::stretching::form_of(&plan.system, &body.placed.dofs);
            // Two polarisations have one tension.
            if let (Some(form), Some(rest)) = (form, rest)
                && bodies.iter().all(|(known, ..)| *known != form)
            {
                bodies.push((form, body.name.clone(), rest));
            }
        }
        let (every, most) = (EVERY * plan.oversampling as u64, vec![0.0; bodies.len()]);
        (!bodies.is_empty()).then_some(Self { bodies, every, most })
    }

    /// Looks at a step, where it is one of those.
    pub fn observe(&mut self, stepper: &mut Simulation, row: u64) {
        if !row.is_multiple_of(self.every) {
            return;
        }
        let tensions = stepper.tensions(self.bodies.iter().map(|(form, ..)| *form));
        for ((most, (.., rest)), [rise, added]) in self.most.iter_mut().zip(&self.bodies).zip(tensions) {
            *most = most.max(rise / (rest + added));
        }
    }

    /// Goes through what was observed.
    pub fn archive(&mut self, archive: &mut Archive) {
        archive.numbers(&mut self.most);
    }

    /// Over the whole run.
    pub fn finish(self) -> Vec<Stretched> {
        let each = self.bodies.into_iter().zip(self.most);
        each.map(|((_, body, _), ratio)| Stretched { body, ratio }).collect()
    }
}

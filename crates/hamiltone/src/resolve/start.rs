//! A start inside a stiff obstacle.
//!
//! An energy-conserving scheme keeps whatever energy the start holds, and a stiff
//! contact that is penetrated by a wrong sign holds a megajoule. Released, it throws
//! its bodies at
//!
//!   v = √(2V(x₀) cᵀM⁻¹c),   x₀ = c·q₀ − gap
//!
//! Faster than sound is a mistake; much more energy than everything else in the scene
//! holds is worth a warning.

use super::Builder;
use crate::{scene::section::Section, units::plain};
use hamiltone_core::system::Contact;
use toml::de::DeValue;

/// The speed of sound in air, m/s: no part of an instrument is faster.
const ABSURD: f64 = 343.0;
/// What a contact may hold at the start, as a multiple of all other energy, before it is worth a word.
const SURPRISING: f64 = 1000.0;

impl Builder<'_> {
    /// Checks each contact's energy at the start; along a body the point that is worst.
    pub fn check_start(&mut self, root: &Section<'_>) {
        let (system, start) = (&self.system, &self.system.start);
        let held = |contact: &Contact| {
            let x = contact.row.dot(&start.position) - contact.gap;
            let compliance = contact.row.sum(|i, w| w * w / system.mass[i]);
            let energy = contact.law.potential().map_or(0.0, |potential| potential.energy(x));
            (x, energy, (2.0 * energy * compliance).sqrt())
        };
        let kinetic: f64 = system.mass.iter().zip(&start.velocity).map(|(m, v)| 0.5 * m * v * v).sum();
        let others = kinetic + 0.5 * system.stiffness_form(&start.position, &start.position);
        for plan in &self.contact_plans {
            let parts = system.contacts[plan.parts.clone()].iter().map(held);
            let energy: f64 = parts.clone().map(|(_, energy, _)| energy).sum();
            let worst = parts.max_by(|a, b| a.2.total_cmp(&b.2));
            let Some((x, _, speed)) = worst else { continue };
            let absurd = speed > ABSURD || speed.is_nan();
            if !absurd && (others == 0.0 || energy <= SURPRISING * others) {
                continue;
            }
            let Some(DeValue::Table(table)) = root
                .table
                .get("contact")
                .and_then(|all| all.get_ref().get(plan.name.as_str()))
                .map(|c| c.get_ref())
            else {
                continue;
            };
            let section = Section { title: format!("contact `{}`", plan.name), span: 0..0, table };
            let message = format!(
                "starts {} m inside its obstacle and would throw the bodies apart at {} m/s",
                plain(x.abs()),
                plain(speed)
            );
            let help = "check the gap, the start positions and the order of `between`: penetration is first − second − gap";
            let problem = section.problem("between", message, "penetrated at the start").help(help);
            if absurd { self.problems.push(problem) } else { self.warnings.push(problem) }
        }
    }
}

//! What elements and links did in a step, by the ways as the step made them.
//!
//!   work −F(σ − Δh) of rigid contacts,   supplied −FΔh,   dissipated by losses and resistive laws Fσ

use super::{EcContacts, EcDone};
use crate::{interaction::ForceLaw, modal::modal_ec::bank::EcBank};
use hamiltone_core::element::LossLaw;

impl EcContacts {
    /// Impulses, the work of rigid contacts and of references, losses, and what a rounding of the rows is worth.
    pub(super) fn book(&mut self, bank: &EcBank, dt: f64, done: &mut EcDone) {
        let (q, s) = (&bank.place, &bank.moved);
        let Self { solved, rows, shifts, read, sizes, activity, acting, .. } = self;
        solved.closed.retain(|&j| solved.forces[j] != 0.0);
        acting.retain(|&j| solved.forces[j] != 0.0);
        rows.some_with_sizes(&solved.closed, [s, &bank.speed], read, sizes);
        // Twice Σ|cᵢsᵢ|.
        rows.some_with_sizes(acting, [s, s], read, sizes);
        for &j in &solved.closed {
            let (force, shift) = (solved.forces[j], shifts[j]);
            done.work -= force * (read[j] - shift);
            done.given -= force * read[j];
            done.supplied -= force * shift;
            // Against a steady push the way is a small difference of that push and the impulse's own, G F.
            let pushed = solved.compliance(j, j) * force;
            done.leverage += force * (sizes[j] + pushed);
        }
        for &k in solved.answering() {
            let i = &solved.interactions[k];
            let (j, force, sigma) = (i.element, solved.forces[i.element], solved.steps()[k]);
            if force != 0.0 {
                done.supplied -= force * shifts[j];
                done.given -= force * read[j];
            }
            match &i.law {
                ForceLaw::Compliant(law, _) => {
                    if law.loss > 0.0 && !i.separated(solved.x[k], sigma) {
                        done.dissipated += match law.loss_law {
                            LossLaw::Rate => law.dissipated(solved.x[k], sigma, dt),
                            LossLaw::Relaxation => {
                                i.relaxed((solved.x[k], self.x[k]), read[j] - shifts[j], force)
                            }
                        };
                    }
                    if force == 0.0 {
                        continue;
                    }
                    let reach = rows.magnitude(j, [q, s]);
                    done.leverage += i.largest_force(force, self.x[k], sigma, dt) * (reach + i.gap.abs());
                }
                ForceLaw::Resistive(_) => {
                    // What it takes is its force times the way as it was made: the solver's own differs by rounding, the same in each step.
                    if force != 0.0 {
                        done.dissipated += force * (read[j] - shifts[j]);
                        done.leverage += force.abs() * (0.5 * sizes[j]);
                    }
                }
            }
        }
        // Links, which come last, are no elements.
        for &j in solved.closed.iter().chain(&*acting) {
            if let Some(activity) = activity.get_mut(j) {
                activity.impulse += solved.forces[j] * dt;
            }
        }
    }
}

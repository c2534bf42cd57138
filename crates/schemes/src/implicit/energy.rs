//! The energy balance of an implicit step: see [`super`] for its terms.

use super::{
    constants::ImplicitConstants,
    kernel::{Kernel, Motion},
    rule::{self, Rule},
};
use crate::interaction::{ForceLaw, Interaction};
use hamiltone_core::{element::LossLaw, ledger::Ledger};
use hamiltone_numerics::lanes;

impl Kernel {
    /// (2/Δt²)(w·Mw + q·K̂q) + ΣV, of elements and forms.
    pub fn stored(&self, c: &ImplicitConstants) -> f64 {
        let Motion { q, w, gaps, separated, .. } = &self.state;
        let forms = c.linear.forms(w, q, q);
        let energy = |i: &Interaction, gap: f64| i.energy(i.row.dot(q) - gap);
        // After a separated step every V is 0, by the same onsets as in `Interaction::energy`.
        let contacts = if *separated { 0 } else { c.interactions.len() };
        let contact = lanes::sum(contacts, |j| energy(&c.interactions[j], gaps[j]));
        // K̂ = Δt²K/4; scaling by a power of two and by the same Δt² cancels the rounding of Δt².
        let linear = 2.0 / c.dt2 * (forms.kinetic + 0.25 * c.dt2 * forms.elastic);
        // Without forms nothing is added, not even 0.
        if self.forms.none() { linear + contact } else { linear + contact + self.forms.stored(q) }
    }

    /// What the step in `s` did through the interactions: losses, the work of moving references, and the leverage.
    pub fn book_interactions(&self, c: &ImplicitConstants, ledger: &mut Ledger) {
        let t = &self.scratch;
        for (j, i) in c.interactions.iter().enumerate() {
            let force = self.state.forces[i.element];
            match &i.law {
                ForceLaw::Compliant(law, _) => {
                    if law.loss > 0.0 {
                        // σ of the final s, not of the solver: the balance compares energies of the positions that are stored.
                        let sigma = i.row.dot(&t.s) - t.shift[j];
                        ledger.dissipated += match law.loss_law {
                            LossLaw::Rate => law.quotient(t.x[j], sigma).0 * law.loss * sigma * sigma / c.dt,
                            LossLaw::Relaxation => match c.rule {
                                Rule::Gradient => {
                                    let end = i.row.dot(&self.state.q) - self.state.gaps[j];
                                    i.relaxed((t.x[j], end), sigma, force)
                                }
                                rule => (force - rule::base(rule, law, t.x[j], sigma).0) * sigma,
                            },
                        };
                    }
                }
                ForceLaw::Resistive(_) => ledger.dissipated += force * (i.row.dot(&t.s) - t.shift[j]),
            }
            ledger.supplied -= force * t.shift[j];
        }
        let interactions = c.interactions.iter().zip(&self.state.gaps).zip(self.solver.steps());
        ledger.leverage += interactions
            .map(|((i, gap), sigma)| {
                let force = self.state.forces[i.element];
                // Rows of open contacts need not be read.
                if force == 0.0 {
                    return 0.0;
                }
                let q = &self.state.q;
                i.leverage(force, i.row.dot(q) - gap, c.twice * sigma, c.dt, q, *gap)
            })
            .sum::<f64>();
    }

    /// What impulses did, and what θ takes.
    pub fn book_rigid_and_theta(&self, c: &ImplicitConstants, ledger: &mut Ledger) {
        let t = &self.scratch;
        if self.rigid.any() {
            let done = self.rigid.work(&self.state.forces, c.theta, &self.state.w, &t.e);
            ledger.contact_work += done.work;
            ledger.supplied += done.supplied;
            ledger.leverage += done.leverage;
        }
        // Not multiplied by 0 at θ = ½: the forms would cost two loops.
        if c.theta != 0.5 {
            let forms = c.linear.forms(&t.e, &t.s, &t.s);
            ledger.dissipated += (c.theta - 0.5) * (4.0 / c.dt2 * forms.kinetic + forms.elastic);
        }
    }
}

//! The forces of all elements in one step: impulses of rigid contacts R and force laws Y(σ) at once.
//!
//!   0 ≤ F_R  ⊥  b + G_RR F_R + G_RY F_Y ≥ 0,     F_Y = Y(σ),   σ = σ_free − G_YY F_Y − G_YR F_R
//!
//! Where the contacts S ⊂ R push, theirs is an equation, and they are eliminated (Schur's complement):
//!
//!   σ = σ_free + G_YS G_SS⁻¹ b_S − (G_YY − G_YS G_SS⁻¹ G_SY) F_Y
//!
//! is the equation of the force laws alone, which Newton's iteration solves; the impulses for these forces show which
//! contacts push. That is repeated until they are the same. At last the force laws are solved with the impulses as they
//! are, so that energy is kept in any case, and what the impulses miss then is measured.
//!
//! Where S goes in a circle, impulses and force laws are solved in turn, each with the other's forces as they are.

use super::super::bank::Bank;
use super::Contacts;
use crate::{
    contact_solver::{MAX_ITERATIONS, MAX_SETS, MAX_TURNS},
    interaction::ForceLaw,
};
use hamiltone_core::ledger::{Effort, Fault};
use hamiltone_numerics::schur_newton::Convergence;

impl Contacts {
    /// The forces of all elements.
    pub(super) fn solve(&mut self, bank: &Bank, dt: f64) -> Effort {
        self.forces.fill(0.0);
        let mut effort = Effort::default();
        let mut worst = 0.0;
        if !self.closed.is_empty() {
            worst = note(&mut effort, self.solve_rigid());
        }
        if !self.soft.is_empty() {
            worst = note(&mut effort, self.solve_force_laws(dt, false)).max(worst);
        }
        let both = !self.closed.is_empty() && self.soft.iter().any(|&j| self.forces[j] != 0.0);
        let size = if both { self.size_of_rigid(bank) } else { 0.0 };
        let mut sets = MAX_SETS;
        for turn in 0..if both { MAX_SETS + MAX_TURNS } else { 0 } {
            if effort.iterations > MAX_ITERATIONS {
                break;
            }
            let eliminated = turn < sets && !self.pressed.is_empty();
            if eliminated {
                note(&mut effort, self.solve_force_laws(dt, true));
            }
            std::mem::swap(&mut self.pressed, &mut self.pressed_before);
            let rigid = note(&mut effort, self.solve_rigid());
            if self.pressed == self.pressed_before || !eliminated {
                let soft = note(&mut effort, self.solve_force_laws(dt, false));
                worst = rigid.max(soft).max(self.missed_by_rigid(size));
                if worst <= 1.0 {
                    break;
                }
                // The same contacts would give the same again.
                if eliminated {
                    sets = 0;
                }
            }
        }
        effort.fault = (worst > 1.0).then_some(Fault::NotConverged(worst));
        effort
    }

    /// b with the forces of the force laws.
    fn push_rigid(&mut self) {
        let Self { closed, soft, lcp, forces, b, pushed, .. } = self;
        for &i in closed.iter() {
            pushed[i] = b[i] + soft.iter().map(|&j| lcp.compliance(i, j) * forces[j]).sum::<f64>();
        }
    }

    /// The impulses, the forces of the force laws as they are.
    fn solve_rigid(&mut self) -> Convergence {
        self.push_rigid();
        let outcome = self.lcp.solve(&self.closed, &self.pushed);
        self.pressed.clear();
        for &j in &self.closed {
            self.forces[j] = self.lcp.impulses[j];
            if self.forces[j] > 0.0 {
                self.pressed.push(j);
            }
        }
        outcome
    }

    /// The largest size of what b is added up from.
    fn size_of_rigid(&self, bank: &Bank) -> f64 {
        let size = |&j: &usize| self.rows.magnitude(j, |i| bank.before[i].abs() + bank.after[i].abs());
        self.closed.iter().map(size).fold(0.0, f64::max)
    }

    /// What the impulses miss with the forces of the force laws as they are, over its rounding, b being of this `size`.
    fn missed_by_rigid(&mut self, size: f64) -> f64 {
        self.push_rigid();
        self.lcp.excess(&self.closed, &self.pushed, size)
    }

    /// The forces of the force laws, the impulses as they are or, where `eliminated`, as the pushing contacts answer.
    fn solve_force_laws(&mut self, dt: f64, eliminated: bool) -> Convergence {
        let Self { interactions, soft, lcp, newton, forces, free, moved, x, controls, .. } = self;
        if eliminated {
            lcp.condense(&self.pressed, &self.b, newton.changed(), moved);
            moved.iter_mut().zip(free).for_each(|(moved, free)| *moved += *free);
        } else {
            newton.restore();
            for ((moved, free), soft) in moved.iter_mut().zip(free).zip(soft.iter()) {
                let pushed = self.closed.iter().map(|&j| lcp.compliance(*soft, j) * forces[j]).sum::<f64>();
                *moved = *free - pushed;
            }
        }
        let outcome = newton.solve(x, moved, |k, sigma| match &interactions[k].law {
            ForceLaw::Compliant(_, onset) if x[k] <= *onset && x[k] + sigma <= *onset => (0.0, 0.0),
            ForceLaw::Compliant(law, _) => {
                let (mean, slope) = law.quotient(x[k], sigma);
                let mu = 0.5 * law.loss / dt;
                (mean * (1.0 + mu * sigma), slope + mu * (mean + sigma * slope).max(0.0))
            }
            ForceLaw::Resistive(law) => {
                let (force, slope) = law.force(0.5 * sigma / dt, controls[k]);
                (force, 0.5 * slope.max(0.0) / dt)
            }
        });
        for (j, y) in soft.iter().zip(&newton.multipliers) {
            forces[*j] = *y;
        }
        outcome
    }
}

/// Counts the iterations of a solve, and returns its excess.
fn note(effort: &mut Effort, outcome: Convergence) -> f64 {
    effort.iterations += outcome.iterations;
    outcome.excess
}

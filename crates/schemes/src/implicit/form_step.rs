//! The increment of a step with forms.
//!
//!   A e + Cᵀy(e) = r − p,   p = p(e)
//!
//! For a given p the left side is that of a step without forms, elements included. What p misses, d = p − p(e), is made up for by a step of
//! Newton in all of it,
//!
//!   (A + CᵀDC + P) δ = d,   P = ∂p/∂e,   p ← p(e) + Pδ = p − u,   (1 + P(A + CᵀDC)⁻¹) u = d
//!
//! D being the slopes of the elements' laws, and e is solved for again; where ‖d‖ becomes larger, half of the step is tried. u is found by
//! GMRES, which makes no matrix: of few forms, or forms that hold little beside A, it takes few products. Both use the norm of A's diagonal,
//! Σ dᵢ²/Aᵢᵢ. The turns end where d is rounding and falls no more.

use super::{
    constants::ImplicitConstants,
    kernel::{Kernel, Motion, Scratch},
};
use crate::contact_solver::MAX_TURNS;
use hamiltone_core::ledger::{Effort, Fault};

/// The part of what was missed in the turn before that no turn but one of roundings leaves.
const FALLING: f64 = 0.7;

/// The smallest part of a step of Newton that is tried.
const SMALLEST: f64 = 1.0 / (1_u64 << 20) as f64;

impl Kernel {
    /// The increment with forms and elements, `e` holding that without.
    pub(super) fn form_increment(&mut self, c: &ImplicitConstants, input: &[f64]) -> Effort {
        self.forms.begin(&self.state.q, &self.scratch.e);
        let mut effort = Effort::default();
        let (mut missed, mut excess, mut part) = (f64::INFINITY, f64::INFINITY, 1.0);
        for _ in 0..MAX_TURNS {
            let own = self.element_increment(c, input);
            effort = Effort { iterations: effort.iterations + own.iterations + 1, fault: own.fault };
            self.find_push(c);
            let (now, over) = self.forms.missed();
            if over <= 1.0 && (over == 0.0 || over > FALLING * excess) {
                return effort;
            }
            // An overflow is no smaller.
            if missed < f64::INFINITY && !(now <= missed || over <= 1.0) && part > SMALLEST {
                part *= 0.5;
            } else if now.is_nan() {
                // Of the first turn: it ends the run by the positions that it leaves.
                return effort;
            } else {
                (missed, excess, part) = (now, over, 1.0);
                self.forms.aim();
                self.forms.newton(&mut self.solver, &c.interactions, self.scratch.any_force, |x| c.solve(x));
            }
            self.forms.increment(part, &mut self.scratch.e, |x| c.solve(x));
        }
        effort.fault = effort.fault.or((excess > 1.0).then_some(Fault::NotConverged(excess)));
        effort
    }

    /// p(e).
    fn find_push(&mut self, c: &ImplicitConstants) {
        let Motion { q, w, .. } = &self.state;
        let Scratch { e, s, .. } = &mut self.scratch;
        for (s, (w, e)) in s.iter_mut().zip(w.iter().zip(e.iter())) {
            *s = 2.0 * w + c.twice * e;
        }
        self.forms.meet((q, w, s));
    }

    /// Takes from `rhs`, by which a correction misses the equations of its step, the ways of contacts being missed by `free`, what forms make of
    /// the answer: the contacts and the rest answer the others.
    pub(super) fn answer_of_forms(&mut self, c: &ImplicitConstants) {
        let Self { forms, scratch: Scratch { rhs, free, any_force, .. }, solver, .. } = self;
        forms.answer(rhs, |missed| {
            if *any_force {
                for ((i, miss), slope) in c.interactions.iter().zip(&*free).zip(solver.slopes()) {
                    i.row.add_scaled(-slope * miss, missed);
                }
            }
        });
        forms.newton(solver, &c.interactions, *any_force, |x| c.solve(x));
        forms.answered(rhs);
    }
}

#[cfg(test)]
mod tests {
    use crate::named;
    use hamiltone_core::{
        form::Form,
        ledger::Bookkeeping,
        operator::Operator,
        row::Row,
        system::{Block, System},
    };
    use std::f64::consts::PI;

    /// The most turns and the largest ΔT/T of a string of 40 modes, 0.65 m long at 75 N, that is let go from this height (m) at a quarter of it.
    fn turns(height: f64) -> (u32, f64) {
        const MODES: usize = 40;
        let (length, tension, stretching): (f64, f64, f64) = (0.65, 75.0, 6.9e4);
        let mut system = System::default();
        let square = |n: usize| 0.5 * length * (n as f64 * PI / length).powi(2);
        for n in 1..=MODES {
            let shape = (n as f64 * PI * 0.25).sin() / (n * n) as f64;
            system.add_dof(0.5 * 3.2e-3 * length, height * shape, 0.0);
        }
        system.blocks.push(Block {
            name: "string".into(),
            dofs: 0..MODES,
            stiffness: Operator::Diagonal((1..=MODES).map(|n| tension * square(n)).collect()),
            damping: Operator::Zero,
        });
        let slope = (stretching / length).sqrt();
        let form = Form {
            name: "string".into(),
            quadratic: (1..=MODES).map(|n| (n - 1, n - 1, slope * square(n))).collect(),
            linear: Row::ground(),
            strain: Row::ground(),
            stretch: slope,
        };
        let mut most = (0, form.value(&system.initial.position) * slope / tension);
        system.forms.push(form);
        let mut run = named("ec").unwrap().prepare(&system, 1.0 / 48_000.0).unwrap();
        run.reset(&[]);
        for _ in 0..2_000 {
            let effort = run.step(&[], Bookkeeping::Flows).effort;
            assert_eq!(effort.fault, None);
            most.0 = most.0.max(effort.iterations);
        }
        most
    }

    /// The last turn finds that the one before was enough.
    #[test]
    fn turns_are_few() {
        for (height, ratio, most) in [(1e-3, 0.0, 5), (5e-3, 0.1, 6), (2e-2, 1.9, 8), (0.5, 1e3, 16)] {
            let (turns, grown) = turns(height);
            assert!(turns <= most && grown > ratio, "{height}: {turns} turns, {grown}");
        }
    }
}

//! The increment of a step with forms.
//!
//!   A e + Cᵀy(e) = r − p,   p = p(e)
//!
//! For a given p the left side is that of a step without forms, elements included. What p misses, d = p − p(e), is made up for by a step of
//! Newton in all of it,
//!
//!   (A + CᵀDC + P) δ = d,   P = (λ/2)Σ(TB + ḡḡᵀ + ḡhᵀ + hḡᵀ),   p ← p(e) + Pδ
//!
//! and e is solved for again. P is the symmetric part of ∂p/∂e but for (λ/4)(ḡ + h)(Bs)ᵀ, so that d falls by a large factor in each turn,
//! and in any step that is short. Pδ is found by conjugate gradients preconditioned by the contacts' own matrix A + CᵀDC, whose product with
//! each direction follows from residuals: neither it nor P is ever made. The
//! turns end where d is rounding and falls no more.

use super::{Forms, Step};
use crate::{
    contact_solver::MAX_TURNS,
    implicit::{
        constants::ImplicitConstants,
        kernel::{Kernel, Motion, Scratch},
    },
};
use hamiltone_core::ledger::{Effort, Fault};

/// The most rounds of conjugate gradients, and the part of the residual's square at which they end: P misses about as much of ∂p/∂e.
const ROUNDS: u32 = 40;
const SETTLED: f64 = 1e-6;

/// What p may miss: this many roundings of what it is added up from; and the part of what was missed in the turn before that no turn but one of roundings
/// leaves.
const FLOOR: f64 = 2.0 * f64::EPSILON;
const FALLING: f64 = 0.7;

impl Kernel {
    /// The increment with forms and elements, `e` holding that without.
    pub(in crate::implicit) fn form_increment(&mut self, c: &ImplicitConstants, input: &[f64]) -> Effort {
        self.forms.begin(&self.state.q, &self.scratch.e);
        let (mut effort, mut before) = (Effort::default(), f64::INFINITY);
        for _ in 0..MAX_TURNS {
            let own = self.element_increment(c, input);
            effort = Effort { iterations: effort.iterations + own.iterations, fault: own.fault };
            let excess = self.miss_push(c);
            // An overflow ends the run by the positions that it leaves. What still falls would have one sign in all steps.
            if excess == 0.0 || excess.is_nan() || (excess <= 1.0 && excess > FALLING * before) {
                return effort;
            }
            effort.iterations += 1;
            before = excess;
            self.forms.miss();
            self.newton_change(c);
            self.take_push(c);
        }
        effort.fault = effort.fault.or((before > 1.0).then_some(Fault::NotConverged(before)));
        effort
    }

    /// p at e; by how much p misses it, over its rounding.
    fn miss_push(&mut self, c: &ImplicitConstants) -> f64 {
        let Motion { q, w, .. } = &self.state;
        let Scratch { e, s, .. } = &mut self.scratch;
        for (s, (w, e)) in s.iter_mut().zip(w.iter().zip(e.iter())) {
            *s = 2.0 * w + c.twice * e;
        }
        self.forms.meet(Step { q, w, s });
        self.forms.excess()
    }

    /// p ← p(e) + Pδ, and e without elements for it.
    fn take_push(&mut self, c: &ImplicitConstants) {
        let Self { forms: Forms { push, next, change, free, .. }, scratch, .. } = self;
        for (p, (next, change)) in push.iter_mut().zip(next.iter().zip(&*change)) {
            *p = next + change;
        }
        scratch.rhs.copy_from_slice(push);
        c.solve(&mut scratch.rhs);
        for (e, (free, answer)) in scratch.e.iter_mut().zip(free.iter().zip(scratch.rhs.iter())) {
            *e = free - answer;
        }
    }

    /// What a correction of the step, which misses its equations by `rhs` and the ways of contacts by `free`, is to leave to the contacts and
    /// the rest: `rhs` − Pδ.
    pub(in crate::implicit) fn answer_of_forms(&mut self, c: &ImplicitConstants) {
        let Self {
            forms: Forms { residual, push, .. },
            scratch: Scratch { rhs, free, any_force, .. },
            solver,
            ..
        } = self;
        push.copy_from_slice(rhs);
        residual.copy_from_slice(rhs);
        if *any_force {
            for ((i, missed), slope) in c.interactions.iter().zip(&*free).zip(solver.slopes()) {
                i.row.add_scaled(-slope * missed, residual);
            }
        }
        self.newton_change(c);
        let Forms { push, change, .. } = &self.forms;
        for (x, (missed, change)) in self.scratch.rhs.iter_mut().zip(push.iter().zip(change)) {
            *x = missed - change;
        }
    }

    /// Pδ of the residual, into `change`.
    fn newton_change(&mut self, c: &ImplicitConstants) {
        self.forms.begin_change();
        let mut square = self.precondition(c);
        self.forms.turn(0.0, &self.scratch.rhs);
        let end = SETTLED * square;
        for _ in 0..ROUNDS {
            // Of a negative curvature nothing is gained by going on.
            if !(square > end && self.forms.advance(square)) {
                break;
            }
            let before = std::mem::replace(&mut square, 0.0);
            square += self.precondition(c);
            self.forms.turn(square / before, &self.scratch.rhs);
        }
    }

    /// (A + CᵀDC)⁻¹ of the residual into `rhs`; the product of both.
    fn precondition(&mut self, c: &ImplicitConstants) -> f64 {
        let Self {
            forms: Forms { residual, ways, .. }, scratch: Scratch { rhs, any_force, .. }, solver, ..
        } = self;
        rhs.copy_from_slice(residual);
        match any_force {
            true => solver.apply(&c.interactions, ways, rhs, |x| c.solve(x)),
            false => c.solve(rhs),
        }
        residual.iter().zip(rhs.iter()).map(|(r, z)| r * z).sum()
    }
}

impl Forms {
    /// A step begins at q, whose increment without forms and elements is e.
    fn begin(&mut self, q: &[f64], e: &[f64]) {
        self.acting = true;
        self.forms.iter().zip(&mut self.states).for_each(|(form, state)| form.begin(q, state));
        self.free.copy_from_slice(e);
        self.push.fill(0.0);
    }

    /// What p misses over its rounding, by the norm of A's diagonal.
    fn excess(&self) -> f64 {
        let (mut missed, mut rounding) = (0.0, f64::MIN_POSITIVE);
        for ((p, next), (size, weight)) in
            self.push.iter().zip(&self.next).zip(self.size.iter().zip(&*self.weights))
        {
            missed += (p - next) * (p - next) * weight;
            rounding += size * size * weight;
        }
        (missed / rounding).sqrt() / FLOOR
    }

    /// d is the residual.
    fn miss(&mut self) {
        let Self { push, next, residual, .. } = self;
        residual.iter_mut().zip(push.iter().zip(&*next)).for_each(|(r, (p, next))| *r = p - next);
    }

    /// δ = 0.
    fn begin_change(&mut self) {
        let Self { change, direction, image, .. } = self;
        [change, direction, image].into_iter().for_each(|x| x.fill(0.0));
    }

    /// The next direction, z + β times the last, and its image under the preconditioner's matrix.
    fn turn(&mut self, beta: f64, z: &[f64]) {
        let Self { residual, direction, image, .. } = self;
        direction.iter_mut().zip(z).for_each(|(p, z)| *p = z + beta * *p);
        image.iter_mut().zip(&*residual).for_each(|(a, r)| *a = r + beta * *a);
    }

    /// Goes along the direction, `square` being the residual's; `false` where the curvature is not positive.
    fn advance(&mut self, square: f64) -> bool {
        let Self { forms, states, lambda, change, residual, direction, image, product, .. } = self;
        product.fill(0.0);
        for (form, state) in forms.iter().zip(&*states) {
            form.add_slope(0.5 * *lambda, state, direction, product);
        }
        let curvature: f64 =
            direction.iter().zip(image.iter().zip(&*product)).map(|(p, (a, b))| p * (a + b)).sum();
        if !(curvature > 0.0) {
            return false;
        }
        let way = square / curvature;
        for ((change, r), (a, b)) in change.iter_mut().zip(residual).zip(image.iter().zip(&*product)) {
            *change += way * b;
            *r -= way * (a + b);
        }
        true
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

    /// Three turns and one for the rounding where a tension grows by parts in a hundred, some more where it grows a thousandfold.
    #[test]
    fn turns_are_few() {
        for (height, ratio, most) in [(1e-3, 0.0, 4), (5e-3, 0.1, 6), (2e-2, 1.9, 8), (0.5, 1e3, 40)] {
            let (turns, grown) = turns(height);
            assert!(turns <= most && grown > ratio, "{height}: {turns} turns, {grown}");
        }
    }
}

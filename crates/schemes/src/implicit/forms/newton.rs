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
//! each direction follows from residuals: neither it nor P is ever made. Once d is rounding, p(e) acts as it is.

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

/// What p may miss: this many roundings of what it is added up from.
const FLOOR: f64 = 2.0 * f64::EPSILON;

impl Kernel {
    /// The increment with forms and elements, `e` holding that without.
    pub(in crate::implicit) fn form_increment(&mut self, c: &ImplicitConstants, input: &[f64]) -> Effort {
        self.forms.begin(&self.state.q, &self.scratch.e);
        let (mut effort, mut settled) = (Effort::default(), false);
        for turn in 1..=MAX_TURNS {
            let own = self.element_increment(c, input);
            effort = Effort { iterations: effort.iterations + own.iterations, fault: own.fault };
            let excess = self.miss_push(c);
            if settled || excess.is_nan() {
                return effort;
            }
            effort.iterations += 1;
            settled = excess <= 1.0;
            if turn == MAX_TURNS {
                effort.fault = effort.fault.or((!settled).then_some(Fault::NotConverged(excess)));
                return effort;
            }
            if settled {
                self.forms.change.fill(0.0);
            } else {
                self.newton_change(c);
            }
            self.take_push(c);
        }
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

    /// Pδ, into `change`.
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
        self.scratch.rhs.copy_from_slice(&self.forms.residual);
        self.scratch.free.fill(0.0);
        self.respond(c);
        self.forms.residual.iter().zip(self.scratch.rhs.iter()).map(|(r, z)| r * z).sum()
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

    /// The residual at δ = 0.
    fn begin_change(&mut self) {
        let Self { push, next, change, residual, direction, image, .. } = self;
        residual.iter_mut().zip(push.iter().zip(&*next)).for_each(|(r, (p, next))| *r = p - next);
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

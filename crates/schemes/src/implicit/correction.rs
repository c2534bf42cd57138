//! A stiff step, corrected by what it misses.
//!
//! Rounding makes an increment e miss the equations of the step by
//!
//!   r = λBū − 2K̂(q + θs) − R̂s − M e − Cᵀy − p,   s = 2(w + θe)
//!
//! which changes the energy by (2/Δt²) r·s. One solve leaves r = eps·A e. Where springs are soft, this is eps·ωΔt of the energy. Where
//! they are stiff, s is a small difference of large numbers, and it is up to eps·A/M. Evaluated through s and the strains, r is known to
//! eps·K̂|q||s|, which is eps of the energy at any stiffness. The step therefore is solved once more, for what is missing:
//!
//!   (A + CᵀDC) e′ = r − CᵀD(σ − σ′),   D = ∂y/∂σ
//!
//! where σ′ is what the force laws were evaluated at. e′ is kept apart from e until both are added to w. Where there are forms, p is theirs at s,
//! and ∂p/∂e is added to the matrix ([`super::forms`]).

use super::{
    constants::ImplicitConstants,
    kernel::{Kernel, Motion, Scratch},
    stepper::subtract_forces,
};
use crate::contact_solver::ContactSolver;
use fearless_simd::{Simd, dispatch};
use hamiltone_numerics::{compensation, double::Double, lanes};

impl Kernel {
    /// Moves e so that it balances all forces, those of the elements as they are.
    pub(super) fn correct_free(&mut self, c: &ImplicitConstants, input: &[f64]) {
        self.miss(c, input);
        let Scratch { e, rhs, .. } = &mut self.scratch;
        c.solve(rhs);
        e.iter_mut().zip(rhs.iter()).for_each(|(e, r)| *e += *r);
    }

    /// The step to the end, with this number of corrections; Σq and Σ|w|, which are finite where all are.
    pub(super) fn step_corrected(
        &mut self,
        c: &ImplicitConstants,
        input: &[f64],
        corrections: u32,
    ) -> (f64, f64) {
        for _ in 0..corrections {
            self.miss(c, input);
            self.answer(c);
        }
        // Forces are read after the corrections, which change the multipliers.
        let sizes = dispatch!(c.level, simd => simd.vectorize(#[inline(always)] || self.end(c)));
        if self.scratch.any_force {
            self.read_forces(c);
        }
        sizes
    }

    /// r into `rhs`.
    fn miss(&mut self, c: &ImplicitConstants, input: &[f64]) {
        c.load_forces(input, &mut self.scratch.rhs);
        dispatch!(c.level, simd => simd.vectorize(#[inline(always)] || self.miss_inertia(c)));
        let Scratch { rhs, s, ahead, any_force, .. } = &mut self.scratch;
        // q and θs apart: their sum would round the strains of a body that is far from its origin.
        c.linear.add(-0.5 * c.dt2, ahead, -0.5 * c.dt, s, rhs);
        c.linear.add(-0.5 * c.dt2, &self.state.q, 0.0, s, rhs);
        self.rigid.subtract_forces(rhs);
        if *any_force {
            subtract_forces(&c.interactions, self.solver.multipliers(), rhs);
        }
        self.forms.subtract_push((&self.state.q, &self.state.w, s), rhs);
    }

    /// s, θs with the remainder of q, and λBū − M(e + e′).
    #[inline(always)]
    fn miss_inertia(&mut self, c: &ImplicitConstants) {
        let n = self.state.q.len();
        let Motion { w, w_remainder, q_remainder, .. } = &self.state;
        let Scratch { e, rhs, s, e_rest, ahead, .. } = &mut self.scratch;
        let (w, w_rest, q_rest, mass) = (&w[..n], &w_remainder[..n], &q_remainder[..n], &c.linear.mass[..n]);
        let (e, e_rest, rhs, s, ahead) = (&e[..n], &e_rest[..n], &mut rhs[..n], &mut s[..n], &mut ahead[..n]);
        for i in 0..n {
            s[i] = way((w[i], w_rest[i]), (e[i], e_rest[i]), c.twice);
            ahead[i] = c.theta * s[i] + q_rest[i];
            // e and e′ are multiplied apart, since their sum would round e′ away.
            rhs[i] -= mass[i] * e[i] + mass[i] * e_rest[i];
        }
    }

    /// Solves for e′ with the slopes of the force laws, and adds it to what is kept apart.
    fn answer(&mut self, c: &ImplicitConstants) {
        let Scratch { s, free, shift, any_force, .. } = &mut self.scratch;
        if *any_force {
            // σ − σ′ in the elements' unit, s/2θ.
            let missed = free.iter_mut().zip(&c.interactions).zip(self.solver.steps()).zip(&*shift);
            for (((missed, i), sigma), shift) in missed {
                // Divided last: the leading digits of the difference cancel.
                *missed = ((i.row.dot(s) - shift) - c.twice * sigma) / c.twice;
            }
        }
        if self.forms.acting() {
            self.answer_of_forms(c);
        }
        let Scratch { rhs, free, any_force, e_rest, .. } = &mut self.scratch;
        match &mut self.solver {
            // This solve includes the slopes CᵀDC and returns e′ in `rhs`.
            ContactSolver::Banded(banded) if *any_force => banded.respond(free, rhs),
            reduced => {
                c.solve(rhs);
                if *any_force {
                    for (missed, i) in free.iter_mut().zip(&c.interactions) {
                        *missed = -(*missed + i.row.dot(rhs));
                    }
                    reduced.correct_increment(free, rhs);
                }
            }
        }
        e_rest.iter_mut().zip(rhs.iter()).for_each(|(e, r)| *e += *r);
    }

    /// q, w, e and s at the end of the step, in which e′ is taken up; Σq and Σ|w|.
    #[inline(always)]
    fn end(&mut self, c: &ImplicitConstants) -> (f64, f64) {
        let n = self.state.q.len();
        let Motion { q, w, w_remainder, q_remainder, .. } = &mut self.state;
        let (q, q_rest, w, w_rest) = (&mut q[..n], &mut q_remainder[..n], &mut w[..n], &mut w_remainder[..n]);
        let Scratch { e, s, e_rest, .. } = &mut self.scratch;
        let (e, s, e_rest) = (&mut e[..n], &mut s[..n], &mut e_rest[..n]);
        for i in 0..n {
            s[i] = way((w[i], w_rest[i]), (e[i], e_rest[i]), c.twice);
            // Both remainders are added to the low part: alone each is below the last digit of w.
            let sum = Double::sum(w[i], e[i]);
            let next = Double::sum(sum.high, sum.low + (w_rest[i] + e_rest[i]));
            // e as the rounded w moves: the work of impulses and what θ takes are compared with energies of the rounded w.
            e[i] = next.high - w[i];
            (w[i], w_rest[i], e_rest[i]) = (next.high, next.low, 0.0);
            q[i] = compensation::add(q[i], s[i], &mut q_rest[i]);
        }
        (lanes::sum_of([q], |[q]| q), lanes::sum_of([w], |[w]| w.abs()))
    }
}

/// s = 2(w + θe), each with what is kept apart from it; 2θ is `twice`.
#[inline(always)]
fn way((w, w_rest): (f64, f64), (e, e_rest): (f64, f64), twice: f64) -> f64 {
    (2.0 * w + twice * e) + (2.0 * w_rest + twice * e_rest)
}

//! A step to twice the digits, where springs or dampers are stiff.
//!
//! An increment e that rounding makes miss the equations of the step by
//!
//!   r = λBū − M e − 2K̂(q + θs) − R̂s − Cᵀy,   s = 2(w + θe)
//!
//! changes the energy by (2/Δt²) r·s. Up to 2θR̂ + 4θ²K̂ = M that is a few eps of a random sign. Beyond, s exceeds w, and
//! the same few states repeat every few steps, with the same errors: the energy drifts by up to an eps a step, as of an
//! oscillator near ωΔt = 2. Here r is computed to twice the digits, with those that earlier steps left out of q and w, and
//!
//!   (A + CᵀDC) e′ = r − CᵀD(σ − σ′),   D = ∂y/∂σ
//!
//! is added as the low part of e, where σ′ is what the elements' laws were evaluated at: the energy of (q, w), each to
//! twice its digits, then is that of the step's equations, and does not drift.

use super::{
    constants::Constants,
    kernel::{Exact, Kernel, Motion, Scratch},
};
use crate::{compensation, contact_solver::ContactSolver};
use hamiltone_numerics::double::Double;

impl Kernel {
    /// The step to the end: e, s, q and w, each with what rounding leaves out; Σq and Σ|w|, which are finite where all are.
    pub(super) fn step_exactly(&mut self, c: &Constants, input: &[f64]) -> (f64, f64) {
        let Scratch { e, exact, .. } = &mut self.scratch;
        exact.e.iter_mut().zip(e).for_each(|(exact, e)| *exact = (*e).into());
        for _ in 0..c.refinements {
            self.move_to(c);
            self.miss(c, input);
            self.answer(c);
        }
        self.move_to(c);
        let Motion { q, w, w_remainder, q_remainder, .. } = &mut self.state;
        let Scratch { e, s, exact, .. } = &mut self.scratch;
        let (mut size, mut speed) = (0.0, 0.0);
        for i in 0..q.len() {
            let before = w[i];
            compensation::add_double(&mut w[i], &mut w_remainder[i], exact.e[i]);
            // e as the rounded w moves: the work of impulses and what θ takes are compared with energies of the rounded w.
            (e[i], s[i]) = (w[i] - before, exact.s[i].high);
            compensation::add_double(&mut q[i], &mut q_remainder[i], exact.s[i]);
            size += q[i];
            speed += w[i].abs();
        }
        if self.scratch.any_force {
            self.read_forces(c);
        }
        (size, speed)
    }

    /// s and q + θs of the present e.
    fn move_to(&mut self, c: &Constants) {
        let Motion { q, w, w_remainder, q_remainder, .. } = &self.state;
        let Exact { e, s, x, .. } = &mut self.scratch.exact;
        for i in 0..q.len() {
            s[i] = Double::sum(2.0 * w[i], 2.0 * w_remainder[i]);
            s[i] += e[i].times(c.twice);
            x[i] = Double::sum(q[i], q_remainder[i]);
            x[i] += s[i].times(c.theta);
        }
    }

    /// r.
    fn miss(&mut self, c: &Constants, input: &[f64]) {
        let Scratch { any_force, exact: Exact { e, s, x, missed }, .. } = &mut self.scratch;
        for ((r, e), m) in missed.iter_mut().zip(e).zip(&c.system.mass) {
            *r = e.times(-m);
        }
        c.linear.add_double(-0.5 * c.dt2, x, -0.5 * c.dt, s, missed);
        for (k, row) in &c.inputs.forces {
            row.add_scaled_double(Double::product(0.5 * c.dt2, c.mean(input, *k)), missed);
        }
        self.rigid.subtract_forces_double(missed);
        if *any_force {
            for (i, y) in c.interactions.iter().zip(self.solver.multipliers()).filter(|(_, y)| **y != 0.0) {
                i.row.add_scaled_double((-y).into(), missed);
            }
        }
    }

    /// e += e′, the multipliers following.
    fn answer(&mut self, c: &Constants) {
        let Scratch { rhs, free, shift, any_force, exact: Exact { e, s, missed, .. }, .. } =
            &mut self.scratch;
        rhs.iter_mut().zip(&*missed).for_each(|(rhs, r)| *rhs = r.rounded());
        if *any_force {
            // In the elements' unit, s/2θ.
            for (((apart, i), sigma), shift) in
                free.iter_mut().zip(&c.interactions).zip(self.solver.steps()).zip(&*shift)
            {
                let mut moved = i.row.dot_double(s);
                moved += Double::from(-shift);
                *apart = ((moved.high - c.twice * sigma) + moved.low) / c.twice;
            }
        }
        match &mut self.solver {
            ContactSolver::Banded(banded) if *any_force => banded.respond(free, rhs),
            reduced => {
                c.solver.solve(rhs);
                if *any_force {
                    for (apart, i) in free.iter_mut().zip(&c.interactions) {
                        *apart = -(*apart + i.row.dot(rhs));
                    }
                    reduced.correct_increment(free, rhs);
                }
            }
        }
        e.iter_mut().zip(rhs).for_each(|(e, low)| *e += Double::from(*low));
    }
}

//! A step to twice the digits, where springs or dampers are stiff.
//!
//! An increment e that rounding makes miss the equations of the step by
//!
//!   r = b − A e − Cᵀy,   b = λBū − 2K̂(q + 2θw) − 2R̂w,   A = M + 2θR̂ + 4θ²K̂
//!
//! changes the energy by (2/Δt²) r·s. Up to 2θR̂ + 4θ²K̂ = M that is a few eps of a random sign. Beyond, s exceeds w, and
//! the same few states repeat every few steps, with the same errors: the energy drifts by up to an eps a step, as of an
//! oscillator near ωΔt = 2. Here b and r are computed to twice the digits, with those that earlier steps left out of q and w, and
//!
//!   (A + CᵀDC) e′ = r − CᵀD(σ − σ′),   D = ∂y/∂σ
//!
//! is added as the low part of e, where σ′ is what the elements' laws were evaluated at: the energy of (q, w), each to
//! twice its digits, then is that of the step's equations, and does not drift.

use super::{
    constants::{Constants, ExactTerms},
    kernel::{Exact, Kernel, Motion, Scratch},
};
use crate::contact_solver::ContactSolver;
use fearless_simd::{Simd, dispatch};
use hamiltone_numerics::{double::Double, doubles::View, lanes};

impl Kernel {
    /// e without contacts from b, rounded once more for each correction but the last.
    pub(super) fn free_exactly(&mut self, c: &Constants, terms: &ExactTerms, input: &[f64]) {
        dispatch!(c.level, simd => simd.vectorize(#[inline(always)] || self.move_alone(c)));
        let Motion { w, w_remainder, .. } = &self.state;
        let Scratch { exact: Exact { x, alone, .. }, .. } = &mut self.scratch;
        terms.stiffness.add(x.view(), alone);
        terms.damping.add(View { high: w, low: w_remainder }, alone);
        for (k, row) in &c.inputs.forces {
            row.add_scaled_double(Double::product(0.5 * c.dt2, c.mean(input, *k)), alone.view_mut());
        }
        let Scratch { e, exact: Exact { alone, .. }, .. } = &mut self.scratch;
        alone.round(e);
        c.solve(e);
        for _ in 1..c.refinements {
            self.refine_increment(c, terms);
        }
    }

    /// q + 2θw, and b = 0.
    #[inline(always)]
    fn move_alone(&mut self, c: &Constants) {
        let n = self.state.q.len();
        let Motion { q, w, w_remainder, q_remainder, .. } = &self.state;
        let (q, q_rest, w, w_rest) = (&q[..n], &q_remainder[..n], &w[..n], &w_remainder[..n]);
        let Exact { x, alone, .. } = &mut self.scratch.exact;
        let (x_high, x_low) = (&mut x.high[..n], &mut x.low[..n]);
        for i in 0..n {
            let mut x = Double { high: w[i], low: w_rest[i] };
            if c.twice != 1.0 {
                x = x.times_fused(c.twice);
            }
            x += Double { high: q[i], low: q_rest[i] };
            (x_high[i], x_low[i]) = (x.high, x.low);
        }
        alone.high[..n].fill(0.0);
        alone.low[..n].fill(0.0);
    }

    /// Moves e so that it balances all forces, those of the elements as they are.
    pub(super) fn refine_increment(&mut self, c: &Constants, terms: &ExactTerms) {
        self.scratch.exact.e_low.fill(0.0);
        self.miss(c, terms);
        let Scratch { e, rhs, exact: Exact { missed, .. }, .. } = &mut self.scratch;
        missed.round(rhs);
        c.solve(rhs);
        e.iter_mut().zip(rhs.iter()).for_each(|(e, r)| *e += *r);
    }

    /// The step to the end: e, s, q and w, each with what rounding leaves out; Σq and Σ|w|, which are finite where all are.
    pub(super) fn step_exactly(&mut self, c: &Constants, terms: &ExactTerms) -> (f64, f64) {
        for refinement in 0..c.refinements {
            if refinement == 0 {
                self.scratch.exact.e_low.fill(0.0);
            } else {
                self.take_up();
            }
            self.miss(c, terms);
            self.answer(c);
        }
        let sizes = dispatch!(c.level, simd => simd.vectorize(#[inline(always)] || self.end(c)));
        if self.scratch.any_force {
            self.read_forces(c);
        }
        sizes
    }

    /// q, w, e and s at the end of the step, the last e′ taken up; Σq and Σ|w|.
    #[inline(always)]
    fn end(&mut self, c: &Constants) -> (f64, f64) {
        let n = self.state.q.len();
        let Motion { q, w, w_remainder, q_remainder, .. } = &mut self.state;
        let (q, q_rest, w, w_rest) = (&mut q[..n], &mut q_remainder[..n], &mut w[..n], &mut w_remainder[..n]);
        let Scratch { e, s, rhs, exact: Exact { e_low, .. }, .. } = &mut self.scratch;
        let (e, s, e_low, answer) = (&mut e[..n], &mut s[..n], &e_low[..n], &rhs[..n]);
        for i in 0..n {
            let mut change = Double { high: e[i], low: e_low[i] };
            change += Double::from(answer[i]);
            let moved = way(w[i], w_rest[i], change, c.twice);
            let mut next = Double { high: w[i], low: w_rest[i] };
            next += change;
            let mut place = Double { high: q[i], low: q_rest[i] };
            place += moved;
            // e as the rounded w moves: the work of impulses and what θ takes are compared with energies of the rounded w.
            (e[i], s[i]) = (next.high - w[i], moved.high);
            (w[i], w_rest[i]) = (next.high, next.low);
            (q[i], q_rest[i]) = (place.high, place.low);
        }
        (lanes::sum_of([q], |[q]| q), lanes::sum_of([w], |[w]| w.abs()))
    }

    /// r.
    fn miss(&mut self, c: &Constants, terms: &ExactTerms) {
        dispatch!(c.level, simd => simd.vectorize(#[inline(always)] || self.miss_inertia(c)));
        let Scratch { e, any_force, exact: Exact { e_low, missed, .. }, .. } = &mut self.scratch;
        terms.implicit.add(View { high: e, low: e_low }, missed);
        self.rigid.subtract_forces(missed);
        if *any_force {
            for (i, y) in c.interactions.iter().zip(self.solver.multipliers()).filter(|(_, y)| **y != 0.0) {
                i.row.add_scaled_double((-y).into(), missed.view_mut());
            }
        }
    }

    /// b − M e.
    #[inline(always)]
    fn miss_inertia(&mut self, c: &Constants) {
        let n = self.state.q.len();
        let Scratch { e, exact: Exact { e_low, alone, missed, .. }, .. } = &mut self.scratch;
        let (e, e_low, mass) = (&e[..n], &e_low[..n], &c.system.mass[..n]);
        let (b_high, b_low) = (&alone.high[..n], &alone.low[..n]);
        let (r_high, r_low) = (&mut missed.high[..n], &mut missed.low[..n]);
        for i in 0..n {
            let mut r = Double { high: e[i], low: e_low[i] }.times_fused(-mass[i]);
            r += Double { high: b_high[i], low: b_low[i] };
            (r_high[i], r_low[i]) = (r.high, r.low);
        }
    }

    /// e′ into `rhs`, the multipliers following.
    fn answer(&mut self, c: &Constants) {
        let Motion { w, w_remainder, .. } = &self.state;
        let Scratch { e, rhs, free, shift, any_force, exact: Exact { e_low, missed, .. }, .. } =
            &mut self.scratch;
        missed.round(rhs);
        if *any_force {
            // In the elements' unit, s/2θ.
            for (((apart, i), sigma), shift) in
                free.iter_mut().zip(&c.interactions).zip(self.solver.steps()).zip(&*shift)
            {
                let speed = i.row.dot_double(View { high: w, low: w_remainder });
                let change = i.row.dot_double(View { high: e, low: e_low });
                let mut moved = change.times(c.twice);
                moved += speed.times(2.0);
                moved += Double::from(-shift);
                *apart = ((moved.high - c.twice * sigma) + moved.low) / c.twice;
            }
        }
        match &mut self.solver {
            ContactSolver::Banded(banded) if *any_force => banded.respond(free, rhs),
            reduced => {
                c.solve(rhs);
                if *any_force {
                    for (apart, i) in free.iter_mut().zip(&c.interactions) {
                        *apart = -(*apart + i.row.dot(rhs));
                    }
                    reduced.correct_increment(free, rhs);
                }
            }
        }
    }

    /// e += e′.
    fn take_up(&mut self) {
        let Scratch { e, rhs, exact: Exact { e_low, .. }, .. } = &mut self.scratch;
        for ((e, e_low), change) in e.iter_mut().zip(e_low.iter_mut()).zip(rhs.iter()) {
            let mut sum = Double { high: *e, low: *e_low };
            sum += Double::from(*change);
            (*e, *e_low) = (sum.high, sum.low);
        }
    }
}

/// s = 2w + 2θe, 2θ being `twice`.
#[inline(always)]
fn way(w: f64, w_rest: f64, e: Double, twice: f64) -> Double {
    let mut s = if twice == 1.0 { e } else { e.times_fused(twice) };
    s += Double { high: 2.0 * w, low: 2.0 * w_rest };
    s
}

//! A step of few coordinates that no spring and no damper couples, in three short loops.
//!
//!   eᵢ = (λBū − 2K̂(q + 2θw) − 2R̂w)ᵢ/aᵢ,   wᵢ⁺ = wᵢ + eᵢ,   qᵢ⁺ = qᵢ + sᵢ
//!
//! The last loop also takes the sums of the energy balance, Σ m w², Σ k q² and Σ r s². Of a dozen coordinates, loops of one term
//! each cost more where they begin and end than in between. The terms and the order of the sums are those of `stepper.rs` and of
//! [`Linear::forms`], so that both ways have the same bits.

use super::{constants::Constants, kernel::Kernel};
use crate::{
    compensation,
    instructions::FEW,
    linear::{Forms, Linear},
};
use hamiltone_numerics::{lanes, woodbury::Solver};

/// The diagonals of K, R and A.
#[derive(Clone, Debug)]
pub(super) struct Few {
    stiffness: Vec<f64>,
    damping: Vec<f64>,
    pivots: Vec<f64>,
}

impl Few {
    /// `None` where there are many coordinates, or any are coupled.
    pub fn new(linear: &Linear, solver: &Solver) -> Option<Self> {
        let (stiffness, damping) = linear.uncoupled()?;
        let pivots = solver.diagonal().filter(|pivots| pivots.len() < FEW)?;
        Some(Self { stiffness: stiffness.to_vec(), damping: damping.to_vec(), pivots: pivots.to_vec() })
    }
}

impl Kernel {
    /// e without contacts, of which it holds λBū.
    pub(super) fn few_free(&mut self, few: &Few, c: &Constants) {
        let n = few.pivots.len();
        let (k, r, a) = (&few.stiffness[..n], &few.damping[..n], &few.pivots[..n]);
        let (q, w, e) = (&self.state.q[..n], &self.state.w[..n], &mut self.scratch.e[..n]);
        for i in 0..n {
            let s = q[i] + c.twice * w[i];
            e[i] = (e[i] + (-0.5 * c.dt2 * (k[i] * s) + -c.dt * (r[i] * w[i]))) / a[i];
        }
    }

    /// q at the end of the step; Σq, Σ|w| and the sums of the energy balance.
    pub(super) fn few_positions(&mut self, few: &Few, c: &Constants) -> ((f64, f64), Forms) {
        let n = few.pivots.len();
        let (m, k, r) = (&c.linear.mass[..n], &few.stiffness[..n], &few.damping[..n]);
        let (w, s) = (&self.state.w[..n], &self.scratch.s[..n]);
        let (q, rest) = (&mut self.state.q[..n], &mut self.state.q_remainder[..n]);
        let [size, speed, kinetic, elastic, dissipated] = lanes::sums(n, |i| {
            q[i] = compensation::add(q[i], s[i], &mut rest[i]);
            let (q, w, s) = (q[i], w[i], s[i]);
            [q, w.abs(), m[i] * (w * w), k[i] * (q * q), r[i] * (s * s)]
        });
        ((size, speed), Forms { kinetic, elastic, dissipated })
    }
}

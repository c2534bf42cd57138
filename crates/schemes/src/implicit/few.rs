//! A step of few coordinates that no spring and no damper couples, in short loops.
//!
//!   eᵢ = (λBū − 2K̂(q + 2θw) − 2R̂w)ᵢ/aᵢ,   qᵢ⁺ = qᵢ + sᵢ
//!
//! The last loop also takes Σ r s² of the energy balance. Of a dozen coordinates, loops of one term each cost more where they begin
//! and end than in between. The terms and the order of the sums are those of `stepper.rs` and of
//! [`Linear::dissipated`], so that both ways have the same bits.

use crate::{instructions::FEW, linear::Linear};
use hamiltone_numerics::{compensation, lanes, woodbury::Solver};

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
        // A is diagonal only where it has no far couplings either.
        let pivots = solver.diagonal().filter(|pivots| pivots.len() < FEW)?;
        Some(Self { stiffness: stiffness.to_vec(), damping: damping.to_vec(), pivots: pivots.to_vec() })
    }

    /// e without contacts, of which it holds λBū; `twice` is 2θ.
    pub fn increment(&self, (twice, dt, dt2): (f64, f64, f64), q: &[f64], w: &[f64], e: &mut [f64]) {
        let n = self.pivots.len();
        let (k, r, a) = (&self.stiffness[..n], &self.damping[..n], &self.pivots[..n]);
        let (q, w, e) = (&q[..n], &w[..n], &mut e[..n]);
        for i in 0..n {
            // The order of `free_increment`: the load first, then both products in one sum, and one division.
            let s = q[i] + twice * w[i];
            e[i] = (e[i] + (-0.5 * dt2 * (k[i] * s) + -dt * (r[i] * w[i]))) / a[i];
        }
    }

    /// q at the end of a step of s to the velocities w, with its rounding remainder; Σq, Σ|w| and s·Rs.
    pub fn advance(&self, w: &[f64], s: &[f64], q: &mut [f64], rest: &mut [f64]) -> ((f64, f64), f64) {
        let n = self.pivots.len();
        let r = &self.damping[..n];
        let (w, s, q, rest) = (&w[..n], &s[..n], &mut q[..n], &mut rest[..n]);
        let [size, speed, dissipated] = lanes::sums(n, |i| {
            q[i] = compensation::add(q[i], s[i], &mut rest[i]);
            [q[i], w[i].abs(), r[i] * (s[i] * s[i])]
        });
        ((size, speed), dissipated)
    }
}

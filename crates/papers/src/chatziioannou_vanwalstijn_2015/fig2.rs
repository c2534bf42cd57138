//! Figure 2: the oscillator of figure 1, driven.
//!
//!   f_ex = A sin(ω_ex t),  A = 1000 N, ω_ex = 2π100 rad/s                          (19)
//!   Kⁿ = Hⁿ⁺¹ + Σ_{κ=0..n} (γ(μp)² − μp μf_ex) Δt/m = const                      (18), J

use super::setup::{outcome, run};
use crate::figure::{Effort, Outcome, Unable};
use hamiltone_numerics::math::sin;

/// f_ex at t (s), N.
pub fn force(t: f64) -> f64 {
    1000.0 * sin(std::f64::consts::TAU * 100.0 * t)
}

/// Makes the figure and its table.
pub(super) fn make(_: Effort) -> Result<Outcome, Unable> {
    let title = "C15 fig. 2: driven oscillator (1000 sin(2π100t) N; EC, 44.1 kHz)";
    Ok(outcome("fig2", title, &run(Some(&force))?, None))
}

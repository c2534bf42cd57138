//! Damping split off a step and exact: w ← r w, r = e^(−γτ) on each coordinate (C19 §2.6).
//!
//! What it takes is booked as it was taken, m(w − w⁺)(w + w⁺), not as (1 − r²)mw²: where
//! a decay is slow, r w rounds the same way for thousands of steps on end.

use hamiltone_core::{refusal::Refusal, system::System};
use hamiltone_numerics::{lanes, math};

/// r of the time `tau`, s, a factor a coordinate, or a refusal where damping couples velocities.
pub(crate) fn factors(scheme: &'static str, system: &System, tau: f64) -> Result<Vec<f64>, Refusal> {
    let coupled = |name: &str| Refusal::NotCovered { scheme, what: vec![format!("the damping of `{name}`")] };
    // A coupled R would need the exponential of a matrix.
    let damping = system.diagonal_damping().map_err(coupled)?;
    Ok(damping.iter().zip(&system.mass).map(|(r, m)| math::exp(-r / m * tau)).collect())
}

/// w ← r w; returns w·Mw before less after.
#[inline(always)]
pub(crate) fn apply(factors: &[f64], mass: &[f64], w: &mut [f64]) -> f64 {
    if factors.is_empty() {
        return 0.0;
    }
    // Summed before w is overwritten; w r is the same product in both loops, so that both round alike.
    let dissipated = lanes::sum_of([w, mass, factors], |[w, m, r]| m * ((w - w * r) * (w + w * r)));
    w.iter_mut().zip(factors).for_each(|(w, r)| *w *= r);
    dissipated
}

//! What the operator d₃u_txx of a grid takes from its modes, where no formula says so: strings with clamped or free ends,
//! undercut bars.
//!
//!   2σ_k = φ_kᵀRφ_k/φ_kᵀMφ_k  with d₃ = 1 and d₁ = 0:  ∫φ′²/∫φ² of the shape φ_k
//!
//! by the modes of a grid; between their frequencies straight, beyond in proportion to the frequency, as of a bar.

use crate::{losses::losses_of, numerical_modes};
use hamiltone_core::{
    body::Body,
    parameter::{Complaint, Values},
};
use std::f64::consts::TAU;

/// Intervals and modes of the grid: the highest of these modes has a shape to (60π/480)²/24, 0.6 %.
const INTERVALS: usize = 480;
const MODES: usize = 60;

/// d₁ (1/s) and d₃ (m²/s) that give the decay times of a `loss`; `grid` makes the body on so many intervals, damped by
/// d₃ = 1 m²/s alone.
///
/// # Errors
/// A [`Complaint`] where the times make no losses, the grid makes no body, or its modes cannot be found.
pub(crate) fn losses<B: Body>(
    loss: Option<&Values>,
    grid: impl FnOnce(usize) -> Result<B, Complaint>,
) -> Result<(f64, f64), Complaint> {
    let timed = loss.is_some_and(|loss| loss.pairs("t60").is_some());
    let slopes = if timed { of(&grid(INTERVALS)?)? } else { Vec::new() };
    losses_of(loss, |f| at(&slopes, f))
}

/// f (Hz, ascending) and ∫φ′²/∫φ² (1/m²) of the modes of a body that bend.
fn of(grid: &dyn Body) -> Result<Vec<(f64, f64)>, Complaint> {
    let modes = numerical_modes::lowest(grid, MODES, "loss.t60")?;
    Ok(modes.iter().map(|mode| (mode.omega / TAU, 2.0 * mode.sigma)).collect())
}

/// The value at the frequency f, Hz.
fn at(slopes: &[(f64, f64)], f: f64) -> f64 {
    let after = slopes.partition_point(|slope| slope.0 <= f);
    match (after.checked_sub(1).map(|i| slopes[i]), slopes.get(after)) {
        (Some((f0, s0)), Some((f1, s1))) => s0 + (s1 - s0) * (f - f0) / (f1 - f0),
        (Some((f0, s0)), None) => s0 * f / f0,
        (None, Some((f1, s1))) => s1 * f / f1,
        (None, None) => 0.0,
    }
}

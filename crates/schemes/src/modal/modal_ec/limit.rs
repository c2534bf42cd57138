//! Up to where modes are stepped: near Nyquist D tends to 0, and above a mode would be its alias.

use std::f64::consts::PI;

/// Δt√(ω² − σ²) from which on a mode is left out: 0.99 of Nyquist, where D is still 2.5e-4 of 4.
pub const LIMIT: f64 = 0.99 * PI;

/// Whether a mode of ω² = `square` and σ is left out: it would alias.
pub fn left_out(square: f64, sigma: f64, dt: f64) -> bool {
    dt.abs() * (square - sigma * sigma).max(0.0).sqrt() > LIMIT
}

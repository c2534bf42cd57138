//! An impulse between two steps: M v ← M v + p c.

use hamiltone_core::row::Row;

/// Applies p (N s) along `row`: calls `kick(i, δvᵢ)` with δvᵢ = p cᵢ/mᵢ (m/s) for each coordinate.
pub(crate) fn apply(row: &Row, p: f64, mass: &[f64], mut kick: impl FnMut(usize, f64)) {
    row.for_each(|i, c| kick(i, p * c / mass[i]));
}

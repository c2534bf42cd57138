//! An impulse between two steps: M v ← M v + p c.

use hamiltone_core::row::Row;

/// Applies p (N s) along `row`: calls `kick(i, δvᵢ)` with δvᵢ = p cᵢ/mᵢ (m/s) for each coordinate, which answers with
/// the sum of the velocities before and after, and returns the work p c·(v + v⁺)/2, J.
pub(crate) fn apply(row: &Row, p: f64, mass: &[f64], mut kick: impl FnMut(usize, f64) -> f64) -> f64 {
    let mut work = 0.0;
    row.for_each(|i, c| work += 0.5 * p * c * kick(i, p * c / mass[i]));
    work
}

//! An impulse between two steps: M v ← M v + p c.

use hamiltone_core::stepper::Change;

/// Applies p (N s) along a row c: calls `kick(i, δvᵢ)` with δvᵢ = p cᵢ/mᵢ (m/s) for each coordinate. `false` where the change is none of
/// the momentum.
pub(crate) fn apply(change: &Change, mass: &[f64], mut kick: impl FnMut(usize, f64)) -> bool {
    // The other kind adds springs, which only a stepper that solves with them can take.
    let Change::Impulse(row, p) = change else { return false };
    row.for_each(|i, c| kick(i, p * c / mass[i]));
    true
}

//! Projected Gauss–Seidel for 0 ≤ F ⊥ b + GF ≥ 0, and equations among the inequalities.
//!
//!   Fᵢ ← max(0, Fᵢ − wᵢ/Gᵢᵢ),   of equations without max,   w = b + GF

use crate::subset_cholesky::Matrix;

/// Sweeps after which Gauss–Seidel gives up.
const SWEEPS: u32 = 20_000;
/// Gauss–Seidel converges linearly: a sweep that lessens the largest change by less than this part of it has stalled.
/// At this rate the sweeps allowed would still gain a factor of 5e8.
const PROGRESS: f64 = 1e-3;
/// So many stalled sweeps in a row are the end: contacts that close and open again stall a few sweeps, and then go on.
const STALLED: u32 = 50;

/// Sweeps over the `closed` contacts and then the `equations`, starting from the given impulses, until nothing changes; returns the
/// number of sweeps.
pub(crate) fn sweep(
    matrix: Matrix<'_>,
    closed: &[usize],
    equations: &[usize],
    b: &[f64],
    impulses: &mut [f64],
) -> u32 {
    let (mut best, mut stalled) = (f64::INFINITY, 0);
    let all = || closed.iter().chain(equations).copied();
    for sweep in 1..=SWEEPS {
        let (mut change, mut largest) = (0.0_f64, 0.0_f64);
        for i in all() {
            let (row, diagonal) = (matrix.row(i), matrix.diagonal(i));
            // G is positive semidefinite: with a zero diagonal its row is 0, and no force changes w.
            if diagonal <= 0.0 {
                continue;
            }
            let own = matrix.added[i] * impulses[i];
            let w = b[i] + own + all().map(|j| row[j] * impulses[j]).sum::<f64>();
            let free = impulses[i] - w / diagonal;
            // 1/D > 0 marks an equation, whose force may have either sign.
            let next = if matrix.added[i] > 0.0 { free } else { free.max(0.0) };
            change = change.max(diagonal * (next - impulses[i]).abs());
            largest = largest.max(b[i].abs()).max(diagonal * next.abs());
            impulses[i] = next;
        }
        // A change that shrinks no more is rounding, or due to conditions that contradict each other.
        stalled = if change < (1.0 - PROGRESS) * best { 0 } else { stalled + 1 };
        best = best.min(change);
        if change <= f64::EPSILON * largest || stalled > STALLED || !change.is_finite() {
            return sweep;
        }
    }
    SWEEPS
}

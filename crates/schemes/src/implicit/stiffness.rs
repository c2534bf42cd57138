//! The largest stiffness of coupled coordinates at which a step still resolves their masses.

use hamiltone_core::{refusal::Refusal, system::System};
use hamiltone_numerics::woodbury::UpdatedBand;

/// A + K̂ + R̂ of coupled coordinates, over M: beyond, what a mass does to a step is lost in the rounding of its springs.
const MAX_STIFFNESS_RATIO: f64 = 1e10;

/// The largest A/M of a coordinate; 0 of none.
pub(super) fn largest_ratio(system: &System, matrix: &UpdatedBand) -> f64 {
    let ratio = |(i, m): (usize, &f64)| matrix.diagonal(i) / m;
    system.mass.iter().enumerate().map(ratio).fold(0.0, f64::max)
}

/// Refuses coupled coordinates whose springs leave nothing of their masses, `worst` being the largest A/M.
pub(super) fn check_stiffness(
    scheme: &'static str,
    matrix: &UpdatedBand,
    worst: f64,
    dt: f64,
) -> Result<(), Refusal> {
    // Uncoupled coordinates are divided by their own pivot and lose no digits at any stiffness.
    if (matrix.band.half_bandwidth() == 0 && matrix.far.is_empty()) || worst <= MAX_STIFFNESS_RATIO {
        return Ok(());
    }
    Err(Refusal::OutOfRange {
        scheme,
        what: format!(
            "springs between coordinates so stiff that (Δt²K/4 + ΔtR/2)/M = {worst:.1e}: beyond {MAX_STIFFNESS_RATIO:.0e} the masses are below rounding error"
        ),
        instead: format!(
            "use a coarser grid or softer springs, or run at {:.1e} Hz or more",
            // K̂ falls with Δt², so that the rate grows with the square root of the excess.
            (worst / MAX_STIFFNESS_RATIO).sqrt() / dt.abs()
        ),
    })
}

//! The largest stiffness of coupled coordinates at which a step still resolves their masses.

use hamiltone_core::{element::Element, refusal::Refusal, system::System};
use hamiltone_numerics::woodbury::UpdatedBand;

/// A + K̂ + R̂ of coupled coordinates, over M: beyond, what a mass does to a step is lost in the rounding of its springs.
const MAX_STIFFNESS_RATIO: f64 = 1e10;

/// The largest A/M of a coordinate; 0 of none.
pub(super) fn largest_ratio(system: &System, matrix: &UpdatedBand) -> f64 {
    let ratio = |(i, m): (usize, &f64)| matrix.diagonal(i) / m;
    system.mass.iter().enumerate().map(ratio).fold(0.0, f64::max)
}

/// The largest w V″ c·M⁻¹c of a compliant element where a run begins, and next to x = 0 on either side, 1/s²: a linear bed or a
/// barrier is a spring as any other as long as it is in contact. How stiff a steeper law becomes is known to the motion alone.
pub(super) fn stiffest_element(system: &System) -> f64 {
    let of = |element: &Element| {
        let law = element.law.compliant()?;
        let mobility = element.row().sum(|i, c| c * c / system.mass[i]);
        let start = element.row().dot(&system.initial.position) - element.gap;
        let places = [start, f64::MIN_POSITIVE, -f64::MIN_POSITIVE];
        Some(mobility * places.into_iter().map(|x| law.curvature(x)).fold(0.0, f64::max))
    };
    system.elements.iter().filter_map(of).fold(0.0, f64::max)
}

/// Refuses coupled coordinates whose springs leave nothing of their masses, `worst` being the largest A/M.
pub(super) fn check_stiffness(
    scheme: &'static str,
    matrix: &UpdatedBand,
    worst: f64,
    dt: f64,
) -> Result<(), Refusal> {
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
            (worst / MAX_STIFFNESS_RATIO).sqrt() / dt.abs()
        ),
    })
}

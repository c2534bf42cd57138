//! An initial motion as amplitudes of modes.
//!
//!   q_k = ∫ φ_k u dx / ∫ φ_k² dx,   q̇_k = ∫ φ_k v dx / ∫ φ_k² dx
//!
//! by the quadrature of `quadrature.rs`, whose points are dense enough for the shortest wave of the modes.

use super::{quadrature, shapes::Shapes};
use hamiltone_core::{body::InitialMotion, geometry::Geometry};

/// q and q̇ of each mode; `norms` are ∫φ_k² dx.
pub(super) fn project(
    shapes: &dyn Shapes,
    norms: &[f64],
    geometry: Geometry,
    motion: &InitialMotion<'_>,
) -> [Vec<f64>; 2] {
    let zero = || vec![0.0; norms.len()];
    let (mut phi, mut sums) = (zero(), [zero(), zero()]);
    for panel in quadrature::panels_of(geometry, &motion.support, shapes) {
        // A panel's own sum first: then the rounding does not grow with the number of points.
        let mut own = [zero(), zero()];
        for (at, w) in panel {
            let (u, v) = (motion.at)(at);
            if u == 0.0 && v == 0.0 {
                continue;
            }
            shapes.fill(at, &mut phi);
            for (own, value) in own.iter_mut().zip([w * u, w * v]).filter(|(_, value)| *value != 0.0) {
                own.iter_mut().zip(&phi).for_each(|(own, phi)| *own += value * phi);
            }
        }
        for (sum, own) in sums.iter_mut().zip(&own) {
            sum.iter_mut().zip(own).for_each(|(sum, own)| *sum += own);
        }
    }
    sums.map(|sum| sum.iter().zip(norms).map(|(sum, norm)| sum / norm).collect())
}

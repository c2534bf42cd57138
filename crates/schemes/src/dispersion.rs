//! The frequency at which a scheme sounds an undamped oscillator, ω′ for ω: the dispersion of its time step.
//!
//! The positions of an oscillator under any linear step obey qⁿ⁺¹ = T qⁿ − D qⁿ⁻¹ with
//!
//!   T = 2√D cos ω′Δt
//!
//! so that four of them give T and D: ω′ is measured, and holds for every scheme, also for compositions. A mode above
//! Nyquist is given as its alias, as it is heard.

use hamiltone_core::{
    ledger::Bookkeeping,
    operator::Operator,
    scheme::Scheme,
    system::{Block, System},
};
use hamiltone_numerics::math::atan2;

/// ω′ (rad/s) of an oscillator of ω (rad/s) at the step `dt` (s); `None` where the scheme does not run it, or it does not
/// oscillate.
///
/// ```
/// use hamiltone_schemes::{dispersion::sounding, named};
///
/// let (omega, dt) = (9000.0, 1.0 / 44_100.0);
/// let warped = sounding(&*named("ec").unwrap(), omega, dt).unwrap();
/// let theory = 2.0 / dt * (0.5 * omega * dt).atan();
/// assert!((warped / theory - 1.0).abs() < 1e-12);
/// let exact = sounding(&*named("modal-ec").unwrap(), omega, dt).unwrap();
/// assert!((exact / omega - 1.0).abs() < 1e-12);
/// ```
pub fn sounding(scheme: &dyn Scheme, omega: f64, dt: f64) -> Option<f64> {
    let mut system = System::default();
    system.add_dof(1.0, 1.0, 0.0);
    system.blocks.push(Block {
        name: "oscillator".into(),
        dofs: 0..1,
        stiffness: Operator::Diagonal(vec![omega * omega]),
        damping: Operator::Zero,
    });
    let mut simulation = scheme.prepare(&system, dt).ok()?;
    simulation.reset(&[]);
    // Far apart where the steps are short, so that the four positions differ.
    let stride = (0.5 / (omega * dt)).clamp(1.0, 1000.0) as usize;
    let mut positions = [0.0; 4];
    for position in &mut positions {
        (0..stride).for_each(|_| _ = simulation.step(&[], Bookkeeping::Flows));
        *position = simulation.motion().q[0];
    }
    // c = T b − D a and d = T c − D b, solved for T and D by Cramer's rule.
    let [a, b, c, d] = positions;
    // A determinant of 0 makes these infinite or NaN, which the last line rejects.
    let determinant = a * c - b * b;
    let (trace, product) = ((a * d - b * c) / determinant, (b * d - c * c) / determinant);
    // D = 1 without damping; rounding may make D − T²/4 slightly negative at Nyquist and at 0.
    let (cosine, sine) = (0.5 * trace, (product - 0.25 * trace * trace).max(0.0).sqrt());
    let angle = atan2(sine, cosine);
    (determinant != 0.0 && angle > 0.0 && angle.is_finite()).then(|| angle / (stride as f64 * dt))
}

#[cfg(test)]
mod tests {
    use super::sounding;
    use crate::named;

    /// Against the formulas: 2 atan(x/2) of the implicit midpoint, 2 asin(x/2) of the leapfrog, x of the exact ones.
    #[test]
    fn frequencies_are_those_of_theory() {
        let dt = 1.0 / 48_000.0;
        for product in [1e-3, 0.02, 0.3, 1.0, 1.9] {
            let theory = [
                ("ec", 2.0 * f64::atan(0.5 * product)),
                ("leapfrog", 2.0 * f64::asin(0.5 * product)),
                ("vv", 2.0 * f64::asin(0.5 * product)),
                ("iim", product),
                ("modal-moreau-jean", product),
                ("modal-ec", product),
            ];
            for (name, angle) in theory {
                let found = sounding(&*named(name).unwrap(), product / dt, dt).unwrap() * dt;
                assert!((found / angle - 1.0).abs() < 1e-9, "{name}, ωΔt = {product}: {found} {angle}");
            }
        }
        // Above Nyquist an exact mode is heard as its alias.
        let alias = sounding(&*named("modal-moreau-jean").unwrap(), 4.0 / dt, dt).unwrap() * dt;
        assert!((alias - (std::f64::consts::TAU - 4.0)).abs() < 1e-9, "{alias}");
        assert!(sounding(&*named("modal-ec").unwrap(), 4.0 / dt, dt).is_none());
    }
}

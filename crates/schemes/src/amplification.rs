//! How far the physical energy may exceed the one that an explicit scheme conserves, E ≤ ρ E_own.
//!
//! Of an oscillator of mass m and stiffness k = mω², a two-step scheme with the stiffness k* (k, unless it samples) conserves
//!
//!   E_own = ½mv² + ½k*(1 − k*Δt²/4m)q²,   v = (qⁿ⁺¹ − qⁿ⁻¹)/2Δt.
//!
//! On this ellipse E = ½mv² + ½kq² varies by the factor ρ, and the amplitude by √ρ, which is 1 for Δt → 0 and infinite at
//! the stability limit:
//!
//!   two-step                       ρ = 1/(1 − ω²Δt²/4)
//!   two-step, k replaced by k*     ρ = k/(k*(1 − k*Δt²/4m))
//!
//! Losses reduce it, and contacts do not enter. Schemes whose energy is the physical one need no such warning: what they
//! gain is in their balance.

use crate::eigenfrequencies;
use hamiltone_core::{audit::MAX_PHYSICAL_ENERGY, system::System};

/// 1/(1 − (ωΔt/2)²) of the two-step schemes.
pub(crate) fn two_step(product: f64) -> f64 {
    1.0 / (1.0 - 0.25 * product * product)
}

/// ρ of a two-step scheme that replaces the stiffness k by its own k*, given k/m, k*/m and Δt.
pub(crate) fn modified(stiffness: f64, own: f64, dt: f64) -> f64 {
    // Without a spring the motion is free, and both energies are kinetic.
    if own > 0.0 { stiffness / own * two_step(own.sqrt() * dt) } else { 1.0 }
}

/// The warning of a scheme whose ρ depends on the largest ωΔt of the linear part.
pub(crate) fn of_highest(system: &System, dt: f64, ratio: impl Fn(f64) -> f64) -> Vec<String> {
    let omega = eigenfrequencies::highest(system);
    advice(dt, |dt| ratio(omega * dt))
}

/// The warning where `ratio`, ρ at a time step (s), is above [`MAX_PHYSICAL_ENERGY`] at `dt`: its value, and the rate that it needs.
pub(crate) fn advice(dt: f64, ratio: impl Fn(f64) -> f64) -> Vec<String> {
    let energy = ratio(dt);
    let holds = |dt: f64| ratio(dt) <= MAX_PHYSICAL_ENERGY;
    // The negation also finds what is no number.
    if holds(dt) || energy.is_nan() {
        return Vec::new();
    }
    // ρ → 1 for Δt → 0, so halving ends at a step that holds unless `ratio` itself never falls; then underflow to 0 ends it.
    let mut stands = 0.5 * dt;
    while !holds(stands) && stands > 0.0 {
        stands *= 0.5;
    }
    let rate = (1.0 / crate::explicit::tableaux::last(stands, dt, holds)).ceil();
    let reach = if energy.is_finite() {
        let amplitude = energy.sqrt();
        format!(
            "close to its stability limit the energy may reach {energy:.3} times the one put in, and amplitudes {amplitude:.3} times theirs"
        )
    } else {
        "at its stability limit, to rounding, neither the energy nor the amplitudes have a bound".into()
    };
    vec![format!(
        "{reach}; run at {rate:.0} Hz or more, where the energy stays below {MAX_PHYSICAL_ENERGY} times"
    )]
}

#[cfg(test)]
mod tests {
    use super::*;
    use hamiltone_numerics::math::{cos, sin};

    /// Impulse invariance, undamped: k*Δt²/m = 4 sin²(θ/2), so that ρ = (θ/sin θ)².
    #[test]
    fn a_sampled_oscillator_has_the_inverse_square_of_sinc() {
        for theta in [0.1_f64, 1.0, 3.0] {
            let own = 2.0 * (1.0 - cos(theta));
            let expected = (theta / sin(theta)).powi(2);
            assert!((modified(theta * theta, own, 1.0) / expected - 1.0).abs() < 1e-9, "{theta}");
        }
    }

    /// At ωΔt = 2 nothing bounds it, and no number is given.
    #[test]
    fn at_the_limit_no_number_is_given() {
        let advised = advice(2.0, |dt| two_step(1.0 * dt));
        assert!(advised[0].contains("have a bound; run at 1 Hz or more"), "{advised:?}");
    }

    /// 1/(1 − x²/4) is 2 at x = √2: at 1 kHz · 2π/√2.
    #[test]
    fn the_rate_that_is_advised_suffices() {
        let omega = std::f64::consts::TAU * 1000.0;
        let advised = advice(1.9 / omega, |dt| two_step(omega * dt));
        assert!(
            advised[0].contains("energy may reach 10.256 times") && advised[0].contains("4443 Hz"),
            "{advised:?}"
        );
        assert!(advice(1.0 / 4443.0, |dt| two_step(omega * dt)).is_empty());
    }
}

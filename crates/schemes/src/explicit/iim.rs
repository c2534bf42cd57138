//! IIM: the impulse invariance method.
//!
//!   yⁿ⁺¹ = 2e^(−σΔt)cos(ω_γΔt) yⁿ − e^(−2σΔt) yⁿ⁻¹ + Δt e^(−σΔt)sin(ω_γΔt)/(mω_γ) fⁿ      C19 (39), (50)
//!
//! with σ = γ/2, ω_γ² = ω₀² − σ². Divided by its symmetric part it is a leapfrog
//!
//!   m δₜₜy + r* δₜ·y + k* y = g f,   r* = (2m/Δt) tanh σΔt,
//!   k* = (2m/Δt²)(1 − cos ω_γΔt/cosh σΔt),   g = sinc(ω_γΔt)/cosh σΔt
//!
//! (cos, sin → cosh, sinh where overdamped), whose energy ½m(δₜ₋y)² + ½k* yⁿyⁿ⁻¹
//! balances exactly without contacts, the drive's work taken with the gain g. It is
//! stable for every Δt without contacts; ω_γΔt < π keeps frequencies from
//! aliasing. It takes each coordinate as an oscillator of its own: springs
//! and dampers between coordinates are refused. First step: y¹ = y⁰ + Δtv⁰ + ½Δt²a⁰,
//! or, where γΔt > 2 and that would start with more than there is, by the method's own damping.

use crate::{
    amplification,
    explicit::{
        mean_kick::{Start, staggered},
        method::{TWO_STEP, unit_gain},
    },
};
use hamiltone_core::{
    claims::{Claims, Contraction},
    coverage::{Coverage, Feature},
    identity::Identity,
    operator::Operator,
    parameter::{Entry, Kind},
    refusal::Refusal,
    scheme::Scheme,
    stepper::Stepper,
    system::{Block, System},
};
use hamiltone_numerics::math::{exp, expm1, sin, tanh};
use std::{f64::consts::PI, sync::Arc};

/// The impulse invariance method of C19 (39), (50).
#[derive(Clone, Copy, Debug, Default)]
pub struct Iim;

/// r*, k* and g of an oscillator of mass m, damping r and stiffness k.
///
/// With b = σΔt, a = |ω_γ|Δt, and everything divided by e^b so that no decay is too fast,
///
///   1 − cos a/cosh b  = (1 − e^(−b))²/(1 + e^(−2b)) + 2sin²(a/2)/cosh b,   1/cosh b = 2e^(−b)/(1 + e^(−2b))
///   1 − cosh a/cosh b = (1 − e^(−(b−a)))(1 − e^(−(b+a)))/(1 + e^(−2b)),   b − a = ω₀²Δt²/(b + a)
///
/// neither of which cancels for small steps.
fn sampled(m: f64, r: f64, k: f64, dt: f64) -> (f64, f64, f64) {
    let sigma = r / (2.0 * m);
    let discriminant = k / m - sigma * sigma;
    let (a, b) = (discriminant.abs().sqrt() * dt, sigma * dt);
    let both = 1.0 + exp(-2.0 * b);
    let (one_minus, gain) = if discriminant >= 0.0 {
        let (secant, half, fast) = (2.0 * exp(-b) / both, sin(0.5 * a), expm1(-b));
        (fast * fast / both + 2.0 * half * half * secant, secant * if a == 0.0 { 1.0 } else { sin(a) / a })
    } else {
        let difference = k / m * dt * dt / (a + b);
        // The limit of (1 − e^(−2a))/a for a → 0 is 2.
        let sinhc = if a == 0.0 { 2.0 } else { -expm1(-2.0 * a) / a };
        (expm1(-difference) * expm1(-(a + b)) / both, exp(-difference) * sinhc / both)
    };
    (2.0 * m / dt * tanh(b), 2.0 * m / (dt * dt) * one_minus, gain)
}

impl Scheme for Iim {
    fn name(&self) -> &'static str {
        "iim"
    }

    fn identity(&self) -> Identity {
        Identity::of(self.name())
    }

    fn claims(&self) -> Claims {
        Claims {
            symmetric: false,
            contraction: Contraction::Conformal,
            contraction_with_links: false,
            limit: Some(PI),
            staggered: true,
            ..TWO_STEP
        }
    }

    fn coverage(&self) -> Coverage {
        Coverage::of(&[Feature::ManyCoordinates, Feature::Compliant])
    }

    fn build(&self, system: &Arc<System>, dt: f64) -> Result<Box<dyn Stepper>, Refusal> {
        let coupled = |name: &str| Refusal::NotCovered { scheme: "iim", what: vec![format!("`{name}`")] };
        let (damping, stiffness) =
            (system.diagonal_damping().map_err(coupled)?, system.diagonal_stiffness().map_err(coupled)?);
        let (mut model, mut gain) = (System::clone(system), unit_gain(system));
        let (mut r, mut k) = (damping.clone(), stiffness.clone());
        let mut highest: f64 = 0.0;
        for i in 0..system.size() {
            let m = system.mass[i];
            let sigma = damping[i] / (2.0 * m);
            // An overdamped mode does not oscillate and cannot alias.
            let omega = (stiffness[i] / m - sigma * sigma).max(0.0).sqrt();
            highest = highest.max(omega);
            (r[i], k[i], gain[i]) = sampled(m, damping[i], stiffness[i], dt);
        }
        // Compared so that a frequency that overflowed to NaN is refused, too.
        let stable = highest * dt.abs() < PI;
        if !stable {
            return Err(Refusal::Unstable {
                scheme: self.name(),
                quantity: "ω_γ·Δt",
                value: highest * dt,
                limit: PI,
                rate: (highest / PI).floor() + 1.0,
            });
        }
        model.blocks = vec![Block {
            name: "sampled".into(),
            dofs: 0..system.size(),
            stiffness: Operator::Diagonal(k),
            damping: Operator::Diagonal(r),
        }];
        Ok(Box::new(staggered(system, &model, gain, dt, Start::Taylor)))
    }

    fn advice(&self, system: &System, dt: f64) -> Vec<String> {
        let (Ok(damping), Ok(stiffness)) = (system.diagonal_damping(), system.diagonal_stiffness()) else {
            return Vec::new();
        };
        amplification::advice(dt, |dt| {
            let ratio = |((m, r), k): ((&f64, &f64), &f64)| {
                amplification::modified(k / m, sampled(*m, *r, *k, dt).1 / m, dt)
            };
            system.mass.iter().zip(&damping).zip(&stiffness).map(ratio).fold(1.0, f64::max)
        })
    }
}

pub(crate) const ENTRY: Entry<Box<dyn Scheme>> = Entry {
    kind: Kind {
        name: "iim",
        summary: "impulse invariance: each oscillator's sampled response; exact balance in its own energy without contacts",
        equation: "qⁿ⁺¹ = 2e^(−γΔt/2)cos(ω_γΔt)qⁿ − e^(−γΔt)qⁿ⁻¹ + Δt e^(−γΔt/2)sin(ω_γΔt)/(mω_γ) fⁿ",
        source: "Chatziioannou 2019, (39), (50)",
        parameters: &[],
        rules: &[],
    },
    make: |_| Ok(Box::new(Iim)),
};

#[cfg(test)]
mod tests {
    use super::*;
    use hamiltone_numerics::math::cos;

    /// The leapfrog form has the poles of C19 (39): its trace 2e^(−σΔt)cos(ω_γΔt) and its determinant.
    #[test]
    fn poles_are_sampled_exactly() {
        for (gamma, omega0) in
            [(300.0, 2700.0), (0.0, 9000.0), (9000.0, 2700.0), (5400.0, 2700.0), (80.0, 0.0), (1e8, 2700.0)]
        {
            let (m, dt): (f64, f64) = (0.1, 1.0 / 8000.0);
            let (r, k, _) = sampled(m, m * gamma, m * omega0 * omega0, dt);
            let a = r * dt / (2.0 * m);
            let (trace, det) = ((2.0 - k * dt * dt / m) / (1.0 + a), (1.0 - a) / (1.0 + a));
            let sigma: f64 = gamma / 2.0;
            let square: f64 = omega0 * omega0 - sigma * sigma;
            let angle = square.abs().sqrt() * dt;
            let decay = exp(-sigma * dt);
            // Overdamped: e^(a−b) + e^(−a−b), with b − a free of cancellation.
            let slow = omega0 * omega0 * dt * dt / (sigma * dt + angle);
            let exact =
                if square >= 0.0 { 2.0 * decay * cos(angle) } else { exp(-slow) + exp(slow) * decay * decay };
            // A handful of roundings each.
            assert!((trace - exact).abs() < 8.0 * f64::EPSILON, "{gamma} {omega0}: {trace} {exact}");
            assert!((det - decay * decay).abs() < 8.0 * f64::EPSILON, "{gamma} {omega0}");
        }
    }
}

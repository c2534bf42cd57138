//! A mode of unit mass as one-step schemes with exact poles realise it (`modal-ec`): what it answers at the frequency f to a force whose mean over
//! each step is f̄, x = πfΔt.
//!
//!   v̄/f̄ = s̃/(m*s̃² + R*s̃ + K),   s̃ = (2j/Δt) tan x,   K = ω²,   m* = KΔt²/4a,   R* = 2m*b/Δt
//!   a = g/g′,   b = 2h/g′,   g = (1 − z)(1 − z′),   g′ = (1 + z)(1 + z′),   h = 1 − zz′,   z, z′ = e^(−σΔt ± jΔt√(ω² − σ²))
//!
//! v̄ is the mean rate (qⁿ⁺¹ − qⁿ)/Δt of a step, and f̄ belongs to its middle. With W = g/(ωΔt)² this is
//!
//!   v̄/f̄ = 2ΔtW j sin x cos x/(g cos²x − g′ sin²x + 2jh sin x cos x)
//!
//! At the instants between the steps the position and the rate that an output reads are
//!
//!   q/f̄ = (v̄/f̄) Δt/(2j sin x),   q̇/f̄ = (g′/4θ)(v̄/f̄)/cos x − (σ − h/2θΔt)(q/f̄),   θ = e^(−σΔt) sin(a)/a,   a = Δt√(ω² − σ²)
//!
//! q̇ the rate with which a free mode has these positions; for σΔt > 1, where nothing of it is left after a step, (v̄/f̄)/cos x
//! is read. As Δt → 0 these are s/(s² + 2σs + ω²) and 1/(s² + 2σs + ω²).

use hamiltone_numerics::{
    complex::Complex,
    math::{cos, exp, expm1, sin, sincos},
};
use std::f64::consts::PI;

/// Δt√(ω² − σ²) from which on a mode would be its alias: 0.99 of Nyquist.
const LIMIT: f64 = 0.99 * PI;
/// σΔt above which the mean rate is read.
const DAMPED: f64 = 1.0;

/// The constants of a mode.
#[derive(Clone, Copy, Debug)]
pub(super) struct Stepped {
    dt: f64,
    spring: f64,
    opposed: f64,
    damper: f64,
    /// 2ΔtW.
    mobility: f64,
    /// g′/4θ and σ − h/2θΔt; 1 and 0 for σΔt > 1.
    read: [f64; 2],
}

/// (1 − e^(−x))/x.
fn phi(x: f64) -> f64 {
    if x == 0.0 { 1.0 } else { -expm1(-x) / x }
}

impl Stepped {
    /// Of a mode with ω > 0 (rad/s) and σ ≥ 0 (1/s); `None` where it would alias.
    pub fn new(omega: f64, sigma: f64, dt: f64) -> Option<Self> {
        let (square, b) = ((omega * dt) * (omega * dt), sigma * dt);
        let damper = -expm1(-2.0 * b);
        let [spring, opposed, push] = if square > b * b {
            let a = (square - b * b).sqrt();
            if a > LIMIT {
                return None;
            }
            let (decay, fast, (s, c)) = (exp(-b), expm1(-b), (sin(0.5 * a), cos(0.5 * a)));
            // By the half angle: of slow modes 1 − cos a would be rounding.
            [fast * fast + 4.0 * decay * s * s, fast * fast + 4.0 * decay * c * c, decay * sin(a) / a]
        } else {
            let a = (b * b - square).sqrt();
            // b − a, which would cancel, by their product.
            let (slow, quick) = (square / (a + b), a + b);
            [
                expm1(-slow) * expm1(-quick),
                (2.0 + expm1(-slow)) * (2.0 + expm1(-quick)),
                exp(-slow) * phi(2.0 * a),
            ]
        };
        let read =
            if b > DAMPED { [1.0, 0.0] } else { [0.25 * opposed / push, sigma - 0.5 * damper / (push * dt)] };
        Some(Self { dt, spring, opposed, damper, mobility: 2.0 * dt * spring / square, read })
    }

    /// v̄/f̄ at f (Hz).
    pub fn mobility(&self, f: f64) -> Complex {
        let (s, c) = sincos(PI * f * self.dt);
        let (even, odd) = (self.spring * c * c - self.opposed * s * s, 2.0 * self.damper * s * c);
        Complex::new(0.0, self.mobility * s * c) / Complex::new(even, odd)
    }

    /// q/f̄ and q̇/f̄ at f > 0 (Hz).
    pub fn readings(&self, f: f64) -> [Complex; 2] {
        let (s, c) = sincos(PI * f * self.dt);
        let mobility = self.mobility(f);
        let position = mobility * Complex::new(0.0, -0.5 * self.dt / s);
        [position, mobility * (self.read[0] / c) - position * self.read[1]]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::f64::consts::TAU;

    /// m* and R* as the head of the file has them.
    #[test]
    fn it_is_the_mode_of_the_scheme() {
        let dt = 1.0 / 48_000.0;
        for (omega, sigma) in [(900.0, 20.0), (6e4, 900.0), (2e4, 5e4), (9e3, 9e3), (1e5, 3.0)] {
            let mode = Stepped::new(omega, sigma, dt).unwrap();
            let (rho, square) = ((-sigma * dt).exp(), omega * omega - sigma * sigma);
            let o = if square > 0.0 { (dt * square.sqrt()).cos() } else { (dt * (-square).sqrt()).cosh() };
            let d = 1.0 + 2.0 * rho * o + rho * rho;
            let (a, b) = ((1.0 - 2.0 * rho * o + rho * rho) / d, 2.0 * (1.0 - rho * rho) / d);
            let mass = omega * omega * dt * dt / (4.0 * a);
            let damping = 2.0 * mass * b / dt;
            for f in [20.0, 3000.0, 20_000.0] {
                let s = Complex::new(0.0, 2.0 / dt * (PI * f * dt).tan());
                let exact = s / (s * s * mass + s * damping + (omega * omega).into());
                let own = mode.mobility(f);
                assert!((own / exact - 1.0.into()).abs() < 1e-11, "{omega} {sigma} {f}: {own:?} {exact:?}");
            }
        }
        assert!(Stepped::new(0.995 * PI / dt, 0.0, dt).is_none());
    }

    /// Short steps: s/(s² + 2σs + ω²), and 1/s of it.
    #[test]
    fn short_steps_are_the_continuous_mode() {
        let (omega, sigma, dt) = (2000.0, 300.0, 1e-6);
        let mode = Stepped::new(omega, sigma, dt).unwrap();
        let s = Complex::new(0.0, TAU * 400.0);
        let exact = s / (s * s + s * (2.0 * sigma) + (omega * omega).into());
        let [position, rate] = mode.readings(400.0);
        for (own, exact) in [(mode.mobility(400.0), exact), (position, exact / s), (rate, exact)] {
            // (πfΔt)².
            assert!((own / exact - 1.0.into()).abs() < 3e-6, "{own:?} {exact:?}");
        }
    }
}

//! The cubic oscillator, solved by the lemniscate sine.
//!
//!   ü = −(K/M)u³,  u(0) = 0, u̇(0) = v₀                                            (24)
//!   u(t) = a sl(bt),   a⁴ = 2Mv₀²/K,   b = v₀/a,   T = 2ϖ/b,   ϖ = 2.622057554292119…
//!   sl(x) = (2π/ϖ) Σₙ (−1)ⁿ sin((2n+1)πx/ϖ)/cosh((n+½)π)
//!
//! sl″ = −2sl³, sl(0) = 0, sl′(0) = 1. The series falls by e^π a term: twelve reach the last bit.

use hamiltone_numerics::math::{cosh, sin};
use std::f64::consts::PI;

/// Half the period of sl: the lemniscate constant ϖ.
const LEMNISCATE: f64 = 2.622_057_554_292_119_8;

/// The exact motion.
#[derive(Clone, Copy, Debug)]
pub struct Cubic {
    /// a, m.
    pub amplitude: f64,
    /// b, 1/s.
    pub rate: f64,
}

impl Cubic {
    /// The oscillator of stiffness K (N/m³) and mass M (kg) leaving 0 at v₀ (m/s).
    pub fn new(stiffness: f64, mass: f64, velocity: f64) -> Self {
        let amplitude = (2.0 * mass * velocity * velocity / stiffness).sqrt().sqrt();
        Self { amplitude, rate: velocity / amplitude }
    }

    /// u at t (s), m.
    pub fn at(&self, t: f64) -> f64 {
        let x = PI * self.rate * t / LEMNISCATE;
        let term = |n: i32| {
            let sign = if n % 2 == 0 { 1.0 } else { -1.0 };
            sign * sin(f64::from(2 * n + 1) * x) / cosh((f64::from(n) + 0.5) * PI)
        };
        self.amplitude * 2.0 * PI / LEMNISCATE * (0..12).map(term).sum::<f64>()
    }

    /// 1/T, Hz.
    pub fn frequency(&self) -> f64 {
        self.rate / (2.0 * LEMNISCATE)
    }
}

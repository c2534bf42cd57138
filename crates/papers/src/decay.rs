//! The damped oscillator, solved: what linear runs are compared with.
//!
//!   ÿ + γẏ + ω₀²y = 0,   σ = −γ/2 ± jω_γ,   ω_γ = √(ω₀² − γ²/4)                 C19 (6), (13); C15 (1), (8)
//!   y(t) = e^(−γt/2)(y₀ cos ω_γt + (v₀ + γy₀/2)/ω_γ sin ω_γt)                    C19 (14); C15 (9)
//!   H(t) = m ẏ²/2 + m ω₀² y²/2                                                  C19 (15b)
//!
//! Both papers print σ = +γ/2 ± jω_γ, which is not a root of their equation and
//! would grow. Underdamped only (γ/2 < ω₀), as in the papers.

use hamiltone_numerics::math::{exp, sincos};

/// An underdamped oscillator with its start.
#[derive(Clone, Copy, Debug)]
pub struct Decay {
    /// m, kg.
    pub mass: f64,
    /// ω₀, rad/s.
    pub omega: f64,
    /// γ, 1/s.
    pub gamma: f64,
    /// y₀, m.
    pub position: f64,
    /// v₀, m/s.
    pub velocity: f64,
}

impl Decay {
    /// (y, ẏ) at t (s): m, m/s.
    pub fn at(&self, t: f64) -> (f64, f64) {
        let half = self.gamma / 2.0;
        let omega = (self.omega * self.omega - half * half).sqrt();
        let (sin, cos) = sincos(omega * t);
        let (a, b) = (self.position, (self.velocity + half * self.position) / omega);
        let envelope = exp(-half * t);
        let y = envelope * (a * cos + b * sin);
        (y, envelope * omega * (b * cos - a * sin) - half * y)
    }

    /// H at t (s), J.
    pub fn energy(&self, t: f64) -> f64 {
        let (y, v) = self.at(t);
        0.5 * self.mass * (v * v + self.omega * self.omega * y * y)
    }

    /// The start and end of the curve at `count` equal steps of `dt`: (t, y, ẏ).
    pub fn curve(self, dt: f64, count: usize) -> impl Iterator<Item = (f64, f64, f64)> {
        (0..=count).map(move |n| {
            let t = n as f64 * dt;
            let (y, v) = self.at(t);
            (t, y, v)
        })
    }
}

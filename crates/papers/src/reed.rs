//! The clarinet reed of C15 §4.1 and C19 §3.1, driven by a given pressure difference.
//!
//!   M ÿ + Mγ ẏ + Mω₀² y + k_c⌊y − y_c⌋^α = p_Δ(t)                              C15 (23), C19 (55), Pa
//!   p_Δ(t) = Σⱼ Aⱼ sin(2πjf₀t),   Aⱼ = 2000, 40, 400, 40, 100, 40, 28 Pa,   f₀ = 1/6.85 ms
//!
//! Both papers take the amplitudes of a clarinet's spectrum at D3 (146 Hz) and give
//! neither the phases nor a mean pressure; f₀ follows from C19's 302 085 samples for
//! 1000 periods. The figures show a reed that beats against the lay. With the plain
//! sine series it never reaches y_c; with cosines it does, in C15's parameters.
//! Both are offered.

use crate::{
    balance::{Momentum, States},
    figure::Unable,
    lumped::Lumped,
    method::Method,
    trace::Trace,
};
use hamiltone_core::system::System;
use hamiltone_elements::Power;
use hamiltone_numerics::math::sincos;

/// f₀, Hz.
pub const FUNDAMENTAL: f64 = 1.0 / 6.85e-3;

/// A₁ … A₇, Pa.
pub const AMPLITUDES: [f64; 7] = [2000.0, 40.0, 400.0, 40.0, 100.0, 40.0, 28.0];

/// The phases of the harmonics.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// sin(2πjf₀t): the pressure starts at 0.
    Sine,
    /// cos(2πjf₀t): all harmonics peak together.
    Cosine,
}

impl Phase {
    /// Both, with their names.
    pub const ALL: [(&str, Phase); 2] = [("sine", Phase::Sine), ("cosine", Phase::Cosine)];

    /// p_Δ at t (s), Pa.
    pub fn pressure(self, t: f64) -> f64 {
        let harmonic = |(j, a): (usize, &f64)| {
            let (sin, cos) = sincos(std::f64::consts::TAU * (j + 1) as f64 * FUNDAMENTAL * t);
            a * if self == Phase::Sine { sin } else { cos }
        };
        AMPLITUDES.iter().enumerate().map(harmonic).sum()
    }
}

/// The reed's parameters that the two papers differ in; M = 0.05 kg/m², y_c = 0.24 mm in both.
#[derive(Clone, Copy, Debug)]
pub struct Reed {
    /// ω₀, rad/s.
    pub omega: f64,
    /// γ, 1/s.
    pub gamma: f64,
    /// k_c, Pa/m^α.
    pub stiffness: f64,
    /// α.
    pub exponent: f64,
}

/// y_c, m.
pub const LAY: f64 = 2.4e-4;

impl Reed {
    /// The reed at rest, driven.
    ///
    /// # Errors
    /// Where its numbers make no contact law.
    pub fn system(self) -> Result<System, Unable> {
        let lay = Power::new(self.stiffness, self.exponent)?.at_gap(LAY);
        let (omega, gamma) = (self.omega, self.gamma);
        Lumped { mass: 0.05, omega, gamma, contact: Some(lay), driven: true, ..Lumped::default() }.system()
    }
}

/// A run of a reed by EC at 44.1 kHz, as both papers made it.
pub struct Run {
    /// The run.
    pub trace: Trace,
    /// K⁰, K¹, … of (18)/(54), J/m².
    pub conserved: Vec<f64>,
    /// max H, J/m²: what K, which is 0 from rest, is compared with.
    pub energy_max: f64,
}

impl Run {
    /// `steps` steps from rest.
    ///
    /// # Errors
    /// Where the reed's numbers make no system.
    pub fn record(reed: Reed, phase: Phase, steps: usize) -> Result<Self, Unable> {
        let system = reed.system()?;
        let force = |t: f64| phase.pressure(t);
        let trace = Trace::record(&Method::new("EC", "ec")?, &system, 1.0 / 44100.0, steps, &force)?;
        let states = States::of(&trace, &system);
        let energy_max = states.energy().into_iter().fold(0.0, f64::max);
        let conserved = states.conserved(Momentum::Mean, &force);
        Ok(Self { trace, conserved, energy_max })
    }

    /// max y, m.
    pub fn highest(&self) -> f64 {
        self.trace.q.iter().copied().fold(f64::NEG_INFINITY, f64::max)
    }

    /// The part of the samples with the reed on the lay.
    pub fn beating(&self) -> f64 {
        self.trace.q.iter().filter(|&&y| y > LAY).count() as f64 / self.trace.q.len() as f64
    }

    /// max |K|, J/m²: 0 in exact arithmetic, from rest.
    pub fn error(&self) -> f64 {
        self.conserved.iter().map(|k| k.abs()).fold(0.0, f64::max)
    }

    /// Kⁿ⁺¹ − Kⁿ, J/m².
    pub fn steps(&self) -> impl Iterator<Item = f64> + '_ {
        self.conserved.windows(2).map(|k| k[1] - k[0])
    }

    /// max |Kⁿ⁺¹ − Kⁿ|, J/m².
    pub fn step_error(&self) -> f64 {
        self.steps().map(f64::abs).fold(0.0, f64::max)
    }
}

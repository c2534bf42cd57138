//! The sound outside of a bore, as an output of its modes.
//!
//!   p_rad(d) = (ρ/4πd) dU_out/dt = (1 m/d) Σ (α_n Φ_n + β_n Φ̇_n)
//!
//! a monopole's, at a distance d (m) far from all openings: U_out is the flow out of the end and of all open holes, whose ways to the listener are
//! taken as equally long; the time that sound takes for d is left out. Φ_n is the coordinate of mode n, Φ̇_n its part of the pressure at the mouthpiece, both
//! as an output reads them between the steps (`stepped.rs`). For a flow into the bore
//!
//!   min Σ |Σ a_n(α_n q_n/f̄ + β_n q̇_n/f̄) − (ρ/4π) jω U_out/U|²/|(ρ/4π) jω U_out/U|²
//!
//! with weights of any sign: an output adds no energy. Above the highest frequency of the fit, where the modes are too few to follow,
//! the same is asked with less weight, so that nothing is amplified there.

use super::{stepped::Stepped, target::stacked, transmission::Line};
use hamiltone_numerics::{complex::Complex, nnls};
use std::f64::consts::{PI, TAU};

/// ε of the least squares: what is known of the weights is far above it.
const DAMPING: f64 = 1e-6;

/// What an output at 1 m does: frequencies, and (ρ/4π) jω U_out/U at them with its weight.
pub(super) struct Sound {
    f: Vec<f64>,
    target: Vec<Complex>,
    weights: Vec<f64>,
}

impl Sound {
    /// At frequencies of the fit, and at some above it.
    pub fn new(line: &Line, f: &[f64], above: &[f64]) -> Self {
        let all: Vec<f64> = f.iter().chain(above).copied().collect();
        let at = |f: &f64| {
            let s = Complex::new(0.0, TAU * f);
            let state = line.state(s, 1.0);
            s * state.out / state.flow * (line.air.density / (4.0 * PI))
        };
        let target: Vec<Complex> = all.iter().map(at).collect();
        let weight = |(k, z): (usize, &Complex)| if k < f.len() { 1.0 / z.abs() } else { ABOVE / z.abs() };
        let weights = target.iter().enumerate().map(weight).collect();
        Self { f: all, target, weights }
    }
}

/// The weight of a frequency above those of the fit.
const ABOVE: f64 = 0.05;

/// α_n and β_n of modes with these a_n.
pub(super) fn rows(sound: &Sound, modes: &[(Stepped, f64)]) -> Vec<[f64; 2]> {
    let weighted = |values: &[Complex]| {
        let all: Vec<Complex> = values.iter().zip(&sound.weights).map(|(z, w)| *z * *w).collect();
        stacked(&all)
    };
    let columns = modes.iter().flat_map(|(mode, a)| {
        let both: Vec<[Complex; 2]> = sound.f.iter().map(|f| mode.readings(*f)).collect();
        [0, 1].map(|k| weighted(&both.iter().map(|both| both[k] * *a).collect::<Vec<_>>()))
    });
    let x = nnls::damped(columns.collect(), weighted(&sound.target), DAMPING);
    x.as_chunks::<2>().0.to_vec()
}

//! The amplitude of one partial of a sound.
//!
//! ```text
//! A = (2/N) |Σₙ w[n] x[n] e^(−2πi f n/f_s)|,   w[n] = 1 − cos(2πn/N)
//! ```
//!
//! w is a Hann window of mean 1: of a partial that lies k ≥ 2 lines f_s/N away no more than 1/(k(k² − 1)) is let through.

use hamiltone_numerics::math::{cos, sincos};
use std::f64::consts::TAU;

/// A of the partial at a frequency, Hz, of a sound at a rate, Hz.
pub fn amplitude(sound: &[f64], rate: f64, frequency: f64) -> f64 {
    let n = sound.len() as f64;
    let sum = sound.iter().enumerate().fold((0.0, 0.0), |(c, s), (i, x)| {
        let window = 1.0 - cos(TAU * i as f64 / n);
        let (sin, cos) = sincos(TAU * frequency * i as f64 / rate);
        (c + window * x * cos, s + window * x * sin)
    });
    2.0 / n * (sum.0 * sum.0 + sum.1 * sum.1).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two partials 20 lines apart: 1/(20·399) of the other is let through.
    #[test]
    fn amplitudes_are_those_they_were_given() {
        let sample = |t: f64| 0.3 * (TAU * 200.0 * t).sin() + 0.7 * (TAU * 240.0 * t + 1.0).sin();
        let sound: Vec<f64> = (0..4000).map(|n| sample(f64::from(n) / 8000.0)).collect();
        for (f, expected) in [(200.0, 0.3), (240.0, 0.7)] {
            let found = amplitude(&sound, 8000.0, f);
            assert!((found - expected).abs() < 0.7 / (20.0 * 399.0), "{found} at {f} Hz");
        }
    }
}

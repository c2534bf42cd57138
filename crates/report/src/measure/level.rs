//! The level of a sound of several channels.
//!
//! ```text
//! m_c = (1/N) Σₙ x_c[n]²,   L = 10 lg Σ_c m_c,   P = 20 lg max |x_c[n]|
//! ```
//!
//! c is the channel. A sine of amplitude 1 in one channel has L = −3.01 dB and P = 0 dB.

use hamiltone_numerics::math::log10;

/// m_c of every channel; the samples of the channels are interleaved. Without samples they are no numbers.
pub fn mean_squares(samples: &[f64], channels: usize) -> Vec<f64> {
    let frames = (samples.len() / channels.max(1)) as f64;
    let of = |c: usize| samples.iter().skip(c).step_by(channels.max(1)).map(|x| x * x).sum::<f64>() / frames;
    (0..channels).map(of).collect()
}

/// L of interleaved samples, dB relative to full scale; −∞ of silence.
pub fn level(samples: &[f64], channels: usize) -> f64 {
    10.0 * log10(mean_squares(samples, channels).iter().sum())
}

/// max |x|.
pub fn peak(samples: &[f64]) -> f64 {
    samples.iter().fold(0.0, |peak: f64, x| peak.max(x.abs()))
}

/// 20 lg of an amplitude, dB; −∞ of 0.
pub fn decibels(amplitude: f64) -> f64 {
    20.0 * log10(amplitude)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::f64::consts::TAU;

    /// Two channels with whole periods of sines of amplitudes 1 and ½: ½ + ⅛.
    #[test]
    fn the_level_of_sines_is_that_of_their_mean_squares() {
        let frame = |n: usize| [(TAU * n as f64 / 100.0).sin(), 0.5 * (TAU * n as f64 / 50.0).cos()];
        let samples: Vec<f64> = (0..1000).flat_map(frame).collect();
        let squares = mean_squares(&samples, 2);
        assert!((squares[0] - 0.5).abs() < 1e-13 && (squares[1] - 0.125).abs() < 1e-13, "{squares:?}");
        assert!((level(&samples, 2) - 10.0 * 0.625_f64.log10()).abs() < 1e-12);
        assert!((peak(&samples) - 1.0).abs() < 1e-15 && decibels(0.1) == -20.0);
        assert_eq!(level(&[0.0; 8], 2), f64::NEG_INFINITY);
    }
}

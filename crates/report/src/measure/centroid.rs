//! The spectral centroid: where the middle of a spectrum lies.
//!
//! ```text
//! f_c = Σ f |X(f)|ᵖ / Σ |X(f)|ᵖ,   20 Hz ≤ f < 16 kHz
//! ```
//!
//! p = 1 weights by amplitude, p = 2 by power. X is the spectrum of the beginning of a note, whose last 20 ms fade out.

use crate::magnitudes::Magnitudes;
use hamiltone_numerics::math::sin;
use std::f64::consts::PI;

/// What is heard, Hz: what lies beyond hardly adds to the brightness of a sound.
const HEARD: [f64; 2] = [20.0, 16_000.0];
/// The fade-out, s: a spectrum of what is cut off has the lines of the cut.
const FADE: f64 = 0.02;

/// Σ f w/Σ w of frequencies f, Hz, and their weights w; no number without weight.
pub fn weighted(lines: impl Iterator<Item = (f64, f64)>) -> f64 {
    let (sum, moment) =
        lines.fold((0.0, 0.0), |(sum, moment), (f, weight)| (sum + weight, moment + f * weight));
    moment / sum
}

/// f_c by amplitude and by power, Hz, of one channel at a rate (Hz); `None` of silence.
pub fn centroids(sound: &[f64], rate: f64) -> Option<[f64; 2]> {
    let mut transform = Magnitudes::new(sound.len())?;
    let faded = sound.iter().enumerate().map(|(n, x)| {
        let left = (sound.len() - n) as f64 / (FADE * rate);
        let fade = if left < 1.0 { sin(0.5 * PI * left) } else { 1.0 };
        fade * fade * x
    });
    let (magnitudes, resolution) = (transform.of(faded), rate / transform.length as f64);
    let lines = || magnitudes.iter().enumerate().map(|(k, x)| (k as f64 * resolution, *x));
    let heard = || lines().filter(|(f, _)| (HEARD[0]..HEARD[1]).contains(f));
    let found = [weighted(heard()), weighted(heard().map(|(f, x)| (f, x * x)))];
    found[0].is_finite().then_some(found)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::f64::consts::TAU;

    /// Three partials of amplitudes 3, 2 and 1 that begin as softly as they end: each is spread over lines around its own, of which
    /// those of one side weigh more by their frequency.
    #[test]
    fn the_centroid_of_known_partials_is_found() {
        let partials = [(500.0, 3.0), (1500.0, 2.0), (4000.0, 1.0)];
        let rate = 48_000.0;
        let begin = |t: f64| (0.5 * PI * (t / FADE).min(1.0)).sin().powi(2);
        let sample = |t: f64| begin(t) * partials.iter().map(|(f, a)| a * (TAU * f * t).sin()).sum::<f64>();
        let sound: Vec<f64> = (0..48_000).map(|n| sample(f64::from(n) / rate)).collect();
        let [amplitude, power] = centroids(&sound, rate).unwrap();
        let expected = |p: i32| weighted(partials.iter().map(|(f, a)| (*f, f64::powi(*a, p))));
        assert!((power / expected(2) - 1.0).abs() < 1e-3, "{power} Hz, not {}", expected(2));
        assert!((amplitude / expected(1) - 1.0).abs() < 0.01, "{amplitude} Hz, not {}", expected(1));
        assert_eq!(centroids(&[0.0; 4800], rate), None);
    }
}

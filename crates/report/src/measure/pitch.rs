//! The frequency of one partial of a sound, from the advance of its phase, and that of a sound that repeats itself, from those of its
//! harmonics.
//!
//! ```text
//! z_k(a) = Σₙ w(n) y(a + n) e^(−jkω₀(a + n)/f_s),   Δ_k = arg(z_k(a + H) z_k*(a)) f_s/H
//!
//! one partial     ω = ω₀ + Δ₁
//! all harmonics   ω = ω₀ + Σ_k k |z_k(a + H) z_k(a)| Δ_k / Σ_k k² |z_k(a + H) z_k(a)|
//! ```
//!
//! w is the Blackman–Harris window over 24 periods or more: what lies farther than a sixth of ω away is 92 dB lower. The decay of the
//! partial itself multiplies both z by the same, and turns no phase. Another partial that is 20 dB stronger turns it by 2·10⁻⁴ rad,
//! which over H = 32 periods is 0.002 cents. It is found in two turns: H of 8 periods tells ω within ±100 cents, a longer one more
//! exactly.
//!
//! A bowed string and a reed repeat themselves: their harmonics are exact, and the first may be the weakest, as that of a cello that
//! is too small to radiate it. The least squares over the phases weight each by its power, and count a harmonic k times. The first of
//! three turns has H of one period: at a semitone off, the phase of the eighth harmonic turns by less than half a turn.

use hamiltone_numerics::math::{atan2, cos, sincos};
use std::f64::consts::TAU;

/// Periods in a window, and from one window to the next in the first and second turn.
const WINDOW: f64 = 24.0;
const SHORT: f64 = 8.0;
const HOP: f64 = 32.0;
/// Periods from one window to the next in the turns over all harmonics, and how many harmonics.
const HOPS: [f64; 3] = [1.0, SHORT, HOP];
const HARMONICS: usize = 8;
/// Seconds that the second turn takes at least for either.
const LONGER: f64 = 0.04;

/// How many seconds of sound [`frequency`] and [`repetition`] need at about this frequency, Hz.
pub fn duration(about: f64) -> f64 {
    (WINDOW / about).max(LONGER) + (HOP / about).max(LONGER)
}

/// The frequency (Hz) of the partial near `about` (Hz) at the beginning of a sound of `rate` samples a second, no shorter than
/// [`duration`].
pub fn frequency(sound: &[f64], rate: f64, about: f64) -> f64 {
    let first = advanced(sound, rate, (about, 1), [WINDOW / about, SHORT / about]);
    advanced(sound, rate, (first, 1), [(WINDOW / first).max(LONGER), (HOP / first).max(LONGER)])
}

/// The frequency (Hz), within a semitone of `about` (Hz), with which a sound repeats itself at its beginning, as [`frequency`] from
/// its first eight harmonics.
pub fn repetition(sound: &[f64], rate: f64, about: f64) -> f64 {
    HOPS.into_iter().fold(about, |about, hop| {
        let least = if hop < HOP { 0.0 } else { LONGER };
        advanced(sound, rate, (about, HARMONICS), [(WINDOW / about).max(least), (hop / about).max(least)])
    })
}

/// ω/2π from so many harmonics of a frequency (Hz), by windows of these lengths and distances, s.
fn advanced(sound: &[f64], rate: f64, (about, harmonics): (f64, usize), [window, hop]: [f64; 2]) -> f64 {
    let [window, hop] = [window, hop].map(|seconds| (seconds * rate).round() as usize);
    let omega = TAU * about / rate;
    let z = |from: usize, omega: f64| {
        let mut z = [0.0, 0.0];
        for (n, y) in sound.iter().skip(from).take(window).enumerate() {
            let weight = y * blackman_harris((n as f64 + 0.5) / window as f64);
            let (sin, cos) = sincos(omega * (from + n) as f64);
            z[0] += weight * cos;
            z[1] -= weight * sin;
        }
        z
    };
    let (mut turned, mut weights) = (0.0, 0.0);
    // Harmonics above the Nyquist frequency would be taken for others.
    for k in (1..=harmonics).map(|k| k as f64).take_while(|k| k * about < 0.5 * rate) {
        let [[a, b], [c, d]] = [z(0, k * omega), z(hop, k * omega)];
        let (cos, sin) = (c * a + d * b, d * a - c * b);
        let power = (cos * cos + sin * sin).sqrt();
        turned += k * power * atan2(sin, cos);
        weights += k * k * power;
    }
    // Silence turns nothing.
    if weights > 0.0 { about + turned / weights / TAU * rate / hop as f64 } else { about }
}

/// The window at 0 to 1 of its length (Harris 1978, four terms, −92 dB).
fn blackman_harris(part: f64) -> f64 {
    const A: [f64; 4] = [0.35875, -0.48829, 0.14128, -0.01168];
    (0..4).map(|k| A[k] * cos(TAU * k as f64 * part)).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use hamiltone_render::tuning::cents;

    #[test]
    fn a_decaying_partial_beside_a_stronger_one_is_found() {
        let rate = 44_100.0;
        for (f, off) in [(27.5, 20.0), (4186.0, -80.0)] {
            let about = f * 2_f64.powf(off / 1200.0);
            let count = (duration(about) * rate) as usize + 2;
            // The lowest note of a piano, far longer than here, and the highest bar of a xylophone.
            let partial = |t: f64, f: f64, a: f64| a * (-0.01 * f * t).exp() * (TAU * f * t + 0.3).sin();
            let sound = |n: usize| {
                let t = n as f64 / rate;
                partial(t, f, 1.0) + partial(t, 2.01 * f, 10.0)
            };
            let sound: Vec<f64> = (0..count).map(sound).collect();
            let error = cents(frequency(&sound, rate, about), f);
            assert!(error.abs() < 0.01, "{error} cents at {f} Hz");
        }
    }
    /// A sound of which the body radiates the first harmonic 40 dB less than the third, beside a resonance that rings near the first.
    #[test]
    fn a_sound_that_repeats_itself_is_found_by_all_harmonics() {
        let rate = 48_000.0;
        for (f, off) in [(41.2, 90.0), (196.0, -50.0), (3136.0, 10.0)] {
            let about = f * 2_f64.powf(off / 1200.0);
            let sound = |n: usize| {
                let t = n as f64 / rate;
                let harmonic = |(k, a): (f64, f64)| a * (TAU * k * f * t + k * k).sin();
                let own: f64 = [(1.0, 0.01), (2.0, 0.3), (3.0, 1.0), (5.0, 0.5)].map(harmonic).iter().sum();
                own + 0.005 * (TAU * 1.05 * f * t).sin()
            };
            let count = (duration(about) * rate) as usize + 2;
            let sound: Vec<f64> = (0..count).map(sound).collect();
            let [by_all, by_first] = [repetition, frequency].map(|of| cents(of(&sound, rate, about), f));
            assert!(by_all.abs() < 0.02, "{by_all} cents at {f} Hz");
            // What rings is no harmonic, and pulls the first alone.
            assert!(f > 100.0 || by_first.abs() > 0.5, "{by_first} cents at {f} Hz");
        }
        assert_eq!(repetition(&[0.0; 48_000], rate, 440.0), 440.0);
    }
}

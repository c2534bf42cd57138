//! The frequency of one partial of a sound, from the advance of its phase.
//!
//! ```text
//! z(a) = Σₙ w(n) y(a + n) e^(−jω₀(a + n)/f_s),   ω = ω₀ + arg(z(a + H) z*(a)) f_s/H
//! ```
//!
//! w is the Blackman–Harris window over 24 periods or more: what lies farther than a sixth of ω away is 92 dB lower. The decay of the
//! partial itself multiplies both z by the same, and turns no phase. Another partial that is 20 dB stronger turns it by 2·10⁻⁴ rad,
//! which over H = 32 periods is 0.002 cents. It is found in two turns: H of 8 periods tells ω within ±100 cents, a longer one more
//! exactly.

use hamiltone_numerics::math::{atan2, cos, sincos};
use std::f64::consts::TAU;

/// Periods in a window, and from one window to the next in the first and second turn.
const WINDOW: f64 = 24.0;
const SHORT: f64 = 8.0;
const HOP: f64 = 32.0;
/// Seconds that the second turn takes at least for either.
const LONGER: f64 = 0.04;

/// How many seconds of sound [`frequency`] needs at about this frequency, Hz.
pub fn duration(about: f64) -> f64 {
    (WINDOW / about).max(LONGER) + (HOP / about).max(LONGER)
}

/// The frequency (Hz) of the partial near `about` (Hz) at the beginning of a sound of `rate` samples a second, no shorter than
/// [`duration`].
pub fn frequency(sound: &[f64], rate: f64, about: f64) -> f64 {
    let first = advanced(sound, rate, about, [WINDOW / about, SHORT / about]);
    advanced(sound, rate, first, [(WINDOW / first).max(LONGER), (HOP / first).max(LONGER)])
}

/// ω/2π by windows of these lengths and distances, s.
fn advanced(sound: &[f64], rate: f64, about: f64, [window, hop]: [f64; 2]) -> f64 {
    let [window, hop] = [window, hop].map(|seconds| (seconds * rate).round() as usize);
    let omega = TAU * about / rate;
    let z = |from: usize| {
        let mut z = [0.0, 0.0];
        for (n, y) in sound.iter().skip(from).take(window).enumerate() {
            let weight = y * blackman_harris((n as f64 + 0.5) / window as f64);
            let (sin, cos) = sincos(omega * (from + n) as f64);
            z[0] += weight * cos;
            z[1] -= weight * sin;
        }
        z
    };
    let [[a, b], [c, d]] = [z(0), z(hop)];
    let turned = atan2(d * a - c * b, c * a + d * b);
    about + turned / TAU * rate / hop as f64
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
}

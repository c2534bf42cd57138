//! The frequency of one partial of a sound, from the advance of its phase.
//!
//!   z(a) = Σₙ w(n) y(a + n) e^(−jω₀(a + n)/f_s),   ω = ω₀ + arg(z(a + H) z*(a)) f_s/H
//!
//! w is the Blackman–Harris window over 24 periods or more: what lies farther than a sixth of ω away is 92 dB lower. The decay of the
//! partial itself multiplies both z by the same, and turns no phase. Another partial that is 20 dB stronger turns it by 2·10⁻⁴ rad,
//! which over H = 32 periods is 0.002 cents. It is found in two turns: H of 8 periods tells ω within ±100 cents, a longer one more
//! exactly.

use std::f64::consts::{PI, TAU};

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

/// By how many cents `frequency` lies above `reference`.
pub fn cents(frequency: f64, reference: f64) -> f64 {
    1200.0 * (frequency / reference).log2()
}

/// ω/2π by windows of these lengths and distances, s.
fn advanced(sound: &[f64], rate: f64, about: f64, [window, hop]: [f64; 2]) -> f64 {
    let [window, hop] = [window, hop].map(|seconds| (seconds * rate).round() as usize);
    let omega = TAU * about / rate;
    let z = |from: usize| {
        let mut z = [0.0, 0.0];
        for (n, y) in sound.iter().skip(from).take(window).enumerate() {
            let weight = y * blackman_harris((n as f64 + 0.5) / window as f64);
            let phase = omega * (from + n) as f64;
            z[0] += weight * phase.cos();
            z[1] -= weight * phase.sin();
        }
        z
    };
    let [[a, b], [c, d]] = [z(0), z(hop)];
    let turned = (d * a - c * b).atan2(c * a + d * b);
    about + turned / TAU * rate / hop as f64
}

/// The window at 0 to 1 of its length (Harris 1978, four terms, −92 dB).
fn blackman_harris(part: f64) -> f64 {
    const A: [f64; 4] = [0.35875, -0.48829, 0.14128, -0.01168];
    (0..4).map(|k| A[k] * (2.0 * PI * k as f64 * part).cos()).sum()
}

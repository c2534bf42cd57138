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
//! three turns has H of one period and a window of eight, which has half of the frequency to either side of each harmonic: at a
//! semitone off, the phase of the eighth turns by less than half a turn, and none is lost. A sound repeats itself where the phases of
//! the last turn agree, |φ_k − kφ| ≪ 1 in the mean over their powers, and neither twice nor three times as often: some of the power
//! is in harmonics that are no multiples of 2, and of 3.

use hamiltone_numerics::math::{atan2, cos, sincos};
use hamiltone_render::tuning::cents;
use std::f64::consts::TAU;

/// Periods in a window, and from one window to the next in a shorter and a longer turn.
const WINDOW: f64 = 24.0;
const SHORT: f64 = 8.0;
const HOP: f64 = 32.0;
/// Seconds that the last turn takes at least for either.
const LONGER: f64 = 0.04;
/// How many harmonics of a sound that repeats itself are followed.
const HARMONICS: usize = 8;
/// How far it may be from where it is sought, cents: a semitone.
const SEMITONE: f64 = 100.0;
/// The mean cosine of how far its phases are from their fit, at least: noise has less.
const AGREEMENT: f64 = 0.5;
/// The part of its power in harmonics that are no multiples of 2, and of 3, at least: 40 dB below the others they are noise.
const OWN_POWER: f64 = 1e-4;

/// By how much a harmonic turns from one window to the next beyond what is expected.
struct Advance {
    harmonic: usize,
    power: f64,
    phase: f64,
}

/// How many seconds of sound [`frequency`] and [`repetition`] need at about this frequency, Hz.
pub fn duration(about: f64) -> f64 {
    (WINDOW / about).max(LONGER) + (HOP / about).max(LONGER)
}

/// The frequency (Hz) of the partial near `about` (Hz) at the beginning of a sound of `rate` samples a second, no shorter than
/// [`duration`].
pub fn frequency(sound: &[f64], rate: f64, about: f64) -> f64 {
    turned(sound, rate, (about, 1), &[[WINDOW, SHORT], [WINDOW, HOP]]).0
}

/// The frequency (Hz), within a semitone of `about` (Hz), with which a sound repeats itself at its beginning, as [`frequency`] from
/// its first eight harmonics; `None` of silence, of noise, and of a sound that repeats itself twice or three times as often.
pub fn repetition(sound: &[f64], rate: f64, about: f64) -> Option<f64> {
    let turns = [[SHORT, 1.0], [WINDOW, SHORT], [WINDOW, HOP]];
    let (found, last) = turned(sound, rate, (about, HARMONICS), &turns);
    let power = |of: &dyn Fn(&Advance) -> f64| last.iter().map(|own| own.power * of(own)).sum::<f64>();
    let (all, phase) = (power(&|_| 1.0), fitted(&last));
    let agrees = power(&|own| cos(own.phase - own.harmonic as f64 * phase)) > AGREEMENT * all;
    let is_first = [2, 3].iter().all(|often| {
        power(&|own| if own.harmonic.is_multiple_of(*often) { 0.0 } else { 1.0 }) > OWN_POWER * all
    });
    let is_near = cents(found, about).abs() <= SEMITONE;
    (agrees && is_first && is_near).then_some(found)
}

/// The frequency (Hz) that turns of these windows and distances, periods, find near another (Hz), by so many harmonics, and what they
/// turned in the last one.
fn turned(
    sound: &[f64],
    rate: f64,
    (mut about, harmonics): (f64, usize),
    turns: &[[f64; 2]],
) -> (f64, Vec<Advance>) {
    let mut last = Vec::new();
    for (k, periods) in turns.iter().enumerate() {
        let least = if k + 1 == turns.len() { LONGER } else { 0.0 };
        let [window, hop] = periods.map(|periods| ((periods / about).max(least) * rate).round() as usize);
        last = advances(sound, TAU * about / rate, harmonics, [window, hop]);
        about += fitted(&last) / TAU * rate / hop as f64;
    }
    (about, last)
}

/// The phase of the first harmonic by least squares, weighted with powers; 0 of silence.
fn fitted(advances: &[Advance]) -> f64 {
    let mut sums = [0.0, 0.0];
    for Advance { harmonic, power, phase } in advances {
        let k = *harmonic as f64;
        sums[0] += k * power * phase;
        sums[1] += k * k * power;
    }
    if sums[1] > 0.0 { sums[0] / sums[1] } else { 0.0 }
}

/// How the harmonics of ω₀ (rad per sample) turn between two windows of a sound, in samples.
fn advances(sound: &[f64], omega: f64, harmonics: usize, [window, hop]: [usize; 2]) -> Vec<Advance> {
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
    // Half of the frequency below Nyquist, the mirror image of the next harmonic is out of the window of the last one.
    let below_nyquist = |k: &usize| *k == 1 || (*k as f64 + 0.5) * omega < 0.5 * TAU;
    let of = |harmonic: usize| {
        let omega = harmonic as f64 * omega;
        let [[a, b], [c, d]] = [z(0, omega), z(hop, omega)];
        let (cos, sin) = (c * a + d * b, d * a - c * b);
        Advance { harmonic, power: (cos * cos + sin * sin).sqrt(), phase: atan2(sin, cos) }
    };
    (1..=harmonics).take_while(below_nyquist).map(of).collect()
}

/// The window at 0 to 1 of its length (Harris 1978, four terms, −92 dB).
fn blackman_harris(part: f64) -> f64 {
    const A: [f64; 4] = [0.35875, -0.48829, 0.14128, -0.01168];
    (0..4).map(|k| A[k] * cos(TAU * k as f64 * part)).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

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

    /// Harmonics (number, amplitude) of f (Hz), and what rings beside them (Hz, amplitude), as long as is needed.
    fn sound(f: f64, rate: f64, harmonics: &[(f64, f64)], rings: (f64, f64)) -> Vec<f64> {
        let at = |n: usize| {
            let t = n as f64 / rate;
            let harmonic = |(k, a): &(f64, f64)| a * (TAU * k * f * t + k * k).sin();
            harmonics.iter().map(harmonic).sum::<f64>() + rings.1 * (TAU * rings.0 * t).sin()
        };
        (0..(1.1 * duration(f) * rate) as usize + 2).map(at).collect()
    }

    /// A body radiates the first harmonic 40 dB less than the third, and rings beside it; or the sixth to eighth are the strongest.
    #[test]
    fn a_sound_that_repeats_itself_is_found_by_all_harmonics() {
        let rate = 48_000.0;
        let dull: &[(f64, f64)] = &[(1.0, 0.01), (2.0, 0.3), (3.0, 1.0), (5.0, 0.5)];
        let bright: &[(f64, f64)] = &[(1.0, 0.003), (2.0, 0.1), (6.0, 1.0), (7.0, 0.8), (8.0, 1.0)];
        for (f, harmonics) in [(41.2, dull), (41.2, bright), (196.0, dull), (196.0, bright), (3136.0, dull)] {
            let sound = sound(f, rate, harmonics, (1.05 * f, 0.03));
            for off in [-95.0, -40.0, 0.0, 10.0, 50.0, 95.0] {
                let found = repetition(&sound, rate, f * 2_f64.powf(off / 1200.0));
                let error = cents(found.expect("a pitch"), f);
                assert!(error.abs() < 0.02, "{error} cents at {f} Hz from {off} cents");
            }
        }
        // What rings is no harmonic, and pulls the first alone.
        let pulled = cents(frequency(&sound(41.2, rate, dull, (1.05 * 41.2, 0.03)), rate, 41.2), 41.2);
        assert!(pulled.abs() > 0.5, "{pulled} cents");
    }

    /// 4790 Hz at 48 kHz: the sixth harmonic is mirrored beside the fifth.
    #[test]
    fn harmonics_above_the_nyquist_frequency_are_not_taken_for_others() {
        let saw: Vec<(f64, f64)> = (1..=8).map(|k| (f64::from(k), 1.0 / f64::from(k))).collect();
        let found = repetition(&sound(4790.0, 48_000.0, &saw, (100.0, 0.0)), 48_000.0, 4776.0);
        assert!(cents(found.expect("a pitch"), 4790.0).abs() < 0.02, "{found:?}");
    }

    #[test]
    fn what_does_not_repeat_itself_so_often_has_no_such_pitch() {
        let rate = 48_000.0;
        assert_eq!(repetition(&vec![0.0; 48_000], rate, 440.0), None);
        for often in [2.0, 3.0] {
            let higher = sound(220.0, rate, &[(often, 1.0), (2.0 * often, 0.5)], (100.0, 0.0));
            assert_eq!(repetition(&higher, rate, 220.0), None, "{often}");
        }
        // A fifth higher.
        assert_eq!(
            repetition(&sound(330.0, rate, &[(1.0, 1.0), (2.0, 0.5)], (100.0, 0.0)), rate, 220.0),
            None
        );
    }
}

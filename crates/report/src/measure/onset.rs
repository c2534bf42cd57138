//! When a note begins to sound, and how long its attack takes.
//!
//! ```text
//! onset   n₀ = min n: |x[n]| ≥ A max |x|
//! attack  e²[n] = mean of x² over W samples behind n,   t = (min n: e[n] ≥ 0.9 E) − (min n: e[n] ≥ 0.1 E),   E = max e
//! ```
//!
//! A = −30 dB: what is weaker and comes some milliseconds before a note, as a finger or the pull of a pluck does, is masked by it. The attack is
//! the time from a tenth to nine tenths of the amplitude, as is usual; W holds a whole number of periods, over which the mean square of
//! a steady tone does not oscillate. Where strings beat, E may come late.

use super::level;
use hamiltone_numerics::math::pow;

/// A: the level of the first audible sample relative to the peak of the note, dB.
pub const AUDIBLE: f64 = -30.0;
/// The parts of the largest amplitude between which the attack lies.
const RISE: [f64; 2] = [0.1, 0.9];
/// The shortest W, s: below it the waveform of a stroke is told, not its envelope.
const SHORTEST: f64 = 5e-3;

/// The number of the first audible sample of a channel; `None` of silence.
pub fn onset(sound: &[f64]) -> Option<usize> {
    let least = level::peak(sound) * pow(10.0, AUDIBLE / 20.0);
    if least > 0.0 { sound.iter().position(|x| x.abs() >= least) } else { None }
}

/// t, s, of a sound at a rate (Hz) whose first partial has about this period, s; `None` where the sound is silent or shorter than W.
pub fn attack(sound: &[f64], rate: f64, period: f64) -> Option<f64> {
    let periods = (SHORTEST / period).ceil().max(1.0);
    let width = (periods * period * rate).round() as usize;
    if width == 0 || sound.len() < width {
        return None;
    }
    // Before the sound it is silent: the first means are of less.
    let mut sum = 0.0;
    let energy = |n: usize| {
        sum += sound[n] * sound[n];
        if n >= width {
            sum -= sound[n - width] * sound[n - width];
        }
        sum
    };
    let energies: Vec<f64> = (0..sound.len()).map(energy).collect();
    let largest = energies.iter().copied().fold(0.0, f64::max);
    let [low, high] =
        RISE.map(|part| energies.iter().position(|e| largest > 0.0 && *e >= part * part * largest));
    Some((high? - low?) as f64 / rate)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::f64::consts::TAU;

    const RATE: f64 = 48_000.0;

    #[test]
    fn a_note_begins_at_its_first_audible_sample() {
        let mut sound = vec![0.0; 500];
        sound.extend([1e-3, -0.031, -0.032, 0.5, 1.0]);
        assert_eq!(onset(&sound), Some(502));
        assert_eq!((onset(&[0.0; 9]), onset(&[])), (None, None));
    }

    /// A tone whose amplitude rises in a straight line within R: from 0.1 to 0.9 in 0.8 R, but for half of W on either side.
    #[test]
    fn the_attack_of_a_straight_rise_is_eight_tenths_of_it() {
        for (rise, f) in [(0.1, 440.0), (0.3, 55.0)] {
            let sample = |t: f64| (t / rise).min(1.0) * (TAU * f * t).sin();
            let sound: Vec<f64> = (0..48_000).map(|n| sample(f64::from(n) / RATE)).collect();
            let found = attack(&sound, RATE, 1.0 / f).unwrap();
            let width = (5e-3 * f).ceil() / f;
            assert!((found - 0.8 * rise).abs() < width, "{found} s of {rise} s");
        }
        assert_eq!(attack(&[0.0; 48_000], RATE, 0.01), None);
        assert_eq!(attack(&[1.0; 10], RATE, 0.01), None);
    }
}

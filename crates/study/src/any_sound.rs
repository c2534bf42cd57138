//! The partials of any sound, such as a recording, near expected frequencies: measured as those of a run are.
//!
//! A partial is measured in the longest window in which it is at most 60 dB below the strongest: in a long one it stands out of its neighbours and
//! of noise, in a short one before it has decayed. Levels are those of the longest window, as others are not comparable with them.

use hamiltone_report::{decay, partials::AUDIBLE_LEVEL, peak::Window};
use std::{convert::Infallible, ops::Range};

/// The longest window, samples.
const MAX_WINDOW: usize = 1 << 17;
/// The windows, as parts of the longest.
const DIVISORS: [usize; 5] = [1, 2, 4, 8, 16];
/// How far apart partials are in a window, in bins: the spectrum of its Gaussian has fallen by 110 dB.
const APART: f64 = 8.0;

/// A partial as far as it can be measured.
#[derive(Clone, Copy, Debug, Default)]
pub struct Measured {
    /// Its frequency, Hz.
    pub frequency: Option<f64>,
    /// How far that may be off for noise, Hz.
    pub uncertainty: Option<f64>,
    /// T₆₀, s.
    pub t60: Option<f64>,
    /// Its level in the longest window, dB, where it is found in that.
    pub level: Option<f64>,
}

/// The partials of a sound near the expected frequencies (Hz, ascending), one each.
pub fn partials(sound: &[f64], rate: f64, expected: &[f64]) -> Vec<Measured> {
    let whole = sound.len().min(MAX_WINDOW);
    let window = |divisor: &usize| Window::new(&sound[..whole / divisor], rate);
    let windows: Vec<Window> = DIVISORS.iter().map_while(window).collect();
    let of = |(i, near): (usize, &f64)| {
        let others =
            expected.iter().enumerate().filter(|(j, _)| *j != i).map(|(_, other)| (other - near).abs());
        let distance = others.fold(near.min(0.5 * rate - near), f64::min);
        let found = windows.iter().enumerate().find_map(|(k, window)| {
            let is_apart = k == 0 || distance >= APART * window.resolution;
            let peak = window.peak_near(*near).filter(|_| is_apart)?;
            (peak.level - window.strongest() >= AUDIBLE_LEVEL).then_some((peak, k == 0))
        });
        let Some((peak, is_longest)) = found else { return Measured::default() };
        let partial =
            decay::SoundPartial { samples: sound.len() as u64, rate, frequency: peak.frequency, distance };
        let read =
            |part: Range<u64>| Ok::<_, Infallible>(sound[part.start as usize..part.end as usize].to_vec());
        let t60 = partial.t60(read).ok().and_then(Result::ok);
        let uncertainty = Some(peak.uncertainty);
        Measured {
            frequency: Some(peak.frequency),
            uncertainty,
            t60,
            level: is_longest.then_some(peak.level),
        }
    };
    expected.iter().enumerate().map(of).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::f64::consts::TAU;

    /// Two decaying partials: T₆₀ = ln(1000)/σ.
    #[test]
    fn partials_of_a_known_sound_are_found() {
        let (rate, partials_of) = (44_100.0, [(440.3, 6.0), (881.9, 9.0_f64)]);
        let sample = |n: usize| {
            let t = n as f64 / rate;
            partials_of.iter().map(|(f, sigma)| (-sigma * t).exp() * (TAU * f * t).sin()).sum::<f64>()
        };
        let sound: Vec<f64> = (0..88_200).map(sample).collect();
        for (found, (f, sigma)) in partials(&sound, rate, &[440.0, 880.0]).iter().zip(partials_of) {
            let (frequency, t60) = (found.frequency.unwrap(), found.t60.unwrap());
            assert!((frequency - f).abs() < 0.05, "{frequency} Hz, not {f}");
            assert!((t60 * sigma / 1000_f64.ln() - 1.0).abs() < 0.01, "{t60} s");
        }
        assert!(partials(&[], rate, &[440.0])[0].frequency.is_none());
    }

    /// The second decays by 60 dB in 70 ms: in the middle of a second it is long gone.
    #[test]
    fn a_partial_that_soon_decays_is_found_without_a_level() {
        let rate = 44_100.0;
        let sample = |n: usize| {
            let t = n as f64 / rate;
            (-2.0 * t).exp() * (TAU * 330.0 * t).sin() + 0.1 * (-99.0 * t).exp() * (TAU * 1327.0 * t).sin()
        };
        let sound: Vec<f64> = (0..44_100).map(sample).collect();
        let found = partials(&sound, rate, &[330.0, 1330.0, 2000.0]);
        assert!(
            found[0].level.is_some() && found[1].level.is_none() && found[2].frequency.is_none(),
            "{found:?}"
        );
        let (frequency, t60) = (found[1].frequency.unwrap(), found[1].t60.unwrap());
        // 0.1 cents; a hundredth.
        assert!((frequency / 1327.0 - 1.0).abs() < 6e-5, "{frequency} Hz");
        assert!((t60 * 99.0 / 1000_f64.ln() - 1.0).abs() < 0.01, "{t60} s");
    }
}

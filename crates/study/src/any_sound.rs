//! The partials of any sound, such as a recording, near expected frequencies: measured as those of a run are.

use hamiltone_report::{decay, peak::Window};
use std::{convert::Infallible, ops::Range};

/// The longest window, samples.
const MAX_WINDOW: usize = 1 << 17;

/// A partial as far as it can be measured.
#[derive(Clone, Copy, Debug, Default)]
pub struct Measured {
    /// Its frequency, Hz.
    pub frequency: Option<f64>,
    /// T₆₀, s.
    pub t60: Option<f64>,
    /// Its level in the first window, dB.
    pub level: Option<f64>,
}

/// The partials of a sound near the expected frequencies (Hz, ascending), one each.
pub fn partials(sound: &[f64], rate: f64, expected: &[f64]) -> Vec<Measured> {
    let Some(window) = Window::new(&sound[..sound.len().min(MAX_WINDOW)], rate) else {
        return vec![Measured::default(); expected.len()];
    };
    let of = |(i, near): (usize, &f64)| {
        let Some(peak) = window.peak_near(*near) else { return Measured::default() };
        let others =
            expected.iter().enumerate().filter(|(j, _)| *j != i).map(|(_, other)| (other - near).abs());
        let distance = others.fold(near.min(0.5 * rate - near), f64::min);
        let partial =
            decay::SoundPartial { samples: sound.len() as u64, rate, frequency: peak.frequency, distance };
        let read =
            |part: Range<u64>| Ok::<_, Infallible>(sound[part.start as usize..part.end as usize].to_vec());
        let t60 = partial.t60(read).ok().and_then(Result::ok);
        Measured { frequency: Some(peak.frequency), t60, level: Some(peak.level) }
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
}

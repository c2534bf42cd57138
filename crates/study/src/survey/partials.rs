//! The first partials of a note: frequency, deviation, level and decay.
//!
//! ```text
//! partial 1   cents from the frequency that is requested
//! partial n   1200 log₂(f_n/(n f₁)),   expected at n f₁ (1 + β(n² − 1))
//! ```
//!
//! β is that of the partial found last, as stiffness raises partials of a string. A partial that lies more than half a semitone from there
//! is not found, nor one 60 dB below the strongest: bars and plates have none at most multiples. Of a sound without a pitch, such as that of a drum, the
//! strongest partial is the only one.

use hamiltone_numerics::math::pow;
use hamiltone_play::offline::SILENCE;
use hamiltone_render::tuning::cents;
use hamiltone_report::{
    measure::{
        amplitude::amplitude,
        band::Band,
        level, pitch,
        slope::{self, LATE, PROMPT},
    },
    partials::AUDIBLE_LEVEL,
    peak::{Peak, Window},
    spectrum::spectrum,
};

/// How many partials are measured.
pub const COUNT: usize = 4;
/// Where a partial is searched, relative to its expected frequency, to either side: half a semitone.
const SEARCH: f64 = 0.03;
/// When frequencies are measured, s after the first audible sample: when the body of a guitar or a piano is silent; else, of a note that is
/// then inaudible and may be put to rest, or of a partial that is weaker than [`FAINT`], after the attack.
const BEGIN: [f64; 2] = [0.6, 0.1];
/// A partial so far below the strongest one is faint, dB: it is 50 dB above what a window lets through of others.
const FAINT: f64 = -40.0;
/// The windows in which a partial is searched, as parts of the sound: short-lived ones are found in short windows.
const PARTS: [usize; 3] = [1, 4, 16];
/// Over how much of a sound its spectra are taken at most, s.
const LONGEST: f64 = 2.5;
/// A peak of the spectrum is a neighbour of a partial unless it is nearer than this part of its frequency, which is what a peak of the spectrum
/// is alone in, or weaker than the partial by so many dB.
const NEAR: f64 = 0.04;
const WEAK: f64 = 40.0;
/// How many peaks of the spectrum are looked at, and from which frequency on, Hz.
const PEAKS: (usize, f64) = (64, 20.0);

/// What was measured of a partial; `None` where it was not found, or cannot be measured.
#[derive(Clone, Debug, PartialEq)]
pub struct PartialFigures {
    /// Its number, from 1.
    pub number: usize,
    /// Its frequency, Hz.
    pub frequency: Option<f64>,
    /// How far it is from where it is expected, cents.
    pub cents: Option<f64>,
    /// Its amplitude in the prompt window, dB relative to full scale.
    pub level: Option<f64>,
    /// T₆₀ in the prompt window ([`PROMPT`]), s.
    pub prompt: Option<f64>,
    /// T₆₀ in the late window ([`LATE`]), s.
    pub late: Option<f64>,
}

/// A sound from some time on, with its spectra.
struct View<'a> {
    sound: &'a [f64],
    windows: Vec<Window>,
}

impl<'a> View<'a> {
    fn new(sound: &'a [f64], rate: f64) -> Self {
        let whole = &sound[..sound.len().min((LONGEST * rate) as usize)];
        let windows = PARTS.iter().filter_map(|part| Window::new(&whole[..whole.len() / part], rate));
        Self { sound, windows: windows.collect() }
    }

    /// The frequency of the partial near an expected one, Hz, where it is not weaker than so many dB beside the strongest.
    fn frequency(&self, rate: f64, expected: f64, least: f64) -> Option<f64> {
        let found = self.windows.iter().find_map(|window| {
            let peak = window.peak_within(expected, SEARCH)?;
            // Three bins of a short window may lie farther away.
            let is_near = (peak.frequency / expected - 1.0).abs() < SEARCH;
            (is_near && peak.level - window.strongest() >= least).then_some(peak)
        });
        found.and_then(|peak| exact(self.sound, rate, peak))
    }
}

/// The partials of a sound that begins at its first audible sample, at a rate (Hz), of a note of this frequency, Hz.
pub fn of(sound: &[f64], rate: f64, requested: Option<f64>) -> Vec<PartialFigures> {
    let at = |seconds: f64| ((seconds * rate).round() as usize).min(sound.len());
    let [late, early] = BEGIN.map(|begin| View::new(&sound[at(begin)..], rate));
    let audible = level::peak(sound) * pow(10.0, AUDIBLE_LEVEL / 20.0);
    let late =
        Some(late).filter(|late| level::peak(&late.sound[..late.sound.len().min(at(BEGIN[1]))]) >= audible);
    let beginning = &sound[at(BEGIN[1])..at(BEGIN[1] + LONGEST)];
    let peaks = spectrum(beginning, rate).map_or_else(Vec::new, |spectrum| spectrum.peaks(PEAKS.0, PEAKS.1));
    let Some(first) = requested.or_else(|| peaks.first().map(|(f, _)| *f)) else { return Vec::new() };
    let (mut fundamental, mut beta) = (first, 0.0);
    let mut found = Vec::new();
    for number in 1..=if requested.is_some() { COUNT } else { 1 } {
        let square = (number * number) as f64 - 1.0;
        let harmonic = number as f64 * fundamental;
        let expected = harmonic * (1.0 + beta * square);
        let frequency = late
            .as_ref()
            .and_then(|late| late.frequency(rate, expected, FAINT))
            .or_else(|| early.frequency(rate, expected, AUDIBLE_LEVEL));
        if let Some(f) = frequency {
            match number {
                1 => fundamental = f,
                _ => beta = (f / harmonic - 1.0) / square,
            }
        }
        let band =
            frequency.map(|f| Band { rate, frequency: f, distance: distance(f, fundamental, &peaks, rate) });
        let least = level::peak(sound) * pow(10.0, SILENCE / 20.0);
        let t60 = |window| band.and_then(|band| slope::t60(sound, &band, window, least).ok());
        let prompt = &sound[at(PROMPT[0])..at(PROMPT[1])];
        found.push(PartialFigures {
            number,
            frequency,
            cents: requested.and(frequency).map(|f| cents(f, harmonic)),
            level: frequency.map(|f| level::decibels(amplitude(prompt, rate, f))),
            prompt: t60(PROMPT),
            late: t60(LATE),
        });
    }
    found
}

/// The frequency of the partial at a peak, Hz, by the advance of its phase where the sound is long enough for that.
fn exact(sound: &[f64], rate: f64, peak: Peak) -> Option<f64> {
    let is_long = pitch::duration(peak.frequency) * rate < sound.len() as f64;
    let found = if is_long { pitch::frequency(sound, rate, peak.frequency) } else { peak.frequency };
    Some(found).filter(|found| (found / peak.frequency - 1.0).abs() < SEARCH)
}

/// How far a partial of this frequency (Hz) is from its neighbours, from 0 and from Nyquist, Hz: from the next harmonic, and from any
/// stronger or hardly weaker peak of the spectrum.
fn distance(f: f64, fundamental: f64, peaks: &[(f64, f64)], rate: f64) -> f64 {
    let is_own = |(other, _): &&(f64, f64)| (other / f - 1.0).abs() < NEAR;
    let own = peaks.iter().filter(is_own).map(|(_, level)| *level).fold(f64::NEG_INFINITY, f64::max);
    let others = peaks.iter().filter(|peak| !is_own(peak) && peak.1 > own - WEAK);
    others.map(|(other, _)| (other - f).abs()).fold(fundamental.min(f).min(0.5 * rate - f), f64::min)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::f64::consts::TAU;

    const RATE: f64 = 48_000.0;

    /// Sines: frequency, amplitude, T₆₀.
    fn sound(partials: &[(f64, f64, f64)]) -> Vec<f64> {
        let of = |t: f64| {
            let one = |(f, a, t60): &(f64, f64, f64)| a * 10_f64.powf(-3.0 * t / t60) * (TAU * f * t).sin();
            partials.iter().map(one).sum()
        };
        (0..(4.5 * RATE) as usize).map(|n| of(n as f64 / RATE)).collect()
    }

    /// A stiff string, f_n = n f √(1 + Bn²), 7 cents flat: what was requested, where its harmonics are and how it decays.
    #[test]
    fn partials_of_a_stiff_string_are_found() {
        let (f, b) = (110.0 * 2_f64.powf(-7.0 / 1200.0), 4e-4_f64);
        let at = |n: f64| n * f * (1.0 + b * n * n).sqrt();
        let decays = [6.0, 4.0, 3.0, 2.0];
        let all: Vec<(f64, f64, f64)> = (1..=8)
            .map(|n| (at(f64::from(n)), 0.3 / f64::from(n), decays[(n - 1).min(3) as usize]))
            .collect();
        let found = of(&sound(&all), RATE, Some(110.0));
        assert_eq!(found.len(), COUNT);
        for (own, t60) in found.iter().zip(decays) {
            let n = own.number as f64;
            let expected = if own.number == 1 { cents(at(1.0), 110.0) } else { cents(at(n), n * at(1.0)) };
            assert!((own.cents.unwrap() - expected).abs() < 0.02, "{own:?}, not {expected} cents");
            assert!((own.prompt.unwrap() / t60 - 1.0).abs() < 0.01, "{own:?}, not {t60} s");
            // From 0.1 s to 0.6 s, with the weight of a Hann window around its middle.
            let level = level::decibels(0.3 / n) - 60.0 * 0.35 / t60;
            assert!((own.level.unwrap() - level).abs() < 1.0, "{own:?}, not {level} dB");
        }
        // The fourth falls 90 dB below the peak within the late window.
        assert!((found[0].late.unwrap() / 6.0 - 1.0).abs() < 0.01 && found[3].late.is_none(), "{found:?}");
    }

    /// A bar, whose partials are 1 : 4 : 9.2: nothing is found at the multiples 2 and 3.
    #[test]
    fn what_a_bar_does_not_have_is_not_found() {
        let found =
            of(&sound(&[(262.0, 1.0, 2.0), (1048.0, 0.2, 0.5), (2410.0, 0.1, 0.2)]), RATE, Some(261.63));
        let numbers: Vec<usize> =
            found.iter().filter(|own| own.frequency.is_some()).map(|own| own.number).collect();
        assert_eq!(numbers, [1, 4]);
        assert!((found[3].cents.unwrap()).abs() < 0.05 && found[3].late.is_none(), "{found:?}");
    }

    /// A drum: the strongest partial, and no cents. Of silence there is nothing.
    #[test]
    fn a_sound_without_a_pitch_has_one_partial() {
        let found = of(&sound(&[(150.0, 0.2, 1.0), (239.0, 1.0, 0.8), (320.0, 0.3, 0.6)]), RATE, None);
        assert!(matches!(&found[..], [PartialFigures { number: 1, cents: None, .. }]), "{found:?}");
        assert!((found[0].frequency.unwrap() - 239.0).abs() < 0.1, "{found:?}");
        assert!(of(&[0.0; 48_000], RATE, None).is_empty());
    }
}

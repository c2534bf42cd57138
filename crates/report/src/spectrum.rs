//! Spectrum and spectrogram of a sound.
//!
//! ```text
//! L(f) = 20 lg |Σ w[n](x[n] − x̄) e^(−2πi f n/f_s)|, relative to its largest value
//! ```
//!
//! w is a Hann window; for a decaying sound its second half, since the whole window would suppress the attack.

use crate::{magnitudes::Magnitudes, measure::centroid, picture};
use hamiltone_numerics::math::{cos, log10, pow};
use std::{f64::consts::PI, ops::Range};

/// The longest window of a spectrum, samples: 5.9 s at 44.1 kHz.
pub const MAX_WINDOW: u64 = 1 << 18;
/// The shortest window, samples.
const SHORTEST: usize = 16;
/// The range of the spectrogram's colours, dB.
pub const DEPTH: f64 = 90.0;

/// A spectrum: levels in dB relative to its strongest bin.
pub struct Spectrum {
    /// Frequencies, Hz.
    pub frequency: Vec<f64>,
    /// Levels, dB ≤ 0.
    pub level: Vec<f64>,
}

/// The spectrum of a sound or its beginning, or `None` where it is silent or too short.
pub fn spectrum(sound: &[f64], rate: f64) -> Option<Spectrum> {
    let n = sound.len();
    let power = |part: &[f64]| part.iter().map(|x| x * x).sum::<f64>();
    let decays = power(&sound[..n / 2]) > 4.0 * power(&sound[n / 2..]);
    let window =
        |i: usize| if decays { hann(0.5 + 0.5 * i as f64 / n as f64) } else { hann(i as f64 / n as f64) };
    let mut transform = Magnitudes::new(n).filter(|_| n >= SHORTEST)?;
    let magnitude = windowed(&mut transform, sound, window);
    let largest = magnitude.iter().copied().fold(0.0, f64::max);
    (largest > 0.0 && largest.is_finite()).then(|| Spectrum {
        frequency: (0..magnitude.len()).map(|k| k as f64 * rate / transform.length as f64).collect(),
        level: magnitude.iter().map(|m| decibels(m / largest).max(-200.0)).collect(),
    })
}

fn hann(part: f64) -> f64 {
    0.5 - 0.5 * cos(2.0 * PI * part)
}

fn decibels(ratio: f64) -> f64 {
    20.0 * log10(ratio)
}

/// The magnitudes of a sound without its mean.
fn windowed(transform: &mut Magnitudes, sound: &[f64], window: impl Fn(usize) -> f64) -> Vec<f64> {
    let mean = sound.iter().sum::<f64>() / sound.len() as f64;
    transform.of(sound.iter().enumerate().map(|(i, x)| window(i) * (x - mean)))
}

impl Spectrum {
    /// The spectral centroid Σ f A/Σ A of its magnitudes A, Hz.
    pub fn centroid(&self) -> f64 {
        let magnitudes = self.level.iter().map(|level| pow(10.0, level / 20.0));
        centroid::weighted(self.frequency.iter().copied().zip(magnitudes))
    }

    /// Frequency (Hz) and level (dB) of the strongest peaks from `lowest` Hz on, at most `count`; the frequencies by a
    /// parabola through three levels.
    pub fn peaks(&self, count: usize, lowest: f64) -> Vec<(f64, f64)> {
        let l = &self.level;
        let first = self.frequency.partition_point(|f| *f < lowest).max(1);
        let mut peaks: Vec<usize> = (first..l.len().saturating_sub(1)).filter(|k| self.is_peak(*k)).collect();
        peaks.sort_by(|a, b| l[*b].total_cmp(&l[*a]).then(a.cmp(b)));
        peaks.truncate(count);
        let refined = |k: usize| {
            let bend = l[k - 1] - 2.0 * l[k] + l[k + 1];
            let offset = if bend < 0.0 { 0.5 * (l[k - 1] - l[k + 1]) / bend } else { 0.0 };
            ((k as f64 + offset) * (self.frequency[1] - self.frequency[0]), l[k])
        };
        peaks.into_iter().map(refined).collect()
    }

    /// Whether a bin is the highest within 4 % of its frequency, above −80 dB, and 6 dB above the lowest within 20 % on
    /// both sides.
    fn is_peak(&self, k: usize) -> bool {
        let (l, near, aside) = (&self.level, (k / 25).max(3), (k / 5).max(6));
        let around = |reach: usize| (k.saturating_sub(reach), (k + reach + 1).min(l.len()));
        let (from, to) = around(near);
        let (start, end) = around(aside);
        let lowest = |part: &[f64]| part.iter().copied().fold(0.0, f64::min);
        l[k] > -80.0
            && (from..to).all(|i| i == k || l[i] < l[k])
            && l[k] - lowest(&l[start..k]).max(lowest(&l[k + 1..end])) > 6.0
    }
}

/// A spectrogram: its picture and what it spans.
pub struct Spectrogram {
    /// A PNG as a `data:` address; the frequency axis is logarithmic, upwards.
    pub data_uri: String,
    /// Its first and last time, s.
    pub time: (f64, f64),
    /// Its lowest and highest frequency, Hz.
    pub frequency: (f64, f64),
    /// The length of its window, s.
    pub window: f64,
    /// The time from one column to the next, s.
    pub hop: f64,
}

/// The spectrogram of a sound of as many samples, which `read` gives, or `None` where it is silent or too short. The window
/// of a column is centred on it, as far as it fits into the sound.
///
/// # Errors
/// Those of `read`.
pub fn spectrogram<E>(
    samples: u64,
    rate: f64,
    read: impl Fn(Range<u64>) -> Result<Vec<f64>, E>,
) -> Result<Option<Spectrogram>, E> {
    let columns = 900.min(samples);
    let length = (((rate * 0.04) as u64).next_power_of_two()).min((samples / 8).next_power_of_two());
    let transform = Magnitudes::new(length as usize).filter(|_| length as usize >= SHORTEST);
    let Some(mut transform) = transform else { return Ok(None) };
    let mut pictures = Vec::new();
    for column in 0..columns {
        let middle = (u128::from(2 * column + 1) * u128::from(samples) / u128::from(2 * columns)) as u64;
        let first = middle.saturating_sub(length / 2).min(samples - length);
        let part = read(first..first + length)?;
        pictures.push(windowed(&mut transform, &part, |i| hann(i as f64 / length as f64)));
    }
    Ok(picture(samples, rate, length as usize, &pictures))
}

/// The picture of the magnitudes of windows of this length, one column each.
fn picture(samples: u64, rate: f64, length: usize, pictures: &[Vec<f64>]) -> Option<Spectrogram> {
    let (columns, rows) = (pictures.len(), 240);
    let largest = pictures.iter().flatten().copied().fold(0.0, f64::max);
    if !(largest > 0.0 && largest.is_finite()) {
        return None;
    }
    let (low, high) = ((2.0 * rate / length as f64).max(20.0), 0.5 * rate);
    let mut pixels = vec![0_u8; columns * rows];
    for row in 0..rows {
        // The strongest bin within the pixel; where there is none, linear interpolation between its neighbours.
        let edge = |r: usize| low * pow(high / low, (rows - r) as f64 / rows as f64) * length as f64 / rate;
        let (from, to) = (edge(row + 1), edge(row).min((length / 2) as f64));
        let (first, last) = (from.ceil() as usize, to.floor() as usize);
        for (column, picture) in pictures.iter().enumerate() {
            let between = |at: f64| {
                let below = (at as usize).min(length / 2 - 1);
                picture[below] + (at - below as f64) * (picture[below + 1] - picture[below])
            };
            let magnitude = match first <= last {
                true => picture[first..=last].iter().copied().fold(0.0, f64::max),
                false => between(0.5 * (from + to)),
            };
            let part = (1.0 + decibels(magnitude / largest) / DEPTH).clamp(0.0, 1.0);
            pixels[row * columns + column] = (255.0 * part).round() as u8;
        }
    }
    Some(Spectrogram {
        data_uri: picture::data_uri(columns, rows, &pixels, colorous::MAGMA)?,
        time: (0.0, samples as f64 / rate),
        frequency: (low, high),
        window: length as f64 / rate,
        hop: samples as f64 / columns as f64 / rate,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn peaks_are_found_at_their_frequencies() {
        let wave = |f: f64, t: f64| (2.0 * PI * f * t).sin();
        let sound: Vec<f64> = (0..44_100)
            .map(|i| i as f64 / 44_100.0)
            .map(|t| 0.5 + wave(440.3, t) + 0.1 * wave(1234.5, t))
            .collect();
        let peaks = spectrum(&sound, 44_100.0).unwrap().peaks(5, 20.0);
        // Bins are 1 Hz apart; a parabola through a Hann peak in dB is off by at most 0.02 bins.
        assert_eq!(peaks.len(), 2, "{peaks:?}");
        assert!((peaks[0].0 - 440.3).abs() < 0.05 && (peaks[1].0 - 1234.5).abs() < 0.05, "{peaks:?}");
        // The scalloping loss of a Hann window is at most 1.42 dB.
        assert!((peaks[1].1 + 20.0).abs() < 1.5, "{peaks:?}");
    }

    #[test]
    fn silence_has_no_spectrum() {
        assert!(spectrum(&[0.0; 100], 44_100.0).is_none());
        let zeros = |samples: Range<u64>| Ok::<_, ()>(vec![0.0; (samples.end - samples.start) as usize]);
        assert!(
            [10_000, 1, 0].iter().all(|n| spectrogram(*n, 44_100.0, zeros).is_ok_and(|none| none.is_none()))
        );
        assert!(spectrum(&[], 44_100.0).is_none());
    }
}

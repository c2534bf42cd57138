//! Spectra of the sound: levels of its lines, the strongest of them, and the spectrogram.
//!
//!   L(f) = 20 lg |Σ w[n](x[n] − x̄) e^(−2πi f n/f_s)|, relative to its largest value
//!
//! w is Hann's window, or its falling half for a sound that dies away, whose onset the
//! whole window would hide.

use base64::{Engine, prelude::BASE64_STANDARD};
use realfft::RealFftPlanner;
use std::f64::consts::PI;

/// The longest stretch that one spectrum looks at, samples.
const LONGEST: usize = 1 << 18;
/// The range of the spectrogram's colours, dB.
pub(super) const DEPTH: f64 = 90.0;

/// A spectrum: levels in dB relative to its strongest line.
pub(super) struct Spectrum {
    /// Frequencies, Hz.
    pub frequency: Vec<f64>,
    /// Levels, dB ≤ 0.
    pub level: Vec<f64>,
}

/// The spectrum of a sound, or `None` where it is silent or too short.
pub(super) fn spectrum(sound: &[f64], rate: f64) -> Option<Spectrum> {
    let sound = &sound[..sound.len().min(LONGEST)];
    let n = sound.len();
    let power = |part: &[f64]| part.iter().map(|x| x * x).sum::<f64>();
    let dies = power(&sound[..n / 2]) > 4.0 * power(&sound[n / 2..]);
    let window =
        |i: usize| if dies { hann(0.5 + 0.5 * i as f64 / n as f64) } else { hann(i as f64 / n as f64) };
    let magnitude = magnitudes(&mut RealFftPlanner::new(), sound, window)?;
    let largest = magnitude.iter().copied().fold(0.0, f64::max);
    (largest > 0.0 && largest.is_finite()).then(|| Spectrum {
        frequency: (0..magnitude.len()).map(|k| k as f64 * rate / n as f64).collect(),
        level: magnitude.iter().map(|m| decibels(m / largest).max(-200.0)).collect(),
    })
}

fn hann(part: f64) -> f64 {
    0.5 - 0.5 * (2.0 * PI * part).cos()
}

fn decibels(ratio: f64) -> f64 {
    20.0 * ratio.log10()
}

fn magnitudes(
    planner: &mut RealFftPlanner<f64>,
    sound: &[f64],
    window: impl Fn(usize) -> f64,
) -> Option<Vec<f64>> {
    if sound.len() < 16 {
        return None;
    }
    let mean = sound.iter().sum::<f64>() / sound.len() as f64;
    let transform = planner.plan_fft_forward(sound.len());
    let mut input: Vec<f64> = sound.iter().enumerate().map(|(i, x)| window(i) * (x - mean)).collect();
    let mut lines = transform.make_output_vec();
    transform.process(&mut input, &mut lines).ok()?;
    Some(lines.iter().map(|line| line.norm()).collect())
}

impl Spectrum {
    /// The strongest lines, at most `count`, no two closer than an eighth of an octave;
    /// frequencies from a parabola through the three levels at each summit.
    pub fn peaks(&self, count: usize, lowest: f64) -> Vec<(f64, f64)> {
        let l = &self.level;
        let mut summits: Vec<usize> = (2..l.len().saturating_sub(2))
            .filter(|&k| self.frequency[k] >= lowest && l[k] > -80.0)
            .filter(|&k| l[k] >= l[k - 1] && l[k] > l[k + 1] && self.stands_out(k))
            .collect();
        summits.sort_by(|a, b| l[*b].total_cmp(&l[*a]).then(a.cmp(b)));
        let mut peaks: Vec<(f64, f64)> = Vec::new();
        for k in summits {
            let bend = l[k - 1] - 2.0 * l[k] + l[k + 1];
            let offset = if bend < 0.0 { 0.5 * (l[k - 1] - l[k + 1]) / bend } else { 0.0 };
            let f = (k as f64 + offset) * (self.frequency[1] - self.frequency[0]);
            if peaks.iter().all(|(g, _)| (f / g).log2().abs() > 0.125) {
                peaks.push((f, l[k]));
            }
            if peaks.len() == count {
                break;
            }
        }
        peaks
    }

    /// Whether a line is 10 dB above what lies a few per cent beside it, on both sides.
    fn stands_out(&self, k: usize) -> bool {
        let aside = (k / 20).max(6);
        let low = self.level[k.saturating_sub(aside)..k].iter().copied().fold(0.0, f64::min);
        let high = self.level[k..(k + aside).min(self.level.len())].iter().copied().fold(0.0, f64::min);
        self.level[k] - low.max(high) > 10.0
    }
}

/// A spectrogram: its picture and what it spans.
pub(super) struct Spectrogram {
    /// A PNG as a `data:` address; frequency grows logarithmically upwards.
    pub data_uri: String,
    /// Its first and last time, s.
    pub time: (f64, f64),
    /// Its lowest and highest frequency, Hz.
    pub frequency: (f64, f64),
    /// The length of its window, s.
    pub window: f64,
}

/// The spectrogram of a sound, or `None` where it is silent or too short.
pub(super) fn spectrogram(sound: &[f64], rate: f64) -> Option<Spectrogram> {
    let (columns, rows) = (900, 240);
    let length = ((rate * 0.04) as usize).next_power_of_two().min((sound.len() / 8).next_power_of_two());
    let last = sound.len().checked_sub(length)?;
    let columns = columns.min(last + 1);
    let mut planner = RealFftPlanner::new();
    let pictures: Vec<Vec<f64>> = (0..columns)
        .map(|c| c * last / (columns - 1).max(1))
        .map(|at| magnitudes(&mut planner, &sound[at..at + length], |i| hann(i as f64 / length as f64)))
        .collect::<Option<_>>()?;
    let largest = pictures.iter().flatten().copied().fold(0.0, f64::max);
    if !(largest > 0.0 && largest.is_finite()) {
        return None;
    }
    let (low, high) = ((2.0 * rate / length as f64).max(20.0), 0.5 * rate);
    let mut pixels = vec![0_u8; columns * rows];
    for row in 0..rows {
        // The lines between this pixel's lower and upper edge; between two lines, their nearer.
        let edge = |r: usize| low * (high / low).powf((rows - r) as f64 / rows as f64) * length as f64 / rate;
        let (from, to) = (edge(row + 1), edge(row));
        let first = ((from.ceil() as usize).min(to.round() as usize)).min(length / 2);
        let past = ((to.floor() as usize).max(first) + 1).min(length / 2 + 1);
        for (column, picture) in pictures.iter().enumerate() {
            let magnitude = picture[first..past].iter().copied().fold(0.0, f64::max);
            let part = (1.0 + decibels(magnitude / largest) / DEPTH).clamp(0.0, 1.0);
            pixels[row * columns + column] = (255.0 * part).round() as u8;
        }
    }
    let middle = 0.5 * length as f64 / rate;
    Some(Spectrogram {
        data_uri: format!("data:image/png;base64,{}", BASE64_STANDARD.encode(png(columns, rows, &pixels)?)),
        time: (middle, middle + last as f64 / rate),
        frequency: (low, high),
        window: length as f64 / rate,
    })
}

fn png(width: usize, height: usize, pixels: &[u8]) -> Option<Vec<u8>> {
    let palette: Vec<u8> =
        (0..256).flat_map(|i| colorous::MAGMA.eval_rational(i, 256).into_array()).collect();
    let mut bytes = Vec::new();
    let mut encoder = png::Encoder::new(&mut bytes, width as u32, height as u32);
    encoder.set_color(png::ColorType::Indexed);
    encoder.set_palette(palette);
    encoder.write_header().ok()?.write_image_data(pixels).ok()?;
    Some(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_found_where_they_are() {
        let wave = |f: f64, t: f64| (2.0 * PI * f * t).sin();
        let sound: Vec<f64> = (0..44_100)
            .map(|i| i as f64 / 44_100.0)
            .map(|t| 0.5 + wave(440.3, t) + 0.1 * wave(1234.5, t))
            .collect();
        let peaks = spectrum(&sound, 44_100.0).unwrap().peaks(5, 20.0);
        // Lines are 1 Hz apart; a parabola on a Hann summit in dB errs by at most 0.02 lines.
        assert_eq!(peaks.len(), 2, "{peaks:?}");
        assert!((peaks[0].0 - 440.3).abs() < 0.05 && (peaks[1].0 - 1234.5).abs() < 0.05, "{peaks:?}");
        // A Hann window loses at most 1.42 dB between two lines.
        assert!((peaks[1].1 + 20.0).abs() < 1.5, "{peaks:?}");
    }

    #[test]
    fn silence_has_no_spectrum() {
        assert!(spectrum(&[0.0; 100], 44_100.0).is_none());
        assert!(spectrogram(&[0.0; 10_000], 44_100.0).is_none());
        assert!(spectrum(&[], 44_100.0).is_none() && spectrogram(&[1.0], 44_100.0).is_none());
    }
}

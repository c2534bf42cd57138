//! The frequency of a peak in the spectrum of a sound.
//!
//! With a Gaussian window w the magnitude of a (decaying) partial at f is Gaussian in frequency, so that its logarithm is
//! a parabola through three bins,
//!
//! ```text
//! L(k) = ln |Σ w[n](x[n] − x̄) e^(−2πi kn/N)|,   f = (k + ½(L₋ − L₊)/(L₋ − 2L + L₊)) f_s/N.
//! ```
//!
//! Noise of the magnitude r e^L moves a peak by r bins or so: ln |1 + r| ≈ r at three bins, whose noise is correlated by the window.

use crate::magnitudes::Magnitudes;
use hamiltone_numerics::math::{exp, log};
use std::f64::consts::LN_10;

/// The half-width of the interval in which a partial is searched, relative to its frequency.
const SEARCH: f64 = 0.01;

/// The smallest magnitude of a partial, relative to the strongest bin.
const FLOOR: f64 = 1e-5;

/// The smallest ratio of a partial to the median of its surroundings.
const PROMINENCE: f64 = 10.0;

/// The spectrum of the beginning of a sound.
pub struct Window {
    /// Magnitudes of the bins.
    bins: Vec<f64>,
    /// The distance of the bins, Hz.
    pub resolution: f64,
    /// The largest magnitude.
    strongest: f64,
}

impl Window {
    /// The spectrum of `samples` at `rate` (Hz), where there are enough of them.
    pub fn new(samples: &[f64], rate: f64) -> Option<Self> {
        let (bins, length) = gaussian(samples)?;
        let strongest = bins.iter().copied().fold(0.0, f64::max);
        Some(Self { bins, resolution: rate / length as f64, strongest })
    }

    /// 20 lg of the highest bin, dB, as [`Peak::level`] is.
    pub fn strongest(&self) -> f64 {
        20.0 * log(self.strongest) / LN_10
    }

    /// The peak near `expected`, Hz, where there is one: within 1 % and three bins.
    pub fn peak_near(&self, expected: f64) -> Option<Peak> {
        self.peak_within(expected, SEARCH)
    }

    /// The peak within a part of `expected`, Hz, to either side, and three bins, where there is one.
    pub fn peak_within(&self, expected: f64, part: f64) -> Option<Peak> {
        let floor = FLOOR * self.strongest;
        let found = peak(&self.bins, expected / self.resolution, part, floor);
        found.map(|Found { bin, height, beside }| Peak {
            frequency: bin * self.resolution,
            level: 20.0 * height / LN_10,
            uncertainty: beside * self.resolution,
        })
    }
}

/// A peak in a spectrum.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Peak {
    /// Its frequency, Hz.
    pub frequency: f64,
    /// 20 lg of its height, dB; of a sound of other units or another length it is another number.
    pub level: f64,
    /// How far it may lie beside the frequency for what sounds beside it, Hz.
    pub uncertainty: f64,
}

/// A peak: where it is, in bins, the logarithm of its height, and the median of its surroundings relative to it.
struct Found {
    bin: f64,
    height: f64,
    beside: f64,
}

/// Magnitudes of the bins with a Gaussian window, cut at ±5 standard deviations, and N.
fn gaussian(sound: &[f64]) -> Option<(Vec<f64>, usize)> {
    let n = sound.len();
    if n < 256 {
        return None;
    }
    let mean = sound.iter().sum::<f64>() / n as f64;
    let window = |i: usize| {
        let z = 10.0 * (i as f64 / n as f64 - 0.5);
        exp(-0.5 * z * z)
    };
    let mut transform = Magnitudes::new(n)?;
    let bins = transform.of(sound.iter().enumerate().map(|(i, x)| window(i) * (x - mean)));
    Some((bins, transform.length))
}

/// The peak within the part `search` of the bin `at`, where there is one above `floor` that is clear of its surroundings: it is the
/// strongest of them, and their median is 20 dB below.
fn peak(bins: &[f64], at: f64, search: f64, floor: f64) -> Option<Found> {
    let around = |reach: f64| {
        let to = ((at + reach) as usize).min(bins.len().checked_sub(2)?);
        Some((at - reach).max(1.0) as usize..=to)
    };
    let near = (search * at).max(3.0);
    let k = around(near)?.max_by(|a, b| bins[*a].total_cmp(&bins[*b]))?;
    let mut surroundings = bins[around((3.0 * near).max(16.0))?].to_vec();
    surroundings.sort_by(f64::total_cmp);
    let strongest = surroundings.last().is_some_and(|strongest| *strongest == bins[k]);
    let median = surroundings[surroundings.len() / 2];
    let clear = bins[k] > PROMINENCE * median;
    let [left, middle, right] = [k - 1, k, k + 1].map(|k| log(bins[k]));
    let bend = left - 2.0 * middle + right;
    let is_peak = middle >= left && middle >= right && bend < 0.0 && strongest && clear && bins[k] > floor;
    let off = 0.5 * (left - right) / bend;
    let height = middle - 0.25 * (left - right) * off;
    is_peak.then(|| Found { bin: k as f64 + off, height, beside: median / bins[k] })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::f64::consts::TAU;

    /// A decaying partial beside a stronger one, 300 bins away.
    #[test]
    fn the_frequency_of_a_decaying_partial_is_not_biased() {
        let n = 44_100;
        let wave = |f: f64, decay: f64, t: f64| (-decay * t).exp() * (TAU * f * t).sin();
        let sound: Vec<f64> = (0..n)
            .map(|i| f64::from(i) / f64::from(n))
            .map(|t| wave(523.17, 6.0, t) + 0.1 * wave(261.633, 3.0, t))
            .collect();
        let whole = Window::new(&sound, f64::from(n)).unwrap();
        for f in [261.633, 523.17] {
            let measured = whole.peak_near(f * 1.002).unwrap().frequency;
            // The window is cut at 5 standard deviations, where it is e^(−12.5) = 4e-6: the logarithm of the peak
            // deviates from a parabola by as little, and the other partial contributes less. A bin is 1 Hz.
            assert!((measured - f).abs() < 1e-4, "{measured}");
        }
        assert_eq!(whole.peak_near(1000.0), None);
    }

    /// A partial that has decayed by e^(−60) in the middle of the long window, where its weight is.
    #[test]
    fn a_short_lived_partial_is_found_in_a_shorter_window() {
        let sound: Vec<f64> = (0..44_100)
            .map(|i| f64::from(i) / 44_100.0)
            .map(|t| (TAU * 262.0 * t).sin() + (-120.0 * t).exp() * (TAU * 4600.0 * t).sin())
            .collect();
        let measured = |divisor| {
            let window = Window::new(&sound[..sound.len() / divisor], 44_100.0).unwrap();
            window.peak_near(4601.0).map(|peak| peak.frequency)
        };
        assert_eq!(measured(1), None);
        // A bin of the shortest window is 16 Hz; with a Gaussian window the decay shifts no peak.
        assert!((measured(16).unwrap() - 4600.0).abs() < 0.1, "{:?}", measured(16));
    }
}

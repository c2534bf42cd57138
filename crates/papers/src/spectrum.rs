//! Spectra and frequencies of recorded oscillations.

use hamiltone_numerics::{
    fourier::Fourier,
    math::{cos, hypot, log10, sincos},
};

/// The level of each frequency in dB below the strongest, down to −160: (Hz, dB), with a Blackman window.
///
/// Its side lobes lie 58 dB down and fall by 18 dB an octave, so that a line far
/// from a peak is a harmonic and not the window.
pub fn decibels(signal: &[f64], rate: f64) -> Vec<(f64, f64)> {
    padded(signal, rate, 1)
}

/// The same at `factor` times as many frequencies or more, the signal followed by zeros up to a power of 2: peaks are found more
/// exactly.
pub fn padded(signal: &[f64], rate: f64, factor: usize) -> Vec<(f64, f64)> {
    let mean = signal.iter().sum::<f64>() / signal.len() as f64;
    let n = (factor * signal.len()).next_power_of_two();
    let mut fourier = Fourier::new(n).expect("a power of 2");
    let samples = signal.iter().enumerate().map(|(i, x)| (x - mean) * blackman(i, signal.len()));
    fourier.data().re.iter_mut().zip(samples).for_each(|(re, x)| *re = x);
    fourier.transform();
    let bins = fourier.result();
    let size: Vec<f64> =
        bins.re.iter().zip(&bins.im).take(n / 2 + 1).map(|(re, im)| hypot(*re, *im)).collect();
    let top = size.iter().fold(f64::MIN_POSITIVE, |a, &b| a.max(b));
    let level = |x: f64| 20.0 * log10((x / top).max(1e-8));
    size.iter().enumerate().map(|(i, &x)| (i as f64 * rate / n as f64, level(x))).collect()
}

/// The level of one frequency against another, dB: |X(f)|/|X(reference)| of the Blackman-windowed signal.
pub fn level(signal: &[f64], rate: f64, frequency: f64, reference: f64) -> f64 {
    let n = signal.len();
    let size = |f: f64| {
        let (mut re, mut im) = (0.0, 0.0);
        for (i, x) in signal.iter().enumerate() {
            let (sin, cos) = sincos(std::f64::consts::TAU * f * i as f64 / rate);
            re += x * blackman(i, n) * cos;
            im -= x * blackman(i, n) * sin;
        }
        hypot(re, im)
    };
    20.0 * log10(size(frequency) / size(reference))
}

fn blackman(i: usize, n: usize) -> f64 {
    let x = std::f64::consts::TAU * (i as f64 + 0.5) / n as f64;
    0.42 - 0.5 * cos(x) + 0.08 * cos(2.0 * x)
}

/// The frequency of an oscillation about 0, Hz: whole periods between its first and last rise through 0.
///
/// A crossing is placed by the cubic through the four samples around it, whose error
/// is of order (ωΔt)⁴ of a sample; over some hundred periods that is far below 1e-6.
/// `None` with fewer than two rises.
pub fn frequency(signal: &[f64], rate: f64) -> Option<f64> {
    let rises: Vec<f64> = (1..signal.len().saturating_sub(2))
        .filter(|&i| signal[i] < 0.0 && signal[i + 1] >= 0.0)
        .map(|i| i as f64 + crossing(&signal[i - 1..i + 3]))
        .collect();
    let (first, last) = (rises.first()?, rises.last()?);
    (rises.len() > 1).then(|| (rises.len() - 1) as f64 * rate / (last - first))
}

/// Where in 0..1 the cubic through (−1, a), (0, b), (1, c), (2, d) crosses 0, b < 0 ≤ c.
fn crossing(y: &[f64]) -> f64 {
    let cubic = |x: f64| {
        y[0] * -x * (x - 1.0) * (x - 2.0) / 6.0 + y[1] * (x + 1.0) * (x - 1.0) * (x - 2.0) / 2.0
            - y[2] * (x + 1.0) * x * (x - 2.0) / 2.0
            + y[3] * (x + 1.0) * x * (x - 1.0) / 6.0
    };
    let (mut low, mut high) = (0.0, 1.0);
    // 53 halvings of an interval of length 1 reach the last bit.
    for _ in 0..53 {
        let middle = 0.5 * (low + high);
        if cubic(middle) < 0.0 { low = middle } else { high = middle }
    }
    0.5 * (low + high)
}

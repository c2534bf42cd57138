//! AC coupling: a first-order high-pass without a step at its start.
//!
//!   yₙ = a yₙ₋₁ + b (xₙ − xₙ₋₁),   x₋₁ = x₀,  y₋₁ = 0,   k = tan(π f_c/f_s),  a = (1 − k)/(1 + k),  b = 1/(1 + k)
//!
//! The bilinear transform of s/(s + 2πf_c) with its cut-off (−3 dB) at f_c. It begins in the steady state of the first
//! sample: a static force before the start of a note is taken out, and y₀ = 0. At f its gain is
//! |H| = t/√(t² + k²) with t = tan(π f/f_s): at four times the cut-off −0.26 dB, at f_s/2 1.

use hamiltone_core::state::Archive;
use hamiltone_numerics::math;
use std::f64::consts::PI;

/// The high-pass of one pickup.
#[derive(Clone, Copy, Debug)]
pub struct HighPass {
    /// a, the pole.
    pole: f64,
    /// b.
    gain: f64,
    /// The input and the output before; `None` at the start.
    before: Option<(f64, f64)>,
}

impl HighPass {
    /// One at a cut-off (Hz) for samples at `rate` (Hz), at most a quarter of it; `None` for a cut-off of 0.
    pub fn new(cutoff: f64, rate: f64) -> Option<Self> {
        let k = math::tan(PI * cutoff.min(rate / 4.0) / rate);
        (k > 0.0).then_some(Self { pole: (1.0 - k) / (1.0 + k), gain: 1.0 / (1.0 + k), before: None })
    }

    /// The same before its first sample.
    #[must_use]
    pub fn at_rest(self) -> Self {
        Self { before: None, ..self }
    }

    /// Goes through every number that its next sample depends on.
    pub fn archive(&mut self, archive: &mut Archive) {
        let mut begun = self.before.is_some();
        archive.flag(&mut begun);
        self.before = begun.then(|| self.before.unwrap_or_default());
        if let Some((x, y)) = &mut self.before {
            archive.number(x);
            archive.number(y);
        }
    }

    /// The next sample.
    pub fn next(&mut self, x: f64) -> f64 {
        let (x_before, y_before) = self.before.unwrap_or((x, 0.0));
        let y = self.pole * y_before + self.gain * (x - x_before);
        self.before = Some((x, y));
        y
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The gain of a tone, measured over its last second, beside |H| of the top of this file.
    #[test]
    fn tones_above_the_cutoff_pass() {
        let (rate, cutoff) = (8000.0, 5.0);
        for frequency in [5.0, 20.0, 100.0, 2000.0] {
            let mut filter = HighPass::new(cutoff, rate).unwrap();
            let tone = |n: u32| math::sin(2.0 * PI * frequency / rate * f64::from(n));
            let last: Vec<f64> = (0..24_000).map(|n| filter.next(tone(n))).skip(16_000).collect();
            // Whole periods in 8000 samples: the mean square is half of the amplitude's square.
            let gain = (last.iter().map(|y| y * y).sum::<f64>() / 4000.0).sqrt();
            let [t, k] = [frequency, cutoff].map(|f| math::tan(PI * f / rate));
            let expected = t / (t * t + k * k).sqrt();
            // What the start leaves decays as e^(−2π·5·2) < 10⁻²⁷.
            assert!((gain / expected - 1.0).abs() < 1e-9, "{frequency} Hz: {gain} {expected}");
            assert!(frequency < 20.0 || 20.0 * gain.log10() > -0.3, "{frequency} Hz: {gain}");
        }
    }

    #[test]
    fn a_constant_is_taken_out_from_the_first_sample_on() {
        let mut filter = HighPass::new(5.0, 44_100.0).unwrap();
        assert!((0..1000).all(|_| filter.next(7.5) == 0.0));
        // A step that follows passes: b is within 2π·5/44100 of 1.
        assert!((filter.next(8.5) - 1.0).abs() < 1e-3);
        assert!(HighPass::new(0.0, 44_100.0).is_none());
        assert!((HighPass::new(1000.0, 10.0).unwrap().pole).abs() < 1e-15);
    }
}

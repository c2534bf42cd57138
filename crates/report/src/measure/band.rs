//! The magnitude of a sound in a narrow band at an instant t.
//!
//! ```text
//! M(f, t) = |Σ w[n − t] (x[n] − x̄) e^(−2πi f n/f_s)|,   w[n] = e^(−n²/2s²),   s = 1.4 f_s/Δf
//! ```
//!
//! Δf is the distance to the nearest other partial. The window is as long as that requires: half-way to the neighbour, at Δf/2, its
//! spectrum has fallen by 84 dB. What sounds there – a neighbour that is much stronger, noise, the remains of an impact – is the floor.

use hamiltone_numerics::{
    complex::Complex,
    math::{cos, exp, sin},
};
use std::f64::consts::TAU;

/// s·Δf/f_s.
const WIDTH: f64 = 1.4;
/// The window ends at so many s, where it has fallen by 108 dB.
const CUT: f64 = 5.0;

/// A narrow band around a partial.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Band {
    /// The sample rate f_s, Hz.
    pub rate: f64,
    /// f, Hz.
    pub frequency: f64,
    /// Δf, the distance to the nearest other partial, to 0 or to Nyquist, Hz.
    pub distance: f64,
}

/// What a band has at an instant.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Magnitude {
    /// M(f).
    pub partial: f64,
    /// The larger of M(f ± Δf/2).
    pub floor: f64,
}

impl Band {
    /// s, samples.
    pub fn spread(&self) -> f64 {
        WIDTH / self.distance * self.rate
    }

    /// How many samples the window reaches to either side.
    pub fn half(&self) -> f64 {
        (CUT * self.spread()).ceil().max(8.0)
    }

    /// w, as long as twice [`Band::half`] and one.
    pub fn window(&self) -> Vec<f64> {
        let (half, spread) = (self.half() as u64, self.spread());
        (0..=2 * half).map(|n| (n as f64 - half as f64) / spread).map(|z| exp(-0.5 * z * z)).collect()
    }

    /// M in the middle of a part of the sound that is as long as the window.
    pub fn magnitude(&self, part: &[f64], window: &[f64]) -> Magnitude {
        let (sum, weight) = part.iter().zip(window).fold((0.0, 0.0), |(s, w), (x, y)| (s + x * y, w + y));
        let mean = sum / weight;
        let magnitude = |f: f64| {
            let step = TAU * f / self.rate;
            let one_step = Complex::new(cos(step), sin(step));
            let (mut turn, mut sum) = (Complex::from(1.0), Complex::default());
            for (x, w) in part.iter().zip(window) {
                sum = sum + turn * (w * (x - mean));
                turn = turn * one_step;
            }
            sum.square().sqrt()
        };
        let beside = 0.5 * self.distance;
        let [below, above] = [self.frequency - beside, self.frequency + beside].map(magnitude);
        Magnitude { partial: magnitude(self.frequency), floor: below.max(above) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A sine of amplitude 1 has Σw/2; its neighbour at Δf is let through by less than the floor says.
    #[test]
    fn a_band_has_its_partial_and_not_the_next() {
        let (rate, f, distance) = (48_000.0, 440.0, 220.0);
        let band = Band { rate, frequency: f, distance };
        let window = band.window();
        let of =
            |f: f64| -> Vec<f64> { (0..window.len()).map(|n| (TAU * f * n as f64 / rate).cos()).collect() };
        let half: f64 = 0.5 * window.iter().sum::<f64>();
        let own = band.magnitude(&of(f), &window);
        // The sine's mirror image at −f, and 84 dB half-way.
        assert!((own.partial / half - 1.0).abs() < 1e-4 && own.floor < 1e-4 * half, "{own:?}, {half}");
        let other = band.magnitude(&of(f + distance), &window);
        assert!(other.partial < 1e-5 * half && other.floor < 1e-3 * half, "{other:?}");
    }
}

//! The magnitudes of the spectrum of a real signal,
//!
//! ```text
//! A[k] = |Σ x[n] e^(2πi kn/N)|,   k = 0 … N/2
//! ```
//!
//! N is the number of samples or, where that has other factors than 2, 3 and 5, the next that has none: the signal is followed by
//! zeros.

use hamiltone_numerics::{fourier::Fourier, math::hypot};

/// The transform of signals of one length.
pub struct Magnitudes {
    fourier: Fourier,
    /// N.
    pub length: usize,
}

impl Magnitudes {
    /// Of so many samples, at least one.
    pub fn new(samples: usize) -> Option<Self> {
        let others = |n: usize| [2, 3, 5].into_iter().fold(n, without);
        let length = (samples.max(1)..).find(|n| others(*n) == 1)?;
        Some(Self { fourier: Fourier::new(length)?, length })
    }

    /// A of a signal.
    pub fn of(&mut self, signal: impl Iterator<Item = f64>) -> Vec<f64> {
        let data = self.fourier.data();
        data.im.fill(0.0);
        data.re.iter_mut().zip(signal.chain(std::iter::repeat(0.0))).for_each(|(re, x)| *re = x);
        self.fourier.transform();
        let result = self.fourier.result();
        result.re.iter().zip(&result.im).take(self.length / 2 + 1).map(|(re, im)| hypot(*re, *im)).collect()
    }
}

/// A number without a factor.
fn without(mut n: usize, factor: usize) -> usize {
    while n.is_multiple_of(factor) {
        n /= factor;
    }
    n
}

#[cfg(test)]
mod tests {
    use super::*;
    use hamiltone_numerics::math::{cos, sincos};
    use std::f64::consts::TAU;

    /// Against the sum itself, for a length that is followed by zeros; the buffers dirty from before.
    #[test]
    fn magnitudes_are_those_of_the_sum() {
        let mut magnitudes = Magnitudes::new(49).unwrap();
        assert_eq!(magnitudes.length, 50);
        let x: Vec<f64> = (0..49).map(|n| cos(0.3 * f64::from(n)) + f64::from(n % 5)).collect();
        magnitudes.of(x.iter().map(|x| 7.0 * x));
        let found = magnitudes.of(x.iter().copied());
        assert_eq!(found.len(), 26);
        for (k, found) in found.into_iter().enumerate() {
            let term = |(n, x): (usize, &f64)| {
                let (sin, cos) = sincos(TAU * (k * n) as f64 / 50.0);
                (x * cos, x * sin)
            };
            let (re, im) = x.iter().enumerate().map(term).fold((0.0, 0.0), |a, b| (a.0 + b.0, a.1 + b.1));
            // 49 terms below 6, each rounded to 2⁻⁵³.
            assert!((found - hypot(re, im)).abs() < 49.0 * 6.0 * 49.0 * f64::EPSILON, "{k}: {found}");
        }
        assert_eq!(
            [1, 2048, 44_100, 48_000].map(|n| Magnitudes::new(n).unwrap().length),
            [1, 2048, 45_000, 48_000]
        );
    }
}

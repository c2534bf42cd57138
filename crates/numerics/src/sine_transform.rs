//! All points of a body of sine modes at once: the discrete sine transform.
//!
//!   y_i = Σ_k z_k sin(πki/N),   i, k = 1 … N − 1
//!
//! With f_j = s_j(z_j + z_{N−j}) + (z_j − z_{N−j})/2 and s_j = sin(πj/N), the real Fourier transform of f,
//! R_k + jI_k = Σ f_j e^(2πijk/N), holds y_{2k} = I_k and y_{2k+1} = y_{2k−1} + R_k with y₁ = R₀/2 (Cooley, Lewis &
//! Welch 1970). It is taken as a complex one of N/2 ([`crate::fourier`]). Sums and constants have one fixed order and
//! nothing is fused: the same bits on every processor.
//! Cost N log N, where the rows one by one take N².

use crate::{
    fourier::{Fourier, Planes, root},
    math::sin,
};
use std::f64::consts::PI;

/// Sums that follow on each other are added up in so many parts side by side.
const PARTS: usize = 8;

/// The transform of N intervals, with its tables and scratch.
#[derive(Clone, Debug)]
pub struct SineTransform {
    intervals: usize,
    /// s_j, j = 0 … N/2.
    sines: Vec<f64>,
    /// e^(2πik/N), k = 0 … N/2.
    turns: Vec<(f64, f64)>,
    /// z, with zeros to N, then f.
    folded: Vec<f64>,
    /// R_k, k = 1 … N/2 − 1, and zeros to a multiple of eight.
    odd: Vec<f64>,
    fourier: Fourier,
}

impl SineTransform {
    /// For N intervals, N even and N/2 a product of 2, 3 and 5; `None` for any other.
    ///
    /// ```
    /// use hamiltone_numerics::sine_transform::SineTransform;
    ///
    /// assert!(SineTransform::new(864).is_some() && SineTransform::new(863).is_none());
    /// let mut transform = SineTransform::new(4).unwrap();
    /// let mut y = [0.0; 3];
    /// transform.of(&[1.0, 0.0, 0.0], &mut y);
    /// assert!((y[1] - 1.0).abs() < 1e-15 && (y[0] - 0.5_f64.sqrt()).abs() < 1e-15);
    /// ```
    pub fn new(intervals: usize) -> Option<Self> {
        let half = intervals / 2;
        if !intervals.is_multiple_of(2) || half == 0 {
            return None;
        }
        Some(Self {
            intervals,
            sines: (0..=half).map(|j| sin(PI * j as f64 / intervals as f64)).collect(),
            turns: (0..=half).map(|k| root(k, intervals)).collect(),
            folded: vec![0.0; intervals + 1],
            odd: vec![0.0; half.saturating_sub(1).next_multiple_of(PARTS)],
            fourier: Fourier::new(half)?,
        })
    }

    /// N.
    pub fn intervals(&self) -> usize {
        self.intervals
    }

    /// y of z, which may be shorter: what is beyond it is 0. `y` holds N − 1 values.
    ///
    /// # Panics
    /// Where z is longer than N − 1, or y is not that long.
    #[inline(always)]
    pub fn of(&mut self, z: &[f64], y: &mut [f64]) {
        let n = self.intervals;
        assert!(z.len() < n && y.len() == n - 1, "{} of {n} intervals into {}", z.len(), y.len());
        self.fold(z);
        self.fourier.transform();
        self.part(y);
    }

    /// R and I from the transform of half the length, and y from them.
    #[inline(always)]
    fn part(&mut self, y: &mut [f64]) {
        let half = self.intervals / 2;
        let Planes { re, im } = self.fourier.result();
        let (first, rest) = y.split_at_mut(1);
        // y₁ = R₀/2, where R₀ is the sum of the even and of the odd entries of f.
        first[0] = 0.5 * (re[0] + im[0]);
        let ends = re[1..].iter().zip(&im[1..]).zip(re[1..half].iter().rev().zip(im[1..half].iter().rev()));
        let found = rest.as_chunks_mut::<2>().0.iter_mut().zip(&mut self.odd);
        for (((y, odd), (a, b)), (c, s)) in found.zip(ends).zip(&self.turns[1..]) {
            // Z_k and the conjugate of Z_{N/2−k} are the even f's transform plus and minus i times the odd ones'.
            let (even, other) = ((a.0 + b.0, a.1 - b.1), (a.1 + b.1, b.0 - a.0));
            y[0] = 0.5 * (even.1 + (c * other.1 + s * other.0));
            *odd = 0.5 * (even.0 + (c * other.0 - s * other.1));
        }
        self.odd[half - 1..].fill(0.0);
        // The odd points are running sums of R. Each part is summed from 0, and then raised by the parts before it.
        let mut sums = [0.0; PARTS];
        let part = self.odd.len() / PARTS;
        for i in 0..part {
            for (k, sum) in sums.iter_mut().enumerate() {
                *sum += self.odd[k * part + i];
                self.odd[k * part + i] = *sum;
            }
        }
        let mut before = first[0];
        let y = rest.as_chunks_mut::<2>().0;
        for (k, sum) in sums.iter().enumerate() {
            let odd = self.odd.iter().skip(k * part).take(part);
            for (y, odd) in y.iter_mut().skip(k * part).zip(odd) {
                y[1] = before + odd;
            }
            before += sum;
        }
    }

    /// f, its even entries as real and its odd ones as imaginary parts.
    #[inline(always)]
    fn fold(&mut self, z: &[f64]) {
        let half = self.intervals / 2;
        let f = &mut self.folded[..self.intervals];
        f[0] = 0.0;
        f[1..=z.len()].copy_from_slice(z);
        f[z.len() + 1..].fill(0.0);
        let (low, high) = f.split_at_mut(half);
        // j = N/2 is its own partner: f = 1·(z + z) + 0.
        high[0] *= 2.0;
        let pairs = low[1..].iter_mut().zip(high[1..].iter_mut().rev());
        for ((a, b), s) in pairs.zip(&self.sines[1..]) {
            let (even, odd) = (s * (*a + *b), 0.5 * (*a - *b));
            (*a, *b) = (even + odd, even - odd);
        }
        let Planes { re, im } = self.fourier.data();
        for ((re, im), f) in re.iter_mut().zip(im).zip(f.as_chunks::<2>().0) {
            (*re, *im) = (f[0], f[1]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Each sine by itself, exact in its integer angle, for every radix and mixture; the scratch dirty from before.
    #[test]
    fn is_the_sum_of_sines() {
        for intervals in [2, 4, 6, 8, 10, 12, 18, 20, 30, 60, 90, 96, 250, 864, 1000] {
            let mut transform = SineTransform::new(intervals).unwrap();
            let table = crate::row::Sine::table(intervals);
            let z: Vec<f64> = (1..intervals).map(|k| ((k * k) as f64 * 0.37).sin() + 0.2).collect();
            for modes in [intervals - 1, intervals / 2] {
                let mut y = vec![0.0; intervals - 1];
                transform.of(&z[..modes], &mut y);
                let size: f64 = z.iter().map(|z| z.abs()).sum();
                for (i, y) in (1..).zip(&y) {
                    let of = |k: usize| z[k - 1] * table[k * i % (2 * intervals)];
                    let sum: f64 = (1..=modes).map(of).sum();
                    // Some roundings of each term; odd points add up those before.
                    assert!((y - sum).abs() < 4.0 * f64::EPSILON * size, "{intervals} {i}: {y} {sum}");
                }
            }
        }
        assert!([1, 3, 14, 22, 863].iter().all(|&n| SineTransform::new(n).is_none()));
    }
}

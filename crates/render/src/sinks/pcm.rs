//! Samples as integers of 16 or 24 bits, as WAV and FLAC files store them.
//!
//! ±1 becomes ±(2^(b−1) − 1) with triangular dither of ±1 step from a fixed seed, and saturates; a silent sound has no
//! dither.

use crate::mix::Bus;
use hamiltone_plan::SampleFormat;

/// The seed of the dither: fixed, so that equal sounds give equal files.
const SEED: u64 = 0x4861_6d69_6c74_6f6e;

/// Turns samples into integers, in their order in the file.
pub struct Quantiser {
    /// Full scale, 2^(b−1) − 1.
    full: f64,
    dither: Option<Dither>,
}

impl Quantiser {
    /// For the samples of a bus. Of a format of floats it is never asked.
    pub fn new(format: SampleFormat, bus: &Bus) -> Self {
        let full = f64::from((1_i32 << (8 * format.bytes().min(3) - 1)) - 1);
        Self { full, dither: (bus.peak > 0.0).then_some(Dither(SEED)) }
    }

    /// The next sample.
    pub fn next(&mut self, x: f64) -> i32 {
        let noise = self.dither.as_mut().map_or(0.0, Dither::next);
        rounded((x * self.full + noise).clamp(-self.full - 1.0, self.full))
    }
}

/// The nearest whole number to |x| < 2³¹, a half away from 0: what `f64::round` gives, without a call where the processor has no instruction
/// for it. What is no number is 0.
fn rounded(x: f64) -> i32 {
    let whole = x as i32;
    let rest = x - f64::from(whole);
    whole + i32::from(rest >= 0.5) - i32::from(rest <= -0.5)
}

/// Triangular noise between −1 and 1: the difference of two uniform numbers from
/// SplitMix64 (Steele, Lea, Flood 2014).
struct Dither(u64);

impl Dither {
    fn next(&mut self) -> f64 {
        self.uniform() - self.uniform()
    }

    fn uniform(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) >> 11) as f64 * (1.0 / (1_u64 << 53) as f64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_half_is_rounded_away_from_0() {
        let edges = [0.0, 0.49999999999999994, 0.5, 1.5, 2.5, 32766.5, 8388606.5, 8388607.0, f64::NAN];
        let near = edges.iter().flat_map(|x| [x.next_down(), *x, x.next_up()]);
        let all = near.flat_map(|x| [x, -x]).chain((0..1000).map(|i| f64::from(i) * 0.37 - 185.0));
        all.for_each(|x| assert_eq!(rounded(x), x.round() as i32, "{x}"));
    }

    #[test]
    fn the_dither_is_triangular_white_and_without_bias() {
        let mut dither = Dither(SEED);
        let n = 200_000;
        let noise: Vec<f64> = (0..n).map(|_| dither.next()).collect();
        let mean = noise.iter().sum::<f64>() / n as f64;
        let power = noise.iter().map(|x| x * x).sum::<f64>() / n as f64;
        let neighbours = noise.windows(2).map(|w| w[0] * w[1]).sum::<f64>() / n as f64;
        // Variance 1/6; the mean scatters by √(1/6n) = 9e-4, the power by √((1/15 − 1/36)/n) = 4.4e-4,
        // the product of neighbours by 1/(6√n) = 3.7e-4: five times each.
        assert!(mean.abs() < 4.6e-3 && (power - 1.0 / 6.0).abs() < 2.2e-3 && neighbours.abs() < 1.9e-3);
        assert!(noise.iter().all(|x| x.abs() < 1.0));
    }
}

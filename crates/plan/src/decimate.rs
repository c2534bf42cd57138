//! Decimation from the internal rate to the sample rate: a linear-phase low-pass of fixed order.
//!
//!   hₙ = (2f_c/f) sinc(2 f_c n/f) · I₀(β√(1 − (n/H)²))/I₀(β),   |n| ≤ H, scaled to Σh = 1
//!
//! Kaiser's window (Kaiser 1974): β = 0.1102(A − 8.7), 2H = (A − 7.95)/(14.36 Δf/f),
//! with A = 120 dB, a transition band Δf from 0.45 f_s to 0.5 f_s and its middle f_c (f is the internal rate, f_s the
//! sample rate). The filter is centred on its sample, the first of `ratio` or the last of them, so the sound is not delayed; before the first and after the last
//! sample the signal is continued by that sample. Its sums run in 32 partial sums of a fixed order: the same bits on every machine.

use fearless_simd::{Level, Simd, dispatch, f64x8, prelude::*};
use hamiltone_core::state::Archive;
use hamiltone_numerics::{lanes, math};
use hamiltone_schemes::instructions;

/// Attenuation of the stop band, dB; the ripple of the pass band is as small, 10^(−A/20).
pub const ATTENUATION: f64 = 120.0;
/// The end of the pass band, relative to the sample rate.
pub const PASS: f64 = 0.45;
/// The beginning of the stop band, relative to the sample rate.
pub const STOP: f64 = 0.5;

/// Decimates one channel by a whole ratio.
pub struct Decimator {
    ratio: u64,
    level: Level,
    /// hₙ, 2H + 1 values, behind zeros that make them a multiple of [`LANES`].
    taps: Vec<f64>,
    /// How many zeros there are.
    pad: usize,
    /// H.
    half: u64,
    /// Which of `ratio` samples is that of the sound, from 0.
    centre: u64,
    /// The latest samples at the internal rate; the first is sample `origin` − H − `pad`.
    recent: Vec<f64>,
    origin: u64,
    /// The number of samples of the sound so far.
    written: u64,
}

/// The number of partial sums: as many as additions that wait for each other would otherwise hold up.
const LANES: usize = 8 * SIDE;
const SIDE: usize = 4;

/// H for a transition band of `width`, relative to the internal rate.
fn half_length(width: f64) -> f64 {
    ((ATTENUATION - 7.95) / (14.36 * width) / 2.0).ceil()
}

/// The memory of a decimator by `ratio` over a run of as many steps, bytes: its 2H coefficients, and up to five times as
/// many samples.
pub fn memory(ratio: usize, steps: u64) -> u128 {
    let half = half_length((STOP - PASS) / ratio as f64) as u128;
    if ratio > 1 { 8 * (2 * half + (10 * half).min(half + u128::from(steps))) } else { 0 }
}

impl Decimator {
    /// A decimator by `ratio` > 1 to the first of every `ratio` samples.
    pub fn new(ratio: usize) -> Self {
        Self::centred(ratio, 0)
    }

    /// A decimator by `ratio` > 1 to the last of every `ratio` samples: where they are the ends of steps, it ends with the sample.
    pub fn of_ends(ratio: usize) -> Self {
        Self::centred(ratio, ratio as u64 - 1)
    }

    fn centred(ratio: usize, centre: u64) -> Self {
        let width = (STOP - PASS) / ratio as f64;
        let half = half_length(width);
        let beta = 0.1102 * (ATTENUATION - 8.7);
        let cutoff = (PASS + STOP) / ratio as f64;
        let mut taps: Vec<f64> = (0..=2 * half as u64)
            .map(|i| {
                let n = i as f64 - half;
                let x = std::f64::consts::PI * cutoff * n;
                let sinc = if n == 0.0 { 1.0 } else { math::sin(x) / x };
                sinc * bessel_i0(beta * (1.0 - (n / half) * (n / half)).max(0.0).sqrt())
            })
            .collect();
        let sum: f64 = taps.iter().sum();
        taps.iter_mut().for_each(|h| *h /= sum);
        let pad = taps.len().next_multiple_of(LANES) - taps.len();
        taps.splice(..0, std::iter::repeat_n(0.0, pad));
        // What is kept grows to five times the coefficients before it is cut, and then no further.
        let recent = Vec::with_capacity(6 * taps.len());
        let level = instructions::level();
        Self {
            ratio: ratio as u64,
            level,
            taps,
            pad,
            half: half as u64,
            centre,
            recent,
            origin: 0,
            written: 0,
        }
    }

    /// By how many samples of the sound [`Self::of_ends`] is behind where one is pulled after every `ratio` pushes: the first comes
    /// after H + `ratio` pushes.
    pub fn delay(ratio: usize) -> usize {
        let half = half_length((STOP - PASS) / ratio as f64) as usize;
        half.div_ceil(ratio)
    }

    /// Takes the next sample at the internal rate.
    pub fn push(&mut self, x: f64) {
        if self.recent.is_empty() {
            self.recent.resize(self.before() as usize, x);
        }
        self.recent.push(x);
    }

    /// The next sample of the sound, once all that it needs has been pushed.
    pub fn pull(&mut self) -> Option<f64> {
        let begin = (self.written * self.ratio - self.origin) as usize;
        let recent = self.recent.get(begin..begin + self.taps.len())?;
        self.written += 1;
        let sample = dispatch!(self.level, simd => product(simd, &self.taps, recent));
        if begin > 4 * self.taps.len() {
            self.recent.drain(..begin);
            self.origin += begin as u64;
        }
        Some(sample)
    }

    /// How many samples there are before the first that was pushed.
    fn before(&self) -> u64 {
        self.half - self.centre + self.pad as u64
    }

    /// Goes through the samples that are still needed, to write them into a checkpoint or to take them over.
    pub fn archive(&mut self, archive: &mut Archive) {
        archive.list(&mut self.recent);
        archive.long(&mut self.origin);
        archive.long(&mut self.written);
    }

    /// Whether the numbers of a checkpoint can be those after `pushed` samples, of which `pulled` came out; `fewer` where
    /// not all were pushed.
    pub fn fits(&self, pulled: u64, pushed: u64, fewer: bool) -> bool {
        let there = self.recent.len() as u64;
        let seen = there.saturating_add(self.origin).saturating_sub(self.before());
        let next = self.written.saturating_mul(self.ratio);
        self.written >= pulled
            && (seen == pushed || fewer && seen <= pushed)
            && self.origin <= next
            && next <= self.origin.saturating_add(there)
    }

    /// Continues the signal by its last sample, so that the remaining samples of the sound can be pulled.
    pub fn end(&mut self) {
        if let Some(last) = self.recent.last().copied() {
            self.recent.resize(self.recent.len() + self.half as usize, last);
        }
    }
}

/// Σ hᵢxᵢ, lane k of [`LANES`] adding every so many terms from k on.
#[inline(always)]
fn product<S: Simd>(simd: S, taps: &[f64], x: &[f64]) -> f64 {
    simd.vectorize(
        #[inline(always)]
        || {
            let mut sums = [f64x8::splat(simd, 0.0); SIDE];
            for (h, x) in taps.as_chunks::<LANES>().0.iter().zip(x.as_chunks::<LANES>().0) {
                for (side, sum) in sums.iter_mut().enumerate() {
                    let load = |x: &[f64; LANES]| f64x8::from_slice(simd, &x[8 * side..8 * side + 8]);
                    *sum += load(h) * load(x);
                }
            }
            lanes::fold(((sums[0] + sums[2]) + (sums[1] + sums[3])).into())
        },
    )
}

/// I₀(x) = Σ ((x/2)ᵏ/k!)².
fn bessel_i0(x: f64) -> f64 {
    let (mut term, mut sum, mut k) = (1.0, 1.0, 1.0);
    while term > 1e-17 * sum {
        term *= (x / (2.0 * k)) * (x / (2.0 * k));
        sum += term;
        k += 1.0;
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;
    use hamiltone_numerics::double::Double;
    use hamiltone_schemes::instructions::Instructions;

    fn decimated(ratio: usize, frames: usize, signal: impl Fn(f64) -> f64) -> Vec<f64> {
        let mut decimator = Decimator::new(ratio);
        let mut sound = Vec::new();
        for n in 0..frames * ratio {
            decimator.push(signal(n as f64 / ratio as f64));
            sound.extend(decimator.pull());
        }
        decimator.end();
        sound.extend(std::iter::from_fn(|| decimator.pull()));
        sound
    }

    /// Away from the ends, where the filter of ±78 samples reads the continuation.
    fn inner(sound: &[f64]) -> impl Iterator<Item = (f64, f64)> + '_ {
        sound.iter().enumerate().skip(80).take(sound.len() - 160).map(|(i, x)| (i as f64, *x))
    }

    #[test]
    fn the_pass_band_passes_undelayed_and_the_stop_band_stops() {
        let turn = 2.0 * std::f64::consts::PI;
        // Kaiser's design meets δ = 10^(−A/20) to within his formula's fit, a part of a dB; twice δ is 6 dB.
        let allowed = 2.0 * 10_f64.powf(-ATTENUATION / 20.0);
        for ratio in [2, 3, 10] {
            for f in [0.01, 0.2, 0.45] {
                let sound = decimated(ratio, 400, |t| math::sin(turn * f * t + 0.3));
                let worst = inner(&sound).map(|(t, x)| (x - math::sin(turn * f * t + 0.3)).abs());
                assert!(worst.fold(0.0, f64::max) < allowed, "ratio {ratio}, f = {f}");
            }
            for f in [0.5, 0.62, 0.97] {
                let sound = decimated(ratio, 400, |t| math::sin(turn * f * t + 0.3));
                let worst = inner(&sound).map(|(_, x)| x.abs()).fold(0.0, f64::max);
                assert!(worst < allowed, "ratio {ratio}, f = {f}: {worst}");
            }
        }
    }

    #[test]
    fn the_sound_is_at_the_last_of_the_samples() {
        let wave = |t: f64| math::sin(0.7 * t + 0.3);
        for ratio in [2, 3, 16] {
            let (mut decimator, mut sound) = (Decimator::of_ends(ratio), Vec::new());
            for n in 0..400 * ratio {
                // The ends of steps: the last of the first `ratio` is at 1.
                decimator.push(wave((n + 1) as f64 / ratio as f64));
                if (n + 1) % ratio == 0 {
                    sound.push(decimator.pull());
                }
            }
            let delay = Decimator::delay(ratio);
            assert!(sound[..delay].iter().all(Option::is_none) && sound[delay..].iter().all(Option::is_some));
            let sound: Vec<f64> = sound.into_iter().flatten().collect();
            let worst = inner(&sound).map(|(n, x)| (x - wave(n + 1.0)).abs()).fold(0.0, f64::max);
            assert!(worst < 2.0 * 10_f64.powf(-ATTENUATION / 20.0), "ratio {ratio}: {worst}");
        }
    }

    /// The sum of all products once, to twice the digits, is what the lanes add up, in every instruction set.
    #[test]
    fn lanes_add_every_product_once() {
        for ratio in [2, 3, 34] {
            let mut decimator = Decimator::new(ratio);
            let x: Vec<f64> = (0..decimator.taps.len()).map(|i| math::sin(0.7 * i as f64) + 0.1).collect();
            let terms = decimator.taps.iter().zip(&x).map(|(h, x)| Double::product(*h, *x));
            let exact = terms.fold(Double::default(), |mut sum, term| {
                sum += term;
                sum
            });
            let size: f64 = decimator.taps.iter().zip(&x).map(|(h, x)| (h * x).abs()).sum();
            let found: Vec<f64> = Instructions::available()
                .map(|set| {
                    set.limit();
                    decimator.level = instructions::level();
                    dispatch!(decimator.level, simd => product(simd, &decimator.taps, &x))
                })
                .collect();
            assert!(found.iter().all(|sum| sum.to_bits() == found[0].to_bits()), "{found:?}");
            // A lane of 34·156/32 products rounds each sum: 166 times, and eps/2 of all.
            assert!((found[0] - exact.rounded()).abs() < 100.0 * f64::EPSILON * size, "{ratio}: {found:?}");
        }
    }

    #[test]
    fn a_constant_stays_and_no_sample_is_lost() {
        let sound = decimated(7, 50, |_| 2.5);
        assert_eq!(sound.len(), 50);
        // 2H + 1 ≈ 1100 products, each rounded once: far below 1e-13 of the value.
        assert!(sound.iter().all(|x| (x - 2.5).abs() < 2.5e-13));
    }
}

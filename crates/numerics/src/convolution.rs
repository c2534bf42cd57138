//! The convolution of a signal with a long impulse response, sample by sample and without delay:
//!
//!   yₙ = Σ_{k < M} h_k xₙ₋ₖ
//!
//! The first B coefficients are multiplied directly. The others are cut into parts of B: part p is convolved with the
//! block of B samples p blocks back, as a product of spectra of 2B points (overlap-save), and all parts are added before one inverse
//! transform (Stockham 1966, Kulp 1988). It is made when a block is full, for the next one. With the transform of [`crate::fourier`]
//! it has the same bits on every processor, for any division of the signal into calls.

use crate::{
    fourier::{Fourier, Planes},
    lanes,
};

/// B.
pub const BLOCK: usize = 256;

/// One channel of an impulse response, and the signal so far.
#[derive(Clone, Debug)]
pub struct Convolution {
    /// h_{B−1} … h₀.
    head: Vec<f64>,
    /// The spectra of the parts behind it, over 2B.
    parts: Vec<Planes>,
    /// The spectra of the last blocks of the signal, the newest at `newest`.
    blocks: Vec<Planes>,
    newest: usize,
    /// The last two blocks of the signal, the second up to `filled`.
    recent: Vec<f64>,
    filled: usize,
    /// What the parts give in this block.
    tail: Vec<f64>,
    fourier: Fourier,
}

impl Convolution {
    /// With h, however long; an empty one is silent.
    pub fn new(response: &[f64]) -> Self {
        let mut head = response[..response.len().min(BLOCK)].to_vec();
        head.resize(BLOCK, 0.0);
        // Reversed, the head and the samples so far are read in the same direction.
        head.reverse();
        let size = 2 * BLOCK;
        let zero = || Planes { re: vec![0.0; size], im: vec![0.0; size] };
        let Some(mut fourier) = Fourier::new(size) else { unreachable!("{size} is a power of 2") };
        let part = |h: &[f64]| {
            fourier.data().re.fill(0.0);
            fourier.data().im.fill(0.0);
            fourier.data().re[..h.len()].copy_from_slice(h);
            fourier.transform();
            let mut spectrum = fourier.result().clone();
            let all = spectrum.re.iter_mut().chain(&mut spectrum.im);
            // The transforms have no factor: 1/n of the inverse is applied here, once and for all.
            all.for_each(|x| *x /= size as f64);
            spectrum
        };
        let parts: Vec<Planes> = response.get(BLOCK..).unwrap_or_default().chunks(BLOCK).map(part).collect();
        Self {
            head,
            blocks: parts.iter().map(|_| zero()).collect(),
            parts,
            newest: 0,
            recent: vec![0.0; size],
            filled: 0,
            tail: vec![0.0; BLOCK],
            fourier,
        }
    }

    /// Goes through every number that the next sample depends on, as numbers of fixed counts.
    pub fn each(&mut self, take: &mut dyn FnMut(&mut [f64])) {
        let mut counts = [self.newest as f64, self.filled as f64];
        take(&mut counts);
        // Whole numbers of this size are exact; of another state they could lie beyond.
        self.newest = (counts[0] as usize).min(self.blocks.len().saturating_sub(1));
        self.filled = (counts[1] as usize).min(BLOCK - 1);
        for block in &mut self.blocks {
            take(&mut block.re);
            take(&mut block.im);
        }
        take(&mut self.recent);
        take(&mut self.tail);
    }

    /// The next sample.
    pub fn next(&mut self, x: f64) -> f64 {
        let n = self.filled;
        self.recent[BLOCK + n] = x;
        // The last B samples, from the block before and from this one.
        let past = &self.recent[n + 1..=BLOCK + n];
        let direct = lanes::sum(BLOCK, |i| self.head[i] * past[i]);
        let y = direct + self.tail[n];
        self.filled += 1;
        if self.filled == BLOCK {
            self.advance();
        }
        y
    }

    /// A block is full: computes what the parts behind the head contribute to the next one.
    fn advance(&mut self) {
        self.filled = 0;
        if !self.parts.is_empty() {
            let Planes { re, im } = self.fourier.data();
            // Two blocks, the newest behind the one before: the input of overlap-save.
            re.copy_from_slice(&self.recent);
            im.fill(0.0);
            self.fourier.transform();
            // The ring runs backwards: the block p blocks back stands p places behind the newest, and the oldest is replaced.
            self.newest = (self.newest + self.blocks.len() - 1) % self.blocks.len();
            let Planes { re, im } = self.fourier.result();
            self.blocks[self.newest].re.copy_from_slice(re);
            self.blocks[self.newest].im.copy_from_slice(im);
            self.multiply();
            // The transform of the conjugate is the conjugate of the inverse transform; only its real part is needed.
            self.fourier.data().im.iter_mut().for_each(|im| *im = -*im);
            self.fourier.transform();
            // The first half holds products that wrapped around in the cyclic convolution.
            self.tail.copy_from_slice(&self.fourier.result().re[BLOCK..]);
        }
        self.recent.copy_within(BLOCK.., 0);
    }

    /// The sum of the products of parts and blocks, in the transform's data.
    fn multiply(&mut self) {
        let Planes { re, im } = self.fourier.data();
        re.fill(0.0);
        im.fill(0.0);
        for (p, h) in self.parts.iter().enumerate() {
            let x = &self.blocks[(self.newest + p) % self.blocks.len()];
            let spectra = h.re.iter().zip(&h.im).zip(x.re.iter().zip(&x.im));
            for ((re, im), ((a, b), (c, d))) in re.iter_mut().zip(&mut *im).zip(spectra) {
                *re += a * c - b * d;
                *im += a * d + b * c;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Sum by sum: each term is rounded some times in transforms of 512 points, log₂ 512 = 9 passes there and back.
    #[test]
    fn is_the_sum_of_products() {
        for length in [0, 1, 100, 256, 257, 512, 1000] {
            let h: Vec<f64> =
                (0..length).map(|k| ((k * k) as f64 * 0.3).sin() / (1.0 + k as f64 * 0.01)).collect();
            let x: Vec<f64> = (0..1500).map(|n| (f64::from(n) * 0.7).sin() + 0.1).collect();
            let mut convolution = Convolution::new(&h);
            let size: f64 = h.iter().map(|h| 1.1 * h.abs()).sum();
            for n in 0..x.len() {
                let sum: f64 = h.iter().zip(x[..=n].iter().rev()).map(|(h, x)| h * x).sum();
                let y = convolution.next(x[n]);
                assert!((y - sum).abs() <= 40.0 * f64::EPSILON * size, "{length} {n}: {y} {sum}");
            }
        }
    }
}

//! All points of a body of sine modes at once: the discrete sine transform.
//!
//!   y_i = Σ_k z_k sin(πki/N),   i, k = 1 … N − 1
//!
//! With f_j = s_j(z_j + z_{N−j}) + (z_j − z_{N−j})/2 and s_j = sin(πj/N), the real Fourier transform of f,
//! R_k + jI_k = Σ f_j e^(2πijk/N), holds y_{2k} = I_k and y_{2k+1} = y_{2k−1} + R_k with y₁ = R₀/2 (Cooley, Lewis &
//! Welch 1970). It is taken as a complex one of N/2, in passes of radix 4, 2, 3 and 5 that leave their results in order
//! (Stockham). Passes, sums and constants have one fixed order and nothing is fused: the same bits on every processor.
//! Cost N log N, where the rows one by one take N².

use crate::math::{cos, sin};
use std::f64::consts::{PI, TAU};

/// The transform of N intervals, with its tables and scratch.
#[derive(Clone, Debug)]
pub struct SineTransform {
    intervals: usize,
    /// s_j, j = 0 … N/2.
    sines: Vec<f64>,
    /// e^(2πik/N), k = 0 … N/2.
    turns: Vec<(f64, f64)>,
    passes: Vec<Pass>,
    /// z, with zeros to N, then f.
    folded: Vec<f64>,
    data: [Planes; 2],
}

/// Real and imaginary parts.
#[derive(Clone, Debug)]
struct Planes {
    re: Vec<f64>,
    im: Vec<f64>,
}

/// Butterflies of `radix` over `groups` groups of `stride` neighbours each.
#[derive(Clone, Debug)]
struct Pass {
    radix: usize,
    groups: usize,
    stride: usize,
    /// e^(2πi pk/(radix·groups)), k = 1 … radix − 1, group p after group.
    twiddles: Vec<(f64, f64)>,
}

/// e^(2πi k/n).
fn root(k: usize, n: usize) -> (f64, f64) {
    let angle = TAU * (k % n) as f64 / n as f64;
    (cos(angle), sin(angle))
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
        let (mut passes, mut left, mut stride) = (Vec::new(), half, 1);
        for radix in [4, 2, 3, 5] {
            while left.is_multiple_of(radix) {
                left /= radix;
                let twiddle = |p: usize| (1..radix).map(move |k| root(p * k, radix * left));
                let twiddles = (0..left).flat_map(twiddle).collect();
                passes.push(Pass { radix, groups: left, stride, twiddles });
                stride *= radix;
            }
        }
        let plane = || Planes { re: vec![0.0; half], im: vec![0.0; half] };
        (left == 1).then(|| Self {
            intervals,
            sines: (0..=half).map(|j| sin(PI * j as f64 / intervals as f64)).collect(),
            turns: (0..=half).map(|k| root(k, intervals)).collect(),
            passes,
            folded: vec![0.0; intervals + 1],
            data: [plane(), plane()],
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
        for pass in &self.passes {
            let [from, to] = &mut self.data;
            pass.run(from, to);
            self.data.swap(0, 1);
        }
        self.part(y);
    }

    /// R and I from the transform of half the length, and y from them.
    #[inline(always)]
    fn part(&self, y: &mut [f64]) {
        let half = self.intervals / 2;
        let Planes { re, im } = &self.data[0];
        let (first, rest) = y.split_at_mut(1);
        first[0] = 0.5 * (re[0] + im[0]);
        let ends = re[1..].iter().zip(&im[1..]).zip(re[1..half].iter().rev().zip(im[1..half].iter().rev()));
        for ((y, (a, b)), (c, s)) in rest.as_chunks_mut::<2>().0.iter_mut().zip(ends).zip(&self.turns[1..]) {
            // Z_k and the conjugate of Z_{N/2−k} are the even f's transform plus and minus i times the odd ones'.
            let (even, other) = ((a.0 + b.0, a.1 - b.1), (a.1 + b.1, b.0 - a.0));
            *y = [0.5 * (even.1 + (c * other.1 + s * other.0)), 0.5 * (even.0 + (c * other.0 - s * other.1))];
        }
        let mut odd = first[0];
        for y in rest.as_chunks_mut::<2>().0 {
            odd += y[1];
            y[1] = odd;
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
        high[0] *= 2.0;
        let pairs = low[1..].iter_mut().zip(high[1..].iter_mut().rev());
        for ((a, b), s) in pairs.zip(&self.sines[1..]) {
            let (even, odd) = (s * (*a + *b), 0.5 * (*a - *b));
            (*a, *b) = (even + odd, even - odd);
        }
        let Planes { re, im } = &mut self.data[0];
        for ((re, im), f) in re.iter_mut().zip(im).zip(f.as_chunks::<2>().0) {
            (*re, *im) = (f[0], f[1]);
        }
    }
}

type Complex = (f64, f64);

const HALF_ROOT_3: f64 = 0.866_025_403_784_438_6;
const COS_72: f64 = 0.309_016_994_374_947_45;
const SIN_72: f64 = 0.951_056_516_295_153_5;
const COS_144: f64 = -0.809_016_994_374_947_5;
const SIN_144: f64 = 0.587_785_252_292_473_1;

impl Pass {
    #[inline(always)]
    fn run(&self, from: &Planes, to: &mut Planes) {
        match self.radix {
            2 => self.butterflies(from, to, |[a, b], w| [add(a, b), times(sub(a, b), w[0])]),
            3 => self.butterflies(from, to, |[a, b, c], w| {
                let (sum, difference) = (add(b, c), sub(b, c));
                let middle = (a.0 - 0.5 * sum.0, a.1 - 0.5 * sum.1);
                let side = (-HALF_ROOT_3 * difference.1, HALF_ROOT_3 * difference.0);
                [add(a, sum), times(add(middle, side), w[0]), times(sub(middle, side), w[1])]
            }),
            4 => self.butterflies(from, to, |[a, b, c, d], w| {
                let (p, m, q, side) = (add(a, c), sub(a, c), add(b, d), sub(b, d));
                let side = (-side.1, side.0);
                let turned = [times(add(m, side), w[0]), times(sub(p, q), w[1]), times(sub(m, side), w[2])];
                [add(p, q), turned[0], turned[1], turned[2]]
            }),
            _ => self.butterflies(from, to, |[a, b, c, d, e], w| {
                let (near, far) = ((add(b, e), sub(b, e)), (add(c, d), sub(c, d)));
                let along =
                    |x: f64, y: f64| (a.0 + (x * near.0.0 + y * far.0.0), a.1 + (x * near.0.1 + y * far.0.1));
                let across = |x: f64, y: f64| (-(x * near.1.1 + y * far.1.1), x * near.1.0 + y * far.1.0);
                let (one, two) = (along(COS_72, COS_144), along(COS_144, COS_72));
                let (up, over) = (across(SIN_72, SIN_144), across(SIN_144, -SIN_72));
                [
                    add(a, add(near.0, far.0)),
                    times(add(one, up), w[0]),
                    times(add(two, over), w[1]),
                    times(sub(two, over), w[2]),
                    times(sub(one, up), w[3]),
                ]
            }),
        }
    }

    /// to[q + s(rp + k)] = e^(2πipk/rm) Σ_l from[q + s(p + lm)] e^(2πikl/r), s the stride, m the groups.
    #[inline(always)]
    fn butterflies<const R: usize>(
        &self,
        from: &Planes,
        to: &mut Planes,
        butterfly: impl Fn([Complex; R], &[Complex]) -> [Complex; R],
    ) {
        let (s, m) = (self.stride, self.groups);
        let groups = to.re.chunks_exact_mut(s * R).zip(to.im.chunks_exact_mut(s * R));
        for ((p, (re, im)), w) in groups.enumerate().zip(self.twiddles.chunks_exact(R - 1)) {
            let part = |l: usize| s * (p + l * m)..s * (p + l * m + 1);
            let (x, y): ([&[f64]; R], [&[f64]; R]) =
                (std::array::from_fn(|l| &from.re[part(l)]), std::array::from_fn(|l| &from.im[part(l)]));
            for q in 0..s {
                let values = butterfly(std::array::from_fn(|l| (x[l][q], y[l][q])), w);
                for (k, value) in values.into_iter().enumerate() {
                    (re[q + s * k], im[q + s * k]) = value;
                }
            }
        }
    }
}

#[inline(always)]
fn add(a: Complex, b: Complex) -> Complex {
    (a.0 + b.0, a.1 + b.1)
}

#[inline(always)]
fn sub(a: Complex, b: Complex) -> Complex {
    (a.0 - b.0, a.1 - b.1)
}

#[inline(always)]
fn times(a: Complex, b: Complex) -> Complex {
    (a.0 * b.0 - a.1 * b.1, a.0 * b.1 + a.1 * b.0)
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

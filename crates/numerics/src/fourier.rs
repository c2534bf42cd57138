//! The discrete Fourier transform of complex numbers,
//!
//!   Z_k = Σ_j z_j e^(2πijk/n),   j, k = 0 … n − 1,   n a product of 2, 3 and 5
//!
//! in passes of radix 4, 2, 3 and 5 that leave their results in order (Stockham). Passes, sums and constants have one fixed
//! order and nothing is fused: the same bits on every processor. The inverse is that of the conjugates, over n.

use crate::math::{cos, sin};
use std::f64::consts::TAU;

/// The transform of n numbers, with its tables; its data are transformed in place.
#[derive(Clone, Debug)]
pub struct Fourier {
    passes: Vec<Pass>,
    data: [Planes; 2],
}

/// Real and imaginary parts.
#[derive(Clone, Debug)]
pub struct Planes {
    /// Re z.
    pub re: Vec<f64>,
    /// Im z.
    pub im: Vec<f64>,
}

/// Butterflies of `radix` over `groups` groups of `stride` neighbours each.
#[derive(Clone, Debug)]
struct Pass {
    radix: usize,
    groups: usize,
    stride: usize,
    /// e^(2πi pk/(radix·groups)), k = 1 … radix − 1, group p after group.
    twiddles: Vec<(f64, f64)>,
    /// Those of four groups of radix 4 side by side, where the stride is 1: the parts of k = 1, 2, 3 in turn.
    fours: Vec<[[f64; 4]; 6]>,
}

/// e^(2πi k/n).
pub(crate) fn root(k: usize, n: usize) -> (f64, f64) {
    // Reduced in whole numbers: a large k would lose digits of the angle.
    let angle = TAU * (k % n) as f64 / n as f64;
    (cos(angle), sin(angle))
}

impl Fourier {
    /// For n numbers; `None` where n is 0 or no product of 2, 3 and 5.
    ///
    /// ```
    /// use hamiltone_numerics::fourier::Fourier;
    ///
    /// let mut fourier = Fourier::new(6).unwrap();
    /// fourier.data().re.copy_from_slice(&[0.0, 1.0, 0.0, 0.0, 0.0, 0.0]);
    /// fourier.transform();
    /// assert!((fourier.data().re[3] + 1.0).abs() < 1e-15 && Fourier::new(7).is_none());
    /// ```
    pub fn new(n: usize) -> Option<Self> {
        if n == 0 {
            return None;
        }
        let (mut passes, mut left, mut stride) = (Vec::new(), n, 1);
        // Radix 4 first: a pass of it is cheaper than two of radix 2, which remains once at most.
        for radix in [4, 2, 3, 5] {
            while left.is_multiple_of(radix) {
                left /= radix;
                let twiddle = |p: usize| (1..radix).map(move |k| root(p * k, radix * left));
                let twiddles: Vec<_> = (0..left).flat_map(twiddle).collect();
                // Only in the first pass are the groups neighbours; later ones work on neighbours of one group.
                let fours = if (radix, stride) == (4, 1) { fours(&twiddles) } else { Vec::new() };
                passes.push(Pass { radix, groups: left, stride, twiddles, fours });
                stride *= radix;
            }
        }
        let plane = || Planes { re: vec![0.0; n], im: vec![0.0; n] };
        (left == 1).then(|| Self { passes, data: [plane(), plane()] })
    }

    /// z, or what it was transformed to.
    #[inline(always)]
    pub fn data(&mut self) -> &mut Planes {
        &mut self.data[0]
    }

    /// The same, to be read.
    #[inline(always)]
    pub fn result(&self) -> &Planes {
        &self.data[0]
    }

    /// Z of z, in its place.
    #[inline(always)]
    pub fn transform(&mut self) {
        for pass in &self.passes {
            let [from, to] = &mut self.data;
            pass.run(from, to);
            self.data.swap(0, 1);
        }
    }
}

/// The twiddles of radix 4, four groups side by side, as far as they go.
fn fours(twiddles: &[Complex]) -> Vec<[[f64; 4]; 6]> {
    let four = |w: &[Complex]| {
        let part = |k: usize| [0, 1, 2, 3].map(|p| w[3 * p + k / 2]).map(|w| [w.0, w.1][k % 2]);
        std::array::from_fn(part)
    };
    twiddles.chunks_exact(12).map(four).collect()
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
            4 if self.stride == 1 => self.side_by_side(from, to),
            2 => self.butterflies(from, to, radix_2),
            3 => self.butterflies(from, to, radix_3),
            4 => self.butterflies(from, to, radix_4),
            _ => self.butterflies(from, to, radix_5),
        }
    }

    /// The pass of radix 4 and stride 1, in which neighbours are groups: four of them at a time.
    #[inline(always)]
    fn side_by_side(&self, from: &Planes, to: &mut Planes) {
        let m = self.groups;
        let ([a, b, c, d], [e, f, g, h]) = (quarters(&from.re, m), quarters(&from.im, m));
        let whole = to.re.as_chunks_mut::<16>().0.iter_mut().zip(to.im.as_chunks_mut::<16>().0);
        for (i, ((re, im), w)) in whole.zip(&self.fours).enumerate() {
            // Lanes are groups in the butterflies and lie apart in the result: they are transposed before they are stored.
            let mut out = [[0.0; 4]; 8];
            for p in 0..4 {
                let z = [(a[i][p], e[i][p]), (b[i][p], f[i][p]), (c[i][p], g[i][p]), (d[i][p], h[i][p])];
                let turns = [(w[0][p], w[1][p]), (w[2][p], w[3][p]), (w[4][p], w[5][p])];
                let values = radix_4(z, &turns);
                for k in 0..4 {
                    (out[k][p], out[4 + k][p]) = values[k];
                }
            }
            for p in 0..4 {
                for k in 0..4 {
                    (re[4 * p + k], im[4 * p + k]) = (out[k][p], out[4 + k][p]);
                }
            }
        }
        // The last groups, fewer than four.
        for p in m / 4 * 4..m {
            let values = radix_4(
                [0, 1, 2, 3].map(|l| (from.re[p + l * m], from.im[p + l * m])),
                &self.twiddles[3 * p..],
            );
            for (k, value) in values.into_iter().enumerate() {
                (to.re[4 * p + k], to.im[4 * p + k]) = value;
            }
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

/// The four parts of m numbers each, by fours.
#[inline(always)]
fn quarters(x: &[f64], m: usize) -> [&[[f64; 4]]; 4] {
    std::array::from_fn(|l| x[l * m..][..m].as_chunks().0)
}

#[inline(always)]
fn radix_2([a, b]: [Complex; 2], w: &[Complex]) -> [Complex; 2] {
    [add(a, b), times(sub(a, b), w[0])]
}

#[inline(always)]
fn radix_3([a, b, c]: [Complex; 3], w: &[Complex]) -> [Complex; 3] {
    let (sum, difference) = (add(b, c), sub(b, c));
    let middle = (a.0 - 0.5 * sum.0, a.1 - 0.5 * sum.1);
    // i sin(2π/3)(b − c).
    let side = (-HALF_ROOT_3 * difference.1, HALF_ROOT_3 * difference.0);
    [add(a, sum), times(add(middle, side), w[0]), times(sub(middle, side), w[1])]
}

#[inline(always)]
fn radix_5([a, b, c, d, e]: [Complex; 5], w: &[Complex]) -> [Complex; 5] {
    // Of two conjugate roots the cosines multiply the sum, the sines the difference.
    let (near, far) = ((add(b, e), sub(b, e)), (add(c, d), sub(c, d)));
    let along = |x: f64, y: f64| (a.0 + (x * near.0.0 + y * far.0.0), a.1 + (x * near.0.1 + y * far.0.1));
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
}

#[inline(always)]
fn radix_4([a, b, c, d]: [Complex; 4], w: &[Complex]) -> [Complex; 4] {
    let (p, m, q, side) = (add(a, c), sub(a, c), add(b, d), sub(b, d));
    // i(b − d): a quarter turn exchanges the parts and takes no product.
    let side = (-side.1, side.0);
    [add(p, q), times(add(m, side), w[0]), times(sub(p, q), w[1]), times(sub(m, side), w[2])]
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

    /// Each sum by itself, exact in its integer angle, for every radix and mixture; the scratch dirty from before.
    #[test]
    fn is_the_sum_of_turns() {
        for n in [1, 2, 3, 4, 5, 6, 8, 10, 12, 15, 27, 60, 250, 512] {
            let mut fourier = Fourier::new(n).unwrap();
            for seed in [0.37, 0.51] {
                let z: Vec<Complex> =
                    (0..n).map(|j| (((j * j) as f64 * seed).sin(), (j as f64 * seed).cos())).collect();
                let Planes { re, im } = fourier.data();
                z.iter().zip(re.iter_mut().zip(im)).for_each(|(z, (re, im))| (*re, *im) = *z);
                fourier.transform();
                for k in 0..n {
                    let terms = (0..n).map(|j| times(z[j], root(j * k, n)));
                    let sum = terms.fold((0.0, 0.0), add);
                    let Planes { re, im } = fourier.result();
                    // Some roundings of each term, of size 1.5 at most.
                    let off = (re[k] - sum.0).hypot(im[k] - sum.1);
                    assert!(off < 8.0 * f64::EPSILON * 1.5 * n as f64, "{n} {k}: {off:e}");
                }
            }
        }
        assert!([0, 7, 22, 863].iter().all(|&n| Fourier::new(n).is_none()));
    }
}

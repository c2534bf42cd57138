//! Products of difference operators to some 76 binary digits of their largest terms, without double-double arithmetic.
//!
//! The argument is split on a common grid of the unit u, and so is each weight W on one of the unit v (Ozaki et al. 2012):
//!
//!   x = x₁ + x₂,   W = W₁ + W₂,   x₁/u and W₁/v whole numbers
//!
//!   CᵀW C x = CᵀW₁C x₁ + Cᵀ(W₂C x₁ + W C x₂)
//!
//! With |x₁| ≤ 2²⁴u, and v such that Σ W₁(Σ|c|)² ≤ 2²⁸v, every sum of the first product is a whole number of uv up to 2⁵²: it
//! is exact in any order. The second is 2⁻²⁴ of it, and rounded. What is missed is some 2⁻⁷⁶ of the largest |CᵀWC||x|. Plain
//! sums and products in lanes do all of it, on any processor to the same bits.
//!
//! That holds for stencils of small whole numbers times one factor: values, differences and curvatures. Others are multiplied to
//! twice the digits.

use crate::{
    double::Double,
    doubles::{View, ViewMut},
    operator::Operator,
    row::Row,
    shape::{REACH, Shape, by_shape},
    stencils::{Family, Weights},
};
use std::ops::Range;

/// Points that are worked on at a time: their numbers stay in the nearest cache.
const CHUNK: usize = 64;
/// The coordinates that a chunk reads.
const WIDE: usize = CHUNK + 2 * REACH;
/// The strains that act on a chunk.
const STRAINS: usize = CHUNK + REACH;

/// The product with 2^e ≤ max|x| of the number that rounds to a multiple of u = 2^(e−23): 3/2·2⁵²u.
const ROUNDING: f64 = 1.5 * (1_u64 << 29) as f64;
/// The same for weights, of 2^e ≤ Σ W(Σ|c|)² and v = 2^(e−27).
const WEIGHT_ROUNDING: f64 = 1.5 * (1_u64 << 25) as f64;

/// A weight, split: W₁, W₂ and W.
#[derive(Clone, Copy, Debug)]
struct Weight {
    first: f64,
    second: f64,
    whole: f64,
}

/// A family of equal stencils with its weights, one if they are all the same.
#[derive(Clone, Debug)]
struct SplitFamily {
    shape: Shape,
    /// The first coordinates of its strains.
    places: Range<usize>,
    weights: Vec<Weight>,
}

/// a·O, ready to be multiplied.
#[derive(Clone, Debug)]
pub struct SplitProduct {
    a: f64,
    families: Vec<SplitFamily>,
    /// Families of other stencils.
    others: Vec<Family>,
    /// Single strains with their weights.
    rows: Vec<(f64, Row)>,
}

/// Memory for a chunk.
struct Chunk {
    x1: [f64; WIDE],
    x2: [f64; WIDE],
    stress1: [f64; STRAINS],
    stress2: [f64; STRAINS],
    high: [f64; CHUNK],
    low: [f64; CHUNK],
}

impl SplitProduct {
    /// a·O.
    pub fn new(a: f64, operator: &Operator) -> Self {
        let mut product = Self { a, families: Vec::new(), others: Vec::new(), rows: Vec::new() };
        let Operator::Stencils(stencils) = operator else {
            product.rows = operator.squares().collect();
            return product;
        };
        product.rows.clone_from(&stencils.ends);
        let mut wanted = Vec::new();
        let mut size = 0.0;
        for family in &stencils.families {
            match Shape::of(&family.stencil) {
                Some((shape, factor)) if family.stride == 1 => {
                    let whole = |w: f64| Double::product(factor, factor).times(w).times(a);
                    let weights: Vec<Double> = match &family.weights {
                        Weights::Uniform(w, _) => vec![whole(*w)],
                        Weights::Each(weights) => weights.iter().copied().map(whole).collect(),
                    };
                    size += shape.size() * weights.iter().map(|w| w.high.abs()).fold(0.0, f64::max);
                    wanted.push((shape, family, weights));
                }
                _ => product.others.push(family.clone()),
            }
        }
        let rounding = power_of_two(size) * WEIGHT_ROUNDING;
        for (shape, family, weights) in wanted {
            let split = |w: Double| {
                let first = (w.high + rounding) - rounding;
                Weight { first, second: (w.high - first) + w.low, whole: w.high }
            };
            product.families.push(SplitFamily {
                shape,
                places: family.first..family.first + family.weights.count(),
                weights: weights.into_iter().map(split).collect(),
            });
        }
        product
    }

    /// y += a·O x. The two parts of y overlap: it is their sum.
    #[inline(always)]
    pub fn add(&self, x: View<'_>, y: ViewMut<'_>) {
        let ViewMut { high, low } = y;
        self.add_families(x, high, low);
        for family in &self.others {
            for i in 0..family.weights.count() {
                let at = family.first + i * family.stride;
                let mut strain = Double::default();
                family.stencil.iter().enumerate().for_each(|(k, s)| strain += x.get(at + k).times_fused(*s));
                let stress = strain.times_fused(family.weights.get(i)).times_fused(self.a);
                for (k, s) in family.stencil.iter().enumerate() {
                    ViewMut { high, low }.add(at + k, stress.times_fused(*s));
                }
            }
        }
        for (weight, row) in &self.rows {
            row.add_scaled_double(row.dot_double(x).times(*weight).times(self.a), ViewMut { high, low });
        }
    }

    #[inline(always)]
    fn add_families(&self, x: View<'_>, high: &mut [f64], low: &mut [f64]) {
        if self.families.is_empty() {
            return;
        }
        let rounding = power_of_two(largest(x.high)) * ROUNDING;
        let mut chunk = Chunk {
            x1: [0.0; WIDE],
            x2: [0.0; WIDE],
            stress1: [0.0; STRAINS],
            stress2: [0.0; STRAINS],
            high: [0.0; CHUNK],
            low: [0.0; CHUNK],
        };
        let n = x.high.len();
        for begin in (0..n).step_by(CHUNK) {
            let count = CHUNK.min(n - begin);
            chunk.split(x, begin, rounding);
            chunk.high.fill(0.0);
            chunk.low.fill(0.0);
            for family in &self.families {
                chunk.add(family, begin);
            }
            let (high, low) = (&mut high[begin..][..count], &mut low[begin..][..count]);
            for (((high, low), first), second) in high.iter_mut().zip(low).zip(&chunk.high).zip(&chunk.low) {
                let sum = Double::sum(*high, *first);
                *high = sum.high;
                *low += sum.low + second;
            }
        }
    }
}

impl Chunk {
    /// x₁ and x₂ from `REACH` coordinates before `begin` on, 0 beyond the ends.
    #[inline(always)]
    fn split(&mut self, x: View<'_>, begin: usize, rounding: f64) {
        let from = begin.saturating_sub(REACH);
        let to = (begin + CHUNK + REACH).min(x.high.len());
        let shift = from + REACH - begin;
        let end = shift + to - from;
        let (high, low) = (&x.high[from..to], &x.low[from..to]);
        for (((x1, x2), high), low) in
            self.x1[shift..end].iter_mut().zip(&mut self.x2[shift..end]).zip(high).zip(low)
        {
            *x1 = (high + rounding) - rounding;
            *x2 = (high - *x1) + low;
        }
        for x in [&mut self.x1, &mut self.x2] {
            x[..shift].fill(0.0);
            x[end..].fill(0.0);
        }
    }

    #[inline(always)]
    fn add(&mut self, family: &SplitFamily, begin: usize) {
        by_shape!(family.shape, |strain, force| self.add_shape(family, begin, strain, force));
    }

    /// Adds what the strains, of three coordinates in a row, do to the chunk: `force` gathers the stresses of the strains that
    /// begin two and one coordinates before, and at a coordinate.
    #[inline(always)]
    fn add_shape(
        &mut self,
        family: &SplitFamily,
        begin: usize,
        strain: impl Fn(f64, f64, f64) -> f64 + Copy,
        force: impl Fn(f64, f64, f64) -> f64 + Copy,
    ) {
        // Strain p begins at the coordinate begin + p − REACH.
        let lowest = (family.places.start + REACH).saturating_sub(begin).min(STRAINS);
        let highest = (family.places.end + REACH).saturating_sub(begin).min(STRAINS).max(lowest);
        if lowest == highest {
            return;
        }
        let strains = |x: &[f64; WIDE], p: usize| strain(x[p], x[p + 1], x[p + 2]);
        let Self { x1, x2, stress1, stress2, high, low } = self;
        if let [Weight { first, second, whole }] = family.weights[..] {
            for p in 0..STRAINS {
                let (first_strain, second_strain) = (strains(x1, p), strains(x2, p));
                stress1[p] = first * first_strain;
                stress2[p] = second * first_strain + whole * second_strain;
            }
        } else {
            let weights = &family.weights[begin + lowest - (family.places.start + REACH)..];
            for (p, Weight { first, second, whole }) in (lowest..highest).zip(weights) {
                let (first_strain, second_strain) = (strains(x1, p), strains(x2, p));
                stress1[p] = first * first_strain;
                stress2[p] = second * first_strain + whole * second_strain;
            }
        }
        for stress in [&mut *stress1, &mut *stress2] {
            stress[..lowest].fill(0.0);
            stress[highest..].fill(0.0);
        }
        for i in 0..CHUNK {
            high[i] += force(stress1[i], stress1[i + 1], stress1[i + 2]);
            low[i] += force(stress2[i], stress2[i + 1], stress2[i + 2]);
        }
    }
}

/// max|x|.
#[inline(always)]
fn largest(x: &[f64]) -> f64 {
    let (eights, rest) = x.as_chunks::<8>();
    let mut lanes = [0.0_f64; 8];
    for eight in eights {
        for (lane, x) in lanes.iter_mut().zip(eight) {
            *lane = if x.abs() > *lane { x.abs() } else { *lane };
        }
    }
    lanes.iter().chain(rest).fold(0.0, |largest, x| largest.max(x.abs()))
}

/// The largest power of two up to x ≥ 0; 0 of what is below the normal numbers.
#[inline(always)]
fn power_of_two(x: f64) -> f64 {
    f64::from_bits(x.to_bits() & 0x7ff0_0000_0000_0000)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{doubles::Doubles, stencils::Stencils};

    /// Strains of all shapes, one of another, and single ones.
    fn operator(n: usize, weight: impl Fn(usize) -> f64) -> Operator {
        let mut strains: Vec<(f64, Row)> = vec![(0.3, Row::Sparse(vec![(0, -2.1), (n - 1, 1.0)]))];
        let stencils: [&[f64]; 5] =
            [&[1.0], &[-3.7, 3.7], &[-0.3, 0.0, 0.3], &[13.7, -27.4, 13.7], &[0.1, 0.4, -0.3]];
        for (k, stencil) in stencils.into_iter().enumerate() {
            for i in 0..=n - stencil.len() {
                let entries = stencil.iter().enumerate().filter(|(_, s)| **s != 0.0);
                let row = Row::Sparse(entries.map(|(j, s)| (i + j, *s)).collect());
                strains.push((weight(i) / (k + 1) as f64, row));
            }
        }
        Operator::Stencils(Stencils::new(&strains))
    }

    /// y += a·O x, strain by strain, to twice the digits.
    fn add_double(a: f64, operator: &Operator, x: View<'_>, y: &mut Doubles) {
        for (weight, row) in operator.squares() {
            row.add_scaled_double(row.dot_double(x).times(weight).times(a), y.view_mut());
        }
    }

    /// The same as by numbers to twice the digits, to 2⁻⁷⁵ of the largest terms: far below the 2⁻⁵³ of one rounding.
    #[test]
    fn agrees_with_numbers_to_twice_the_digits() {
        for (n, uniform) in
            [(5, true), (63, true), (64, false), (65, true), (66, false), (300, true), (300, false)]
        {
            let operator = operator(n, |i| if uniform { 1.7 } else { 1.0 + (i as f64 * 0.3).sin() });
            let mut x = Doubles::zero(n);
            for i in 0..n {
                x.set(i, Double::sum((i as f64 * 0.37).sin(), 1e-17 * (i as f64 * 1.1).cos()));
            }
            let (mut expected, mut found) = (Doubles::zero(n), Doubles::zero(n));
            add_double(-0.7, &operator, x.view(), &mut expected);
            SplitProduct::new(-0.7, &operator).add(x.view(), found.view_mut());
            let size = 0.7 * 1.7 * 13.7 * 13.7 * 16.0;
            for i in 0..n {
                let mut missed = found.get(i);
                missed += expected.get(i).negated();
                assert!(missed.rounded().abs() < size * 2.0_f64.powi(-75), "{n} {uniform} {i}: {missed:?}");
            }
        }
    }

    /// Of the largest and smallest arguments, and of zeros.
    #[test]
    fn scales_with_its_argument() {
        let n = 70;
        let operator = operator(n, |_| 1.0);
        let product = SplitProduct::new(1.0, &operator);
        let of = |scale: f64| {
            let (mut x, mut y) = (Doubles::zero(n), Doubles::zero(n));
            (0..n).for_each(|i| x.set(i, Double::from(scale * (i as f64 * 0.9).sin())));
            product.add(x.view(), y.view_mut());
            (0..n).map(|i| y.get(i).rounded()).collect::<Vec<_>>()
        };
        let unit = of(1.0);
        for power in [-600, 300] {
            let scale = 2.0_f64.powi(power);
            assert_eq!(of(scale), unit.iter().map(|y| scale * y).collect::<Vec<_>>());
        }
        assert_eq!(of(0.0), vec![0.0; n]);
    }
}

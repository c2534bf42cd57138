//! Products with narrow symmetric operators to some 75 binary digits of their largest terms, without double-double arithmetic.
//!
//! The argument is split on a common grid of the unit u, and so is each entry A of the matrix on one of the unit v (Ozaki et al.
//! 2012):
//!
//!   x = x₁ + x₂,   A = A₁ + A₂,   x₁/u and A₁/v whole numbers
//!
//!   A x = A₁x₁ + (A₂x₁ + A x₂),   (A x)ᵢ = (Σⱼ Aᵢⱼ) xᵢ + Σⱼ Aᵢⱼ (xⱼ − xᵢ)
//!
//! With |x₁| ≤ 2²⁴u, and v such that Σ|A₁| ≤ 2²⁷v in each row, every sum of the first product is a whole number of uv up to 2⁵³:
//! it is exact in any order. The second is 2⁻²⁴ of it, and rounded. What is missed is some 2⁻⁷⁵ of the largest |A||x|, and of
//! a common displacement, which no spring between coordinates feels, nothing. Plain sums and products in lanes do all of it, on
//! any processor to the same bits.
//!
//! Strains that read at most three coordinates in a row are gathered in the entries of the matrix, which are the same along most
//! of a uniform string. Others are multiplied to twice the digits (`strain_product.rs`), and all of them where asked to.

use crate::{
    double::Double,
    doubles::{View, ViewMut},
    lanes::LANES,
    operator::Operator,
    row::Row,
    shape::{CHUNK, REACH, WIDE, window},
    strain_product::StrainProduct,
};
use fearless_simd::{Simd, f64x8, prelude::*};
use std::ops::Range;

/// The product with 2^e ≤ max|x| of the number that rounds to a multiple of u = 2^(e−23): 3/2·2⁵²u.
const ROUNDING: f64 = 1.5 * (1_u64 << 29) as f64;
/// The same for entries, of 2^e ≤ Σ|A| and v = 2^(e−26).
const ENTRY_ROUNDING: f64 = 1.5 * (1_u64 << 26) as f64;

/// Entries, split: A₁, A₂ and A.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Entry {
    first: f64,
    second: f64,
    whole: f64,
}

/// The sum of a row, and its entries before the diagonal, from there on.
type Entries = [Entry; REACH + 1];

/// Σ a·O of one or more operators, ready to be multiplied.
#[derive(Clone, Debug, Default)]
pub struct SplitProduct {
    /// The lower half of the matrix, [`REACH`] rows of zeros behind it; empty where no strain is narrow.
    band: Vec<Entries>,
    /// Rows with the same entries, before and behind the diagonal, and these.
    even: (Range<usize>, Entries),
    /// How far from the diagonal entries reach.
    half: usize,
    /// Wide strains, or all of them.
    others: StrainProduct,
}

/// The argument of a chunk, split.
struct Chunk {
    x1: [f64; WIDE],
    x2: [f64; WIDE],
}

impl SplitProduct {
    /// Σ a·O of these terms on `size` coordinates.
    pub fn new(terms: &[(Double, &Operator)], size: usize) -> Self {
        let mut product = Self::default();
        let mut lower = vec![[Double::default(); REACH + 1]; size];
        // Of each coordinate no less than Σ|A| of its row.
        let mut sizes = vec![0.0; size];
        let mut take = |weight: Double, row: &Row| {
            if row.spread() > REACH {
                product.others.rows.push((weight, row.clone()));
                return;
            }
            let mut sum = Double::default();
            row.for_each(|_, b| sum += Double::from(b));
            row.for_each(|i, a| {
                lower[i][0] += sum.times(a).scaled(weight);
                row.for_each(|j, b| {
                    let entry = Double::product(a, b).scaled(weight);
                    sizes[i] += entry.high.abs();
                    if j < i {
                        lower[i][i - j] += entry;
                    }
                });
            });
        };
        for (a, operator) in terms.iter().filter(|(a, _)| a.high != 0.0) {
            let Operator::Stencils(stencils) = operator else {
                operator.squares().for_each(|(w, row)| take(a.times(w), &row));
                continue;
            };
            for family in &stencils.families {
                if family.stride == 1 && family.stencil.len() <= REACH + 1 {
                    family.strains().for_each(|(w, row)| take(a.times(w), &row));
                } else {
                    product.others.families.push((*a, family.clone()));
                }
            }
            stencils.ends.iter().for_each(|(w, row)| take(a.times(*w), row));
        }
        let rounding = power_of_two(sizes.iter().fold(0.0, |size: f64, x| size.max(*x))) * ENTRY_ROUNDING;
        if rounding > 0.0 {
            let split = |entry: Double| {
                let first = (entry.high + rounding) - rounding;
                Entry { first, second: (entry.high - first) + entry.low, whole: entry.high }
            };
            product.band = lower.iter().map(|row| row.map(split)).collect();
            product.band.extend([Entries::default(); REACH]);
            let reach = |row: &Entries| (0..=REACH).rev().find(|d| row[*d].whole != 0.0).unwrap_or(0);
            product.half = product.band.iter().map(reach).max().unwrap_or(0);
            product.even = product.evenly();
        }
        product
    }

    /// The same to some 2⁻¹⁰⁴ of the largest terms, at several times the cost.
    pub fn by_strains(terms: &[(Double, &Operator)]) -> Self {
        Self { others: StrainProduct::new(terms), ..Self::default() }
    }

    /// The rows around the middle that are like it.
    fn evenly(&self) -> (Range<usize>, Entries) {
        let size = self.band.len() - REACH;
        let entries = self.band[size / 2];
        let like = |i: &usize| {
            let behind = (1..=REACH).all(|d| self.band[i + d][d] == entries[d]);
            self.band[*i] == entries && behind
        };
        let begin = (0..size / 2).rev().take_while(like).last().unwrap_or(size / 2);
        let end = (size / 2..size).take_while(like).last().map_or(begin, |last| last + 1);
        (begin..end, entries)
    }

    /// y += Σ a·O x. The two parts of y overlap: it is their sum.
    #[inline(always)]
    pub fn add<S: Simd>(&self, simd: S, x: View<'_>, y: ViewMut<'_>) {
        let ViewMut { high, low } = y;
        if !self.band.is_empty() {
            if self.half < REACH {
                self.add_band::<S, 1>(simd, x, high, low);
            } else {
                self.add_band::<S, REACH>(simd, x, high, low);
            }
        }
        self.others.add(x, ViewMut { high, low });
    }

    /// The entries of the band, `H` beside the diagonal.
    #[inline(always)]
    fn add_band<S: Simd, const H: usize>(&self, simd: S, x: View<'_>, high: &mut [f64], low: &mut [f64]) {
        let mut chunk = Chunk { x1: [0.0; WIDE], x2: [0.0; WIDE] };
        let n = x.high.len();
        let (high, low) = (&mut high[..n], &mut low[..n]);
        let (even, entries) = &self.even;
        let entries = EvenEntries::new(simd, entries);
        for begin in (0..n).step_by(CHUNK) {
            let end = n.min(begin + CHUNK);
            chunk.split(simd, x, begin);
            let place = |i: usize| i.clamp(begin, end) - begin;
            let (first, last) = (place(even.start), place(even.end));
            let y = (&mut high[begin..end], &mut low[begin..end]);
            chunk.add::<H>(0..first, &self.band[begin..], (y.0, y.1));
            chunk.add::<H>(last..end - begin, &self.band[begin..], (y.0, y.1));
            chunk.add_even::<S, H>(simd, first..last, &entries, y);
        }
    }
}

/// Entries in eight lanes, from the sum of a row on: A₁, A₂ and A.
struct EvenEntries<S: Simd>([[f64x8<S>; 3]; REACH + 1]);

impl<S: Simd> EvenEntries<S> {
    #[inline(always)]
    fn new(simd: S, entries: &Entries) -> Self {
        let mut lanes = [[f64x8::splat(simd, 0.0); 3]; REACH + 1];
        for (lanes, Entry { first, second, whole }) in lanes.iter_mut().zip(entries) {
            *lanes = [f64x8::splat(simd, *first), f64x8::splat(simd, *second), f64x8::splat(simd, *whole)];
        }
        Self(lanes)
    }
}

impl Chunk {
    /// x₁ and x₂ from `REACH` coordinates before `begin` on, 0 beyond the ends.
    #[inline(always)]
    fn split<S: Simd>(&mut self, simd: S, x: View<'_>, begin: usize) {
        let (given, places) = window(begin, x.high.len());
        let (high, low) = (&x.high[given.clone()], &x.low[given]);
        if let (Ok(high), Ok(low)) = (high.try_into(), low.try_into()) {
            return self.split_whole(simd, high, low);
        }
        let (mut whole_high, mut whole_low) = ([0.0; WIDE], [0.0; WIDE]);
        whole_high[places.clone()].copy_from_slice(high);
        whole_low[places].copy_from_slice(low);
        self.split_whole(simd, &whole_high, &whole_low);
    }

    /// In eights, the last of which begins before the one ahead of it ends.
    #[inline(always)]
    fn split_whole<S: Simd>(&mut self, simd: S, high: &[f64; WIDE], low: &[f64; WIDE]) {
        let mut largest = [f64x8::splat(simd, 0.0); 2];
        for i in 0..WIDE.div_ceil(LANES) {
            let x = f64x8::from_slice(simd, &high[place(i)..][..LANES]);
            largest[i % 2] = x.abs().max(largest[i % 2]);
        }
        let rounding = power_of_two(largest_lane(largest[0].max(largest[1]))) * ROUNDING;
        let rounding = f64x8::splat(simd, rounding);
        for i in 0..WIDE.div_ceil(LANES) {
            let x = f64x8::from_slice(simd, &high[place(i)..][..LANES]);
            let first = (x + rounding) - rounding;
            let second = (x - first) + f64x8::from_slice(simd, &low[place(i)..][..LANES]);
            first.store_slice(&mut self.x1[place(i)..][..LANES]);
            second.store_slice(&mut self.x2[place(i)..][..LANES]);
        }
    }

    /// Adds these rows, of equal entries, to y.
    #[inline(always)]
    fn add_even<S: Simd, const H: usize>(
        &self,
        simd: S,
        rows: Range<usize>,
        entries: &EvenEntries<S>,
        (high, low): (&mut [f64], &mut [f64]),
    ) {
        let (high, low) = (&mut high[rows.clone()], &mut low[rows.clone()]);
        let count = high.len() / LANES * LANES;
        let (highs, high) = high.split_at_mut(count);
        let (lows, low) = low.split_at_mut(count);
        let mut i = rows.start;
        for (high, low) in highs.as_chunks_mut().0.iter_mut().zip(lows.as_chunks_mut().0) {
            self.add_eight::<S, H>(simd, i, entries, high, low);
            i += LANES;
        }
        if i < rows.end {
            // Where no eight rows are left, eight are worked on beside them.
            let (from, count) = (i.min(CHUNK - LANES), rows.end - i);
            let (mut some_high, mut some_low) = ([0.0; LANES], [0.0; LANES]);
            some_high[i - from..][..count].copy_from_slice(high);
            some_low[i - from..][..count].copy_from_slice(low);
            self.add_eight::<S, H>(simd, from, entries, &mut some_high, &mut some_low);
            high.copy_from_slice(&some_high[i - from..][..count]);
            low.copy_from_slice(&some_low[i - from..][..count]);
        }
    }

    /// Adds eight rows from i on to y.
    #[inline(always)]
    fn add_eight<S: Simd, const H: usize>(
        &self,
        simd: S,
        i: usize,
        EvenEntries([own, next, far]): &EvenEntries<S>,
        high: &mut [f64; LANES],
        low: &mut [f64; LANES],
    ) {
        // They reach from i on, where `REACH` stands for the row itself.
        let (x1, x2) = (&self.x1[i..][..LANES + 2 * REACH], &self.x2[i..][..LANES + 2 * REACH]);
        let (own1, own2) = (eight(simd, x1, REACH), eight(simd, x2, REACH));
        let mut sum = own[0] * own1;
        let mut rest = own[1] * own1 + own[2] * own2;
        for (d, entry) in [(1, next), (2, far)] {
            if d <= H {
                let both1 = (eight(simd, x1, REACH - d) - own1) + (eight(simd, x1, REACH + d) - own1);
                let both2 = (eight(simd, x2, REACH - d) - own2) + (eight(simd, x2, REACH + d) - own2);
                sum += entry[0] * both1;
                rest += entry[1] * both1 + entry[2] * both2;
            }
        }
        // Double::sum.
        let before = f64x8::from_slice(simd, &*high);
        let after = before + sum;
        let moved = after - before;
        let left = (before - (after - moved)) + (sum - moved);
        after.store_array(high);
        (f64x8::from_slice(simd, &*low) + (left + rest)).store_array(low);
    }

    /// Adds these rows of the chunk to y: entries behind the diagonal are those of the rows that follow.
    #[inline(always)]
    fn add<const H: usize>(
        &self,
        rows: Range<usize>,
        band: &[Entries],
        (high, low): (&mut [f64], &mut [f64]),
    ) {
        for i in rows {
            let p = i + REACH;
            let (mut sum, mut rest) = (0.0, 0.0);
            let (own1, own2) = (self.x1[p], self.x2[p]);
            let mut add = |Entry { first, second, whole }: Entry, x1: f64, x2: f64| {
                sum += first * x1;
                rest += second * x1 + whole * x2;
            };
            add(band[i][0], own1, own2);
            for d in 1..=H {
                add(band[i][d], self.x1[p - d] - own1, self.x2[p - d] - own2);
                add(band[i + d][d], self.x1[p + d] - own1, self.x2[p + d] - own2);
            }
            let sum = Double::sum(high[i], sum);
            high[i] = sum.high;
            low[i] += sum.low + rest;
        }
    }
}

/// Where the i-th eight of a chunk's argument begins.
#[inline(always)]
fn place(i: usize) -> usize {
    (LANES * i).min(WIDE - LANES)
}

/// Eight of x from i on.
#[inline(always)]
fn eight<S: Simd>(simd: S, x: &[f64], i: usize) -> f64x8<S> {
    f64x8::from_slice(simd, &x[i..i + LANES])
}

/// The largest of eight.
#[inline(always)]
fn largest_lane<S: Simd>(x: f64x8<S>) -> f64 {
    let x: [f64; LANES] = x.into();
    let larger = |a: f64, b: f64| if a > b { a } else { b };
    let fours = [0, 1, 2, 3].map(|k| larger(x[k], x[k + 4]));
    larger(larger(fours[0], fours[2]), larger(fours[1], fours[3]))
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
    use fearless_simd::{Level, dispatch};

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

    /// y += Σ a·O x.
    fn add(product: &SplitProduct, x: &Doubles, y: &mut Doubles) {
        dispatch!(Level::new(), simd => product.add(simd, x.view(), y.view_mut()));
    }

    /// y += a·O x, strain by strain, to twice the digits.
    fn add_double(a: f64, operator: &Operator, x: View<'_>, y: &mut Doubles) {
        for (weight, row) in operator.squares() {
            row.add_scaled_double(row.dot_double(x).times(weight).times(a), y.view_mut());
        }
    }

    /// The same as by numbers to twice the digits, to 2⁻⁷⁴ of the largest terms: far below the 2⁻⁵³ of one rounding.
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
            let product = SplitProduct::new(&[(Double::from(-0.7), &operator)], n);
            add(&product, &x, &mut found);
            let size = 0.7 * 1.7 * 13.7 * 13.7 * 16.0;
            for i in 0..n {
                let mut missed = found.get(i);
                missed += expected.get(i).negated();
                assert!(missed.rounded().abs() < size * 2.0_f64.powi(-74), "{n} {uniform} {i}: {missed:?}");
            }
        }
    }

    /// A common displacement makes no force, whatever the weights.
    #[test]
    fn free_bodies_are_not_held() {
        let n = 150;
        let strain = |i: usize| Row::Sparse(vec![(i - 1, 13.7), (i, -27.4), (i + 1, 13.7)]);
        for weight in [|_: usize| 1.0 / 3.0, |i: usize| 1.0 + (i as f64 * 0.3).sin().abs()] {
            let strains: Vec<_> = (1..n - 1).map(|i| (weight(i), strain(i))).collect();
            let operator = Operator::Stencils(Stencils::new(&strains));
            let product = SplitProduct::new(&[(Double::from(-0.7), &operator)], n);
            let mut y = Doubles::zero(n);
            let mut x = Doubles::zero(n);
            (0..n).for_each(|i| x.set(i, Double::from(1e6)));
            add(&product, &x, &mut y);
            assert!((0..n).all(|i| y.get(i).rounded() == 0.0));
        }
    }

    /// Of the largest and smallest arguments, and of zeros.
    #[test]
    fn scales_with_its_argument() {
        let n = 70;
        let operator = operator(n, |_| 1.0);
        let product = SplitProduct::new(&[(Double::from(1.0), &operator)], n);
        let of = |scale: f64| {
            let (mut x, mut y) = (Doubles::zero(n), Doubles::zero(n));
            (0..n).for_each(|i| x.set(i, Double::from(scale * (i as f64 * 0.9).sin())));
            add(&product, &x, &mut y);
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

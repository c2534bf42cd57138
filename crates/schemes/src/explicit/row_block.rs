//! Rows of M⁻¹K and M⁻¹R of their own, as at the ends of a body, up to eight behind each other at a time.
//!
//!   (K̃x)ᵢ = Σ_j Kᵢⱼ(xⱼ − xᵢ) + sᵢxᵢ,   j = all coordinates that any of the rows reads
//!
//! A row is a lane, and has weights of 0 for what others read. With them three loops are made, as of rows that repeat
//! ([`mod@crate::explicit::stencil`]):
//!
//!   push    vᵢ ← vᵢ − h(K̃q)ᵢ                in place
//!   kick    vᵢ⁺ = vᵢ − h((K̃q)ᵢ + (R̃v)ᵢ)     sums up what R takes, mᵢ(R̃v)ᵢ(vᵢ + vᵢ⁺)
//!   decay   vᵢ⁺ = vᵢ − (K̃v)ᵢ                sums up mᵢ(vᵢ − vᵢ⁺)(vᵢ + vᵢ⁺)
//!
//! Each row adds its products in the order of its coordinates, and the sums go from row to row: the same bits as one by one.

use crate::explicit::stencil::LANES;
use fearless_simd::{Simd, f64x8, prelude::*};
use std::ops::Range;

/// A number of each row, 0 in lanes without one.
type Eight = [f64; LANES];

/// Rows behind each other.
#[derive(Clone, Debug)]
pub(crate) struct RowBlock {
    rows: Range<usize>,
    /// The coordinate of the first lane.
    at: usize,
    spring: BlockWeights,
    damper: BlockWeights,
}

/// The weights of the rows, coordinate by coordinate.
#[derive(Clone, Debug)]
struct BlockWeights {
    columns: Range<usize>,
    of_columns: Vec<Eight>,
    sums: Eight,
}

impl RowBlock {
    /// These rows out of `size`: of springs and dampers the weights of the coordinates i − half … i + half each,
    /// in the middle the sums.
    pub fn all(
        rows: Range<usize>,
        (springs, dampers): (&[f64], &[f64]),
        half: usize,
        size: usize,
    ) -> Vec<Self> {
        let (width, last) = (2 * half + 1, rows.end);
        let block = |first: usize| {
            let (end, from) = (last.min(first + LANES), (first - rows.start) * width);
            // The last block starts earlier, so that eight lanes can be loaded.
            let at = first.min(size.saturating_sub(LANES));
            let of = |weights: &[f64]| BlockWeights::new(&weights[from..], (first..end, at), half, size);
            Self { rows: first..end, at, spring: of(springs), damper: of(dampers) }
        };
        rows.clone().step_by(LANES).map(block).collect()
    }

    /// v −= h K̃q.
    #[inline(always)]
    pub fn push<S: Simd>(&self, simd: S, h: f64, q: &[f64], v: &mut [f64]) {
        let after =
            self.lanes(simd, v) - f64x8::splat(simd, h) * self.spring.product(simd, self.lanes(simd, q), q);
        self.store(after, v);
    }

    /// The kick of springs and dampers; adds Σ mᵢ(R̃v)ᵢ(vᵢ + vᵢ⁺) to `dissipated`.
    #[inline(always)]
    pub fn kick<S: Simd>(
        &self,
        simd: S,
        h: f64,
        (q, v): (&[f64], &[f64]),
        (next, mass): (&mut [f64], &[f64]),
        dissipated: &mut f64,
    ) {
        let before = self.lanes(simd, v);
        let loss = self.damper.product(simd, before, v);
        let pull = self.spring.product(simd, self.lanes(simd, q), q) + loss;
        let after = before - f64x8::splat(simd, h) * pull;
        self.store(after, next);
        self.sum(self.lanes(simd, mass) * (loss * (before + after)), dissipated);
    }

    /// v⁺ = v − K̃v; adds Σ mᵢ(vᵢ − vᵢ⁺)(vᵢ + vᵢ⁺) to `dissipated`.
    #[inline(always)]
    pub fn decay<S: Simd>(&self, simd: S, v: &[f64], next: &mut [f64], mass: &[f64], dissipated: &mut f64) {
        let before = self.lanes(simd, v);
        let after = before - self.spring.product(simd, before, v);
        self.store(after, next);
        self.sum(self.lanes(simd, mass) * ((before - after) * (before + after)), dissipated);
    }

    /// x of the lanes; 0 in those that a system of fewer than eight coordinates does not have.
    #[inline(always)]
    fn lanes<S: Simd>(&self, simd: S, x: &[f64]) -> f64x8<S> {
        match x.get(self.at..self.at + LANES) {
            Some(eight) => f64x8::from_slice(simd, eight),
            None => {
                let mut eight = [0.0; LANES];
                eight[..x.len()].copy_from_slice(x);
                f64x8::from_slice(simd, &eight)
            }
        }
    }

    /// Writes the rows.
    #[inline(always)]
    fn store<S: Simd>(&self, lanes: f64x8<S>, x: &mut [f64]) {
        let lanes: Eight = lanes.into();
        let own = &lanes[self.rows.start - self.at..self.rows.end - self.at];
        for (x, lane) in x[self.rows.clone()].iter_mut().zip(own) {
            *x = *lane;
        }
    }

    /// Adds up the rows.
    #[inline(always)]
    fn sum<S: Simd>(&self, lanes: f64x8<S>, sum: &mut f64) {
        let lanes: Eight = lanes.into();
        for lane in &lanes[self.rows.start - self.at..self.rows.end - self.at] {
            *sum += lane;
        }
    }
}

impl BlockWeights {
    /// Of rows with these weights, the first lane that of coordinate `at`.
    fn new(weights: &[f64], (rows, at): (Range<usize>, usize), half: usize, size: usize) -> Self {
        let weight = |i: usize, j: usize| match (j + half).checked_sub(i) {
            Some(d) if d <= 2 * half && j != i => weights[(i - rows.start) * (2 * half + 1) + d],
            _ => 0.0,
        };
        // Columns that no row reads are left out at both ends.
        let read = |j: &usize| rows.clone().any(|i| weight(i, *j) != 0.0);
        let from = rows.start.saturating_sub(half);
        let reached = from..size.min(rows.end + half);
        let first = reached.clone().find(read).unwrap_or(from);
        let end = reached.rev().find(read).map_or(first, |j| j + 1);
        let lanes = |of: &dyn Fn(usize) -> f64| {
            let mut lanes = [0.0; LANES];
            rows.clone().for_each(|i| lanes[i - at] = of(i));
            lanes
        };
        Self {
            columns: first..end,
            of_columns: (first..end).map(|j| lanes(&|i| weight(i, j))).collect(),
            sums: lanes(&|i| weights[(i - rows.start) * (2 * half + 1) + half]),
        }
    }

    /// K̃x, where `own` is x of the lanes.
    #[inline(always)]
    fn product<S: Simd>(&self, simd: S, own: f64x8<S>, x: &[f64]) -> f64x8<S> {
        let mut sum = f64x8::splat(simd, 0.0);
        for (weights, x) in self.of_columns.iter().zip(&x[self.columns.clone()]) {
            sum += f64x8::from_slice(simd, weights) * (f64x8::splat(simd, *x) - own);
        }
        sum + f64x8::from_slice(simd, &self.sums) * own
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use fearless_simd::{Level, dispatch};

    /// Blocks at both ends and all along, of weights that differ everywhere: the bits of the sum of each row.
    #[test]
    fn lanes_have_the_bits_of_single_rows() {
        let (half, h) = (2, 0.3);
        for (n, rows) in [(1, 0..1), (3, 0..3), (8, 0..8), (11, 0..2), (11, 9..11), (30, 3..25)] {
            let weights: Vec<f64> = (0..n * 5).map(|k| (k as f64 * 0.7).sin()).collect();
            let q: Vec<f64> = (0..n).map(|i| (i as f64 * 1.3).cos()).collect();
            let v: Vec<f64> = (0..n).map(|i| (i as f64 * 0.9).sin()).collect();
            let mut expected = v.clone();
            for i in rows.clone() {
                let row = &weights[i * 5..][..5];
                let mut sum = 0.0;
                for j in i.saturating_sub(half)..n.min(i + half + 1) {
                    sum += row[j + half - i] * (q[j] - q[i]);
                }
                expected[i] -= h * (sum + row[half] * q[i]);
            }
            let own = &weights[rows.start * 5..rows.end * 5];
            let mut found = v;
            for block in RowBlock::all(rows, (own, own), half, n) {
                dispatch!(Level::new(), simd => block.push(simd, h, &q, &mut found));
            }
            assert_eq!(found, expected);
        }
    }
}

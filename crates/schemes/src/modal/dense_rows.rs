//! Rows written out, padded like the state, four side by side, so that one pass over the state serves four of them.

use super::eights::{LANES, fold, padded};
use crate::instructions;
use fearless_simd::{Level, Simd, dispatch, f64x8, prelude::*};
use hamiltone_core::row::Row;
use std::sync::Arc;

/// How many rows share a pass.
const SIDE: usize = 4;

/// Rows scaled for a bank of modes.
#[derive(Clone, Debug)]
pub(crate) struct DenseRows {
    level: Level,
    count: usize,
    size: usize,
    /// By groups of four rows, eight coordinates of each in turn.
    weights: Arc<[f64]>,
}

impl DenseRows {
    /// These rows on `scale.len()` coordinates, each weight times its coordinate's scale.
    pub fn new<'a>(rows: impl Iterator<Item = &'a Row>, scale: &[f64]) -> Self {
        let size = padded(scale.len());
        let (mut count, mut weights) = (0, Vec::<f64>::new());
        for row in rows {
            if count % SIDE == 0 {
                weights.resize(weights.len() + SIDE * size, 0.0);
            }
            let (group, side) = (count / SIDE * SIDE * size, count % SIDE);
            for (i, w) in row.entries() {
                weights[group + (i / LANES * SIDE + side) * LANES + i % LANES] += w * scale[i];
            }
            count += 1;
        }
        Self { level: instructions::level(), count, size, weights: weights.into() }
    }

    /// `out` = C x, for all rows.
    pub fn all(&self, x: &[f64], out: &mut [f64]) {
        if self.count > 0 {
            dispatch!(self.level, simd => self.products(simd, x, out));
        }
    }

    /// c·x of these rows, in ascending order, into their places of `out`; two or more of a group share a pass.
    pub fn some(&self, which: &[usize], x: &[f64], out: &mut [f64]) {
        for rows in which.chunk_by(|i, j| i / SIDE == j / SIDE) {
            if let [row] = rows {
                out[*row] = self.dot(*row, x);
            } else {
                let group = rows[0] / SIDE;
                let values = dispatch!(self.level, simd => self.group(simd, group, x));
                rows.iter().for_each(|&row| out[row] = values[row % SIDE]);
            }
        }
    }

    /// c·x of row j.
    pub fn dot(&self, j: usize, x: &[f64]) -> f64 {
        dispatch!(self.level, simd => self.product(simd, j, x))
    }

    /// x += a·c of row j.
    pub fn add(&self, j: usize, a: f64, x: &mut [f64]) {
        for (x, w) in x.as_chunks_mut::<LANES>().0.iter_mut().zip(self.row(j)) {
            x.iter_mut().zip(w).for_each(|(x, w)| *x += a * w);
        }
    }

    /// Σ|cᵢ|(|xᵢ| + |yᵢ| + …) of row j, `parts` being x, y, ….
    pub fn magnitude<const N: usize>(&self, j: usize, parts: [&[f64]; N]) -> f64 {
        dispatch!(self.level, simd => self.size(simd, j, parts))
    }

    /// The weights of row j, eight at a time.
    fn row(&self, j: usize) -> impl Iterator<Item = &[f64; LANES]> {
        let group = &self.weights[j / SIDE * SIDE * self.size..][..SIDE * self.size];
        group.as_chunks().0.iter().skip(j % SIDE).step_by(SIDE)
    }

    #[inline(always)]
    fn products<S: Simd>(&self, simd: S, x: &[f64], out: &mut [f64]) {
        simd.vectorize(
            #[inline(always)]
            || {
                let groups = self.weights.chunks_exact(SIDE * self.size);
                for (out, group) in out[..self.count].chunks_mut(SIDE).zip(groups) {
                    let sums = sums(simd, group, x);
                    out.iter_mut().zip(sums).for_each(|(out, sum)| *out = fold(sum.into()));
                }
            },
        )
    }

    /// c·x of the rows of a group.
    #[inline(always)]
    fn group<S: Simd>(&self, simd: S, group: usize, x: &[f64]) -> [f64; SIDE] {
        simd.vectorize(
            #[inline(always)]
            || {
                let weights = &self.weights[group * SIDE * self.size..][..SIDE * self.size];
                sums(simd, weights, x).map(|sum| fold(sum.into()))
            },
        )
    }

    #[inline(always)]
    fn product<S: Simd>(&self, simd: S, j: usize, x: &[f64]) -> f64 {
        simd.vectorize(
            #[inline(always)]
            || {
                let mut sum = f64x8::splat(simd, 0.0);
                for (x, w) in x.as_chunks::<LANES>().0.iter().zip(self.row(j)) {
                    sum += f64x8::from_slice(simd, x) * f64x8::from_slice(simd, w);
                }
                fold(sum.into())
            },
        )
    }

    #[inline(always)]
    fn size<S: Simd, const N: usize>(&self, simd: S, j: usize, parts: [&[f64]; N]) -> f64 {
        simd.vectorize(
            #[inline(always)]
            || {
                let mut total = f64x8::splat(simd, 0.0);
                for (k, w) in self.row(j).enumerate() {
                    let mut size = f64x8::splat(simd, 0.0);
                    for part in parts {
                        size += f64x8::from_slice(simd, &part[k * LANES..][..LANES]).abs();
                    }
                    total += f64x8::from_slice(simd, w).abs() * size;
                }
                fold(total.into())
            },
        )
    }
}

/// The partial sums of c·x of the rows of a group with these weights.
#[inline(always)]
fn sums<S: Simd>(simd: S, weights: &[f64], x: &[f64]) -> [f64x8<S>; SIDE] {
    let mut sums = [f64x8::splat(simd, 0.0); SIDE];
    for (x, w) in x.as_chunks::<LANES>().0.iter().zip(weights.as_chunks::<{ SIDE * LANES }>().0) {
        let x = f64x8::from_slice(simd, x);
        for (side, sum) in sums.iter_mut().enumerate() {
            *sum += x * f64x8::from_slice(simd, &w[side * LANES..][..LANES]);
        }
    }
    sums
}

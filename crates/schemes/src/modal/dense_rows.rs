//! Rows written out, padded like the state, four side by side, so that one pass over the state serves four of them.

use super::eights::{LANES, padded, zeros};
use crate::instructions;
use fearless_simd::{Level, Simd, dispatch, f64x8, prelude::*};
use hamiltone_core::row::Row;
use hamiltone_numerics::{aligned::Aligned, lanes::fold};
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
    weights: Arc<Aligned>,
}

impl DenseRows {
    /// These rows on `scale.len()` coordinates, each weight times its coordinate's scale.
    pub fn new<'a>(rows: impl Iterator<Item = &'a Row>, scale: &[f64]) -> Self {
        let (rows, size): (Vec<&Row>, usize) = (rows.collect(), padded(scale.len()));
        let mut weights = zeros(rows.len().next_multiple_of(SIDE) * size);
        for (j, row) in rows.iter().enumerate() {
            let (group, side) = (j / SIDE * SIDE * size, j % SIDE);
            for (i, w) in row.entries() {
                weights[group + (i / LANES * SIDE + side) * LANES + i % LANES] += w * scale[i];
            }
        }
        Self { level: instructions::level(), count: rows.len(), size, weights: weights.into() }
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
        dispatch!(self.level, simd => self.push(simd, j, a, x));
    }

    /// x += Σ a_j c_j of these (j, a_j), in ascending order; two or more of a group share a pass.
    pub fn add_all(&self, rows: impl Iterator<Item = (usize, f64)>, x: &mut [f64]) {
        let (mut group, mut count, mut last, mut forces) = (0, 0, 0, [0.0; SIDE]);
        let mut flush = |group: usize, count: usize, last: usize, forces: [f64; SIDE]| match count {
            0 => {}
            1 => self.add(last, forces[last % SIDE], x),
            _ => dispatch!(self.level, simd => self.push_group(simd, group, forces, x)),
        };
        for (row, force) in rows {
            if row / SIDE != group {
                flush(group, count, last, forces);
                (group, count, forces) = (row / SIDE, 0, [0.0; SIDE]);
            }
            (last, count) = (row, count + 1);
            forces[row % SIDE] = force;
        }
        flush(group, count, last, forces);
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
    fn push<S: Simd>(&self, simd: S, j: usize, a: f64, x: &mut [f64]) {
        simd.vectorize(
            #[inline(always)]
            || {
                let a = f64x8::splat(simd, a);
                for (x, w) in x.as_chunks_mut::<LANES>().0.iter_mut().zip(self.row(j)) {
                    let sum = f64x8::from_slice(simd, x) + a * f64x8::from_slice(simd, w);
                    sum.store_array(x);
                }
            },
        );
    }

    #[inline(always)]
    fn push_group<S: Simd>(&self, simd: S, group: usize, forces: [f64; SIDE], x: &mut [f64]) {
        simd.vectorize(
            #[inline(always)]
            || {
                let weights = &self.weights[group * SIDE * self.size..][..SIDE * self.size];
                let forces = forces.map(|force| f64x8::splat(simd, force));
                let weights = weights.as_chunks::<{ SIDE * LANES }>().0;
                for (x, w) in x.as_chunks_mut::<LANES>().0.iter_mut().zip(weights) {
                    let mut sum = f64x8::from_slice(simd, x);
                    for (side, force) in forces.iter().enumerate() {
                        sum += *force * f64x8::from_slice(simd, &w[side * LANES..][..LANES]);
                    }
                    sum.store_array(x);
                }
            },
        );
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

#[cfg(test)]
mod tests {
    use super::*;

    /// Row after row, coordinate after coordinate.
    #[test]
    fn rows_are_added_in_their_order() {
        let (size, scale): (usize, Vec<f64>) = (19, (0..19).map(|i| 1.0 + 0.1 * f64::from(i)).collect());
        let weight = |j: usize, i: usize| ((3 + j * 7 + i * 5) as f64).sin();
        let rows: Vec<Row> =
            (0..7).map(|j| Row::Sparse((0..size).map(|i| (i, weight(j, i))).collect())).collect();
        let dense = DenseRows::new(rows.iter(), &scale);
        for which in [&[][..], &[2], &[0, 1], &[3, 4, 6], &[0, 1, 2, 3, 4, 5, 6]] {
            let start: Vec<f64> =
                (0..padded(size)).map(|i| if i < size { 0.3 * i as f64 } else { 0.0 }).collect();
            let (mut x, mut exact) = (start.clone(), start);
            dense.add_all(which.iter().map(|&j| (j, 0.7 - j as f64)), &mut x);
            for &j in which {
                (0..size).for_each(|i| exact[i] += (0.7 - j as f64) * (weight(j, i) * scale[i]));
            }
            assert_eq!(x, exact, "{which:?}");
        }
    }
}

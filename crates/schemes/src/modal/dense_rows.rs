//! Rows written out, padded like the state. Any four of them share a pass, so that the state is loaded once for all four.
//!
//! Each row is summed by itself in eight lanes: its value does not depend on which rows are read with it.

use super::eights::{LANES, padded, zeros};
use crate::instructions;
use fearless_simd::{Level, Simd, dispatch, f64x8, prelude::*};
use hamiltone_core::row::Row;
use hamiltone_numerics::{aligned::Aligned, lanes::fold};
use std::sync::Arc;

/// How many rows share a pass: their sums, the state and a weight fill the sixteen registers of AVX2.
const SIDE: usize = 4;

/// Three or four rows as four, the last one twice: it costs no memory traffic.
fn filled(rows: &[usize]) -> [usize; SIDE] {
    std::array::from_fn(|k| rows[k.min(rows.len() - 1)])
}

/// Rows scaled for a bank of modes.
#[derive(Clone, Debug)]
pub(crate) struct DenseRows {
    level: Level,
    size: usize,
    /// Row after row.
    weights: Arc<Aligned>,
}

impl DenseRows {
    /// These rows on `scale.len()` coordinates, each weight times its coordinate's scale.
    pub fn new<'a>(rows: impl Iterator<Item = &'a Row>, scale: &[f64]) -> Self {
        let (rows, size): (Vec<&Row>, usize) = (rows.collect(), padded(scale.len()));
        let mut weights = zeros(rows.len() * size);
        // Chunks of no numbers are not allowed, and without coordinates there are none.
        for (row, weights) in rows.iter().zip(weights.chunks_exact_mut(size.max(1))) {
            row.for_each(|i, w| weights[i] += w * scale[i]);
        }
        Self { level: instructions::level(), size, weights: weights.into() }
    }

    /// c·x of these rows into their places of `out`.
    pub fn some(&self, which: &[usize], x: &[f64], out: &mut [f64]) {
        for rows in which.chunks(SIDE) {
            match *rows {
                [a] => self.read([a], x, out),
                [a, b] => self.read([a, b], x, out),
                _ => self.read(filled(rows), x, out),
            }
        }
    }

    /// c·x and Σ|cᵢ|(|xᵢ| + |yᵢ|) of these rows into their places of `out` and `sizes`.
    pub fn some_with_sizes(&self, which: &[usize], [x, y]: [&[f64]; 2], out: &mut [f64], sizes: &mut [f64]) {
        for rows in which.chunks(SIDE) {
            match *rows {
                [a] => self.read_with_sizes([a], [x, y], out, sizes),
                [a, b] => self.read_with_sizes([a, b], [x, y], out, sizes),
                _ => self.read_with_sizes(filled(rows), [x, y], out, sizes),
            }
        }
    }

    fn read<const N: usize>(&self, which: [usize; N], x: &[f64], out: &mut [f64]) {
        let rows = which.map(|j| self.row(j));
        let values = dispatch!(self.level, simd => self.products(simd, rows, x));
        which.into_iter().zip(values).for_each(|(row, value)| out[row] = value);
    }

    fn read_with_sizes<const N: usize>(
        &self,
        which: [usize; N],
        [x, y]: [&[f64]; 2],
        out: &mut [f64],
        sizes: &mut [f64],
    ) {
        let rows = which.map(|j| self.row(j));
        let values = dispatch!(self.level, simd => self.products_with_sizes(simd, rows, x, y));
        for ((row, value), size) in which.into_iter().zip(values.0).zip(values.1) {
            (out[row], sizes[row]) = (value, size);
        }
    }

    /// c·x of row j.
    pub fn dot(&self, j: usize, x: &[f64]) -> f64 {
        let [value] = dispatch!(self.level, simd => self.products(simd, [self.row(j)], x));
        value
    }

    /// The weights of row j, padded like the state.
    pub fn weights_of(&self, j: usize) -> &[f64] {
        &self.weights[j * self.size..][..self.size]
    }

    /// Replaces a weight of row j.
    pub fn set_weight(&mut self, j: usize, i: usize, weight: f64) {
        Arc::make_mut(&mut self.weights)[j * self.size + i] = weight;
    }

    /// x += a·c of row j.
    pub fn add(&self, j: usize, a: f64, x: &mut [f64]) {
        self.add_some([j], [a], x);
    }

    fn add_some<const N: usize>(&self, which: [usize; N], forces: [f64; N], x: &mut [f64]) {
        let rows = which.map(|j| self.row(j));
        dispatch!(self.level, simd => self.push(simd, rows, forces, x));
    }

    /// x += Σ a_j c_j of these (j, a_j), in their order.
    pub fn add_all(&self, mut rows: impl Iterator<Item = (usize, f64)>, x: &mut [f64]) {
        while let Some((first, force)) = rows.next() {
            // Sums of four rows are those of one after the other, so that the bits do not depend on how they are grouped.
            // A row that fills up the four has no force.
            let (mut numbers, mut forces, mut count) = ([first; SIDE], [0.0; SIDE], 1);
            forces[0] = force;
            for (row, force) in rows.by_ref().take(SIDE - 1) {
                (numbers[count], forces[count]) = (row, force);
                count += 1;
            }
            match count {
                1 => self.add_some([first], [force], x),
                2 => self.add_some([numbers[0], numbers[1]], [forces[0], forces[1]], x),
                _ => self.add_some(numbers, forces, x),
            }
        }
    }

    /// Σ|cᵢ|(|xᵢ| + |yᵢ| + …) of row j, `parts` being x, y, ….
    pub fn magnitude<const N: usize>(&self, j: usize, parts: [&[f64]; N]) -> f64 {
        dispatch!(self.level, simd => self.size(simd, j, parts))
    }

    /// The weights of row j, eight at a time.
    fn row(&self, j: usize) -> &[[f64; LANES]] {
        self.weights_of(j).as_chunks().0
    }

    /// c·x of up to four rows.
    #[inline(always)]
    fn products<S: Simd, const N: usize>(&self, simd: S, rows: [&[[f64; LANES]]; N], x: &[f64]) -> [f64; N] {
        simd.vectorize(
            #[inline(always)]
            || {
                let mut sums = [f64x8::splat(simd, 0.0); N];
                let x = x.as_chunks::<LANES>().0;
                // Cut to one length, so that bounds are checked once and not in the loop.
                let rows = rows.map(|row| &row[..x.len()]);
                for (k, x) in x.iter().enumerate() {
                    // Products and sums are rounded apart: a fused operation would differ on processors without one.
                    let x = f64x8::from_slice(simd, x);
                    for (sum, row) in sums.iter_mut().zip(rows) {
                        *sum += x * f64x8::from_slice(simd, &row[k]);
                    }
                }
                sums.map(|sum| fold(sum.into()))
            },
        )
    }

    /// c·x and Σ|cᵢ|(|xᵢ| + |yᵢ|) of up to four rows.
    #[inline(always)]
    fn products_with_sizes<S: Simd, const N: usize>(
        &self,
        simd: S,
        rows: [&[[f64; LANES]]; N],
        x: &[f64],
        y: &[f64],
    ) -> ([f64; N], [f64; N]) {
        simd.vectorize(
            #[inline(always)]
            || {
                let zero = f64x8::splat(simd, 0.0);
                let (mut sums, mut sizes) = ([zero; N], [zero; N]);
                let (x, y) = (x.as_chunks::<LANES>().0, y.as_chunks::<LANES>().0);
                let rows = rows.map(|row| &row[..x.len()]);
                for (k, (x, y)) in x.iter().zip(y).enumerate() {
                    let (x, y) = (f64x8::from_slice(simd, x), f64x8::from_slice(simd, y));
                    let size = x.abs() + y.abs();
                    for ((sum, total), row) in sums.iter_mut().zip(&mut sizes).zip(rows) {
                        let w = f64x8::from_slice(simd, &row[k]);
                        *sum += x * w;
                        *total += w.abs() * size;
                    }
                }
                (sums.map(|sum| fold(sum.into())), sizes.map(|size| fold(size.into())))
            },
        )
    }

    /// x += Σ forces_k rows_k.
    #[inline(always)]
    fn push<S: Simd, const N: usize>(
        &self,
        simd: S,
        rows: [&[[f64; LANES]]; N],
        forces: [f64; N],
        x: &mut [f64],
    ) {
        simd.vectorize(
            #[inline(always)]
            || {
                let x = x.as_chunks_mut::<LANES>().0;
                // Cut to one length, so that bounds are checked once and not in the loop.
                let rows = rows.map(|row| &row[..x.len()]);
                for (k, x) in x.iter_mut().enumerate() {
                    let mut sum = f64x8::from_slice(simd, x);
                    for (row, force) in rows.iter().zip(forces) {
                        sum += f64x8::splat(simd, force) * f64x8::from_slice(simd, &row[k]);
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
                for (k, w) in self.row(j).iter().enumerate() {
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

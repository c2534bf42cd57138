//! Symmetric band matrices and their LDLᵀ factorisation.
//!
//!   A = L D Lᵀ,  L unit lower triangular of the same half bandwidth b.
//!
//! No pivoting: the matrices that a step solves are positive definite
//! (A = M + R̂ + K̂), where it is not needed; on indefinite ones the signs of D
//! count the eigenvalues below zero (Sylvester's law of inertia).

use crate::row::Row;
use std::ops::Range;

/// The number of rows after which a new factorisation is compared with the one it may have become equal to again.
const RECOVERY: usize = 8;

/// A symmetric matrix of half bandwidth b: entries (i, j) with |i − j| ≤ b.
#[derive(Clone, Debug, PartialEq)]
pub struct Band {
    size: usize,
    half: usize,
    /// Row-major lower part: entry (i, i − d) at `i·(half + 1) + d`.
    lower: Vec<f64>,
}

impl Band {
    /// The zero matrix of `size` rows and half bandwidth `half`.
    pub fn zero(size: usize, half: usize) -> Self {
        // A wider band would have entries outside of the matrix only.
        let half = half.min(size.saturating_sub(1));
        Self { size, half, lower: vec![0.0; size * (half + 1)] }
    }

    /// The number of rows.
    pub fn size(&self) -> usize {
        self.size
    }

    /// The half bandwidth b.
    pub fn half_bandwidth(&self) -> usize {
        self.half
    }

    /// Entry (i, j) of the lower triangle, j ≤ i.
    pub fn get(&self, i: usize, j: usize) -> f64 {
        if i - j > self.half { 0.0 } else { self.lower[i * (self.half + 1) + (i - j)] }
    }

    /// The rows of the lower triangle from the diagonal backwards, b + 1 entries each, those before the first column 0.
    pub(crate) fn rows(&self) -> impl Iterator<Item = &[f64]> {
        self.lower.chunks_exact(self.half + 1)
    }

    /// Adds to entry (i, j) of the lower triangle, j ≤ i ≤ j + b.
    pub fn add(&mut self, i: usize, j: usize, value: f64) {
        self.lower[i * (self.half + 1) + (i - j)] += value;
    }

    /// Adds weight·c cᵀ for a row c that spans no more than the band.
    pub fn add_square(&mut self, weight: f64, row: &Row) {
        match row {
            Row::Sparse(entries) => {
                for &(i, wi) in entries {
                    // Sparse entries may be in any order: only a filter finds those with j ≤ i.
                    for &(j, wj) in entries.iter().filter(|&&(j, _)| j <= i) {
                        self.add(i, j, weight * wi * wj);
                    }
                }
            }
            Row::Dense { .. } | Row::Sine(_) => {
                for (i, wi) in row.entries() {
                    // These entries ascend, so that those of the lower triangle come first.
                    for (j, wj) in row.entries().take_while(|&(j, _)| j <= i) {
                        self.add(i, j, weight * wi * wj);
                    }
                }
            }
        }
    }

    /// Takes the rows from `first` on from a matrix of the same shape.
    pub fn copy_rows(&mut self, from: &Band, first: usize) {
        let at = first * (self.half + 1);
        self.lower[at..].copy_from_slice(&from.lower[at..]);
    }

    /// The same matrix in a band of half bandwidth `half`, at least its own.
    pub fn widened(&self, half: usize) -> Self {
        let mut wide = Self::zero(self.size, half.max(self.half));
        for (to, from) in
            wide.lower.chunks_exact_mut(wide.half + 1).zip(self.lower.chunks_exact(self.half + 1))
        {
            // A row is stored from the diagonal backwards: the entries of the wider band stand at its end and stay 0.
            to[..from.len()].copy_from_slice(from);
        }
        wide
    }

    /// Factors A = LDLᵀ.
    pub fn factor(self) -> Factored {
        let size = self.size;
        let mut factored = Factored(self);
        factored.eliminate(0..size);
        factored
    }
}

/// A factored matrix, ready to solve: D on the diagonal, L below it.
#[derive(Clone, Debug)]
pub struct Factored(Band);

#[cfg(test)]
thread_local! {
    /// How many solves this thread has made: what preparing a solver takes is tested by counting.
    pub(crate) static SOLVES: std::cell::Cell<usize> = const { std::cell::Cell::new(0) };
}

/// Calls a function with the half bandwidth as a constant where it is small: its loops unroll.
macro_rules! by_width {
    ($half:expr, $function:ident($($argument:expr),*)) => {
        match $half {
            1 => $function::<1>($($argument),*),
            2 => $function::<2>($($argument),*),
            3 => $function::<3>($($argument),*),
            4 => $function::<4>($($argument),*),
            5 => $function::<5>($($argument),*),
            _ => $function::<0>($($argument),*),
        }
    };
}
pub(crate) use by_width;

impl Factored {
    /// Factors `matrix`, of the same shape, which differs from the one factored in `like` in the rows `changed` only.
    ///
    /// The rows before `changed` are copied. The others are factored anew until b rows in succession agree with `like` to the
    /// last bit: then all later rows agree, too, and are copied.
    pub fn refactor(&mut self, matrix: &Band, like: &Factored, changed: Range<usize>) {
        let (width, size) = (matrix.half + 1, matrix.size);
        let at = changed.start * width;
        // Row i of the factors depends on rows up to i of A only: those before the change are the same.
        self.0.lower[..at].copy_from_slice(&like.0.lower[..at]);
        self.0.lower[at..].copy_from_slice(&matrix.lower[at..]);
        self.eliminate(changed.start..changed.end);
        let mut done = changed.end;
        while done < size {
            // The comparison needs b rows behind the change; in narrow bands a few more keep comparisons rare.
            let next = (done + matrix.half.max(RECOVERY)).min(size);
            self.eliminate(done..next);
            done = next;
            // The recurrence reads the b rows before. Where these agree in all bits, so do all that follow,
            // since A is the same there.
            let last = (done - matrix.half) * width..done * width;
            if self.0.lower[last.clone()] == like.0.lower[last] {
                self.0.lower[done * width..].copy_from_slice(&like.0.lower[done * width..]);
                break;
            }
        }
    }

    fn eliminate(&mut self, rows: Range<usize>) {
        let Band { half, lower, .. } = &mut self.0;
        if *half > 0 {
            by_width!(*half, eliminate(lower, rows.end, *half, rows.start));
        }
    }

    /// x ← A⁻¹x.
    #[inline]
    pub fn solve(&self, x: &mut [f64]) {
        #[cfg(test)]
        SOLVES.with(|solves| solves.set(solves.get() + 1));
        let Band { half, lower, .. } = &self.0;
        if *half == 0 {
            x.iter_mut().zip(lower).for_each(|(x, d)| *x /= d);
        } else {
            by_width!(*half, substitute(lower, *half, x));
        }
    }

    /// D, where there is no L.
    pub(crate) fn diagonal(&self) -> Option<&[f64]> {
        (self.0.half == 0).then_some(&self.0.lower)
    }

    /// The number of rows.
    pub fn size(&self) -> usize {
        self.0.size
    }

    /// The half bandwidth b.
    pub fn half_bandwidth(&self) -> usize {
        self.0.half
    }

    /// l_ij of L, j < i ≤ j + b.
    pub(crate) fn factor_entry(&self, i: usize, j: usize) -> f64 {
        self.0.get(i, j)
    }

    /// d_i of D.
    pub(crate) fn pivot(&self, i: usize) -> f64 {
        self.0.get(i, i)
    }

    /// The pivots D: positive exactly when A is positive definite.
    pub fn pivots(&self) -> impl Iterator<Item = f64> + '_ {
        self.0.lower.iter().step_by(self.0.half + 1).copied()
    }
}

/// LDLᵀ of the rows from `first` up to `size`, row by row: with t_j = l_ij d_j,
/// t_j = a_ij − Σ_{k<j} l_jk t_k, d_i = a_ii − Σ l_ij t_j. B is the half bandwidth, 0 where it is large.
fn eliminate<const B: usize>(lower: &mut [f64], size: usize, half: usize, first: usize) {
    let b = if B == 0 { half } else { B };
    let width = b + 1;
    for i in first..size {
        let (done, row) = lower.split_at_mut(i * width);
        let row = &mut row[..width];
        let reach = if i >= b { b } else { i };
        // Entry (i, i − d) is row[d]: first t, then l.
        for d in (1..=reach).rev() {
            let above = &done[(i - d) * width..][..width];
            let mut t = row[d];
            for k in d + 1..=reach {
                t -= above[k - d] * row[k];
            }
            row[d] = t;
        }
        let mut pivot = row[0];
        for d in (1..=reach).rev() {
            let t = row[d];
            // Only now: the sums above need t = l d of this row.
            let l = t / done[(i - d) * width];
            row[d] = l;
            pivot -= l * t;
        }
        row[0] = pivot;
    }
}

/// x ← (L D Lᵀ)⁻¹x. Entries of L left of the first column are stored as 0, so that every row is alike.
fn substitute<const B: usize>(lower: &[f64], half: usize, x: &mut [f64]) {
    if B == 0 {
        return substitute_wide(lower, half, x);
    }
    let rows = || lower.chunks_exact(B + 1);
    let mut recent = [0.0; B];
    for (x, row) in x.iter_mut().zip(rows()) {
        // Older values first: only the last product waits for the row before, which shortens the recurrence.
        let taken = (1..B).rev().map(|d| row[d + 1] * recent[d]).sum::<f64>();
        let sum = (*x - taken) - row[1] * recent[0];
        (1..B).rev().for_each(|d| recent[d] = recent[d - 1]);
        recent[0] = sum;
        *x = sum;
    }
    x.iter_mut().zip(rows()).for_each(|(x, row)| *x /= row[0]);
    // What the rows below take from this one and those above it.
    let mut taken = [0.0; B];
    for (x, row) in x.iter_mut().zip(rows()).rev() {
        *x -= taken[0];
        (0..B - 1).for_each(|d| taken[d] = taken[d + 1] + row[d + 1] * *x);
        taken[B - 1] = row[B] * *x;
    }
}

fn substitute_wide(lower: &[f64], half: usize, x: &mut [f64]) {
    let (width, size) = (half + 1, x.len());
    for i in 0..size {
        let (done, rest) = x.split_at_mut(i);
        let row = &lower[i * width + 1..][..half.min(i)];
        rest[0] -= row.iter().zip(done.iter().rev()).map(|(l, x)| l * x).sum::<f64>();
    }
    x.iter_mut().zip(lower.iter().step_by(width)).for_each(|(x, d)| *x /= d);
    for i in (0..size).rev() {
        let (above, rest) = x.split_at_mut(i);
        let row = &lower[i * width + 1..][..half.min(i)];
        row.iter().zip(above.iter_mut().rev()).for_each(|(l, x)| *x -= l * rest[0]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn solves_what_it_factored() {
        (1..=5).for_each(|b| solves(9, b));
    }

    /// Of a matrix that differs in two rows, among few that follow and among many, after which the factors are the same again.
    #[test]
    fn factors_anew_what_changes_only() {
        for (n, half) in [(20, 1), (20, 2), (20, 5), (400, 1), (400, 2), (400, 5)] {
            let mut a = Band::zero(n, half);
            for i in 0..n {
                a.add(i, i, 4.0 + (i as f64).sin());
                (1..=half.min(i)).for_each(|d| a.add(i, i - d, -0.5 / d as f64));
            }
            let base = a.clone().factor();
            let mut loaded = a.clone();
            (10..12).for_each(|i| loaded.add(i, i, 7.0));
            let mut found = base.clone();
            found.refactor(&loaded, &base, 10..12);
            assert_eq!(found.0, loaded.factor().0, "{n} {half}");
            assert_ne!(found.0, base.0);
        }
    }

    fn solves(n: usize, b: usize) {
        let mut a = Band::zero(n, b);
        for i in 0..n {
            a.add(i, i, 4.0 + i as f64);
            (1..=b.min(i)).for_each(|d| a.add(i, i - d, -1.0 / (d as f64 + 0.3 * i as f64)));
        }
        let x: Vec<f64> = (0..n).map(|i| 1.0 - 0.4 * i as f64).collect();
        let mut rhs = vec![0.0; n];
        for (i, rhs) in rhs.iter_mut().enumerate() {
            *rhs = x.iter().enumerate().map(|(j, x)| a.get(i.max(j), i.min(j)) * x).sum();
        }
        let mut factored = a.clone().factor();
        let before = factored.clone();
        factored.refactor(&a, &before, n / 2..n);
        assert_eq!(factored.0, before.0);
        factored.solve(&mut rhs);
        // Well conditioned (diagonally dominant): a few eps.
        rhs.iter().zip(&x).for_each(|(a, b)| assert!((a - b).abs() < 1e-14, "{a} {b}"));
    }
}

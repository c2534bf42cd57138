//! Solves with a factored band matrix, split into eight parts that run side by side in lanes.
//!
//! The substitutions of A = LDLᵀ are recurrences, each row of which waits for the one before. Here the rows are cut into eight
//! parts of m rows (and at most seven rows behind them), and each part is first solved as if its neighbours were 0:
//!
//!   L_c z = b_c,   D_c L_cᵀ u = z,   x_c = u + F_c t_c + G_c r_c
//!
//! t_c are the last h values of L⁻¹b before the part, r_c the first h of x behind it, h the half bandwidth. F_c and G_c, m × h,
//! are the response of the part to these, computed once. t goes from part to part forwards by the last rows of L_c⁻¹, r backwards by
//! the first rows of F_c and G_c, h² operations each (the SPIKE algorithm: Polizzi & Sameh 2006, with the factors of the whole
//! matrix).
//!
//! A row of all parts is a vector. Eight rows of each part are read at once and transposed; in between they stand, row p of
//! eight, in the p-th part's place.

use crate::banded::Factored;
use fearless_simd::{Simd, f64x8, prelude::*};
use std::array::from_fn;

/// Parts, one a lane.
const PARTS: usize = 8;
/// Wider bands are not split.
const WIDEST: usize = 4;
/// Parts of fewer rows are not worth it.
const FEWEST: usize = 4;
/// Influences below this are 0: products of such numbers would be subnormal, which is slow.
const NEGLIGIBLE: f64 = 1e-100;

/// A number of each part, in one line of the cache.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
struct PartRow([f64; PARTS]);

impl PartRow {
    #[inline(always)]
    fn load<S: Simd>(&self, simd: S) -> f64x8<S> {
        f64x8::from_slice(simd, &self.0)
    }
}

/// L and D by parts, and the influence of each part on its neighbours.
#[derive(Clone, Debug)]
pub(crate) struct SplitBand {
    half: usize,
    /// m.
    rows: usize,
    /// l_{p,p−d} of each part at p·h + d − 1, 0 where it reaches into the part before and for h rows behind the last.
    lower: Vec<PartRow>,
    /// 1/d of each part.
    inverse: Vec<PartRow>,
    /// How the last h rows of L_c⁻¹ answer to t_c, [k][j] of each part.
    transfer: Vec<[[f64; WIDEST]; WIDEST]>,
    /// F and G row by row: the entries for t₀, r₀, t₁, r₁ ….
    influence: Vec<PartRow>,
    /// The rows behind the parts: l at d − 1, and 1/d.
    behind: Vec<([f64; WIDEST], f64)>,
}

impl SplitBand {
    /// The factors in parts; `None` where the band is too wide, a diagonal, or too short.
    pub fn new(factored: &Factored) -> Option<Self> {
        let (half, size) = (factored.half_bandwidth(), factored.size());
        let rows = size / PARTS;
        // A diagonal has no recurrence to be split.
        if half == 0 || half > WIDEST || rows < FEWEST {
            return None;
        }
        let l = |i: usize, d: usize| if d <= half && d <= i { factored.factor_entry(i, i - d) } else { 0.0 };
        // Entries that reach into the part before are left out: their effect is that of t.
        let entry = |p: usize, d: usize| -> PartRow {
            PartRow(from_fn(|c| if p < rows && d <= p { l(c * rows + p, d) } else { 0.0 }))
        };
        let lower = (0..rows + half).flat_map(|p| (1..=half).map(move |d| entry(p, d))).collect();
        let inverse = (0..rows).map(|p| PartRow(from_fn(|c| 1.0 / factored.pivot(c * rows + p)))).collect();
        let behind = PARTS * rows..size;
        let mut split = Self {
            half,
            rows,
            lower,
            inverse,
            transfer: vec![[[0.0; WIDEST]; WIDEST]; PARTS],
            influence: vec![PartRow([0.0; PARTS]); 2 * half * rows],
            behind: behind.map(|i| (from_fn(|d| l(i, d + 1)), 1.0 / factored.pivot(i))).collect(),
        };
        let mut part = vec![0.0; rows];
        for c in 0..PARTS {
            let first = c * rows;
            for j in 0..half {
                // t_c = unit j: row p < h sees the values that lie p + 1 … h before it.
                let before = |p: usize| if j + p < half { -l(first + p, j + p + 1) } else { 0.0 };
                part.iter_mut().enumerate().for_each(|(p, x)| *x = before(p));
                for p in 0..rows {
                    let known: f64 = (1..=half.min(p)).map(|d| l(first + p, d) * part[p - d]).sum();
                    part[p] -= known;
                }
                // Before the division by D, as t are values of L⁻¹b.
                (0..half).for_each(|k| split.transfer[c][k][j] = settled(part[rows - 1 - k]));
                part.iter_mut().enumerate().for_each(|(p, x)| *x /= factored.pivot(first + p));
                split.backward(factored, c, &mut part);
                split.keep(c, 2 * j, &part);
                // r_c = unit j: the last h rows see it.
                let next = |p: usize| {
                    let d = first + rows + j - (first + p);
                    if d <= half && first + rows + j < size { -l(first + rows + j, d) } else { 0.0 }
                };
                part.iter_mut().enumerate().for_each(|(p, x)| *x = next(p));
                split.backward(factored, c, &mut part);
                split.keep(c, 2 * j + 1, &part);
            }
        }
        Some(split)
    }

    /// L_c⁻ᵀ of part c, without what is negligible.
    fn backward(&self, factored: &Factored, c: usize, part: &mut [f64]) {
        let first = c * self.rows;
        for p in (0..self.rows).rev() {
            for d in 1..=self.half.min(self.rows - 1 - p) {
                part[p] -= factored.factor_entry(first + p + d, first + p) * part[p + d];
            }
        }
        part.iter_mut().for_each(|x| *x = settled(*x));
    }

    /// The column of this number of F and G of part c.
    fn keep(&mut self, c: usize, number: usize, column: &[f64]) {
        for (row, x) in self.influence.chunks_exact_mut(2 * self.half).zip(column) {
            row[number].0[c] = *x;
        }
    }

    /// x ← A⁻¹x.
    #[inline(always)]
    pub fn solve<S: Simd>(&self, simd: S, x: &mut [f64]) {
        match self.half {
            1 => self.solve_of::<S, 1>(simd, x),
            2 => self.solve_of::<S, 2>(simd, x),
            3 => self.solve_of::<S, 3>(simd, x),
            _ => self.solve_of::<S, 4>(simd, x),
        }
    }

    #[inline(always)]
    fn solve_of<S: Simd, const H: usize>(&self, simd: S, x: &mut [f64]) {
        let (x, behind) = x.split_at_mut(PARTS * self.rows);
        let mut parts = Parts::of(x, self.rows);
        let last = self.forward::<S, H>(simd, &mut parts);
        // t_c of the parts and, at the end, of the rows behind them.
        let mut before = [[0.0; H]; PARTS + 1];
        for c in 0..PARTS {
            for k in 0..H {
                // In the order of the parts: the last values of each contain those of all before.
                let mut transferred = 0.0;
                for (answer, t) in self.transfer[c][k].iter().zip(&before[c]) {
                    transferred += answer * t;
                }
                before[c + 1][k] = last[k][c] + transferred;
            }
        }
        let mut next = self.solve_behind::<H>(before[PARTS], behind);
        let first = self.substitute_back::<S, H>(simd, &mut parts);
        let rows = self.influence.chunks_exact(2 * H);
        let mut beside = [[0.0; PARTS]; WIDEST * 2];
        // From the last part on: each needs the first rows of x in the part behind it.
        for c in (0..PARTS).rev() {
            for j in 0..H {
                (beside[2 * j][c], beside[2 * j + 1][c]) = (before[c][j], next[j]);
            }
            for (k, row) in rows.clone().take(H).enumerate() {
                let mut sum = row[0].0[c] * beside[0][c];
                for j in 1..2 * H {
                    sum += row[j].0[c] * beside[j][c];
                }
                next[k] = first[k][c] + sum;
            }
        }
        self.influence_of::<S, H>(simd, &beside, &mut parts);
    }

    /// x ← D⁻¹L_c⁻¹x of all parts, eights of rows transposed; the last H values before D⁻¹, the latest first.
    #[inline(always)]
    fn forward<S: Simd, const H: usize>(&self, simd: S, x: &mut Parts<'_>) -> [[f64; PARTS]; H] {
        let (inverse, lower) = (&self.inverse[..self.rows], &self.lower.as_chunks::<H>().0[..self.rows]);
        let mut recent = [f64x8::splat(simd, 0.0); H];
        let mut p = 0;
        for b in 0..x.count {
            let rows = transposed(x.eights(simd, b));
            for (k, row) in rows.into_iter().enumerate() {
                substitute(simd, row, &lower[p], &mut recent);
                // D⁻¹ is applied in passing; the recurrence goes on without it.
                (recent[0] * inverse[p].load(simd)).store_array(&mut x.whole[k][b]);
                p += 1;
            }
        }
        // Rows behind the last eight, gathered one by one.
        for i in 0..self.rows - p {
            substitute(simd, x.rest(simd, i), &lower[p + i], &mut recent);
            x.set_rest(i, recent[0] * inverse[p + i].load(simd));
        }
        recent.map(Into::into)
    }

    /// x ← L_c⁻ᵀx of all parts, eights of rows transposed; their first H values.
    #[inline(always)]
    fn substitute_back<S: Simd, const H: usize>(&self, simd: S, x: &mut Parts<'_>) -> [[f64; PARTS]; H] {
        let lower = &self.lower.as_chunks::<H>().0[..self.rows + H];
        let mut recent = [f64x8::splat(simd, 0.0); H];
        let whole = PARTS * x.count;
        for p in (whole..self.rows).rev() {
            substitute(simd, x.rest(simd, p - whole), &answer(lower, p), &mut recent);
            x.set_rest(p - whole, recent[0]);
        }
        let mut p = whole;
        for b in (0..x.count).rev() {
            for k in (0..PARTS).rev() {
                p -= 1;
                let row = f64x8::from_slice(simd, &x.whole[k][b]);
                substitute(simd, row, &answer(lower, p), &mut recent);
                recent[0].store_array(&mut x.whole[k][b]);
            }
        }
        recent.map(Into::into)
    }

    /// x ← x + F_c t_c + G_c r_c of all parts, t₀, r₀, t₁ … being `beside`, and the rows in their places again.
    #[inline(always)]
    fn influence_of<S: Simd, const H: usize>(
        &self,
        simd: S,
        beside: &[[f64; PARTS]; 2 * WIDEST],
        x: &mut Parts<'_>,
    ) {
        let beside: [f64x8<S>; 2 * WIDEST] = beside.map(|x| f64x8::from_slice(simd, &x));
        for b in 0..x.count {
            let mut rows = x.eights(simd, b);
            for (k, row) in rows.iter_mut().enumerate() {
                *row += self.influence_on::<S, H>(simd, &beside, PARTS * b + k);
            }
            // The second transposition puts the rows back to their places.
            for (row, part) in transposed(rows).into_iter().zip(&mut x.whole) {
                row.store_array(&mut part[b]);
            }
        }
        let whole = PARTS * x.count;
        for i in 0..self.rows - whole {
            x.set_rest(i, x.rest(simd, i) + self.influence_on::<S, H>(simd, &beside, whole + i));
        }
    }

    /// Row p of F_c t_c + G_c r_c.
    #[inline(always)]
    fn influence_on<S: Simd, const H: usize>(
        &self,
        simd: S,
        beside: &[f64x8<S>; 2 * WIDEST],
        p: usize,
    ) -> f64x8<S> {
        let row = &self.influence[2 * H * p..][..2 * H];
        let mut sum = row[0].load(simd) * beside[0];
        for j in 1..2 * H {
            sum += row[j].load(simd) * beside[j];
        }
        sum
    }

    /// The rows behind the parts, after the values `recent` of L⁻¹b, the latest first; their first H, 0 where there are fewer.
    #[inline(always)]
    fn solve_behind<const H: usize>(&self, mut recent: [f64; H], x: &mut [f64]) -> [f64; H] {
        for (x, (l, inverse)) in x.iter_mut().zip(&self.behind) {
            let mut sum = *x;
            (0..H).rev().for_each(|d| sum -= l[d] * recent[d]);
            (1..H).rev().for_each(|d| recent[d] = recent[d - 1]);
            recent[0] = sum;
            *x = sum * inverse;
        }
        for p in (0..x.len()).rev() {
            for d in 1..=H.min(x.len() - 1 - p) {
                x[p] -= self.behind[p + d].0[d - 1] * x[p + d];
            }
        }
        from_fn(|k| x.get(k).copied().unwrap_or(0.0))
    }
}

/// The rows of all parts, eight at a time, and those behind.
struct Parts<'a> {
    /// How many eights a part has.
    count: usize,
    whole: [&'a mut [[f64; PARTS]]; PARTS],
    rest: [&'a mut [f64]; PARTS],
}

impl<'a> Parts<'a> {
    /// Of m rows each.
    #[inline(always)]
    fn of(x: &'a mut [f64], m: usize) -> Self {
        let count = m / PARTS;
        let (mut whole, mut rest): ([&mut [_]; PARTS], [&mut [_]; PARTS]) = Default::default();
        for ((whole, rest), part) in whole.iter_mut().zip(&mut rest).zip(x.chunks_exact_mut(m)) {
            let (eights, behind) = part.as_chunks_mut();
            (*whole, *rest) = (&mut eights[..count], &mut behind[..m % PARTS]);
        }
        Self { count, whole, rest }
    }

    /// What stands in the b-th eights.
    #[inline(always)]
    fn eights<S: Simd>(&self, simd: S, b: usize) -> [f64x8<S>; PARTS] {
        let mut eights = [f64x8::splat(simd, 0.0); PARTS];
        for (eight, part) in eights.iter_mut().zip(&self.whole) {
            *eight = f64x8::from_slice(simd, &part[b]);
        }
        eights
    }

    /// The i-th row behind the eights.
    #[inline(always)]
    fn rest<S: Simd>(&self, simd: S, i: usize) -> f64x8<S> {
        let row: [f64; PARTS] = from_fn(|c| self.rest[c][i]);
        f64x8::from_slice(simd, &row)
    }

    #[inline(always)]
    fn set_rest<S: Simd>(&mut self, i: usize, row: f64x8<S>) {
        let row: [f64; PARTS] = row.into();
        for (part, x) in self.rest.iter_mut().zip(row) {
            part[i] = x;
        }
    }
}

/// A row of a substitution, less what the `recent` ones make of it, the latest first, among which it goes.
#[inline(always)]
fn substitute<S: Simd, const H: usize>(simd: S, row: f64x8<S>, l: &[PartRow; H], recent: &mut [f64x8<S>; H]) {
    let mut sum = row;
    for d in (0..H).rev() {
        sum -= l[d].load(simd) * recent[d];
    }
    for d in (1..H).rev() {
        recent[d] = recent[d - 1];
    }
    recent[0] = sum;
}

/// The entries of L below the diagonal in column p.
#[inline(always)]
fn answer<const H: usize>(lower: &[[PartRow; H]], p: usize) -> [PartRow; H] {
    from_fn(|d| lower[p + d + 1][d])
}

/// Eight rows of eight as columns: each of three interleavings moves the address of every number, row and column in six binary
/// digits, round by one digit.
#[inline(always)]
fn transposed<S: Simd>(mut x: [f64x8<S>; PARTS]) -> [f64x8<S>; PARTS] {
    for _ in 0..PARTS.ilog2() {
        let (y0, y1) = x[0].interleave(x[4]);
        let (y2, y3) = x[1].interleave(x[5]);
        let (y4, y5) = x[2].interleave(x[6]);
        let (y6, y7) = x[3].interleave(x[7]);
        x = [y0, y1, y2, y3, y4, y5, y6, y7];
    }
    x
}

/// x, or 0 where it is negligible.
fn settled(x: f64) -> f64 {
    if x.abs() < NEGLIGIBLE { 0.0 } else { x }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::banded::Band;
    use fearless_simd::{Level, dispatch};

    /// The same as the substitutions of the whole, for bands of all widths that are split, and all numbers of rows behind the parts.
    #[test]
    fn agrees_with_the_substitution_of_the_whole() {
        for half in 1..=WIDEST {
            for n in (32..=48).chain([203, 1000]) {
                let mut band = Band::zero(n, half);
                for i in 0..n {
                    // Far from diagonally dominant: A is 1 + 50 times a difference operator.
                    band.add(i, i, 1.0 + 0.01 * (i as f64).sin());
                    for d in 1..=half.min(i) {
                        let weight = 50.0 / d as f64 * (1.5 + (i as f64 * 0.7).cos());
                        band.add(i, i, weight);
                        band.add(i - d, i - d, weight);
                        band.add(i, i - d, -weight);
                    }
                }
                let factored = band.factor();
                let split = SplitBand::new(&factored).unwrap();
                let given: Vec<f64> = (0..n).map(|i| (i as f64 * 1.3).sin() + 0.2).collect();
                let (mut whole, mut parts) = (given.clone(), given);
                factored.solve(&mut whole);
                dispatch!(Level::baseline(), simd => split.solve(simd, &mut parts));
                let size = whole.iter().fold(0.0, |size: f64, x| size.max(x.abs()));
                for (i, (a, b)) in whole.iter().zip(&parts).enumerate() {
                    // Condition some 1e3.
                    assert!((a - b).abs() < 2e-13 * size, "h = {half}, n = {n}, row {i}: {a} {b}");
                }
            }
        }
    }

    #[test]
    fn narrow_long_bands_are_split_and_no_others() {
        let identity = |n: usize, half: usize| {
            let mut band = Band::zero(n, half);
            (0..n).for_each(|i| band.add(i, i, 1.0));
            SplitBand::new(&band.factor()).is_some()
        };
        assert!(identity(32, 1) && identity(50, 4));
        assert!(!identity(31, 1) && !identity(50, 0) && !identity(50, 5));
    }
}

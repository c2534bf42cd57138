//! Solves with a factored band matrix, split into eight parts that run side by side in lanes.
//!
//! The substitutions of A = LDLᵀ are recurrences, each row of which waits for the one before. Here the rows are cut into eight
//! parts of m rows (and at most seven rows behind them), and each part is first solved as if its neighbours were 0:
//!
//!   L_c z = b_c,   D_c L_cᵀ u = z,   x_c = u + F_c t_c + G_c r_c
//!
//! t_c are the last h values of L⁻¹b before the part, r_c the first h of x behind it, h the half bandwidth. F_c and G_c, m × h,
//! are what these do to the part: they are kept. t goes from part to part forwards by the last rows of L_c⁻¹, r backwards by the
//! first rows of F_c and G_c, h² operations each (the SPIKE algorithm: Polizzi & Sameh 2006, with the factors of the whole matrix).

use crate::banded::Factored;
use std::array::from_fn;

/// Parts, one a lane.
const PARTS: usize = 8;
/// Wider bands are not split.
const WIDEST: usize = 4;
/// Parts of fewer rows are not worth it.
const FEWEST: usize = 4;
/// Influences below this are 0: products of such numbers would be subnormal, which is slow.
const NEGLIGIBLE: f64 = 1e-100;

type Eight = [f64; PARTS];

/// L and D by parts, and what parts do to their neighbours.
#[derive(Clone, Debug)]
pub(crate) struct SplitBand {
    half: usize,
    /// m.
    rows: usize,
    /// l_{p,p−d} of each part at p·h + d − 1, 0 where it reaches into the part before and for h rows behind the last.
    lower: Vec<Eight>,
    /// 1/d of each part.
    inverse: Vec<Eight>,
    /// How the last h rows of L_c⁻¹ answer to t_c, [k][j] of each part.
    carry: Vec<[[f64; WIDEST]; WIDEST]>,
    /// F and G: a column of all parts for each of t₀ …, then of r₀ ….
    influence: Vec<Vec<f64>>,
    /// The rows behind the parts: l at d − 1, and 1/d.
    behind: Vec<([f64; WIDEST], f64)>,
}

impl SplitBand {
    /// The factors in parts; `None` where the band is too wide, a diagonal, or too short.
    pub fn new(factored: &Factored) -> Option<Self> {
        let (half, size) = (factored.half_bandwidth(), factored.size());
        let rows = size / PARTS;
        if half == 0 || half > WIDEST || rows < FEWEST {
            return None;
        }
        let l = |i: usize, d: usize| if d <= half && d <= i { factored.factor_entry(i, i - d) } else { 0.0 };
        let entry = |p: usize, d: usize| -> Eight {
            from_fn(|c| if p < rows && d <= p { l(c * rows + p, d) } else { 0.0 })
        };
        let lower = (0..rows + half).flat_map(|p| (1..=half).map(move |d| entry(p, d))).collect();
        let inverse = (0..rows).map(|p| from_fn(|c| 1.0 / factored.pivot(c * rows + p))).collect();
        let behind = PARTS * rows..size;
        let mut split = Self {
            half,
            rows,
            lower,
            inverse,
            carry: vec![[[0.0; WIDEST]; WIDEST]; PARTS],
            influence: vec![vec![0.0; PARTS * rows]; 2 * half],
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
                (0..half).for_each(|k| split.carry[c][k][j] = settled(part[rows - 1 - k]));
                part.iter_mut().enumerate().for_each(|(p, x)| *x /= factored.pivot(first + p));
                split.backward(factored, c, &mut part);
                split.influence[j][first..first + rows].copy_from_slice(&part);
                // r_c = unit j: the last h rows see it.
                let next = |p: usize| {
                    let d = first + rows + j - (first + p);
                    if d <= half && first + rows + j < size { -l(first + rows + j, d) } else { 0.0 }
                };
                part.iter_mut().enumerate().for_each(|(p, x)| *x = next(p));
                split.backward(factored, c, &mut part);
                split.influence[half + j][first..first + rows].copy_from_slice(&part);
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

    /// x ← A⁻¹x.
    #[inline(always)]
    pub fn solve(&self, x: &mut [f64]) {
        match self.half {
            1 => self.solve_of::<1>(x),
            2 => self.solve_of::<2>(x),
            3 => self.solve_of::<3>(x),
            _ => self.solve_of::<4>(x),
        }
    }

    #[inline(always)]
    fn solve_of<const H: usize>(&self, x: &mut [f64]) {
        let m = self.rows;
        let (x, behind) = x.split_at_mut(PARTS * m);
        let last = self.forward::<H>(x);
        // t_c of the parts and, at the end, of the rows behind them.
        let mut before = [[0.0; H]; PARTS + 1];
        for c in 0..PARTS {
            before[c + 1] = from_fn(|k| {
                let carried: f64 = (0..H).map(|j| self.carry[c][k][j] * before[c][j]).sum();
                last[k][c] + carried
            });
        }
        let mut next = self.solve_behind::<H>(before[PARTS], behind);
        self.substitute_back::<H>(x);
        let influence: [&[f64]; WIDEST * 2] =
            from_fn(|j| self.influence.get(j).map_or(&[][..], |column| &column[..PARTS * m]));
        for c in (0..PARTS).rev() {
            let (t, r) = (before[c], next);
            let column = |j: usize| &influence[j][c * m..][..m];
            let (of_t, of_r): ([&[f64]; H], [&[f64]; H]) = (from_fn(column), from_fn(|j| column(H + j)));
            let part = &mut x[c * m..][..m];
            for p in 0..m {
                let mut sum = 0.0;
                for j in 0..H {
                    sum += of_t[j][p] * t[j];
                    sum += of_r[j][p] * r[j];
                }
                part[p] += sum;
            }
            next = from_fn(|k| part[k]);
        }
    }

    /// x ← D⁻¹L_c⁻¹x of all parts; the last H values before D⁻¹, the latest first.
    #[inline(always)]
    fn forward<const H: usize>(&self, x: &mut [f64]) -> [Eight; H] {
        let m = self.rows;
        let (inverse, lower) = (&self.inverse[..m], &self.lower.as_chunks::<H>().0[..m]);
        let x = parts(x, m);
        let mut recent = [[0.0; PARTS]; H];
        for p in 0..m {
            let (l, inverse) = (&lower[p], &inverse[p]);
            let mut sum: Eight = from_fn(|c| x[c][p]);
            for d in (0..H).rev() {
                for c in 0..PARTS {
                    sum[c] -= l[d][c] * recent[d][c];
                }
            }
            for d in (1..H).rev() {
                recent[d] = recent[d - 1];
            }
            recent[0] = sum;
            for c in 0..PARTS {
                x[c][p] = sum[c] * inverse[c];
            }
        }
        recent
    }

    /// x ← L_c⁻ᵀx of all parts.
    #[inline(always)]
    fn substitute_back<const H: usize>(&self, x: &mut [f64]) {
        let m = self.rows;
        let lower = &self.lower.as_chunks::<H>().0[..m + H];
        let x = parts(x, m);
        let mut recent = [[0.0; PARTS]; H];
        for p in (0..m).rev() {
            let mut sum: Eight = from_fn(|c| x[c][p]);
            for d in (0..H).rev() {
                let l = &lower[p + d + 1][d];
                for c in 0..PARTS {
                    sum[c] -= l[c] * recent[d][c];
                }
            }
            for d in (1..H).rev() {
                recent[d] = recent[d - 1];
            }
            recent[0] = sum;
            for c in 0..PARTS {
                x[c][p] = sum[c];
            }
        }
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

/// The parts, of m rows each.
#[inline(always)]
fn parts(mut x: &mut [f64], m: usize) -> [&mut [f64]; PARTS] {
    from_fn(|_| {
        let (part, behind) = std::mem::take(&mut x).split_at_mut(m);
        x = behind;
        part
    })
}

/// x, or 0 where it is negligible.
fn settled(x: f64) -> f64 {
    if x.abs() < NEGLIGIBLE { 0.0 } else { x }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::banded::Band;

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
                split.solve(&mut parts);
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

//! Matrices with a narrow band and a few far couplings: A = B + Σ wⱼ cⱼcⱼᵀ, wⱼ ≥ 0.
//!
//! A spring between the ends of a string and a body beside it would fill the whole band. By Woodbury's formula
//!
//!   A⁻¹ = B⁻¹ − U S⁻¹Uᵀ,   U = B⁻¹C W^½,   S = I + W^½CᵀB⁻¹C W^½ = LLᵀ
//!
//! only B is factored. Where a coupling is stiff, wᵢcᵢᵀB⁻¹cᵢ ≫ 1, a solve loses as many digits; the schemes then refine
//! it iteratively.

use crate::{
    banded::{Band, Factored},
    operator::Operator,
    row::Row,
    split_solve::SplitBand,
};
use fearless_simd::{Level, Simd, dispatch};

/// More far couplings than this go into the band after all.
pub const MAX_RANK: usize = 16;
/// Strains that reach at most so far always belong into the band: the widest stencil of a body, of a thick bar's two
/// fields, reaches 5 coordinates, and links inside one body that reach little farther cost less there than as updates.
const NARROW: usize = 8;
/// Systems of at most so many coordinates keep everything in the band: a full solve of 32 costs about as much as one
/// narrow solve with its update.
const SMALL: usize = 32;

/// The least c·A⁻¹c, as a part of c·B⁻¹c, for which the difference is used: five digits remain then.
const MIN_REMAINDER: f64 = 1e-10;

/// A term factor·O of a matrix: the number of O's first coordinate, O and its factor.
pub type Term<'a> = (usize, &'a Operator, f64);

/// B and the far couplings (wⱼ, cⱼ).
#[derive(Clone, Debug, PartialEq)]
pub struct UpdatedBand {
    /// B.
    pub band: Band,
    /// (wⱼ, cⱼ), at most [`MAX_RANK`].
    pub far: Vec<(f64, Row)>,
}

impl UpdatedBand {
    /// diag(`diagonal`) + Σ factor·O, at most `max_rank` strains between far coordinates kept out of the band.
    pub fn assemble(
        diagonal: impl ExactSizeIterator<Item = f64>,
        terms: &[Term<'_>],
        max_rank: usize,
    ) -> Self {
        let (size, terms) = (diagonal.len(), || terms.iter().filter(|(_, _, factor)| *factor != 0.0));
        // The band has this width from the grids alone: strains that reach no farther cost nothing in it.
        let natural = terms().map(|(_, operator, _)| operator.narrow_half_bandwidth()).max().unwrap_or(0);
        let mut far: Vec<(f64, Row)> = Vec::new();
        for (first, operator, factor) in terms() {
            let strains = operator.strains_beyond(natural.max(NARROW));
            far.extend(strains.map(|(w, row)| (factor * w, row.moved(*first))));
        }
        // A small matrix's band is narrow enough, and many far couplings cost more than a wide one.
        let limit = if size <= SMALL || far.len() > max_rank {
            far.clear();
            usize::MAX
        } else {
            natural.max(NARROW)
        };
        let half = terms().map(|(_, operator, _)| operator.half_bandwidth_within(limit)).max();
        let mut band = Band::zero(size, half.unwrap_or(0));
        diagonal.enumerate().for_each(|(i, value)| band.add(i, i, value));
        for (first, operator, factor) in terms() {
            operator.assemble_within(limit, *factor, *first, &mut band);
        }
        Self { band, far }
    }

    /// aᵢᵢ.
    pub fn diagonal(&self, i: usize) -> f64 {
        let far = self.far.iter().map(|(w, row)| w * row.weight(i) * row.weight(i));
        self.band.get(i, i) + far.sum::<f64>()
    }

    /// Ready to solve.
    pub fn factor(self) -> Solver {
        let band = self.band.factor();
        let (weights, rows): (Vec<f64>, Vec<Row>) = self.far.into_iter().unzip();
        let mut update = Update::new(rows, band.size());
        update.set(|i| weights[i], |x| band.solve(x));
        Solver { split: SplitBand::new(&band), band, update }
    }
}

/// A factored matrix.
#[derive(Clone, Debug)]
pub struct Solver {
    band: Factored,
    /// The same in parts, where the band is narrow and long.
    split: Option<SplitBand>,
    update: Update,
}

impl Solver {
    /// x ← A⁻¹x.
    pub fn solve(&self, x: &mut [f64]) {
        dispatch!(Level::baseline(), simd => self.solve_in_lanes(simd, x));
    }

    /// The same in lanes of the instruction set that the caller is compiled for.
    #[inline(always)]
    pub fn solve_in_lanes<S: Simd>(&self, simd: S, x: &mut [f64]) {
        match &self.split {
            Some(split) => split.solve(simd, x),
            None => self.band.solve(x),
        }
        // At most MAX_RANK couplings: their room is on the stack, so that a solve does not allocate.
        if !self.update.rows.is_empty() {
            self.update.apply(x, &mut [0.0; MAX_RANK]);
        }
    }

    /// The diagonal of A, where it has no other entries.
    pub fn diagonal(&self) -> Option<&[f64]> {
        self.band.diagonal().filter(|_| self.update.rows.is_empty())
    }

    /// c·A⁻¹c of each row: of those within the band from the entries of B⁻¹ there, without a solve,
    ///
    ///   c·A⁻¹c = c·B⁻¹c − |L⁻¹Uᵀc|²
    ///
    /// The other rows, and rows for which stiff couplings leave too few digits in this difference, take a solve each.
    pub fn compliances(&self, rows: &[Row]) -> Vec<f64> {
        let inverse = self.band.selected_inverse();
        let mut column = Vec::new();
        let mut of = |row: &Row| {
            // Only entries of the inverse within the band are known.
            if row.spread() <= self.band.half_bandwidth() {
                let alone = inverse.form(row);
                let compliance = alone - self.update.relief(row);
                if compliance >= MIN_REMAINDER * alone {
                    return compliance;
                }
            }
            column.clear();
            column.resize(self.band.size(), 0.0);
            row.add_scaled(1.0, &mut column);
            self.solve(&mut column);
            row.dot(&column)
        };
        rows.iter().map(&mut of).collect()
    }
}

/// The Woodbury correction: from B⁻¹ to A⁻¹.
#[derive(Clone, Debug)]
pub struct Update {
    rows: Vec<Row>,
    /// √wⱼ.
    roots: Vec<f64>,
    /// B⁻¹cⱼ√wⱼ.
    columns: Vec<Vec<f64>>,
    /// L, row-major.
    lower: Vec<f64>,
}

impl Update {
    /// The correction for these rows on `size` coordinates, all weights being 0.
    pub fn new(rows: Vec<Row>, size: usize) -> Self {
        let n = rows.len();
        Self { roots: vec![0.0; n], columns: vec![vec![0.0; size]; n], lower: vec![0.0; n * n], rows }
    }

    /// Takes up the weights wⱼ and B, by `solve`: x ← B⁻¹x.
    pub fn set(&mut self, weight: impl Fn(usize) -> f64, solve: impl Fn(&mut [f64])) {
        let n = self.rows.len();
        for i in 0..n {
            self.roots[i] = weight(i).sqrt();
            // Without weight a column keeps what it held: all that read columns check the root first.
            if self.roots[i] > 0.0 {
                self.columns[i].fill(0.0);
                self.rows[i].add_scaled(self.roots[i], &mut self.columns[i]);
                solve(&mut self.columns[i]);
            }
        }
        for i in 0..n {
            for k in 0..=i {
                // S is I in the rows of couplings without weight.
                let both = self.roots[i] > 0.0 && self.roots[k] > 0.0;
                let mut sum = if both { self.roots[i] * self.rows[i].dot(&self.columns[k]) } else { 0.0 };
                if i == k {
                    sum += 1.0;
                }
                for l in 0..k {
                    sum -= self.lower[i * n + l] * self.lower[k * n + l];
                }
                self.lower[i * n + k] = if i == k { sum.sqrt() } else { sum / self.lower[k * n + k] };
            }
        }
    }

    /// |L⁻¹Uᵀc|²: what the couplings take of c·B⁻¹c.
    fn relief(&self, row: &Row) -> f64 {
        let n = self.rows.len();
        let mut load = vec![0.0; n];
        for i in 0..n {
            let own = if self.roots[i] > 0.0 { row.dot(&self.columns[i]) } else { 0.0 };
            let known: f64 = load[..i].iter().enumerate().map(|(l, load)| self.lower[i * n + l] * load).sum();
            load[i] = (own - known) / self.lower[i * n + i];
        }
        load.iter().map(|load| load * load).sum()
    }

    /// x ← A⁻¹Bx, with room for a number a row in `load`.
    pub fn apply(&self, x: &mut [f64], load: &mut [f64]) {
        let n = self.rows.len();
        for i in 0..n {
            let mut z = if self.roots[i] > 0.0 { self.roots[i] * self.rows[i].dot(x) } else { 0.0 };
            for (l, load) in load[..i].iter().enumerate() {
                z -= self.lower[i * n + l] * load;
            }
            load[i] = z / self.lower[i * n + i];
        }
        for i in (0..n).rev() {
            for l in i + 1..n {
                load[i] -= self.lower[l * n + i] * load[l];
            }
            load[i] /= self.lower[i * n + i];
        }
        for ((column, root), load) in self.columns.iter().zip(&self.roots).zip(load) {
            if *root > 0.0 {
                x.iter_mut().zip(column).for_each(|(x, c)| *x -= *load * c);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The same system as a wide band.
    #[test]
    fn far_couplings_are_those_of_a_wide_band() {
        let n = 20;
        let mut narrow = Band::zero(n, 1);
        let mut wide = Band::zero(n, n - 1);
        for i in 0..n {
            [&mut narrow, &mut wide].into_iter().for_each(|a| a.add(i, i, 3.0));
            if i > 0 {
                [&mut narrow, &mut wide].into_iter().for_each(|a| a.add(i, i - 1, -1.0));
            }
        }
        let far = vec![
            (4.0, Row::Sparse(vec![(0, 1.0), (19, -1.0)])),
            (0.5, Row::Sparse(vec![(3, 0.3), (15, 1.0)])),
        ];
        far.iter().for_each(|(w, row)| wide.add_square(*w, row));
        let updated = UpdatedBand { band: narrow, far };
        assert_eq!(updated.diagonal(19), wide.get(19, 19));
        let mut x: Vec<f64> = (0..n).map(|i| (i as f64).sin()).collect();
        let mut y = x.clone();
        updated.factor().solve(&mut x);
        wide.factor().solve(&mut y);
        x.iter().zip(&y).for_each(|(x, y)| assert!((x - y).abs() < 1e-14, "{x} {y}"));
    }

    /// Of rows within the band, beyond it, and where a coupling is so stiff that it leaves nothing of c·B⁻¹c.
    #[test]
    fn compliances_are_those_of_solves() {
        let n = 12;
        let mut band = Band::zero(n, 2);
        for i in 0..n {
            band.add(i, i, 3.0);
            (1..=2.min(i)).for_each(|d| band.add(i, i - d, -0.5));
        }
        let stiff = Row::Sparse(vec![(9, 1.0)]);
        let far = vec![(4.0, Row::Sparse(vec![(0, 1.0), (n - 1, -1.0)])), (1e13, stiff.clone())];
        let solver = UpdatedBand { band, far }.factor();
        let mut rows: Vec<Row> = (0..n - 1).map(|i| Row::Sparse(vec![(i, 1.0), (i + 1, -0.4)])).collect();
        rows.push(Row::Sparse(vec![(1, 1.0), (7, -1.0)]));
        rows.push(stiff);
        let found = solver.compliances(&rows);
        for (row, found) in rows.iter().zip(found) {
            let mut column = vec![0.0; n];
            row.add_scaled(1.0, &mut column);
            solver.solve(&mut column);
            let solved = row.dot(&column);
            // The difference leaves five digits at least.
            assert!((found - solved).abs() <= 1e-5 * solved.abs(), "{row:?}: {found} {solved}");
        }
    }
}

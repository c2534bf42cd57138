//! The lowest eigenpairs of A = M^(−½) K M^(−½), by spectrum slicing and subspace iteration.
//!
//! 1. Counts of the eigenvalues below λ ([`Pencil::count_below`]) cut the spectrum at gaps into groups, each in an
//!    interval of width w with no other eigenvalue within 4w of it; most groups hold one eigenvalue, degenerate ones
//!    two or more.
//! 2. Each group is the limit of a subspace iteration with a shift σ near the middle of its interval, written as a
//!    correction with the residual,
//!
//!      Y ← Y − (A − σ)⁻¹(A Y − Y Θ),      Θ = the Ritz values of Y,
//!
//!    which equals the inverse iteration Y ← (A − σ)⁻¹ Y (Θ − σ) and contracts by 1/7 at least. The residual goes
//!    through the strains of K: where the iteration stops, its rounding is relative to the strains of each mode and not
//!    to the largest eigenvalue, which of a bar of 400 intervals is 10¹⁰ times the lowest.
//! 3. Rigid motions, whose strains are roundings of 0, get the eigenvalue 0.
//!
//! Everything is sums, products and square roots in a fixed order: the same bits on every machine.

use crate::{
    jacobi,
    pencil::{Pencil, Shifted},
};
use std::ops::Range;

/// A group is isolated where no other eigenvalue is within so many of its widths.
const ISOLATION: f64 = 4.0;
/// Larger groups are cut where they can be.
const GROUP: usize = 4;
/// The counts are certain this far from an eigenvalue, relative to the norm of the band: some roundings of a factor.
const CERTAIN: f64 = 64.0 * f64::EPSILON;
/// Where an interval is cut, the first place that is far from any eigenvalue.
const CUTS: [f64; 7] = [0.5, 0.44, 0.57, 0.37, 0.64, 0.29, 0.72];
/// Corrections of a group; of an isolated one the twentieth is a rounding.
const ITERATIONS: usize = 60;
/// A group has converged where its correction no longer falls and is below this, or below what rounding leaves of
/// vectors with near neighbours: so many times eps λ_max over the gap.
const CONVERGED: f64 = 1e-8;
const ROUNDINGS: f64 = 256.0;
/// A pass of Gram–Schmidt that took away less than this leaves nothing to a second.
const CLEAN: f64 = 1e-8;
/// Shifts from the middle of a group, as parts of the gap around it: beside its eigenvalues, where rounding does not
/// turn the vectors of degenerate ones about each other. Those after the first are for pivots that happen to vanish.
const SHIFTS: [f64; 5] = [1.0 / 32.0, -1.0 / 32.0, 1.0 / 20.0, -1.0 / 20.0, 1.0 / 48.0];

/// Eigenpairs in ascending order.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Eigenpairs {
    /// λ ≥ 0; exactly 0 of a rigid motion.
    pub values: Vec<f64>,
    /// y, orthonormal; the eigenvector of K x = λ M x is x = M^(−½)y.
    pub vectors: Vec<Vec<f64>>,
}

/// An interval that holds the eigenvalues of these indices.
#[derive(Clone, Debug)]
struct Interval {
    low: f64,
    high: f64,
    indices: Range<usize>,
    /// No other eigenvalue is nearer below and above.
    gaps: [f64; 2],
}

/// The `count` lowest eigenpairs; `None` where an iteration does not converge, as of numbers near overflow.
pub fn lowest(pencil: &Pencil<'_>, count: usize) -> Option<Eigenpairs> {
    let (n, count) = (pencil.size(), count.min(pencil.size()));
    let bound = pencil.bound();
    let mut pairs = Eigenpairs::default();
    if !bound.is_finite() || count == 0 {
        return bound.is_finite().then_some(pairs);
    }
    if bound == 0.0 {
        let unit = |i: usize| (0..n).map(|j| f64::from(u8::from(i == j))).collect();
        return Some(Eigenpairs { values: vec![0.0; count], vectors: (0..count).map(unit).collect() });
    }
    let (low, high) = (-CERTAIN * bound, bound * (1.0 + CERTAIN));
    let all = Interval { low, high, indices: 0..n, gaps: [f64::INFINITY; 2] };
    let mut groups = Vec::new();
    split(pencil, all, count, &mut groups);
    for group in groups {
        SHIFTS.iter().find_map(|part| converge(pencil, &group, *part, &mut pairs))?;
    }
    orthogonalise(&mut pairs.vectors)?;
    let mut sorted: Vec<(f64, Vec<f64>)> =
        pairs.vectors.drain(..).map(|y| (pencil.form(&y, &y), y)).collect();
    sorted.sort_by(|a, b| a.0.total_cmp(&b.0));
    sorted.truncate(count);
    (pairs.values, pairs.vectors) = sorted.into_iter().unzip();
    let rigid = pairs.vectors.iter().take_while(|y| pencil.rigid(y)).count();
    pairs.values[..rigid].fill(0.0);
    pairs.vectors.iter_mut().for_each(|y| fix_sign(y));
    Some(pairs)
}

/// Appends the isolated intervals that hold the eigenvalues of index below `count`.
fn split(pencil: &Pencil<'_>, interval: Interval, count: usize, groups: &mut Vec<Interval>) {
    let Interval { low, high, indices, .. } = &interval;
    if indices.is_empty() || indices.start >= count {
        return;
    }
    let (width, certain) = (high - low, CERTAIN * pencil.norm());
    if !(interval.isolated() && indices.len() <= GROUP) && width > 4.0 * certain {
        // A quarter of the mean distance at first, then narrower.
        let mut margin = 0.125 * width / (indices.len() + 1) as f64;
        while margin >= certain {
            if let Some([left, right]) = CUTS.iter().find_map(|cut| interval.cut(pencil, *cut, margin)) {
                split(pencil, left, count, groups);
                split(pencil, right, count, groups);
                return;
            }
            margin *= 0.25;
        }
    }
    groups.push(interval);
}

impl Interval {
    /// Whether no other eigenvalue is near.
    fn isolated(&self) -> bool {
        self.gaps.iter().all(|gap| *gap >= ISOLATION * (self.high - self.low))
    }

    /// Which of these ascending values are its own, rounded by less than half the gaps.
    fn own(&self, values: &[f64]) -> Range<usize> {
        let below = |limit: f64| values.iter().take_while(|value| **value < limit).count();
        below(self.low - 0.5 * self.gaps[0])..below(self.high + 0.5 * self.gaps[1])
    }

    /// Its parts below and above a place (0 to 1) that has no eigenvalue within `margin`.
    fn cut(&self, pencil: &Pencil<'_>, place: f64, margin: f64) -> Option<[Self; 2]> {
        let middle = self.low + place * (self.high - self.low);
        let [low, high] = [middle - margin, middle + margin];
        let Range { start, end } = self.indices;
        let index = pencil.count_below(low).clamp(start, end);
        if pencil.count_below(high).clamp(start, end) != index || low <= self.low || high >= self.high {
            return None;
        }
        let above = if index == end { self.gaps[1] + (self.high - low) } else { 2.0 * margin };
        let below = if index == start { self.gaps[0] + (high - self.low) } else { 2.0 * margin };
        let left = Self { high: low, indices: start..index, gaps: [self.gaps[0], above], ..*self };
        let right = Self { low: high, indices: index..end, gaps: [below, self.gaps[1]], ..*self };
        Some([left, right])
    }
}

/// Appends the vectors of a group, in ascending order; `None` where they do not converge.
fn converge(pencil: &Pencil<'_>, group: &Interval, part: f64, pairs: &mut Eigenpairs) -> Option<()> {
    let gap = group.gaps[0].min(group.gaps[1]).min(pencil.bound());
    let shifted = pencil.shifted(0.5 * (group.low + group.high) + part * gap);
    // Vectors beside those of a group that is not isolated take up its neighbours, which would hold it back.
    let guards = if group.isolated() { 0 } else { group.indices.len() + GROUP };
    let count = (group.indices.len() + guards).min(pencil.size());
    let mut vectors: Vec<Vec<f64>> =
        (0..count).map(|k| noise(pencil.size(), group.indices.start + k)).collect();
    let small = CONVERGED.max(ROUNDINGS * f64::EPSILON * pencil.bound() / gap).min(1e-3);
    let mut last = f64::INFINITY;
    for _ in 0..ITERATIONS {
        orthogonalise(&mut vectors)?;
        let values = rotate(pencil, &mut vectors);
        let sizes = correct(pencil, &shifted, &mut vectors, &values)?;
        let own = group.own(&values);
        let size = sizes[own.clone()].iter().copied().fold(0.0, f64::max);
        if own.len() == group.indices.len() && (size <= f64::EPSILON || (size <= small && size > 0.5 * last))
        {
            orthogonalise(&mut vectors)?;
            rotate(pencil, &mut vectors);
            pairs.vectors.extend(vectors.drain(own));
            return Some(());
        }
        last = size;
    }
    None
}

/// Subtracts (A − σ)⁻¹(A y − θ y) from each vector; the norms of these.
fn correct(
    pencil: &Pencil<'_>,
    shifted: &Shifted<'_>,
    vectors: &mut [Vec<f64>],
    values: &[f64],
) -> Option<Vec<f64>> {
    let mut sizes = Vec::with_capacity(vectors.len());
    for (y, value) in vectors.iter_mut().zip(values) {
        let mut residual = pencil.product(y);
        residual.iter_mut().zip(y.iter()).for_each(|(r, y)| *r -= value * y);
        shifted.solve(&mut residual);
        let size = dot(&residual, &residual).sqrt();
        if !size.is_finite() {
            return None;
        }
        sizes.push(size);
        y.iter_mut().zip(&residual).for_each(|(y, r)| *y -= r);
    }
    Some(sizes)
}

/// Rayleigh–Ritz: replaces orthonormal vectors by those of the same span that diagonalise A on it; their values.
fn rotate(pencil: &Pencil<'_>, vectors: &mut [Vec<f64>]) -> Vec<f64> {
    let n = vectors.len();
    if let [y] = &*vectors {
        return vec![pencil.form(y, y)];
    }
    let mut form = vec![0.0; n * n];
    for i in 0..n {
        for j in 0..=i {
            let value = pencil.form(&vectors[i], &vectors[j]);
            (form[i * n + j], form[j * n + i]) = (value, value);
        }
    }
    let (values, rotation) = jacobi::eigenpairs(form, n);
    combine(vectors, &rotation);
    values
}

/// Y ← Y V, V row-major.
pub fn combine(vectors: &mut [Vec<f64>], rotation: &[f64]) {
    let count = vectors.len();
    let mut old = vec![0.0; count];
    for i in 0..vectors.first().map_or(0, Vec::len) {
        old.iter_mut().zip(&*vectors).for_each(|(old, y)| *old = y[i]);
        for (k, y) in vectors.iter_mut().enumerate() {
            y[i] = old.iter().enumerate().map(|(j, old)| old * rotation[j * count + k]).sum();
        }
    }
}

/// Gram–Schmidt, twice where it changes a vector; `None` where one is a combination of those before it.
fn orthogonalise(vectors: &mut [Vec<f64>]) -> Option<()> {
    for k in 0..vectors.len() {
        let (done, rest) = vectors.split_at_mut(k);
        let y = &mut rest[0];
        for _ in 0..2 {
            normalise(y)?;
            let mut taken = 0.0_f64;
            for other in &*done {
                let part = dot(y, other);
                y.iter_mut().zip(other).for_each(|(y, other)| *y -= part * other);
                taken = taken.max(part.abs());
            }
            if taken <= CLEAN {
                break;
            }
        }
        // What the last pass leaves of a unit vector is nearly one.
        if dot(y, y) < 0.5 {
            return None;
        }
        normalise(y)?;
    }
    Some(())
}

fn normalise(y: &mut [f64]) -> Option<()> {
    let norm = dot(y, y).sqrt();
    y.iter_mut().for_each(|y| *y /= norm);
    (norm > 0.0 && norm.is_finite()).then_some(())
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    crate::lanes::sum(a.len(), |i| a[i] * b[i])
}

/// The first entry of at least half the largest magnitude becomes positive.
fn fix_sign(y: &mut [f64]) {
    let largest = y.iter().fold(0.0_f64, |largest, y| largest.max(y.abs()));
    if y.iter().find(|y| y.abs() >= 0.5 * largest).is_some_and(|y| *y < 0.0) {
        y.iter_mut().for_each(|y| *y = -*y);
    }
}

/// Numbers in [−1, 1) that have no pattern: the split-mix generator.
fn noise(n: usize, seed: usize) -> Vec<f64> {
    let mut state = seed as u64;
    let mut next = || {
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = (state ^ (state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
    };
    (0..n).map(|_| next()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{operator::Operator, row::Row};
    use std::f64::consts::PI;

    /// Residuals relative to the bound, and orthonormality.
    fn check(pencil: &Pencil<'_>, pairs: &Eigenpairs) {
        for (k, (value, y)) in pairs.values.iter().zip(&pairs.vectors).enumerate() {
            let residual = pencil.product(y).iter().zip(y).map(|(p, y)| (p - value * y).powi(2)).sum::<f64>();
            assert!(residual.sqrt() < 1e-13 * pencil.bound(), "{k}: {:e}", residual.sqrt());
            for (j, other) in pairs.vectors[..=k].iter().enumerate() {
                assert!((dot(y, other) - f64::from(u8::from(j == k))).abs() < 1e-14, "{j} {k}");
            }
        }
    }

    /// A hinged bar of unit length and mass: λ_k = (2 sin(kπh/2)/h)⁴, of which the highest is 10¹⁰ times the lowest.
    #[test]
    fn low_modes_of_stiff_grids_are_accurate() {
        let n = 600;
        let h = 1.0 / (n + 1) as f64;
        let curvature = |l: usize| {
            let near = [(l.wrapping_sub(1), 1.0), (l, -2.0), (l + 1, 1.0)];
            Row::Sparse(near.into_iter().filter(|(i, _)| *i < n).map(|(i, w)| (i, w / h / h)).collect())
        };
        let stiffness = Operator::Strains((0..n).map(|l| (h, curvature(l))).collect());
        let mass = vec![h; n];
        let pencil = Pencil::new(&mass, [(0, &stiffness)]);
        let pairs = lowest(&pencil, 40).unwrap();
        check(&pencil, &pairs);
        for (k, (value, y)) in pairs.values.iter().zip(&pairs.vectors).enumerate() {
            let wave = (k + 1) as f64 * PI;
            let exact = (2.0 * (0.5 * wave * h).sin() / h).powi(4);
            assert!((value / exact - 1.0).abs() < 1e-12, "{k}: {:e}", value / exact - 1.0);
            let largest = (2.0 * h).sqrt();
            for (i, y) in y.iter().enumerate() {
                let shape = largest * (wave * (i + 1) as f64 * h).sin();
                assert!((y.abs() - shape.abs()).abs() < 1e-10 * largest, "mode {k} at {i}: {y} {shape}");
            }
        }
    }

    /// A ring of n equal masses and springs: one rigid motion, pairs 4 sin²(πk/n).
    #[test]
    fn rings_have_pairs_and_a_rigid_motion() {
        let n = 48;
        let strain = |i: usize| (1.0, Row::Sparse(vec![(i, 1.0), ((i + 1) % n, -1.0)]));
        let stiffness = Operator::Strains((0..n).map(strain).collect());
        let mass = vec![1.0; n];
        let pencil = Pencil::new(&mass, [(0, &stiffness)]);
        let pairs = lowest(&pencil, n).unwrap();
        check(&pencil, &pairs);
        assert_eq!(pairs.values[0], 0.0);
        for (k, value) in pairs.values.iter().enumerate() {
            let exact = 4.0 * (PI * k.div_ceil(2) as f64 / n as f64).sin().powi(2);
            assert!((value - exact).abs() < 1e-14 * pencil.bound(), "{k}: {value} {exact}");
        }
    }

    /// Without springs, and with one coordinate.
    #[test]
    fn smallest_systems() {
        let free = lowest(&Pencil::new(&[2.0, 3.0], []), 2).unwrap();
        assert_eq!((free.values, free.vectors), (vec![0.0; 2], vec![vec![1.0, 0.0], vec![0.0, 1.0]]));
        let spring = Operator::Diagonal(vec![6.0]);
        let one = lowest(&Pencil::new(&[2.0], [(0, &spring)]), 1).unwrap();
        assert!((one.values[0] - 3.0).abs() < 1e-15 && one.vectors == [[1.0]]);
    }
}

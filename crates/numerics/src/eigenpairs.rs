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

mod groups;
mod isolated;
mod vectors;

pub use vectors::combine;

use crate::{
    jacobi,
    lanes::LANES,
    pencil::{Pencil, Shifted},
};
use groups::{Interval, groups};
use isolated::Isolated;
use vectors::{dot, fix_sign, noise, orthogonalise};

/// Corrections of a group; of an isolated one the twentieth is a rounding.
const ITERATIONS: usize = 200;
/// A group has converged where its correction is below this,
const CONVERGED: f64 = 1e-13;
/// or was not halved in so many iterations, being below [`FINE`] or [`USABLE`]: the rounding of vectors with near
/// neighbours or of stiff grids. The ratio of a slow convergence is below ½^(1/8) = 0.92 a step.
const PATIENCE: [usize; 2] = [2, 8];
const FINE: f64 = 1e-10;
const USABLE: f64 = 1e-4;
/// Vectors beside those of a group that is not isolated, and one more for each of its own.
const GUARDS: usize = 4;
/// Shifts from the middle of a group, as parts of the gap around it: beside its eigenvalues, where rounding does not
/// turn the vectors of degenerate ones about each other. Those after the first are for pivots that happen to vanish.
const SHIFTS: [f64; 5] = [1.0 / 32.0, -1.0 / 32.0, 1.0 / 20.0, -1.0 / 20.0, 1.0 / 48.0];

/// Beyond this [`Pencil::spread`] the counts of eigenvalues, certain to some eps of the largest one, no longer tell the
/// low ones apart, so that groups become large and slow, and from 10¹³ on the rounding of a stiff strain is not small
/// against the other energies.
const MAX_SPREAD: f64 = 1e9;

/// The largest group. Where more eigenvalues lie within rounding of each other, as the bending modes of a bar whose shear modes are
/// 10¹³ times higher, they would be found slowly if at all: each of up to [`ITERATIONS`] rotations takes the cube of the size, and
/// of twice the size with guards.
const LARGEST: usize = 48;

/// Eigenpairs in ascending order.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Eigenpairs {
    /// λ ≥ 0; exactly 0 of a rigid motion.
    pub values: Vec<f64>,
    /// y, orthonormal; the eigenvector of K x = λ M x is x = M^(−½)y.
    pub vectors: Vec<Vec<f64>>,
}

/// The `count` lowest eigenpairs; `None` where stiffness or masses spread too far, where rounding does not tell many of them
/// apart, or where an iteration does not converge, as of numbers near overflow.
pub fn lowest(pencil: &Pencil<'_>, count: usize) -> Option<Eigenpairs> {
    let (n, count) = (pencil.size(), count.min(pencil.size()));
    let bound = pencil.bound();
    let mut pairs = Eigenpairs::default();
    if !bound.is_finite() || count == 0 {
        return bound.is_finite().then_some(pairs);
    }
    if pencil.spread() > MAX_SPREAD {
        return None;
    }
    // Without stiffness every vector is a rigid motion, and there is no interval to be cut.
    if bound == 0.0 {
        let unit = |i: usize| (0..n).map(|j| f64::from(u8::from(i == j))).collect();
        return Some(Eigenpairs { values: vec![0.0; count], vectors: (0..count).map(unit).collect() });
    }
    let groups = groups(pencil, count);
    if groups.iter().any(|group| group.indices.len() > LARGEST) {
        return None;
    }
    let mut found = isolated(pencil, &groups);
    for (group, found) in groups.iter().zip(&mut found) {
        match found.take() {
            Some(vector) => pairs.vectors.push(vector),
            None => SHIFTS.iter().find_map(|part| converge(pencil, group, *part, &mut pairs))?,
        }
    }
    // Vectors of separate groups that are not nearly orthogonal did not converge to what they are taken for.
    if orthogonalise(&mut pairs.vectors)? > USABLE || pairs.vectors.len() < count {
        return None;
    }
    // The last group may hold more than are wanted, and rounding may exchange nearly equal values.
    let mut sorted: Vec<(f64, Vec<f64>)> =
        pairs.vectors.drain(..).map(|y| (pencil.form(&y, &y), y)).collect();
    sorted.sort_by(|a, b| a.0.total_cmp(&b.0));
    sorted.truncate(count);
    (pairs.values, pairs.vectors) = sorted.into_iter().unzip();
    // The quotients of rigid motions are squares of roundings; their exact values are 0.
    let rigid = pairs.vectors.iter().take_while(|y| pencil.rigid(y)).count();
    pairs.values[..rigid].fill(0.0);
    pairs.vectors.iter_mut().for_each(|y| fix_sign(y));
    Some(pairs)
}

/// The vectors of isolated single eigenvalues, eight side by side; `None` of the other groups, and where none was found.
fn isolated(pencil: &Pencil<'_>, groups: &[Interval]) -> Vec<Option<Vec<f64>>> {
    let mut found = vec![None; groups.len()];
    let is_single = |group: &Interval| group.indices.len() == 1 && group.isolated();
    let singles: Vec<usize> = (0..groups.len()).filter(|&g| is_single(&groups[g])).collect();
    if let Some(mut eight) = Isolated::new(pencil) {
        for batch in singles.chunks(LANES) {
            let own: Vec<&Interval> = batch.iter().map(|&g| &groups[g]).collect();
            batch.iter().zip(eight.vectors(&own, SHIFTS[0])).for_each(|(&g, vector)| found[g] = vector);
        }
    }
    found
}

/// Appends the vectors of a group, in ascending order; `None` where they do not converge.
fn converge(pencil: &Pencil<'_>, group: &Interval, part: f64, pairs: &mut Eigenpairs) -> Option<()> {
    let gap = group.gaps[0].min(group.gaps[1]).min(pencil.bound());
    let shifted = pencil.shifted(0.5 * (group.low + group.high) + part * gap);
    // Vectors beside those of a group that is not isolated take up its neighbours, which would hold it back.
    let guards = if group.isolated() { 0 } else { group.indices.len() + GUARDS };
    let count = (group.indices.len() + guards).min(pencil.size());
    let mut vectors: Vec<Vec<f64>> =
        (0..count).map(|k| noise(pencil.size(), group.indices.start + k)).collect();
    let (mut best, mut idle) = (f64::INFINITY, 0);
    for _ in 0..ITERATIONS {
        orthogonalise(&mut vectors)?;
        let values = rotate(pencil, &mut vectors);
        let sizes = correct(pencil, &shifted, &mut vectors, &values)?;
        let own = group.own(&values);
        // The Ritz values have not separated from those of the guards yet.
        if own.len() != group.indices.len() {
            continue;
        }
        let size = sizes[own.clone()].iter().copied().fold(0.0, f64::max);
        (best, idle) = if size < 0.5 * best { (size, 0) } else { (best, idle + 1) };
        let [fine, usable] = PATIENCE;
        if size <= CONVERGED || (size <= FINE && idle >= fine) || (size <= USABLE && idle >= usable) {
            orthogonalise(&mut vectors)?;
            let own = group.own(&rotate(pencil, &mut vectors));
            // A guard that has not converged may pass among them.
            if own.len() == group.indices.len() {
                pairs.vectors.extend(vectors.drain(own));
                return Some(());
            }
        }
    }
    None
}

/// Subtracts (A − σ)⁻¹(A y − θ y) from each of these orthonormal vectors; the norms of these but for what lies in the
/// vectors' span, which the next rotation finds better.
fn correct(
    pencil: &Pencil<'_>,
    shifted: &Shifted<'_>,
    vectors: &mut [Vec<f64>],
    values: &[f64],
) -> Option<Vec<f64>> {
    let (mut corrections, mut sizes) = (Vec::with_capacity(vectors.len()), Vec::with_capacity(vectors.len()));
    for (y, value) in vectors.iter().zip(values) {
        let mut correction = pencil.product(y);
        correction.iter_mut().zip(y).for_each(|(r, y)| *r -= value * y);
        shifted.solve(&mut correction);
        let mut outside = correction.clone();
        for y in &*vectors {
            let part = dot(&outside, y);
            outside.iter_mut().zip(y).for_each(|(r, y)| *r -= part * y);
        }
        sizes.push(dot(&outside, &outside).sqrt());
        corrections.push(correction);
    }
    // Only now: each correction is projected with the vectors as they were.
    for (y, correction) in vectors.iter_mut().zip(&corrections) {
        y.iter_mut().zip(correction).for_each(|(y, r)| *y -= r);
    }
    sizes.iter().all(|size| size.is_finite()).then_some(sizes)
}

/// Rayleigh–Ritz: replaces orthonormal vectors by those of the same span that diagonalise A on it; their values.
fn rotate(pencil: &Pencil<'_>, vectors: &mut [Vec<f64>]) -> Vec<f64> {
    let n = vectors.len();
    if let [y] = &*vectors {
        return vec![pencil.form(y, y)];
    }
    let (values, rotation) = jacobi::eigenpairs(pencil.forms(vectors), n);
    combine(vectors, &rotation);
    values
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

    /// A chain of pairs of masses whose own springs are so stiff that the eigenvalues of the chain lie within rounding of each other:
    /// refused at once.
    #[test]
    fn many_modes_within_rounding_are_refused() {
        let n = 2 * LARGEST;
        let spring = |k: f64, i: usize| (k, Row::Sparse(vec![(i, 1.0), (i + 1, -1.0)]));
        let chain = |k: f64| (0..2 * n - 1).map(|i| spring(if i % 2 == 0 { k } else { 1.0 }, i)).collect();
        let mass = vec![1.0; 2 * n];
        let found = |k: f64| lowest(&Pencil::new(&mass, [(0, &Operator::Strains(chain(k)))]), 4).is_some();
        assert!(found(1e8) && !found(1e17));
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

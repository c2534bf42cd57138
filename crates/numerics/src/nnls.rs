//! Least squares, with unknowns of any sign or without negative ones (Lawson & Hanson 1974, ch. 23).
//!
//!   min |Ax − d|,  x ≥ 0:   x_j > 0 ⇒ w_j = 0,   x_j = 0 ⇒ w_j ≤ 0,   w = Aᵀ(d − Ax)
//!   min |Ax − d|² + ε²|Sx|²,   S = diag |A_j|
//!
//! A and d are first brought to a triangle R = Qᵀ(A | d) by Householder reflections, after which the number of rows does not matter.
//! The triangle is kept as Q′ᵀR for the unknowns that are > 0: one that joins them is one reflection of all columns, one that leaves
//! them some rotations of two rows. Nothing squares the condition of A, as normal equations would. Columns are scaled to unit length.

use crate::{subset_cholesky::dot, triangle::Triangle};

/// What is left of a column of length 1 behind the others, where that is rounding: it depends on them.
const DEPENDENT: f64 = 64.0 * f64::EPSILON;
/// w_j below this part of |d| is rounding.
const FLAT: f64 = 16.0 * f64::EPSILON;

/// The first unknown that reaches 0 on the way from x to z, as its place among the passive ones, and the part of the way.
fn first_zero(passive: &[usize], x: &[f64], z: &[f64]) -> Option<(usize, f64)> {
    let falling = passive.iter().zip(z).enumerate().filter(|(_, (_, z))| **z <= 0.0);
    let parts = falling.map(|(place, (j, z))| (place, if x[*j] > 0.0 { x[*j] / (x[*j] - z) } else { 0.0 }));
    parts.min_by(|p, q| p.1.total_cmp(&q.1))
}

/// x ≥ 0 with the least |Ax − d|, A by its columns.
///
/// At most three times as many unknowns join as there are columns; then the best x so far is returned. Without rounding |Ax − d|
/// falls each time, so that no set of positive unknowns comes twice: the bound is for columns that are as good as dependent.
///
/// # Panics
/// Where a column has not as many rows as d.
pub fn nonnegative(columns: Vec<Vec<f64>>, right: Vec<f64>) -> Vec<f64> {
    let count = columns.len();
    let mut work = Triangle::new(columns, right);
    let flat = FLAT * dot(&work.right, &work.right).sqrt();
    let (mut passive, mut x) = (Vec::<usize>::new(), vec![0.0; count]);
    let mut barred = vec![false; count];
    let mut left = 3 * count;
    while left > 0 && passive.len() < work.right.len() {
        let first = passive.len();
        // What the triangle leaves of d is d − Ax.
        let slope = |j: usize| dot(&work.columns[j][first..], &work.right[first..]);
        let free = (0..count).filter(|j| !barred[*j] && !passive.contains(j)).map(|j| (j, slope(j)));
        let steepest = free.filter(|(_, w)| *w > flat).max_by(|p, q| p.1.total_cmp(&q.1));
        let Some((j, _)) = steepest else { break };
        let own = &work.columns[j][first..];
        if dot(own, own).sqrt() <= DEPENDENT {
            barred[j] = true;
            continue;
        }
        work.join(j, first);
        passive.push(j);
        let mut z = work.solve(&passive);
        // w_j > 0 says that z_j > 0: where rounding alone makes it another sign, j would join again and again.
        if z[first] <= 0.0 {
            passive.pop();
            barred[j] = true;
            continue;
        }
        left -= 1;
        // As far towards z as all stay ≥ 0; the one that reaches 0 leaves, and z is found anew.
        while let Some((place, part)) = first_zero(&passive, &x, &z) {
            passive.iter().zip(&z).for_each(|(j, z)| x[*j] = (x[*j] + part * (z - x[*j])).max(0.0));
            x[passive.remove(place)] = 0.0;
            work.leave(place, &passive[place..]);
            z = work.solve(&passive);
        }
        passive.iter().zip(&z).for_each(|(j, z)| x[*j] = *z);
        barred.fill(false);
    }
    x.iter().zip(&work.scales).map(|(x, scale)| x * scale).collect()
}

/// x of any sign with the least |Ax − d|² + ε²|Sx|², ε > 0: columns that depend on others get no large weights.
///
/// # Panics
/// Where a column has not as many rows as d, or ε is not positive.
pub fn damped(columns: Vec<Vec<f64>>, right: Vec<f64>, epsilon: f64) -> Vec<f64> {
    assert!(epsilon > 0.0, "a positive damping");
    let Triangle { mut columns, mut right, scales } = Triangle::new(columns, right);
    let count = columns.len();
    for (j, column) in columns.iter_mut().enumerate() {
        column.extend((0..count).map(|k| if j == k { epsilon } else { 0.0 }));
    }
    right.resize(right.len() + count, 0.0);
    let work = Triangle::new(columns, right);
    let all: Vec<usize> = (0..count).collect();
    let z = work.solve(&all);
    z.iter().zip(work.scales.iter().zip(&scales)).map(|(z, (p, q))| z * p * q).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::sin;

    /// Numbers in −1 … 1 without order.
    fn random(count: usize, seed: usize) -> Vec<f64> {
        (0..count).map(|k| sin(((k * 7919 + seed * 104_729) % 65_537) as f64)).collect()
    }

    /// Aᵀ(d − Ax) over |A_j||d|, by the columns.
    fn slopes(columns: &[Vec<f64>], right: &[f64], x: &[f64]) -> Vec<f64> {
        let rest: Vec<f64> = (0..right.len())
            .map(|i| right[i] - columns.iter().zip(x).map(|(column, x)| column[i] * x).sum::<f64>())
            .collect();
        let size = |v: &[f64]| dot(v, v).sqrt();
        columns.iter().map(|column| dot(column, &rest) / (size(column) * size(right))).collect()
    }

    /// Lawson & Hanson 1974, p. 161: x ≥ 0, w ≤ 0, and one of the two is 0.
    fn check(columns: &[Vec<f64>], right: &[f64], x: &[f64], within: f64) {
        for (x, w) in x.iter().zip(slopes(columns, right, x)) {
            assert!(*x >= 0.0 && if *x > 0.0 { w.abs() < within } else { w < within }, "{x} {w}");
        }
    }

    #[test]
    fn random_problems_meet_their_conditions() {
        for seed in 1..60 {
            let (rows, count) = (5 + 7 * (seed % 5), 1 + seed % 23);
            let columns: Vec<Vec<f64>> = (0..count)
                .map(|j| {
                    random(rows, seed * 31 + j).iter().map(|x| x * 10.0_f64.powi(j as i32 % 7 - 3)).collect()
                })
                .collect();
            let right = random(rows, 1000 + seed);
            let x = nonnegative(columns.clone(), right.clone());
            check(&columns, &right, &x, 1e-13);
        }
    }

    /// Without the condition x = (1, −1); with it the second is 0 and the first the mean of the rows it is in.
    #[test]
    fn a_known_example() {
        let columns = vec![vec![1.0, 1.0, 0.0], vec![0.0, 1.0, 1.0]];
        let x = nonnegative(columns.clone(), vec![1.0, 0.0, -1.0]);
        assert!((x[0] - 0.5).abs() < 1e-15 && x[1] == 0.0, "{x:?}");
        let x = damped(columns, vec![1.0, 0.0, -1.0], 1e-9);
        assert!((x[0] - 1.0).abs() < 1e-15 && (x[1] + 1.0).abs() < 1e-15, "{x:?}");
        assert_eq!(nonnegative(vec![vec![0.0, 0.0]], vec![1.0, 1.0]), [0.0]);
        assert!(nonnegative(Vec::new(), vec![1.0]).is_empty());
    }

    /// Columns that differ by 1e-9, and by nothing: the fit is as good, and no weight is large.
    #[test]
    fn nearly_dependent_columns_share_what_one_would_do() {
        let first = random(40, 3);
        let beside: Vec<f64> = first.iter().zip(random(40, 4)).map(|(x, y)| x + 1e-9 * y).collect();
        let right: Vec<f64> = first.iter().zip(random(40, 5)).map(|(x, y)| 2.0 * x + 0.1 * y).collect();
        for second in [beside, first.clone()] {
            let columns = vec![first.clone(), second, random(40, 6)];
            let x = nonnegative(columns.clone(), right.clone());
            check(&columns, &right, &x, 1e-13);
            // Along what they differ by, 1e-9, a weight is at most 0.1·1e-9/ε².
            let y = damped(columns, right.clone(), 1e-4);
            assert!((x[0] + x[1] - 2.0).abs() < 0.1 && (y[0] + y[1] - 2.0).abs() < 0.1, "{x:?} {y:?}");
            assert!(y.iter().all(|y| y.abs() < 3.0), "{y:?}");
        }
    }

    /// Powers of x up to 40 on 60 points are dependent to the last digit.
    #[test]
    fn it_ends_where_columns_are_dependent() {
        let column = |j: i32| (0..60).map(|i| (f64::from(i) / 60.0).powi(j)).collect();
        let columns: Vec<Vec<f64>> = (0..40).map(column).collect();
        let right: Vec<f64> = (0..60).map(|i| sin(f64::from(i) / 10.0)).collect();
        check(&columns, &right, &nonnegative(columns.clone(), right.clone()), 1e-11);
        assert!(damped(columns, right, 1e-10).iter().all(|x| x.is_finite()));
    }
}

//! A few equations in as many unknowns: Newton's method with a Jacobian by differences.
//!
//!   J d = −r(x),   J_ij = (r_i(x + h e_j) − r_i(x))/h,   x ← x + λd,   λ = 1, ½, ¼, … until |r| falls
//!
//! Its last steps converge linearly, by the relative error of the Jacobian. r may return an error outside of its domain: a step
//! there is halved like one along which |r| does not fall.

use crate::math;

/// h, for unknowns of order 1 such as logarithms: where r is known to some 10⁻¹³, its derivatives are to 10⁻⁷.
const DIFFERENCE: f64 = 1e-6;
/// Steps in all.
const STEPS: usize = 40;
/// Halvings of a step.
const HALVINGS: i32 = 12;

/// The x at which each |r| ≤ `tolerance`, from `start` on; `None` where it is not reached.
///
/// # Errors
/// That of r at the start.
pub fn solve<E>(
    start: &[f64],
    tolerance: f64,
    r: impl Fn(&[f64]) -> Result<Vec<f64>, E>,
) -> Result<Option<Vec<f64>>, E> {
    let mut x = start.to_vec();
    let mut residual = r(&x)?;
    for _ in 0..STEPS {
        let size = largest(&residual);
        if size <= tolerance {
            return Ok(Some(x));
        }
        let mut columns = Vec::new();
        for j in 0..x.len() {
            let mut beside = x.clone();
            beside[j] += DIFFERENCE;
            // Without a derivative there is no direction.
            let Ok(other) = r(&beside) else { return Ok(None) };
            columns.push(other.iter().zip(&residual).map(|(a, b)| (a - b) / DIFFERENCE).collect());
        }
        let Some(direction) = eliminate(columns, &residual) else { return Ok(None) };
        let tried = (0..HALVINGS).find_map(|halvings| {
            let part = math::powi(0.5, halvings);
            let next: Vec<f64> = x.iter().zip(&direction).map(|(x, d)| x - part * d).collect();
            // An error means that the step left the domain of r: a shorter one is tried.
            let residual = r(&next).ok()?;
            // Strictly: a step without progress would be repeated until the iterations end.
            (largest(&residual) < size).then_some((next, residual))
        });
        let Some(better) = tried else { return Ok(None) };
        (x, residual) = better;
    }
    Ok(None)
}

fn largest(values: &[f64]) -> f64 {
    // `f64::max` ignores a NaN: an undefined residual would pass as a small one.
    values.iter().fold(0.0, |most, x| if x.is_nan() { f64::INFINITY } else { x.abs().max(most) })
}

/// The d with Σ_j column_j d_j = b, by Gaussian elimination with row pivots; `None` where the columns depend on one another.
fn eliminate(mut columns: Vec<Vec<f64>>, b: &[f64]) -> Option<Vec<f64>> {
    let (n, mut b) = (b.len(), b.to_vec());
    for k in 0..n {
        let pivot = (k..n).max_by(|&i, &j| columns[k][i].abs().total_cmp(&columns[k][j].abs()))?;
        // `total_cmp` puts a NaN above all numbers: it becomes the pivot, and is refused.
        if columns[k][pivot] == 0.0 || !columns[k][pivot].is_finite() {
            return None;
        }
        columns.iter_mut().for_each(|column| column.swap(k, pivot));
        b.swap(k, pivot);
        for i in k + 1..n {
            let factor = columns[k][i] / columns[k][k];
            columns[k..].iter_mut().for_each(|column| column[i] -= factor * column[k]);
            b[i] -= factor * b[k];
        }
    }
    for k in (0..n).rev() {
        let known: f64 = (k + 1..n).map(|j| columns[j][k] * b[j]).sum();
        b[k] = (b[k] - known) / columns[k][k];
    }
    Some(b)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equations_are_solved() {
        // x² + y² = 4 and xy = 1.
        let r = |x: &[f64]| Ok::<_, ()>(vec![x[0] * x[0] + x[1] * x[1] - 4.0, x[0] * x[1] - 1.0]);
        let x = solve(&[2.0, 0.3], 1e-12, r).unwrap().unwrap();
        assert!(
            (x[0] - (2.0 + 3.0_f64.sqrt()).sqrt()).abs() < 1e-12 && (x[0] * x[1] - 1.0).abs() < 1e-12,
            "{x:?}"
        );
        // A pivot that is 0, and a step that leaves where r has a meaning.
        let r = |x: &[f64]| if x[1] > 0.0 { Ok(vec![x[1].ln(), x[0] - 3.0]) } else { Err(()) };
        let x = solve(&[0.0, 9.0], 1e-12, r).unwrap().unwrap();
        assert!((x[0] - 3.0).abs() < 1e-12 && (x[1] - 1.0).abs() < 1e-12, "{x:?}");
    }

    #[test]
    fn what_has_no_solution_is_none() {
        assert_eq!(solve(&[1.0], 1e-9, |x| Ok::<_, ()>(vec![x[0] * x[0] + 1.0])), Ok(None));
        assert_eq!(solve(&[1.0], 1e-9, |_| Err::<Vec<f64>, _>("none")), Err("none"));
    }
}

//! Up to where joints may be taken at the middle of a step: λ < 1, the largest eigenvalue of C on 2p.
//!
//!   C = RᵀHR,   G = R(2p)⁻¹Rᵀ = LLᵀ,   λ = largest eigenvalue of LᵀHL, 0 where none is positive
//!
//! R holds the rows of joints, H what couples them. G couples rows of the same bank alone; it may be singular, so that its
//! factors L are those of its eigenvectors.

use hamiltone_numerics::jacobi;

/// How closely λ is known, relative to it.
const DIGITS: f64 = 1e-6;

/// λ, from above, of `size` rows, for each bank the rows it has with their part of G, row-major; `form` adds to H.
pub(super) fn largest_ratio<'a>(
    size: usize,
    banks: impl Iterator<Item = (&'a [usize], Vec<f64>)>,
    form: impl FnOnce(&mut [f64]),
) -> f64 {
    let mut h = vec![0.0; size * size];
    form(&mut h);
    // A row that two banks share has a column of L in each.
    let mut columns: Vec<Vec<(usize, f64)>> = Vec::new();
    for (rows, compliance) in banks {
        let (values, vectors) = jacobi::eigenpairs(compliance, rows.len());
        for (k, value) in values.iter().enumerate().filter(|(_, value)| **value > 0.0) {
            let weight = |at: usize| value.sqrt() * vectors[at * rows.len() + k];
            columns.push(rows.iter().enumerate().map(|(at, row)| (*row, weight(at))).collect());
        }
    }
    let count = columns.len();
    let mut m = vec![0.0; count * count];
    for (b, column) in columns.iter().enumerate() {
        let mut image = vec![0.0; size];
        for (row, weight) in column {
            image.iter_mut().enumerate().for_each(|(i, image)| *image += h[i * size + row] * weight);
        }
        for (a, other) in columns.iter().enumerate() {
            m[a * count + b] = other.iter().map(|(row, weight)| weight * image[*row]).sum();
        }
    }
    largest(&m, count)
}

/// The largest eigenvalue of a symmetric matrix, from above, or 0: between bounds that Gershgorin's circles give, by whether t − M has a
/// Cholesky factor.
fn largest(m: &[f64], n: usize) -> f64 {
    let row = |row: &[f64]| row.iter().map(|x| x.abs()).sum::<f64>();
    let (mut low, mut high) = (0.0, m.chunks_exact(n.max(1)).map(row).fold(0.0, f64::max));
    while high - low > DIGITS * high {
        let middle = 0.5 * (low + high);
        if is_above(m, n, middle) {
            high = middle
        } else {
            low = middle
        }
        // Nothing positive beyond rounding.
        if high < f64::MIN_POSITIVE {
            break;
        }
    }
    high
}

/// Whether t − M is positive definite.
fn is_above(m: &[f64], n: usize, t: f64) -> bool {
    let mut l = vec![0.0; n * n];
    for i in 0..n {
        for j in 0..=i {
            let own = if i == j { t - m[i * n + j] } else { -m[i * n + j] };
            let (a, b) = (&l[i * n..i * n + j], &l[j * n..j * n + j]);
            let rest = own - a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
            if i != j {
                l[i * n + j] = rest / l[j * n + j];
            } else if rest > 0.0 {
                l[i * n + i] = rest.sqrt();
            } else {
                return false;
            }
        }
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two rows in one bank and one in another: against the eigenvalues of the full matrix.
    #[test]
    fn the_ratio_is_the_largest_eigenvalue() {
        let h = [0.0, -1.0, 0.0, -1.0, 3.0, 0.5, 0.0, 0.5, -2.0];
        let one = vec![2.0, 0.5, 0.5, 1.0];
        let two = vec![0.7];
        let ratio = largest_ratio(3, [(&[0, 1][..], one.clone()), (&[2][..], two)].into_iter(), |form| {
            form.copy_from_slice(&h);
        });
        // G^½HG^½ has the eigenvalues of GH; G^½ by its eigenvectors.
        let (values, v) = jacobi::eigenpairs(one, 2);
        let mut root = [0.0; 9];
        for (k, value) in values.iter().enumerate() {
            (0..4).for_each(|at| {
                root[at / 2 * 3 + at % 2] += value.sqrt() * v[at / 2 * 2 + k] * v[at % 2 * 2 + k];
            });
        }
        root[8] = 0.7_f64.sqrt();
        let product = |a: &[f64], b: &[f64]| -> Vec<f64> {
            (0..9).map(|at| (0..3).map(|k| a[at / 3 * 3 + k] * b[k * 3 + at % 3]).sum()).collect()
        };
        let (expected, _) = jacobi::eigenpairs(product(&product(&root, &h), &root), 3);
        assert!((ratio - expected[2]).abs() <= 2.0 * DIGITS * expected[2], "{ratio} {expected:?}");
    }

    #[test]
    fn a_potential_that_only_falls_has_no_limit() {
        let ratio = largest_ratio(1, [(&[0][..], vec![1.0])].into_iter(), |form| form[0] = -1.0);
        assert!(ratio <= 1e-300);
    }
}

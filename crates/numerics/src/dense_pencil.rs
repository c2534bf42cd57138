//! All eigenpairs of K x = λ M x with dense symmetric matrices, M positive definite.
//!
//!   M = LLᵀ,   C = L⁻¹ K L⁻ᵀ,   C y = λ y,   x = L⁻ᵀ y,   xᵀMx = 1
//!
//! C by Jacobi's rotations, of which few are needed where K and M are nearly diagonal.

use crate::jacobi;

/// The eigenvalues in ascending order and the eigenvectors, one row each. `k` and `m` are row-major and symmetric, n × n.
/// `None` where M is not positive definite.
///
/// ```
/// use hamiltone_numerics::dense_pencil::eigenpairs;
///
/// // Two masses of 1 and 4 kg between springs of 4, 4 and 16 N/m.
/// let (values, vectors) = eigenpairs(vec![8.0, -4.0, -4.0, 20.0], vec![1.0, 0.0, 0.0, 4.0], 2).unwrap();
/// assert!((values[0] - 4.0).abs() < 1e-14 && (values[1] - 9.0).abs() < 1e-14);
/// assert!((vectors[0][0] - vectors[0][1]).abs() < 1e-15);
/// ```
pub fn eigenpairs(mut k: Vec<f64>, mut m: Vec<f64>, n: usize) -> Option<(Vec<f64>, Vec<Vec<f64>>)> {
    factor(&mut m, n)?;
    // The rows of L⁻¹K, then the rows of L⁻¹(L⁻¹K)ᵀ = C.
    for _ in 0..2 {
        forward(&m, &mut k, n);
        transpose(&mut k, n);
    }
    symmetrise(&mut k, n);
    let (values, vectors) = jacobi::eigenpairs(k, n);
    let shape = |mode: usize| {
        let mut x: Vec<f64> = (0..n).map(|i| vectors[i * n + mode]).collect();
        for i in (0..n).rev() {
            x[i] /= m[i * n + i];
            let (low, high) = x.split_at_mut(i);
            low.iter_mut().zip(&m[i * n..]).for_each(|(low, l)| *low -= l * high[0]);
        }
        x
    };
    let shapes = (0..n).map(shape).collect();
    Some((values, shapes))
}

/// L in the lower triangle of M.
fn factor(m: &mut [f64], n: usize) -> Option<()> {
    for i in 0..n {
        let (above, row) = m.split_at_mut(i * n);
        for j in 0..i {
            let other = &above[j * n..][..n];
            row[j] = (row[j] - dot(&row[..j], &other[..j])) / other[j];
        }
        let pivot = row[i] - dot(&row[..i], &row[..i]);
        if pivot.is_nan() || pivot <= 0.0 {
            return None;
        }
        row[i] = pivot.sqrt();
    }
    Some(())
}

/// X ← L⁻¹X, by rows.
fn forward(l: &[f64], x: &mut [f64], n: usize) {
    for i in 0..n {
        let (above, row) = x.split_at_mut(i * n);
        let row = &mut row[..n];
        for (other, l) in above.chunks_exact(n).zip(&l[i * n..]) {
            row.iter_mut().zip(other).for_each(|(x, other)| *x -= l * other);
        }
        row.iter_mut().for_each(|x| *x /= l[i * n + i]);
    }
}

fn transpose(x: &mut [f64], n: usize) {
    for i in 0..n {
        for j in 0..i {
            x.swap(i * n + j, j * n + i);
        }
    }
}

/// The rounding of both halves is not the same.
fn symmetrise(x: &mut [f64], n: usize) {
    for i in 0..n {
        for j in 0..i {
            let mean = 0.5 * (x[i * n + j] + x[j * n + i]);
            (x[i * n + j], x[j * n + i]) = (mean, mean);
        }
    }
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// KX = MXΛ and XᵀMX = 1.
    #[test]
    fn eigenpairs_solve_the_pencil() {
        let n = 7;
        let square = |seed: f64, i: usize, j: usize| -> f64 {
            let row = |i: usize, k: usize| (seed * (i + 1) as f64 * (k + 2) as f64).sin();
            (0..n).map(|k| row(i, k) * row(j, k)).sum()
        };
        let matrix = |seed: f64| -> Vec<f64> { (0..n * n).map(|at| square(seed, at / n, at % n)).collect() };
        let (k, mut m) = (matrix(1.3), matrix(0.7));
        (0..n).for_each(|i| m[i * n + i] += 2.0);
        let (values, x) = eigenpairs(k.clone(), m.clone(), n).unwrap();
        let times = |a: &[f64], x: &[f64], i: usize| dot(&a[i * n..][..n], x);
        for (mode, (value, x1)) in values.iter().zip(&x).enumerate() {
            for i in 0..n {
                let miss = times(&k, x1, i) - value * times(&m, x1, i);
                assert!(miss.abs() < 1e-13 * values[n - 1], "{mode} {i}: {miss:e}");
            }
            for (other, x2) in x.iter().enumerate() {
                let product: f64 = (0..n).map(|i| x2[i] * times(&m, x1, i)).sum();
                assert!((product - f64::from(u8::from(mode == other))).abs() < 1e-13);
            }
        }
        m[0] = -1.0;
        assert_eq!(eigenpairs(k, m, n), None);
    }
}

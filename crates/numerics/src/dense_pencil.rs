//! All eigenpairs of K x = λ M x with dense symmetric matrices, M positive definite.
//!
//!   M = LLᵀ,   C = L⁻¹ K L⁻ᵀ,   C y = λ y,   x = L⁻ᵀ y,   xᵀMx = 1
//!
//! C by Jacobi's rotations, of which few are needed where K and M are nearly diagonal.

use crate::{
    jacobi,
    subset_cholesky::{Matrix, SubsetCholesky},
};

/// The eigenvalues in ascending order and the eigenvectors, one row each. `k` and `m` are row-major and symmetric, n × n, M positive
/// definite.
///
/// ```
/// use hamiltone_numerics::dense_pencil::eigenpairs;
///
/// // Two masses of 1 and 4 kg between springs of 4, 4 and 16 N/m.
/// let (values, vectors) = eigenpairs(vec![8.0, -4.0, -4.0, 20.0], &[1.0, 0.0, 0.0, 4.0], 2);
/// assert!((values[0] - 4.0).abs() < 1e-14 && (values[1] - 9.0).abs() < 1e-14);
/// assert!((vectors[0][0] - vectors[0][1]).abs() < 1e-15);
/// ```
pub fn eigenpairs(mut k: Vec<f64>, m: &[f64], n: usize) -> (Vec<f64>, Vec<Vec<f64>>) {
    let mut factor = SubsetCholesky::new(n);
    factor.become_of(0..n, Matrix { count: n, entries: m, added: &vec![0.0; n] });
    // The rows of K L⁻ᵀ, and then those of L⁻¹ K L⁻ᵀ; the rounding of both halves is not the same.
    k.chunks_exact_mut(n).for_each(|row| factor.forward(row));
    for i in 0..n {
        (0..i).for_each(|j| k.swap(i * n + j, j * n + i));
    }
    k.chunks_exact_mut(n).for_each(|row| factor.forward(row));
    for i in 0..n {
        for j in 0..i {
            let mean = 0.5 * (k[i * n + j] + k[j * n + i]);
            (k[i * n + j], k[j * n + i]) = (mean, mean);
        }
    }
    let (values, vectors) = jacobi::eigenpairs(k, n);
    let shape = |mode: usize| {
        let mut x: Vec<f64> = (0..n).map(|i| vectors[i * n + mode]).collect();
        factor.backward(&mut x);
        x
    };
    let shapes = (0..n).map(shape).collect();
    (values, shapes)
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
        let (values, x) = eigenpairs(k.clone(), &m, n);
        let times =
            |a: &[f64], x: &[f64], i: usize| a[i * n..][..n].iter().zip(x).map(|(a, x)| a * x).sum::<f64>();
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
    }
}

//! All eigenpairs of a small dense symmetric matrix, by Jacobi's rotations.
//!
//!   tan θ = t,   t² + 2τt − 1 = 0,   τ = (a_qq − a_pp)/2a_pq,   A ← JᵀAJ
//!
//! in cyclic order; quadratically convergent, and accurate for each eigenvalue on its own where the matrix is
//! positive definite after scaling (Demmel & Veselić 1992).

/// Sweeps: convergence takes six to ten.
const SWEEPS: usize = 40;

/// The eigenvalues in ascending order and the matrix V of unit eigenvectors, row-major: column k belongs to eigenvalue
/// k. `a` is row-major and symmetric, n × n.
pub fn eigenpairs(mut a: Vec<f64>, n: usize) -> (Vec<f64>, Vec<f64>) {
    // A row each: rotations go along rows, which lie together in memory.
    let mut v = vec![0.0; n * n];
    (0..n).for_each(|i| v[i * n + i] = 1.0);
    for _ in 0..SWEEPS {
        let mut rotated = false;
        for p in 0..n {
            for q in p + 1..n {
                rotated |= rotate(&mut a, &mut v, n, p, q);
            }
        }
        if !rotated {
            break;
        }
    }
    let mut order: Vec<usize> = (0..n).collect();
    order.sort_by(|&i, &j| a[i * n + i].total_cmp(&a[j * n + j]));
    let sorted = (0..n * n).map(|at| v[order[at % n] * n + at / n]).collect();
    (order.iter().map(|&i| a[i * n + i]).collect(), sorted)
}

/// Makes a_pq vanish, unless it is rounding already.
fn rotate(a: &mut [f64], v: &mut [f64], n: usize, p: usize, q: usize) -> bool {
    let (app, aqq, apq) = (a[p * n + p], a[q * n + q], a[p * n + q]);
    // Relative to both diagonal entries and not to the norm: small eigenvalues keep their digits.
    if apq == 0.0 || apq.abs() <= 0.5 * f64::EPSILON * (app.abs() * aqq.abs()).sqrt() {
        return false;
    }
    let tau = (aqq - app) / (2.0 * apq);
    // The smaller root, a rotation by at most 45°, for which the cyclic sweeps converge.
    let t = tau.signum() / (tau.abs() + (1.0 + tau * tau).sqrt());
    let c = 1.0 / (1.0 + t * t).sqrt();
    let s = t * c;
    // τ² overflows where a_pq is tiny beside the difference: the rotation is the identity and would never end the sweeps.
    if s == 0.0 {
        return false;
    }
    turn(a, n, (p, q), (c, s));
    for k in (0..n).filter(|&k| k != p && k != q) {
        (a[k * n + p], a[k * n + q]) = (a[p * n + k], a[q * n + k]);
    }
    // By t: with c² and s² the small change would drown in the rounding of large products.
    (a[p * n + p], a[q * n + q]) = (app - t * apq, aqq + t * apq);
    (a[p * n + q], a[q * n + p]) = (0.0, 0.0);
    turn(v, n, (p, q), (c, s));
    true
}

/// Rows p < q, turned by the angle of this cosine and sine.
fn turn(x: &mut [f64], n: usize, (p, q): (usize, usize), (c, s): (f64, f64)) {
    let (above, below) = x.split_at_mut(q * n);
    for (x, y) in above[p * n..][..n].iter_mut().zip(&mut below[..n]) {
        (*x, *y) = (c * *x - s * *y, s * *x + c * *y);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// AV = VΛ and VᵀV = 1, also for equal and zero eigenvalues.
    #[test]
    fn eigenpairs_reproduce_the_matrix() {
        let n = 6;
        for rank in [2, 6] {
            let row = |i: usize, k: usize| (1.3 * (i + 1) as f64 * (k + 1) as f64).sin();
            let a: Vec<f64> =
                (0..n * n).map(|at| (0..rank).map(|k| row(at / n, k) * row(at % n, k)).sum()).collect();
            let (values, v) = eigenpairs(a.clone(), n);
            assert!(values.windows(2).all(|pair| pair[0] <= pair[1]));
            let size = values[n - 1];
            for i in 0..n {
                for k in 0..n {
                    let av: f64 = (0..n).map(|j| a[i * n + j] * v[j * n + k]).sum();
                    assert!((av - values[k] * v[i * n + k]).abs() < 1e-14 * size);
                    let vv: f64 = (0..n).map(|j| v[j * n + i] * v[j * n + k]).sum();
                    assert!((vv - f64::from(u8::from(i == k))).abs() < 1e-14);
                }
            }
        }
    }
}

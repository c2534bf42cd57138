//! The order of convergence, fitted.

use hamiltone_numerics::math::log2;

/// The slope of log₂(error) over log₂(Δt) by least squares: p where error ∝ Δtᵖ.
pub fn fitted(points: &[(f64, f64)]) -> f64 {
    let logs: Vec<(f64, f64)> = points.iter().map(|&(dt, e)| (log2(dt), log2(e))).collect();
    let n = logs.len() as f64;
    let mean = |f: fn(&(f64, f64)) -> f64| logs.iter().map(f).sum::<f64>() / n;
    let (x, y) = (mean(|p| p.0), mean(|p| p.1));
    let covariance: f64 = logs.iter().map(|p| (p.0 - x) * (p.1 - y)).sum();
    covariance / logs.iter().map(|p| (p.0 - x) * (p.0 - x)).sum::<f64>()
}

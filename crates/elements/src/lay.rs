//! The lay of a mouthpiece, or lips that touch: a spring that a reed meets on its way, in closed form.
//!
//!   V = ½k[ξ]₊²,   F = (V(ξ + σ) − V(ξ))/σ,   σ = σ₀ − GF
//!
//! ξ (m) is how deep the reed is in it, σ (m) how much deeper it gets in the step, σ₀ without the force F (N), and G (m/N) its compliance. V being a
//! square, σ is the root of a quadratic in each of the three cases: it stays inside, leaves or enters. F is the exact quotient, so that the energy
//! balances, and is never below 0.

use hamiltone_numerics::math::square;

/// F, N, of a spring of stiffness k (N/m).
pub(crate) fn force(k: f64, depth: f64, free: f64, compliance: f64) -> f64 {
    let g = k * compliance;
    if depth > 0.0 {
        let inside = k * (depth + 0.5 * free) / (1.0 + 0.5 * g);
        if depth + free - compliance * inside >= 0.0 {
            return inside;
        }
        // σ² − σ₀σ = ½gξ², σ < 0; of the two forms the one without cancellation.
        let root = (free * free + 2.0 * g * square(depth)).sqrt();
        let way = if free <= 0.0 { 0.5 * (free - root) } else { -g * square(depth) / (free + root) };
        -0.5 * k * square(depth) / way
    } else if depth + free > 0.0 {
        // e = ξ + σ > 0 is how deep it ends: (1 + ½g)e² − (E₀ + ξ)e + E₀ξ = 0 with E₀ = ξ + σ₀, whose roots have opposite signs.
        let end = depth + free;
        let (b, c) = (end + depth, end * depth);
        let root = (b * b - 4.0 * (1.0 + 0.5 * g) * c).sqrt();
        let deep = if b >= 0.0 { (b + root) / (2.0 + g) } else { -2.0 * c / (root - b) };
        0.5 * k * square(deep) / (deep - depth)
    } else {
        0.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// F = (V(ξ + σ) − V(ξ))/σ at σ = σ₀ − GF to some roundings of what both are made of, over depths, ways and compliances of all sizes.
    #[test]
    fn forces_are_quotients() {
        let sizes = [-1.0, -1e-3, -1e-9, 0.0, 1e-9, 1e-3, 1.0];
        for depth in sizes {
            for free in sizes {
                for g in [0.0, 1e-9, 1e-3, 1.0, 1e3, 1e9] {
                    let k = 3.0;
                    let f = force(k, depth, free, g / k);
                    let way = free - g / k * f;
                    let v = |x: f64| 0.5 * k * square(x.max(0.0));
                    let (work, energy) = (f * way, v(depth + way) - v(depth));
                    // σ is known to a rounding of what it is added up from, and by it the energy to that times its slope.
                    let known = free.abs() + g / k * f + depth.abs();
                    let size = v(depth) + v(depth + way) + (f + k * (depth + way).max(0.0)) * known;
                    let context = format!("{depth} {free} {g}: {f}");
                    assert!(f >= 0.0 && f.is_finite(), "{context}");
                    assert!(
                        (work - energy).abs() <= 16.0 * f64::EPSILON * size,
                        "{context}: {work} {energy}"
                    );
                }
            }
        }
    }
}

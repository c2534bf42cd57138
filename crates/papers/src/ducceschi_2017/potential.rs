//! The discrete potential and the discriminant of the scheme, from the paper's formulas.
//!
//!   P_{n−1,n} = φ(uⁿ⁻¹) + s(uⁿ − uⁿ⁻¹)φ′(uⁿ⁻¹) + s ½(uⁿ − uⁿ⁻¹)²φ″(uⁿ⁻¹)           (6)
//!   h^{n−½} = ½M(δₜ₋uⁿ)² + P_{n−1,n}                                                (7)
//!   A = M/k² + sφ″(uⁿ),   B = −2M(uⁿ − uⁿ⁻¹)/k² + 2sφ′(uⁿ) + 2s(uⁿ⁻¹ − uⁿ)φ″(uⁿ)
//!   C = 2P_{n,n−1} − 2P_{n−1,n},   Δ = B² − 4AC                                     (16), (18)

use hamiltone_core::system::System;

/// φ of a one-coordinate system, with the scheme's parameter s.
pub struct Expansion<'a> {
    /// The system.
    pub system: &'a System,
    /// s.
    pub s: f64,
}

impl Expansion<'_> {
    /// φ, φ′, φ″ at u.
    fn phi(&self, u: f64) -> [f64; 3] {
        let k = self.system.stiffness_form(&[1.0], &[1.0]);
        let mut phi = [0.5 * k * u * u, k * u, k];
        for contact in &self.system.elements {
            let Some(law) = contact.law.compliant() else { continue };
            let x = u - contact.gap;
            phi[0] += law.energy(x);
            phi[1] += law.force(x);
            phi[2] += law.curvature(x);
        }
        phi
    }

    /// P from `old` to `new`, J.
    pub fn potential(&self, old: f64, new: f64) -> f64 {
        let ([phi, force, curvature], d) = (self.phi(old), new - old);
        phi + self.s * d * (force + 0.5 * d * curvature)
    }

    /// Δ at uⁿ⁻¹, uⁿ with the time step k, (N)².
    pub fn discriminant(&self, old: f64, new: f64, k: f64) -> f64 {
        let ([_, force, curvature], s) = (self.phi(new), self.s);
        let inertia = self.system.mass[0] / (k * k);
        let d = new - old;
        let a = inertia + s * curvature;
        let b = -2.0 * inertia * d + 2.0 * s * (force - d * curvature);
        let c = 2.0 * (self.potential(new, old) - self.potential(old, new));
        b * b - 4.0 * a * c
    }
}

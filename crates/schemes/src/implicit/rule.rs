//! Where a step takes the contact force from: its three quotients.

use hamiltone_core::element::Compliant;

/// Where a step takes the contact force from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Rule {
    Gradient,
    Midpoint,
    Trapezoid,
}

/// The lossless force f and ∂f/∂σ of a rule.
pub(super) fn base(rule: Rule, law: &Compliant, x: f64, sigma: f64) -> (f64, f64) {
    match rule {
        Rule::Gradient => law.quotient(x, sigma),
        Rule::Midpoint => {
            let middle = x + 0.5 * sigma;
            (law.force(middle), 0.5 * law.curvature(middle))
        }
        Rule::Trapezoid => {
            let end = x + sigma;
            // Only V′(x + σ) depends on σ.
            (0.5 * (law.force(end) + law.force(x)), 0.5 * law.curvature(end))
        }
    }
}

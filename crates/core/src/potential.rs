//! The contract of a compliant law: a convex potential of one penetration.

use crate::identity::Identity;
use std::{any::Any, fmt::Debug};

/// A convex potential V(x) ≥ 0 with the exact difference quotient that energy-conserving steps need.
pub trait Potential: Any + Debug + Send + Sync {
    /// V(x), J (J/m² for a body per unit area), ≥ 0.
    fn energy(&self, x: f64) -> f64;

    /// V′(x), N (Pa for a body per unit area), never decreasing in x.
    fn force(&self, x: f64) -> f64;

    /// V″(x) ≥ 0.
    fn curvature(&self, x: f64) -> f64;

    /// The discrete gradient D = (V(x+s) − V(x))/s, V′(x) at s = 0, without
    /// cancellation for any s, and a slope ∂D/∂s ≥ 0 good enough for Newton's method.
    fn quotient(&self, x: f64, s: f64) -> (f64, f64);

    /// Its name and every number that it depends on: a saved state is recognised by them.
    fn identity(&self) -> Identity;

    /// The penetration up to which V = 0: nothing need be evaluated before; −∞ where there is none.
    fn onset(&self) -> f64 {
        f64::NEG_INFINITY
    }
}

//! What a contact does when it is touched.
//!
//! A contact sees one number, its penetration x = c·q − h, and answers with
//! the force −cᵀf on the system. A compliant law derives f from a potential,
//!
//!   f = V′(x)(1 + μẋ),
//!
//! with V convex, so that V′ grows with x and every implicit step has one
//! solution (C15 §4). μ (s/m) is Hunt and Crossley's loss coefficient. A rigid
//! law allows no penetration: a contact that closes is thrown back by an impulse p
//! with Newton's law of impact (Moreau 1988),
//!
//!   0 ≤ p  ⊥  −(ẋ⁺ + eẋ⁻) ≥ 0,   0 ≤ e ≤ 1.

use std::{fmt::Debug, sync::Arc};

/// The law of a contact.
#[derive(Clone, Debug)]
pub enum Law {
    /// A force derived from a potential, with penetration.
    Compliant(Arc<dyn Potential>),
    /// No penetration.
    Rigid {
        /// e: the speed after an impact over that before, 0 to 1.
        restitution: f64,
    },
}

impl Law {
    /// The potential of a compliant law.
    pub fn potential(&self) -> Option<&Arc<dyn Potential>> {
        match self {
            Law::Compliant(potential) => Some(potential),
            Law::Rigid { .. } => None,
        }
    }
}

/// A convex potential of one penetration, with the exact quotient that energy-conserving steps need.
pub trait Potential: Debug + Send + Sync {
    /// V(x), J (J/m² for a body per unit area), ≥ 0.
    fn energy(&self, x: f64) -> f64;

    /// V′(x), N (Pa for a body per unit area), never decreasing in x.
    fn force(&self, x: f64) -> f64;

    /// V″(x) ≥ 0.
    fn curvature(&self, x: f64) -> f64;

    /// The discrete gradient D = (V(x+s) − V(x))/s, V′(x) at s = 0, without
    /// cancellation for any s, and a slope ∂D/∂s ≥ 0 good enough for Newton.
    fn quotient(&self, x: f64, s: f64) -> (f64, f64);

    /// The penetration up to which V = 0: nothing need be evaluated before; −∞ where there is none.
    fn onset(&self) -> f64 {
        f64::NEG_INFINITY
    }

    /// Hunt and Crossley's loss coefficient μ ≥ 0, s/m.
    fn loss(&self) -> f64 {
        0.0
    }

    /// (K, α) where V = K x^(α+1)/(α+1) for *every* x, touching or not; else `None`.
    fn monomial(&self) -> Option<(f64, f64)> {
        None
    }
}

/// What a contact law makes of its parameters: the law and the gap at which it touches.
#[derive(Clone, Debug)]
pub struct Touch {
    /// The law.
    pub law: Law,
    /// h, m.
    pub gap: f64,
}

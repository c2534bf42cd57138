//! What a scheme promises, as constants that the laws measure for every body.

use crate::{element::Law, system::System};

/// What a scheme promises; the laws measure each of these for every body.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Claims {
    /// The order p of the error Δtᵖ on smooth nonlinear systems, damped and driven.
    pub order: u32,
    /// The order on such systems without damping and drives.
    pub order_free: u32,
    /// Without damping and drives a step of −Δt undoes a step of Δt: `prepare` takes negative steps, so that steps can
    /// be composed.
    pub symmetric: bool,
    /// Its balance on systems without contacts.
    pub linear: Balance,
    /// Its balance with compliant contacts.
    pub contact: Balance,
    /// How it contracts the phase area dy∧dp of one damped oscillator.
    pub contraction: Contraction,
    /// Whether it is the same constant for several coordinates that are coupled by springs.
    pub contraction_with_links: bool,
    /// Whether that contraction is the same constant with a nonlinear contact.
    pub contraction_with_contact: bool,
    /// The largest ωΔt at which it runs, if there is one: beyond, it is unstable, aliases or has no step.
    pub limit: Option<f64>,
    /// The stored energy of its ledgers is the physical one, ½vᵀMv + ½qᵀKq + ΣV at the end of the step.
    pub physical_energy: bool,
    /// The velocity is held at half steps: the state is (qⁿ, qⁿ⁺¹) rather than (qⁿ, vⁿ).
    pub staggered: bool,
}

/// How well a scheme keeps its energy balance.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Balance {
    /// To rounding.
    Exact {
        /// d: what the roundings of N steps add up to in one direction, at most d·N eps.
        drift: f64,
    },
    /// To a bound that the scheme or the scene states.
    Bounded,
}

impl Balance {
    /// To rounding, with the drift of a step whose roundings change from step to step: most are below 0.016 eps a step.
    pub const EXACT: Self = Self::Exact { drift: 0.02 };

    /// Whether it is exact.
    pub fn is_exact(self) -> bool {
        matches!(self, Self::Exact { .. })
    }

    /// d of an exact balance, else 0.
    pub fn drift(self) -> f64 {
        match self {
            Self::Exact { drift } => drift,
            Self::Bounded => 0.0,
        }
    }
}

impl Default for Balance {
    fn default() -> Self {
        Self::EXACT
    }
}

/// The determinant of the one-step map (q, v) of an oscillator of frequency ω (rad/s) and damping γ (1/s).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Contraction {
    /// e^(−γΔt): conformal symplectic (C19 (21)).
    Conformal,
    /// (2 − γΔt)/(2 + γΔt): its Padé approximant (C19 (30)).
    Pade,
    /// (ω²Δt²/2 + 2 − γΔt)/(ω²Δt²/2 + 2 + γΔt): C19 (28), corrected.
    Gradient,
    /// No constant is promised, not even for linear systems.
    Free,
}

impl Contraction {
    /// The promised determinant, or `None` where none is promised.
    pub fn contraction(self, omega: f64, gamma: f64, dt: f64) -> Option<f64> {
        let (k, r) = (omega * omega * dt * dt / 2.0, gamma * dt);
        match self {
            Contraction::Conformal => Some(hamiltone_numerics::math::exp(-r)),
            Contraction::Pade => Some((2.0 - r) / (2.0 + r)),
            Contraction::Gradient => Some((k + 2.0 - r) / (k + 2.0 + r)),
            Contraction::Free => None,
        }
    }
}

impl Claims {
    /// The least that a scheme can promise: order 1, no exact balance, no limit. A scheme writes what it promises
    /// beyond, `Claims { order: 2, ..Claims::LEAST }`.
    pub const LEAST: Self = Self {
        order: 1,
        order_free: 1,
        symmetric: false,
        linear: Balance::Bounded,
        contact: Balance::Bounded,
        contraction: Contraction::Free,
        contraction_with_links: false,
        contraction_with_contact: false,
        limit: None,
        physical_energy: false,
        staggered: false,
    };

    /// The balance that is promised for `system`: with contacts or custom laws [`Claims::contact`], else
    /// [`Claims::linear`]. Resistive elements take energy like the damping of a body.
    pub fn balance(&self, system: &System) -> Balance {
        let linear = |law: &Law| match law {
            Law::Resistive(_) => true,
            Law::Compliant(_) | Law::Rigid { .. } | Law::Port(_) | Law::Custom(_) => false,
        };
        if system.elements.iter().all(|element| linear(&element.law)) { self.linear } else { self.contact }
    }
}

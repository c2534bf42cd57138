//! The implicit one-step family: one stepper, three rules for the contact force.
//!
//! With w = Δt·v/2 and the unknown increment e = w⁺ − w,
//!
//!   (M + R̂ + K̂) e = −2K̂(q + w) − 2R̂w + λBū − Cᵀy,   K̂ = Δt²K/4, R̂ = ΔtR/2, λ = Δt²/2
//!   w⁺ = w + e,   s = w + w⁺,   q⁺ = q + s,   ū = (uⁿ + uⁿ⁺¹)/2
//!
//! which is C19 (26)/(46)–(48) for many degrees of freedom, solved for the
//! increment of the velocity so that the rounding error of a step is relative to
//! what changed. y/λ are the contact forces: with x = c·q − h and σ = c·s,
//!
//!   gradient   f = (V(x + σ) − V(x))/σ       energy-conserving, C19 (46)
//!   midpoint   f = V′(x + σ/2)                C19 (47)
//!   trapezoid  f = (V′(x + σ) + V′(x))/2      C19 (48)
//!
//! each plus (μ/Δt)(V(x + σ) − V(x)) for a contact with loss μ: for the gradient rule that is
//! f(1 + μσ/Δt), Hunt and Crossley's law; it grows with σ, so every step keeps its one solution.
//!
//! With θ other than ½ springs and dampers are those at q + θs and w + θe,
//!
//!   (M + 2θR̂ + 4θ²K̂) e = −2K̂(q + 2θw) − 2R̂w + λB(θuⁿ⁺¹ + (1 − θ)uⁿ) − Cᵀy,   s = 2(w + θe)
//!
//! and the step itself takes (θ − ½)((4/Δt²) e·Me + s·Ks) ≥ 0 for θ ≥ ½. Rigid contacts reverse by impulses
//! ([`bounce`]). Bookkeeping, exact for the gradient rule and, without contacts, for all three:
//!
//!   stored      (2/Δt²)(w·Mw + q·K̂q) + ΣV(c·q − h)
//!   dissipated  (2/Δt²) s·R̂s + Σ (μ/Δt)(V(x + σ) − V(x))σ + Σ f σ of resistive laws     supplied  s·Bū − Σ f Δh
//!
//! A resistive law acts with the mean rate, f(σ/Δt; ū); a moving reference goes by Δh in the step, so that
//! σ = c·s − Δh.
//!
//! Damping is either in the step (R̂ above) or split off and exact: w ← r w with
//! r = e^(−γτ) on each coordinate, loss (2/Δt²)(1 − r²) w·Mw (C19 §2.6).

mod constants;
mod energy;
mod rigid;
mod stepper;

use hamiltone_core::{
    claims::{Balance, Claims, Contraction},
    coverage::{Coverage, Feature},
    element::{Compliant, Element},
    refusal::Refusal,
    scheme::Scheme,
    stepper::Stepper,
    system::System,
};
use hamiltone_numerics::{lcp, woodbury::UpdatedBand};
use std::sync::Arc;
use stepper::Implicit;

/// Where a step takes the contact force from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Rule {
    Gradient,
    Midpoint,
    Trapezoid,
}

/// How a step takes the damping R.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Damping {
    /// In the step, by its mean velocity.
    Inside,
    /// The whole step's decay before an undamped step (Lie).
    Before,
    /// Half of the decay before and half after an undamped step (Strang).
    Around,
}

/// A method of the family: what tells `ec`, `mr`, `tr`, `ck`, `ec-cs`, `ec-strang` and `moreau-jean` apart.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Method {
    pub name: &'static str,
    pub order: u32,
    pub rule: Rule,
    pub damping: Damping,
    /// θ: where between its ends a step takes springs and dampers; ½ in the middle.
    pub theta: f64,
    /// How impulses of rigid contacts are found, where the method takes them.
    pub impacts: Option<lcp::Method>,
}

impl Method {
    /// In the middle, by the quotient, the damping inside, without impacts.
    pub const PLAIN: Self = Self {
        name: "",
        order: 2,
        rule: Rule::Gradient,
        damping: Damping::Inside,
        theta: 0.5,
        impacts: None,
    };
}

impl Scheme for Method {
    fn name(&self) -> &'static str {
        self.name
    }

    fn claims(&self) -> Claims {
        Claims {
            order: self.order,
            order_free: if self.theta == 0.5 { 2 } else { 1 },
            symmetric: self.theta == 0.5,
            linear: Balance::Exact,
            contact: if self.rule == Rule::Gradient { Balance::Exact } else { Balance::Bounded },
            contraction: match self.damping {
                Damping::Inside if self.theta == 0.5 => Contraction::Gradient,
                Damping::Inside => Contraction::Free,
                Damping::Before | Damping::Around => Contraction::Conformal,
            },
            contraction_with_contact: self.rule == Rule::Midpoint && self.damping == Damping::Around,
            limit: None,
            physical_energy: true,
            staggered: false,
        }
    }

    fn coverage(&self) -> Coverage {
        use Feature::*;
        /// What every method of the family covers, rigid contacts last but one, and coupled damping last.
        const ALL: &[Feature] = &[
            ManyCoordinates,
            CoupledStiffness,
            Compliant,
            ContactLoss,
            Resistive,
            Control,
            Motion,
            CoupledDamping,
            Rigid,
            RigidMotion,
        ];
        let (uncoupled, without_impacts) = (ALL.len() - 3, ALL.len() - 2);
        Coverage::of(match (self.damping, self.impacts) {
            (Damping::Inside, Some(_)) => ALL,
            (Damping::Inside, None) => &ALL[..without_impacts],
            (Damping::Before | Damping::Around, _) => &ALL[..uncoupled],
        })
    }

    fn build(&self, system: &Arc<System>, dt: f64) -> Result<Box<dyn Stepper>, Refusal> {
        Ok(Box::new(Implicit::new(*self, system, dt)?))
    }

    fn advice(&self, system: &System, _dt: f64) -> Vec<String> {
        let adds_energy = |element: &&Element| {
            element.law.restitution().is_some_and(|restitution| self.theta * (1.0 + restitution) > 1.0)
        };
        let message = |element: &Element| {
            format!(
                "θ = {} is above 1/(1 + e) for contact `{}`, so that its impulses add energy; take a smaller θ, down to 0.5",
                self.theta, element.name
            )
        };
        system.elements.iter().find(adds_energy).map(message).into_iter().collect()
    }
}

/// A + K̂ + R̂ of coupled coordinates, over M: beyond, what a mass does to a step is lost in the rounding of its springs.
const MAX_STIFFNESS_RATIO: f64 = 1e10;

/// Refuses coupled coordinates whose springs leave nothing of their masses.
fn check_stiffness(
    scheme: &'static str,
    system: &System,
    matrix: &UpdatedBand,
    dt: f64,
) -> Result<(), Refusal> {
    if matrix.band.half_bandwidth() == 0 && matrix.far.is_empty() {
        return Ok(());
    }
    let ratio = |(i, m): (usize, &f64)| matrix.diagonal(i) / m;
    let worst = system.mass.iter().enumerate().map(ratio).fold(0.0, f64::max);
    if worst <= MAX_STIFFNESS_RATIO {
        return Ok(());
    }
    Err(Refusal::OutOfRange {
        scheme,
        what: format!(
            "springs between coordinates so stiff that (Δt²K/4 + ΔtR/2)/M = {worst:.1e}: beyond {MAX_STIFFNESS_RATIO:.0e} the masses are lost in rounding"
        ),
        instead: format!(
            "take a coarser grid or softer springs, or run at {:.1e} Hz or more",
            (worst / MAX_STIFFNESS_RATIO).sqrt() / dt.abs()
        ),
    })
}

/// The lossless force f and ∂f/∂σ of a rule.
fn base(rule: Rule, law: &Compliant, x: f64, sigma: f64) -> (f64, f64) {
    match rule {
        Rule::Gradient => law.quotient(x, sigma),
        Rule::Midpoint => {
            let middle = x + 0.5 * sigma;
            (law.force(middle), 0.5 * law.curvature(middle))
        }
        Rule::Trapezoid => {
            let end = x + sigma;
            (0.5 * (law.force(end) + law.force(x)), 0.5 * law.curvature(end))
        }
    }
}

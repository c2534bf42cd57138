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
//! and the step itself takes (θ − ½)((4/Δt²) e·Me + s·Ks) ≥ 0 for θ ≥ ½. Rigid contacts are thrown back by impulses
//! ([`bounce`]). Books, exact for the gradient rule and, without contacts, for all three:
//!
//!   stored      (2/Δt²)(w·Mw + q·K̂q) + ΣV(c·q − h)
//!   dissipated  (2/Δt²) s·R̂s + Σ (μ/Δt)(V(x + σ) − V(x))σ     supplied  s·Bū
//!
//! Damping is either in the step (R̂ above) or split off and exact: w ← r w with
//! r = e^(−γτ) on each coordinate, loss (2/Δt²)(1 − r²) w·Mw (C19 §2.6).

mod bounce;
mod stepper;

use hamiltone_core::{
    law::Law,
    scheme::{Area, Balance, Claims, Refusal, Scheme, Stepper},
    system::{Contact, System},
};
use hamiltone_numerics::{lcp, woodbury::UpdatedBand};
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
            area: match self.damping {
                Damping::Inside if self.theta == 0.5 => Area::Gradient,
                Damping::Inside => Area::Free,
                Damping::Before | Damping::Around => Area::Conformal,
            },
            area_with_contact: self.rule == Rule::Midpoint && self.damping == Damping::Around,
            limit: None,
            staggered: false,
        }
    }

    fn prepare(&self, system: &System, dt: f64) -> Result<Box<dyn Stepper>, Refusal> {
        Ok(Box::new(Implicit::new(*self, system, dt)?))
    }

    fn advice(&self, system: &System, _dt: f64) -> Vec<String> {
        let gives = |contact: &&Contact| match contact.law {
            Law::Rigid { restitution } => self.theta * (1.0 + restitution) > 1.0,
            Law::Compliant(_) => false,
        };
        let told = |contact: &Contact| {
            format!(
                "θ = {} is above 1/(1 + e) for contact `{}`, so that its impulses give energy; take a smaller θ, down to 0.5",
                self.theta, contact.name
            )
        };
        system.contacts.iter().find(gives).map(told).into_iter().collect()
    }
}

/// A + K̂ + R̂ of coupled coordinates, over M: beyond, what a mass does to a step is lost in the rounding of its springs.
const STIFFEST: f64 = 1e10;

/// Refuses coupled coordinates whose springs leave nothing of their masses.
fn stiffness_told(
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
    if worst <= STIFFEST {
        return Ok(());
    }
    Err(Refusal::NotCovered {
        scheme,
        what: format!(
            "springs between coordinates so stiff that (Δt²K/4 + ΔtR/2)/M = {worst:.1e}: beyond {STIFFEST:.0e} rounding swallows the masses"
        ),
        instead: format!(
            "take a coarser grid or softer springs, or run at {:.1e} Hz or more",
            (worst / STIFFEST).sqrt() / dt.abs()
        ),
    })
}

/// The lossless force f and ∂f/∂σ of a rule.
fn base(rule: Rule, potential: &dyn hamiltone_core::law::Potential, x: f64, sigma: f64) -> (f64, f64) {
    match rule {
        Rule::Gradient => potential.quotient(x, sigma),
        Rule::Midpoint => {
            let middle = x + 0.5 * sigma;
            (potential.force(middle), 0.5 * potential.curvature(middle))
        }
        Rule::Trapezoid => {
            let end = x + sigma;
            (0.5 * (potential.force(end) + potential.force(x)), 0.5 * potential.curvature(end))
        }
    }
}

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
//! ([`rigid`]). Bookkeeping, exact for the gradient rule and, without contacts, for all three:
//!
//!   stored      (2/Δt²)(w·Mw + q·K̂q) + ΣV(c·q − h)
//!   dissipated  (2/Δt²) s·R̂s + Σ (μ/Δt)(V(x + σ) − V(x))σ + Σ f σ of resistive laws     supplied  s·Bū − Σ f Δh
//!
//! Forms are taken by the gradient rule ([`forms`]). A resistive law acts with the mean rate, f(σ/Δt; ū); a moving reference goes by Δh in the step, so that
//! σ = c·s − Δh.
//!
//! Damping is either in the step (R̂ above) or split off and exact: w ← r w with
//! r = e^(−γτ) on each coordinate, loss (2/Δt²)(1 − r²) w·Mw (C19 §2.6).

mod constants;
mod correction;
mod elements;
mod energy;
mod few;
mod form_step;
mod forms;
mod kernel;
mod method;
mod rigid;
mod rule;
mod stepper;
mod stiffness;

pub mod ck;
pub mod ec;
pub mod ec_cs;
pub mod ec_strang;
pub mod moreau_jean;
pub mod mr;
pub mod mr_strang;
pub mod tr;

use hamiltone_core::{
    claims::{Balance, Claims, Contraction},
    coverage::{Coverage, Feature},
    element::Element,
    identity::Identity,
    refusal::Refusal,
    scheme::Scheme,
    stepper::Stepper,
    system::System,
};
use std::sync::Arc;
use stepper::Implicit;

pub(crate) use method::{Damping, Method};
pub(crate) use rule::Rule;

impl Scheme for Method {
    fn name(&self) -> &'static str {
        self.name
    }

    fn identity(&self) -> Identity {
        // What it covers follows from the name.
        let Self { name, order, rule, damping, theta, forms: _, impacts } = *self;
        // 0 is a method without impacts, which must differ from the first solver.
        let solver = impacts.map_or(0, |method| 1 + method as usize);
        let kinds = [order as usize, rule as usize, damping as usize, solver];
        Identity::of(name).each(kinds, Identity::count).number(theta)
    }

    fn claims(&self) -> Claims {
        Claims {
            order: self.order,
            // Split damping of order 1 does not enter without damping.
            order_free: if self.theta == 0.5 { 2 } else { 1 },
            symmetric: self.theta == 0.5,
            linear: Balance::EXACT,
            contact: if self.rule == Rule::Gradient { Balance::EXACT } else { Balance::Bounded },
            contraction: match self.damping {
                Damping::Inside if self.theta == 0.5 => Contraction::Gradient,
                Damping::Inside => Contraction::Free,
                Damping::Before | Damping::Around => Contraction::Conformal,
            },
            contraction_with_links: matches!(self.damping, Damping::Before | Damping::Around),
            contraction_with_contact: self.rule == Rule::Midpoint && self.damping == Damping::Around,
            limit: None,
            physical_energy: true,
            staggered: false,
        }
    }

    fn coverage(&self) -> Coverage {
        use Feature::*;
        const UNCOUPLED: &[Feature] = &[
            ManyCoordinates,
            CoupledStiffness,
            Links,
            Compliant,
            ContactLoss,
            Relaxation,
            Resistive,
            Control,
            Motion,
        ];
        const COUPLED: &[Feature] = &[
            ManyCoordinates,
            CoupledStiffness,
            CoupledDamping,
            Links,
            LinkDamping,
            Compliant,
            ContactLoss,
            Relaxation,
            Resistive,
            Control,
            Motion,
            MeanForce,
        ];
        const WITH_FORMS: &[Feature] = &[
            ManyCoordinates,
            CoupledStiffness,
            CoupledDamping,
            Links,
            LinkDamping,
            Forms,
            Compliant,
            ContactLoss,
            Relaxation,
            Resistive,
            Control,
            Motion,
            MeanForce,
        ];
        const WITH_IMPACTS: &[Feature] = &[
            ManyCoordinates,
            CoupledStiffness,
            CoupledDamping,
            Links,
            LinkDamping,
            Compliant,
            ContactLoss,
            Relaxation,
            Rigid,
            RigidMotion,
            Resistive,
            Control,
            Motion,
            MeanForce,
        ];
        Coverage::of(match (self.damping, self.impacts) {
            (Damping::Inside, Some(_)) => WITH_IMPACTS,
            (Damping::Inside, None) if self.forms => WITH_FORMS,
            (Damping::Inside, None) => COUPLED,
            // Split off, damping is a factor on each coordinate.
            (Damping::Before | Damping::Around, _) => UNCOUPLED,
        })
    }

    fn build(&self, system: &Arc<System>, dt: f64) -> Result<Box<dyn Stepper>, Refusal> {
        Ok(Box::new(Implicit::new(*self, system, dt)?))
    }

    fn advice(&self, system: &System, _dt: f64) -> Vec<String> {
        let adds_energy = |element: &&Element| {
            // The work −2F c·w(1 − θ(1 + e)) changes its sign at θ(1 + e) = 1.
            element.law.restitution().is_some_and(|restitution| self.theta * (1.0 + restitution) > 1.0)
        };
        let message = |element: &Element| {
            format!(
                "θ = {} is above 1/(1 + e) for contact `{}`, so that its impulses add energy; use a smaller θ, down to 0.5",
                self.theta, element.name
            )
        };
        system.elements.iter().find(adds_energy).map(message).into_iter().collect()
    }
}

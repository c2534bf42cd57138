//! VV: velocity Verlet.
//!
//!   pⁿ⁺½ = (pⁿ + Δt/2 fⁿ)/(1 + γΔt/2),   yⁿ⁺¹ = yⁿ + Δt/m pⁿ⁺½,
//!   pⁿ⁺¹ = (1 − γΔt/2)pⁿ⁺½ + Δt/2 fⁿ⁺¹                              C19 (29)
//!
//! Merging the two half kicks at each instant gives the damped leapfrog for
//! pⁿ⁺½, so its own energy ½|pⁿ⁺½|²/m + ½yⁿ·Kyⁿ⁺¹ balances exactly without
//! contacts, damped and driven, for ωΔt < 2. The area contracts by
//! (2 − γΔt)/(2 + γΔt), C19 (30), with contacts too.

use crate::{
    amplification,
    explicit::staggered::{self, LIMIT, Staggered, Start, stable, unit_gain},
};
use hamiltone_core::{
    claims::{Balance, Claims, Contraction},
    coverage::Coverage,
    identity::Identity,
    parameter::{Entry, Kind},
    refusal::Refusal,
    scheme::Scheme,
    stepper::Stepper,
    system::System,
};
use std::sync::Arc;

/// The velocity Verlet scheme of C19 (29).
#[derive(Clone, Copy, Debug, Default)]
pub struct Vv;

impl Scheme for Vv {
    fn name(&self) -> &'static str {
        "vv"
    }

    fn identity(&self) -> Identity {
        Identity::of(self.name())
    }

    fn claims(&self) -> Claims {
        Claims {
            order: 2,
            order_free: 2,
            symmetric: true,
            linear: Balance::EXACT,
            contact: Balance::Bounded,
            contraction: Contraction::Pade,
            contraction_with_links: true,
            contraction_with_contact: true,
            limit: Some(LIMIT),
            physical_energy: false,
            staggered: false,
        }
    }

    fn coverage(&self) -> Coverage {
        staggered::COVERAGE
    }

    fn build(&self, system: &Arc<System>, dt: f64) -> Result<Box<dyn Stepper>, Refusal> {
        stable(self.name(), system, dt)?;
        Ok(Box::new(Staggered::new(system, system, unit_gain(system), dt, Start::Verlet)))
    }

    fn advice(&self, system: &System, dt: f64) -> Vec<String> {
        amplification::of_highest(system, dt, amplification::two_step)
    }
}

pub(crate) const ENTRY: Entry<Box<dyn Scheme>> = Entry {
    kind: Kind {
        name: "vv",
        summary: "velocity Verlet: explicit; exact balance in its own energy without contacts, stable for ωΔt < 2",
        equation: "vⁿ⁺½ = (Mvⁿ + Δt/2 fⁿ)/(M + ΔtR/2);  qⁿ⁺¹ = qⁿ + Δt vⁿ⁺½;  Mvⁿ⁺¹ = (M − ΔtR/2)vⁿ⁺½ + Δt/2 fⁿ⁺¹",
        source: "Chatziioannou 2019, (29)",
        parameters: &[],
        rules: &[],
    },
    make: |_| Ok(Box::new(Vv)),
};

//! Leapfrog: the classic second-order scheme.
//!
//!   M δₜₜu + R δₜ·u + K u = Bu(t) − Cᵀf,   u^{n+1} = (2 − k²K̄)uⁿ − uⁿ⁻¹ for one free oscillator     D17 (22)
//!
//! Its energy ½M(δₜ₋u)² + ½K uⁿuⁿ⁻¹ balances exactly, damped and driven, without
//! contacts; it is stable for ωΔt < 2. The start u¹ = u⁰ + kv⁰ of D17 is of
//! order 1 where the start is accelerated; `start = "taylor"` adds ½k²a⁰.

use crate::{
    amplification,
    explicit::staggered::{self, LIMIT, Staggered, Start, stable, unit_gain},
};
use hamiltone_core::{
    claims::{Balance, Claims, Contraction},
    coverage::Coverage,
    identity::Identity,
    parameter::{Absent, Entry, Kind, Parameter, Takes},
    refusal::Refusal,
    scheme::Scheme,
    stepper::Stepper,
    system::System,
};
use std::sync::Arc;

/// The leapfrog scheme of D17 (22), with damping, drive and contacts.
#[derive(Clone, Copy, Debug, Default)]
pub struct Leapfrog {
    /// u¹ = u⁰ + kv⁰ + ½k²a⁰ instead of D17's u¹ = u⁰ + kv⁰.
    pub taylor: bool,
}

/// The option `start` of the two-step schemes of D17.
pub(crate) const START: Parameter = Parameter {
    name: "start",
    takes: Takes::Word(&["printed", "taylor"]),
    absent: Absent::Word("printed"),
    doc: "first step: u¹ = u⁰ + kv⁰ (Ducceschi 2017, order 1 from an accelerated start) or u⁰ + kv⁰ + ½k²a⁰ (order 2)",
};

impl Scheme for Leapfrog {
    fn name(&self) -> &'static str {
        "leapfrog"
    }

    fn identity(&self) -> Identity {
        let Self { taylor } = *self;
        Identity::of(self.name()).count(usize::from(taylor))
    }

    fn claims(&self) -> Claims {
        Claims {
            order: if self.taylor { 2 } else { 1 },
            order_free: if self.taylor { 2 } else { 1 },
            symmetric: self.taylor,
            linear: Balance::EXACT,
            contact: Balance::Bounded,
            contraction: Contraction::Pade,
            contraction_with_links: true,
            contraction_with_contact: true,
            limit: Some(LIMIT),
            physical_energy: false,
            staggered: true,
        }
    }

    fn coverage(&self) -> Coverage {
        staggered::COVERAGE
    }

    fn build(&self, system: &Arc<System>, dt: f64) -> Result<Box<dyn Stepper>, Refusal> {
        let start = if self.taylor { Start::Taylor } else { Start::Printed };
        stable(self.name(), system, dt)?;
        Ok(Box::new(Staggered::new(system, system, unit_gain(system), dt, start)))
    }

    fn advice(&self, system: &System, dt: f64) -> Vec<String> {
        amplification::of_highest(system, dt, amplification::two_step)
    }
}

pub(crate) const ENTRY: Entry<Box<dyn Scheme>> = Entry {
    kind: Kind {
        name: "leapfrog",
        summary: "explicit leapfrog: exact balance in its own energy without contacts, stable for ωΔt < 2",
        equation: "M δₜₜq + R δₜ·q + K q = Bu − Cᵀf(C·q − h)",
        source: "Ducceschi 2017, (22), with damping, drive and contacts",
        parameters: &[START],
        rules: &[],
    },
    make: |values| Ok(Box::new(Leapfrog { taylor: values.word("start") == Some("taylor") })),
};

//! Cubic-explicit: the benchmark of D17 for the cubic oscillator.
//!
//!   uⁿ⁺¹ = 2/(1 + (K/2M)k²(uⁿ)²) uⁿ − uⁿ⁻¹                                             D17 (25)
//!
//! that is M δₜₜu + K(uⁿ)²(uⁿ⁺¹ + uⁿ⁻¹)/2 = 0; here with damping, drive and a linear
//! spring k₁: M δₜₜu + r δₜ·u + k₁uⁿ + K(uⁿ)²(uⁿ⁺¹ + uⁿ⁻¹)/2 = f. Its energy
//!
//!   ½M(δₜ₋u)² + ½k₁uⁿuⁿ⁻¹ + ¼K(uⁿuⁿ⁻¹)²
//!
//! balances exactly; without k₁ it is stable for any step, with it for √(k₁/M)·k < 2. It
//! takes forces Ku³ on the coordinate itself, without a gap, and no other contact.

use crate::{
    amplification,
    contact::Contact,
    explicit::leapfrog::START,
    explicit::method::{self, below},
    one_coordinate::scalar::{self, Method, Model, Scalar},
};
use hamiltone_core::{
    claims::{Balance, Claims, Contraction},
    coverage::Coverage,
    element::{Compliant, Element},
    identity::Identity,
    ledger::Effort,
    parameter::{Entry, Kind},
    refusal::Refusal,
    scheme::Scheme,
    stepper::Stepper,
    system::System,
};
use hamiltone_numerics::double::Double;
use std::sync::Arc;

/// The explicit scheme of D17 (25) for cubic forces.
#[derive(Clone, Copy, Debug, Default)]
pub struct CubicExplicit {
    /// u¹ = u⁰ + kv⁰ + ½k²a⁰ instead of D17's u¹ = u⁰ + kv⁰.
    pub taylor: bool,
}

impl Scheme for CubicExplicit {
    fn name(&self) -> &'static str {
        "cubic-explicit"
    }

    fn identity(&self) -> Identity {
        let Self { taylor } = *self;
        Identity::of(self.name()).count(usize::from(taylor))
    }

    fn claims(&self) -> Claims {
        Claims {
            order: if self.taylor { 2 } else { 1 },
            order_free: if self.taylor { 2 } else { 1 },
            symmetric: false,
            linear: Balance::EXACT,
            contact: Balance::EXACT,
            contraction: Contraction::Pade,
            contraction_with_links: false,
            contraction_with_contact: false,
            limit: Some(method::LIMIT),
            physical_energy: false,
            staggered: true,
        }
    }

    fn coverage(&self) -> Coverage {
        scalar::COVERAGE
    }

    fn build(&self, system: &Arc<System>, dt: f64) -> Result<Box<dyn Stepper>, Refusal> {
        let other = |element: &&Element| {
            element.gap != 0.0 || element.law.compliant().is_none_or(|law| cubic_stiffness(law).is_none())
        };
        if let Some(element) = system.elements.iter().find(other) {
            let what = vec![format!("the contact `{}`, which is no force Ku³ without a gap", element.name)];
            return Err(Refusal::NotCovered { scheme: self.name(), what });
        }
        below(self.name(), system, dt, method::LIMIT)?;
        Ok(Box::new(Scalar::new(system, dt, self.taylor, Cubic::new)))
    }

    fn advice(&self, system: &System, dt: f64) -> Vec<String> {
        amplification::of_highest(system, dt, amplification::two_step)
    }
}

/// K of a force K x³; `None` where the law is another one.
///
/// A law is taken to be cubic where f(±2ᵏ) = ±8ᵏ f(1) to the last bit for k = −8 … 8: powers of two are multiplied
/// without rounding, so that a cubic law meets this exactly, and no other convex law that a user would write does.
fn cubic_stiffness(law: &Compliant) -> Option<f64> {
    let stiffness = law.force(1.0);
    let cubic = |k: i32| {
        let x = if k < 0 { 1.0 / f64::from(1 << -k) } else { f64::from(1 << k) };
        law.force(x) == stiffness * (x * x * x) && law.force(-x) == -law.force(x)
    };
    (stiffness > 0.0 && (-8..=8).all(cubic)).then_some(stiffness)
}

/// ΣKc⁴ of the cubic contacts.
#[derive(Clone)]
struct Cubic(f64);

impl Cubic {
    fn new(model: &Model) -> Self {
        let strength = |(c, contact): &(f64, Contact)| {
            let square = c * c;
            cubic_stiffness(&contact.law).map_or(0.0, |k| k * square * square)
        };
        Self(model.contacts.iter().map(strength).sum())
    }
}

impl Method for Cubic {
    const CARRIED: bool = true;

    /// (M/k² + r/2k + κ/2) z = f − k₁u − κu − rd/k with κ = Ku², z = d⁺ − d.
    fn next(&mut self, model: &Model, u: Double, d: Double, f: f64) -> (Double, Effort) {
        let (u, d) = (u.high, d.high);
        // K(uⁿ)²(uⁿ⁺¹ + uⁿ⁻¹)/2 = κ(u + z/2), because uⁿ⁺¹ + uⁿ⁻¹ = 2u + z.
        let kappa = self.0 * u * u;
        let inertia = model.mass / (model.dt * model.dt) + model.damping / (2.0 * model.dt) + 0.5 * kappa;
        let z = (f - (model.stiffness + kappa) * u - model.damping * d / model.dt) / inertia;
        (Double::from(z), Effort::default())
    }

    /// Near ωk = 2 the increments alternate, and ½k₁uⁿuⁿ⁺¹ < 0 all but cancels the kinetic energy.
    fn cancelled(&self, model: &Model, u: Double, d: Double) -> f64 {
        let elastic = 0.5 * model.stiffness * u.high * (u.high + d.high);
        if elastic < 0.0 { model.kinetic(d.high) - elastic } else { 0.0 }
    }

    fn stored(&self, model: &Model, u: Double, d: Double) -> f64 {
        let (u, d) = (u.high, d.high);
        let product = u * (u + d);
        model.kinetic(d) + 0.5 * model.stiffness * product + 0.25 * self.0 * product * product
    }
}

pub(crate) const ENTRY: Entry<Box<dyn Scheme>> = Entry {
    kind: Kind {
        name: "cubic-explicit",
        summary: "explicit, exact balance for the cubic oscillator: one coordinate, forces Ku³",
        equation: "M δₜₜu + r δₜ·u + k₁uⁿ + K(uⁿ)²(uⁿ⁺¹ + uⁿ⁻¹)/2 = f",
        source: "Ducceschi 2017, (25), with damping, drive and a linear spring",
        parameters: &[START],
        rules: &[],
    },
    make: |values| Ok(Box::new(CubicExplicit { taylor: values.word("start") == Some("taylor") })),
};

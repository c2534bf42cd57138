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
    leapfrog::START,
    scalar::{Method, Model, Scalar},
    staggered,
};
use hamiltone_core::{
    ledger::Effort,
    parameter::{Entry, Kind},
    scheme::{Area, Balance, Claims, Refusal, Scheme, Stepper},
    system::System,
};

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

    fn claims(&self) -> Claims {
        Claims {
            order: if self.taylor { 2 } else { 1 },
            order_free: if self.taylor { 2 } else { 1 },
            symmetric: false,
            linear: Balance::Exact,
            contact: Balance::Exact,
            area: Area::Pade,
            area_with_contact: false,
            limit: Some(staggered::LIMIT),
            staggered: true,
        }
    }

    fn prepare(&self, system: &System, dt: f64) -> Result<Box<dyn Stepper>, Refusal> {
        let scheme = self.name();
        let stepper = Scalar::new(scheme, system, dt, self.taylor, Cubic::new)?;
        let cubic = |t: &crate::touch::Touch| {
            t.gap == 0.0 && matches!(t.potential.monomial(), Some((_, alpha)) if alpha == 3.0)
        };
        match crate::touch::all(scheme, system)?.iter().position(|t| !cubic(t)) {
            None => {
                staggered::stable(scheme, system, dt)?;
                Ok(Box::new(stepper))
            }
            Some(j) => Err(Refusal::NotCovered {
                scheme,
                what: format!(
                    "contact `{}`: it takes forces Ku³ without a gap alone",
                    system.contacts[j].name
                ),
                instead: "use `average-gradient`, `quadratic` or `ec`".into(),
            }),
        }
    }
}

/// ΣKc⁴ of the cubic contacts.
struct Cubic(f64);

impl Cubic {
    fn new(model: &Model) -> Self {
        let strength = |(c, t): &(f64, crate::touch::Touch)| {
            let square = c * c;
            t.potential.monomial().map_or(0.0, |(k, _)| k * square * square)
        };
        Self(model.touches.iter().map(strength).sum())
    }
}

impl Method for Cubic {
    /// (M/k² + r/2k + κ/2) z = f − k₁u − κu − rd/k with κ = Ku², z = d⁺ − d.
    fn next(&mut self, model: &Model, u: f64, d: f64, f: f64) -> (f64, Effort) {
        let kappa = self.0 * u * u;
        let inertia = model.mass / (model.dt * model.dt) + model.damping / (2.0 * model.dt) + 0.5 * kappa;
        let z = (f - (model.stiffness + kappa) * u - model.damping * d / model.dt) / inertia;
        (z, Effort::default())
    }

    fn stored(&self, model: &Model, u: f64, d: f64) -> f64 {
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

//! Average gradient: the iterative benchmark of D17.
//!
//!   y + k²/(My)[φ(y + uⁿ⁻¹) − φ(uⁿ⁻¹)] + 2uⁿ⁻¹ − 2uⁿ = 0,   y = uⁿ⁺¹ − uⁿ⁻¹        D17 (23)
//!
//! with damping and drive: M δₜₜu + r δₜ·u + (φ(uⁿ⁺¹) − φ(uⁿ⁻¹))/y = f. Its energy
//! ½M(δₜ₋u)² + ½(φ(uⁿ) + φ(uⁿ⁻¹)) balances exactly, whatever the step. With
//! y = 2d + z, d = uⁿ − uⁿ⁻¹, it is solved for the change z = d⁺ − d:
//!
//!   (M/k² + r/2k + K/2) z = f − Kuⁿ − rd/k − ΣcD(x, cy),   D the quotient of each contact

use crate::{
    explicit::leapfrog::START,
    one_coordinate::scalar::{self, Method, Model, Scalar, penetration},
};
use hamiltone_core::{
    claims::{Balance, Claims, Contraction},
    coverage::Coverage,
    identity::Identity,
    ledger::{Effort, Fault},
    parameter::{Entry, Kind},
    refusal::Refusal,
    scheme::Scheme,
    stepper::Stepper,
    system::System,
};
use hamiltone_numerics::{double::Double, schur_newton::SchurNewton};
use std::sync::Arc;

/// The iterative energy-conserving scheme of D17 (23).
#[derive(Clone, Copy, Debug, Default)]
pub struct AverageGradient {
    /// u¹ = u⁰ + kv⁰ + ½k²a⁰ instead of D17's u¹ = u⁰ + kv⁰.
    pub taylor: bool,
}

impl Scheme for AverageGradient {
    fn name(&self) -> &'static str {
        "average-gradient"
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
            contraction: Contraction::Free,
            contraction_with_links: false,
            contraction_with_contact: false,
            limit: None,
            physical_energy: false,
            staggered: true,
        }
    }

    fn coverage(&self) -> Coverage {
        scalar::COVERAGE
    }

    fn build(&self, system: &Arc<System>, dt: f64) -> Result<Box<dyn Stepper>, Refusal> {
        Ok(Box::new(Scalar::new(system, dt, self.taylor, Averaged::new)))
    }
}

#[derive(Clone)]
struct Averaged {
    /// M/k² + r/2k + K/2.
    inertia: f64,
    newton: SchurNewton,
    x: Vec<f64>,
    free: Vec<f64>,
}

impl Averaged {
    fn new(model: &Model) -> Self {
        let inertia =
            model.mass / (model.dt * model.dt) + model.damping / (2.0 * model.dt) + 0.5 * model.stiffness;
        let weights: Vec<f64> = model.contacts.iter().map(|(c, _)| *c).collect();
        // All contacts are on one coordinate: G = c cᵀ/A has rank 1, which the solver allows.
        let compliance = weights.iter().flat_map(|a| weights.iter().map(move |b| a * b / inertia)).collect();
        let p = weights.len();
        Self { inertia, newton: SchurNewton::new(p, compliance), x: vec![0.0; p], free: vec![0.0; p] }
    }
}

/// a + b + c to twice the digits.
fn sum(a: Double, b: Double, c: Double) -> Double {
    let mut sum = a;
    sum += b;
    sum += c;
    sum
}

impl Method for Averaged {
    const TWICE: bool = true;

    fn next(&mut self, model: &Model, u: Double, d: Double, f: f64) -> (Double, Effort) {
        // uⁿ⁻¹
        let before = sum(u, d.negated(), Double::default());
        let mut z =
            Double::from((f - model.stiffness * u.high - model.damping * d.high / model.dt) / self.inertia);
        for (j, (c, t)) in model.contacts.iter().enumerate() {
            self.x[j] = penetration(*c, t, before);
            self.free[j] = c * (2.0 * d.high + z.high);
        }
        let x = &self.x;
        let law = |j: usize, sigma| model.contacts[j].1.law.quotient(x[j], sigma);
        let outcome = self.newton.solve(x, &self.free, law);
        for ((c, _), y) in model.contacts.iter().zip(&self.newton.multipliers) {
            z += Double::from(-c * y / self.inertia);
        }
        // x + σ, up to where the force was taken, is to be the penetration at n + 1: a stiff wall feels the last digit
        // of both, though they are of the length of the increments.
        let ahead = sum(u, d, z);
        for (j, (c, t)) in model.contacts.iter().enumerate() {
            let step = Double { high: self.newton.steps[j], low: self.newton.remainder[j] };
            let taken = sum(self.x[j].into(), step, t.gap.into());
            self.free[j] = sum(taken, ahead.times(*c).negated(), Double::default()).rounded();
        }
        // As in the implicit step: the multipliers and z change together.
        self.newton.correct(&self.free);
        for ((c, _), y) in model.contacts.iter().zip(&self.newton.response) {
            z += Double::from(c * y / self.inertia);
        }
        let fault = (outcome.excess > 1.0).then_some(Fault::NotConverged(outcome.excess));
        (z, Effort { iterations: outcome.iterations, fault })
    }

    fn stored(&self, model: &Model, u: Double, d: Double) -> f64 {
        let ahead = sum(u, d, Double::default());
        model.kinetic(d.high) + 0.5 * (model.energy(u) + model.energy(ahead))
    }
}

pub(crate) const ENTRY: Entry<Box<dyn Scheme>> = Entry {
    kind: Kind {
        name: "average-gradient",
        summary: "iterative two-step discrete gradient: exact balance for any potential, one coordinate",
        equation: "M δₜₜu + r δₜ·u + (φ(uⁿ⁺¹) − φ(uⁿ⁻¹))/(uⁿ⁺¹ − uⁿ⁻¹) = f",
        source: "Ducceschi 2017, (23), with damping and drive",
        parameters: &[START],
        rules: &[],
    },
    make: |values| Ok(Box::new(AverageGradient { taylor: values.word("start") == Some("taylor") })),
};

//! Quadratic: the non-iterative scheme of D17.
//!
//! The potential is expanded to second order about the older sample,
//!
//!   P_{n−1,n} = φ(uⁿ⁻¹) + s dφ′(uⁿ⁻¹) + s ½d² φ″(uⁿ⁻¹),   d = uⁿ − uⁿ⁻¹              D17 (6)
//!   h^{n−½} = ½M(d/k)² + P_{n−1,n}                                                    D17 (7)
//!
//! and h^{n+½} − h^{n−½} = −r y²/4k + f y/2 is a quadratic in y = uⁿ⁺¹ − uⁿ⁻¹,
//!
//!   Ay² + By + C = 0                                                                   D17 (17)
//!   A = M/k² + sφ″(uⁿ) + r/2k,   B = −2Md/k² + 2sφ′(uⁿ) − 2sdφ″(uⁿ) − fⁿ,
//!   C = 2P_{n,n−1} − 2P_{n−1,n}                                                        D17 (16)
//!
//! whose root with the sign opposite to B is taken (D17 (19)–(21)). It is solved for the
//! change z = y − 2d of the increment, with the same discriminant,
//!
//!   Az² + (4Ad + B)z + 4Ad² + 2Bd + C = 0,   4Ad² + 2Bd + C = 2(φ + sdφ′ + s½d²φ″ − P_{n−1,n}) + 2rd²/k − 2fd
//!
//! so that its rounding error is relative to what changed, and corrected once by what its
//! balance misses, with the rounding remainder of the steps before: without either, the energy of a
//! stiff oscillator drifts by up to 1 eps a step, always one way. With damping r
//! and drive f, which D17 does not have, it stays quadratic. s = ½ is of order 2,
//! any other s of order 1.
//!
//! An undamped, undriven harmonic oscillator has real roots at any step for ½ ≤ s ≤ 1; for s > 1 where
//! (ωk)² ≤ 1/(s(s−1)), D17's (s+½)/(s(s−½)) being too wide from s = 1.5 on; for s < ½ never at
//! all phases. Damping narrows this (at s = 1 to γk ≤ 2), and a drive can make a root complex at
//! any step, most easily where the motion is slow. A negative discriminant has no step: it ends the run, with its size.
//! (Within 8 eps of zero it is a double root, rounded.)

use crate::{
    eigenfrequencies,
    explicit::leapfrog::START,
    one_coordinate::scalar::{self, Method, Model, Scalar},
};
use hamiltone_core::{
    claims::{Balance, Claims, Contraction},
    coverage::Coverage,
    identity::Identity,
    ledger::{Effort, Fault},
    parameter::{Absent, Entry, Kind, Parameter, Range, Role, Takes},
    refusal::Refusal,
    scheme::Scheme,
    stepper::Stepper,
    system::System,
};
use hamiltone_numerics::{compensation, double::Double};
use std::sync::Arc;

/// The non-iterative scheme of D17 (16)–(19).
#[derive(Clone, Copy, Debug)]
pub struct Quadratic {
    /// D17's free parameter s ≥ ½.
    pub s: f64,
    /// u¹ = u⁰ + kv⁰ + ½k²a⁰ instead of D17's u¹ = u⁰ + kv⁰.
    pub taylor: bool,
}

impl Quadratic {
    /// 1/√(s(s−1)) for s > 1: beyond, the roots of a harmonic oscillator are complex at some phase.
    fn limit(&self) -> Option<f64> {
        (self.s > 1.0).then(|| (self.s * (self.s - 1.0)).sqrt().recip())
    }
}

impl Scheme for Quadratic {
    fn name(&self) -> &'static str {
        "quadratic"
    }

    fn identity(&self) -> Identity {
        let Self { s, taylor } = *self;
        Identity::of(self.name()).number(s).count(usize::from(taylor))
    }

    fn claims(&self) -> Claims {
        Claims {
            order: if self.s == 0.5 && self.taylor { 2 } else { 1 },
            order_free: if self.s == 0.5 && self.taylor { 2 } else { 1 },
            symmetric: false,
            linear: Balance::EXACT,
            contact: Balance::EXACT,
            contraction: Contraction::Free,
            contraction_with_links: false,
            contraction_with_contact: false,
            limit: self.limit(),
            physical_energy: false,
            staggered: true,
        }
    }

    fn coverage(&self) -> Coverage {
        scalar::COVERAGE
    }

    fn build(&self, system: &Arc<System>, dt: f64) -> Result<Box<dyn Stepper>, Refusal> {
        if !S.holds(self.s) {
            return Err(Refusal::Option { scheme: self.name(), what: format!("s = {} must be {S}", self.s) });
        }
        let (omega, limit) = (eigenfrequencies::highest(system), self.limit().unwrap_or(f64::INFINITY));
        if omega * dt.abs() <= limit {
            let step = |_: &Model| Expanded { s: self.s, phi: Taylor::default(), potential: 0.0, left: 0.0 };
            return Ok(Box::new(Scalar::new(system, dt, self.taylor, step)));
        }
        Err(Refusal::Unstable {
            scheme: self.name(),
            quantity: "ω·Δt",
            value: omega * dt,
            limit,
            rate: (omega / limit).floor() + 1.0,
        })
    }
}

/// s: below ½ the roots of a harmonic oscillator turn complex whatever the step.
const S: Range = Range::from(0.5);

/// Discriminants this small are made of energies that have lost their last bits to underflow: a body at rest.
const UNDERFLOW: f64 = f64::MIN_POSITIVE / f64::EPSILON;

/// The step, with φ about uⁿ and P_{n,n+1}, and the rounding remainder of the balance of the steps before, J.
#[derive(Clone)]
struct Expanded {
    s: f64,
    phi: Taylor,
    potential: f64,
    left: f64,
}

/// φ, φ′ and φ″ at one sample.
#[derive(Clone, Copy, Default)]
struct Taylor(f64, f64, f64);

impl Taylor {
    fn at(model: &Model, u: f64) -> Self {
        Self(model.energy(u.into()), model.force(u), model.curvature(u))
    }

    /// φ + s dφ′ + s ½d²φ″.
    fn expand(&self, s: f64, d: f64) -> f64 {
        self.0 + s * d * (self.1 + 0.5 * d * self.2)
    }
}

/// The largest correction, of y, that rounding accounts for.
const POLISH: f64 = 1e-10;

impl Method for Expanded {
    fn start(&mut self, model: &Model, u: f64) {
        self.phi = Taylor::at(model, u);
    }

    fn arrive(&mut self, d: f64) {
        self.potential = self.phi.expand(self.s, d);
    }

    fn carried(&mut self) -> Option<&mut f64> {
        Some(&mut self.left)
    }

    /// The root's existence is judged by D17's discriminant; its value is found from the
    /// same quadratic in the change z = d⁺ − d, so that rounding is relative to what changed.
    fn next(&mut self, model: &Model, u: Double, d: Double, f: f64) -> (Double, Effort) {
        let (u, mut rest, d) = (u.high, d.low, d.high);
        let (s, inertia) = (self.s, model.mass / (model.dt * model.dt));
        let phi = Taylor::at(model, u);
        self.phi = phi;
        let Taylor(_, force, curvature) = phi;
        let a = inertia + s * curvature + model.damping / (2.0 * model.dt);
        let b = -2.0 * inertia * d + 2.0 * s * (force - d * curvature) - f;
        let c = 2.0 * (phi.expand(s, -d) - self.potential);
        let (square, product) = (b * b, 4.0 * a * c);
        // 8 eps of the terms, as A, B and C are each rounded a few times.
        let (discriminant, size) = (square - product, square + product.abs());
        if discriminant < -8.0 * f64::EPSILON * size - UNDERFLOW {
            let fault = Some(Fault::ComplexRoot(discriminant / size));
            return (Double::default(), Effort { fault, ..Effort::default() });
        }
        // y = 2d + z: Az² + (B + 4Ad)z + (4Ad² + 2Bd + C) = 0 has the same discriminant.
        let root = if b >= 0.0 { -1.0 } else { 1.0 } * discriminant.max(0.0).sqrt();
        let loss = 2.0 * model.damping * d / model.dt;
        let linear = 2.0 * (inertia * d + s * (force + d * curvature)) + loss - f;
        let constant = 2.0 * (phi.expand(s, d) - self.potential) + d * (loss - 2.0 * f);
        // Of the two forms of the root, the one that adds numbers of one sign.
        let z =
            if root * linear <= 0.0 { 0.5 * (root - linear) / a } else { -2.0 * constant / (linear + root) };
        if (phi.0, self.potential) == (0.0, 0.0) {
            // Nothing is stored but motion: z is as good as it gets, and its rounding is carried on.
            return (Double::from(z), Effort::default());
        }
        // The residual of the balance where the increment is `next`; its derivative is half the root.
        let missed = |next: f64| {
            let y = d + next;
            let change = model.kinetic(next) + phi.expand(s, next) - (model.kinetic(d) + self.potential);
            change + 0.5 * y * (0.5 * model.damping * y / model.dt - f)
        };
        // The residual is taken at the rounded increment, because this is what will be stored.
        let next = d + z;
        // Nearly double roots are left alone.
        let is_rounding = |energy: f64| (2.0 * energy / root).abs() < POLISH * (d + next).abs();
        let excess = missed(next) + self.left;
        let correction = if is_rounding(excess) { 2.0 * excess / root } else { 0.0 };
        // What d + z rounded is part of the correction, so it must be part of what is corrected.
        let change = (next - d) - correction;
        let left = self.left + missed(compensation::add(d, change, &mut rest));
        self.left = if is_rounding(left) { left } else { 0.0 };
        (Double::from(change), Effort::default())
    }

    fn stored(&self, model: &Model, _u: Double, d: Double) -> f64 {
        model.kinetic(d.high) + self.potential
    }
}

pub(crate) const ENTRY: Entry<Box<dyn Scheme>> = Entry {
    kind: Kind {
        name: "quadratic",
        summary: "non-iterative: one quadratic equation per step, exact balance, one coordinate; ends where its roots are complex",
        equation: "Ay² + By + C = 0,  y = uⁿ⁺¹ − uⁿ⁻¹\nA = M/k² + sφ″ + r/2k;  B = −2M(uⁿ − uⁿ⁻¹)/k² + 2sφ′ − 2s(uⁿ − uⁿ⁻¹)φ″ − f;  C = 2P_{n,n−1} − 2P_{n−1,n}",
        source: "Ducceschi 2017, (5)–(7), (16)–(21), with damping and drive",
        parameters: &[
            Parameter {
                name: "s",
                takes: Takes::Number(Role::Number, S),
                absent: Absent::Number(1.0),
                doc: "free parameter of the averaged potential: ½ is of order 2 but meets complex roots at stiff contacts; 1 is the most robust without drives, of order 1; a drive or γk > 2 can make roots complex at any s",
            },
            START,
        ],
        rules: &[],
    },
    make: |values| {
        Ok(Box::new(Quadratic { s: values.required("s")?, taylor: values.word("start") == Some("taylor") }))
    },
};

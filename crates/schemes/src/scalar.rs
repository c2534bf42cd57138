//! One coordinate: what the schemes of D17 step.
//!
//!   m ü + r u̇ + k u + Σ cⱼVⱼ′(cⱼu − hⱼ) = f(t),   φ(u) = ½ku² + ΣVⱼ(cⱼu − hⱼ)
//!
//! All three schemes are two-step: with d = uⁿ − uⁿ⁻¹, a step of time Δt = k (D17's
//! letter) finds y = uⁿ⁺¹ − uⁿ⁻¹, from which d⁺ = y − d. The stepper looks one
//! increment ahead: after the step to tₙ it holds uⁿ and uⁿ⁺¹ − uⁿ, and its
//! energy lives at n + ½. With damping and drive every one of them books
//!
//!   lost  k·r(y/2k)²       supplied  fⁿ·y/2
//!
//! which is what M δₜₜu + r δₜ·u + … = f gives when multiplied by y/2.

use crate::{carry, listen, touch, touch::Touch};
use hamiltone_core::{
    check,
    ledger::{Books, Effort, Fault, Ledger},
    scheme::{Balance, Refusal, Stepper},
    system::System,
};

/// A one-coordinate model.
pub(crate) struct Model {
    pub mass: f64,
    pub damping: f64,
    pub stiffness: f64,
    pub dt: f64,
    /// Row weight c and contact, one a contact.
    pub touches: Vec<(f64, Touch)>,
}

impl Model {
    /// φ(u).
    pub fn energy(&self, u: f64) -> f64 {
        let contact: f64 = self.touches.iter().map(|(c, t)| t.potential.energy(c * u - t.gap)).sum();
        0.5 * self.stiffness * u * u + contact
    }

    /// φ′(u).
    pub fn force(&self, u: f64) -> f64 {
        let contact: f64 = self.touches.iter().map(|(c, t)| c * t.potential.force(c * u - t.gap)).sum();
        self.stiffness * u + contact
    }

    /// φ″(u).
    pub fn curvature(&self, u: f64) -> f64 {
        let contact: f64 =
            self.touches.iter().map(|(c, t)| c * c * t.potential.curvature(c * u - t.gap)).sum();
        self.stiffness + contact
    }

    /// ½m(d/k)².
    pub fn kinetic(&self, d: f64) -> f64 {
        let v = d / self.dt;
        0.5 * self.mass * v * v
    }
}

/// The part of a two-step scheme that is its own.
pub(crate) trait Method: Send {
    /// Takes note of u⁰.
    fn start(&mut self, _model: &Model, _u: f64) {}

    /// d⁺ − d from u = uⁿ, d = uⁿ − uⁿ⁻¹ and the external force fⁿ.
    /// A fault that ends the run leaves d⁺ = d.
    fn next(&mut self, model: &Model, u: f64, d: f64, f: f64) -> (f64, Effort);

    /// Takes note of d = uⁿ⁺¹ − uⁿ, as it was rounded.
    fn arrive(&mut self, _d: f64) {}

    /// The energy at n + ½ from u = uⁿ and d = uⁿ⁺¹ − uⁿ.
    fn stored(&self, model: &Model, u: f64, d: f64) -> f64;
}

pub(crate) struct Scalar<M> {
    system: System,
    model: Model,
    taylor: bool,
    method: M,
    u: f64,
    d: f64,
    /// What rounding left out of d.
    carry: f64,
    /// k times the velocity at n: the mean of the increments beside it.
    velocity: f64,
    forces: Vec<f64>,
    inputs: Vec<f64>,
}

impl<M: Method> Scalar<M> {
    /// A stepper of the one coordinate of `system` by `method`, or a refusal.
    pub fn new(
        scheme: &'static str,
        system: &System,
        dt: f64,
        taylor: bool,
        method: impl FnOnce(&Model) -> M,
    ) -> Result<Self, Refusal> {
        check::check(scheme, system, dt)?;
        if system.size() != 1 {
            return Err(Refusal::NotCovered {
                scheme,
                what: format!("{} coordinates: it steps one", system.size()),
                instead: "keep one body in the scene, or use `ec`".into(),
            });
        }
        let weight = |row: &hamiltone_core::row::Row| row.dot(&[1.0]);
        let touches = touch::lossless(scheme, system)?;
        let touches: Vec<(f64, Touch)> = touches.into_iter().map(|t| (weight(&t.row), t)).collect();
        let model = Model {
            mass: system.mass[0],
            damping: system.damping_form(&[1.0]),
            stiffness: system.stiffness_form(&[1.0], &[1.0]),
            dt,
            touches,
        };
        let mut stepper = Self {
            method: method(&model),
            model,
            taylor,
            u: 0.0,
            d: 0.0,
            carry: 0.0,
            velocity: 0.0,
            forces: vec![0.0; system.contacts.len()],
            inputs: system.inputs.iter().map(|port| weight(&port.row)).collect(),
            system: system.clone(),
        };
        stepper.reset(&vec![0.0; system.inputs.len()]);
        Ok(stepper)
    }

    fn external(&self, input: &[f64]) -> f64 {
        self.inputs.iter().zip(input).map(|(w, u)| w * u).sum()
    }
}

impl<M: Method> Stepper for Scalar<M> {
    fn reset(&mut self, input: &[f64]) -> f64 {
        let (u, v, dt) = (self.system.start.position[0], self.system.start.velocity[0], self.model.dt);
        self.u = u;
        self.d = dt * v;
        self.carry = 0.0;
        self.velocity = self.d;
        self.forces.fill(0.0);
        if self.taylor {
            let force = self.external(input) - self.model.force(u) - self.model.damping * v;
            // By the mean velocity where γk > 2, since there kv⁰(1 − γk/2) would be more than there is.
            let damping = dt * self.model.damping;
            let inertia = self.model.mass + if damping > 2.0 * self.model.mass { 0.5 * damping } else { 0.0 };
            self.d += 0.5 * dt * dt * force / inertia;
        }
        self.method.start(&self.model, u);
        self.method.arrive(self.d);
        self.method.stored(&self.model, self.u, self.d)
    }

    fn step(&mut self, input: &[f64], books: Books) -> Ledger {
        let u = self.u + self.d;
        let f = self.external(&input[self.inputs.len()..]);
        let (change, mut effort) = self.method.next(&self.model, u, self.d, f);
        let next = carry::add(self.d, change, &mut self.carry);
        self.method.arrive(next);
        let y = self.d + next;
        if !y.is_finite() {
            effort.fault = Some(Fault::NonFinite);
        }
        self.velocity = 0.5 * y;
        (self.u, self.d) = (u, next);
        let mut ledger = Ledger { effort, ..Ledger::default() };
        for ((c, t), force) in self.model.touches.iter().zip(&mut self.forces) {
            *force = t.potential.force(c * u - t.gap);
            ledger.leverage += force.abs() * ((c * u).abs() + t.gap.abs());
        }
        if books != Books::Off {
            let v = 0.5 * y / self.model.dt;
            ledger.dissipated = self.model.dt * self.model.damping * v * v;
            ledger.supplied = 0.5 * f * y;
            ledger.stored = self.method.stored(&self.model, u, next);
        }
        ledger
    }

    fn outputs(&self, output: &mut [f64]) {
        listen::read(
            &self.system.outputs,
            &[self.u],
            &[self.velocity],
            1.0 / self.model.dt,
            &self.forces,
            output,
        );
    }

    fn snapshot(&self, q: &mut [f64], v: &mut [f64]) {
        q[0] = self.u;
        v[0] = self.velocity / self.model.dt;
    }

    fn balance(&self) -> Balance {
        Balance::Exact
    }
}

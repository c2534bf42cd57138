//! One coordinate: what the schemes of D17 step.
//!
//!   m ü + r u̇ + k u + Σ cⱼVⱼ′(cⱼu − hⱼ) = f(t),   φ(u) = ½ku² + ΣVⱼ(cⱼu − hⱼ)
//!
//! All three schemes are two-step: with d = uⁿ − uⁿ⁻¹, a step of time Δt = k (D17's
//! letter) finds y = uⁿ⁺¹ − uⁿ⁻¹, from which d⁺ = y − d. The stepper looks one
//! increment ahead: after the step to tₙ it holds uⁿ and uⁿ⁺¹ − uⁿ, and its
//! energy lives at n + ½. With damping and drive every one of them accounts for
//!
//!   dissipated  k·r(y/2k)²       supplied  fⁿ·y/2
//!
//! which is what M δₜₜu + r δₜ·u + … = f gives when multiplied by y/2.

use crate::contact::{self, Contact};
use hamiltone_core::{
    coverage::{Coverage, Feature},
    input::Input,
    ledger::{Effort, Fault, Ledger},
    row::Row,
    state::{Motion, State},
    stepper::{Change, Stepper},
    system::System,
};
use hamiltone_numerics::{compensation, double::Double};
use std::sync::Arc;

/// What the schemes of one coordinate cover.
pub(crate) const COVERAGE: Coverage = Coverage::of(&[Feature::Compliant]);

/// A one-coordinate model.
#[derive(Clone)]
pub(crate) struct Model {
    pub mass: f64,
    pub damping: f64,
    pub stiffness: f64,
    pub dt: f64,
    /// Row weight c and contact, one a contact.
    pub contacts: Vec<(f64, Contact)>,
}

/// cu − h: a contact's penetration at a position of twice the digits, rounded once.
pub(crate) fn penetration(c: f64, contact: &Contact, u: Double) -> f64 {
    let mut x = u.times(c);
    x += Double::from(-contact.gap);
    x.rounded()
}

impl Model {
    /// φ(u).
    pub fn energy(&self, u: Double) -> f64 {
        let contact: f64 = self.contacts.iter().map(|(c, t)| t.law.energy(penetration(*c, t, u))).sum();
        0.5 * self.stiffness * u.high * u.high + contact
    }

    /// φ′(u).
    pub fn force(&self, u: f64) -> f64 {
        let contact: f64 = self.contacts.iter().map(|(c, t)| c * t.law.force(c * u - t.gap)).sum();
        self.stiffness * u + contact
    }

    /// φ″(u).
    pub fn curvature(&self, u: f64) -> f64 {
        let contact: f64 = self.contacts.iter().map(|(c, t)| c * c * t.law.curvature(c * u - t.gap)).sum();
        self.stiffness + contact
    }

    /// ½m(d/k)².
    pub fn kinetic(&self, d: f64) -> f64 {
        let v = d / self.dt;
        0.5 * self.mass * v * v
    }
}

/// The part of a two-step scheme that is its own.
pub(crate) trait Method: Clone + Send + Sync + 'static {
    /// Whether positions and increments are kept to twice the digits. A stiff contact feels the last digit of an increment
    /// that is much longer than the penetration: V′ times eps·|d| may be more than its energy's rounding.
    const TWICE: bool = false;

    /// Whether positions are else summed with what rounding leaves out: a force that holds a mass works along less than the
    /// last digit of its position in every step.
    const CARRIED: bool = false;

    /// Takes note of u⁰.
    fn start(&mut self, _model: &Model, _u: f64) {}

    /// d⁺ − d from u = uⁿ, d = uⁿ − uⁿ⁻¹ and the external force fⁿ.
    /// A fault that ends the run leaves d⁺ = d.
    fn next(&mut self, model: &Model, u: Double, d: Double, f: f64) -> (Double, Effort);

    /// Takes note of d = uⁿ⁺¹ − uⁿ, as it was rounded.
    fn arrive(&mut self, _d: f64) {}

    /// Rounding remainder of the balance of the steps before, J, where the next one makes up for it.
    fn carried(&mut self) -> Option<&mut f64> {
        None
    }

    /// How large the parts of the stored energy are that cancel in it, J.
    fn cancelled(&self, _model: &Model, _u: Double, _d: Double) -> f64 {
        0.0
    }

    /// The energy at n + ½ from u = uⁿ and d = uⁿ⁺¹ − uⁿ.
    fn stored(&self, model: &Model, u: Double, d: Double) -> f64;
}

/// A one-coordinate system in motion under a method.
#[derive(Clone)]
pub(crate) struct Scalar<M> {
    system: Arc<System>,
    model: Arc<Model>,
    /// What each force among the inputs is worth.
    inputs: Arc<[f64]>,
    taylor: bool,
    method: M,
    u: Double,
    /// With its rounding remainder.
    d: Double,
    /// k times the velocity at n: the mean of the increments beside it.
    velocity: f64,
}

/// The weight of a row of the one coordinate.
fn weight(row: &Row) -> f64 {
    row.dot(&[1.0])
}

impl<M: Method> Scalar<M> {
    /// A stepper of the one coordinate of `system` by `method`.
    pub fn new(system: &Arc<System>, dt: f64, taylor: bool, method: impl FnOnce(&Model) -> M) -> Self {
        let contacts: Vec<(f64, Contact)> =
            contact::all(system).into_iter().map(|contact| (weight(&contact.row), contact)).collect();
        let model = Model {
            mass: system.mass[0],
            damping: system.damping_form(&[1.0]),
            stiffness: system.stiffness_form(&[1.0], &[1.0]),
            dt,
            contacts,
        };
        let mut stepper = Self {
            method: method(&model),
            taylor,
            u: Double::default(),
            d: Double::default(),
            velocity: 0.0,
            inputs: system.inputs.iter().filter_map(Input::row).map(weight).collect(),
            model: Arc::new(model),
            system: system.clone(),
        };
        stepper.state(State::Start(&Motion::initial(system), &vec![0.0; system.inputs.len()]));
        stepper
    }

    fn external(&self, input: &[f64]) -> f64 {
        self.inputs.iter().zip(input).map(|(w, u)| w * u).sum()
    }

    /// Starts from the position u and the velocity v.
    fn start(&mut self, u: f64, v: f64, input: &[f64]) {
        let dt = self.model.dt;
        self.u = Double::from(u);
        self.d = Double::from(dt * v);
        self.velocity = self.d.high;
        // A reset run must not inherit the residual of the one before.
        self.method.carried().into_iter().for_each(|left| *left = 0.0);
        if self.taylor {
            let force = self.external(input) - self.model.force(u) - self.model.damping * v;
            // By the mean velocity where γk > 2, since there kv⁰(1 − γk/2) would be more than there is.
            let damping = dt * self.model.damping;
            let inertia = self.model.mass + if damping > 2.0 * self.model.mass { 0.5 * damping } else { 0.0 };
            self.d.high += 0.5 * dt * dt * force / inertia;
        }
        self.present();
    }

    /// uⁿ⁺¹.
    fn ahead(&self) -> Double {
        let mut u = self.u;
        if M::TWICE {
            u += self.d;
        } else if M::CARRIED {
            u.high = compensation::add(u.high, self.d.high, &mut u.low);
        } else {
            u.high += self.d.high;
        }
        u
    }

    /// Lets the method take note of where the system is.
    fn present(&mut self) {
        self.method.start(&self.model, self.u.high);
        self.method.arrive(self.d.high);
    }
}

impl<M: Method> Stepper for Scalar<M> {
    fn step(&mut self, input: &[f64]) -> Ledger {
        let u = self.ahead();
        let f = self.external(&input[self.inputs.len()..]);
        // The force is fⁿ at the new centre, so that the scheme needs the input at the end of the step only.
        let (change, mut effort) = self.method.next(&self.model, u, self.d, f);
        let mut next = self.d;
        if M::TWICE {
            next += change;
        } else {
            next.high = compensation::add(next.high, change.high, &mut next.low);
        }
        self.method.arrive(next.high);
        // y by the rounded increments, which are those that the energies contain.
        let y = self.d.high + next.high;
        if !y.is_finite() {
            effort.fault = Some(Fault::NonFinite);
        }
        self.velocity = 0.5 * y;
        (self.u, self.d) = (u, next);
        let mut ledger = Ledger { effort, ..Ledger::default() };
        for (c, t) in &self.model.contacts {
            let force = t.law.force(penetration(*c, t, u));
            ledger.leverage += force.abs() * ((c * u.high).abs() + t.gap.abs());
        }
        let v = 0.5 * y / self.model.dt;
        ledger.dissipated = self.model.dt * self.model.damping * v * v;
        ledger.supplied = 0.5 * f * y;
        ledger.leverage += self.method.cancelled(&self.model, u, next);
        ledger
    }

    fn energy(&mut self) -> f64 {
        self.method.stored(&self.model, self.u, self.d)
    }

    /// The increment ahead changes by k p c/M, and with it the energy at n + ½.
    fn change(&mut self, change: &Change) -> bool {
        let Change::Impulse(row, p) = change else { return false };
        let change = self.model.dt * (p * weight(row) / self.model.mass);
        self.d.high = compensation::add(self.d.high, change, &mut self.d.low);
        // The velocity at n is the mean of the increments beside it.
        self.velocity += 0.5 * change;
        self.method.arrive(self.d.high);
        true
    }

    fn state(&mut self, state: State) {
        match state {
            State::Start(motion, input) => self.start(motion.q[0], motion.v[0], input),
            State::Tell(motion) | State::Show(motion) => {
                motion.write(&[self.u.high], &[self.velocity], self.model.dt)
            }
            State::Complete(mut archive) => {
                let Self { u, d, velocity, method, .. } = self;
                let numbers = [&mut u.high, &mut u.low, &mut d.high, &mut d.low, velocity];
                numbers.into_iter().chain(method.carried()).for_each(|x| archive.number(x));
                // What else a method notes follows from them.
                self.present();
            }
        }
    }

    fn outputs(&self, output: &mut [f64]) {
        let velocity = (1.0 / self.model.dt, &[self.velocity][..]);
        self.system.read_outputs_at_rate(&[self.u.high], velocity, &[], output);
    }
}

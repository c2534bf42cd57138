//! The explicit two-step family: positions at n, increments at n + ½.
//!
//! With d = qⁿ⁺¹ − qⁿ (Δt times the velocity at n + ½) and F = BU − Cᵀf(C·q − h),
//!
//!   (M + R̂)(d⁺ − d) = −2R̂d + Δt² (g∘F(qⁿ⁺¹) − K qⁿ⁺¹),   R̂ = ΔtR/2
//!
//! is the leapfrog M δₜₜu + R δₜ·u + Ku = F: D17 (22) with damping and drive, the
//! velocity Verlet method C19 (29) once its half steps are merged, and, with K, R
//! and the gain g of a sampled oscillator, the impulse invariant method C19 (39), (50).
//!
//! The stepper looks one increment ahead: after the step to tₙ it holds qⁿ and
//! qⁿ⁺¹ − qⁿ. Its energy lives at n + ½,
//!
//!   stored   ½d·Md/Δt² + ½qⁿ·Kqⁿ⁺¹ + ½Σ(V(xⁿ) + V(xⁿ⁺¹))
//!   lost     ΔtR((d + d⁺)/2Δt)²          supplied   g∘BUⁿ·(d + d⁺)/2
//!
//! and its balance is exact without contacts, damped and driven; the energy is
//! positive below the stability limit ωΔt < 2. With contacts it is bounded.

use crate::assembly::assemble;
use crate::eigenfrequencies;
use crate::{carry, linear::Linear, listen, touch, touch::Touch};
use hamiltone_core::{
    check,
    ledger::{Books, Fault, Ledger},
    scheme::{Balance, Refusal, Stepper},
    system::System,
};
use hamiltone_numerics::woodbury::Solver;

/// How the first increment d follows from q⁰ and v⁰.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Start {
    /// d = Δt v⁰ (D17).
    Printed,
    /// d = Δt v⁰ + ½Δt² a⁰, of order 2; by the method's own damping where γΔt > 2 somewhere, since
    /// there Δtv⁰(1 − γΔt/2) would be more than there is.
    Taylor,
    /// C19 (29): (M + R̂) d = Δt M v⁰ + ½Δt² F⁰.
    Verlet,
}

pub(crate) struct Staggered {
    /// The given system: its start, rows and contacts.
    given: System,
    /// The given M, K and R: what the start is derived from.
    first: Linear,
    /// The method's M, K and R.
    model: Linear,
    touches: Vec<Touch>,
    dt: f64,
    dt2: f64,
    start: Start,
    /// γΔt > 2 on some coordinate.
    heavy: bool,
    /// g: what a force is worth, one factor a coordinate.
    gain: Vec<f64>,
    solver: Solver,
    q: Vec<f64>,
    d: Vec<f64>,
    /// What rounding left out of d.
    carry: Vec<f64>,
    /// qⁿ + d.
    ahead: Vec<f64>,
    /// Δt times the velocity at n.
    velocity: Vec<f64>,
    /// (d + d⁺)/2.
    mean: Vec<f64>,
    /// −Cᵀf at n.
    pull: Vec<f64>,
    /// Bu at n.
    push: Vec<f64>,
    change: Vec<f64>,
    /// What the first solve left.
    rest: Vec<f64>,
    forces: Vec<f64>,
    /// ΣV(qⁿ⁺¹).
    potential: f64,
}

impl Staggered {
    /// A stepper of `model`, the method's form of the `given` system, with the gain of its forces.
    pub fn new(
        scheme: &'static str,
        given: &System,
        model: &System,
        gain: Vec<f64>,
        dt: f64,
        start: Start,
    ) -> Result<Self, Refusal> {
        check::check(scheme, given, dt)?;
        let touches = touch::lossless(scheme, given)?;
        let zero = || vec![0.0; given.size()];
        let damping = assemble(given, 0.0, dt, 0.0);
        let heavy = given.mass.iter().enumerate().any(|(i, m)| damping.diagonal(i) > 2.0 * m);
        let mut stepper = Self {
            dt,
            dt2: dt * dt,
            start,
            heavy,
            gain,
            solver: assemble(model, 1.0, dt / 2.0, 0.0).factor(),
            q: zero(),
            d: zero(),
            carry: zero(),
            ahead: zero(),
            velocity: zero(),
            mean: zero(),
            pull: zero(),
            push: zero(),
            change: zero(),
            rest: zero(),
            forces: vec![0.0; touches.len()],
            potential: 0.0,
            touches,
            first: Linear::new(given, true),
            model: Linear::new(model, true),
            given: given.clone(),
        };
        stepper.reset(&vec![0.0; given.inputs.len()]);
        Ok(stepper)
    }

    /// −Cᵀf and Bu at qⁿ.
    fn forces(&mut self, input: &[f64]) {
        self.pull.fill(0.0);
        self.push.fill(0.0);
        for (t, f) in self.touches.iter().zip(&mut self.forces) {
            *f = t.potential.force(t.penetration(&self.q));
            if *f != 0.0 {
                t.row.add_scaled(-*f, &mut self.pull);
            }
        }
        for (port, u) in self.given.inputs.iter().zip(input) {
            port.row.add_scaled(*u, &mut self.push);
        }
    }

    /// −2R̂d + Δt²(g∘F − Kq) into `change`, of the given system for the `first` increment.
    fn changes(&mut self, first: bool) {
        let Self { model, q, d, change, pull, push, gain, .. } = self;
        for (i, change) in change.iter_mut().enumerate() {
            let gain = if first { 1.0 } else { gain[i] };
            *change = self.dt2 * (gain * (pull[i] + push[i]));
        }
        let linear = if first { &self.first } else { model };
        linear.add(-self.dt2, q, -self.dt, d, change);
    }

    /// (M + R̂) of what is in `change`, solved; where dampers are stiff once more of what the first solve left.
    fn solve(&mut self) {
        let Self { model, solver, change, rest, .. } = self;
        if !self.heavy {
            return solver.solve(change);
        }
        rest.copy_from_slice(change);
        solver.solve(change);
        rest.iter_mut().zip(&model.mass).zip(change.iter()).for_each(|((rest, m), c)| *rest -= m * c);
        model.add(0.0, change, -0.5 * self.dt, change, rest);
        solver.solve(rest);
        change.iter_mut().zip(rest.iter()).for_each(|(change, rest)| *change += rest);
    }

    /// ½d·Md/Δt² + ½qⁿ·Kqⁿ⁺¹ + ½Σ(V(xⁿ) + V(xⁿ⁺¹)), `before` being ΣV(xⁿ); and what damping took.
    fn stored(&mut self, before: f64) -> Stored {
        self.potential = touch::energy(&self.touches, &self.ahead);
        let forms = self.model.forms(&self.d, &self.q, &self.ahead, &self.mean);
        let (kinetic, elastic) = (0.5 * forms.kinetic / self.dt2, 0.5 * forms.elastic);
        Stored {
            energy: kinetic + elastic + 0.5 * (before + self.potential),
            lost: forms.lost / self.dt,
            cancelled: kinetic + elastic.abs() - (kinetic + elastic).abs(),
        }
    }
}

/// The energy, what damping took, and how much of the energy's parts cancels: close to the stability
/// limit it is a small difference of large ones, known to their rounding.
struct Stored {
    energy: f64,
    lost: f64,
    cancelled: f64,
}

/// The gain of a method that takes forces as they are.
pub(crate) fn unit_gain(system: &System) -> Vec<f64> {
    vec![1.0; system.size()]
}

/// Refuses a time step at or beyond ω_max·Δt = 2, where d·Md/Δt² + qⁿ·Kqⁿ⁺¹ stops being positive.
pub(crate) fn stable(scheme: &'static str, system: &System, dt: f64) -> Result<(), Refusal> {
    below(scheme, system, dt, LIMIT)
}

/// Refuses a time step with ω_max·Δt at or beyond `limit`.
pub(crate) fn below(scheme: &'static str, system: &System, dt: f64, limit: f64) -> Result<(), Refusal> {
    let omega = eigenfrequencies::highest(system);
    if omega * dt < limit {
        return Ok(());
    }
    Err(Refusal::Unstable {
        scheme,
        quantity: "ω_max·Δt",
        value: omega * dt,
        limit,
        rate: (omega / limit).floor() + 1.0,
    })
}

/// The largest ωΔt of the leapfrog and of Verlet's method.
pub(crate) const LIMIT: f64 = 2.0;

impl Stepper for Staggered {
    fn reset(&mut self, input: &[f64]) -> f64 {
        self.q.copy_from_slice(&self.given.start.position);
        for (d, v) in self.d.iter_mut().zip(&self.given.start.velocity) {
            *d = self.dt * v;
        }
        self.velocity.copy_from_slice(&self.d);
        self.carry.fill(0.0);
        self.forces(input);
        self.changes(!self.heavy);
        match self.start {
            Start::Printed => self.change.fill(0.0),
            Start::Taylor if !self.heavy => {
                self.change.iter_mut().zip(&self.given.mass).for_each(|(c, m)| *c /= m)
            }
            Start::Taylor | Start::Verlet => self.solver.solve(&mut self.change),
        }
        for i in 0..self.q.len() {
            self.d[i] += 0.5 * self.change[i];
            self.ahead[i] = self.q[i] + self.d[i];
        }
        let before = touch::energy(&self.touches, &self.q);
        self.stored(before).energy
    }

    fn step(&mut self, input: &[f64], books: Books) -> Ledger {
        let mut ledger = Ledger::default();
        self.q.copy_from_slice(&self.ahead);
        let half = self.given.inputs.len();
        self.forces(&input[half..]);
        self.changes(false);
        if self.start == Start::Verlet {
            for (i, v) in self.velocity.iter_mut().enumerate() {
                *v = self.d[i] + 0.5 * self.change[i] / self.model.mass[i];
            }
        }
        self.solve();
        let mut size = 0.0;
        for i in 0..self.q.len() {
            self.mean[i] = self.d[i] + 0.5 * self.change[i];
            self.d[i] = carry::add(self.d[i], self.change[i], &mut self.carry[i]);
            self.ahead[i] = self.q[i] + self.d[i];
            size += self.ahead[i];
        }
        if self.start != Start::Verlet {
            self.velocity.copy_from_slice(&self.mean);
        }
        if !size.is_finite() {
            ledger.effort.fault = Some(Fault::NonFinite);
        }
        if books != Books::Off {
            ledger.supplied =
                self.push.iter().zip(&self.gain).zip(&self.mean).map(|((u, g), d)| u * g * d).sum();
            let stored = self.stored(self.potential);
            (ledger.stored, ledger.dissipated) = (stored.energy, stored.lost);
            ledger.leverage = stored.cancelled + self.model.leverage(&self.q, &mut self.change);
        }
        ledger
    }

    fn outputs(&self, output: &mut [f64]) {
        listen::read(&self.given.outputs, &self.q, &self.velocity, 1.0 / self.dt, &self.forces, output);
    }

    fn snapshot(&self, q: &mut [f64], v: &mut [f64]) {
        q.copy_from_slice(&self.q);
        v.iter_mut().zip(&self.velocity).for_each(|(v, d)| *v = d / self.dt);
    }

    fn balance(&self) -> Balance {
        if self.touches.is_empty() { Balance::Exact } else { Balance::Bounded }
    }
}

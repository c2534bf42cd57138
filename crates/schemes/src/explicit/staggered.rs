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
//!   dissipated     ΔtR((d + d⁺)/2Δt)²          supplied   g∘BUⁿ·(d + d⁺)/2
//!
//! and its balance is exact without contacts, damped and driven; the energy is
//! positive below the stability limit ωΔt < 2. With contacts it is bounded.

use crate::{
    assembly::assemble,
    compensation,
    contact::{self, Contact},
    eigenfrequencies,
    linear::{self, Linear},
};
use fearless_simd::{Simd, dispatch};
use hamiltone_core::{
    coverage::{Coverage, Feature},
    input::Input,
    ledger::{Fault, Ledger},
    refusal::Refusal,
    row::Row,
    state::{Archive, Motion, State},
    stepper::Stepper,
    system::System,
};
use hamiltone_numerics::{double::Double, woodbury::Solver};
use std::sync::Arc;

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

/// What is constant.
struct Constants {
    /// The given system: its rows and contacts.
    given: Arc<System>,
    /// The given M, K and R: what the first increment is derived from.
    first: Linear,
    /// The method's M, K and R.
    model: Linear,
    contacts: Vec<Contact>,
    dt: f64,
    dt2: f64,
    start: Start,
    /// γΔt > 2 on some coordinate.
    heavy: bool,
    /// Whether anything but its own stiffness and damping acts on the system.
    moved: bool,
    /// g: what a force is worth, one factor a coordinate.
    gain: Vec<f64>,
    solver: Solver,
}

/// A system in motion under a method of the family.
#[derive(Clone)]
pub(crate) struct Staggered {
    constants: Arc<Constants>,
    kernel: Kernel,
}

/// The state, with the memory that a step works in.
#[derive(Clone)]
struct Kernel {
    q: Vec<f64>,
    d: Vec<f64>,
    /// What rounding left out of d.
    remainder: Vec<f64>,
    /// qⁿ + d.
    ahead: Vec<f64>,
    /// What rounding left out of it; 0 unless forces may move it.
    ahead_remainder: Vec<f64>,
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
    /// Steps since the leverage of the springs was last taken.
    clock: u32,
}

impl Constants {
    /// x ← A⁻¹x.
    fn solve(&self, x: &mut [f64]) {
        dispatch!(self.model.level(), simd => simd.vectorize(#[inline(always)] || self.solver.solve_in_lanes(simd, x)));
    }
}

impl Staggered {
    /// A stepper of `model`, the method's form of the `given` system, with the gain of its forces.
    pub fn new(given: &Arc<System>, model: &System, gain: Vec<f64>, dt: f64, start: Start) -> Self {
        let zero = || vec![0.0; given.size()];
        let damping = assemble(given, 0.0, dt, 0.0);
        let heavy = given.mass.iter().enumerate().any(|(i, m)| damping.diagonal(i) > 2.0 * m);
        let contacts = contact::all(given);
        let kernel = Kernel {
            q: zero(),
            d: zero(),
            remainder: zero(),
            ahead: zero(),
            ahead_remainder: zero(),
            velocity: zero(),
            mean: zero(),
            pull: zero(),
            push: zero(),
            change: zero(),
            rest: zero(),
            clock: 0,
        };
        let linear = Linear::new(model, true);
        let constants = Constants {
            dt,
            dt2: dt * dt,
            start,
            heavy,
            moved: !given.inputs.is_empty() || !given.elements.is_empty(),
            gain,
            solver: assemble(model, 1.0, dt / 2.0, 0.0).factor(),
            contacts,
            first: Linear::new(given, true),
            model: linear,
            given: given.clone(),
        };
        let mut stepper = Self { constants: Arc::new(constants), kernel };
        stepper.restore(&State::initial(given), &vec![0.0; given.inputs.len()]);
        stepper
    }
}

impl Kernel {
    /// −Cᵀf and Bu at qⁿ.
    fn forces(&mut self, c: &Constants, input: &[f64]) {
        self.pull.fill(0.0);
        self.push.fill(0.0);
        for contact in &c.contacts {
            let force = contact.law.force(contact.penetration(&self.q));
            if force != 0.0 {
                contact.row.add_scaled(-force, &mut self.pull);
            }
        }
        for (row, u) in c.given.inputs.iter().filter_map(Input::row).zip(input) {
            row.add_scaled(*u, &mut self.push);
        }
    }

    /// −2R̂d + Δt²(g∘F − Kq) into `change`, of the given system for the `first` increment.
    fn changes(&mut self, c: &Constants, first: bool) {
        let Self { q, d, change, pull, push, .. } = self;
        for (i, change) in change.iter_mut().enumerate() {
            let gain = if first { 1.0 } else { c.gain[i] };
            *change = c.dt2 * (gain * (pull[i] + push[i]));
        }
        let linear = if first { &c.first } else { &c.model };
        linear.add(-c.dt2, q, -c.dt, d, change);
    }

    /// (M + R̂) of what is in `change`, solved; where dampers are stiff once more of what the first solve left.
    fn solve(&mut self, c: &Constants) {
        let Self { change, rest, .. } = self;
        if !c.heavy {
            return c.solve(change);
        }
        rest.copy_from_slice(change);
        c.solve(change);
        rest.iter_mut().zip(&c.model.mass).zip(change.iter()).for_each(|((rest, m), c)| *rest -= m * c);
        c.model.add(0.0, change, -0.5 * c.dt, change, rest);
        c.solve(rest);
        change.iter_mut().zip(rest.iter()).for_each(|(change, rest)| *change += rest);
    }

    /// d ← d + `change` and the mean of both, then qⁿ⁺¹ = qⁿ + d; Σqⁿ⁺¹, which is finite where all are. Where forces
    /// may have `moved` it, qⁿ⁺¹ is summed with what rounding leaves out: a force that hardly changes holds q, while d,
    /// less than the last digit of q, has the force work in every step.
    #[inline(always)]
    fn advance(&mut self, moved: bool) -> f64 {
        let mut size = 0.0;
        for i in 0..self.q.len() {
            self.mean[i] = self.d[i] + 0.5 * self.change[i];
            self.d[i] = compensation::add(self.d[i], self.change[i], &mut self.remainder[i]);
            self.ahead[i] = match moved {
                true => compensation::add(self.q[i], self.d[i], &mut self.ahead_remainder[i]),
                false => self.q[i] + self.d[i],
            };
            size += self.ahead[i];
        }
        size
    }

    /// ½d·Md/Δt² and ½qⁿ·Kqⁿ⁺¹.
    fn linear_energies(&self, c: &Constants) -> (f64, f64) {
        let forms = c.model.forms(&self.d, &self.q, &self.ahead);
        (0.5 * forms.kinetic / c.dt2, 0.5 * forms.elastic)
    }
}

/// What the family covers.
pub(crate) const COVERAGE: Coverage = Coverage::of(&[
    Feature::ManyCoordinates,
    Feature::CoupledStiffness,
    Feature::CoupledDamping,
    Feature::Links,
    Feature::LinkDamping,
    Feature::Compliant,
]);

/// The gain of a method that takes forces as they are.
pub(crate) fn unit_gain(system: &System) -> Vec<f64> {
    vec![1.0; system.size()]
}

/// Refuses a time step at or beyond ω_max·Δt = 2, where d·Md/Δt² + qⁿ·Kqⁿ⁺¹ stops being positive.
pub(crate) fn stable(scheme: &'static str, system: &System, dt: f64) -> Result<(), Refusal> {
    below(scheme, system, dt.abs(), LIMIT)
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

impl Kernel {
    /// Every number that the next step depends on.
    fn archive(&mut self, archive: &mut Archive) {
        let Self { q, d, remainder, ahead, ahead_remainder, velocity, clock, .. } = self;
        [q, d, remainder, ahead, ahead_remainder, velocity].into_iter().for_each(|x| archive.numbers(x));
        archive.count(clock);
    }

    /// The first increment from positions in `q` and velocities in `d` (m per step).
    fn start(&mut self, c: &Constants, input: &[f64]) {
        self.velocity.copy_from_slice(&self.d);
        self.clock = 0;
        self.remainder.fill(0.0);
        self.ahead_remainder.fill(0.0);
        self.forces(c, input);
        self.changes(c, !c.heavy);
        match c.start {
            Start::Printed => self.change.fill(0.0),
            Start::Taylor if !c.heavy => self.change.iter_mut().zip(&c.given.mass).for_each(|(c, m)| *c /= m),
            Start::Taylor | Start::Verlet => c.solve(&mut self.change),
        }
        for i in 0..self.q.len() {
            self.d[i] += 0.5 * self.change[i];
            self.ahead[i] = self.q[i] + self.d[i];
            if c.moved {
                self.ahead_remainder[i] = Double::sum(self.q[i], self.d[i]).low;
            }
        }
    }
}

impl Stepper for Staggered {
    fn step(&mut self, input: &[f64]) -> Ledger {
        let (c, k) = (&*self.constants, &mut self.kernel);
        let mut ledger = Ledger::default();
        k.q.copy_from_slice(&k.ahead);
        k.forces(c, &input[c.given.inputs.len()..]);
        k.changes(c, false);
        if c.start == Start::Verlet {
            for (i, v) in k.velocity.iter_mut().enumerate() {
                *v = k.d[i] + 0.5 * k.change[i] / c.model.mass[i];
            }
        }
        k.solve(c);
        let size = k.advance(c.moved);
        if c.start != Start::Verlet {
            k.velocity.copy_from_slice(&k.mean);
        }
        if !size.is_finite() {
            ledger.effort.fault = Some(Fault::NonFinite);
        }
        if c.moved {
            ledger.supplied = k.push.iter().zip(&c.gain).zip(&k.mean).map(|((u, g), d)| u * g * d).sum();
        }
        // As the step has it, with Δt and Δt² rounded each.
        ledger.dissipated = c.model.dissipated(&k.mean) * c.dt / c.dt2;
        if linear::leverage_is_due(&mut k.clock) {
            let (kinetic, elastic) = k.linear_energies(c);
            // Close to the stability limit the energy is a small difference of large parts, known to their rounding.
            ledger.leverage = kinetic + elastic.abs() - (kinetic + elastic).abs();
            ledger.leverage += c.model.leverage(&k.q, &mut k.change);
        }
        ledger
    }

    fn energy(&mut self) -> f64 {
        let (c, k) = (&*self.constants, &self.kernel);
        let (kinetic, elastic) = k.linear_energies(c);
        let potential = |q: &[f64]| contact::energy(&c.contacts, q);
        kinetic + elastic + 0.5 * (potential(&k.q) + potential(&k.ahead))
    }

    /// The increment ahead changes by Δt p M⁻¹c, and with it the energy at n + ½.
    fn impulse(&mut self, row: &Row, p: f64) {
        let (c, k) = (&*self.constants, &mut self.kernel);
        row.for_each(|i, w| {
            let change = c.dt * (p * w / c.given.mass[i]);
            k.d[i] = compensation::add(k.d[i], change, &mut k.remainder[i]);
            k.ahead[i] = match c.moved {
                true => compensation::add(k.ahead[i], change, &mut k.ahead_remainder[i]),
                false => k.q[i] + k.d[i],
            };
            // The velocity at n is the mean of the increments beside it.
            k.velocity[i] += 0.5 * change;
        });
    }

    fn restore(&mut self, state: &State, input: &[f64]) {
        let (c, k) = (&*self.constants, &mut self.kernel);
        match state {
            State::Motion(motion) => {
                k.q.copy_from_slice(&motion.q);
                k.d.iter_mut().zip(&motion.v).for_each(|(d, v)| *d = c.dt * v);
                k.start(c, input);
            }
            State::Complete(numbers) => k.archive(&mut Archive::Read(numbers)),
        }
    }

    fn save(&mut self, state: &mut State) {
        let (c, k) = (&*self.constants, &mut self.kernel);
        match state {
            State::Motion(Motion { q, v }) => {
                q.copy_from_slice(&k.q);
                v.iter_mut().zip(&k.velocity).for_each(|(v, d)| *v = d / c.dt);
            }
            State::Complete(numbers) => {
                numbers.clear();
                k.archive(&mut Archive::Write(numbers));
            }
        }
    }

    fn outputs(&self, output: &mut [f64]) {
        let (c, k) = (&*self.constants, &self.kernel);
        c.given.read_outputs_at_rate(&k.q, (1.0 / c.dt, &k.velocity), &[], output);
    }
}

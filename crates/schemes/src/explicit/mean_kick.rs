//! Kicks that take damping with the mean of the velocities before and after: the two-step family.
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
//! positive below the stability limit ωΔt < 2. With contacts it is bounded, or exact where their energy is quadratised.

use crate::{
    assembly::assemble,
    contact,
    explicit::{
        quadratised::Quadratised,
        splitting::{Kick, Phase, Split, Splitting, Stage},
        tableaux::Coefficients,
    },
    linear::{self, Linear},
};
use fearless_simd::{Simd, dispatch};
use hamiltone_core::{input::Input, ledger::Ledger, refusal::Refusal, state::Archive, system::System};
use hamiltone_numerics::{compensation, woodbury::Solver};
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
struct MeanKickConstants {
    /// The given M, K and R: what the first increment is derived from.
    first: Linear,
    /// The method's M, K and R.
    model: Linear,
    dt2: f64,
    start: Start,
    /// γΔt > 2 on some coordinate.
    heavy: bool,
    /// g: what a force is worth, one factor a coordinate.
    gain: Vec<f64>,
    solver: Solver,
}

/// The kick, with the memory that it works in.
#[derive(Clone)]
pub(crate) struct MeanKick {
    constants: Arc<MeanKickConstants>,
    /// The contacts where their energy is quadratised; they push by V′(x) where it is not.
    quadratised: Option<Box<Quadratised>>,
    /// Δt times the velocity at n.
    velocity: Vec<f64>,
    /// (d + d⁺)/2.
    mean: Vec<f64>,
    /// −Cᵀf and Bu at n.
    pull: Vec<f64>,
    push: Vec<f64>,
    change: Vec<f64>,
    /// What the first solve left, and qⁿ⁺¹.
    scratch: Vec<f64>,
    /// Steps since the leverage of the springs was last taken.
    clock: u32,
}

/// A stepper of `system` with contacts whose energy is quadratised, with the gain of its forces.
pub(crate) fn quadratised(
    scheme: &'static str,
    system: &Arc<System>,
    gain: Vec<f64>,
    dt: f64,
) -> Result<Split<MeanKick>, Refusal> {
    let matrix = assemble(system, 1.0, dt / 2.0, 0.0).factor();
    let contacts = Quadratised::new(scheme, (system, &contact::all(system)), matrix, dt)?;
    Ok(split(system, system, gain, dt, Start::Taylor, Some(Box::new(contacts))))
}

/// A stepper of `model`, the method's form of the `given` system, with the gain of its forces.
pub(crate) fn staggered(
    given: &Arc<System>,
    model: &System,
    gain: Vec<f64>,
    dt: f64,
    start: Start,
) -> Split<MeanKick> {
    split(given, model, gain, dt, start, None)
}

fn split(
    given: &Arc<System>,
    model: &System,
    gain: Vec<f64>,
    dt: f64,
    start: Start,
    quadratised: Option<Box<Quadratised>>,
) -> Split<MeanKick> {
    let zero = || vec![0.0; given.size()];
    let damping = assemble(given, 0.0, dt, 0.0);
    let constants = MeanKickConstants {
        dt2: dt * dt,
        start,
        heavy: given.mass.iter().enumerate().any(|(i, m)| damping.diagonal(i) > 2.0 * m),
        gain,
        solver: assemble(model, 1.0, dt / 2.0, 0.0).factor(),
        first: Linear::new(given, true),
        model: Linear::new(model, true),
    };
    let kick = MeanKick {
        constants: Arc::new(constants),
        quadratised,
        velocity: zero(),
        mean: zero(),
        pull: zero(),
        push: zero(),
        change: zero(),
        scratch: zero(),
        clock: 0,
    };
    Split::new(Splitting::new(given, &Coefficients::leapfrog(), dt, Some(dt)), kick, None)
}

impl MeanKickConstants {
    /// x ← A⁻¹x.
    fn solve(&self, x: &mut [f64]) {
        dispatch!(self.model.level(), simd => simd.vectorize(#[inline(always)] || self.solver.solve_in_lanes(simd, x)));
    }
}

impl MeanKick {
    /// −2R̂d + Δt²(g∘F − Kq) into `change`, of the given system for the `first` increment; F with contacts or without.
    fn changes(&mut self, c: &Splitting, phase: &Phase, input: &[f64], first: bool, contacts: bool) {
        let Self { constants: own, change, pull, push, .. } = self;
        change.fill(0.0);
        if c.is_moved() {
            pull.fill(0.0);
            push.fill(0.0);
            for contact in c.contacts.iter().filter(|_| contacts) {
                let force = contact.law.force(contact.penetration(&phase.q));
                if force != 0.0 {
                    contact.row.add_scaled(-force, pull);
                }
            }
            for (row, u) in c.system.inputs.iter().filter_map(Input::row).zip(input) {
                row.add_scaled(*u, push);
            }
            for (i, change) in change.iter_mut().enumerate() {
                // The first increment follows from the physical acceleration, without the gain of the sampled oscillator.
                let gain = if first { 1.0 } else { own.gain[i] };
                *change = own.dt2 * (gain * (pull[i] + push[i]));
            }
        }
        let linear = if first { &own.first } else { &own.model };
        linear.add(-own.dt2, &phase.q, -c.dt, &phase.v, change);
    }

    /// (M + R̂) of what is in `change`, solved; where dampers are stiff once more of what the first solve left.
    fn solve(&mut self, dt: f64) {
        let Self { constants: c, change, scratch, .. } = self;
        // The diagonal of R̂ is at most M: one solve is accurate.
        if !c.heavy {
            return c.solve(change);
        }
        scratch.copy_from_slice(change);
        c.solve(change);
        scratch.iter_mut().zip(&c.model.mass).zip(change.iter()).for_each(|((rest, m), c)| *rest -= m * c);
        c.model.add(0.0, change, -0.5 * dt, change, scratch);
        c.solve(scratch);
        change.iter_mut().zip(scratch.iter()).for_each(|(change, rest)| *change += rest);
    }

    /// qⁿ⁺¹, as the next drift will make it, into `scratch`.
    fn look_ahead(&mut self, phase: &Phase) {
        let positions = phase.q.iter().zip(phase.v.iter());
        for (i, (ahead, (q, d))) in self.scratch.iter_mut().zip(positions).enumerate() {
            // A copy: the drift itself will update the remainder.
            let mut remainder = phase.q_remainder.get(i).copied().unwrap_or_default();
            *ahead = compensation::add(*q, *d, &mut remainder);
        }
    }

    /// ½d·Md/Δt² and ½qⁿ·Kqⁿ⁺¹, this one in `scratch`.
    fn linear_energies(&self, phase: &Phase) -> (f64, f64) {
        let forms = self.constants.model.forms(&phase.v, &phase.q, &self.scratch);
        (0.5 * forms.kinetic / self.constants.dt2, 0.5 * forms.elastic)
    }
}

impl Kick for MeanKick {
    /// The first increment from positions in `q` and velocities in `v` (m per step).
    fn start(&mut self, c: &Splitting, phase: &mut Phase, input: Option<&[f64]>) {
        let Some(input) = input else { return };
        self.velocity.copy_from_slice(&phase.v);
        self.clock = 0;
        let own = self.constants.clone();
        self.changes(c, phase, input, !own.heavy, true);
        match own.start {
            Start::Printed => self.change.fill(0.0),
            Start::Taylor if !own.heavy => {
                self.change.iter_mut().zip(&c.system.mass).for_each(|(c, m)| *c /= m);
            }
            Start::Taylor | Start::Verlet => own.solve(&mut self.change),
        }
        phase.v.iter_mut().zip(&self.change).for_each(|(d, change)| *d += 0.5 * change);
        self.look_ahead(phase);
        if let Some(contacts) = &mut self.quadratised {
            contacts.start(&c.contacts, &phase.q, &self.scratch);
        }
    }

    #[inline(always)]
    fn kick<S: Simd>(
        &mut self,
        _simd: S,
        c: &Splitting,
        _stage: Stage,
        phase: &mut Phase,
        input: &[f64],
        ledger: &mut Ledger,
    ) {
        let pointwise = self.quadratised.is_none();
        self.changes(c, phase, &input[c.system.inputs.len()..], false, pointwise);
        let is_verlet = self.constants.start == Start::Verlet;
        if is_verlet {
            let masses = self.change.iter().zip(&self.constants.model.mass);
            for ((v, d), (change, m)) in self.velocity.iter_mut().zip(phase.v.iter()).zip(masses) {
                // Velocity Verlet: half of the kick from n − ½ on, with the damping of the increment before it.
                *v = d + 0.5 * change / m;
            }
        }
        self.solve(c.dt);
        if let Some(contacts) = &mut self.quadratised {
            ledger.effort.fault = contacts.push(&c.contacts, &phase.q, &phase.v, &mut self.change);
        }
        let increments = phase.v.iter_mut().zip(&mut phase.v_remainder);
        for ((mean, change), (d, remainder)) in self.mean.iter_mut().zip(&self.change).zip(increments) {
            // Before d changes.
            *mean = *d + 0.5 * change;
            *d = compensation::add(*d, *change, remainder);
        }
        if !is_verlet {
            self.velocity.copy_from_slice(&self.mean);
        }
        let own = &*self.constants;
        if c.is_moved() {
            let gained = self.push.iter().zip(&own.gain).zip(&self.mean);
            ledger.supplied = gained.map(|((u, g), d)| u * g * d).sum();
        }
        // As the step has it, with Δt and Δt² rounded each.
        ledger.dissipated = own.model.dissipated(&self.mean) * c.dt / own.dt2;
    }

    fn finish(&mut self, _c: &Splitting, phase: &Phase, ledger: &mut Ledger) {
        if linear::leverage_is_due(&mut self.clock) {
            self.look_ahead(phase);
            let (kinetic, elastic) = self.linear_energies(phase);
            // Close to the stability limit the energy is a small difference of large parts, known to their rounding.
            ledger.leverage = kinetic + elastic.abs() - (kinetic + elastic).abs();
            ledger.leverage += self.constants.model.leverage(&phase.q, &mut self.change);
        }
    }

    fn stored(&mut self, c: &Splitting, phase: &Phase) -> f64 {
        self.look_ahead(phase);
        let (kinetic, elastic) = self.linear_energies(phase);
        let potential = |q: &[f64]| contact::energy(&c.contacts, q);
        let contacts = match &self.quadratised {
            Some(contacts) => contacts.stored(),
            None => 0.5 * (potential(&phase.q) + potential(&self.scratch)),
        };
        kinetic + elastic + contacts
    }

    fn velocity<'a>(&'a self, _phase: &'a Phase) -> &'a [f64] {
        &self.velocity
    }

    /// The velocity at n is the mean of the increments beside it.
    fn pushed(&mut self, c: &Splitting, phase: &Phase, i: usize, change: f64) {
        self.velocity[i] += 0.5 * change;
        if let Some(contacts) = &mut self.quadratised {
            contacts.pushed(&c.contacts, &phase.q, i, change);
        }
    }

    fn archive(&mut self, archive: &mut Archive) {
        archive.numbers(&mut self.velocity);
        if let Some(contacts) = &mut self.quadratised {
            archive.numbers(&mut contacts.psi);
        }
        archive.count(&mut self.clock);
    }
}

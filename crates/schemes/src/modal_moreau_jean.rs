//! Modal Moreau–Jean: modes by their exact poles, rigid contacts by impulses.
//!
//!   W(vⁿ⁺¹ − v_free) = p,   qⁿ⁺¹ = qⁿ + Δt vⁿ⁺¹,   v_free = v − W⁻¹(ΔtKq + 2ΔtΣ*v)
//!   0 ≤ F ⊥ −c·(vⁿ⁺¹ + e vⁿ) ≥ 0  where c·(qⁿ + Δt/2 vⁿ) ≥ h,     p = −Δt Σ c F
//!
//! of the Siconos page on modal Moreau–Jean time-stepping (Bilbao's exact scheme for the free modes; with
//! W(vⁿ⁺¹ − v_free) = p in place of its W(vⁿ⁺¹ − vⁿ) = v_free + p, and Σ* = M diag σ*), v being the backward
//! difference (qⁿ − qⁿ⁻¹)/Δt, which starts from the exact q(0) and q(Δt). W and σ* are those of each mode's poles.
//! Free modes are exact at every step. Books, with a = mW/Δt² and d = qⁿ⁺¹ − qⁿ:
//!
//!   stored ½Σ a((1 − h/2)d² + g qⁿqⁿ⁺¹) + ½Σ(V(xⁿ) + V(xⁿ⁺¹)),   lost ¼Σ a h(d⁻ + d)²,   contact work −½Σ F c·(d⁻ + d)
//!
//! The stored energy of a free undamped mode is cos²(ωΔt/2) of the physical one: near ωΔt = π it is blind. With e = 1
//! the work of rigid contacts is 0; with e < 1 it can be positive where a closed contact is opening already.
//!
//! The stepper looks one increment ahead: after the step to tₙ it holds qⁿ and d. Drives and compliant contacts act at
//! tₙ, these by the exact quotient over two steps.

mod bank;
mod comb;
mod dense;
mod opposed;
mod pole;
mod rows;
mod speeds;
mod stops;

use crate::{carry, listen, touch};
use bank::Bank;
use dense::Dense;
use hamiltone_core::{
    check,
    ledger::{Books, Fault, Ledger},
    parameter::{Absent, Entry, Kind, Parameter, Takes, Values},
    scheme::{Area, Balance, Claims, Refusal, Scheme, Stepper, Touched},
    system::{Quantity, System},
};
use hamiltone_numerics::{lanes, lcp::Method};
use opposed::Opposed;
use pole::Pole;
use speeds::Speeds;
use std::f64::consts::PI;
use stops::Stops;

/// ωΔt up to which the stored energy sees more than half of a mode's.
const SEEN: f64 = 1.5;
/// Coordinates with a spring weaker than this, over W/Δt², are masses: their increments are summed with a carry.
const SLACK: f64 = 1e-12;
/// The leverage of high modes is taken every so many steps: what falls between makes the tolerance only tighter.
const SURVEY: u32 = 8;

/// The modal Moreau–Jean scheme.
#[derive(Clone, Copy, Debug, Default)]
pub struct ModalMoreauJean {
    /// How impulses are found.
    pub solver: Method,
}

impl Scheme for ModalMoreauJean {
    fn name(&self) -> &'static str {
        NAME
    }

    fn claims(&self) -> Claims {
        Claims {
            order: 2,
            order_free: 2,
            symmetric: false,
            linear: Balance::Exact,
            contact: Balance::Exact,
            area: Area::Conformal,
            area_with_contact: false,
            limit: None,
            staggered: true,
        }
    }

    fn prepare(&self, system: &System, dt: f64) -> Result<Box<dyn Stepper>, Refusal> {
        check::check(NAME, system, dt)?;
        touch::few_enough(NAME, system, system.size())?;
        Ok(Box::new(Modal::new(system, dt, self.solver)?))
    }

    fn advice(&self, system: &System, dt: f64) -> Vec<String> {
        let Ok((stiffness, _)) = diagonals(system) else { return Vec::new() };
        let sprung = stiffness.iter().zip(&system.mass).filter(|(k, _)| **k > 0.0);
        let mut omegas: Vec<f64> = sprung.map(|(k, m)| (k / m).sqrt()).collect();
        omegas.sort_by(f64::total_cmp);
        let below = |limit: f64| omegas.iter().take_while(|omega| **omega * dt <= limit).count();
        let (count, seen, heard) = (omegas.len(), below(SEEN), below(PI));
        let Some(highest) = omegas.last().map(|omega| omega * dt) else { return Vec::new() };
        let fewer = |modes: usize| if modes > 0 { format!("{modes} modes, or ") } else { String::new() };
        let rate = |limit: f64| format!("a rate of {:.0} Hz or more", (highest / limit / dt).ceil());
        let mut advice = Vec::new();
        if heard < count {
            advice.push(format!(
                "of {count} modes {} lie above ωΔt = π (the highest at {highest:.3}), half the rate: they sound at wrong pitches; \
                 take {}{}",
                count - heard,
                fewer(heard),
                rate(PI)
            ));
        }
        if seen < count && !system.contacts.is_empty() {
            advice.push(format!(
                "of {count} modes {} lie above ωΔt = {SEEN} (the highest at {highest:.3}): of their energy the books see only \
                 cos²(ωΔt/2), down to {:.1e}, so that contacts can feed them; take {}{}",
                count - seen,
                omegas.iter().map(|omega| Pole::seen(omega * omega, dt)).fold(1.0, f64::min),
                fewer(seen),
                rate(SEEN)
            ));
        }
        advice
    }
}

const NAME: &str = "modal-moreau-jean";

/// 1/W and Δtσ* of a mode of unit mass with ω² = `stiffness` (1/s²) and σ = `sigma` (1/s), as the step uses them.
pub fn constants(stiffness: f64, sigma: f64, dt: f64) -> (f64, f64) {
    let Pole { mobility, damper, .. } = Pole::new(stiffness, sigma, dt);
    (mobility, 0.5 * damper / mobility)
}

/// The diagonals of K and R.
fn diagonals(system: &System) -> Result<(Vec<f64>, Vec<f64>), Refusal> {
    let coupled = |name: &str| Refusal::NotCovered {
        scheme: NAME,
        what: format!("`{name}`, which couples coordinates: it has no modes of its own"),
        instead: "use `moreau-jean`, or a body with method = \"modal\"".into(),
    };
    Ok((system.diagonal_stiffness().map_err(coupled)?, system.diagonal_damping().map_err(coupled)?))
}

struct Modal {
    system: System,
    dt: f64,
    bank: Bank,
    poles: Vec<Pole>,
    speeds: Speeds,
    /// Δt/√(mW): what a coordinate of the bank is worth, m/√J.
    scale: Vec<f64>,
    /// Masses without a spring, and what rounding left out of their increments.
    masses: Vec<(usize, f64)>,
    /// Modes near ωΔt = π.
    opposed: Vec<Opposed>,
    stops: Stops,
    inputs: Dense,
    heard: Vec<Heard>,
    /// Whether no step was taken since the start.
    fresh: bool,
    clock: u32,
}

/// An output, prepared against the bank: it is read in every step.
enum Heard {
    Displacement(Dense),
    Velocity(Vec<f64>),
    Force,
}

impl Modal {
    fn new(system: &System, dt: f64, solver: Method) -> Result<Self, Refusal> {
        let (stiffness, damping) = diagonals(system)?;
        let n = system.size();
        let (mut poles, mut scale) = (Vec::with_capacity(n), Vec::with_capacity(n));
        for i in 0..n {
            let m = system.mass[i];
            let pole = Pole::new(stiffness[i] / m, 0.5 * damping[i] / m, dt);
            scale.push(dt * (pole.mobility / m).sqrt());
            poles.push(pole);
        }
        let modes: Vec<(f64, f64)> = poles.iter().map(|pole: &Pole| (pole.spring, pole.damper)).collect();
        let bank = Bank::new(&modes, !system.contacts.is_empty());
        let weak = |i: &usize| bank.spring[*i] < SLACK;
        let masses = (0..n).filter(weak).map(|i| (i, 0.0)).collect();
        let speeds = Speeds::new(&poles, &system.mass, &stiffness, &scale, dt);
        let heard = |quantity: &Quantity| match quantity {
            Quantity::Displacement(row) => Heard::Displacement(Dense::new([row].into_iter(), &scale)),
            Quantity::Velocity(row) => Heard::Velocity(speeds.weights(row)),
            Quantity::ContactForce(_) | Quantity::ContactForces(_) => Heard::Force,
        };
        let mut stepper = Self {
            dt,
            stops: Stops::new(system, &scale, solver),
            inputs: Dense::new(system.inputs.iter().map(|port| &port.row), &scale),
            heard: system.outputs.iter().map(|output| heard(&output.quantity)).collect(),
            system: system.clone(),
            bank,
            masses,
            opposed: Opposed::among(&poles),
            poles,
            speeds,
            scale,
            fresh: true,
            clock: 0,
        };
        stepper.reset(&vec![0.0; system.inputs.len()]);
        Ok(stepper)
    }

    /// Bu, scaled.
    fn drive(&mut self, input: &[f64]) {
        self.bank.push.fill(0.0);
        for (j, u) in input.iter().enumerate() {
            self.inputs.add(j, *u, &mut self.bank.push);
        }
    }

    /// A coordinate, m.
    fn position(&self, i: usize) -> f64 {
        self.scale[i] * self.bank.place[i]
    }

    /// The velocity of a coordinate, m/s.
    fn velocity(&self, i: usize) -> f64 {
        if self.fresh { self.system.start.velocity[i] } else { self.speeds.of(i, &self.bank) }
    }

    /// The increments of masses once more, with what rounding left out of them.
    fn carry(&mut self) {
        for (i, rest) in &mut self.masses {
            let (d, h, g) = (self.bank.before[*i], self.bank.damper[*i], self.bank.spring[*i]);
            let change = self.bank.push[*i] - (g * self.bank.place[*i] + h * d);
            self.bank.after[*i] = carry::add(d, change, rest);
        }
    }
}

impl Stepper for Modal {
    fn reset(&mut self, input: &[f64]) -> f64 {
        self.drive(input);
        self.masses.iter_mut().for_each(|(_, rest)| *rest = 0.0);
        let start = &self.system.start;
        for (i, pole) in self.poles.iter().enumerate() {
            let (q, v, scale) = (start.position[i], start.velocity[i], self.scale[i]);
            self.bank.place[i] = q / scale;
            self.bank.after[i] = (pole.push * (self.dt * v + pole.decay * q) - pole.first * q) / scale;
            self.bank.after[i] += 0.5 * self.bank.push[i];
        }
        self.bank.before.fill(0.0);
        (self.fresh, self.clock) = (true, 0);
        let Self { stops, bank, .. } = self;
        stops.reset(&bank.place, &bank.after);
        let (system, after) = (&self.system, &mut bank.after);
        let speed = |j: usize| system.contacts[j].row.dot(&system.start.velocity);
        stops.start_forces(speed, |rows, j, force| rows.add(j, -0.5 * force, after));
        stops.reset(&bank.place, &bank.after);
        self.opposed.iter_mut().for_each(|mode| mode.follow(&self.bank));
        self.bank.books().stored + self.stops.held
    }

    fn step(&mut self, input: &[f64], books: Books) -> Ledger {
        let mut ledger = Ledger::default();
        let driven = !self.system.inputs.is_empty();
        if driven {
            self.drive(&input[self.system.inputs.len()..]);
        }
        self.fresh = false;
        if self.clock == 0 {
            self.bank.settle();
        }
        let mut sums = self.bank.step(driven);
        self.carry();
        self.opposed.iter_mut().for_each(|mode| mode.step(&mut self.bank));
        let done = self.stops.act(&mut self.bank, self.dt);
        ledger.effort = done.effort;
        if done.touched {
            self.opposed.iter_mut().for_each(|mode| mode.follow(&self.bank));
        }
        if done.touched || !self.masses.is_empty() {
            sums = self.bank.books();
        }
        if !sums.stored.is_finite() {
            ledger.effort.fault = Some(Fault::NonFinite);
        }
        if books != Books::Off {
            let Bank { before, after, push, .. } = &self.bank;
            if driven {
                ledger.supplied = 0.5 * lanes::sum(push.len(), |i| push[i] * (before[i] + after[i]));
            }
            ledger.stored = sums.stored + self.stops.held;
            ledger.dissipated = sums.lost + done.lost;
            ledger.contact_work = done.work;
            ledger.leverage = done.leverage;
            if self.clock == 0 {
                ledger.leverage += self.bank.cancelled();
            }
        }
        self.clock = (self.clock + 1) % SURVEY;
        ledger
    }

    fn outputs(&self, output: &mut [f64]) {
        for ((heard, named), out) in self.heard.iter().zip(&self.system.outputs).zip(output) {
            *out = match (heard, &named.quantity) {
                (Heard::Displacement(row), _) => row.dot(0, &self.bank.place),
                (Heard::Velocity(_), Quantity::Velocity(row)) if self.fresh => {
                    row.dot(&self.system.start.velocity)
                }
                (Heard::Velocity(weights), _) => self.speeds.along(weights, &self.bank),
                (Heard::Force, quantity) => listen::force(quantity, &self.stops.forces),
            };
        }
    }

    fn snapshot(&self, q: &mut [f64], v: &mut [f64]) {
        for (i, (q, v)) in q.iter_mut().zip(v).enumerate() {
            (*q, *v) = (self.position(i), self.velocity(i));
        }
    }

    fn balance(&self) -> Balance {
        Balance::Exact
    }

    fn physical_energy(&self) -> Option<f64> {
        if self.fresh {
            let start = &self.system.start;
            return Some(self.system.energy(&start.position, &start.velocity));
        }
        Some(self.speeds.energy(&self.bank) + self.stops.held_now())
    }

    fn touched(&mut self, touched: &mut [Touched]) -> bool {
        touched.copy_from_slice(&self.stops.touched);
        self.stops.touched.fill(Touched::NOTHING);
        true
    }
}

/// The line of the catalogue.
pub(crate) const ENTRY: Entry<Box<dyn Scheme>> = Entry {
    kind: Kind {
        name: NAME,
        summary: "exact modes with rigid contacts by impulses (and compliant ones by their quotient): strings against frets",
        equation: "W(vⁿ⁺¹ − v_free) = p,  qⁿ⁺¹ = qⁿ + Δt vⁿ⁺¹\n0 ≤ p ⊥ −(ẋⁿ⁺¹ + eẋⁿ) ≥ 0  where xⁿ + Δt/2 ẋⁿ ≥ 0",
        source: "the Siconos page on modal Moreau–Jean time-stepping; Issanchou, Acary, Pérignon, Touzé & Le Carrou 2018",
        parameters: &[SOLVER],
        rules: &[],
    },
    make: |values: &Values| Ok(Box::new(ModalMoreauJean { solver: solver(values) })),
};

/// How impulses are found.
pub(crate) const SOLVER: Parameter = Parameter {
    name: "solver",
    takes: Takes::Word(&["active-set", "gauss-seidel"]),
    absent: Absent::Word("active-set"),
    doc: "how impulses are found: the dual active set, or projected Gauss–Seidel swept to rounding",
};

/// The word of [`SOLVER`].
pub(crate) fn solver(values: &Values) -> Method {
    if values.word(SOLVER.name) == Some("gauss-seidel") { Method::GaussSeidel } else { Method::ActiveSet }
}

//! Explicit symplectic partitioned Runge–Kutta methods (I18 §4, Algorithm 1): \[B\] moves positions, (b) momenta.
//!
//!   q ← q + BᵢΔt v,   v ← v + bᵢΔt M⁻¹(Bu − K q − Cᵀf(C·q − h) …),   i = 1 … s
//!
//! Undamped and undriven they are symplectic and of the order of their coefficients ([`crate::explicit::tableaux`]). Damping is
//! taken in one of two ways:
//!
//!   printed   in the kicks, R v and f(1 + μẋ) with the v before each: I18 (14), (15), of order 1
//!   split     exactly, for Δt/2 before and Δt/2 behind the undamped step (`damping_flow.rs`), of order 2
//!
//! An external force is known at the step's ends; between them it is taken to be linear, which is of order 2.
//!
//! Bookkeeping: stored is the energy ½vᵀMv + ½qᵀKq + ΣV at the step's end, which an explicit method keeps within bounds;
//! what each kick's damping takes and each input gives is exact for the kick as it is made: impulse times the mean
//! of the velocities before and after.

use crate::{
    accelerations::Accelerations,
    contact::{self, Contact},
    damping_flow::DampingFlow,
    explicit::staggered,
    explicit::tableaux,
    explicit::tableaux::Tableau,
    impulse,
    linear::Linear,
};
use fearless_simd::{Simd, dispatch};
use hamiltone_core::{
    claims::{Balance, Claims, Contraction},
    coverage::{Coverage, Feature},
    identity::Identity,
    input::Input,
    ledger::{Fault, Ledger},
    parameter::{Absent, Entry, Kind, Parameter, Takes, Values},
    refusal::Refusal,
    row::Row,
    scheme::Scheme,
    state::State,
    stepper::Stepper,
    system::System,
};
use hamiltone_numerics::{
    aligned::{Aligned, zeros},
    lanes,
};
use std::sync::Arc;

/// A method: its coefficients and how it takes damping.
#[derive(Clone, Copy, Debug)]
pub struct Sprk {
    /// (b)\[B\].
    pub tableau: Tableau,
    /// Damping in the kicks, as I18 prints it.
    pub printed: bool,
}

impl Scheme for Sprk {
    fn name(&self) -> &'static str {
        self.tableau.name
    }

    fn identity(&self) -> Identity {
        // What else a tableau has are texts and its order, which follows from its coefficients.
        let Self { tableau: Tableau { name, momenta, positions, .. }, printed } = *self;
        Identity::of(name).numbers(momenta).numbers(positions).count(usize::from(printed))
    }

    fn claims(&self) -> Claims {
        Claims {
            order: if self.printed { 1 } else { 2 },
            order_free: self.tableau.order,
            symmetric: self.tableau.symmetric(),
            linear: Balance::Bounded,
            contact: Balance::Bounded,
            contraction: if self.printed { Contraction::Free } else { Contraction::Conformal },
            contraction_with_links: !self.printed,
            contraction_with_contact: !self.printed,
            limit: Some(self.tableau.limit()),
            physical_energy: true,
            staggered: false,
        }
    }

    fn coverage(&self) -> Coverage {
        Coverage::of(&[
            Feature::ManyCoordinates,
            Feature::CoupledStiffness,
            Feature::CoupledDamping,
            Feature::Links,
            Feature::LinkDamping,
            Feature::Compliant,
            Feature::ContactLoss,
        ])
    }

    fn build(&self, system: &Arc<System>, dt: f64) -> Result<Box<dyn Stepper>, Refusal> {
        Ok(Box::new(Partitioned::new(*self, system, dt)?))
    }
}

/// A system in motion under a method.
#[derive(Clone)]
struct Partitioned {
    system: Arc<System>,
    linear: Arc<Linear>,
    contacts: Arc<[Contact]>,
    /// The rows of the forces among the inputs.
    inputs: Arc<[Row]>,
    kicks: Arc<Accelerations>,
    stages: Arc<[Stage]>,
    /// The split damping; `None` where it is in the kicks.
    around: Option<DampingFlow>,
    q: Aligned,
    v: Aligned,
    /// The velocities that a kick makes.
    next: Aligned,
    /// Each contact's in a kick, then each input's.
    pulls: Vec<Pull>,
}

/// An impulse along a row in a kick.
#[derive(Clone, Copy, Debug, Default)]
struct Pull {
    /// −MΔv along the row: b Δt f.
    impulse: f64,
    /// The part of it that a contact's loss makes.
    loss: f64,
    /// c·v before the kick.
    before: f64,
    /// c·M⁻¹R v before the kick, where the damping is in the kick.
    slowing: f64,
}

/// A stage: BᵢΔt, bᵢΔt, and where in the step its kick falls.
#[derive(Clone, Copy, Debug)]
struct Stage {
    drift: f64,
    kick: f64,
    instant: f64,
}

impl Partitioned {
    fn new(method: Sprk, system: &Arc<System>, dt: f64) -> Result<Self, Refusal> {
        let (scheme, tableau) = (method.name(), method.tableau);
        staggered::below(scheme, system, dt.abs(), tableau.limit())?;
        let contacts = contact::all(system);
        let kicks = Accelerations::new(system, true, method.printed);
        if method.printed {
            let pace = kicks.bounds().1 * dt.abs() * tableau.largest_kick();
            if pace > 1.0 {
                return Err(Refusal::OutOfRange {
                    scheme,
                    what: format!(
                        "damping in the kicks as strong as max|b|·λ_max(M⁻¹R)·Δt = {pace:.3e} (at most 1)"
                    ),
                    instead: format!(
                        "set damping = \"split\", or run at {:.0} Hz or more",
                        (pace / dt.abs()).floor() + 1.0
                    ),
                });
            }
        }
        let split = || DampingFlow::new(scheme, system, &contacts, 0.5 * dt);
        let around = if method.printed { None } else { Some(split()?) };
        let mut instant = 0.0;
        let stages = tableau.momenta.iter().zip(tableau.positions).map(|(b, big)| {
            instant += big;
            Stage { drift: big * dt, kick: b * dt, instant }
        });
        let zero = || zeros(system.size());
        let mut stepper = Self {
            linear: Arc::new(Linear::new(system, false)),
            kicks: Arc::new(kicks),
            around,
            stages: stages.collect(),
            q: zero(),
            v: zero(),
            next: zero(),
            pulls: vec![Pull::default(); contacts.len() + system.inputs.len()],
            contacts: contacts.into(),
            inputs: system.inputs.iter().filter_map(Input::row).cloned().collect(),
            system: system.clone(),
        };
        stepper.restore(&State::initial(system), &[]);
        Ok(stepper)
    }

    /// ½vᵀMv + ½qᵀKq + ΣV.
    #[inline(always)]
    fn stored(&self) -> f64 {
        self.linear.energy_in_lanes(&self.q, &self.v) + contact::energy(&self.contacts, &self.q)
    }

    #[inline(always)]
    fn advance<S: Simd>(&mut self, simd: S, input: &[f64]) -> Ledger {
        let mut ledger = Ledger::default();
        if let Some(around) = &mut self.around {
            ledger.dissipated += around.forwards_in_lanes(simd, &self.contacts, &self.q, &mut self.v);
        }
        for i in 0..self.stages.len() {
            let stage = self.stages[i];
            drift(stage.drift, &self.v, &mut self.q);
            if stage.kick != 0.0 {
                self.kick(simd, stage, input, &mut ledger);
            }
        }
        if let Some(around) = &mut self.around {
            ledger.dissipated += around.backwards_in_lanes(simd, &self.contacts, &self.q, &mut self.v);
        }
        if !lanes::sum_of([&self.q], |[q]| q).is_finite() {
            ledger.effort.fault = Some(Fault::NonFinite);
        }
        ledger
    }

    #[inline(always)]
    fn kick<S: Simd>(&mut self, simd: S, stage: Stage, input: &[f64], ledger: &mut Ledger) {
        let pushed = self.pull(stage, input);
        if self.around.is_some() {
            self.kicks.push(simd, stage.kick, &self.q, &mut self.v);
        } else {
            ledger.dissipated += self.kicks.kick(simd, stage.kick, (&self.q, &self.v), &mut self.next);
            std::mem::swap(&mut self.v, &mut self.next);
        }
        if pushed {
            let rows = self.contacts.iter().map(|contact| &contact.row).chain(&*self.inputs);
            for (row, pull) in rows.zip(&self.pulls).filter(|(_, pull)| pull.impulse != 0.0) {
                self.kicks.pull(row, pull.impulse, &mut self.v);
            }
            self.book(stage.kick, ledger);
        }
    }

    /// The impulses of contacts and inputs in a kick; whether there are any.
    fn pull(&mut self, stage: Stage, input: &[f64]) -> bool {
        let (h, damped, mut pushed) = (stage.kick, self.around.is_none(), false);
        let of = |row: &Row, impulse: f64| Pull {
            impulse,
            loss: 0.0,
            before: row.dot(&self.v),
            slowing: if damped { self.kicks.damping_along(row, &self.v) } else { 0.0 },
        };
        let (contacts, inputs) = self.pulls.split_at_mut(self.contacts.len());
        for (contact, pull) in self.contacts.iter().zip(contacts) {
            let x = contact.penetration(&self.q);
            *pull = Pull::default();
            if x > contact.onset {
                *pull = of(&contact.row, h * contact.law.force(x));
                if damped {
                    pull.loss = pull.impulse * contact.law.loss * pull.before;
                    pull.impulse += pull.loss;
                }
                pushed = true;
            }
        }
        let count = inputs.len();
        for ((k, row), pull) in self.inputs.iter().enumerate().zip(inputs) {
            let (u0, u1) = (input[k], input[count + k]);
            *pull = of(row, -h * (u0 + (u1 - u0) * stage.instant));
            pushed = true;
        }
        pushed
    }

    /// What contacts' losses took and inputs gave in the kick: impulses times the mean of the velocities before and behind
    /// it. The damping has been booked with the mean of the kick without these impulses.
    fn book(&self, h: f64, ledger: &mut Ledger) {
        let mean = |row: &Row, pull: &Pull| 0.5 * (pull.before + row.dot(&self.v));
        let (contacts, inputs) = self.pulls.split_at(self.contacts.len());
        for (contact, pull) in self.contacts.iter().zip(contacts).filter(|(_, pull)| pull.impulse != 0.0) {
            ledger.dissipated += pull.loss * mean(&contact.row, pull);
            ledger.dissipated -= 0.5 * h * pull.impulse * pull.slowing;
        }
        for (row, pull) in self.inputs.iter().zip(inputs) {
            ledger.supplied -= pull.impulse * mean(row, pull);
            ledger.dissipated -= 0.5 * h * pull.impulse * pull.slowing;
        }
    }
}

/// q += h v.
#[inline(always)]
fn drift(h: f64, v: &[f64], q: &mut [f64]) {
    for (q, v) in q.iter_mut().zip(v) {
        *q += h * v;
    }
}

impl Stepper for Partitioned {
    fn step(&mut self, input: &[f64]) -> Ledger {
        dispatch!(self.linear.level(), simd => simd.vectorize(
            #[inline(always)]
            || self.advance(simd, input)
        ))
    }

    fn energy(&mut self) -> f64 {
        dispatch!(self.linear.level(), simd => simd.vectorize(#[inline(always)] || self.stored()))
    }

    fn impulse(&mut self, row: &Row, p: f64) {
        impulse::apply(row, p, &self.system.mass, |i, kick| self.v[i] += kick);
    }

    fn restore(&mut self, state: &State, _input: &[f64]) {
        state.read(&mut self.q, &mut self.v);
    }

    fn save(&mut self, state: &mut State) {
        state.write(&self.q, &self.v);
    }

    fn outputs(&self, output: &mut [f64]) {
        self.system.read_outputs(&self.q, &self.v, &[], output);
    }

    fn positions(&self) -> Option<&[f64]> {
        Some(&self.q)
    }
}

const DAMPING: &[Parameter] = &[Parameter {
    name: "damping",
    takes: Takes::Word(&["split", "printed"]),
    absent: Absent::Word("split"),
    doc: "split: exact, half before and half after the undamped step, of order 2; printed: in the kicks (Ishikawa et al. 2018, (14)), of order 1",
}];

macro_rules! entry {
    ($name:ident, $tableau:expr) => {
        pub(crate) const $name: Entry<Box<dyn Scheme>> = Entry {
            kind: Kind {
                name: $tableau.name,
                summary: $tableau.summary,
                equation: "q ← q + BᵢΔt v;  v ← v + bᵢΔt M⁻¹F(q),  i = 1 … s",
                source: $tableau.source,
                parameters: DAMPING,
                rules: &[],
            },
            make: |values: &Values| {
                let printed = values.word("damping") == Some("printed");
                Ok(Box::new(Sprk { tableau: $tableau, printed }))
            },
        };
    };
}

entry!(THREE, tableaux::THREE);
entry!(FOUR, tableaux::FOUR);
entry!(SIX, tableaux::SIX);
entry!(VERLET, tableaux::VERLET);
entry!(BLANES_MOAN, tableaux::BLANES_MOAN);

//! Explicit methods as splittings: one stepper for drifts, kicks and flows of damping in the order of a tableau.
//!
//!   before     v ← Φ_R(βΔt) v
//!   i = 1 … s  q ← q + BᵢΔt v,   v ← v + bᵢΔt M⁻¹(Bu − K q − Cᵀf(C·q − h) …)
//!   behind     v ← Φ_R(αΔt) v
//!
//! Velocities are held in a unit of the method, Δt v or Δt v/2 where its balance is exact: drifts are then sums without a product
//! that rounds. There the rounding of every sum is carried to the next, too (`compensation.rs`). How a kick is made, what damping it
//! takes and which energy the method keeps differ: they are a [`Kick`].

use crate::{
    contact::{self, Contact},
    explicit::{damping_flow::DampingFlow, tableaux::Coefficients},
    impulse, instructions,
};
use fearless_simd::{Level, Simd, dispatch};
use hamiltone_core::{
    instant::Moment,
    ledger::{Fault, Ledger},
    state::{Archive, Motion, State},
    stepper::{Activity, Change, Stepper},
    system::System,
};
use hamiltone_numerics::{
    aligned::{Aligned, zeros},
    compensation, lanes,
};
use std::sync::Arc;

/// What is constant of a splitting.
pub(crate) struct Splitting {
    pub system: Arc<System>,
    pub contacts: Vec<Contact>,
    pub dt: f64,
    /// What a velocity is multiplied by in the state, s; 1 where it is held as it is.
    pub unit: f64,
    /// Whether sums of velocities are carried, and those of positions too where contacts or inputs act.
    pub carried: bool,
    stages: Vec<Stage>,
    level: Level,
}

/// A stage: by how many units of velocity positions move, by how much of a step's impulse velocities are changed, and where in the step
/// that is.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Stage {
    pub drift: f64,
    pub kick: f64,
    pub instant: f64,
}

impl Splitting {
    /// Of `system` by a tableau; velocities are held times `unit`, s, carried, or as they are.
    pub fn new(system: &Arc<System>, tableau: &Coefficients, dt: f64, unit: Option<f64>) -> Self {
        let mut instant = 0.0;
        let stages = tableau.stages.iter().map(|[big, b]| {
            // Positions advance by ΣBᵢ, which is the time within the step at which forces are evaluated.
            instant += big;
            match unit {
                Some(unit) => Stage { drift: big * (dt / unit), kick: *b, instant },
                None => Stage { drift: big * dt, kick: b * dt, instant },
            }
        });
        Self {
            stages: stages.collect(),
            contacts: contact::all(system),
            dt,
            unit: unit.unwrap_or(1.0),
            carried: unit.is_some(),
            level: instructions::level_of(system.size()),
            system: system.clone(),
        }
    }

    /// Whether anything but its own springs and dampers acts on the system.
    pub fn is_moved(&self) -> bool {
        !self.system.inputs.is_empty() || !self.system.elements.is_empty()
    }

    /// J of a quadratic form of velocities in their unit.
    pub fn joule(&self) -> f64 {
        1.0 / (self.unit * self.unit)
    }
}

/// Positions and velocities, these in the unit of the method.
#[derive(Clone)]
pub(crate) struct Phase {
    pub q: Aligned,
    pub v: Aligned,
    /// Rounding remainder of q and v; empty where it is not carried. A force that hardly changes holds q, while v, less than the last
    /// digit of q, has the force work in every step.
    pub q_remainder: Vec<f64>,
    pub v_remainder: Vec<f64>,
}

impl Phase {
    /// q += h v.
    #[inline(always)]
    fn drift(&mut self, h: f64) {
        if self.q_remainder.is_empty() {
            for (q, v) in self.q.iter_mut().zip(self.v.iter()) {
                *q += h * v;
            }
        } else {
            for ((q, v), remainder) in self.q.iter_mut().zip(self.v.iter()).zip(&mut self.q_remainder) {
                *q = compensation::add(*q, h * v, remainder);
            }
        }
    }

    /// vᵢ += change.
    #[inline(always)]
    pub fn push(&mut self, i: usize, change: f64) {
        match self.v_remainder.get_mut(i) {
            Some(remainder) => self.v[i] = compensation::add(self.v[i], change, remainder),
            None => self.v[i] += change,
        }
    }
}

/// How velocities are changed at fixed positions, and which energy a method keeps.
pub(crate) trait Kick: Clone + Send + Sync + 'static {
    /// Goes on from positions and velocities that were set, as initial conditions where `input` has the inputs' values there, and
    /// as it has archived them where there is none.
    fn start(&mut self, c: &Splitting, phase: &mut Phase, input: Option<&[f64]>);

    /// The kick of a stage; it books what damping took and inputs supplied.
    fn kick<S: Simd>(
        &mut self,
        simd: S,
        c: &Splitting,
        stage: Stage,
        phase: &mut Phase,
        input: &[f64],
        ledger: &mut Ledger,
    );

    /// Takes the leverage of what the step's energies are made of, where it is judged by it.
    fn finish(&mut self, _c: &Splitting, _phase: &Phase, _ledger: &mut Ledger) {}

    /// The stored energy, J.
    fn stored(&mut self, c: &Splitting, phase: &Phase) -> f64;

    /// The velocities at the instant of q, in the unit of the method.
    fn velocity<'a>(&'a self, phase: &'a Phase) -> &'a [f64] {
        &phase.v
    }

    /// An impulse has changed vᵢ.
    fn pushed(&mut self, _c: &Splitting, _phase: &Phase, _i: usize, _change: f64) {}

    /// What the next step depends on besides the phase.
    fn archive(&mut self, _archive: &mut Archive) {}
}

/// A system in motion by a splitting.
#[derive(Clone)]
pub(crate) struct Split<K> {
    constants: Arc<Splitting>,
    kick: K,
    /// The flows of damping before and behind the stages.
    around: Option<[DampingFlow; 2]>,
    phase: Phase,
}

impl<K: Kick> Split<K> {
    /// At the system's initial conditions.
    pub fn new(constants: Splitting, kick: K, around: Option<[DampingFlow; 2]>) -> Self {
        let n = constants.system.size();
        let remainder = |carried: bool| vec![0.0; if carried { n } else { 0 }];
        let phase = Phase {
            q: zeros(n),
            v: zeros(n),
            // Without forces drifts need no remainder of positions, since no force works along them.
            q_remainder: remainder(constants.carried && constants.is_moved()),
            v_remainder: remainder(constants.carried),
        };
        let system = constants.system.clone();
        let mut stepper = Self { constants: Arc::new(constants), kick, around, phase };
        stepper.state(State::Start(&Motion::initial(&system), &vec![0.0; system.inputs.len()]));
        stepper
    }

    #[inline(always)]
    fn advance<S: Simd>(&mut self, simd: S, input: &[f64]) -> Ledger {
        let Self { constants: c, kick, around, phase } = self;
        let (c, mut ledger) = (&**c, Ledger::default());
        if let Some([before, _]) = around {
            ledger.dissipated +=
                c.joule() * before.forwards_in_lanes(simd, &c.contacts, &phase.q, &mut phase.v);
        }
        for stage in &c.stages {
            phase.drift(stage.drift);
            // The last kick of many tableaux is none.
            if stage.kick != 0.0 {
                kick.kick(simd, c, *stage, phase, input, &mut ledger);
            }
        }
        kick.finish(c, phase, &mut ledger);
        if let Some([_, behind]) = around {
            ledger.dissipated +=
                c.joule() * behind.backwards_in_lanes(simd, &c.contacts, &phase.q, &mut phase.v);
        }
        // A sum is finite where all its terms are.
        if !lanes::sum_of([&phase.q, &phase.v], |[q, v]| q + v).is_finite() {
            ledger.effort.fault = Some(Fault::NonFinite);
        }
        ledger
    }

    /// The velocities at the instant of q, and what makes m/s of them.
    fn velocity(&self) -> (f64, &[f64]) {
        (1.0 / self.constants.unit, self.kick.velocity(&self.phase))
    }
}

impl<K: Kick> Stepper for Split<K> {
    fn step(&mut self, input: &[f64]) -> Ledger {
        dispatch!(self.constants.level, simd => simd.vectorize(
            #[inline(always)]
            || self.advance(simd, input)
        ))
    }

    fn energy(&mut self) -> f64 {
        self.kick.stored(&self.constants, &self.phase)
    }

    fn change(&mut self, change: &Change) -> bool {
        let Self { constants: c, kick, phase, .. } = self;
        impulse::apply(change, &c.system.mass, |i, change| {
            phase.push(i, c.unit * change);
            kick.pushed(c, phase, i, c.unit * change);
        })
    }

    fn state(&mut self, state: State) {
        let Self { constants: c, kick, phase, .. } = self;
        let Phase { q, v, q_remainder, v_remainder } = phase;
        match state {
            State::Start(motion, input) => {
                q.copy_from_slice(&motion.q);
                v.iter_mut().zip(&motion.v).for_each(|(own, v)| *own = c.unit * v);
                q_remainder.fill(0.0);
                v_remainder.fill(0.0);
                kick.start(c, phase, Some(input));
            }
            State::Tell(motion) | State::Show(motion) => motion.write(&phase.q, kick.velocity(phase), c.unit),
            State::Complete(mut archive) => {
                [&mut **q, &mut **v, q_remainder, v_remainder].into_iter().for_each(|x| archive.numbers(x));
                kick.archive(&mut archive);
                // What a kick derives from the positions is not saved, and made anew.
                if archive.reads() {
                    kick.start(c, phase, None);
                }
            }
        }
    }

    fn outputs(&self, output: &mut [f64]) {
        self.constants.system.read_outputs_at_rate(&self.phase.q, self.velocity(), &[], output);
    }

    fn activity(&mut self, moment: &Moment, activity: &mut [Activity]) -> bool {
        moment.activity(&self.phase.q, self.velocity(), activity);
        true
    }
}

//! A run of one system under one scheme: the shell around a method's [`Stepper`].
//!
//! It sets initial conditions, counts the energy of impulses as supplied, reads positions and velocities, and saves
//! and restores the complete state. Clones share all constant data: voices of one instrument, or runs that fork.

use crate::{
    acting::Acting,
    claims::Balance,
    input::{Action, Input},
    instant::{Inputs, Instant, Moment},
    ledger::{Bookkeeping, Fault, Ledger},
    parameter::Range,
    reading::Readings,
    row::Row,
    saved::{Mismatch, Saved},
    state::{Archive, Motion, State},
    stepper::{Activity, Change, Gaps, Stepper},
    system::{Initial, System},
};
use hamiltone_numerics::lanes::same_bits;
use std::sync::Arc;

/// A prepared run.
///
/// ```
/// # use hamiltone_core::{audit::Audit, ledger::Bookkeeping, scheme::Scheme, system::System};
/// fn run(scheme: &dyn Scheme, system: &System) -> Result<Audit, Box<dyn std::error::Error>> {
///     let mut simulation = scheme.prepare(system, 1.0 / 48_000.0)?;
///     let mut audit = Audit::open(simulation.reset(&[]), simulation.balance());
///     for _ in 0..480 {
///         audit.post(&simulation.step(&[], Bookkeeping::Full));
///     }
///     Ok(audit)
/// }
/// ```
#[derive(Clone)]
pub struct Simulation {
    scheme: &'static str,
    /// What a saved state is recognised by.
    fingerprint: u64,
    balance: Balance,
    dt: f64,
    system: Arc<System>,
    /// The inputs that are controls, each with a range that it must keep.
    controls: Arc<[(usize, Range)]>,
    acting: Arc<Acting>,
    /// What is constant of the elements.
    instants: Arc<[Instant]>,
    stepper: Box<dyn Stepper>,
    /// The energy of impulses since the last step, J: supplied energy of the next ledger.
    supplied: f64,
    /// The inputs' values at the present instant.
    input: Vec<f64>,
    /// Those a step before; the present ones before the first step.
    input_before: Vec<f64>,
    /// How outputs are made of the stepper's, where they are not the same.
    readings: Option<Readings>,
    /// Where the motion is read into.
    motion: Motion,
    /// Whether no step was taken since it was put somewhere: elements did nothing yet.
    fresh: bool,
    /// Whether the stepper is no longer as it was built, apart from its state.
    altered: bool,
    /// Whether the inputs were the same at both ends of the last step, their controls allowed, and nothing has happened since.
    steady: bool,
    /// Of the inputs of the last step: whether they were the same at both ends, and whether a control has a value that its law does not allow.
    stays: bool,
    outside: bool,
}

impl Simulation {
    /// The shell of a stepper that stands at the system's initial conditions.
    pub(crate) fn new(
        (scheme, fingerprint): (&'static str, u64),
        balance: Balance,
        dt: f64,
        (system, readings): (Arc<System>, Option<Readings>),
        stepper: Box<dyn Stepper>,
    ) -> Self {
        let mut simulation = Self {
            scheme,
            fingerprint,
            balance,
            dt,
            stepper,
            supplied: 0.0,
            input: vec![0.0; system.inputs.len()],
            input_before: vec![0.0; system.inputs.len()],
            readings,
            motion: Motion::at_rest(system.size()),
            fresh: true,
            altered: false,
            steady: false,
            stays: true,
            outside: false,
            controls: controls(&system),
            acting: Arc::new(system.acting()),
            instants: system.elements.iter().enumerate().map(Instant::of).collect(),
            system,
        };
        simulation.look_at_inputs();
        simulation
    }

    /// Whether a run of this scheme and fingerprint with the outputs of this system shares all that is constant here.
    pub(crate) fn is_like(&self, known: (&str, u64), system: &System) -> bool {
        !self.altered && known == (self.scheme, self.fingerprint) && system.outputs == self.system.outputs
    }

    /// A run of such a system at its initial conditions, its inputs at 0.
    pub(crate) fn begin(&self, system: &System) -> Self {
        let mut begun = Self { system: Arc::new(system.clone()), ..self.clone() };
        begun.reset(&vec![0.0; system.inputs.len()]);
        begun
    }

    /// Puts the system at its initial conditions, with the inputs' values at t = 0, and returns the energy stored
    /// there, J.
    pub fn reset(&mut self, input: &[f64]) -> f64 {
        let Initial { position, velocity } = &self.system.initial;
        self.motion.write(position, velocity, 1.0);
        self.start(input)
    }

    /// Puts the system at the motion that was read into, and returns the energy stored there, J.
    fn start(&mut self, input: &[f64]) -> f64 {
        (self.supplied, self.steady) = (0.0, false);
        self.fresh = true;
        self.input.copy_from_slice(input);
        self.input_before.copy_from_slice(input);
        self.look_at_inputs();
        self.stepper.state(State::Start(&self.motion, input));
        self.stepper.energy()
    }

    /// The same, and the work W(0) that the forces u at t = 0 did before the first step, J: a two-step scheme starts with an
    /// increment that has felt them for half a step, so that its stored energy is another one with them than without.
    /// Where ωΔt is large, an increment that they make stores more than they can give: in half of a step of d no more than
    /// ½Σ|u c·d|, d being the first increment with or without them, whichever is longer.
    pub fn reset_with_work(&mut self, input: &[f64]) -> (f64, f64) {
        let is_force = |input: &Input| matches!(input.action, Action::Force(_));
        let rest = self.system.inputs.iter().zip(input);
        let without: Vec<f64> = rest.map(|(given, u)| if is_force(given) { 0.0 } else { *u }).collect();
        if without == input {
            return (self.reset(input), 0.0);
        }
        let (energy, ways) = (self.reset(&without), self.first_ways(&without));
        let stored = self.reset(input);
        let with = self.first_ways(input);
        self.reset(input);
        let longest = with.into_iter().zip(ways).map(|(with, without)| with.max(without));
        let most: f64 = longest.zip(input).map(|(way, u)| 0.5 * u.abs() * way).sum();
        (stored, (stored - energy).min(most))
    }

    /// |c·d| of each force, m, d being the first increment; 0 of any other input. It takes the first step.
    fn first_ways(&mut self, input: &[f64]) -> Vec<f64> {
        self.step(&[input, input].concat(), Bookkeeping::Flows);
        let system = self.system.clone();
        let (begin, end) = (&system.initial.position, &self.motion().q);
        let way = |row: &Row| (row.dot(end) - row.dot(begin)).abs();
        system.inputs.iter().map(|input| input.row().map_or(0.0, way)).collect()
    }

    /// Puts the system at these positions and velocities, with the inputs' present values, and returns the energy
    /// stored there, J.
    ///
    /// # Panics
    /// If `motion` has another number of coordinates than the system.
    pub fn place(&mut self, motion: &Motion, input: &[f64]) -> f64 {
        let sizes = [&motion.q, &motion.v].map(Vec::len);
        assert!(sizes == [self.system.size(); 2], "the motion of {sizes:?} numbers is not the system's");
        self.motion.clone_from(motion);
        self.start(input)
    }

    /// One step: `input` holds the inputs' values at its start, then at its end.
    #[inline]
    pub fn step(&mut self, input: &[f64], bookkeeping: Bookkeeping) -> Ledger {
        let mut ledger = self.stepper.step(input);
        self.fresh = false;
        ledger.partial = bookkeeping == Bookkeeping::Flows;
        if !ledger.partial {
            ledger.stored = self.stepper.energy();
        }
        if self.supplied != 0.0 {
            ledger.supplied += std::mem::take(&mut self.supplied);
        }
        // Squares of velocities overflow before these do, and what damping takes is then inf − inf.
        if !(ledger.dissipated + ledger.supplied + ledger.contact_work).is_finite()
            && !ledger.effort.fault.is_some_and(|fault| fault.ends_run())
        {
            ledger.effort.fault = Some(Fault::NonFinite);
        }
        // Most steps leave all inputs as they are.
        let (before, now) = input.split_at(self.input.len());
        if !same_bits(before, &self.input_before) || !same_bits(now, &self.input) {
            self.input_before.copy_from_slice(before);
            self.input.copy_from_slice(now);
            self.look_at_inputs();
        }
        ledger.control_outside = self.outside;
        self.steady = self.stays && !self.outside;
        ledger
    }

    /// Takes steps in a row in which nothing acts, the inputs staying what they are: see [`Stepper::free_steps`]. Their ledgers hold what
    /// `dissipated` tells and nothing else; the stored energy is that of [`Simulation::energy`]. Returns how many it took, 0 where the
    /// next step is one for [`Simulation::step`]: the bits are the same either way.
    pub fn free_steps(&mut self, dissipated: &mut [f64], outputs: &mut [f64]) -> usize {
        if !self.steady || self.readings.is_some() {
            return 0;
        }
        self.stepper.free_steps(dissipated, outputs)
    }

    /// Takes up what the inputs are at both ends of the last step.
    fn look_at_inputs(&mut self) {
        let Self { input, input_before, controls, .. } = self;
        let is_outside =
            |(i, range): &(usize, Range)| !range.holds(input_before[*i]) || !range.holds(input[*i]);
        (self.stays, self.outside) = (input == input_before, controls.iter().any(is_outside));
    }

    /// An impulse p (N s) along a row between two steps: the momentum changes by p·c. The energy that it supplies (J)
    /// is returned, and is supplied energy of the next step's ledger.
    pub fn impulse(&mut self, row: &Row, p: f64) -> f64 {
        let before = self.stepper.energy();
        self.stepper.change(&Change::Impulse(row, p));
        self.supply(before)
    }

    /// The energy that a change between two steps supplied, J, `before` being what was stored.
    fn supply(&mut self, before: f64) -> f64 {
        let supplied = self.stepper.energy() - before;
        self.steady = false;
        self.supplied += supplied;
        supplied
    }

    /// The energy stored now, J, as the scheme's own discrete balance counts it.
    pub fn energy(&mut self) -> f64 {
        self.stepper.energy()
    }

    /// Adds springs to coordinates between two steps, N/m, in place of those before: see [`Change::Springs`]. The energy
    /// that this supplies (J) is returned, and is supplied energy of the next step's ledger; `None` where the scheme
    /// cannot.
    ///
    /// [`Simulation::physical_energy`] does not have them.
    pub fn retune(&mut self, added: &[f64]) -> Option<f64> {
        let before = self.stepper.energy();
        self.stepper.change(&Change::Springs(added)).then(|| {
            self.altered = true;
            self.supply(before)
        })
    }

    /// Lets bodies on joints rest while a damper lies on them and they store less than this part of the whole: see [`Change::Rest`].
    /// What they held is dissipated, or supplied, in the ledger of a step. `false` where the scheme cannot.
    pub fn let_rest(&mut self, share: f64) -> bool {
        let can = self.stepper.change(&Change::Rest(share));
        self.altered |= can;
        can
    }

    /// Writes the system's outputs as they are now, one value an output.
    #[inline]
    pub fn outputs(&mut self, output: &mut [f64]) {
        let Self { stepper, readings, system, acting, input, input_before, dt, .. } = self;
        match readings {
            None => stepper.outputs(output),
            Some(readings) => {
                let inputs = Inputs { acting, now: input, before: input_before, dt: *dt };
                readings.write(system, &inputs, |values| stepper.outputs(values), output);
            }
        }
    }

    /// The positions (m) and velocities (m/s) now.
    pub fn motion(&mut self) -> &Motion {
        self.stepper.state(State::Tell(&mut self.motion));
        &self.motion
    }

    /// Writes the positions (m) and velocities (m/s) now, one a degree of freedom, as outputs show them.
    pub fn snapshot(&mut self, q: &mut [f64], v: &mut [f64]) {
        self.stepper.state(State::Show(&mut self.motion));
        q.copy_from_slice(&self.motion.q);
        v.copy_from_slice(&self.motion.v);
    }

    /// What each element did since this was last asked, where the method keeps it; else, and before the first step, what it does in
    /// `time` (s) where its force stays that of the state now. See [`Stepper::activity`].
    pub fn activity(&mut self, time: f64, gaps: Gaps, activity: &mut [Activity]) {
        self.altered |= gaps != Gaps::Since;
        let Self { stepper, system, acting, instants, input, input_before, dt, .. } = self;
        let inputs = Inputs { acting, now: input, before: input_before, dt: *dt };
        let moment = Moment { gaps, system, instants, inputs, time };
        if !stepper.activity(&moment, activity) || self.fresh {
            stepper.state(State::Tell(&mut self.motion));
            moment.activity(&self.motion.q, (1.0, &self.motion.v), activity);
        }
    }

    /// ψ/s and Σu now of the forms of these numbers: of strings and membranes what their motion and what inputs add to the tension, N or N/m.
    pub fn tensions(&mut self, forms: impl Iterator<Item = usize>) -> impl Iterator<Item = [f64; 2]> {
        self.stepper.state(State::Tell(&mut self.motion));
        let Self { system, motion, acting, input, .. } = self;
        forms.map(|j| {
            let form = &system.forms[j];
            [form.value(&motion.q) / form.stretch, acting.strain(j, input)]
        })
    }

    /// The physical energy ½vᵀMv + ½qᵀKq + ΣV now, J.
    pub fn physical_energy(&mut self) -> f64 {
        self.stepper.state(State::Show(&mut self.motion));
        self.system.energy_with(&self.acting, &self.motion.q, &self.motion.v, &self.input)
    }

    /// The physical energy at the initial conditions with these values of the inputs, J: what [`Simulation::reset`] would leave.
    pub fn initial_energy(&self, input: &[f64]) -> f64 {
        let Initial { position, velocity } = &self.system.initial;
        self.system.energy_with(&self.acting, position, velocity, input)
    }

    /// The work that the forces did over the last step, from the positions `before` to `now` (m), by the mean of each:
    /// Σ ½(uⁿ + uⁿ⁺¹) c·(qⁿ⁺¹ − qⁿ), J; `None` where other inputs supply energy as well.
    pub fn work_of_forces(&self, before: &[f64], now: &[f64]) -> Option<f64> {
        let mut work = 0.0;
        for (i, input) in self.system.inputs.iter().enumerate() {
            match &input.action {
                Action::Force(row) => {
                    work += 0.5 * (self.input_before[i] + self.input[i]) * (row.dot(now) - row.dot(before));
                }
                Action::Control(_) | Action::Branch(_) => {}
                Action::Motion(_) | Action::Rate(_) | Action::Strain(_) | Action::Custom { .. } => {
                    return None;
                }
            }
        }
        Some(work)
    }

    /// The complete state: a simulation of the same system, scheme and step continues from it with the same bits.
    pub fn save(&mut self) -> Saved {
        let mut numbers = Vec::new();
        self.stepper.state(State::Complete(Archive::Write(&mut numbers)));
        numbers.push(f64::from(u8::from(self.fresh)));
        numbers.push(self.supplied);
        numbers.extend_from_slice(&self.input);
        numbers.extend_from_slice(&self.input_before);
        Saved { scheme: self.scheme.to_string(), fingerprint: self.fingerprint, dt: self.dt, numbers }
    }

    /// Continues from a saved state.
    ///
    /// # Errors
    /// A [`Mismatch`] where it was saved by another scheme, with other options of it, at another step or of another
    /// system, or holds numbers that are not finite; nothing is changed. Names, outputs and initial conditions may differ: see `fingerprint.rs` of this crate.
    pub fn restore(&mut self, saved: &Saved) -> Result<(), Mismatch> {
        let own = self.save();
        saved.fits(&own)?;
        self.return_to(saved);
        // Other numbers may be infinite, as the gap of what is never in contact is.
        let motion = self.motion();
        if motion.q.iter().chain(&motion.v).all(|x| x.is_finite()) {
            return Ok(());
        }
        self.return_to(&own);
        Err(Mismatch::NotFinite)
    }

    /// Goes back to a state that this very simulation saved before: as [`Simulation::restore`], without a check and without memory that it would take.
    ///
    /// # Panics
    /// Where it is the state of another simulation.
    pub fn return_to(&mut self, saved: &Saved) {
        let inputs = self.input.len();
        let (stepper, own) = saved.numbers.split_at(saved.numbers.len() - 2 - 2 * inputs);
        (self.fresh, self.supplied, self.steady) = (own[0] != 0.0, own[1], false);
        self.input.copy_from_slice(&own[2..2 + inputs]);
        self.input_before.copy_from_slice(&own[2 + inputs..]);
        self.look_at_inputs();
        self.stepper.state(State::Complete(Archive::Read(stepper)));
    }

    /// Whether this scheme keeps the balance of this system exactly.
    pub fn balance(&self) -> Balance {
        self.balance
    }

    /// The time step, s.
    pub fn dt(&self) -> f64 {
        self.dt
    }

    /// The system.
    pub fn system(&self) -> &Arc<System> {
        &self.system
    }
}

/// The inputs that control resistive laws which do not allow every number, with what they allow.
fn controls(system: &System) -> Arc<[(usize, Range)]> {
    let of = |(i, input): (usize, &Input)| {
        let Action::Control(elements) = &input.action else { return Vec::new() };
        let laws = system.elements[elements.clone()].iter().filter_map(|element| element.law.control());
        let mut ranges: Vec<(usize, Range)> = laws.map(|control| (i, control.allowed)).collect();
        ranges.dedup();
        ranges
    };
    system.inputs.iter().enumerate().flat_map(of).collect()
}

/// `frames` steps in one call: `input` holds the values at the `frames + 1` step ends, `bookkeeping` says how step 0,
/// 1, … of the block is recorded, `output` receives the outputs after each step, `each` its ledger, and the block goes on
/// while it answers `true`. Returns the number of steps taken.
///
/// # Panics
/// If `input` or `output` do not have the length of `frames` steps of this system.
pub fn run_block(
    simulation: &mut Simulation,
    input: &[f64],
    output: &mut [f64],
    frames: usize,
    bookkeeping: &dyn Fn(usize) -> Bookkeeping,
    each: &mut dyn FnMut(&Ledger) -> bool,
) -> usize {
    let (inputs, outputs) = (simulation.system.inputs.len(), simulation.system.outputs.len());
    assert_eq!(input.len(), (frames + 1) * inputs, "values of {inputs} inputs at {} step ends", frames + 1);
    assert_eq!(output.len(), frames * outputs, "values of {outputs} outputs after {frames} steps");
    for n in 0..frames {
        let ledger = simulation.step(&input[n * inputs..(n + 2) * inputs], bookkeeping(n));
        simulation.outputs(&mut output[n * outputs..(n + 1) * outputs]);
        if !each(&ledger) {
            return n + 1;
        }
    }
    frames
}

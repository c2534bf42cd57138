//! The run loop: drive → step → ledger → sinks.
//!
//! Row n of everything is the state at tₙ = n/(sample rate · oversampling); row 0
//! is the initial condition. Ledgers are kept for one block. The loop pushes blocks of rows into the sinks and knows
//! neither their kinds nor that of the scheme.

use crate::{
    commit::commit,
    forecast,
    observe::Observer,
    outcome::Outcome,
    passivity::Passivity,
    sink::{Block, Sink, SinkError},
    sound::{Recorder, Sound},
};
use hamiltone_core::{
    audit::Audit,
    claims::Balance,
    ledger::{Bookkeeping, Ledger},
    refusal::Refusal,
    simulation::run_block,
};
use hamiltone_scene::Plan;

/// The most rows per block.
const BLOCK: u64 = 1024;
/// The same where a run is timed, so that it can end soon.
const TIMED_BLOCK: u64 = 64;

/// Why a run has no outcome.
#[derive(Debug)]
pub enum RunError {
    /// The scheme does not run this system at this rate.
    Refused(Refusal),
    /// A file could not be written.
    Sink(SinkError),
    /// The sound does not fit into memory; its size in bytes.
    Memory(u128),
}

impl std::fmt::Display for RunError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            RunError::Refused(refusal) => refusal.fmt(f),
            RunError::Sink(error) => error.fmt(f),
            RunError::Memory(bytes) => {
                let gigabytes = *bytes as f64 / 1e9;
                write!(
                    f,
                    "not enough memory for a sound of {gigabytes:.1} GB; render a shorter duration or fewer pickups"
                )
            }
        }
    }
}

impl std::error::Error for RunError {}

impl From<Refusal> for RunError {
    fn from(refusal: Refusal) -> Self {
        RunError::Refused(refusal)
    }
}

impl From<SinkError> for RunError {
    fn from(error: SinkError) -> Self {
        RunError::Sink(error)
    }
}

/// Runs a plan and pushes its rows into sinks.
///
/// `progress` receives the number of steps done and of all steps, once a block. A run that violates its energy balance,
/// gains energy, diverges or becomes non-finite is an outcome that is not `ok`; its sinks are finished as those of any other run.
///
/// # Errors
/// The refusal of the scheme, before anything is written; a sound that does not fit into memory; the first sink that
/// cannot write. No file has then changed.
pub fn run(
    plan: &Plan,
    sinks: &mut [&mut dyn Sink],
    progress: &mut dyn FnMut(u64, u64),
) -> Result<Outcome, RunError> {
    let mut go_on = |done: u64, all: u64| {
        progress(done, all);
        true
    };
    drive(plan, sinks, BLOCK, &mut go_on)
}

/// Runs a plan as [`run`] does, without sinks, as long as `go_on` answers `true`: what a run takes is measured so. It
/// receives the number of steps done and of all steps, for the first time when the run is prepared.
///
/// # Errors
/// The refusal of the scheme; a sound that does not fit into memory.
pub fn rehearse(plan: &Plan, go_on: &mut dyn FnMut(u64, u64) -> bool) -> Result<(), RunError> {
    drive(plan, &mut [], TIMED_BLOCK, go_on).map(drop)
}

/// The loop, in blocks of so many rows at most.
fn drive(
    plan: &Plan,
    sinks: &mut [&mut dyn Sink],
    block_rows: u64,
    go_on: &mut dyn FnMut(u64, u64) -> bool,
) -> Result<Outcome, RunError> {
    let rate = plan.internal_rate();
    let mut stepper = plan.scheme.prepare(&plan.system, 1.0 / rate)?;
    sinks.iter_mut().try_for_each(|sink| sink.start(plan))?;
    let mut recorder = Recorder::new(plan).map_err(|_| RunError::Memory(forecast::sound(plan)))?;

    let (sample, steps) = (plan.oversampling as u64, plan.steps());
    let mut inputs = Inputs::new(plan, rate);
    let stored = stepper.reset(&inputs.values);
    let mut observer = Observer::new(plan, &mut stepper);
    // Blocks end where a sink or the observer reads the state.
    let wanted = sinks.iter().filter_map(|sink| sink.stride(plan)).reduce(common_divisor);
    let stride = wanted.into_iter().chain(observer.needs_samples().then_some(sample)).reduce(common_divisor);
    let channels = plan.pickups.len();
    let mut outputs =
        vec![0.0; stride.map_or(block_rows, |stride| stride.min(block_rows)) as usize * channels];
    let (mut q, mut v) = (vec![0.0; plan.system.size()], vec![0.0; plan.system.size()]);

    // Ledgers are complete at each sample, and where a sink reads the state.
    let full = stride.map_or(sample, |n| common_divisor(n, sample));
    let balance = stepper.balance();

    let mut audit = Audit::open(stored, balance);
    let mut ledgers = vec![Ledger { stored, ..Ledger::default() }];
    stepper.outputs(&mut outputs[..channels]);
    let (mut first, mut rows) = (0, 1);
    loop {
        let last = first + rows as u64 - 1;
        let at_sample = last.is_multiple_of(sample) && observer.needs_samples();
        if wanted.is_some() || at_sample && observer.needs_state(last / sample) {
            stepper.snapshot(&mut q, &mut v);
        }
        if at_sample {
            observer.observe(plan, &mut stepper, last / sample, &q, &v);
        }
        let (contacts, physical) =
            if at_sample { (&observer.now[..], observer.energy) } else { (&[][..], None) };
        let block = Block {
            first,
            rate,
            outputs: &outputs[..rows * channels],
            ledgers: &ledgers,
            q: &q,
            v: &v,
            contacts,
            physical,
        };
        recorder.push(block.outputs);
        sinks.iter_mut().try_for_each(|sink| sink.block(plan, &block))?;
        if !go_on(audit.steps, steps) || audit.fault.is_some() || audit.steps == steps {
            break;
        }
        first = audit.steps + 1;
        let to_stride = stride.map_or(block_rows, |stride| stride - audit.steps % stride);
        rows = to_stride.min(block_rows).min(steps - audit.steps) as usize;
        let input = inputs.advance(rows);
        ledgers.clear();
        let mut post = |ledger: &Ledger| {
            ledgers.push(*ledger);
            audit.post(ledger)
        };
        rows = run_block(
            &mut stepper,
            input,
            &mut outputs[..rows * channels],
            rows,
            &|n| bookkeeping(balance, full, first + n as u64),
            &mut post,
        );
    }

    let outcome = outcome(plan, audit, balance, recorder.finish(plan), observer);
    // Every sink is finished, also after one that cannot write.
    let finished: Vec<_> = sinks.iter_mut().map(|sink| sink.finish(plan, &outcome)).collect();
    let files = finished.into_iter().collect::<Result<Vec<_>, _>>()?;
    commit(files.into_iter().flatten().collect())?;
    Ok(outcome)
}

/// How much of the ledger the step to a row computes. An exact balance is checked in every step. A bounded one adds up
/// dissipated and supplied energy in every step and takes the stored energy in every `full`-th row, since that is all
/// that its tolerance can resolve.
pub fn bookkeeping(balance: Balance, full: u64, row: u64) -> Bookkeeping {
    match balance {
        Balance::Bounded if !row.is_multiple_of(full) => Bookkeeping::Flows,
        _ => Bookkeeping::Full,
    }
}

fn outcome(plan: &Plan, audit: Audit, balance: Balance, sound: Sound, observer: Observer) -> Outcome {
    let (contacts, physical) = observer.finish();
    let passivity = Passivity::new(&audit, physical.as_ref());
    let mut warnings = plan.warnings.clone();
    if audit.unconverged > 0 {
        warnings
            .push(format!("the iteration did not converge to rounding error in {} steps", audit.unconverged));
    }
    if audit.controls_outside > 0 {
        warnings.push(format!(
            "a control was outside the range of its law in {} steps; the nearest value inside was taken",
            audit.controls_outside
        ));
    }
    warnings.extend(passivity.warning(plan.energy_unit()));
    warnings.extend(sound.warnings());
    Outcome {
        balance,
        tolerance: audit.tolerance(plan.balance_bound),
        ok: audit.ok(plan.balance_bound) && passivity.holds(),
        passivity,
        audit,
        sound,
        contacts,
        physical,
        warnings,
    }
}

fn common_divisor(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { common_divisor(b, a % b) }
}

/// The values of the drives at the step ends of a block.
struct Inputs<'a> {
    plan: &'a Plan,
    rate: f64,
    /// The step at which `values` end.
    step: u64,
    /// All drives at one step end after the other.
    values: Vec<f64>,
}

impl<'a> Inputs<'a> {
    fn new(plan: &'a Plan, rate: f64) -> Self {
        let values = plan.drives.iter().map(|drive| drive.signal.value(0.0)).collect();
        Self { plan, rate, step: 0, values }
    }

    /// The values at both ends of the next `frames` steps: frames + 1 rows, the first where the first step begins.
    fn advance(&mut self, frames: usize) -> &[f64] {
        let count = self.plan.drives.len();
        self.values.drain(..self.values.len() - count);
        for _ in 0..frames {
            self.step += 1;
            let t = self.step as f64 / self.rate;
            self.values.extend(self.plan.drives.iter().map(|drive| drive.signal.value(t)));
        }
        &self.values
    }
}

//! The run loop: drive → step → ledger → sinks.
//!
//! Row n of everything is the state at tₙ = n/(sample rate · oversampling); row 0
//! is the start. Ledgers live for a block. The loop pushes blocks of rows, sinks listen; neither knows the
//! other's kind.

use crate::{
    outcome::Outcome,
    sink::{Block, Sink, SinkError},
    sound::{Listener, Sound},
    watch::{Physical, Watch},
};
use hamiltone_core::{
    audit::Audit,
    ledger::{Books, Ledger},
    scheme::{Balance, Refusal},
};
use hamiltone_scene::Plan;

/// What rigid contacts may give, of what was put in, before it is worth a word.
const FED: f64 = 1e-3;
/// Rows per block where no sink asks for states between them.
const BLOCK: u64 = 1024;

/// Why there is no outcome.
#[derive(Debug)]
pub enum RunError {
    /// The scheme does not run this system at this rate.
    Refused(Refusal),
    /// Something could not be written.
    Sink(SinkError),
    /// The sound does not fit into memory: so many bytes.
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
                    "there is no memory for a sound of {gigabytes:.1} GB; render a shorter duration or fewer pickups"
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

/// Runs a plan into sinks. A run that breaks its balance, diverges or turns non-finite
/// is an outcome that is not `ok`, and its sinks are finished like any other's.
///
/// # Errors
/// A refusal before anything is written, or the first sink that cannot write.
pub fn run(
    plan: &Plan,
    sinks: &mut [&mut dyn Sink],
    progress: &mut dyn FnMut(u64, u64),
) -> Result<Outcome, RunError> {
    let rate = plan.sample_rate * plan.oversampling as f64;
    let mut stepper = plan.scheme.prepare(&plan.system, 1.0 / rate)?;
    sinks.iter_mut().try_for_each(|sink| sink.start(plan))?;
    let mut listener = Listener::new(plan).map_err(|_| RunError::Memory(memory(plan)))?;

    let (sample, steps) = (plan.oversampling as u64, plan.frames as u64 * plan.oversampling as u64);
    let mut inputs = Inputs::new(plan, rate);
    let stored = stepper.reset(&inputs.values);
    let mut watch = Watch::new(plan, &mut *stepper);
    let wanted = sinks.iter().filter_map(|sink| sink.stride(plan)).reduce(common_divisor);
    let stride = wanted.into_iter().chain(watch.wants_samples().then_some(sample)).reduce(common_divisor);
    let (length, channels) = (stride.unwrap_or(BLOCK), plan.pickups.len());
    let mut outputs = vec![0.0; length as usize * channels];
    let (mut q, mut v) = (vec![0.0; plan.system.size()], vec![0.0; plan.system.size()]);

    // In full at each sample, and where a sink asks for the state.
    let full = stride.map_or(sample, |n| common_divisor(n, sample));
    let balance = stepper.balance();

    let mut audit = Audit::open(stored, stepper.balance());
    let mut ledgers = vec![Ledger { stored, ..Ledger::default() }];
    stepper.outputs(&mut outputs[..channels]);
    let (mut first, mut rows) = (0, 1);
    loop {
        let last = first + rows as u64 - 1;
        let at_sample = last.is_multiple_of(sample) && watch.wants_samples();
        if wanted.is_some() || at_sample && watch.wants_state(last / sample) {
            stepper.snapshot(&mut q, &mut v);
        }
        if at_sample {
            watch.look(plan, &mut *stepper, last / sample, &q, &v);
        }
        let (touched, physical) =
            if at_sample { (&watch.touched[..], watch.energy) } else { (&[][..], None) };
        let outputs_now = &outputs[..rows * channels];
        let block =
            Block { first, rate, outputs: outputs_now, ledgers: &ledgers, q: &q, v: &v, touched, physical };
        listener.hear(block.outputs);
        sinks.iter_mut().try_for_each(|sink| sink.block(plan, &block))?;
        progress(audit.steps, steps);
        if audit.fault.is_some() || audit.steps == steps {
            break;
        }
        first = audit.steps + 1;
        rows = length.min(steps - audit.steps) as usize;
        let input = inputs.advance(rows);
        ledgers.clear();
        let mut post = |ledger: &Ledger| {
            ledgers.push(*ledger);
            audit.post(ledger)
        };
        rows = stepper.run(
            input,
            &mut outputs[..rows * channels],
            rows,
            &|n| books(balance, full, first + n as u64),
            &mut post,
        );
    }

    let outcome = close(plan, audit, stepper.balance(), listener.sound(plan), watch);
    let finished: Vec<_> = sinks.iter_mut().map(|sink| sink.finish(plan, &outcome)).collect();
    finished.into_iter().collect::<Result<(), _>>()?;
    Ok(outcome)
}

/// How the step that leads to a row is booked. An exact balance is judged step by step; a bounded one sums its
/// losses and supply in every step, and takes the stored energy in every `full`-th row.
pub fn books(balance: Balance, full: u64, row: u64) -> Books {
    match balance {
        Balance::Bounded if !row.is_multiple_of(full) => Books::Flows,
        _ => Books::Kept,
    }
}

fn close(plan: &Plan, audit: Audit, balance: Balance, sound: Sound, watch: Watch) -> Outcome {
    let (contacts, physical) = watch.close();
    let mut warnings = plan.warnings.clone();
    if audit.missed > 0 {
        warnings.push(format!("the solver stopped above its rounding floor in {} steps", audit.missed));
    }
    warnings.extend(fed(plan, &audit, physical.as_ref()));
    warnings.extend(sound.warnings());
    Outcome {
        balance,
        tolerance: audit.tolerance(plan.balance_bound),
        ok: audit.ok(plan.balance_bound),
        audit,
        sound,
        contacts,
        physical,
        warnings,
    }
}

/// What contacts gave to a run that nothing else put in: an impulse is work, and modes near half a round a step hold
/// more than the books see.
fn fed(plan: &Plan, audit: &Audit, physical: Option<&Physical>) -> Vec<String> {
    let (unit, given) = (plan.energy_unit(), audit.energy_initial.abs() + audit.supplied.max(0.0));
    let mut fed = Vec::new();
    if audit.contact_work > FED * given {
        let work = audit.contact_work;
        fed.push(format!(
            "rigid contacts gave {work:.3e} {unit} in all, where {given:.3e} {unit} were put in"
        ));
    }
    if let Some(Physical { peak, initial, .. }) = physical
        && *peak > 2.0 * (initial + audit.supplied.max(0.0))
    {
        fed.push(format!(
            "the physical energy rose to {peak:.3e} {unit}, where {given:.3e} {unit} were put in: contacts feed modes that \
             the books hardly see; take fewer modes or a higher rate"
        ));
    }
    fed
}

/// The bytes of the sound while it is made.
fn memory(plan: &Plan) -> u128 {
    8 * plan.frames as u128 * plan.pickups.len() as u128
}

fn common_divisor(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { common_divisor(b, a % b) }
}

/// The drives' values at the step ends of a block.
struct Inputs<'a> {
    plan: &'a Plan,
    rate: f64,
    /// The step that `values` end at.
    step: u64,
    /// All drives at one step end after the other.
    values: Vec<f64>,
}

impl<'a> Inputs<'a> {
    fn new(plan: &'a Plan, rate: f64) -> Self {
        let values = plan.drives.iter().map(|drive| drive.signal.value(0.0)).collect();
        Self { plan, rate, step: 0, values }
    }

    /// The values at the ends of the next `frames` steps, those where the first begins in front.
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

//! The run loop: drive → step → ledger → sinks.
//!
//! Row n of everything is the state at tₙ = n/(sample rate · oversampling); row 0
//! is the initial condition. Ledgers are kept for one block. The loop pushes blocks of rows into the sinks and knows
//! neither their kinds nor that of the scheme.

use crate::{
    checkpoint::{Contents, Saver},
    commit::commit,
    drift,
    edges::Edges,
    forecast,
    inputs::Inputs,
    locate::locate,
    observe::Observer,
    options::Options,
    outcome::{Outcome, conclude},
    recorder::Recorder,
    sink::{Block, Sink, SinkError},
    sound::Sound,
    spool::Spool,
};
use hamiltone_core::{
    audit::{AUDIT_INTERVAL, Audit},
    claims::Balance,
    ledger::{Bookkeeping, Ledger},
    refusal::Refusal,
    saved::Saved,
    simulation::Simulation,
    state::Archive,
    stepper::Gaps,
};
use hamiltone_plan::Plan;
use std::{
    num::NonZeroU64,
    sync::atomic::{AtomicBool, Ordering},
};

/// The most rows per block: their ledgers stay in the nearest caches.
pub const BLOCK: u64 = 256;
/// The same where a run is timed, so that it can end soon.
pub const TIMED_BLOCK: u64 = 64;
/// After how many steps it is asked again whether nothing acts, and the fewest that are then taken at a time.
const ASKED: usize = 8;
/// The most samples that a rehearsal keeps.
const REHEARSED: u64 = 1 << 20;

/// Why a run has no outcome.
#[derive(Debug)]
pub enum RunError {
    /// The scheme does not run this system at this rate.
    Refused(Refusal),
    /// A file could not be written.
    Sink(SinkError),
    /// The run cannot continue from a checkpoint: the file of it that is missing, damaged or of another run.
    Resume(SinkError),
    /// The sound does not fit into memory; its size in bytes.
    Memory(u128),
    /// It was stopped, and nothing of it was to be kept but its checkpoint.
    Stopped,
}

impl std::fmt::Display for RunError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            RunError::Refused(refusal) => refusal.fmt(f),
            RunError::Sink(error) => error.fmt(f),
            RunError::Resume(error) => error.read().fmt(f),
            RunError::Memory(bytes) => {
                let gigabytes = *bytes as f64 / 1e9;
                write!(
                    f,
                    "not enough memory for a sound of {gigabytes:.1} GB; render a shorter duration or fewer pickups, or \
                     keep the samples in a file"
                )
            }
            RunError::Stopped => write!(f, "the run was stopped"),
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

/// Runs a plan and pushes its rows into sinks; the samples of the sound are in memory ([`crate::Sound::channel`]).
///
/// `progress` receives the number of steps done and of all steps, when the run begins and once a block. A run that violates
/// its energy balance, gains energy, diverges or becomes non-finite is an outcome that is not `ok`; its sinks are finished as
/// those of any other run.
///
/// # Errors
/// The refusal of the scheme, before anything is written; a sound that does not fit into memory; the first sink that
/// cannot write. No file has then changed.
pub fn run(
    plan: &Plan,
    sinks: &mut [&mut dyn Sink],
    progress: &mut dyn FnMut(u64, u64),
) -> Result<Outcome, RunError> {
    run_with(plan, sinks, progress, Options::default())
}

/// The same with its samples on disk, with checkpoints, or until it is stopped: see [`Options`].
///
/// # Errors
/// Those of [`run`]; [`RunError::Stopped`]; and a checkpoint that cannot be written or does not belong to this run. After
/// an error the checkpoint stays.
pub fn run_with(
    plan: &Plan,
    sinks: &mut [&mut dyn Sink],
    progress: &mut dyn FnMut(u64, u64),
    options: Options<'_>,
) -> Result<Outcome, RunError> {
    let stepper = match options.prepared {
        Some(prepared) => prepared.simulation(plan)?,
        None => plan.scheme.prepare(&plan.system, 1.0 / plan.internal_rate())?,
    };
    let spool = options.spool();
    let resumes = options.checkpoint.as_ref().is_some_and(|checkpoint| checkpoint.resume);
    let saver = options.checkpoint.map(|checkpoint| Saver::open(checkpoint, plan)).transpose();
    let saver = saver.map_err(if resumes { RunError::Resume } else { RunError::Sink })?;
    let (mut saver, contents) = saver.map_or((None, None), |(saver, contents)| (Some(saver), contents));
    sinks.iter_mut().try_for_each(|sink| sink.start(plan))?;
    let mut recorder = Recorder::new(plan, spool);
    recorder.reserve().map_err(|_| RunError::Memory(forecast::sound(plan)))?;
    let mut running = Running::new(plan, sinks, stepper, recorder);
    running.audited = options.audit_every.map_or(AUDIT_INTERVAL, NonZeroU64::get);
    // From here on there is something to keep.
    progress(0, plan.steps());
    match (&mut saver, contents) {
        (Some(saver), Some(contents)) => {
            running.restore(&contents, saver, sinks).map_err(RunError::Resume)?;
            saver.continue_at(running.audit.steps);
        }
        // The files of this run are created after its first checkpoint, which knows that they are empty.
        (Some(saver), None) => running.save(saver, sinks)?,
        (None, _) => {}
    }

    let never = AtomicBool::new(false);
    let stop = options.stop.unwrap_or(&never);
    if !running.begun {
        running.begin(sinks)?;
    }
    let mut stopped = stop.load(Ordering::Relaxed);
    while !running.is_over() && !stopped {
        let rows = running.advance(stop);
        running.post(rows, sinks)?;
        progress(running.audit.steps, plan.steps());
        stopped = stop.load(Ordering::Relaxed);
        if let Some(saver) = saver.as_mut().filter(|_| !running.is_over())
            && (stopped || saver.is_due(running.audit.steps))
        {
            running.save(saver, sinks)?;
        }
    }
    let interrupted = stopped && !running.is_over();
    if interrupted && !options.keep_partial {
        return Err(RunError::Stopped);
    }
    running.close();
    let go_on = || !stop.load(Ordering::Relaxed);
    locate(plan, running.start, (&mut running.audit, plan.balance_bound, running.audited), &go_on);
    let drifts = drift::of(plan, &mut running.stepper);
    let Running { audit, balance, first_work, recorder, observer, .. } = running;
    let sound = recorder.finish(plan)?;
    let edges = Edges::of(&sound)?;
    let outcome = conclude(plan, interrupted, (audit, first_work), balance, (sound, edges, drifts), observer);
    // Every sink is finished, also after one that cannot write.
    let finished: Vec<_> = sinks.iter_mut().map(|sink| sink.finish(plan, &outcome)).collect();
    let files = finished.into_iter().collect::<Result<Vec<_>, _>>()?;
    commit(files.into_iter().flatten().collect())?;
    saver.iter().filter(|_| !interrupted).for_each(Saver::remove);
    Ok(outcome)
}

/// How far a rehearsal is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rehearsed {
    /// The steps that are done.
    pub done: u64,
    /// All steps of the run.
    pub all: u64,
    /// Whether a contact was closed in any of them.
    pub touched: bool,
}

/// Runs a plan as [`run`] does, without sinks, as long as `go_on` answers `true`: what a run takes is measured so. It is asked
/// for the first time when the run is prepared, then after the first step, after two more, after four more and so on. When it has
/// answered `false`, the sound so far is made of the first million samples.
///
/// # Errors
/// The refusal of the scheme.
pub fn rehearse(plan: &Plan, go_on: &mut dyn FnMut(Rehearsed) -> bool) -> Result<Sound, RunError> {
    let stepper = plan.scheme.prepare(&plan.system, 1.0 / plan.internal_rate())?;
    let recorder = Recorder::new(plan, Spool::in_memory()).limited(REHEARSED);
    let mut running = Running::new(plan, &[], stepper, recorder);
    let block = running.block.min(TIMED_BLOCK);
    // A single step may take seconds.
    running.block = 1;
    running.begin(&mut [])?;
    let never = AtomicBool::new(false);
    let so_far = |running: &Running<'_>| Rehearsed {
        done: running.audit.steps,
        all: plan.steps(),
        touched: running.observer.has_touched(),
    };
    while go_on(so_far(&running)) && !running.is_over() {
        let rows = running.advance(&never);
        running.post(rows, &mut [])?;
        running.block = (2 * running.block).min(block);
    }
    let sound = running.recorder.finish(plan)?;
    Edges::of(&sound)?;
    Ok(sound)
}

/// A run that goes on.
struct Running<'a> {
    plan: &'a Plan,
    stepper: Simulation,
    /// As it begins.
    start: Simulation,
    inputs: Inputs<'a>,
    observer: Observer,
    recorder: Recorder,
    balance: Balance,
    audit: Audit,
    /// What forces did before the first step, J.
    first_work: f64,
    /// Whether row 0 was pushed.
    begun: bool,
    /// The most rows of a block.
    block: u64,
    /// Every how many steps blocks end.
    stride: Option<u64>,
    /// Every how many steps there is anything to observe.
    observed: Option<u64>,
    /// Every how many steps there is an audit point, and a sink reads the stored energy.
    audited: u64,
    read: Option<u64>,
    /// Whether sinks read the state.
    states_wanted: bool,
    /// The rows of a block.
    ledgers: Vec<Ledger>,
    outputs: Vec<f64>,
    /// What each of many steps in which nothing acts dissipates, J.
    dissipated: Vec<f64>,
    q: Vec<f64>,
    v: Vec<f64>,
}

impl<'a> Running<'a> {
    /// A run at row 0.
    fn new(plan: &'a Plan, sinks: &[&mut dyn Sink], mut stepper: Simulation, recorder: Recorder) -> Self {
        let inputs = Inputs::new(plan, plan.internal_rate());
        let (stored, first_work) = stepper.reset_with_work(inputs.values());
        let each = sinks.iter().any(|sink| sink.wants_each_gap());
        let observer = Observer::new(plan, &mut stepper, if each { Gaps::Since } else { Gaps::SoFar });
        // Blocks end where a sink reads the state or what is observed.
        let wanted = sinks.iter().filter_map(|sink| sink.stride(plan)).reduce(common_divisor);
        let observed = observer.stride(plan.oversampling as u64);
        let followed = wanted.and(observed);
        let stride = wanted.into_iter().chain(followed).reduce(common_divisor);
        let channels = plan.pickups.len();
        let block = stride.map_or(BLOCK, |stride| stride.min(BLOCK));
        let mut outputs = vec![0.0; block as usize * channels];
        stepper.outputs(&mut outputs[..channels]);
        let balance = stepper.balance();
        Self {
            plan,
            start: stepper.clone(),
            inputs,
            observer,
            recorder,
            balance,
            audit: Audit::open(stored, balance),
            first_work,
            begun: false,
            block,
            stride,
            observed,
            audited: AUDIT_INTERVAL,
            read: sinks.iter().filter_map(|sink| sink.energies(plan)).reduce(common_divisor),
            states_wanted: wanted.is_some(),
            ledgers: vec![Ledger { stored, ..Ledger::default() }],
            outputs,
            dissipated: vec![0.0; block as usize],
            q: vec![0.0; plan.system.size()],
            v: vec![0.0; plan.system.size()],
            stepper,
        }
    }

    /// Whether there is no further step.
    fn is_over(&self) -> bool {
        self.audit.fault.is_some() || self.audit.steps == self.plan.steps()
    }

    /// Takes the steps of the next block and returns their number.
    fn advance(&mut self, stop: &AtomicBool) -> usize {
        let done = self.audit.steps;
        let to_stride = self.stride.map_or(self.block, |stride| stride - done % stride);
        let rows = to_stride.min(self.block).min(self.plan.steps() - done) as usize;
        self.inputs.advance(done, rows);
        self.ledgers.clear();
        // From this step of the block on it is asked again whether nothing acts: asking costs a part of a small step.
        let mut asks = 0;
        while self.ledgers.len() < rows {
            let n = self.ledgers.len();
            let is_asked = n >= asks;
            if !(is_asked && self.take_free_steps(n, rows)) {
                asks = if is_asked { n + ASKED } else { asks };
                self.take_step(n);
            }
            if self.audit.fault.is_some() || stop.load(Ordering::Relaxed) {
                break;
            }
        }
        self.ledgers.len()
    }

    /// Whether an audit point or a sink reads the energy stored after step `row`.
    fn is_read_at(&self, row: u64) -> bool {
        row.is_multiple_of(self.audited) || self.read.is_some_and(|every| row.is_multiple_of(every))
    }

    /// Takes step n of the block.
    fn take_step(&mut self, n: usize) {
        let (drives, channels) = (self.plan.drives.len(), self.plan.pickups.len());
        let row = self.audit.steps + 1;
        let input = &self.inputs.values()[n * drives..(n + 2) * drives];
        let bookkeeping = if self.is_read_at(row) { Bookkeeping::Full } else { Bookkeeping::Flows };
        let ledger = self.stepper.step(input, bookkeeping);
        self.stepper.outputs(&mut self.outputs[n * channels..(n + 1) * channels]);
        // What a sink reads is for the sink: a verdict does not depend on the files that are written.
        self.audit.post(&Ledger { partial: !row.is_multiple_of(self.audited), ..ledger });
        self.ledgers.push(ledger);
        if self.observed.is_some_and(|every| row.is_multiple_of(every)) {
            self.observer.observe(self.plan, &mut self.stepper, row);
        }
    }

    /// Takes as many steps from step n of the block on as nothing acts in, to its last one of `rows` at most; `false` where it takes none.
    fn take_free_steps(&mut self, n: usize, rows: usize) -> bool {
        let (first, channels) = (self.audit.steps, self.plan.pickups.len());
        let most = self.free_steps_allowed(n, rows);
        if most < ASKED {
            return false;
        }
        let sound = &mut self.outputs[n * channels..(n + most) * channels];
        let taken = self.stepper.free_steps(&mut self.dissipated[..most], sound);
        if taken == 0 {
            return false;
        }
        let row = first + taken as u64;
        let stored = self.is_read_at(row).then(|| self.stepper.energy());
        let losses = &self.dissipated[..taken];
        let entered = self.audit.post_free(losses, stored.filter(|_| row.is_multiple_of(self.audited)));
        let ledgers = Ledger::of_losses(losses, stored).take(entered);
        self.ledgers.extend(ledgers);
        if self.observed.is_some_and(|every| row / every > first / every) {
            // Fewer steps than asked for may end between two samples.
            self.observer.pass_apart();
            self.observer.observe(self.plan, &mut self.stepper, row);
        }
        true
    }

    /// How many steps from step n of a block of `rows` on may be taken together: to where something is read, while inputs stay what they are.
    fn free_steps_allowed(&self, n: usize, rows: usize) -> usize {
        let (first, drives) = (self.audit.steps, self.plan.drives.len());
        let calm = self.observer.stride_where_free(self.observed.unwrap_or(u64::MAX));
        let strides = [Some(self.audited), self.read, calm].into_iter().flatten();
        let until = strides.map(|stride| (stride - first % stride) as usize).fold(rows - n, usize::min);
        let values = &self.inputs.values()[n * drives..];
        let steady = (1..=until).take_while(|k| values[k * drives..][..drives] == values[..drives]).count();
        match self.observed {
            // Samples that are observed are where it begins and ends: in between nothing is in contact.
            Some(every) if first.is_multiple_of(every) => (steady as u64 / every * every) as usize,
            Some(_) => 0,
            None => steady,
        }
    }

    /// Draws the balance up to the last step that was taken.
    fn close(&mut self) {
        self.audit.settle(self.stepper.energy());
        self.observer.close(&mut self.stepper, self.audit.steps);
    }

    /// Pushes row 0.
    fn begin(&mut self, sinks: &mut [&mut dyn Sink]) -> Result<(), SinkError> {
        self.observer.observe(self.plan, &mut self.stepper, 0);
        self.post(1, sinks)
    }

    /// Pushes as many rows, the last that there are, into the sound and the sinks.
    fn post(&mut self, rows: usize, sinks: &mut [&mut dyn Sink]) -> Result<(), SinkError> {
        let (plan, last) = (self.plan, self.audit.steps);
        let at_sample = last.is_multiple_of(plan.oversampling as u64);
        if self.states_wanted {
            self.stepper.snapshot(&mut self.q, &mut self.v);
        }
        let (contacts, physical) =
            if at_sample { (&self.observer.now[..], self.observer.energy) } else { (&[][..], None) };
        let block = Block {
            first: last + 1 - rows as u64,
            rate: plan.internal_rate(),
            outputs: &self.outputs[..rows * plan.pickups.len()],
            ledgers: &self.ledgers,
            q: &self.q,
            v: &self.v,
            contacts,
            physical,
        };
        self.recorder.push(block.outputs)?;
        self.begun = true;
        sinks.iter_mut().try_for_each(|sink| sink.block(plan, &block))
    }

    /// Goes through the numbers of the run, to write them into a checkpoint or to take them over.
    fn archive(&mut self, archive: &mut Archive) -> Result<(), SinkError> {
        archive.flag(&mut self.begun);
        self.audit.archive(archive);
        self.observer.archive(archive, &mut self.stepper);
        self.recorder.archive(archive)
    }

    /// Saves a checkpoint. The files of the sinks are written to the disk first.
    fn save(&mut self, saver: &mut Saver, sinks: &mut [&mut dyn Sink]) -> Result<(), SinkError> {
        let mut sections = vec![Vec::new(); 1 + sinks.len()];
        let (own, others) = sections.split_at_mut(1);
        self.archive(&mut Archive::Write(&mut own[0]))?;
        for (sink, numbers) in sinks.iter_mut().zip(others) {
            sink.archive(&mut Archive::Write(numbers))?;
        }
        saver.save(self.audit.steps, self.stepper.save().to_bytes(), sections)
    }

    /// Continues from a checkpoint.
    fn restore(
        &mut self,
        contents: &Contents,
        saver: &Saver,
        sinks: &mut [&mut dyn Sink],
    ) -> Result<(), SinkError> {
        let saved = Saved::from_bytes(&contents.state).and_then(|saved| self.stepper.restore(&saved));
        saved.map_err(|mismatch| saver.refuse(mismatch.to_string()))?;
        let other = || saver.refuse("it is a checkpoint of a run with other outputs");
        let (own, others) = contents.sections.split_first().ok_or_else(other)?;
        let mut own = Archive::Read(own);
        self.archive(&mut own)?;
        if others.len() != sinks.len() || !own.is_read() {
            return Err(other());
        }
        let (begun, steps) = (u64::from(self.begun), self.audit.steps);
        if steps > begun * self.plan.steps() || !self.recorder.fits(steps + begun) {
            return Err(saver.refuse("it is damaged: its numbers contradict each other"));
        }
        for (sink, numbers) in sinks.iter_mut().zip(others) {
            let mut archive = Archive::Read(numbers);
            sink.archive(&mut archive)?;
            if !archive.is_read() {
                return Err(other());
            }
        }
        self.inputs.go_to(self.audit.steps);
        Ok(())
    }
}

fn common_divisor(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { common_divisor(b, a % b) }
}

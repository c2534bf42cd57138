//! A performance from its beginning to its end.

use crate::{
    arguments::Arguments,
    controls::Controls,
    device::{self, Output},
    failure::{self, Failure},
    instrument,
    keys::{self, Keys},
    loan::Loan,
    meter::Meter,
    midi::{self, Inputs},
    processor::{FADE, Processor},
    queue::Sender,
    recorder::Recorder,
    status::{INTERVAL, Status},
    tally::Tally,
};
use hamiltone_play::{
    Engine,
    recording::{self, Balance},
};
use hamiltone_scene::document::problem::{printable, printable_path};
use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering::Relaxed},
        mpsc::Receiver,
    },
    thread,
    time::{Duration, Instant},
};

/// How long a device may take to let go of the engine.
const PATIENCE: Duration = Duration::from_secs(5);
/// How soon an end is noticed.
const TICK: Duration = Duration::from_millis(20);

/// Whether the performance is to end: by Ctrl-C and the like.
static STOP: AtomicBool = AtomicBool::new(false);

/// Plays what the command line asks for; the exit code.
///
/// # Errors
/// Invalid input, and devices or files that fail.
pub fn run(arguments: &Arguments) -> Result<u8, Failure> {
    let Some(named) = arguments.instrument.as_deref().filter(|_| !arguments.list_devices) else {
        list();
        return Ok(failure::OK);
    };
    let path = instrument::find(named)?;
    if arguments.keys {
        keys::check()?;
    }
    let output = Output::open(arguments)?;
    let plan = instrument::plan(&path, arguments, f64::from(output.rate))?;
    let mut engine = Engine::new(&plan).map_err(|error| Failure::input(error.to_string()))?;
    engine.set_budget(arguments.budget.map(|parts| parts as usize));
    let begin = Instant::now();
    let meter = Arc::new(Meter::new(engine.islands().len()));
    let (sender, actions) = Sender::new(begin, meter.clone());
    let started =
        arguments.record.as_deref().map(|path| Recorder::start(path, &plan, &engine)).transpose()?;
    let (recorder, recording) = started.unzip();
    let controls = Arc::new(Controls::new(&plan.parameters, &arguments.control)?);
    let inputs = inputs(arguments, &sender, &controls)?;
    let parts = engine.islands().iter().map(|island| island.name().to_string()).collect();
    let block = output.block.unwrap_or(arguments.block);
    let rate = engine.rate();
    let delay = (block as usize + engine.delay()) as f64 / rate;
    let processor =
        Processor::new(engine, (output.channels, block as usize), actions, recording, meter.clone());
    // Where no handler can be installed, it ends without a summary.
    let _ = ctrlc::set_handler(|| STOP.store(true, Relaxed));
    let (loan, back) = Loan::new(processor, begin);
    let playing = output.play(loan, block, &meter)?;
    introduce(&plan.plan.title, &output, playing.block().or(output.block), &inputs, arguments.keys);
    let mut keys =
        arguments.keys.then(|| Keys::open(&plan.parameters, sender, controls.clone())).transpose()?;
    let mut status = Status::new(parts, delay);
    let end = arguments.seconds.map(|seconds| Instant::now() + Duration::from_secs_f64(seconds));
    let waits = |until: Instant| {
        let until = end.map_or(until, |end| end.min(until));
        until.saturating_duration_since(Instant::now())
    };
    let goes_on = || !STOP.load(Relaxed) && !meter.has_failed() && end.is_none_or(|end| Instant::now() < end);
    let mut next = Instant::now() + INTERVAL;
    while goes_on() {
        let time = waits(next).min(TICK);
        match &mut keys {
            Some(keys) => {
                if !keys.play(time) {
                    break;
                }
            }
            None => thread::sleep(time),
        }
        if Instant::now() >= next {
            status.show(&meter, &keys.as_ref().map(Keys::setting).unwrap_or_default());
            next += INTERVAL;
        }
    }
    // What sounds fades before the device stops.
    meter.end();
    thread::sleep(Duration::from_secs_f64(FADE + delay + meter.delay()));
    status.clear();
    drop((keys, inputs, playing));
    let (engine, tally) = returned(&back)?;
    let code = conclude(&engine, &tally, &meter, begin.elapsed());
    controls.lines().iter().for_each(|line| println!("  controller {}", printable(line)));
    if let Some(recorder) = recorder {
        let files = recorder.write(&plan, (&engine, &tally), arguments, &meter)?;
        println!("  wrote      {}", files.iter().map(printable_path).collect::<Vec<_>>().join(", "));
    }
    trouble(&meter)?;
    Ok(code)
}

/// The engine, when the device has let go of it.
fn returned(back: &Receiver<Box<Processor>>) -> Result<(Engine, Tally), Failure> {
    let processor = back.recv_timeout(PATIENCE);
    let lost = |_| {
        Failure::Trouble("the sound device did not stop within 5 s: the energy balance is not known".into())
    };
    processor.map(|processor| processor.finish()).map_err(lost)
}

/// What failed though the balance may hold.
fn trouble(meter: &Meter) -> Result<(), Failure> {
    let unrecorded = meter.unrecorded();
    if meter.has_failed() {
        return Err(Failure::Trouble("the sound device has failed: is it still connected?".into()));
    }
    if unrecorded > 0 {
        return Err(Failure::Trouble(format!(
            "the recording lacks {unrecorded} samples: the disk was too slow; record to another one"
        )));
    }
    Ok(())
}

/// Prints sound devices and MIDI inputs with their numbers.
fn list() {
    let print = |what: &str, names: Result<Vec<String>, Failure>| {
        println!("{what}:");
        match names {
            Ok(names) if names.is_empty() => println!("  none"),
            Ok(names) => {
                (1..).zip(names).for_each(|(number, name)| println!("  {number}  {}", printable(&name)))
            }
            Err(failure) => _ = failure.show(),
        }
    };
    let names = |devices: Vec<(String, _)>| devices.into_iter().map(|(name, _)| name).collect();
    print("sound devices (--device)", device::all().map(names));
    let names = |inputs: Vec<(String, _)>| inputs.into_iter().map(|(name, _)| name).collect();
    print("MIDI inputs (--midi)", midi::all().map(names));
}

/// The MIDI inputs; none where the system has none and none is asked for.
fn inputs(arguments: &Arguments, sender: &Sender, controls: &Arc<Controls>) -> Result<Inputs, Failure> {
    match midi::open(arguments, sender, controls) {
        Err(Failure::Trouble(why)) if arguments.midi.is_none() => {
            eprintln!("warning: {}; without it", printable(&why));
            Ok(Inputs::default())
        }
        opened => opened,
    }
}

/// Prints what was obtained.
fn introduce(title: &str, output: &Output, block: Option<u32>, inputs: &Inputs, has_keys: bool) {
    let block = block.map_or("blocks of its own size".into(), |block| format!("blocks of {block} samples"));
    let (name, channels) = (printable(&output.name), output.channels);
    println!("{}", printable(title));
    println!("  device     {name}: {} Hz, {channels} channels, {block}", output.rate);
    match inputs.names.is_empty() {
        true if has_keys => println!("  MIDI       no input is open"),
        true => println!("  MIDI       no input is open; --keys plays on this keyboard"),
        false => println!("  MIDI       {}", printable(&inputs.names.join(", "))),
    }
}

/// Prints what was played and the verdict; the exit code.
fn conclude(engine: &Engine, tally: &Tally, meter: &Meter, elapsed: Duration) -> u8 {
    let (balance, load) = (Balance::of([engine]), meter.load_of_all());
    let seconds = engine.now();
    println!(
        "  played     {} notes in {seconds:.1} s of {:.1} s at {} Hz",
        tally.notes(),
        elapsed.as_secs_f64(),
        engine.rate()
    );
    println!(
        "  load       {:.1} % on average, {:.0} % in the longest block",
        100.0 * load.mean,
        100.0 * load.worst
    );
    println!("  gaps       {} late blocks, {} xruns", meter.late(), meter.xruns());
    println!(
        "  energy     supplied {:.4e} J, dissipated {:.4e} J (of which {:.1e} J were put to rest), left {:.1e} J",
        balance.supplied, balance.dissipated, balance.slept, balance.stored
    );
    println!(
        "  balance    exact: largest relative energy residual {:.2e} (tolerance {:.2e}): {}",
        balance.residual.0,
        balance.residual.1,
        if balance.ok { "ok" } else { "FAILED" }
    );
    if meter.lost_actions() > 0 {
        eprintln!(
            "warning: {} actions came faster than they could be played; keys were released",
            meter.lost_actions()
        );
    }
    match recording::trouble(engine) {
        Some(trouble) => {
            eprintln!("error: the performance failed: {}", printable(&trouble));
            failure::FAILED
        }
        None => failure::OK,
    }
}

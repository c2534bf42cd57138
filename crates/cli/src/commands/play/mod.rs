//! `hamiltone play`: plays an instrument or an ensemble from a MIDI file or a score into a sound, with the energy audit of the whole performance.

mod arguments;
mod checkpoint;
mod ensemble;
mod files;
mod music;

pub use arguments::PlayArguments;

use crate::{
    commands::render::summary,
    exit,
    failure::Failure,
    interrupt,
    numbers::two_digits,
    output::{say, tell},
    progress::{self, SHOWN_AFTER},
};
use files::PlayFiles;
use hamiltone_plan::instrument::InstrumentPlan;
use hamiltone_play::{
    Engine,
    offline::{Performer, Played},
    recording::{self, Balance},
};
use hamiltone_render::{Ending, SinkError, Sound, checkpoint::Saver, mix::Bus};
use hamiltone_scene::{
    Limits, Scene, Set,
    instrument::{Instrument, Tuning},
};
use hamiltone_study::threads;
use std::{path::Path, sync::atomic::Ordering, time::Instant};

/// Plays a song and prints a summary.
///
/// # Errors
/// Invalid input, or a file that cannot be written.
pub fn run(arguments: &PlayArguments, limits: &Limits, threads: Option<usize>) -> Result<u8, Failure> {
    let begin = Instant::now();
    let music = music::read(arguments, limits)?;
    let scene = Scene::open_within(&arguments.instrument, &arguments.set, limits.clone())?;
    if scene.is_ensemble() {
        return ensemble::run(arguments, scene.try_into()?, &music, limits, threads);
    }
    let mut plan = prepare(&arguments.instrument, &arguments.set, arguments, limits)?;
    let mut engine = engine(&plan)?;
    // The most that it can have: what is needed is known before.
    plan.plan.frames = ((music.performance.duration() + arguments.tail) * engine.rate()).ceil() as usize;
    let mut files = PlayFiles::new(arguments, &plan.plan, music.inputs(), limits)?;
    let prepared = begin.elapsed().as_secs_f64();
    let bar = progress::bar(arguments.quiet, "s");
    let pool = threads::start(threads)?;
    let mut samples = files.spool();
    let mut performer = {
        let tail = (arguments.tail, plan.plan.output.fade);
        Performer::new(&mut engine, &music.performance, tail, &mut samples)
    };
    let mut saver = checkpoint::open(arguments, &plan.plan, &music.sha256, &mut performer)?;
    let mut each = |done: f64| {
        if begin.elapsed() > SHOWN_AFTER {
            bar.set_length(music.performance.duration().ceil() as u64);
            bar.set_position(done as u64);
        }
    };
    let complete = pool.install(|| perform(&mut performer, &mut saver, &mut each));
    bar.finish_and_clear();
    if !complete.map_err(|error| Failure::Other(error.to_string()))? {
        if let Some(path) = &arguments.checkpoint {
            tell!("interrupted; to continue, add --resume: the checkpoint is `{}`", path.display());
        }
        return Ok(exit::signalled(interrupt::signal()));
    }
    let played = performer.played();
    if let Err(none) = check_notes(&played) {
        saver.iter().for_each(Saver::remove);
        return Err(none);
    }
    let balance = Balance::of([&engine]);
    let trouble = recording::trouble(&engine);
    let ending = if trouble.is_none() { Ending::Good } else { Ending::Failed };
    let sound = recording::sound(&engine, &played, samples);
    let audit = recording::audit(&plan, &engine, &played, &music.sha256, &checkpoint::options(arguments));
    files.write(&sound, plan.plan.output.format, &audit, ending)?;
    saver.iter().for_each(Saver::remove);
    if !arguments.quiet {
        let seconds = begin.elapsed().as_secs_f64();
        say!("{}", plan.plan.title);
        print(&sound, engine.islands().len(), &played, &balance, (prepared, seconds - prepared));
        sound.mix.buses.iter().for_each(|bus| say!("  sound      {}", summary::bus_line(bus)));
        say!("  wrote      {}", files.names(ending).join(", "));
    }
    several_parts(&music.performance);
    warnings(&music.performance, &plan.plan.warnings, &played);
    let lower = |level: f64| format!("add --set output.level=\"reference {level} dB\", or more");
    sound.mix.buses.iter().for_each(|bus| too_loud(bus, lower));
    if let Some(trouble) = trouble {
        tell!("error: the performance failed: {trouble}");
        return Ok(exit::FAILED);
    }
    Ok(exit::OK)
}

/// The plan of an instrument in a file, with `sets` and what else the command line asks for.
fn prepare(
    path: &Path,
    sets: &[Set],
    arguments: &PlayArguments,
    limits: &Limits,
) -> Result<InstrumentPlan, Failure> {
    let format = arguments.format.as_ref().map(|format| Set::option("output.format", "--format", format));
    let sets: Vec<Set> = sets.iter().cloned().chain(format).collect();
    let instrument = Instrument::open(path, &sets, limits.clone())?;
    let tuning = music::tuning(arguments, limits)?;
    let frequency = tuning.map(|tuning| move |key: f64| tuning.at(key).unwrap_or(f64::NAN));
    let mut plan = progress::waiting(arguments.quiet, progress::PREPARING_INSTRUMENT, || {
        instrument.plan(f64::from(arguments.rate), frequency.as_ref().map(|of| of as &Tuning<'_>))
    })?;
    if let Some(curve) = &arguments.velocity_curve {
        plan.velocity_curve = curve.clone();
    }
    if let Some(curve) = &arguments.pedal_curve {
        plan.pedal_curve = curve.clone();
    }
    Ok(plan)
}

/// The instrument of a plan, at rest.
fn engine(plan: &InstrumentPlan) -> Result<Engine, Failure> {
    let engine = Engine::new(plan).map_err(|error| Failure::Other(error.to_string()))?;
    Ok(engine.on_all_cores())
}

/// Refuses a song of which the instrument has no note.
fn check_notes(played: &Played) -> Result<(), Failure> {
    let missing: u64 = played.missing.iter().map(|(_, count)| count).sum();
    match played.missing.first() {
        Some((first, _)) if played.notes == 0 => Err(Failure::Other(format!(
            "the instrument has none of the {missing} notes of the song, from {} on; transpose it, or choose another instrument",
            music::note(*first)
        ))),
        _ => Ok(()),
    }
}

/// Plays until the end; `false` where it was interrupted, its state being saved where a checkpoint is asked for.
fn perform(
    performer: &mut Performer<'_>,
    saver: &mut Option<Saver>,
    each: &mut (dyn FnMut(f64) + Send),
) -> Result<bool, SinkError> {
    while performer.advance()? {
        each(performer.now());
        let stopped = interrupt::stop().load(Ordering::SeqCst);
        if let Some(saver) = saver
            && (stopped || saver.is_due(performer.frames()))
        {
            let (state, sections) = performer.save()?;
            saver.save(performer.frames(), state, sections)?;
        }
        if stopped {
            return Ok(false);
        }
    }
    Ok(true)
}

fn print(sound: &Sound, parts: usize, played: &Played, balance: &Balance, (prepared, seconds): (f64, f64)) {
    let duration = played.frames as f64 / sound.rate;
    say!("  played     {} notes in {duration:.1} s at {} Hz", played.notes, sound.rate);
    say!("  parts      {parts}, {} steps of all together", balance.steps);
    say!(
        "  energy     supplied {:.4e} J, dissipated {:.4e} J (of which {:.1e} J were put to rest), left {:.1e} J",
        balance.supplied,
        balance.dissipated,
        balance.slept,
        balance.stored
    );
    if balance.contact_work != 0.0 {
        say!("  contacts   rigid ones took {:.4e} J", -balance.contact_work);
    }
    say!(
        "  balance    exact: largest relative energy residual {:.2e} (tolerance {:.2e}): {}",
        balance.residual.0,
        balance.residual.1,
        if balance.ok { "ok" } else { "FAILED" }
    );
    let end = if played.end.is_finite() {
        format!("{:.0} dB below the peak", -played.end)
    } else {
        "silence".into()
    };
    say!("  end        {end}");
    say!(
        "  speed      {} times real time ({} s, and {} s to prepare)",
        two_digits(duration / seconds),
        two_digits(seconds),
        two_digits(prepared)
    );
}

fn warn(warning: &str) {
    tell!("warning: {warning}");
}

/// Tells of a song of several parts that one instrument plays.
fn several_parts(performance: &hamiltone_play::Performance) {
    let parts = performance.parts();
    if parts.len() > 1 {
        warn(&format!(
            "the song has the parts {}: all are played on this instrument, which has one set of pedals, controllers and programs; choose one by --part, or let an ensemble play: see docs/midi.md",
            music::numbers(parts)
        ));
    }
}

/// What the user should know of what was played.
fn warnings(performance: &hamiltone_play::Performance, instruments: &[String], played: &Played) {
    instruments.iter().chain(performance.warnings()).for_each(|warning| warn(warning));
    if played.notes == 0 {
        warn("the song has no notes");
    }
    if played.cut {
        warn(&format!(
            "the sound is faded out {:.0} dB below its peak, before it has decayed; allow it a longer tail, such as --tail 120",
            -played.end
        ));
    }
    let missing: u64 = played.missing.iter().map(|(_, count)| count).sum();
    if missing > 0 {
        let times = |count: u64| if count > 1 { format!(" ×{count}") } else { String::new() };
        let key = |(key, count): &(u8, u64)| music::note(*key) + &times(*count);
        let keys: Vec<String> = played.missing.iter().map(key).collect();
        warn(&format!(
            "{missing} of the notes were not played: the instrument has no {}; transpose the song, or choose an instrument that has them",
            keys.join(", ")
        ));
    }
    for (what, count) in &played.ignored {
        warn(&format!("{what} has no effect on this instrument ({count} messages)"));
    }
}

/// Tells of a bus that exceeds full scale, and what lowers it by so many dB.
fn too_loud(bus: &Bus, lower: impl Fn(f64) -> String) {
    if bus.peak > 1.0 {
        let (over, clipped) = (bus.peak_dbfs(), bus.clipped);
        let help = lower((-over).floor());
        warn(&format!("bus `{}` exceeds full scale by {over:.1} dB ({clipped} samples); {help}", bus.name));
    }
}

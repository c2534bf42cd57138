//! `hamiltone play`: plays an instrument or an ensemble from a MIDI file or a score into a sound, with the energy audit of the whole performance.

mod arguments;
mod checkpoint;
mod ensemble;
mod files;
mod instrument;
mod messages;

pub use arguments::PlayArguments;

use crate::{
    commands::render::summary,
    exit,
    failure::Failure,
    interrupt,
    output::{say, tell},
    progress::{self, SHOWN_AFTER},
};
use files::PlayFiles;
use hamiltone_play::{
    offline::Performer,
    recording::{self, Balance},
};
use hamiltone_render::{Ending, SinkError, checkpoint::Saver};
use hamiltone_scene::{Limits, Scene, Set};
use hamiltone_study::music::{self, check_notes};
use instrument::{engine, prepare};
use messages::{print, too_loud, warn, warnings};
use std::{sync::atomic::Ordering, time::Instant};

/// Plays a song and prints a summary.
///
/// # Errors
/// Invalid input, or a file that cannot be written.
pub fn run(arguments: &PlayArguments, limits: &Limits) -> Result<u8, Failure> {
    let begin = Instant::now();
    let music = music::read(&arguments.song, limits)?.with_parts(&arguments.part)?;
    let format = arguments.format.as_ref().map(|format| Set::option("output.format", "--format", format));
    let sets: Vec<Set> = arguments.set.iter().cloned().chain(format).collect();
    let scene = Scene::open_within(&arguments.instrument, &sets, limits.clone())?;
    if scene.is_ensemble() {
        return ensemble::run(arguments, &scene.ensemble()?, &music, limits);
    }
    let mut plan = prepare(scene.into(), &arguments.instrument, arguments, limits)?;
    let mut engine = engine(&plan)?;
    // The most that it can have: what is needed is known before.
    plan.plan.frames = ((music.performance.duration() + arguments.tail) * engine.rate()).ceil() as usize;
    let mut files = PlayFiles::new(arguments, &plan.plan, [&plan.plan], &arguments.inputs(), limits)?;
    let prepared = begin.elapsed().as_secs_f64();
    let bar = progress::bar(arguments.quiet, "s");
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
    let complete = perform(&mut performer, &mut saver, &mut each);
    bar.finish_and_clear();
    if !complete.map_err(|error| Failure::Other(error.to_string()))? {
        if let Some(path) = &arguments.checkpoint {
            tell!("interrupted; to continue, add --resume: the checkpoint is `{}`", path.display());
        }
        return Ok(exit::signalled(interrupt::signal()));
    }
    let played = performer.played();
    if let Err(none) = check_notes(played.notes, &played.missing, "the instrument has none") {
        saver.iter().for_each(Saver::remove);
        return Err(none.into());
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
    music::of_song(&music.performance).iter().for_each(|said| warn(said));
    warnings("", &plan, &played);
    let lower = |level: f64| format!("add --set output.level=\"reference {level} dB\", or more");
    sound.mix.buses.iter().for_each(|bus| too_loud(bus, lower));
    if let Some(trouble) = trouble {
        tell!("error: the performance failed: {trouble}");
        return Ok(exit::FAILED);
    }
    Ok(exit::OK)
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

//! An ensemble that plays: several instruments at once, each its part, into one sound.

use super::{
    arguments::PlayArguments,
    checkpoint,
    files::PlayFiles,
    instrument::{engine, prepare},
    music::{self, Music},
    told::{check_notes, print, too_loud, warn, warnings},
};
use crate::{commands::render::summary, exit, failure::Failure, output::say, output::tell, progress};
use hamiltone_plan::{
    instrument::InstrumentPlan,
    output::{BusPlan, Channels, MAIN},
};
use hamiltone_play::{
    Performance,
    ensemble::{self, Seat},
    offline::Played,
    recording::Balance,
};
use hamiltone_render::Ending;
use hamiltone_scene::{
    Limits, Plan,
    performance::ensemble::{Ensemble, PlayerFile},
};
use hamiltone_study::threads;
use serde_json::{Value, json};
use std::{
    path::PathBuf,
    sync::{Mutex, PoisonError},
    time::Instant,
};

/// Plays a song and prints a summary.
///
/// # Errors
/// Invalid input, or a file that cannot be written.
pub fn run(
    arguments: &PlayArguments,
    ensemble: Ensemble,
    music: &Music,
    limits: &Limits,
    threads: Option<usize>,
) -> Result<u8, Failure> {
    let begin = Instant::now();
    refuse(arguments)?;
    let mut plans = plans(&ensemble, arguments, limits)?;
    let engines = |player: &PlayerFile| engine(&plans[place(&plans, player)].1);
    let engines = ensemble.players.iter().map(engines).collect::<Result<Vec<_>, _>>()?;
    let longest = music.performance.duration() + arguments.tail;
    let mut files = PlayFiles::new(arguments, heard(&mut plans, longest), music.inputs(), limits)?;
    let seat = |(player, engine): (&PlayerFile, _)| Seat {
        instrument: &plans[place(&plans, player)].1,
        engine,
        performance: of_player(&music.performance, player),
        gain: player.gain,
        pan: player.pan,
        samples: files.spool(),
        played: Played::default(),
    };
    let mut seats: Vec<Seat<'_>> = ensemble.players.iter().zip(engines).map(seat).collect();
    let format = plans[0].1.plan.output.format;
    let prepared = begin.elapsed().as_secs_f64();
    let bar = progress::bar(arguments.quiet, "s");
    let done = Mutex::new(vec![0.0; seats.len()]);
    let each = |number: usize, now: f64| {
        let mut done = done.lock().unwrap_or_else(PoisonError::into_inner);
        done[number] = now;
        if begin.elapsed() > progress::SHOWN_AFTER {
            bar.set_length(music.performance.duration().ceil() as u64);
            // What is left is that of the player who is least far.
            bar.set_position(done.iter().fold(f64::INFINITY, |least, now| least.min(*now)) as u64);
        }
    };
    let pool = threads::start(threads)?;
    let performed = pool.install(|| ensemble::perform(&mut seats, arguments.tail, &each));
    bar.finish_and_clear();
    performed?;
    let sound = ensemble::sound(&seats, files.spool())?;
    let played = ensemble::played(&seats, &sound);
    check_notes(&played)?;
    let trouble = ensemble::trouble(&seats);
    let ending = if trouble.is_none() { Ending::Good } else { Ending::Failed };
    let head = head(&ensemble);
    let audit = ensemble::audit(&seats, &sound, &head, &music.sha256, &checkpoint::options(arguments));
    files.write(&sound, format, &audit, ending)?;
    if !arguments.quiet {
        say!("{}", ensemble.title);
        for (seat, player) in seats.iter().zip(&ensemble.players) {
            let part = player.part.map_or("all parts".into(), |part| format!("part {part}"));
            say!("  {part:<10} {} notes: {}", seat.played.notes, seat.instrument.plan.title);
        }
        let parts = seats.iter().map(|seat| seat.engine.islands().len()).sum();
        let seconds = begin.elapsed().as_secs_f64();
        let balance = Balance::of(seats.iter().map(|seat| &seat.engine));
        print(&sound, parts, &played, &balance, (prepared, seconds - prepared));
        sound.mix.buses.iter().for_each(|bus| say!("  sound      {}", summary::bus_line(bus)));
        say!("  wrote      {}", files.names(ending).join(", "));
    }
    unplayed(&music.performance, &ensemble);
    let of_instruments: Vec<String> = plans.iter().flat_map(|(_, plan)| plan.plan.warnings.clone()).collect();
    warnings(&music.performance, &of_instruments, &played);
    let gain = ensemble.gain;
    let lower = |level: f64| format!("add --set gain=\"{} dB\", or less", gain + level);
    sound.mix.buses.iter().for_each(|bus| too_loud(bus, lower));
    if let Some(trouble) = trouble {
        tell!("error: the performance failed: {trouble}");
        return Ok(exit::FAILED);
    }
    Ok(exit::OK)
}

/// Refuses what only one instrument can do.
fn refuse(arguments: &PlayArguments) -> Result<(), Failure> {
    let other = match (arguments.part.is_empty(), &arguments.checkpoint) {
        (false, _) => "--part is for one instrument: in an ensemble each [[player]] has its `part`",
        (_, Some(_)) => {
            "--checkpoint is for one instrument: play the instruments of the ensemble one by one, each with its --part"
        }
        _ => return Ok(()),
    };
    Err(Failure::Other(other.into()))
}

/// The plans of the instruments with their files, each once.
fn plans(
    ensemble: &Ensemble,
    arguments: &PlayArguments,
    limits: &Limits,
) -> Result<Vec<(PathBuf, InstrumentPlan)>, Failure> {
    let mut plans: Vec<(PathBuf, InstrumentPlan)> = Vec::new();
    for PlayerFile { path, .. } in &ensemble.players {
        if !plans.iter().any(|(known, _)| known == path) {
            plans.push((path.clone(), prepare(path, &[], arguments, limits)?));
        }
    }
    Ok(plans)
}

/// The number of the plan of a player.
fn place(plans: &[(PathBuf, InstrumentPlan)], player: &PlayerFile) -> usize {
    plans.iter().position(|(path, _)| *path == player.path).expect("the instruments of all players were read")
}

/// What the files of a sound of so many seconds ask of a plan: after its engine was made, that of the first instrument says how the sum of all is stored.
fn heard(plans: &mut [(PathBuf, InstrumentPlan)], seconds: f64) -> &Plan {
    let of_one =
        |(path, plan): &(PathBuf, InstrumentPlan)| [std::slice::from_ref(path), &plan.plan.inputs].concat();
    let inputs = plans.iter().flat_map(of_one).collect();
    let plan = &mut plans[0].1.plan;
    plan.frames = (seconds * plan.sample_rate).ceil() as usize;
    plan.output.buses = vec![BusPlan { name: MAIN.into(), channels: Channels::Stereo, gain: 0.0 }];
    plan.inputs = inputs;
    plan
}

/// The part of a player; it is silent where the song has no such part.
fn of_player(song: &Performance, player: &PlayerFile) -> Performance {
    match player.part {
        Some(part) => music::only(song, &[part]),
        None => song.clone(),
    }
}

/// What an audit says of the ensemble.
fn head(ensemble: &Ensemble) -> [(&'static str, Value); 3] {
    [
        ("title", json!(ensemble.title)),
        ("source", json!(ensemble.source)),
        ("ensemble_sha256", json!(ensemble.sha256)),
    ]
}

/// Tells of parts of the song that nobody plays, and of players that the song has nothing for.
fn unplayed(song: &Performance, ensemble: &Ensemble) {
    let parts = song.parts();
    let plays =
        |part: &u16| ensemble.players.iter().any(|player| player.part.is_none_or(|own| own == part + 1));
    let left: Vec<u16> = parts.iter().filter(|part| !plays(part)).copied().collect();
    if !left.is_empty() {
        warn(&format!("no player has these parts of the song: {}", music::numbers(left)));
    }
    for (number, player) in ensemble.players.iter().enumerate() {
        if let Some(part) = player.part.filter(|part| !parts.contains(&(part - 1))) {
            let there = music::numbers(parts.clone());
            warn(&format!("player {} is silent: the song has no part {part}, but {there}", number + 1));
        }
    }
}

//! An ensemble that plays: several instruments at once, each its part, into one sound.

use super::{
    arguments::PlayArguments,
    checkpoint,
    files::PlayFiles,
    instrument::{engine, prepare},
    messages::{notes, print, too_loud, warn, warnings},
};
use crate::{
    commands::render::summary,
    exit,
    failure::Failure,
    output::{say, tell},
    progress,
};
use hamiltone_core::system::System;
use hamiltone_plan::{
    Format, Level, OutputPlan, Plan,
    instrument::InstrumentPlan,
    output::{BusPlan, Channels, MAIN},
};
use hamiltone_play::{
    Performance,
    ensemble::{self, Member},
    offline::Played,
    recording::{self, Balance},
};
use hamiltone_render::Ending;
use hamiltone_scene::{
    Limits,
    document::problem::printable_path,
    instrument::Instrument,
    performance::ensemble::{Ensemble, PlayerFile},
};
use hamiltone_schemes::named;
use hamiltone_study::music::{self, Music, check_notes};
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
    ensemble: &Ensemble,
    music: &Music,
    limits: &Limits,
) -> Result<u8, Failure> {
    let begin = Instant::now();
    refuse(arguments)?;
    let song = &music.performance;
    let frames = ((song.duration() + arguments.tail) * f64::from(arguments.rate)).ceil() as usize;
    let plans = plans(ensemble, frames, arguments, limits)?;
    let of_player =
        |player: &PlayerFile| plans.iter().find(|(path, _)| *path == player.path).map(|(_, plan)| plan);
    let players: Vec<(&PlayerFile, &InstrumentPlan)> =
        ensemble.players.iter().filter_map(|player| Some((player, of_player(player)?))).collect();
    let output = output_plan(ensemble, frames, arguments.rate, &plans)?;
    let own = players.iter().map(|(_, instrument)| &instrument.plan).chain([&output]);
    let mut files = PlayFiles::new(arguments, &output, own, &arguments.inputs(), limits)?;
    let mut members = Vec::new();
    for (player, instrument) in players {
        members.push(Member {
            instrument,
            engine: engine(instrument)?,
            file: printable_path(&player.path),
            part: player.part,
            performance: of_part(song, player.part),
            gain: player.gain,
            pan: player.pan,
            samples: files.spool(),
            played: Played::default(),
        });
    }
    let prepared = begin.elapsed().as_secs_f64();
    let bar = progress::bar(arguments.quiet, "s");
    let done = Mutex::new(vec![0.0; members.len()]);
    let each = |number: usize, now: f64| {
        let mut done = done.lock().unwrap_or_else(PoisonError::into_inner);
        done[number] = now;
        if begin.elapsed() > progress::SHOWN_AFTER {
            bar.set_length(song.duration().ceil() as u64);
            // The rest is that of the player who is least far.
            bar.set_position(done.iter().fold(f64::INFINITY, |least, now| least.min(*now)) as u64);
        }
    };
    let performed = ensemble::perform(&mut members, arguments.tail, &each);
    bar.finish_and_clear();
    performed?;
    let sound = ensemble::sound(&members, files.spool())?;
    let (played, balance) =
        (ensemble::played(&members, &sound), Balance::of(members.iter().map(|member| &member.engine)));
    let missing: Vec<(u8, u64)> = members.iter().flat_map(|member| &member.played.missing).copied().collect();
    check_notes(played.notes, &missing, "no instrument of the ensemble has any")?;
    let ending = if balance.is_good() { Ending::Good } else { Ending::Failed };
    let audit = ensemble::audit(
        &members,
        (&sound, &played, &balance),
        &head(ensemble),
        &music.sha256,
        &checkpoint::options(arguments),
    );
    files.write(&sound, output.output.format, &audit, ending)?;
    if !arguments.quiet {
        say!("{}", ensemble.title);
        for (number, member) in members.iter().enumerate() {
            let part = member.part.map_or("all parts".into(), |part| format!("part {part}"));
            let (title, count) = (&member.instrument.plan.title, notes(member.played.notes));
            say!("  player {:<4}{title}, {part}: {count}", number + 1);
        }
        let islands = members.iter().map(|member| member.engine.islands().len()).sum();
        let seconds = begin.elapsed().as_secs_f64();
        print(&sound, islands, &played, &balance, (prepared, seconds - prepared));
        sound.mix.buses.iter().for_each(|bus| say!("  sound      {}", summary::bus_line(bus)));
        say!("  wrote      {}", files.names(ending).join(", "));
    }
    song.warnings().iter().for_each(|warning| warn(warning));
    unplayed(song, ensemble);
    for (number, member) in members.iter().enumerate() {
        let player = format!("player {} ({}): ", number + 1, member.instrument.plan.title);
        warnings(&player, member.instrument, &member.played);
        let others = member.instrument.plan.output.buses.iter().skip(1);
        others.for_each(|bus| warn(&format!("{player}its bus `{}` is left out", bus.name)));
        if let Some(trouble) = recording::trouble(&member.engine) {
            tell!("error: {player}the performance failed: {trouble}");
        }
    }
    // A tenth of a decibel is enough, and the least that is allowed is far below what is needed.
    let gain = |level: f64| (10.0 * (ensemble.gain + level)).floor().max(-2000.0) / 10.0;
    let lower = |level: f64| format!("add --set gain=\"{} dB\", or less", gain(level));
    sound.mix.buses.iter().for_each(|bus| too_loud(bus, lower));
    Ok(if balance.is_good() { exit::OK } else { exit::FAILED })
}

/// Refuses what only one instrument can do.
fn refuse(arguments: &PlayArguments) -> Result<(), Failure> {
    let other = match (arguments.part.is_empty(), &arguments.checkpoint, &arguments.preset) {
        (false, ..) => "--part is for one instrument: in an ensemble each [[player]] has its `part`",
        (_, Some(_), _) => {
            "--checkpoint is for one instrument: play the instruments of the ensemble one by one, each with its --part"
        }
        (.., Some(_)) => {
            "--preset is for one instrument: play the instruments of the ensemble one by one, each with its --part"
        }
        _ => return Ok(()),
    };
    Err(Failure::Other(other.into()))
}

/// The plans of the instruments with their files, each once, for so many frames.
fn plans(
    ensemble: &Ensemble,
    frames: usize,
    arguments: &PlayArguments,
    limits: &Limits,
) -> Result<Vec<(PathBuf, InstrumentPlan)>, Failure> {
    let mut plans: Vec<(PathBuf, InstrumentPlan)> = Vec::new();
    for PlayerFile { path, .. } in &ensemble.players {
        if !plans.iter().any(|(known, _)| known == path) {
            let mut plan = prepare(Instrument::open(path, &[], limits.clone())?, path, arguments, limits)?;
            plan.plan.frames = frames;
            plans.push((path.clone(), plan));
        }
    }
    Ok(plans)
}

/// What files ask of the sum of all: a plan of a stereo bus, without bodies.
fn output_plan(
    ensemble: &Ensemble,
    frames: usize,
    rate: u32,
    plans: &[(PathBuf, InstrumentPlan)],
) -> Result<Plan, Failure> {
    let scheme = named("modal-ec").ok_or_else(|| Failure::Other("there is no scheme `modal-ec`".into()))?;
    let bus = BusPlan { name: MAIN.into(), channels: Channels::Stereo, gain: 0.0 };
    let of_one =
        |(path, plan): &(PathBuf, InstrumentPlan)| [std::slice::from_ref(path), &plan.plan.inputs].concat();
    Ok(Plan {
        format: Format::Three,
        title: ensemble.title.clone(),
        source: ensemble.source.clone(),
        scene_sha256: ensemble.sha256.clone(),
        system: System::default(),
        scheme,
        sample_rate: f64::from(rate),
        oversampling: 1,
        frames,
        balance_bound: 0.0,
        tuning_tolerance: None,
        drives: Vec::new(),
        bodies: Vec::new(),
        reduced: Vec::new(),
        contacts: Vec::new(),
        initial: Vec::new(),
        gestures: Vec::new(),
        free: Vec::new(),
        pickups: Vec::new(),
        output: OutputPlan {
            buses: vec![bus],
            ..OutputPlan::separate(Level::Reference(0.0), ensemble.format)
        },
        inputs: plans.iter().flat_map(of_one).collect(),
        advised: false,
        choices: Vec::new(),
        warnings: Vec::new(),
    })
}

/// One part of a song, numbered from 1, or all; nothing where the song has no such part.
fn of_part(song: &Performance, part: Option<u16>) -> Performance {
    match part {
        Some(part) => music::only(song, &[part]),
        None => song.clone(),
    }
}

/// What an audit says of the ensemble.
fn head(ensemble: &Ensemble) -> [(&'static str, Value); 4] {
    [
        ("title", json!(ensemble.title)),
        ("source", json!(ensemble.source)),
        ("ensemble_sha256", json!(ensemble.sha256)),
        ("gain_db", json!(ensemble.gain)),
    ]
}

/// Tells of parts of the song that nobody plays, and of players that the song has nothing for.
fn unplayed(song: &Performance, ensemble: &Ensemble) {
    let parts = song.parts();
    if parts.is_empty() {
        return warn("the song has no notes");
    }
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

//! `hamiltone survey`: every key of an instrument at several velocities, and what is measured of each note.

mod files;
mod summary;

use crate::{
    exit,
    failure::Failure,
    interrupt,
    numbers::seconds,
    output::{say, tell},
    progress::{self, SHOWN_AFTER},
};
use clap::{Args, ValueHint};
use files::SurveyFiles;
use hamiltone_render::Ending;
use hamiltone_scene::{
    Limits, Set,
    instrument::{Cache, Instrument},
};
use hamiltone_study::{
    failure as study,
    survey::{
        keys::{KeyRange, selected},
        stroke::Conditions,
        survey,
    },
    threads,
};
use std::{
    path::PathBuf,
    sync::atomic::{AtomicU64, Ordering},
    time::Instant,
};

const EXAMPLES: &str = "\
Examples:
  hamiltone survey instruments/marimba.toml -o marimba          every key at velocities 30, 64 and 100: marimba/survey.csv
                                                                marimba/index.html and marimba/survey.svg
  hamiltone survey instruments/piano.toml --keys A0,C3:C5,C8 --velocities 20,80,120
  hamiltone survey instruments/vibraphone.toml --repeat-after \"150 ms\"
                                                                a fast repetition
  hamiltone survey instruments/drums.toml --keys 35:40 --seconds 1
                                                                drums by their MIDI numbers
  hamiltone survey instruments/marimba.toml --keys C3:C5 --set key.body.mallet.mass=\"60 g\" -o heavier

Each note is played from rest and held for --seconds; then from rest, let go and struck again. Measured are level, spectral centroid,
attack, time from note-on to the first audible sample, pitch, the first partials with their decay in two windows, and the level of the
repeated stroke; `survey.csv` has all in SI units. docs/instruments.md says how. The table has the same bits on any number of
threads. The longest time of a block depends on the machine: it is printed, and is not in the table.

Exit codes:
  0  every note keeps its energy balance
  1  a note loses it, a part was muted or gestures were refused; the files are survey.failed.csv, index.failed.html and survey.failed.svg
  2  invalid input: a file or an option
  128 + n  ended by signal n";

/// The shortest and the longest note, s: the prompt window of decay times ends 0.6 s after the beginning.
const NOTES: [f64; 2] = [0.1, 600.0];
/// The longest time between two strokes, s.
const LONGEST_REPEAT: f64 = 60.0;
/// The arguments of `survey`.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub struct SurveyArguments {
    /// Instrument file (TOML), such as instruments/piano.toml
    #[arg(value_hint = ValueHint::FilePath)]
    instrument: PathBuf,
    /// The keys, such as C4,E4, ranges such as C3:C5, or MIDI numbers; by default all
    #[arg(long, value_name = "KEYS", value_delimiter = ',', value_parser = KeyRange::parse)]
    keys: Vec<KeyRange>,
    /// The velocities, 1 to 127
    #[arg(long, value_name = "VELOCITIES", value_delimiter = ',', default_values_t = [30, 64, 100], value_parser = clap::value_parser!(u8).range(1..=127))]
    velocities: Vec<u8>,
    /// The time from a stroke to the next, s
    #[arg(long, value_name = "SECONDS", default_value = "500 ms", value_parser = |text: &str| seconds(text, LONGEST_REPEAT))]
    repeat_after: f64,
    /// How long each note is heard, s; decay times of the late window need 4.1 s and more
    #[arg(long, value_name = "SECONDS", default_value_t = 4.5, value_parser = |text: &str| seconds(text, NOTES[1]))]
    seconds: f64,
    /// Folder for the table, survey.csv, a page with charts, index.html, and the main charts as a picture, survey.svg
    #[arg(short, long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    output: Option<PathBuf>,
    /// Sample rate, Hz
    #[arg(long, value_name = "HZ", default_value_t = 48_000, value_parser = clap::value_parser!(u32).range(8_000..=384_000))]
    rate: u32,
    /// Change a value of the instrument, such as key.body.hammer.mass="9 g", or note_on.0.speed="3 m/s"
    /// in the first entry of a list; may be repeated
    #[arg(long, value_name = "PATH=VALUE", value_parser = Set::parse)]
    set: Vec<Set>,
    /// Print errors and warnings only
    #[arg(short, long)]
    quiet: bool,
}

/// Surveys an instrument and prints a summary.
///
/// # Errors
/// Invalid input, or a file that cannot be written.
pub fn run(arguments: &SurveyArguments, limits: &Limits, threads: Option<usize>) -> Result<u8, Failure> {
    if arguments.seconds < NOTES[0] {
        let shortest = NOTES[0];
        return Err(Failure::Other(format!(
            "--seconds is {}, but must be at least {shortest}: levels, pitches and decays need that long",
            arguments.seconds
        )));
    }
    let begin = Instant::now();
    let instrument = Instrument::open(&arguments.instrument, &arguments.set, limits.clone())?;
    let mut plan = progress::waiting(arguments.quiet, progress::PREPARING_INSTRUMENT, || {
        instrument.cached(f64::from(arguments.rate), Cache::of_user().as_ref())
    })?;
    // A note with vibrato has no one pitch.
    (plan.vibrato.depth, plan.vibrato.pressure) = (0.0, 0.0);
    let keys = selected(&arguments.keys, &plan.keys())?;
    let mut velocities = arguments.velocities.clone();
    velocities.sort_unstable();
    velocities.dedup();
    let inputs: Vec<&PathBuf> = [&arguments.instrument].into_iter().chain(&plan.plan.inputs).collect();
    let files = arguments.output.as_ref().map(|folder| SurveyFiles::new(folder, &inputs)).transpose()?;
    let pool = threads::start(threads)?;
    let (bar, done) = (progress::bar(arguments.quiet, "notes"), AtomicU64::new(0));
    let all = (keys.len() * velocities.len()) as u64;
    interrupt::end_in_order();
    let each = || {
        let done = done.fetch_add(1, Ordering::Relaxed) + 1;
        if begin.elapsed() > SHOWN_AFTER {
            bar.set_length(all);
            bar.set_position(done);
        }
    };
    let conditions = Conditions { seconds: arguments.seconds, repeat_after: arguments.repeat_after };
    let found = survey(&plan, (&keys, &velocities), conditions, &pool, (interrupt::stop(), &each));
    bar.finish_and_clear();
    let found = match found {
        Err(study::Failure::Stopped) => {
            tell!("interrupted; nothing was written");
            return Ok(exit::signalled(interrupt::signal()));
        }
        found => found?,
    };
    let troubles = found.troubles();
    let ending = if troubles.is_empty() { Ending::Good } else { Ending::Failed };
    if !arguments.quiet {
        summary::print(&found, begin.elapsed().as_secs_f64());
    }
    if let Some(files) = files {
        let names = files.write(&found, ending)?;
        if !arguments.quiet {
            say!("  wrote      {}", names.join(", "));
        }
    }
    plan.plan.warnings.iter().for_each(|warning| tell!("warning: {warning}"));
    for trouble in &troubles {
        tell!("error: {trouble}");
    }
    Ok(if troubles.is_empty() { exit::OK } else { exit::FAILED })
}

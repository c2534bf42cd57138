//! `hamiltone survey`: every key of an instrument at several velocities, and what is measured of each note.

use crate::{
    exit,
    failure::Failure,
    interrupt,
    numbers::{seconds, two_digits},
    output::{say, tell},
    progress::{self, SHOWN_AFTER},
};
use clap::{Args, ValueHint};
use hamiltone_render::{Ending, commit::commit, distinct::check_distinct, file::failed, target::Target};
use hamiltone_report::plot::decimals;
use hamiltone_scene::{Limits, Set, document::problem::printable_path, instrument::Instrument, units::plain};
use hamiltone_study::{
    failure as study,
    survey::{
        Survey,
        findings::OUT_OF_TUNE,
        keys::{KeyRange, selected},
        picture, rows,
        stroke::{BLOCK, Conditions, Stroke},
        survey,
    },
    table, threads,
};
use std::{
    fs,
    io::Write,
    path::{Path, PathBuf},
    sync::atomic::{AtomicU64, Ordering},
    time::Instant,
};

const EXAMPLES: &str = "\
Examples:
  hamiltone survey instruments/marimba.toml -o marimba          every key at velocities 30, 64 and 100: marimba/survey.csv
                                                                and marimba/index.html
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
  1  a note loses it, a part was muted or gestures were refused; the files are survey.failed.csv and index.failed.html
  2  invalid input: a file or an option
  128 + n  ended by signal n";

/// The shortest and the longest note, s: the prompt window of decay times ends 0.6 s after the beginning.
const NOTES: [f64; 2] = [0.1, 600.0];
/// The longest time between two strokes, s.
const LONGEST_REPEAT: f64 = 60.0;
/// How many lines of one kind are printed.
const LINES: usize = 3;

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
    /// Folder for the table, survey.csv, and a page with charts, index.html
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
    let plan = progress::waiting(arguments.quiet, progress::PREPARING_INSTRUMENT, || {
        instrument.plan(f64::from(arguments.rate), None)
    })?;
    let keys = selected(&arguments.keys, &plan.keys())?;
    let mut velocities = arguments.velocities.clone();
    velocities.sort_unstable();
    velocities.dedup();
    let files = SurveyFiles::new(arguments, &plan.plan.inputs)?;
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
        print(&found);
        machine(&found, begin.elapsed().as_secs_f64());
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

/// The files in the folder.
struct SurveyFiles {
    paths: [PathBuf; 2],
    targets: [Target; 2],
}

impl SurveyFiles {
    /// Creates the folder and temporary files, where they are asked for, so that what can be known to fail fails before the survey.
    fn new(arguments: &SurveyArguments, inputs: &[PathBuf]) -> Result<Option<Self>, Failure> {
        let Some(folder) = &arguments.output else { return Ok(None) };
        let paths = ["survey.csv", "index.html"].map(|name| folder.join(name));
        let outputs = ["the table", "the page"].map(String::from).into_iter().zip(&paths);
        check_distinct(outputs, None, [&arguments.instrument].into_iter().chain(inputs))?;
        fs::create_dir_all(folder).map_err(|error| failed(folder, error))?;
        let create = |path: &Path| Target::create(path);
        let targets = [create(&paths[0])?, create(&paths[1])?];
        Ok(Some(Self { paths, targets }))
    }

    /// Writes both, under the names of a survey that ended so.
    fn write(self, survey: &Survey, ending: Ending) -> Result<Vec<String>, Failure> {
        let [csv, html] = self.targets;
        let rows = rows::of(survey);
        let page = picture::html(survey);
        commit(vec![
            csv.stage(ending, |out| table::csv(&rows, out))?,
            html.stage(ending, |out| out.write_all(page.as_bytes()))?,
        ])?;
        Ok(self.paths.iter().map(|path| printable_path(ending.name(path))).collect())
    }
}

/// What was found.
fn print(found: &Survey) {
    let count = |n: usize, one: &str, many: &str| format!("{n} {}", if n == 1 { one } else { many });
    let compass = match &found.keys[..] {
        [first, .., last] => format!(", {} to {}", found.label(*first), found.label(*last)),
        [only] => format!(", {}", found.label(*only)),
        [] => String::new(),
    };
    let velocities: Vec<String> = found.velocities.iter().map(u8::to_string).collect();
    say!("{}", found.title);
    say!(
        "  played     {}{compass}, at velocity {}: {} s each at {} Hz, and again after {} s",
        count(found.keys.len(), "key", "keys"),
        velocities.join(", "),
        plain(found.conditions.seconds),
        plain(found.rate),
        plain(found.conditions.repeat_after),
    );
    for velocity in &found.velocities {
        let at = |stroke: &Stroke, of: Option<f64>| of.filter(|_| stroke.velocity == *velocity);
        let level = found.range(|stroke| at(stroke, Some(stroke.level)));
        let peak = found.range(|stroke| at(stroke, Some(stroke.peak)));
        let centroid = found.range(|stroke| at(stroke, stroke.centroid));
        if let (Some(level), Some(peak), Some(centroid)) = (level, peak, centroid) {
            say!(
                "  level      {velocity:>3}: {} dB, peak {} dB, centroid {} Hz",
                range(level, 1),
                range(peak, 1),
                range(centroid, 0)
            );
        }
    }
    for (what, of) in [
        ("prompt", (|stroke: &Stroke| stroke.first()?.prompt) as fn(&Stroke) -> Option<f64>),
        ("late", |stroke| stroke.first()?.late),
    ] {
        if let Some(t60) = found.range(of) {
            say!("  decay      T60 of the first partial, {what}: {} s", range(t60, 2));
        }
    }
    if let (Some(latency), Some(attack)) =
        (found.range(|stroke| stroke.latency), found.range(|stroke| stroke.attack))
    {
        let [latency, attack] = [latency, attack].map(|range| range.map(|x| 1e3 * x));
        say!(
            "  beginning  first audible sample after {} ms, attack {} ms",
            range(latency, 1),
            range(attack, 1)
        );
    }
    stands_out(found);
}

/// What stands out.
fn stands_out(found: &Survey) {
    if found.is_tuned {
        for step in found.level_steps().iter().take(LINES) {
            let [from, to] = step.keys.map(|key| found.label(key));
            say!(
                "  neighbours {} dB from {from} to {to} at velocity {}",
                signed(step.difference, 1),
                step.velocity
            );
        }
        tuning(found);
    }
    if let Some(stroke) = found.worst_repeat() {
        say!(
            "  repeated   {} dB at most ({} at velocity {})",
            signed(stroke.repeat, 2),
            found.label(stroke.key),
            stroke.velocity
        );
    }
    let residual = found
        .strokes
        .iter()
        .max_by(|a, b| (a.residual.0 * b.residual.1).total_cmp(&(b.residual.0 * a.residual.1)));
    if let Some(Stroke { residual: (residual, tolerance), .. }) = residual {
        let word = if found.troubles().is_empty() { "ok" } else { "FAILED" };
        say!(
            "  balance    exact: largest relative energy residual {residual:.2e} (tolerance {tolerance:.2e}): {word}"
        );
    }
}

/// How far keys are from equal temperament.
fn tuning(found: &Survey) {
    let off = found.out_of_tune();
    let worst =
        |(stroke, cents): &(&Stroke, f64)| format!("{} {}", found.label(stroke.key), signed(*cents, 1));
    let list: Vec<String> = off.iter().take(LINES).map(worst).collect();
    let more = if off.len() > LINES { ", …" } else { "" };
    match found.range(Stroke::cents) {
        None => say!("  tuning     no partial is heard near the frequency of a key"),
        Some(cents) if off.is_empty() => {
            say!(
                "  tuning     {} cents from equal temperament; A4 = {} Hz",
                range(cents, 2),
                plain(found.a4)
            );
        }
        Some(_) => say!(
            "  tuning     {} of {} more than {OUT_OF_TUNE} cents from equal temperament: {}{more} cents; A4 = {} Hz",
            off.len(),
            found.keys.len(),
            list.join(", "),
            plain(found.a4)
        ),
    }
    let silent: Vec<String> = found.without_pitch().into_iter().map(|key| found.label(key)).collect();
    if !silent.is_empty() {
        say!("  tuning     no partial is heard near the frequency of {}", silent.join(", "));
    }
}

/// What depends on the machine.
fn machine(found: &Survey, seconds: f64) {
    if let Some(stroke) = found.longest_block() {
        let length = BLOCK as f64 / found.rate;
        say!(
            "  cost       {} notes in {} s; longest block {} ms of processor time for {} ms of sound, {BLOCK} samples ({} at velocity {})",
            found.strokes.len(),
            two_digits(seconds),
            two_digits(1e3 * stroke.longest_block),
            two_digits(1e3 * length),
            found.label(stroke.key),
            stroke.velocity
        );
    }
}

/// From the smallest to the largest, with so many decimals.
fn range([low, high]: [f64; 2], digits: usize) -> String {
    let [low, high] = [low, high].map(|x| decimals(x, digits));
    if low == high { low } else { format!("{low} to {high}") }
}

/// A number with its sign.
fn signed(x: f64, digits: usize) -> String {
    let text = decimals(x, digits);
    if x > 0.0 { format!("+{text}") } else { text }
}

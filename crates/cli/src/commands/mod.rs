//! The command line: one file per command. This file parses the arguments and reports failures.

mod check;
mod compare;
mod describe;
mod fit;
mod licenses;
mod list;
mod live;
mod play;
mod program;
mod render;
mod reproduce;
mod schema;
mod survey;
mod sweep;

use crate::{
    exit,
    failure::Failure,
    interrupt,
    output::{lose, lost, print_message},
};
use clap::{Parser, Subcommand};
use hamiltone_numerics::parallel;
use hamiltone_scene::{
    document::problem::printable,
    limits::{self, Limited, Limits},
};
use std::{env, ffi::OsString};

/// Below the options of every command.
const LIMITS_HELP: &str =
    "Raise a limit, such as contacts=250000 or files=2GB; may be repeated; `hamiltone --help` has the table";

const EXAMPLES: &str = "\
Examples:
  hamiltone render scenes/clarinet_reed.toml                    a sound, clarinet_reed.wav
  hamiltone render scenes/clarinet_reed.toml --report report    …and an HTML report
  hamiltone render scenes/clarinet_reed.toml --set contact.lay.gap=\"0.2 mm\" -o tight.wav
  hamiltone render scenes/piano_c4_coarse.toml --set body.hammer.velocity=-1 --duration 4s
  hamiltone render scenes/tanpura.toml --duration \"36000 s\" --checkpoint t.checkpoint
                                                                saved once a minute; to continue, add --resume
  hamiltone play instruments/marimba.toml songs/prelude_in_c.mid -o prelude.wav
                                                                a performance, with its energy balance
  hamiltone live guitar --keys                                  played in real time, by MIDI or on this keyboard
  hamiltone check scenes/clarinet_reed.toml                     size, stability, time and memory of a render
  hamiltone check scenes/piano_c4.toml --budget 60              with a minute to find them
  hamiltone check instruments/guitar.toml                       compass, parts, pitch and cost of an instrument
  hamiltone render big.toml --limit contacts=250000 --limit memory=16GB
  hamiltone list schemes
  hamiltone describe oscillator
  hamiltone reproduce ducceschi_2017 fig6                       one figure of a paper, as SVG
  hamiltone compare scenes/piano_c4.toml --plot error.svg       which scheme to use: error against cost
  hamiltone sweep scenes/plucked_string.toml --over body.string.length=\"0.5 m:0.7 m:21\" -o lengths.csv
                                                                a table, one row a run
  hamiltone survey instruments/marimba.toml -o marimba          what is measured of every key: a table and a page
  hamiltone fit string.toml recording.wav --free body.string.tension=\"60 N:90 N\" -o fitted.toml
                                                                parameters from a recording, by the Python package
  hamiltone schema > scene.schema.json                          for completion in an editor
  hamiltone schema instrument > instrument.schema.json          …of instruments
  hamiltone licenses > NOTICES.txt                              to hand on with a copy of the program

Exit codes:
  0  the verdict is green or amber: the run is finite, its energy balance holds, it is passive (it gained no energy that
     nothing put in), and its pitch is right; amber: partials are out of tune, a tension is more than doubled or a plate has too
     few modes, and a warning says what to change
  1  the verdict is red: the run violated its energy balance, gained energy, diverged, became non-finite, or sounds another
     note than its scene states (the audit says where);
     of `check`: its budget ended before the scene was read; of `survey`: a note lost its energy balance
  2  invalid input: the scene, an option, or a file that cannot be read or written
  3  all went well and the files are complete, but standard output could not be written
  128 + n  ended by signal n, such as 130 by Ctrl-C and 143 by SIGTERM

The files of a run appear together when all are complete; until then, and with exit code 2, earlier ones stay as they are.
With exit code 1 they are NAME.failed.wav, NAME.failed.json and so on, and those of an earlier run stay. A run that is
interrupted with --keep-partial leaves NAME.partial.wav and files like it.";

/// Physical-modelling sound synthesis with an energy balance that is always checked.
#[derive(Parser)]
#[command(version, after_help = help(), arg_required_else_help = true)]
struct Cli {
    #[command(subcommand)]
    command: Command,
    /// Maximum number of threads of parallel work (play, reproduce, compare, sweep, survey); sounds do not depend on it
    #[arg(long, global = true, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    threads: Option<u64>,
    #[arg(long, global = true, value_name = "NAME=VALUE", help = LIMITS_HELP)]
    limit: Vec<String>,
}

/// Examples, limits and exit codes.
fn help() -> String {
    let (examples, codes) = EXAMPLES.split_once("Exit codes:").unwrap_or((EXAMPLES, ""));
    format!("{examples}Limits, each raised by --limit NAME=VALUE:\n{}\n\nExit codes:{codes}", limits::table())
}

/// The limits with those that are raised, and the threads within theirs.
fn limits(cli: &Cli) -> Result<(Limits, Option<usize>), Failure> {
    let mut limits = Limits::default();
    cli.limit.iter().try_for_each(|text| limits.raise(text).map_err(|e| format!("--limit: {e}")))?;
    let threads = cli.threads.map(|threads| {
        let exceeded = limits.check(Limited::Threads, threads.into());
        exceeded.map(|()| threads as usize).map_err(|exceeded| format!("--threads is {exceeded}"))
    });
    Ok((limits, threads.transpose()?))
}

#[derive(Subcommand)]
enum Command {
    /// Render a scene to a sound file, with its energy audit
    Render(render::RenderArguments),
    /// Play an instrument from a MIDI file or a score into a sound file, with the energy audit of the performance
    Play(play::PlayArguments),
    /// Play an instrument in real time, from MIDI devices or the computer's keyboard (by the program hamiltone-live)
    Live(live::LiveArguments),
    /// Print size, stability and eigenfrequencies of a scene, and what a render will take, without rendering it; of an instrument
    /// its keys, parts, pitch and cost
    Check(check::CheckArguments),
    /// List the bodies, contact laws, drives and schemes that a scene can use, and how pickups, links and places are written
    List {
        /// Only this category
        #[arg(value_parser = list::names())]
        category: Option<String>,
    },
    /// Describe a body, contact law, drive, scheme or section: equations, source, parameters
    Describe {
        /// Its name, as `list` shows it
        name: String,
    },
    /// Recompute figures and tables of papers; without arguments, list them
    Reproduce(reproduce::ReproduceArguments),
    /// Run a scene by several schemes at several rates: cost, energy balance, pitch, error, order
    Compare(compare::CompareArguments),
    /// Run a scene with all combinations of values of some parameters, and write a table of what is measured
    Sweep(sweep::SweepArguments),
    /// Play every key of an instrument at several velocities, and write what is measured: level, pitch, decay, repeated strokes
    Survey(survey::SurveyArguments),
    /// Find values of parameters with which a scene sounds like a recording (by the Python package)
    Fit(fit::FitArguments),
    /// Print the JSON Schema of scenes or instruments, for editors
    Schema {
        /// The kind of file that the schema is for
        #[arg(value_enum, default_value_t = schema::Subject::Scene)]
        subject: schema::Subject,
    },
    /// Print the licence notices of all that is linked into this program
    Licenses,
}

/// Runs the command line and returns the exit code.
pub fn run() -> u8 {
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => return usage(error),
    };
    // Where no handler can be installed, an interrupted run leaves its temporary files.
    let _ = interrupt::handle();
    let result = limits(&cli).and_then(|(limits, threads)| {
        let most = threads.unwrap_or_else(parallel::threads);
        parallel::at_most(most, || match cli.command {
            Command::Render(arguments) => render::run(&arguments, &limits),
            Command::Play(arguments) => play::run(&arguments, &limits),
            Command::Live(_) if cli.threads.is_some() || !cli.limit.is_empty() => {
                Err(Failure::Other("`live` takes neither --threads nor --limit".into()))
            }
            Command::Live(arguments) => live::run(&arguments),
            Command::Check(arguments) => check::run(&arguments, &limits),
            Command::List { category } => list::run(category.as_deref()),
            Command::Describe { name } => describe::run(&name),
            Command::Reproduce(arguments) => reproduce::run(&arguments, threads),
            Command::Compare(arguments) => compare::run(&arguments, &limits, threads),
            Command::Sweep(arguments) => sweep::run(&arguments, &limits, threads),
            Command::Survey(arguments) => survey::run(&arguments, &limits, threads),
            Command::Fit(_) if cli.threads.is_some() || !cli.limit.is_empty() => {
                Err(Failure::Other("`fit` takes neither --threads nor --limit".into()))
            }
            Command::Fit(arguments) => fit::run(&arguments),
            Command::Schema { subject } => schema::run(subject),
            Command::Licenses => licenses::run(),
        })
    });
    let code = result.unwrap_or_else(|failure| {
        failure.show();
        exit::BAD_INPUT
    });
    interrupt::finish();
    if code == exit::OK && lost() { exit::OUTPUT_LOST } else { code }
}

/// Prints the help, or what is wrong with the arguments.
fn usage(error: clap::Error) -> u8 {
    let arguments: Vec<OsString> = env::args_os().collect();
    let visible: Vec<String> =
        arguments.iter().map(|argument| printable(&argument.to_string_lossy())).collect();
    // What a message quotes as it was given may be obeyed by a terminal.
    let is_hidden = arguments.iter().zip(&visible).any(|(given, shown)| given != &**shown);
    if error.use_stderr() && is_hidden {
        let error = Cli::try_parse_from(&visible).err().unwrap_or(error);
        print_message(format_args!("{}", error.to_string().trim_end()));
        return exit::BAD_INPUT;
    }
    if let Err(lost) = error.print()
        && !error.use_stderr()
        && lost.kind() != std::io::ErrorKind::BrokenPipe
    {
        lose(&lost);
        return exit::OUTPUT_LOST;
    }
    if error.use_stderr() { exit::BAD_INPUT } else { exit::OK }
}

//! The command line. Each command is a file; this one reads arguments and reports failures.

/// Prints a line. Who closes the pipe has read enough; any other error of standard output ends the program.
macro_rules! say {
    ($($text:tt)*) => {
        $crate::commands::say(format_args!($($text)*))
    };
}

mod check;
mod describe;
mod list;
mod render;
mod reproduce;
mod schema;

use clap::{Args, Parser, Subcommand, ValueHint};
use hamiltone_render::file;
use hamiltone_scene::{Diagnostics, Scene, Set, catalogue::Category};
use miette::GraphicalReportHandler;
use std::{
    io::{ErrorKind, IsTerminal, Write, stderr, stdout},
    path::PathBuf,
    process::exit,
};

/// What `say!` calls.
pub fn say(line: std::fmt::Arguments<'_>) {
    match writeln!(stdout(), "{line}") {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => {
            eprintln!("error: cannot write to standard output: {error}");
            exit(i32::from(BAD_INPUT));
        }
        _ => {}
    }
}

/// Exit code: it ran, finite and balanced.
pub const SOUND: u8 = 0;
/// Exit code: it ran but broke its balance, diverged or went non-finite.
pub const BROKEN: u8 = 1;
/// Exit code: bad input.
pub const BAD_INPUT: u8 = 2;

/// Exit code: interrupted from the keyboard, as shells have it.
const INTERRUPTED: i32 = 130;

const EXAMPLES: &str = "\
Examples:
  hamiltone render scenes/clarinet_reed.toml                    a sound, clarinet_reed.wav
  hamiltone render scenes/clarinet_reed.toml --report report    …and a page with pictures
  hamiltone render scenes/clarinet_reed.toml --set contact.lay.gap=\"0.2 mm\" -o tight.wav
  hamiltone render scenes/piano_c4_coarse.toml --set body.hammer.velocity=-1 --duration 4s
  hamiltone check scenes/clarinet_reed.toml                     what will run, and how fast
  hamiltone list schemes
  hamiltone describe oscillator
  hamiltone reproduce ducceschi_2017 fig6                       a figure of a paper, as SVG
  hamiltone schema > scene.schema.json                          for the completion of an editor

Exit codes:
  0  sound and balanced
  1  it ran, but violated its energy balance, diverged or went non-finite (the audit says where)
  2  bad input: the scene, an option, or a file that cannot be read or written";

/// Physical-modelling sound synthesis whose every step keeps its energy books.
#[derive(Parser)]
#[command(version, after_help = EXAMPLES, arg_required_else_help = true)]
struct Cli {
    #[command(subcommand)]
    command: Command,
    /// How many threads at most, for what runs in parallel (reproduce); sounds do not depend on it
    #[arg(long, global = true, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    threads: Option<u16>,
}

#[derive(Subcommand)]
enum Command {
    /// Render a scene to a sound, with its energy audit
    Render(render::Arguments),
    /// Say what a scene would run: size, steps, stability, eigenfrequencies, cost
    Check(SceneArguments),
    /// List what a scene can name
    List {
        /// Only this category
        #[arg(value_parser = Category::ALL.map(Category::name))]
        category: Option<String>,
    },
    /// Describe a body, contact law, drive, scheme or section: equations, source, parameters
    Describe {
        /// Its name, as `list` shows it
        name: String,
    },
    /// Make the figures and tables of papers again; without arguments list them
    Reproduce(reproduce::Arguments),
    /// Print the JSON Schema of scenes, for editors
    Schema,
}

/// The scene and what is changed in it.
#[derive(Args)]
pub struct SceneArguments {
    /// The scene, a TOML file
    #[arg(value_hint = ValueHint::FilePath)]
    pub scene: PathBuf,
    /// Change a value of the scene, such as contact.lay.gap="0.3 mm"; may be repeated
    #[arg(long, value_name = "PATH=VALUE", value_parser = Set::parse)]
    set: Vec<Set>,
    /// Another scheme: the same as --set run.scheme=NAME
    #[arg(long, value_name = "NAME")]
    scheme: Option<String>,
    /// Another duration, such as "2 s": the same as --set run.duration=…
    #[arg(long)]
    duration: Option<String>,
}

impl SceneArguments {
    /// Opens the scene with its changes and those of `more` (path, option, value).
    pub fn open(&self, more: &[(&str, &str, Option<&String>)]) -> Result<Scene, Failure> {
        let options = [
            ("run.scheme", "--scheme", self.scheme.as_ref()),
            ("run.duration", "--duration", self.duration.as_ref()),
        ];
        let options = options
            .iter()
            .chain(more)
            .filter_map(|(path, option, value)| value.map(|value| Set::option(path, option, value)));
        let sets: Vec<Set> = self.set.iter().cloned().chain(options).collect();
        Scene::open(&self.scene, &sets).map_err(Failure::from)
    }
}

/// Why a command has nothing to show; every one is bad input.
pub enum Failure {
    /// The scene is wrong.
    Scene(Diagnostics),
    /// Something else is.
    Other(String),
}

impl From<Diagnostics> for Failure {
    fn from(diagnostics: Diagnostics) -> Self {
        Failure::Scene(diagnostics)
    }
}

impl From<String> for Failure {
    fn from(message: String) -> Self {
        Failure::Other(message)
    }
}

/// Runs the command line and returns the exit code.
pub fn run() -> u8 {
    let Cli { command, threads } = Cli::parse();
    // A run that is interrupted leaves nothing behind. Where no handler can be set, it leaves `.part` files.
    let _ = ctrlc::set_handler(|| {
        file::abandon();
        eprintln!("interrupted; nothing was written");
        exit(INTERRUPTED);
    });
    let result = match command {
        Command::Render(arguments) => render::run(&arguments),
        Command::Check(arguments) => check::run(&arguments),
        Command::List { category } => list::run(category.as_deref()),
        Command::Describe { name } => describe::run(&name),
        Command::Reproduce(arguments) => reproduce::run(&arguments, threads),
        Command::Schema => schema::run(),
    };
    result.unwrap_or_else(|failure| {
        match failure {
            Failure::Scene(diagnostics) => show(&diagnostics),
            Failure::Other(message) => eprintln!("error: {message}"),
        }
        BAD_INPUT
    })
}

/// Underlined source on a terminal with colours, else one line a problem.
fn show(diagnostics: &Diagnostics) {
    let colours = std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty());
    if stderr().is_terminal() && colours {
        let handler = GraphicalReportHandler::new();
        for report in diagnostics.reports() {
            let mut page = String::new();
            match handler.render_report(&mut page, &report) {
                Ok(()) => eprint!("{page}"),
                Err(_) => eprintln!("{report}"),
            }
        }
    } else {
        for line in diagnostics.to_string().lines() {
            eprintln!("error: {line}");
        }
    }
    if diagnostics.problems.len() > 1 {
        eprintln!("{} problems; nothing was run", diagnostics.problems.len());
    }
}

//! The command line. Each command is a file; this one reads arguments and reports failures.

mod check;
mod describe;
mod list;
mod render;
mod reproduce;
mod schema;

use crate::{arguments::SceneArguments, exit};
use clap::{Parser, Subcommand};
use hamiltone_render::file;
use hamiltone_scene::catalogue::Category;

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

/// Runs the command line and returns the exit code.
pub fn run() -> u8 {
    let Cli { command, threads } = Cli::parse();
    // A run that is interrupted leaves nothing behind. Where no handler can be set, it leaves `.part` files.
    let _ = ctrlc::set_handler(|| {
        file::abandon();
        eprintln!("interrupted; nothing was written");
        std::process::exit(exit::INTERRUPTED);
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
        failure.show();
        exit::BAD_INPUT
    })
}

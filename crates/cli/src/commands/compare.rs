//! `hamiltone compare`: schemes side by side on one scene.

use crate::{
    arguments::SceneArguments,
    exit,
    failure::Failure,
    interrupt,
    numbers::{hertz, seconds},
    output::{say, tell},
    progress::{self, SHOWN_AFTER},
};
use clap::{Args, ValueHint};
use hamiltone_render::{commit::commit, file::Pending};
use hamiltone_report::plot;
use hamiltone_scene::{
    Limits,
    document::problem::{printable, printable_path},
    units::plain,
};
use hamiltone_study::{
    compare::{Comparison, Options, compare, picture, rows},
    failure as study, table, threads,
};
use std::{io::Write, path::PathBuf, time::Instant};

const EXAMPLES: &str = "\
Examples:
  hamiltone compare scenes/piano_c4.toml                        the scene's scheme and those with an exact balance
  hamiltone compare scenes/bass_frets.toml --schemes modal-ec,modal-moreau-jean,moreau-jean
  hamiltone compare scenes/plucked_string.toml --schemes ec,mr,vv,sprk-4 --rates 44100,88200,176400 --plot error.svg
  hamiltone compare scenes/struck_bar.toml --window \"20 ms\" --reference modal-ec -o struck_bar.csv

Each line is a scheme at an internal rate. `cost` is processor time per second of sound; `residual` the largest relative
residual of the energy balance; `cents` is how far the audible partial that is farthest
from theory sounds from it, of those that are measured (up to 16 of a body), with its number; `T60` that of the first; `error` is the relative error
of the pickups in the first moments (--window) against the reference; `*` marks runs that no other beats in both cost and
error. `order` is how the error falls with the step, from a scheme's own results at its three highest rates. Orders are claimed
for smooth motion and short steps: it is measured before the first impact of a rigid contact; one-sided laws of exponents below 2,
and steps with ωΔt above 1, may show a lower one.

Exit codes: 0, the comparison is complete; 2, invalid input; 128 + n, interrupted.";

/// The arguments of `compare`.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub struct CompareArguments {
    /// The scene.
    #[command(flatten)]
    scene: SceneArguments,
    /// The schemes; by default the scene's own and those that run its system with an exact balance
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    schemes: Vec<String>,
    /// The internal rates, such as 88200 or "88.2 kHz", multiples of the sample rate; by default that of the scene, twice and four times that
    #[arg(long, value_name = "RATES", value_delimiter = ',', value_parser = hertz)]
    rates: Vec<f64>,
    /// The scheme of the reference, at four times the highest rate; by default the first that runs
    #[arg(long, value_name = "NAME")]
    reference: Option<String>,
    /// Over how long the error is measured, from the start
    #[arg(long, value_name = "SECONDS", default_value_t = Options::default().window, value_parser = |text: &str| seconds(text, LONGEST))]
    window: f64,
    /// How much sound is rendered for cost, balance, pitch and decay; at most that of the scene, by default a second or a million steps
    /// at the highest rate
    #[arg(long, value_name = "SECONDS", value_parser = |text: &str| seconds(text, LONGEST))]
    sound: Option<f64>,
    /// The table as .csv or .parquet
    #[arg(short, long, value_name = "OUT.csv", value_hint = ValueHint::FilePath)]
    output: Option<PathBuf>,
    /// A chart of error against cost (SVG)
    #[arg(long, value_name = "OUT.svg", value_hint = ValueHint::FilePath)]
    plot: Option<PathBuf>,
    /// Print errors and warnings only
    #[arg(short, long)]
    quiet: bool,
}

/// The longest window and sound, s.
const LONGEST: f64 = 3600.0;

/// Compares and prints a table.
///
/// # Errors
/// Invalid input, or a file that cannot be written.
pub fn run(arguments: &CompareArguments, limits: &Limits, threads: Option<usize>) -> Result<u8, Failure> {
    let source = arguments.scene.source(limits)?;
    let outputs = outputs(arguments)?;
    let options = Options {
        schemes: arguments.schemes.clone(),
        rates: arguments.rates.clone(),
        reference: arguments.reference.clone(),
        window: arguments.window,
        duration: arguments.sound,
    };
    let (bar, begin) = (progress::bar(arguments.quiet, "runs"), Instant::now());
    interrupt::end_in_order();
    let progress = |done, all| {
        if begin.elapsed() > SHOWN_AFTER {
            bar.set_length(all);
            bar.set_position(done);
        }
    };
    let pool = threads::start(threads)?;
    let comparison = pool.install(|| compare(&source, &options, &outputs, interrupt::stop(), &progress));
    bar.finish_and_clear();
    let comparison = match comparison {
        Err(study::Failure::Stopped) => {
            tell!("interrupted; nothing was written");
            return Ok(exit::signalled(interrupt::signal()));
        }
        comparison => comparison?,
    };
    if !arguments.quiet {
        print(&comparison);
    }
    write(arguments, &comparison)?;
    Ok(exit::OK)
}

/// Table and chart, as far as they are asked for, with what messages call them.
fn outputs(arguments: &CompareArguments) -> Result<Vec<(&'static str, PathBuf)>, Failure> {
    arguments.output.iter().try_for_each(|path| table::check(path))?;
    let chart = |path: &&PathBuf| path.extension().is_none_or(|extension| extension != "svg");
    if let Some(path) = arguments.plot.as_ref().filter(chart) {
        let path = printable_path(path);
        return Err(Failure::Other(format!("`{path}`: charts are written as .svg")));
    }
    let (table, chart) = (arguments.output.clone(), arguments.plot.clone());
    let all = table.map(|path| ("the table", path)).into_iter().chain(chart.map(|path| ("the chart", path)));
    Ok(all.collect())
}

/// Writes table and chart.
fn write(arguments: &CompareArguments, comparison: &Comparison) -> Result<(), Failure> {
    let mut files = Vec::new();
    if let Some(path) = &arguments.output {
        files.push(table::stage(path, &rows::of(comparison))?);
    }
    if let Some(path) = &arguments.plot {
        let picture = plot::svg(&picture::chart(comparison));
        files.push(Pending::create(path)?.stage(|out| out.write_all(picture.as_bytes()))?);
    }
    commit(files)?;
    let names = [&arguments.output, &arguments.plot].into_iter().flatten();
    let names: Vec<String> = names.map(printable_path).collect();
    if !names.is_empty() && !arguments.quiet {
        say!("  wrote      {}", names.join(", "));
    }
    Ok(())
}

fn print(comparison: &Comparison) {
    say!("{}", comparison.title);
    if let Some((scheme, rate)) = &comparison.reference {
        say!("  reference  {scheme} at {} Hz", plain(*rate));
    }
    say!(
        "  {:<18} {:>11} {:>10} {:>9} {:>8} {:>10} {:>12} {:>9} {:>9}",
        "scheme",
        "rate, Hz",
        "cost, s/s",
        "residual",
        "passive",
        "iterations",
        "cents (of)",
        "T60, s",
        "error"
    );
    for run in &comparison.runs {
        let (name, rate) = (&run.scheme, plain(run.rate));
        match &run.figures {
            Err(why) => say!("  {name:<18} {rate:>11} not run: {}", printable(why)),
            Ok(f) => say!(
                "  {name:<18} {rate:>11} {:>10.3e} {:>9.1e} {:>8} {:>10.2} {:>12} {:>9} {:>9}{}{}",
                f.cost,
                f.residual.0,
                if f.passive { "yes" } else { "no" },
                f.iterations.0,
                f.worst
                    .as_ref()
                    .map_or("–".into(), |worst| format!("{:+.2} ({})", worst.cents, worst.number)),
                f.t60.map_or("–".into(), |x| format!("{x:.3}")),
                f.error.map_or("–".into(), |x| format!("{x:.1e}")),
                if f.best { " *" } else { "" },
                if f.ok { "" } else { " FAILED" },
            ),
        }
    }
    for order in &comparison.orders {
        say!("  order      {:<18} {}", order.scheme, order.sentence());
    }
}

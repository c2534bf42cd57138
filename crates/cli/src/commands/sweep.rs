//! `hamiltone sweep`: a scene with all combinations of the values of some parameters, one row of a table a run.

use crate::{
    arguments::SceneArguments,
    exit,
    failure::Failure,
    interrupt,
    numbers::two_digits,
    output::{say, tell},
    progress,
};
use clap::{Args, ValueHint};
use hamiltone_scene::{Limits, document::problem::printable_path};
use hamiltone_study::{
    axis::Axis,
    features::Row,
    sweep::{
        Sweep,
        journal::{self, Journal},
    },
    threads,
};
use std::{collections::BTreeMap, path::PathBuf, time::Instant};

const EXAMPLES: &str = "\
Examples:
  hamiltone sweep scenes/plucked_string.toml --over body.string.length=\"0.5 m:0.7 m:21\" -o lengths.csv
  hamiltone sweep scenes/struck_bar.toml --over body.mallet.velocity=1:4:7 \\
      --over contact.strike.stiffness=1e6:1e9:10:log --duration \"0.5 s\" -o mallets.parquet
  hamiltone sweep scenes/plucked_string.toml --over run.scheme='[\"modal-ec\", \"ec\", \"mr\"]' -o schemes.csv
  hamiltone sweep scene.toml --over body.string.tension=60:90:1000 --shard 2/4 -o part2.parquet
                                                        the second of four machines' parts

One row a run, in the order of their numbers, the last --over varying fastest: parameters, verdict and reason, energy balance,
peak and centroid of each pickup, frequency and decay of eight partials of each body, contact times and impulses.
A run that is refused, fails or is out of tune is a row with its reason. Finished runs are in OUT.journal until the table
is complete: the same command continues a sweep that was interrupted or killed, without repeating them.

Exit codes: 0, the table is complete, whatever the verdicts of its rows; 2, invalid input; 128 + n, interrupted.";

/// The arguments of `sweep`.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub struct SweepArguments {
    /// The scene.
    #[command(flatten)]
    scene: SceneArguments,
    /// A parameter and its values: from:to:count, from:to:count:log for equal ratios, or a TOML array; may be repeated
    #[arg(long, value_name = "PATH=VALUES", value_parser = Axis::parse, required = true)]
    over: Vec<Axis>,
    /// The table, .csv or .parquet
    #[arg(short, long, value_name = "OUT.csv", value_hint = ValueHint::FilePath)]
    output: PathBuf,
    /// Folder for the sound of each run, as NUMBER.wav
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    keep_audio: Option<PathBuf>,
    /// Only the I-th of N parts of the sweep, such as 2/4: every N-th run
    #[arg(long, value_name = "I/N", value_parser = shard)]
    shard: Option<(usize, usize)>,
    /// Print errors and warnings only
    #[arg(short, long)]
    quiet: bool,
}

/// Reads `I/N`.
fn shard(text: &str) -> Result<(usize, usize), String> {
    let numbers = text.split_once('/').and_then(|(i, n)| Some((i.parse().ok()?, n.parse().ok()?)));
    numbers.ok_or_else(|| "write the number of the part and of all parts, such as 2/4".into())
}

/// Runs a sweep and prints how its runs ended.
///
/// # Errors
/// Invalid input, or a table or journal that cannot be written.
pub fn run(arguments: &SweepArguments, limits: &Limits, threads: Option<usize>) -> Result<u8, Failure> {
    let begin = Instant::now();
    let sweep = sweep(arguments, limits)?;
    let mut journal = Journal::open(&sweep, &arguments.output)?;
    let (known, pending) = (journal.finished(), journal.pending().to_vec());
    if known > 0 && !arguments.quiet {
        say!(
            "  continues  {known} of {} runs are in {}",
            sweep.runs().count(),
            printable_path(journal.path())
        );
    }
    let pool = threads::start(threads)?;
    let bar = progress::bar(arguments.quiet, "runs");
    bar.set_length(pending.len() as u64);
    interrupt::end_in_order();
    let done = sweep.all(&pool, &pending, interrupt::stop(), |row| {
        bar.inc(1);
        journal.enter(row)
    });
    bar.finish_and_clear();
    done?;
    if interrupt::stop().load(std::sync::atomic::Ordering::Relaxed) {
        tell!(
            "interrupted; {} of {} runs are in `{}`: the same command continues",
            journal.finished(),
            sweep.runs().count(),
            printable_path(journal.path())
        );
        return Ok(exit::signalled(interrupt::signal()));
    }
    let rows = journal.finish()?;
    if !arguments.quiet {
        summary(&rows, pending.len(), begin.elapsed().as_secs_f64());
        say!("  wrote      {}", printable_path(&arguments.output));
    }
    Ok(exit::OK)
}

/// The sweep that the command line asks for.
fn sweep(arguments: &SweepArguments, limits: &Limits) -> Result<Sweep, Failure> {
    let mut sweep = Sweep::new(arguments.scene.source(limits)?, arguments.over.clone())?;
    if let Some((i, n)) = arguments.shard {
        sweep = sweep.shard(i, n)?;
    }
    if let Some(folder) = &arguments.keep_audio {
        sweep = sweep.keep_audio(folder);
    }
    let outputs =
        [("the table", arguments.output.clone()), ("the journal", journal::path(&arguments.output))];
    progress::waiting(arguments.quiet, progress::PREPARING, || sweep.check(&outputs))?;
    Ok(sweep)
}

/// How many runs ended how.
fn summary(rows: &[Row], computed: usize, seconds: f64) {
    let mut verdicts = BTreeMap::new();
    for row in rows {
        *verdicts.entry(row["verdict"].as_str().unwrap_or_default()).or_insert(0) += 1;
    }
    let verdicts: Vec<String> =
        verdicts.iter().map(|(verdict, count)| format!("{count} {verdict}")).collect();
    say!("  runs       {}: {}", rows.len(), verdicts.join(", "));
    say!("  speed      {computed} runs in {} s", two_digits(seconds));
}

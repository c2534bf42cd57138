//! How long an instrument takes until it can be played, from its text and from its plan ([`hamiltone_plan::stored`]).
//!
//! `cargo bench -p hamiltone-benches --bench loading`, with `-- piano cello` only these.
//!
//! The columns: from the text to the plan; from bytes to the plan, and from the plan to the engine, the fastest of [`RUNS`]; the bytes.

#![allow(clippy::disallowed_methods, reason = "no file depends on the numbers of benchmarks")]

use hamiltone_benches::timing::seconds;
use hamiltone_plan::instrument::InstrumentPlan;
use hamiltone_play::Engine;
use hamiltone_scene::{Limits, instrument::Instrument};
use std::{hint::black_box, path::Path, time::Instant};

const RATE: f64 = 48_000.0;
const RUNS: usize = 5;

/// The fastest of some runs, and what it gave.
fn fastest<T>(run: impl Fn() -> T) -> (T, f64) {
    let one = || {
        let mut made = None;
        let time = seconds(|| made = Some(run()));
        (made.expect("it ran"), time)
    };
    let first = one();
    (1..RUNS).fold(first, |least, _| {
        let next = one();
        if next.1 < least.1 { next } else { least }
    })
}

fn measure(path: &Path, name: &str) {
    let open = || Instrument::open(path, &[], Limits::default()).expect("an instrument");
    // On all threads that it takes.
    let begin = Instant::now();
    let plan = open().plan(RATE, None).expect("a plan");
    let resolved = begin.elapsed().as_secs_f64();
    let bytes = plan.to_bytes().expect("a plan that is kept");
    let (plan, read) = fastest(|| InstrumentPlan::from_bytes(&bytes).expect("a plan"));
    let (engine, prepared) = fastest(|| Engine::new(&plan).expect("an engine"));
    black_box(engine);
    println!(
        "{name:<16} {resolved:>8.3} s {:>10.1} ms {:>10.1} ms {:>10.2} MB",
        1e3 * read,
        1e3 * prepared,
        bytes.len() as f64 * 1e-6
    );
}

fn main() {
    let wanted: Vec<String> = std::env::args().skip(1).filter(|name| !name.starts_with('-')).collect();
    let folder = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../instruments"));
    let mut paths: Vec<_> =
        folder.read_dir().expect("instruments").flatten().map(|entry| entry.path()).collect();
    paths.sort();
    println!("{:<16} {:>10} {:>13} {:>13} {:>13}", "instrument", "text", "bytes", "engine", "size");
    for path in paths.iter().filter(|path| path.extension().is_some_and(|ending| ending == "toml")) {
        let name = path.file_stem().expect("a name").to_string_lossy();
        if wanted.is_empty() || wanted.iter().any(|wanted| *wanted == name) {
            measure(path, &name);
        }
    }
}

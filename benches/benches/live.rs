//! What instruments take of one core when they are played live: at 48 kHz in blocks of 128 samples, the energy balance on.
//!
//! `cargo bench -p hamiltone-benches --bench live`, with `-- piano guitar` only these.
//!
//! Six keys over the compass (strings: one a string, at its fifth fret where it has one; one at a time where there is one string) are struck within each half of a second, the sustain
//! pedal down. The columns: the mean of the processor time of a block over its duration, that which 99.9 % of the blocks do not exceed, and the longest
//! block; then the longest while every key is struck at once. Each block is the fastest of [`REPEATS`] runs of the same performance.

#![allow(clippy::disallowed_methods, reason = "no file depends on the numbers of benchmarks")]

use hamiltone_benches::timing::seconds;
use hamiltone_plan::instrument::InstrumentPlan;
use hamiltone_play::Engine;
use hamiltone_scene::{
    Limits,
    instrument::{Cache, Instrument},
};
use std::path::Path;

const RATE: f64 = 48_000.0;
const BLOCK: usize = 128;
const SECONDS: usize = 3;
const REPEATS: usize = 3;
/// How many keys are struck in half a second.
const KEYS: usize = 6;

/// The keys that are struck in half a second.
fn keys(plan: &InstrumentPlan) -> Vec<u8> {
    let units = &plan.notes.units;
    if units.iter().any(|unit| unit.count(&plan.notes.programs) > 1) {
        // The fifth fret of each string.
        return units
            .iter()
            .filter_map(|unit| unit.keys.get(5).or(unit.keys.last()))
            .map(|of| of.key)
            .collect();
    }
    let all = plan.keys();
    (0..KEYS).map(|n| all[n * (all.len() - 1) / (KEYS - 1)]).collect()
}

/// The processor time of each block over its duration; `strike` is told the number of the block.
fn times(plan: &InstrumentPlan, seconds_long: usize, strike: &dyn Fn(&mut Engine, usize)) -> Vec<f64> {
    let run = || {
        let mut engine = Engine::new(plan).expect("an engine");
        let mut block = vec![0.0_f32; BLOCK * engine.channels()];
        engine.control(64, 1.0);
        let one = |n: usize| {
            strike(&mut engine, n);
            seconds(|| engine.render(&mut block)) * RATE / BLOCK as f64
        };
        (0..seconds_long * RATE as usize / BLOCK).map(one).collect::<Vec<f64>>()
    };
    let first = run();
    (1..REPEATS).fold(first, |least, _| least.iter().zip(run()).map(|(a, b)| a.min(b)).collect())
}

fn measure(path: &Path, name: &str) {
    let plan = Instrument::open(path, &[], Limits::default()).expect("an instrument");
    let plan = plan.cached(RATE, Cache::of_user().as_ref()).expect("a plan");
    let keys = keys(&plan);
    let period = RATE as usize / 2 / BLOCK;
    let struck = |engine: &mut Engine, n: usize| {
        for (number, key) in keys.iter().enumerate() {
            if n % period == number * period / keys.len() {
                engine.note_on(*key, 0.7);
            }
        }
    };
    let mut played = times(&plan, SECONDS, &struck);
    let mean = played.iter().sum::<f64>() / played.len() as f64;
    played.sort_by(f64::total_cmp);
    let last = played.len() - 1;
    let all = times(&plan, 1, &|engine, n| {
        if n == 0 {
            plan.keys().iter().for_each(|key| _ = engine.note_on(*key, 0.7));
        }
    });
    println!(
        "{name:<16}{mean:>8.2}{:>9.2}{:>9.2}{:>12.2}",
        played[last - last / 1000],
        played[last],
        all.iter().fold(0.0_f64, |most, x| most.max(*x))
    );
}

fn main() {
    let wanted: Vec<String> = std::env::args().skip(1).filter(|name| !name.starts_with('-')).collect();
    let folder = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../instruments"));
    let mut paths: Vec<_> =
        folder.read_dir().expect("instruments").flatten().map(|entry| entry.path()).collect();
    paths.sort();
    println!("{:<16}{:>8}{:>9}{:>9}{:>12}", "of one core", "mean", "99.9 %", "longest", "all at once");
    for path in paths.iter().filter(|path| path.extension().is_some_and(|ending| ending == "toml")) {
        let name = path.file_stem().expect("a name").to_string_lossy();
        if wanted.is_empty() || wanted.iter().any(|wanted| *wanted == name) {
            measure(path, &name);
        }
    }
}

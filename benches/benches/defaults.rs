//! Instruments written from scratch with defaults alone, `scenes/defaults`: the table of docs/defaults.md.
//!
//! `cargo bench -p hamiltone-benches --bench defaults`. Cents are the largest error of an audible partial of the linear part against
//! theory: of the eigenvalues against the continuous body, and of the sound against the eigenvalues. Speeds are those of whole
//! renders, from the scene to the sound in memory, on one core, the fastest of several in one process.

#![allow(clippy::disallowed_methods, reason = "no file depends on the numbers of benchmarks")]

use hamiltone_product::linear_part::{Measured, measure};
use hamiltone_render::run;
use hamiltone_scene::Scene;
use std::{fs, path::Path, time::Instant};

const RUNS: usize = 3;

fn main() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../scenes/defaults");
    let mut scenes: Vec<_> = fs::read_dir(folder)
        .expect("the folder of scenes")
        .filter_map(|file| Some(file.ok()?.path()))
        .filter(|path| path.extension().is_some_and(|extension| extension == "toml"))
        .collect();
    scenes.sort();
    println!(
        "| scene | instrument | verdict | partials in the sound | largest error | decay times | largest error | times real time |"
    );
    println!("|---|---|---|---|---|---|---|---|");
    for path in scenes {
        let Measured { partials, step, body, decays, decay } = measure(&path);
        let (title, verdict, speed) = rendered(&path);
        let name = path.file_stem().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        let decay = if decays == 0 { "–".into() } else { format!("{:.3} %", 100.0 * decay) };
        println!(
            "| [{name}](../scenes/defaults/{name}.toml) | {title} | {verdict} | {partials} | {:.2} cents | {decays} | {decay} | {speed:.0} |",
            step + body
        );
    }
}

/// The title of a scene, its verdict, and how many times faster than real time it is rendered.
fn rendered(path: &Path) -> (String, &'static str, f64) {
    let mut result = (String::new(), "", 0.0_f64);
    for _ in 0..RUNS {
        let begin = Instant::now();
        let plan = Scene::read(path, &[]).unwrap_or_else(|error| panic!("{error}"));
        let outcome = run(&plan, &mut [], &mut |_, _| {}).expect("a run");
        let speed = plan.frames as f64 / plan.sample_rate / begin.elapsed().as_secs_f64();
        result = (plan.title.clone(), outcome.verdict.word(), result.2.max(speed));
    }
    result
}

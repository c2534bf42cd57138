//! The report of a run.

use hamiltone_render::{Outcome, Sink, run};
use hamiltone_scene::Plan;
use std::{fs, path::PathBuf};

mod checkpoint;
mod contacts;
mod decay;
mod page;
mod reed;
mod string;
mod surface;

/// A folder of its own for a test, empty.
fn folder(name: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    folder
}

/// Runs a plan without watching.
fn render(plan: &Plan, sinks: &mut [&mut dyn Sink]) -> Outcome {
    run(plan, sinks, &mut |_, _| {}).unwrap()
}

/// A page without its base64, which may contain any letters.
fn without_data(page: &str) -> String {
    let begins = page.replace("data-fine=\"", "base64,");
    begins.split("base64,").map(|part| &part[part.find(['"', '\'']).unwrap_or(0)..]).collect()
}

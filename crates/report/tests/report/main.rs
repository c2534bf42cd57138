//! The report of a run.

#![allow(clippy::disallowed_methods, reason = "no file depends on the numbers of tests")]

use hamiltone_render::{Outcome, Sink, run};
use hamiltone_scene::Plan;
use std::{fs, path::PathBuf};

mod checkpoint;
mod contacts;
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

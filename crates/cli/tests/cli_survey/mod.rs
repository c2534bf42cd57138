//! `hamiltone survey` as a user meets it.

mod figures;
mod refusals;

use crate::program::{Folder, folder, hamiltone};
use std::{collections::BTreeMap, fs, path::Path};

/// Two forks with a T60 of 1 s, of which the second is struck twice as fast and is 3 cents flat. Strokes are short beside a period: both
/// answer them alike.
const FORKS: &str = r#"hamiltone = 3
title = "Forks"
[instrument]
keys = ["A4", "A#4"]
[key.body.fork]
kind = "oscillator"
mass = "2 g"
frequency = "{if(key == 70, 2^(-3/1200), 1)*frequency} Hz"
decay_time = "1 s"
[key.pickup.fork]
at = "fork"
quantity = "velocity"
[[note_on]]
gesture = "strike"
at = "fork"
speed = "{if(key == 70, 2, 1)*(0.1 + 0.4*velocity)} m/s"
duration = "0.1 ms"
"#;

/// A folder with `forks.toml`.
fn ready(name: &str) -> Folder {
    let folder = folder(&format!("survey-{name}"));
    fs::write(folder.join("forks.toml"), FORKS).unwrap();
    folder
}

/// Surveys with these arguments: the exit code, what is printed, and what is printed as errors.
fn survey(folder: &Folder, arguments: &[&str]) -> (Option<i32>, String, String) {
    let (output, out, err) = hamiltone(folder, &[&["survey"], arguments].concat());
    (output.status.code(), out, err)
}

/// The rows of a table, by their columns.
fn rows(path: &Path) -> Vec<BTreeMap<String, String>> {
    let mut reader = csv::Reader::from_path(path).unwrap();
    reader.deserialize().map(Result::unwrap).collect()
}

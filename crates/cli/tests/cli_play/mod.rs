//! `hamiltone play` as a user meets it: exit codes, what is printed, what is written.

mod checks;
mod curves;
mod endings;
mod ensemble;
mod music;
mod refusals;

use crate::program::{Folder, folder, hamiltone};
use hamiltone_play::midi::write::{Track, file};
use std::fs;

/// Tuning forks of C4 to C5 that are silent after half a second.
const FORKS: &str = r#"hamiltone = 2
title = "Forks"
[instrument]
keys = "C4..C5"
[key.body.fork]
kind = "oscillator"
mass = "2 g"
frequency = "{frequency} Hz"
decay_time = "0.3 s"
[key.pickup.fork]
at = "fork"
quantity = "velocity"
[[note_on]]
gesture = "strike"
at = "fork"
speed = "{0.2 + 0.3*velocity} m/s"
"#;

/// Eight notes of a channel from 0, two a second.
fn eight(channel: u8, keys: [u8; 8]) -> Track {
    let mut track = Track::default();
    (0..).zip(keys).for_each(|(n, key)| _ = track.note(480 * n, 400, channel, key, 40 + 10 * n as u8));
    track
}

const SCALE: [u8; 8] = [60, 62, 64, 65, 67, 69, 71, 72];

/// A folder with `forks.toml` and `song.mid`, a scale of eight notes.
fn ready(name: &str) -> Folder {
    let folder = folder(&format!("play-{name}"));
    fs::write(folder.join("forks.toml"), FORKS).unwrap();
    fs::write(folder.join("song.mid"), file(480, &[eight(0, SCALE)])).unwrap();
    folder
}

/// Plays with these arguments: the exit code, what is printed, and what is printed as errors.
fn play(folder: &Folder, arguments: &[&str]) -> (Option<i32>, String, String) {
    let (output, out, err) = hamiltone(folder, &[&["play"], arguments].concat());
    (output.status.code(), out, err)
}

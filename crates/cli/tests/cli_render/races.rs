//! Two runs that write the same files at the same time: afterwards all files are those of one of them.

use crate::program::{Folder, audit, folder, names, scene};
use std::{
    fs,
    path::Path,
    process::{Child, Command, Stdio},
    time::Duration,
};

/// How many rounds are run; HAMILTONE_ROUNDS changes it.
const ROUNDS: u64 = 20;

/// Begins a run of as many milliseconds, which every one of its files shows.
fn begin(folder: &Path, milliseconds: u64) -> Child {
    Command::new(env!("CARGO_BIN_EXE_hamiltone"))
        .current_dir(folder)
        .args(["render", &scene("damped_oscillator.toml"), "--duration", &format!("{milliseconds} ms"), "-q"])
        .args(["-o", "x.wav", "--audit", "x.json", "--states", "x.npz", "--report", "r"])
        .stderr(Stdio::piped())
        .spawn()
        .unwrap()
}

/// The files of one run of as many milliseconds.
fn reference(milliseconds: u64) -> (Folder, [Vec<u8>; 4]) {
    let folder = folder(&format!("race-{milliseconds}"));
    assert!(begin(&folder, milliseconds).wait().unwrap().success());
    let files = files(&folder);
    (folder, files)
}

fn files(folder: &Path) -> [Vec<u8>; 4] {
    ["x.wav", "x.json", "x.npz", "r/index.html"].map(|name| fs::read(folder.join(name)).unwrap())
}

#[test]
fn two_runs_on_one_name_leave_the_files_of_one() {
    let rounds = std::env::var("HAMILTONE_ROUNDS").ok().and_then(|n| n.parse().ok()).unwrap_or(ROUNDS);
    let both = [40, 60];
    let expected = both.map(|milliseconds| reference(milliseconds).1);
    let folder = folder("race");
    let mut won = [0, 0];
    for round in 0..rounds {
        let first = begin(&folder, both[(round % 2) as usize]);
        // From none to about the duration of a run.
        std::thread::sleep(Duration::from_micros(500 * (round % 10)));
        let second = begin(&folder, both[1 - (round % 2) as usize]);
        for run in [first, second] {
            let output = run.wait_with_output().unwrap();
            assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        }
        let written = files(&folder);
        let winner = expected.iter().position(|files| *files == written);
        let winner = winner.unwrap_or_else(|| panic!("round {round}: the files are of two runs"));
        won[winner] += 1;
        assert_eq!(audit(&folder.join("x.json"))["steps"], 441 * both[winner] / 10, "round {round}");
        assert_eq!(names(&folder), ["r", "x.json", "x.npz", "x.wav"], "round {round}");
    }
    println!("{rounds} rounds: {won:?}");
}

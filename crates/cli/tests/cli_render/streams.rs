//! Standard output and standard error that are closed or full.

use crate::program::{folder, names, scene};
use std::{
    fs::OpenOptions,
    process::{Command, Stdio},
};

/// Changes to the scene that make it silent, which is a warning on standard error.
const SILENT: [&str; 3] = ["--set", "body.mass.position=0", "body.mass.velocity=0"];

/// The exit code of the program with these streams.
fn code(arguments: &[&str], out: Stdio, err: Stdio) -> Option<i32> {
    let folder = folder("streams");
    let mut command = Command::new(env!("CARGO_BIN_EXE_hamiltone"));
    let mut run = command.current_dir(&*folder).args(arguments).stdout(out).stderr(err).spawn().unwrap();
    // Pipes that nobody reads.
    drop((run.stdout.take(), run.stderr.take()));
    let code = run.wait().unwrap().code();
    let wrote = arguments[0] == "render" && code != Some(2);
    assert_eq!(names(&folder).is_empty(), !wrote, "{arguments:?}");
    code
}

fn full() -> Stdio {
    OpenOptions::new().write(true).open("/dev/full").unwrap().into()
}

#[test]
fn a_closed_pipe_changes_no_exit_code() {
    let scene = scene("damped_oscillator.toml");
    let good =
        ["render", &scene, "--duration", "1 ms", "-o", "x.wav", SILENT[0], SILENT[1], SILENT[0], SILENT[2]];
    let bad = ["render", &scene, "--scheme", "euler"];
    for (arguments, expected) in
        [(&good[..], 0), (&bad[..], 2), (&["list"], 0), (&["--help"], 0), (&["render"], 2)]
    {
        assert_eq!(code(arguments, Stdio::piped(), Stdio::piped()), Some(expected), "{arguments:?}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_device_is_told_by_the_exit_code() {
    let scene = scene("damped_oscillator.toml");
    let good =
        ["render", &scene, "--duration", "1 ms", "-o", "x.wav", SILENT[0], SILENT[1], SILENT[0], SILENT[2]];
    let bad = ["render", &scene, "--scheme", "euler"];
    for (arguments, out, err) in
        [(&good[..], 3, 0), (&bad[..], 2, 2), (&["schema"], 3, 0), (&["--help"], 3, 0)]
    {
        assert_eq!(code(arguments, full(), full()), Some(out), "{arguments:?}");
        assert_eq!(code(arguments, Stdio::null(), full()), Some(err), "{arguments:?}");
    }
}

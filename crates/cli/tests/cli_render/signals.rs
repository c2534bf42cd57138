//! Signals: a run that is ended leaves nothing and says so by its exit code.

use crate::program::{Folder, folder, names, scene};
use std::{
    fs,
    process::{Child, Command, Stdio},
    thread::sleep,
    time::{Duration, Instant},
};

/// A run that takes long, once it has its temporary files.
fn begin(folder: &Folder, command: &mut Command) -> Child {
    fs::write(folder.join("x.wav"), "of an earlier run").unwrap();
    let mut run = command.current_dir(&**folder).spawn().unwrap();
    while names(folder).len() < 3 && run.try_wait().unwrap().is_none() {
        sleep(Duration::from_millis(5));
    }
    run
}

fn long() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_hamiltone"));
    command.args(["render", &scene("clarinet_reed.toml"), "--duration", "300 s"]);
    command.args(["-o", "x.wav", "--audit", "x.json"]);
    command
}

fn send(signal: &str, run: &Child) {
    assert!(Command::new("kill").args([signal, &run.id().to_string()]).status().unwrap().success());
}

#[test]
fn every_signal_that_ends_a_run_leaves_nothing() {
    let signals = [("-INT", 130), ("-TERM", 143), ("-HUP", 129)];
    // Where these tests run under `nohup`, so do the programs that they start.
    for (signal, code) in signals.into_iter().filter(|(signal, _)| *signal != "-HUP" || !hangup_is_ignored())
    {
        let folder = folder(&format!("signal{signal}"));
        let run = begin(&folder, long().stderr(Stdio::piped()));
        send(signal, &run);
        let output = run.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(code), "{signal}");
        assert_eq!(output.stderr, b"interrupted; nothing was written\n");
        assert_eq!(names(&folder), ["x.wav"]);
        assert_eq!(fs::read(folder.join("x.wav")).unwrap(), b"of an earlier run");
    }
}

fn hangup_is_ignored() -> bool {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    ignored.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).is_some_and(|mask| mask & 1 == 1)
}

/// Standard error that is closed, full or read by nobody does not stop an interruption.
#[test]
fn an_interruption_needs_no_standard_error() {
    for closed in [true, false] {
        let folder = folder(&format!("signal-silent-{closed}"));
        let mut run = begin(&folder, long().stderr(Stdio::piped()));
        if closed {
            drop(run.stderr.take());
        }
        send("-INT", &run);
        assert_eq!(run.wait().unwrap().code(), Some(130));
        assert_eq!(names(&folder), ["x.wav"]);
    }
}

/// `nohup` stays in force.
#[cfg(target_os = "linux")]
#[test]
fn an_ignored_hangup_stays_ignored() {
    let folder = folder("signal-nohup");
    let mut shell = Command::new("sh");
    let program = env!("CARGO_BIN_EXE_hamiltone");
    let (scene, duration) = (scene("clarinet_reed.toml"), "--duration");
    shell.args(["-c", "trap '' HUP; exec \"$@\"", "sh", program, "render", &scene, duration, "300 s"]);
    let run = begin(&folder, shell.args(["-o", "x.wav", "--audit", "x.json"]).stderr(Stdio::piped()));
    send("-HUP", &run);
    sleep(Duration::from_millis(100));
    send("-TERM", &run);
    assert_eq!(run.wait_with_output().unwrap().status.code(), Some(143));
}

/// A signal about the time when the files get their names: all are new or none is, and exit code and message say which.
#[test]
fn an_interruption_near_the_end_is_all_or_nothing() {
    let folder = folder("signal-end");
    let begin = |milliseconds: u64| {
        Command::new(env!("CARGO_BIN_EXE_hamiltone"))
            .current_dir(&*folder)
            .args([
                "render",
                &scene("damped_oscillator.toml"),
                "--duration",
                &format!("{milliseconds} ms"),
                "-q",
            ])
            .args(["-o", "x.wav", "--audit", "x.json", "--states", "x.npz"])
            .stderr(Stdio::piped())
            .spawn()
            .unwrap()
    };
    let files = || ["x.wav", "x.json", "x.npz"].map(|name| fs::read(folder.join(name)).unwrap());
    let both = [40, 60];
    let expected = both.map(|milliseconds| {
        let start = Instant::now();
        assert!(begin(milliseconds).wait().unwrap().success());
        (files(), start.elapsed())
    });
    let mut old = expected[1].0.clone();
    for round in 0..20 {
        let (new, duration) = &expected[round % 2];
        let run = begin(both[round % 2]);
        sleep(duration.mul_f64(0.6 + 0.02 * round as f64));
        send("-TERM", &run);
        let output = run.wait_with_output().unwrap();
        let message = String::from_utf8(output.stderr).unwrap();
        let written = match (output.status.code(), message.as_str()) {
            (Some(0), "") | (Some(143), "interrupted after the files were written\n") => new.clone(),
            // Without a code it was ended before it handled signals.
            (Some(143), "interrupted; nothing was written\n") | (None, "") => old,
            other => panic!("round {round}: {other:?}"),
        };
        assert!(files() == written, "round {round}: {message}");
        assert_eq!(names(&folder), ["x.json", "x.npz", "x.wav"], "round {round}");
        old = written;
    }
}

/// A file that outgrows the limit of the shell is an error like any other.
#[test]
fn a_file_beyond_the_size_limit_is_an_error() {
    let folder = folder("signal-size");
    let program = env!("CARGO_BIN_EXE_hamiltone");
    let scene = scene("damped_oscillator.toml");
    let script = "ulimit -f 16; exec \"$@\"";
    let output = Command::new("sh")
        .current_dir(&*folder)
        .args([
            "-c",
            script,
            "sh",
            program,
            "render",
            &scene,
            "--duration",
            "2 s",
            "-o",
            "x.wav",
            "--audit",
            "x.json",
        ])
        .output()
        .unwrap();
    let err = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2), "{err}");
    assert!(err.contains("cannot write `x.wav`: ") && names(&folder).is_empty(), "{err}");
}

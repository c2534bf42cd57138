//! What a run prints and writes, and what is refused.

use crate::program::{audit, folder, hamiltone, scene};
use std::{fs, path::Path, process::Command};

#[test]
fn a_summary_is_printed() {
    let folder = folder("sound");
    let (output, out, err) =
        hamiltone(&folder, &["render", &scene("damped_oscillator.toml"), "--audit", "a.json"]);
    // It is let go at t = 0.
    assert!(
        err.starts_with("warning: `left` begins with a jump to 100 %") && err.lines().count() == 1,
        "{err}"
    );
    assert_eq!(output.status.code(), Some(0));
    for part in [
        "A damped oscillator\n",
        "1 s: 44100 steps of `ec` at 44100 Hz",
        "exact: largest relative energy residual",
        ": ok",
        // The oscillator starts at its maximum of 1 mm: 1 mm · 10^(1/20).
        "normalised to −1 dBFS: full scale = 1.122 mm (left)",
        "times real time",
        "wrote      damped_oscillator.wav, a.json",
    ] {
        assert!(out.contains(part), "{out}\nlacks {part}");
    }
    let written = audit(&folder.join("a.json"));
    assert_eq!(
        (&written["ok"], &written["claim"], &written["steps"]),
        (&true.into(), &"exact".into(), &44100.into())
    );
    assert!(folder.join("damped_oscillator.wav").metadata().unwrap().len() > 3 * 44100);
}

#[test]
fn a_diverging_run_is_reported_and_its_sound_is_named_failed() {
    let folder = folder("blown");
    let arguments = [
        "render",
        &scene("impact_oscillator.toml"),
        "--scheme",
        "vv",
        "-o",
        "new/x.wav",
        "--audit",
        "a.json",
    ];
    let (output, out, err) = hamiltone(&folder, &arguments);
    assert_eq!(output.status.code(), Some(1));
    assert!(out.contains("FAILED") && out.contains("wrote      new/x.failed.wav, a.failed.json"), "{out}");
    assert!(
        err.contains("error: scheme `vv`, step 21 (t = 0.000476190476 s): the stored energy grew"),
        "{err}"
    );
    assert!(folder.join("new/x.failed.wav").exists() && !folder.join("new/x.wav").exists());
    let written = audit(&folder.join("a.failed.json"));
    assert_eq!((&written["ok"], &written["fault"]["step"]), (&false.into(), &21.into()));
    assert!(!folder.join("a.json").exists());
}

#[test]
fn bad_input_runs_nothing() {
    let folder = folder("bad");
    let reed = scene("clarinet_reed.toml");
    // A file is no folder.
    let [sound, audit] = ["x.wav", "a.json"].map(|name| format!("{reed}/{name}"));
    for (arguments, says) in [
        (vec!["render", &reed, "-o", &sound], "clarinet_reed.toml/x.wav`: "),
        (vec!["render", &reed, "-o", "x.wav", "--audit", &audit], "clarinet_reed.toml/a.json`: "),
        (vec!["render", &reed, "-o", "-"], "cannot be written to standard output"),
        (vec!["render", &reed, "-o", "x.mp3"], "sounds are written as .wav or .flac; use -o x.wav"),
        (vec!["render", "none.toml"], "error: none.toml:1:1: the scene cannot be read: "),
        (
            vec!["render", &reed, "--scheme", "euler"],
            "error: --scheme euler: run: there is no scheme `euler`; schemes: `modal-ec`, `ec`",
        ),
        (
            vec!["render", &reed, "--duration", "2 kg"],
            "error: --duration 2 kg: run: `duration` is measured in s, not in kg",
        ),
        (
            vec!["render", &reed, "--format", "12-bit"],
            "error: --format 12-bit: output: `format` is not `12-bit`; did you mean",
        ),
        (vec!["render", &reed, "--set", "contact.lay.gap"], "has no `=`: write path=value"),
        (vec!["render", &reed, "--states-every", "3"], "--states"),
        (
            vec!["render", &reed, "--report", "r", "--duration", "9000 s", "--limit", "memory=10MB"],
            "the run needs memory: 33.6 MB, but at most 10 MB are allowed; ",
        ),
        (vec!["render", &reed, "--resume"], "--checkpoint <FILE>"),
        (
            vec!["render", &reed, "--checkpoint", "none", "--resume"],
            "there is no such checkpoint to continue from",
        ),
        (
            vec!["render", &reed, "--checkpoint", "c", "--checkpoint-every", "0"],
            "a number of seconds above 0",
        ),
        (
            vec!["render", &reed, "--report", "r", "--duration", "9000 s", "--limit", "memory=10MB"],
            "where that is meant, raise the limit: --limit memory=33.6MB",
        ),
        (
            vec!["render", &reed, "--limit", "memory=0"],
            "error: --limit: the limit `memory` cannot be `0`: it takes a size above 0, such as 16GB",
        ),
        (
            vec!["render", &reed, "--limit", "space=3"],
            "error: --limit: there is no limit `space`; limits: scene, ",
        ),
        (vec!["check", &reed, "--budget", "0"], "a number of seconds above 0"),
        (
            vec!["render", &reed, "--states", "x.npz", "--states-every", "18446744073709551615"],
            "302085 steps",
        ),
        (vec!["render", &reed, "--states", "x.npz", "--states-every", "100000000000"], "302085 steps"),
        (vec!["render", &reed, "--states", "x.npz", "--states-every", "1e11"], "invalid digit"),
        (
            vec!["reproduce", "ducceschi_2017", "--threads", "65535"],
            "error: --threads is 65535, but at most 256 are allowed; where that is meant, raise the limit: --limit threads=65535",
        ),
        (
            vec!["describe", "oscilator"],
            "error: the name `oscilator` is not known; did you mean `oscillator`?",
        ),
        (vec!["reproduce", "newton_1687"], "error: there is no paper `newton_1687`"),
    ] {
        let (output, _, err) = hamiltone(&folder, &arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {err}");
        assert!(err.contains(says), "{arguments:?} says {err}\nlacks {says}");
    }
    assert_eq!(fs::read_dir(&*folder).unwrap().count(), 0, "something was written");
}

#[test]
fn the_same_scene_is_the_same_file() {
    let folder = folder("same");
    let beating = scene("clarinet_reed_beating.toml");
    let render = |threads: &str, to: &str| {
        let files = [format!("{to}.wav"), format!("{to}.json"), format!("{to}.npz"), format!("{to}-report")];
        let [wav, json, npz, report] = files.each_ref().map(String::as_str);
        let [run, files] = [
            ["render", &beating, "--duration", "0.5 s", "--threads", threads, "-o", wav],
            ["--audit", json, "--states", npz, "--report", report, "--states-every", "7"],
        ];
        let (output, _, err) = hamiltone(&folder, &[run, files].concat());
        assert_eq!(output.status.code(), Some(0), "{err}");
        [wav, json, npz].map(|file| fs::read(folder.join(file)).unwrap())
    };
    let (one, again, two) = (render("1", "one"), render("1", "again"), render("2", "two"));
    assert!(one == again && one == two);
    assert!(
        fs::read_to_string(folder.join("one-report/index.html")).unwrap().contains("A beating clarinet reed")
    );
}

/// An input or another output is never overwritten: exit code 2 before anything is written.
#[test]
fn outputs_never_overwrite_inputs_or_each_other() {
    let folder = folder("places");
    let scene = folder.join("x.toml");
    let shipped = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scenes/damped_oscillator.toml");
    std::fs::copy(&shipped, &scene).unwrap();
    let run = |arguments: &[&str]| {
        let program = Command::new(env!("CARGO_BIN_EXE_hamiltone"))
            .args(["render", "x.toml", "--duration", "0.01"])
            .args(arguments)
            .current_dir(&*folder)
            .output()
            .unwrap();
        (program.status.code(), String::from_utf8(program.stderr).unwrap())
    };
    for arguments in [
        &["-o", "a.wav", "--states", "./x.toml"] as &[&str],
        &["--audit", "x.toml"],
        &["-o", "a.wav", "--audit", "./a.wav"],
        &["-o", "a.wav", "--states", "a.wav"],
        &["-o", "a.wav", "--audit", "r/index.html", "--report", "r"],
    ] {
        let (code, message) = run(arguments);
        assert!(code == Some(2) && message.contains("are the same file"), "{arguments:?} {code:?} {message}");
    }
    assert_eq!(std::fs::read(&scene).unwrap(), std::fs::read(&shipped).unwrap());
    assert!(!folder.join("a.wav").exists());
}

/// `--scheme` leaves behind what only the scene's own scheme takes, and says so.
#[test]
fn another_scheme_leaves_options_behind() {
    let folder = folder("options");
    let cubic = scene("cubic_oscillator.toml");
    let (output, _, err) = hamiltone(&folder, &["render", &cubic, "--scheme", "ec", "--duration", "10 ms"]);
    assert_eq!(output.status.code(), Some(0), "{err}");
    assert!(err.contains("warning: ") && err.contains("`s` is of another scheme and is left out"), "{err}");
    let set = ["render", &cubic, "--scheme", "ec", "--set", "run.options.s=1"];
    let (output, _, err) = hamiltone(&folder, &set);
    assert_eq!(output.status.code(), Some(2), "{err}");
}

//! The files of a run against each other, against its inputs, and against those of earlier runs.

use crate::program::{audit, folder, hamiltone, names, scene};
use std::{fs, path::Path};

/// A force of four samples.
fn wav() -> Vec<u8> {
    let header =
        b"RIFF\x2c\0\0\0WAVEfmt \x10\0\0\0\x01\0\x01\0\x44\xac\0\0\x88\x58\x01\0\x02\0\x10\0data\x08\0\0\0";
    [&header[..], &[0; 8]].concat()
}

const DRIVEN: &str = "hamiltone = 1\n[run]\nscheme = \"ec\"\nduration = \"10 ms\"\n[body.m]\nkind = \"oscillator\"\n\
    mass = \"1 g\"\nfrequency = \"440 Hz\"\nposition = \"1 mm\"\n[drive.d]\nat = \"m\"\nkind = \"wav\"\n\
    file = \"kick.failed.wav\"\n[pickup.p]\nat = \"m\"\n";

/// An input or another output is never overwritten, under whatever name: exit code 2, and nothing has changed.
#[test]
fn an_output_that_is_an_input_under_another_name_is_refused() {
    let folder = folder("identity");
    let write = |name: &str, bytes: &[u8]| fs::write(folder.join(name), bytes).unwrap();
    write("x.toml", DRIVEN.as_bytes());
    write("kick.failed.wav", &wav());
    fs::create_dir(folder.join("in")).unwrap();
    let mut cases = vec![
        // A good run removes the sound of a failed one, and a failed one writes it.
        vec!["-o", "kick.wav"],
        vec!["-o", "./in/../kick.failed.wav"],
        vec!["-o", "y.wav", "--audit", "none/../x.toml"],
        vec!["-o", "a.wav", "--audit", "a.failed.wav"],
        vec!["-o", "none/a.wav", "--audit", "none/deep/../a.wav"],
        // The files of failed and of interrupted runs, and those of checkpoints.
        vec!["-o", "y.wav", "--audit", "kick.wav"],
        vec!["-o", "y.wav", "--states", "y.partial.wav"],
        vec!["-o", "y.wav", "--audit", "r/index.failed.html", "--report", "r"],
        vec!["-o", "y.wav", "--checkpoint", "x.toml"],
        vec!["-o", "y.wav", "--checkpoint", "y.wav"],
        vec!["-o", "y.wav", "--audit", "y.sound", "--checkpoint", "y"],
        vec!["-o", "y.wav", "--audit", "y.states", "--checkpoint", "y", "--states", "z"],
        vec!["-o", "y.wav", "--audit", "y.pickups", "--checkpoint", "y", "--states", "z", "--states-pickups"],
    ];
    if cfg!(unix) {
        #[cfg(unix)]
        std::os::unix::fs::symlink(folder.join("x.toml"), folder.join("symbolic.json")).unwrap();
        #[cfg(unix)]
        std::os::unix::fs::symlink(&*folder, folder.join("here")).unwrap();
        fs::hard_link(folder.join("kick.failed.wav"), folder.join("hard.wav")).unwrap();
        cases.push(vec!["-o", "y.wav", "--audit", "symbolic.json"]);
        cases.push(vec!["-o", "y.wav", "--states", "here/y.wav"]);
        cases.push(vec!["-o", "hard.wav"]);
    }
    let before = names(&folder);
    let (output, _, err) = hamiltone(&folder, &["render", "x.toml", "-o", "y.wav", "--report", "y.wav"]);
    assert!(output.status.code() == Some(2) && err.contains("one would be a folder of the other"), "{err}");
    for case in cases {
        let (output, _, err) = hamiltone(&folder, &[&["render", "x.toml"], &case[..]].concat());
        assert_eq!(output.status.code(), Some(2), "{case:?}: {err}");
        assert!(err.contains("are the same file"), "{case:?}: {err}");
        assert_eq!(names(&folder), before, "{case:?}");
    }
    assert_eq!(fs::read(folder.join("kick.failed.wav")).unwrap(), wav());
    assert_eq!(fs::read_to_string(folder.join("x.toml")).unwrap(), DRIVEN);
    let (output, _, err) = hamiltone(&folder, &["render", "x.toml"]);
    assert_eq!(output.status.code(), Some(0), "{err}");
}

/// The files of a run that fails (1) have names of their own, so that those of an earlier good one stay, all of one run; a run
/// that is refused (2) keeps everything; a good one removes what the failed one wrote.
#[test]
fn earlier_results_stay() {
    let folder = folder("earlier");
    let impact = scene("impact_oscillator.toml");
    let run = |more: &[&str]| {
        let files = ["render", &impact, "--duration", "10 ms", "-o", "x.wav", "--audit", "x.json"];
        hamiltone(&folder, &[&files[..], &["--states", "x.npz", "--report", "r"], more].concat())
            .0
            .status
            .code()
    };
    let good = ["r/index.html", "x.json", "x.npz", "x.wav"];
    let failed = ["r/index.failed.html", "x.failed.json", "x.failed.npz", "x.failed.wav"];
    let is = |name: &str| folder.join(name).exists();
    let read = || good.map(|name| fs::read(folder.join(name)).unwrap());
    assert_eq!((run(&[]), good.map(is), failed.map(is)), (Some(0), [true; 4], [false; 4]));
    let before = read();
    // A folder cannot be replaced by a file, under either name.
    for name in ["x.npz", "x.failed.json"] {
        let moved = is(name).then(|| fs::rename(folder.join(name), folder.join("moved")).unwrap());
        fs::create_dir(folder.join(name)).unwrap();
        assert_eq!(run(&[]), Some(2), "{name}");
        fs::remove_dir(folder.join(name)).unwrap();
        moved.iter().for_each(|()| fs::rename(folder.join("moved"), folder.join(name)).unwrap());
    }
    assert!(read() == before);
    assert_eq!(run(&["--scheme", "vv"]), Some(1));
    assert_eq!(failed.map(is), [true; 4]);
    assert!(read() == before);
    assert_eq!(audit(&folder.join("x.failed.json"))["ok"], false);
    assert!(fs::read_to_string(folder.join("r/index.failed.html")).unwrap().contains("verdict bad"));
    assert_eq!((run(&[]), failed.map(is)), (Some(0), [false; 4]));
    assert_eq!(names(&folder), ["r", "x.json", "x.npz", "x.wav"]);
}

/// What a message about the arguments quotes is escaped, not obeyed or left out.
#[test]
fn unknown_arguments_are_escaped() {
    let folder = folder("arguments");
    for arguments in [
        &["render", "--x\u{1b}]0;hi\u{7}"][..],
        &["\u{1b}]0;hi\u{7}"],
        &["list", "a\u{1b}]0;hi\u{7}\u{202e}"],
    ] {
        let (output, _, err) = hamiltone(&folder, arguments);
        assert_eq!(output.status.code(), Some(2), "{err}");
        assert!(
            err.contains("\\u{1b}]0;hi\\u{7}") && !err.contains('\u{1b}') && !err.contains('\u{202e}'),
            "{err:?}"
        );
    }
}

/// A name that hides its end, or moves the cursor, is shown escaped.
#[cfg(unix)]
#[test]
fn paths_with_control_characters_are_escaped() {
    let folder = folder("escapes");
    let name = "a\u{1b}[31m\u{202e}\u{9b}\nb.toml";
    fs::copy(Path::new(&scene("damped_oscillator.toml")), folder.join(name)).unwrap();
    let sound = "o\u{1b}]0;x\u{7}.wav";
    let (output, out, err) = hamiltone(&folder, &["render", name, "--duration", "1 ms", "-o", sound]);
    assert_eq!(output.status.code(), Some(0), "{err}");
    assert!(out.contains("wrote      o\\u{1b}]0;x\\u{7}.wav"), "{out}");
    fs::write(folder.join(name), "hamiltone = 1\n[run]\nscheme = \"e\u{1b}c\"\n").unwrap();
    let mut shown = vec![out];
    for arguments in [
        vec!["render", name],
        vec!["check", name],
        vec!["render", name, name],
        vec!["describe", name],
        vec!["reproduce", name],
        vec!["render", name, "-o", "\u{1b}.mp3"],
        vec!["render", "none\u{1b}\u{200f}.toml"],
        vec![
            "render",
            &scene("damped_oscillator.toml"),
            "-o",
            "x.wav",
            "--audit",
            "x\u{1b}/a\u{2066}.json",
            "--report",
            "x.wav",
        ],
    ] {
        let (_, out, err) = hamiltone(&folder, &arguments);
        shown.extend([out, err]);
    }
    for text in shown {
        let hidden =
            text.chars().find(|c| c.is_control() && *c != '\n' || "\u{202e}\u{200f}\u{2066}".contains(*c));
        assert_eq!(hidden, None, "{text:?}");
    }
}

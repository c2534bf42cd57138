//! Performances that fail or are interrupted: exit codes 1 and 128 + n, and what is left.

use super::{FORKS, eight, play, ready};
use crate::program::{audit, names};
use hamiltone_play::midi::write::file;
use std::fs;

/// A part that overflows makes the performance red: its files have names of their own, and those of an earlier run stay.
#[test]
fn a_performance_that_fails_keeps_earlier_files() {
    let folder = ready("fails");
    fs::write(folder.join("x.toml"), FORKS.replace("{0.2 + 0.3*velocity}", "{if(key < 62, 1e200, 1)}"))
        .unwrap();
    fs::write(folder.join("x.wav"), "of an earlier run").unwrap();
    let (code, _, err) = play(&folder, &["x.toml", "song.mid", "-o", "x.wav", "--audit", "x.json"]);
    assert_eq!(code, Some(1), "{err}");
    let line = err.lines().last().unwrap_or_default();
    assert!(line.starts_with("error: the performance failed: `fork-60` was muted at step "), "{err}");
    assert_eq!(
        names(&folder),
        ["forks.toml", "song.mid", "x.failed.json", "x.failed.wav", "x.toml", "x.wav"]
    );
    assert_eq!(fs::read(folder.join("x.wav")).unwrap(), b"of an earlier run");
    let audit = audit(&folder.join("x.failed.json"));
    assert_eq!(
        (audit["ok"].as_bool(), audit["muted_parts"][0]["name"].as_str(), audit["notes"].as_u64()),
        (Some(false), Some("fork-60"), Some(8))
    );
}

/// More gestures than a part has room for fail as well, and are told.
#[test]
fn gestures_that_are_refused_fail() {
    let folder = ready("refused");
    let mut track = hamiltone_play::midi::write::Track::default();
    (0..20).for_each(|_| _ = track.note(0, 10, 0, 60, 100));
    fs::write(folder.join("song.mid"), file(480, &[track])).unwrap();
    let (code, _, err) = play(&folder, &["forks.toml", "song.mid"]);
    assert_eq!(code, Some(1), "{err}");
    assert!(err.contains("12 gestures were refused, since too many acted on one part at a time"), "{err}");
}

#[test]
fn a_song_without_a_note_that_can_be_played_is_refused_and_an_empty_one_is_told() {
    let folder = ready("empty");
    fs::write(folder.join("song.mid"), file(480, &[eight(0, [1; 8])])).unwrap();
    let (code, _, err) = play(&folder, &["forks.toml", "song.mid", "-q"]);
    assert_eq!(code, Some(2));
    assert!(
        err.starts_with("error: the instrument has none of the 8 notes of the song, from C#-1 (key 1) on"),
        "{err}"
    );
    assert_eq!(names(&folder), ["forks.toml", "song.mid"]);
    fs::write(folder.join("song.mid"), file(480, &[Default::default()])).unwrap();
    let (code, _, err) = play(&folder, &["forks.toml", "song.mid"]);
    assert_eq!((code, err.as_str()), (Some(0), "warning: the song has no notes\n"));
}

#[cfg(unix)]
#[test]
fn every_signal_leaves_nothing() {
    use std::{
        process::{Command, Stdio},
        thread::sleep,
        time::Duration,
    };
    for (signal, code) in [("-INT", 130), ("-TERM", 143)] {
        let folder = ready("signal");
        // An hour that ends when it is told to.
        let mut track = eight(0, super::SCALE);
        (0..).zip([60; 3600]).for_each(|(n, key): (u32, u8)| _ = track.note(960 * n, 900, 0, key, 100));
        fs::write(folder.join("long.mid"), file(480, &[track])).unwrap();
        fs::write(folder.join("x.wav"), "of an earlier run").unwrap();
        let before = names(&folder);
        let mut run = Command::new(env!("CARGO_BIN_EXE_hamiltone"))
            .current_dir(&*folder)
            .args(["play", "forks.toml", "long.mid", "-o", "x.wav", "--audit", "x.json"])
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        // The audit and the samples: two temporary files at least.
        while names(&folder).len() < before.len() + 2 && run.try_wait().unwrap().is_none() {
            sleep(Duration::from_millis(5));
        }
        assert!(Command::new("kill").args([signal, &run.id().to_string()]).status().unwrap().success());
        let output = run.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(code), "{signal}");
        assert_eq!(output.stderr, b"interrupted; nothing was written\n");
        assert_eq!(names(&folder), before);
        assert_eq!(fs::read(folder.join("x.wav")).unwrap(), b"of an earlier run");
    }
}

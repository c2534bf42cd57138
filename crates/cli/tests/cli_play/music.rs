//! What is played: songs, scores, parts, tunings, keys that are missing.

use super::{SCALE, eight, play, ready};
use crate::program::{audit, names};
use hamiltone_play::midi::write::file;
use std::fs;

#[test]
fn a_song_becomes_a_sound_with_its_balance() {
    let folder = ready("song");
    let (code, out, err) = play(&folder, &["forks.toml", "song.mid", "--audit", "song.json"]);
    assert_eq!((code, err.as_str()), (Some(0), ""));
    assert!(
        out.starts_with("Forks\n  played     8 notes in ")
            && out.contains("  wrote      song.wav, song.json\n"),
        "{out}"
    );
    assert_eq!(names(&folder), ["forks.toml", "song.json", "song.mid", "song.wav"]);
    let audit = audit(&folder.join("song.json"));
    assert_eq!(
        (audit["ok"].as_bool(), audit["notes"].as_u64(), audit["parts"].as_u64()),
        (Some(true), Some(8), Some(13))
    );
    // ½mv² of eight forks.
    let supplied: f64 =
        (0..8).map(|n| 0.2 + 0.3 * f64::from(40 + 10 * n) / 127.0).map(|v| 0.5 * 2e-3 * v * v).sum();
    let given = audit["supplied"].as_f64().unwrap();
    // The spring acts while a blow lasts, up to half a period here.
    assert!((0.7..1.0).contains(&(given / supplied)), "{given} and {supplied}");
    let spent = audit["dissipated"].as_f64().unwrap() + audit["energy_final"].as_f64().unwrap();
    assert!((given / spent - 1.0).abs() < 1e-12, "{given} and {spent}");
    let reader = hound::WavReader::open(folder.join("song.wav")).unwrap();
    assert_eq!(reader.spec().sample_rate, 48_000);
    // Seven half seconds, the last note and its tail.
    let seconds = f64::from(reader.duration()) / 48_000.0;
    assert!((3.9..5.5).contains(&seconds), "{seconds} s");
}

/// The sound is in the current folder, with the whole name of the song.
#[test]
fn the_sound_is_named_after_the_song() {
    let folder = ready("name");
    fs::create_dir(folder.join("songs")).unwrap();
    fs::rename(folder.join("song.mid"), folder.join("songs/op. 1.2.mid")).unwrap();
    assert_eq!(
        play(&folder, &["forks.toml", "songs/op. 1.2.mid", "-q"]),
        (Some(0), String::new(), String::new())
    );
    assert_eq!(names(&folder), ["forks.toml", "op. 1.2.wav", "songs"]);
}

#[test]
fn the_same_song_is_the_same_sound_whatever_the_threads() {
    let folder = ready("threads");
    for (name, more) in [("a.wav", &[][..]), ("b.wav", &["--threads", "1"]), ("c.wav", &["--threads", "2"])] {
        assert_eq!(play(&folder, &[&["forks.toml", "song.mid", "-q", "-o", name], more].concat()).0, Some(0));
    }
    let [a, b, c] = ["a.wav", "b.wav", "c.wav"].map(|name| fs::read(folder.join(name)).unwrap());
    assert!(a == b && b == c);
}

#[test]
fn parts_are_chosen_by_their_channel() {
    let folder = ready("parts");
    fs::write(folder.join("two.mid"), file(480, &[eight(0, SCALE), eight(3, [60; 8])])).unwrap();
    let notes = |parts: &[&str]| {
        let chosen: Vec<&str> = parts.iter().flat_map(|part| ["--part", part]).collect();
        let all = [&["forks.toml", "two.mid", "--audit", "a.json", "-q"], &chosen[..]].concat();
        let (code, _, err) = play(&folder, &all);
        (code, err, fs::read(folder.join("a.json")).map(|_| audit(&folder.join("a.json"))["notes"].as_u64()))
    };
    for (parts, expected) in [(&[][..], 16), (&["1"], 8), (&["4"], 8), (&["4", "1"], 16)] {
        let (code, err, notes) = notes(parts);
        let several =
            err.starts_with("warning: the song has the parts 1, 4: all are played on this instrument");
        assert_eq!(
            (code, notes.unwrap(), several),
            (Some(0), Some(expected), expected == 16),
            "{parts:?}: {err}"
        );
    }
    let (code, err, _) = notes(&["1", "2"]);
    assert_eq!((code, err.as_str()), (Some(2), "error: the song has no part 2; it has 1, 4\n"));
}

/// An instrument is read once.
#[cfg(unix)]
#[test]
fn an_instrument_comes_through_a_pipe() {
    let folder = ready("pipe");
    let program = env!("CARGO_BIN_EXE_hamiltone");
    let run = format!("cat forks.toml | {program} play /dev/stdin song.mid -q -o x.wav");
    let done = std::process::Command::new("sh").args(["-c", &run]).current_dir(&*folder).output().unwrap();
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
}

#[test]
fn tunings_change_the_sound() {
    let folder = ready("tuning");
    fs::write(folder.join("x.scl"), "! x.scl\nwhole tones and a half\n 2\n!\n 150.0\n 2/1\n").unwrap();
    fs::write(folder.join("x.kbm"), "12\n0\n127\n60\n69\n442.0\n12\n0\nx\n1\nx\nx\nx\nx\nx\nx\nx\nx\nx\n")
        .unwrap();
    assert_eq!(play(&folder, &["forks.toml", "song.mid", "-q", "-o", "equal.wav"]).0, Some(0));
    let (code, _, err) = play(&folder, &["forks.toml", "song.mid", "-q", "-o", "x.wav", "--tuning", "x.scl"]);
    assert_eq!((code, err.as_str()), (Some(0), ""));
    assert!(fs::read(folder.join("x.wav")).unwrap() != fs::read(folder.join("equal.wav")).unwrap());
    // A mapping needs a scale; what is wrong in either has its line and column.
    assert_eq!(play(&folder, &["forks.toml", "song.mid", "--keyboard", "x.kbm"]).0, Some(2));
    fs::write(folder.join("bad.scl"), "! x\nbad\n 2\n 100.0\n 2/0\n").unwrap();
    let (code, _, err) = play(&folder, &["forks.toml", "song.mid", "-o", "y.wav", "--tuning", "bad.scl"]);
    assert_eq!(code, Some(2));
    assert!(err.starts_with("error: bad.scl:5:"), "{err}");
    fs::write(folder.join("bad.kbm"), "12\n0\nmany\n").unwrap();
    let arguments = ["forks.toml", "song.mid", "-o", "y.wav", "--tuning", "x.scl", "--keyboard", "bad.kbm"];
    let (code, _, err) = play(&folder, &arguments);
    assert_eq!(code, Some(2));
    assert!(err.starts_with("error: bad.kbm:3:"), "{err}");
    assert!(!names(&folder).contains(&"y.wav".to_string()));
}

/// A key to which a mapping gives no frequency is missing.
#[test]
fn missing_keys_are_told() {
    let folder = ready("missing");
    fs::write(folder.join("low.mid"), file(480, &[eight(0, [60, 40, 62, 40, 64, 41, 65, 67])])).unwrap();
    let (code, _, err) = play(&folder, &["forks.toml", "low.mid", "-q", "--audit", "a.json"]);
    assert_eq!(code, Some(0));
    let expected = "warning: 3 of the notes were not played: the instrument has no E2 (key 40) ×2, F2 (key 41); transpose the song, or choose an \
                    instrument that has them\n";
    assert_eq!(err, expected);
    let missing = &audit(&folder.join("a.json"))["missing_keys"];
    assert_eq!((missing[0]["note"].as_str(), missing[0]["count"].as_u64()), (Some("E2"), Some(2)));
    fs::write(folder.join("x.scl"), "x\n1\n2/1\n").unwrap();
    // Of twelve keys only C is mapped.
    fs::write(folder.join("x.kbm"), "12\n0\n127\n60\n60\n261.6\n1\n0\nx\nx\nx\nx\nx\nx\nx\nx\nx\nx\nx\n")
        .unwrap();
    let (code, _, err) =
        play(&folder, &["forks.toml", "song.mid", "-q", "--tuning", "x.scl", "--keyboard", "x.kbm"]);
    assert_eq!(code, Some(0), "{err}");
    assert!(
        err.starts_with("warning: 6 of the notes were not played: the instrument has no D4 (key 62)"),
        "{err}"
    );
}

#[test]
fn scores_are_played_and_their_mistakes_have_a_place() {
    let folder = ready("score");
    let score = |second: &str| {
        format!(
            "score = [\n{{ tempo = 120 }},\n{{ notes = \"C4\", length = \"1/4\", dynamic = \"f\" }},\n{{ notes = \"{second}\", length = \"1/4\" }}]"
        )
    };
    fs::write(folder.join("x.toml"), score("E4")).unwrap();
    let (code, _, err) = play(&folder, &["forks.toml", "x.toml", "--audit", "x.json", "-q"]);
    assert_eq!((code, err.as_str()), (Some(0), ""));
    assert_eq!(audit(&folder.join("x.json"))["notes"].as_u64(), Some(2));
    assert!(names(&folder).contains(&"x.wav".to_string()));
    fs::write(folder.join("y.toml"), score("X9")).unwrap();
    let (code, _, err) = play(&folder, &["forks.toml", "y.toml"]);
    assert_eq!(code, Some(2));
    assert!(err.starts_with("error: y.toml:4:11: score entry 3: ") && err.lines().count() == 1, "{err}");
    assert_eq!(play(&folder, &["forks.toml"]).0, Some(2));
}

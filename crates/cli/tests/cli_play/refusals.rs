//! Invalid input: exit code 2, the place of the mistake, and no file written or destroyed.

use super::{FORKS, play, ready};
use crate::program::{hamiltone, names};
use std::fs;

#[test]
fn a_malformed_song_is_refused_at_its_byte() {
    let folder = ready("malformed");
    let song = fs::read(folder.join("song.mid")).unwrap();
    fs::write(folder.join("x.wav"), "of an earlier run").unwrap();
    let before = names(&folder);
    // A byte of the header, the end cut off, a note of key 200, and nothing at all.
    let mut letter = song.clone();
    letter[1] = b'x';
    let mut key = song.clone();
    key[24] = 200;
    for (bytes, at) in
        [(&letter[..], 0..4), (&song[..song.len() - 3], 18..song.len()), (&key, 24..25), (&[], 0..1)]
    {
        fs::write(folder.join("song.mid"), bytes).unwrap();
        let (code, out, err) = play(&folder, &["forks.toml", "song.mid", "-o", "x.wav", "--audit", "x.json"]);
        assert_eq!((code, out.as_str()), (Some(2), ""), "{err}");
        let place =
            err.strip_prefix("error: song.mid: this is not a Standard MIDI File: byte ").expect("its place");
        let offset: usize = place.split(' ').next().unwrap().parse().unwrap();
        assert!(at.contains(&offset) && err.lines().count() == 1, "{err}");
        assert_eq!(names(&folder), before);
        assert_eq!(fs::read(folder.join("x.wav")).unwrap(), b"of an earlier run");
    }
}

#[test]
fn no_input_is_written_over() {
    let folder = ready("over");
    fs::write(folder.join("x.scl"), "x\n2\n150.\n2/1\n").unwrap();
    fs::write(folder.join("x.wav"), "x").unwrap();
    fs::copy(folder.join("song.mid"), folder.join("song.wav")).unwrap();
    let before: Vec<Vec<u8>> =
        names(&folder).iter().map(|name| fs::read(folder.join(name)).unwrap()).collect();
    for (song, more, refused) in [
        ("song.mid", &["--audit", "forks.toml"][..], "forks.toml"),
        ("song.mid", &["--audit", "song.mid"], "song.mid"),
        ("song.mid", &["--audit", "./x.scl", "--tuning", "x.scl"], "./x.scl"),
        ("song.mid", &["-o", "x.wav", "--audit", "x.wav"], "x.wav"),
        ("song.wav", &[], "song.wav"),
        ("song.wav", &["-o", "song"], "song"),
    ] {
        let (code, _, err) = play(&folder, &[&["forks.toml", song], more].concat());
        if refused == "song" {
            // Another name.
            assert_eq!(code, Some(0), "{err}");
            fs::remove_file(folder.join("song")).unwrap();
            continue;
        }
        assert_eq!(code, Some(2), "{err}");
        assert!(err.contains(" are the same file") && err.contains(&format!("`{refused}`;")), "{err}");
        let after: Vec<Vec<u8>> =
            names(&folder).iter().map(|name| fs::read(folder.join(name)).unwrap()).collect();
        assert!(after == before, "{refused}");
    }
}

#[test]
fn what_is_wrong_is_told_once_at_its_line() {
    let folder = ready("wrong");
    for (from, to, expected) in [
        ("mass = \"2 g\"", "mass = \"-2 g\"", "x.toml:7:8: body `fork-60`: `mass` "),
        ("mass = \"2 g\"", "mass = \"{2 +} g\"", "x.toml:7:13: the formula `2 +`: "),
        (
            "{0.2 + 0.3*velocity}",
            "{0.2 + volume}",
            "x.toml:16:17: the formula `0.2 + volume`: there is no variable",
        ),
        ("[instrument]\n", "[instruments]\n", "x.toml:"),
        ("keys = \"C4..C5\"", "keys = \"C5..C4\"", "x.toml:4:8: instrument: `keys` begins above its end"),
        ("at = \"fork\"\nspeed", "at = \"spoon\"\nspeed", "x.toml:15:6: "),
    ] {
        fs::write(folder.join("x.toml"), FORKS.replacen(from, to, 1)).unwrap();
        let (code, _, err) = play(&folder, &["x.toml", "song.mid"]);
        assert_eq!(code, Some(2), "{err}");
        assert!(err.starts_with(&format!("error: {expected}")), "{expected}: {err}");
        assert!(from.contains("instrument]") || err.lines().count() == 1, "{err}");
    }
    assert_eq!(names(&folder), ["forks.toml", "song.mid", "x.toml"]);
    let cases: [(&[&str], &str); 6] = [
        (&["none.toml", "song.mid"], "error: none.toml"),
        (&["forks.toml", "none.mid"], "error: `none.mid` cannot be read: "),
        (&["forks.toml", "."], "error: `.` cannot be read: "),
        (&["forks.toml", "song.mid", "-o", "x.mp3"], "error: `x.mp3`: sounds are written as .wav or .flac"),
        (
            &["forks.toml", "song.mid", "--set", "key.body.fork.mass=0"],
            "error: --set key.body.fork.mass=0: body `fork-60`: ",
        ),
        (&["forks.toml", "song.mid", "--limit", "music=10B"], "error: `song.mid` cannot be read: it has "),
    ];
    for (arguments, expected) in cases {
        let (code, _, err) = play(&folder, arguments);
        assert_eq!(code, Some(2), "{err}");
        assert!(err.starts_with(expected) && err.lines().count() == 1, "{expected}: {err}");
    }
}

/// A scene is told from an instrument by one message, with the command that is meant.
#[test]
fn a_scene_is_told_from_an_instrument() {
    let folder = ready("told");
    let scene = crate::program::scene("damped_oscillator.toml");
    let (code, _, err) = play(&folder, &[&scene, "song.mid"]);
    let told = format!("render it with `hamiltone render {scene} -o out.wav`");
    assert!(code == Some(2) && err.lines().count() == 1 && err.contains(&told), "{err}");
    let (output, _, err) = hamiltone(&folder, &["render", "forks.toml"]);
    assert_eq!((output.status.code(), err.lines().count()), (Some(2), 1), "{err}");
    let told = "play it with `hamiltone play forks.toml SONG.mid -o out.wav`";
    assert!(err.contains("this is an instrument, not a scene") && err.contains(told), "{err}");
}

/// Songs, scores and scales are read up to their limits, of a device without end no more than that.
#[test]
fn what_is_played_has_limits() {
    let folder = ready("limits");
    fs::write(folder.join("x.scl"), "x\n2\n150.\n2/1\n").unwrap();
    fs::write(folder.join("x.toml"), "[[score]]\ntempo = 60\n").unwrap();
    let mut cases: Vec<(&[&str], &str)> = vec![
        (&["song.mid", "--limit", "music=10B"], "`song.mid` cannot be read: it has "),
        (&["x.toml", "--limit", "music=10B"], "`x.toml` cannot be read: it has 21 B, but at most 10 B"),
        (&["song.mid", "--tuning", "x.scl", "--limit", "tuning=10B"], "`x.scl` cannot be read: it has 13 B"),
    ];
    if cfg!(target_os = "linux") {
        cases.push((
            &["/dev/zero"],
            "`/dev/zero` cannot be read: it has more than 20 MB, which is the limit; give a file that ends, or raise the \
             limit: --limit music=40MB",
        ));
    }
    for (arguments, expected) in cases {
        let (code, _, err) = play(&folder, &[&["forks.toml"], arguments].concat());
        assert!(code == Some(2) && err.contains(expected) && err.contains("--limit "), "{expected}: {err}");
    }
}

/// The space that a performance may need is known before it: one that no disk holds is refused at once, and nothing is left of it.
#[cfg(unix)]
#[test]
fn a_performance_that_no_disk_holds_is_refused_before_it_begins() {
    let folder = ready("space");
    let before = names(&folder);
    // One tick a quarter of 16.777 s, and a note of 5149 of them: a day, of 128 channels of doubles 68 TB.
    let mut song = b"MThd\0\0\0\x06\0\0\0\x01\0\x01MTrk\0\0\0\x14".to_vec();
    song.extend([0, 0xff, 0x51, 3, 0xff, 0xff, 0xff, 0, 0x90, 60, 90, 0xa8, 0x1d, 0x80, 60, 0]);
    song.extend([0, 0xff, 0x2f, 0]);
    fs::write(folder.join("song.mid"), song).unwrap();
    let every = ["--set", "instrument.keys=C-1..G9", "--set", "output.channels=pickups", "--rate", "384000"];
    let rest = ["forks.toml", "song.mid", "-o", "x.wav", "--format", "64-bit float"];
    let (code, _, err) = play(&folder, &[&rest[..], &every].concat());
    assert_eq!(code, Some(2), "{err}");
    // What it keeps meanwhile and the file are doubles of every channel: as much each.
    let amounts: Vec<&str> =
        err.split("`x.wav` ").skip(1).filter_map(|rest| rest.split([',', ')']).next()).collect();
    assert!(err.contains("the files need ") && amounts.len() == 2 && amounts[0] == amounts[1], "{err}");
    assert_eq!(names(&folder), before);
}

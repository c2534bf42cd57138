//! `hamiltone play` of an ensemble: what is heard is the sum of its instruments, and what only one instrument can do is refused.

use super::{FORKS, SCALE, eight, play, ready};
use crate::program::{Folder, audit, hamiltone, names};
use hamiltone_numerics::math;
use hamiltone_plan::mix::decibels;
use hamiltone_play::midi::write::{Track, file};
use std::{f64::consts::FRAC_PI_8, fs};

/// The forks at both sides, and tines that are longer in the middle.
const THREE: &str = r#"title = "Three"
gain = "-6 dB"
[[player]]
instrument = "forks.toml"
part = 1
pan = -1
[[player]]
instrument = "tines.toml"
part = 4
gain = "2 dB"
[[player]]
instrument = "forks.toml"
part = 4
pan = 0.5
"#;

/// A folder with an ensemble and a song of two parts.
fn ensemble(name: &str) -> Folder {
    let folder = ready(name);
    // Two steps a sample: its sound is behind that of the others by the delay of a low-pass.
    let tines = FORKS.replace("decay_time = \"0.3 s\"", "decay_time = \"1 s\"") + "[run]\noversampling = 2\n";
    fs::write(folder.join("tines.toml"), tines).unwrap();
    fs::write(folder.join("three.toml"), THREE).unwrap();
    fs::write(folder.join("two.mid"), file(480, &[eight(0, SCALE), eight(3, [72; 8])])).unwrap();
    folder
}

/// Left and right of a file of 64-bit floats.
fn samples(folder: &Folder, name: &str) -> Vec<[f64; 2]> {
    let bytes = fs::read(folder.join(name)).unwrap();
    let data = bytes.windows(4).position(|word| word == b"data").unwrap() + 8;
    let numbers: Vec<f64> = bytes[data..].as_chunks::<8>().0.iter().map(|x| f64::from_le_bytes(*x)).collect();
    numbers.as_chunks::<2>().0.to_vec()
}

/// w(−1) = (1, 0) and w(0.5) = (sin 22.5°, cos 22.5°), each times √2.
#[test]
fn it_is_the_sum_of_its_instruments() {
    let folder = ensemble("sum");
    let float = ["--format", "64-bit float", "-q"];
    let sound = |name: &str, arguments: &[&str]| {
        let (code, _, err) = play(&folder, &[arguments, &["two.mid", "-o", name], &float].concat());
        assert_eq!(code, Some(0), "{err}");
        samples(&folder, name)
    };
    let all = sound("all.wav", &["three.toml", "--threads", "2", "--audit", "all.json"]);
    assert!(all == sound("one.wav", &["three.toml", "--threads", "1"]));
    let alone = [("forks.toml", "1"), ("tines.toml", "4"), ("forks.toml", "4")];
    let alone = alone.map(|(instrument, part)| sound("alone.wav", &[instrument, "--part", part]));
    let (sin, cos) = (math::sin(FRAC_PI_8), math::cos(FRAC_PI_8));
    let root = 2f64.sqrt();
    let gains = [
        [root * decibels(-6.0), 0.0],
        [decibels(-4.0); 2],
        [root * sin * decibels(-6.0), root * cos * decibels(-6.0)],
    ];
    assert_eq!(all.len(), alone.iter().map(Vec::len).max().unwrap());
    for (n, frame) in all.iter().enumerate() {
        for side in 0..2 {
            let parts = alone.iter().zip(&gains).filter_map(|(x, gains)| Some(gains[side] * x.get(n)?[side]));
            let (sum, size) = parts.fold((0.0, 0.0), |(sum, size), x: f64| (sum + x, size + x.abs()));
            // Some roundings of each factor, product and sum.
            assert!((frame[side] - sum).abs() <= 16.0 * f64::EPSILON * size, "frame {n}: {frame:?}, {sum}");
        }
    }
    let audit = audit(&folder.join("all.json"));
    let players = audit["players"].as_array().unwrap();
    let total: f64 = players.iter().map(|player| player["supplied"].as_f64().unwrap()).sum();
    let supplied = audit["supplied"].as_f64().unwrap();
    assert!((supplied - total).abs() <= 8.0 * f64::EPSILON * total && total > 0.0, "{supplied}, {total}");
    assert_eq!((audit["ok"].as_bool(), audit["notes"].as_u64(), players.len()), (Some(true), Some(24), 3));
}

#[test]
fn what_is_left_out_is_told() {
    let folder = ensemble("left_out");
    let warned = |ensemble: &str, song: &str| {
        fs::write(folder.join("x.toml"), ensemble).unwrap();
        let (code, _, err) = play(&folder, &["x.toml", song, "-q"]);
        (code, err)
    };
    let only = "[[player]]\ninstrument = \"forks.toml\"\npart = 1\n";
    let expected = "warning: no player has these parts of the song: 4\n";
    assert_eq!(warned(only, "two.mid"), (Some(0), expected.into()));
    let expected = "warning: player 2 is silent: the song has no part 4, but 1\n";
    let second = format!("{only}[[player]]\ninstrument = \"forks.toml\"\npart = 4\n");
    assert_eq!(warned(&second, "song.mid"), (Some(0), expected.into()));
    let (code, err) = warned(&format!("gain = 41.1\n{only}"), "song.mid");
    let expected = "warning: bus `main` exceeds full scale by";
    assert!(code == Some(0) && err.starts_with(expected), "{err}");
    // To a tenth of a decibel.
    let advice = err.split("add --set gain=\"").nth(1).and_then(|rest| rest.split(" dB").next()).unwrap();
    assert!(advice.len() <= 4 && advice.parse::<f64>().unwrap() < 41.1, "{err}");
    // Each player by itself.
    fs::write(folder.join("low.mid"), file(480, &[eight(0, [40; 8]), eight(3, SCALE)])).unwrap();
    let (code, err) = warned(&second, "low.mid");
    let expected =
        "warning: player 1 (Forks): 8 of the notes were not played: the instrument has no E2 (key 40) ×8;";
    assert!(code == Some(0) && err.starts_with(expected), "{err}");
    let (code, err) = warned(only, "low.mid");
    let expected =
        "error: no instrument of the ensemble has any of the 8 notes of the song, from E2 (key 40) on";
    assert!(code == Some(2) && err.starts_with(expected), "{err}");
    fs::write(folder.join("empty.mid"), file(480, &[Track::default()])).unwrap();
    assert_eq!(warned(only, "empty.mid"), (Some(0), "warning: the song has no notes\n".into()));
}

/// The sum of the channels of a bus that is not left and right is at the pan: in the centre as loud on both sides; other buses are left out.
#[test]
fn buses_of_other_channels_are_added() {
    let folder = ensemble("buses");
    let sound = |more: &str| {
        fs::write(folder.join("other.toml"), format!("{FORKS}{more}")).unwrap();
        fs::write(folder.join("x.toml"), "[[player]]\ninstrument = \"other.toml\"\n").unwrap();
        let arguments = ["x.toml", "song.mid", "-q", "-o", "x.wav", "--format", "64-bit float"];
        let (code, _, err) = play(&folder, &arguments);
        assert_eq!(code, Some(0), "{err}");
        (samples(&folder, "x.wav"), err)
    };
    let (mono, silent) = sound("[output]\nchannels = \"mono\"\n");
    let (separate, _) = sound("[output]\nchannels = \"pickups\"\n");
    let level = |sound: &[[f64; 2]]| sound.iter().map(|frame| frame[0].abs()).fold(0.0, f64::max);
    assert!(level(&mono) > 1e-3 && mono.iter().all(|frame| frame[0] == frame[1]) && silent.is_empty());
    let apart = mono.iter().zip(&separate).map(|(a, b)| (a[0] - b[0]).abs()).fold(0.0, f64::max);
    assert!(apart <= 1e-14 * level(&mono), "{apart}");
    let (_, warned) = sound("[bus.room]\n[key.pickup.far]\nat = \"fork\"\nbus = \"room\"\n");
    assert_eq!(warned, "warning: player 1 (Forks): its bus `room` is left out\n");
}

/// A fork still rings where the tail is cut off, much softer than another that does not: what is left of the peak of the sum follows its gain.
#[test]
fn what_is_left_is_of_the_sum() {
    let folder = ensemble("end");
    let long = FORKS.replace("decay_time = \"0.3 s\"", "decay_time = \"100 s\"");
    fs::write(folder.join("long.toml"), long).unwrap();
    let end = |gain: f64| {
        let text = format!(
            "[[player]]\ninstrument = \"forks.toml\"\n[[player]]\ninstrument = \"long.toml\"\ngain = {gain}\n"
        );
        fs::write(folder.join("x.toml"), text).unwrap();
        let arguments = ["x.toml", "song.mid", "-q", "--tail", "1", "--audit", "x.json"];
        assert_eq!(play(&folder, &arguments).0, Some(0));
        audit(&folder.join("x.json"))["end_db"].as_f64().unwrap()
    };
    let (loud, soft) = (end(-40.0), end(-80.0));
    assert!((-45.0..-25.0).contains(&loud) && (loud - soft - 40.0).abs() < 0.5, "{loud} {soft}");
}

#[test]
fn what_only_an_instrument_can_do_is_refused() {
    let folder = ensemble("refused");
    let before = names(&folder);
    for (arguments, expected) in [
        (&["--part", "1"][..], "error: --part is for one instrument: in an ensemble each [[player]]"),
        (&["--checkpoint", "a"], "error: --checkpoint is for one instrument"),
        (&["--set", "player.0.pan=2"], "error: --set player.0.pan=2: player 1: `pan` is 2"),
        (
            &["--set", "player.0.instrument=\"none.toml\""],
            "error: --set player.0.instrument=\"none.toml\": player 1: `instrument`: there is no file",
        ),
        (
            &["--set", "player.0.instrument=\"three.toml\""],
            "error: three.toml:3:1: this is an ensemble, not an instrument",
        ),
        (&["--format", "8-bit"], "error: --format 8-bit: the ensemble: `output`: `format` is not `8-bit`"),
        (&["--set", "player.0.part=5000"], "error: --set player.0.part=5000: player 1: `part` is 5000"),
        (&["--limit", "players=2"], "error: three.toml:3:1: the ensemble has 3, but at most 2 are allowed"),
    ] {
        let (code, _, err) = play(&folder, &[&["three.toml", "two.mid"], arguments].concat());
        assert!(code == Some(2) && err.starts_with(expected), "{arguments:?}: {err}");
    }
    for command in ["render", "check"] {
        let (output, _, err) = hamiltone(&folder, &[command, "three.toml"]);
        assert!(output.status.code() == Some(2) && err.contains("this is an ensemble, not a scene"), "{err}");
    }
    assert_eq!(names(&folder), before, "nothing is written");
}

//! The table of an instrument of known levels, pitches and decays.

use super::{FORKS, ready, rows, survey};
use crate::program::names;
use hamiltone_numerics::math::{log10, pow};
use std::fs;

#[test]
fn a_survey_of_forks_has_what_their_file_states() {
    let folder = ready("forks");
    let arguments = ["forks.toml", "--velocities", "100,50", "-o", "new/forks"];
    let (code, out, err) = survey(&folder, &arguments);
    assert_eq!((code, err.as_str()), (Some(0), ""), "{out}");
    let table = rows(&folder.join("new/forks/survey.csv"));
    let notes: Vec<(&str, &str)> =
        table.iter().map(|row| (row["key"].as_str(), row["velocity"].as_str())).collect();
    assert_eq!(notes, [("A4", "50"), ("A4", "100"), ("A#4", "50"), ("A#4", "100")]);
    let number = |row: usize, column: &str| -> f64 {
        let text = &table[row][column];
        text.parse().unwrap_or_else(|_| panic!("{column} of row {row} is `{text}`"))
    };
    for (row, cells) in table.iter().enumerate() {
        assert_eq!(cells["balanced"], "true");
        let cents = if row < 2 { 0.0 } else { -3.0 };
        assert!((number(row, "partial_1_cents") - cents).abs() < 0.01);
        // `decay_time` is T60. A window of 0.1 s and more has an exact slope of an exponential decay.
        assert!((number(row, "partial_1_t60_prompt_s") - 1.0).abs() < 1e-3);
        // 120 dB are gone after 2 s.
        assert_eq!(cells["partial_1_t60_late_s"], "");
        assert!(number(row, "latency_s") < 1e-3 && cells["partial_2_cents"].is_empty());
    }
    // Twice the speed of A4 is 6.02 dB, and from velocity 50 to 100 the speed rises by (0.1 + 0.4·100/127)/(0.1 + 0.4·50/127).
    let step = |a: usize, b: usize| number(b, "level_db") - number(a, "level_db");
    let louder = 20.0 * log10((0.1 + 0.4 * 100.0 / 127.0) / (0.1 + 0.4 * 50.0 / 127.0));
    assert!((step(0, 1) - louder).abs() < 0.01 && (step(0, 2) - 20.0 * log10(2.0)).abs() < 0.05);
    // 1 s after the beginning of the first window the second has fallen by 60 dB.
    assert!((number(0, "level_db") - number(0, "late_level_db") - 60.0).abs() < 0.1);
    // A fork that is struck again still rings 30 dB lower, after 220 periods of A4 in phase with the stroke.
    let added = 20.0 * log10(1.0 + pow(10.0, -1.5));
    assert!((0..2).all(|row| (number(row, "repeat_db") - added).abs() < 0.01));
    assert!((2..4).all(|row| number(row, "repeat_db").abs() < added));
    for told in [
        "  played     2 keys, A4 to A#4, at velocity 50, 100: 4.5 s each at 48000 Hz, and again after 0.5 s\n",
        "  neighbours +6.0 dB from A4 to A#4 at velocity ",
        "  tuning     −3.00 to 0.00 cents from equal temperament; A4 = 440 Hz\n",
        "  repeated   ",
        "  balance    exact: ",
        "longest block ",
        "  wrote      new/forks/survey.csv, new/forks/index.html, new/forks/survey.svg\n",
    ] {
        assert!(out.contains(told), "no `{told}` in {out}");
    }
    let page = fs::read_to_string(folder.join("new/forks/index.html")).unwrap();
    for part in
        ["<h1>Forks</h1>", "velocity 50", "Spectral centroid", "Decay of the first partial, prompt", "A#4"]
    {
        assert!(page.contains(part), "`{part}` is missing");
    }
    let picture = fs::read_to_string(folder.join("new/forks/survey.svg")).unwrap();
    assert!(picture.starts_with("<svg") && picture.contains("Spectral centroid") && !picture.contains("NaN"));
    assert!(
        !page.contains("NaN")
            && !page.contains(">inf<")
            && !page.contains("Decay of the first partial, late")
    );
}

/// The same bits on one thread and on three; a good survey takes the place of an earlier one.
#[test]
fn a_table_does_not_depend_on_threads() {
    let folder = ready("threads");
    let read = || {
        ["survey.csv", "index.html", "survey.svg"].map(|name| fs::read(folder.join("x").join(name)).unwrap())
    };
    let run = |threads: &str| {
        let arguments = ["forks.toml", "-o", "x", "--seconds", "700 ms", "--threads", threads, "-q"];
        let (code, out, err) = survey(&folder, &arguments);
        assert_eq!((code, out.as_str(), err.as_str()), (Some(0), "", ""));
        read()
    };
    fs::create_dir(folder.join("x")).unwrap();
    fs::write(folder.join("x/survey.failed.csv"), "of an earlier run").unwrap();
    assert!(run("1") == run("3"));
    assert_eq!(names(&folder.join("x")), ["index.html", "survey.csv", "survey.svg"]);
}

/// A reed sounds at what all harmonics say, of a short sound as well; a tone that decays at its first partial.
#[test]
fn what_is_blown_sounds_at_the_frequency_with_which_it_repeats_itself() {
    let folder = ready("blown");
    let reed = concat!(env!("CARGO_MANIFEST_DIR"), "/../../instruments/clarinet.toml");
    let pitch = |instrument: &str, key: &str, seconds: &str| {
        let arguments =
            [instrument, "--keys", key, "--velocities", "64", "--seconds", seconds, "-o", "pitch"];
        let (code, out, err) = survey(&folder, &arguments);
        assert_eq!((code, err.as_str()), (Some(0), ""), "{out}");
        let row = rows(&folder.join("pitch/survey.csv")).remove(0);
        ["pitch_cents", "partial_1_cents"].map(|column| row[column].parse::<f64>().ok())
    };
    let [long, short] = ["2.5", "1"].map(|seconds| pitch(reed, "C4", seconds)[0].expect("a pitch"));
    // Within what docs/tuning.md states of it, and settled within a second.
    assert!(long.abs() < 2.5 && (long - short).abs() < 0.5, "{long} and {short} cents");
    let forks = pitch("forks.toml", "A#4", "1");
    assert!(forks[0].is_some() && (forks[0].unwrap() - forks[1].unwrap()).abs() < 1e-9, "{forks:?}");
    // Too short for all harmonics.
    let [short, first] = pitch(reed, "D3", "0.3");
    assert!(short.is_some() && (short.unwrap() - first.unwrap()).abs() < 1e-9, "{short:?}");
}

/// A key that is 40 cents flat, and one that is far off: told by their names.
#[test]
fn keys_that_are_out_of_tune_are_named() {
    let folder = ready("tune");
    let flat = FORKS.replacen("-3/1200", "-40/1200", 1);
    fs::write(folder.join("flat.toml"), &flat).unwrap();
    let arguments = ["flat.toml", "--velocities", "64", "--seconds", "1"];
    let (_, out, _) = survey(&folder, &arguments);
    assert!(out.contains("1 of 2 more than 5 cents from equal temperament: A#4 −40.0 cents"), "{out}");
    fs::write(folder.join("flat.toml"), flat.replacen("-40/1200", "-140/1200", 1)).unwrap();
    let (code, out, _) = survey(&folder, &arguments);
    assert!(code == Some(0) && out.contains("no pitch is heard near the frequency of A#4"), "{out}");
}

/// A note that overflows makes the survey fail, and its files say so; those of an earlier survey stay.
#[test]
fn a_note_that_fails_makes_the_survey_fail() {
    let folder = ready("failed");
    fs::write(folder.join("x.toml"), FORKS.replace("(0.1 + 0.4*velocity)", "if(velocity > 0.6, 1e200, 1)"))
        .unwrap();
    fs::create_dir(folder.join("x")).unwrap();
    fs::write(folder.join("x/survey.csv"), "of an earlier run").unwrap();
    let arguments = ["x.toml", "--keys", "A4", "--velocities", "64,100", "--seconds", "1", "-o", "x"];
    let (code, out, err) = survey(&folder, &arguments);
    assert_eq!(code, Some(1), "{out}{err}");
    // After the warning of the speed.
    assert!(err.contains("\nerror: A4 at velocity 100: `fork-69` was muted at step "), "{err}");
    assert_eq!(
        names(&folder.join("x")),
        ["index.failed.html", "survey.csv", "survey.failed.csv", "survey.failed.svg"]
    );
    let table = rows(&folder.join("x/survey.failed.csv"));
    assert_eq!([&table[0]["balanced"], &table[1]["balanced"]], ["true", "false"]);
}

//! Sweeps: rows, reasons, journals, shards.

use crate::program::{folder, hamiltone, names, scene};
use std::{fs, path::Path, process::Command, thread, time::Duration};

const LENGTHS: &str = "body.string.length=0.5 m:0.7 m:8";

/// The rows of a table, cell by cell.
fn rows(path: &Path) -> Vec<Vec<String>> {
    let text = fs::read_to_string(path).unwrap();
    text.lines().map(|line| line.split(',').map(str::to_string).collect()).collect()
}

#[test]
fn every_combination_is_a_row_and_equal_sweeps_are_equal_files() {
    let here = folder("sweep");
    let string = scene("plucked_string.toml");
    let over = ["--over", LENGTHS, "--over", "drive.finger.at=string@0.1:string@0.2:2"];
    let run = |output: &str, more: &[&str]| {
        let arguments = [&["sweep", &string, "--duration", "0.1 s", "-o", output], &over[..], more].concat();
        let (output, out, err) = hamiltone(&here, &arguments);
        assert_eq!(output.status.code(), Some(0), "{err}");
        out
    };
    let out = run("a.csv", &[]);
    assert!(out.contains("runs       16: 16 green"), "{out}");
    run("b.csv", &["--threads", "1", "-q"]);
    assert_eq!(fs::read(here.join("a.csv")).unwrap(), fs::read(here.join("b.csv")).unwrap());
    let table = rows(&here.join("a.csv"));
    assert_eq!(table.len(), 17);
    assert_eq!(table[0][..4], ["run", "body.string.length", "drive.finger.at", "verdict"]);
    assert_eq!(table[1][..4], ["0", "0.5", "string@0.1", "green"]);
    assert_eq!(table[2][2], "string@0.2");
    // The parts of a sweep are its rows.
    run("1.csv", &["--shard", "1/3"]);
    run("2.csv", &["--shard", "2/3"]);
    run("3.csv", &["--shard", "3/3"]);
    let mut parts: Vec<_> =
        ["1.csv", "2.csv", "3.csv"].iter().flat_map(|name| rows(&here.join(name)).split_off(1)).collect();
    parts.sort_by_key(|row| row[0].parse::<u32>().unwrap());
    assert_eq!(parts, table[1..]);
    assert_eq!(names(&here), ["1.csv", "2.csv", "3.csv", "a.csv", "b.csv"], "journals are removed");
}

#[test]
fn what_fails_is_a_row_with_its_reason() {
    let here = folder("reasons");
    let over = "run.scheme=[\"modal-ec\", \"vv\", \"nothing\", \"quadratic\"]";
    let arguments =
        ["sweep", &scene("plucked_string.toml"), "--duration", "50 ms", "--over", over, "-o", "t.csv"];
    let (output, _, err) = hamiltone(&here, &arguments);
    assert_eq!(output.status.code(), Some(0), "{err}");
    let text = fs::read_to_string(here.join("t.csv")).unwrap();
    assert!(text.contains("0,modal-ec,green,,"), "{text}");
    assert!(text.contains("2,nothing,invalid,"), "{text}");
    assert!(text.contains("3,quadratic,refused,") || text.contains("3,quadratic,invalid,"), "{text}");
}

#[test]
fn what_is_no_sweep_is_refused_and_writes_nothing() {
    let here = folder("refused");
    let string = scene("plucked_string.toml");
    for (more, says) in [
        (&["--over", "body.string.length=0.5 m:0.7 m", "-o", "t.csv"][..], "no range"),
        (&["--over", LENGTHS, "-o", "t.txt"], "tables are written as .csv or .parquet"),
        (&["--over", LENGTHS, "--over", LENGTHS, "-o", "t.csv"], "swept over twice"),
        (&["--over", "body.strng.length=1:2:3", "-o", "t.csv"], "`kind` is missing"),
        (&["--over", "body.string.lenght=1:2:3", "-o", "t.csv"], "there is no key `lenght`"),
        (&["--over", LENGTHS, "--shard", "9/9", "-o", "t.csv"], "has no runs"),
        (&["--over", LENGTHS, "-o", "/proc/t.csv"], "cannot write"),
        (&["--over", "body.string=1:2:3", "-o", "t.csv"], "is a table, not a value"),
        (&["--over", LENGTHS, "--shard", "3/2", "-o", "t.csv"], "there is no part 3 of 2"),
        (&["--over", LENGTHS, "--shard", "x", "-o", "t.csv"], "such as 2/4"),
        (&["--over", LENGTHS, "-o", "t.csv", "--set", "run=1"], "is a table, not a value"),
        (&["-o", "t.csv"], "--over"),
        (&["--over", LENGTHS, "-o", "."], "one would be a folder"),
    ] {
        let arguments = [&["sweep", &string], more].concat();
        let (output, _, err) = hamiltone(&here, &arguments);
        assert_eq!(output.status.code(), Some(2), "{more:?}: {err}");
        assert!(err.contains(says), "{more:?}: {err}");
        assert!(names(&here).is_empty(), "{more:?}");
    }
}

#[test]
fn a_killed_sweep_continues_and_another_does_not_take_its_journal() {
    let here = folder("killed");
    let string = scene("plucked_string.toml");
    let sweep = |over: &'static str| {
        ["sweep", &string, "--duration", "1 s", "--threads", "1", "-o", "t.csv", "--over", over]
            .map(str::to_string)
    };
    let many = "body.string.length=0.5 m:0.7 m:40";
    let journal = here.join("t.csv.journal");
    let finished =
        || fs::read(&journal).map_or(0, |bytes| bytes.iter().filter(|byte| **byte == b'\n').count());
    let mut process =
        Command::new(env!("CARGO_BIN_EXE_hamiltone")).current_dir(&*here).args(sweep(many)).spawn().unwrap();
    while finished() < 4 {
        assert!(process.try_wait().unwrap().is_none(), "it ended before it could be killed");
        thread::sleep(Duration::from_millis(2));
    }
    process.kill().unwrap();
    process.wait().unwrap();
    let before = fs::read_to_string(&journal).unwrap();
    assert!(!here.join("t.csv").exists());
    let run = |over: &'static str| {
        let arguments = sweep(over);
        hamiltone(&here, &arguments.iter().map(String::as_str).collect::<Vec<_>>())
    };
    let (output, _, err) = run("body.string.length=0.5 m:0.7 m:41");
    assert_eq!(output.status.code(), Some(2));
    assert!(err.contains("another scene, other values"), "{err}");
    assert_eq!(fs::read_to_string(&journal).unwrap(), before, "the journal is as it was");
    let (output, out, err) = run(many);
    assert_eq!(output.status.code(), Some(0), "{err}");
    assert!(out.contains("continues  ") && out.contains("runs       40: 40 green"), "{out}");
    assert!(!out.contains("speed      40 runs"), "finished runs are not repeated: {out}");
    let numbers: Vec<String> =
        rows(&here.join("t.csv")).into_iter().skip(1).map(|row| row[0].clone()).collect();
    assert_eq!(numbers, (0..40).map(|number| number.to_string()).collect::<Vec<_>>());
}

#[test]
fn sounds_are_kept_where_they_are_asked_for() {
    let here = folder("audio");
    let over = "body.string.length=[0.6, -1, 0.7]";
    let string = scene("plucked_string.toml");
    let arguments = [
        "sweep",
        &string,
        "--duration",
        "50 ms",
        "--over",
        over,
        "-o",
        "t.parquet",
        "--keep-audio",
        "sounds",
    ];
    let (output, _, err) = hamiltone(&here, &arguments);
    assert_eq!(output.status.code(), Some(0), "{err}");
    assert_eq!(names(&here.join("sounds")), ["000000.wav", "000002.wav"]);
    assert!(fs::read(here.join("t.parquet")).unwrap().starts_with(b"PAR1"));
}

/// A table under the name of what the scene reads, and a journal's name that is taken.
#[test]
fn no_output_takes_the_place_of_an_input() {
    let here = folder("inputs");
    for name in ["carillon_bell.toml", "carillon_bell.csv"] {
        fs::copy(scene(name), here.join(name)).unwrap();
    }
    let before = fs::read(here.join("carillon_bell.csv")).unwrap();
    let over = "run.duration=[\"10 ms\", \"20 ms\"]";
    let run = |arguments: &[&str]| {
        let (output, _, err) = hamiltone(&here, arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {err}");
        err
    };
    let sweep = ["sweep", "carillon_bell.toml", "--over", over, "-o"];
    assert!(run(&[&sweep[..], &["carillon_bell.csv"]].concat()).contains("are the same file"));
    assert!(run(&[&sweep[..], &["t.csv", "--keep-audio", "."]].concat()).contains("holds an input"));
    // Files that only some runs read, or runs that are not valid.
    fs::copy(here.join("carillon_bell.csv"), here.join("other.csv")).unwrap();
    let name = "body.bell.file=[\"other.csv\", \"carillon_bell.csv\"]";
    let other = ["sweep", "carillon_bell.toml", "--over", name, "-o", "carillon_bell.csv"];
    assert!(run(&other).contains("are the same file"));
    let invalid =
        ["sweep", "carillon_bell.toml", "--over", "run.duration=[-1, -2]", "-o", "carillon_bell.csv"];
    assert!(run(&invalid).contains("are the same file"));
    assert!(run(&["compare", "carillon_bell.toml", "-o", "carillon_bell.csv"]).contains("are the same file"));
    fs::hard_link(here.join("carillon_bell.toml"), here.join("bell.svg")).unwrap();
    assert!(run(&["compare", "carillon_bell.toml", "--plot", "bell.svg"]).contains("are the same file"));
    assert!(run(&["compare", "carillon_bell.toml", "--plot", "chart.txt"]).contains("written as .svg"));
    assert_eq!(fs::read(here.join("carillon_bell.csv")).unwrap(), before);
    fs::write(here.join("t.csv.journal"), "notes").unwrap();
    assert!(run(&[&sweep[..], &["t.csv"]].concat()).contains("another scene"));
    assert_eq!(fs::read(here.join("t.csv.journal")).unwrap(), b"notes");
}

/// Wrong values are rows, also where all that is looked at before are wrong.
#[test]
fn wrong_values_of_a_path_that_exists_are_rows() {
    let here = folder("wrong");
    let string = scene("plucked_string.toml");
    let arguments = [
        "sweep",
        &string,
        "--duration",
        "20 ms",
        "--over",
        "body.string.length=[-1, 1, -1, 1, -1]",
        "-o",
        "t.csv",
    ];
    let (output, out, err) = hamiltone(&here, &arguments);
    assert_eq!(output.status.code(), Some(0), "{err}");
    assert!(out.contains("2 green, 3 invalid"), "{out}");
}

/// Sounds of a sweep can be compared: where the scene states no level, they are those of a render at the reference level.
#[test]
fn sounds_of_a_sweep_have_the_reference_level() {
    let here = folder("sweep-level");
    for (name, string) in [("3", scene("plucked_string.toml")), ("1", scene("string_barrier.toml"))] {
        let run = |arguments: &[&str]| {
            let (output, _, err) = hamiltone(&here, &[arguments, &["--duration", "20 ms", "-q"]].concat());
            assert_eq!(output.status.code(), Some(0), "{err}");
        };
        run(&["sweep", &string, "--over", "run.a4=[440]", "-o", "t.csv", "--keep-audio", name]);
        run(&["render", &string, "--set", "run.a4=440", "--set", "output.level=reference", "-o", "same.wav"]);
        run(&["render", &string, "--set", "run.a4=440", "-o", "other.wav"]);
        let [swept, same, other] = [format!("{name}/000000.wav"), "same.wav".into(), "other.wav".into()]
            .map(|file: String| fs::read(here.join(file)).unwrap());
        assert!(swept == same && swept != other, "format {name}");
    }
}

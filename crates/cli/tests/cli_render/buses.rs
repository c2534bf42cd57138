//! Buses and formats of sound files, as a user meets them.

use crate::program::{audit, folder, hamiltone, names};
use std::{fs, path::Path};

const SCENE: &str = "hamiltone = 2\nrun.duration = \"50 ms\"\n\
    body.fork = { kind = \"oscillator\", mass = \"2 g\", frequency = 440, velocity = 1 }\n\
    bus.dry = { channels = \"mono\", gain = -6 }\n[pickup.left]\nat = \"fork\"\n\
    [pickup.right]\nat = \"fork\"\nquantity = \"velocity\"\n[pickup.close]\nat = \"fork\"\nbus = \"dry\"\n";

/// The channels and the samples of a WAV file.
fn wav(path: &Path) -> (u16, Vec<i32>) {
    let reader = hound::WavReader::open(path).unwrap();
    (reader.spec().channels, reader.into_samples().map(Result::unwrap).collect())
}

/// One file for each bus, together; what is printed names them, their level and the full scale.
#[test]
fn each_bus_has_a_file() {
    let folder = folder("buses");
    fs::write(folder.join("x.toml"), SCENE).unwrap();
    let (output, out, err) =
        hamiltone(&folder, &["render", "x.toml", "-o", "out/y.wav", "--audit", "out/y.json"]);
    assert_eq!(output.status.code(), Some(0), "{err}");
    assert_eq!(names(&folder.join("out")), ["y.dry.wav", "y.json", "y.wav"]);
    assert_eq!([wav(&folder.join("out/y.wav")).0, wav(&folder.join("out/y.dry.wav")).0], [2, 1]);
    assert!(
        out.contains("level      reference: full scale = 10 mm (left), 10 m/s (right), 19.95 mm (close)"),
        "{out}"
    );
    // At the right 1 m/s of 10 m/s.
    assert!(
        out.contains("bus main: 2 channels, peak −20.0 dBFS") && out.contains("bus dry: 1 channel"),
        "{out}"
    );
    assert!(out.contains("out/y.wav, out/y.dry.wav, out/y.json"), "{out}");
    let written = &audit(&folder.join("out/y.json"))["output"];
    assert_eq!(
        (&written["buses"][1]["name"], &written["pickups"][0]["pan"]),
        (&"dry".into(), &(-1.0).into())
    );
    assert!((written["buses"][0]["peak_dbfs"].as_f64().unwrap() + 20.0).abs() < 0.01);

    // Neither file of a bus replaces an input or another output.
    fs::write(folder.join("z.dry.wav"), "mine").unwrap();
    for arguments in [["-o", "z.wav", "--audit", "z.dry.wav"], ["-o", "z.wav", "--audit", "z.dry.failed.wav"]]
    {
        let (output, _, err) = hamiltone(&folder, &[&["render", "x.toml"], &arguments[..]].concat());
        assert_eq!(output.status.code(), Some(2), "{err}");
        assert!(err.contains("the audit and the sound of bus `dry`") && err.contains("same file"), "{err}");
    }
    assert_eq!(fs::read_to_string(folder.join("z.dry.wav")).unwrap(), "mine");
}

/// The same integers in both formats; extensions of other formats, and floats in FLAC, are refused with what to write.
#[test]
fn the_extension_names_the_format() {
    let folder = folder("formats");
    fs::write(folder.join("x.toml"), SCENE).unwrap();
    for name in ["y.wav", "y.flac"] {
        let (output, _, err) = hamiltone(&folder, &["render", "x.toml", "-q", "-o", name]);
        assert_eq!(output.status.code(), Some(0), "{err}");
    }
    assert_eq!(names(&folder), ["x.toml", "y.dry.flac", "y.dry.wav", "y.flac", "y.wav"]);
    for (flac, other) in [("y.flac", "y.wav"), ("y.dry.flac", "y.dry.wav")] {
        let mut reader = claxon::FlacReader::open(folder.join(flac)).unwrap();
        let samples: Vec<i32> = reader.samples().map(Result::unwrap).collect();
        let (channels, stored) = wav(&folder.join(other));
        assert!(u32::from(channels) == reader.streaminfo().channels && samples == stored, "{flac}");
    }
    for (arguments, says) in [
        (vec!["-o", "y.ogg"], "`y.ogg`: sounds are written as .wav or .flac; use -o y.wav"),
        (
            vec!["-o", "z.flac", "--format", "32-bit float"],
            "FLAC stores integers, not floats: write format = \"24-bit\"",
        ),
        (vec!["-o", "-"], "cannot be written to standard output"),
    ] {
        let (output, _, err) = hamiltone(&folder, &[&["render", "x.toml"], &arguments[..]].concat());
        assert!(output.status.code() == Some(2) && err.contains(says), "{err}");
    }
    assert_eq!(names(&folder).len(), 5);
}

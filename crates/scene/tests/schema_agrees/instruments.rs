//! The schema of instruments: it accepts the shipped ones, and refuses what the program refuses.

use super::validator::Validator;
use hamiltone_scene::{instrument::Instrument, schema::instrument_schema};
use serde_json::Value;
use std::path::{Path, PathBuf};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../instruments")
}

fn json(text: &str) -> Value {
    serde_json::to_value(text.parse::<toml::Table>().unwrap()).unwrap()
}

#[test]
fn the_shipped_instruments_are_accepted() {
    let validator = Validator::new(&instrument_schema());
    let mut count = 0;
    for entry in std::fs::read_dir(folder()).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|extension| extension == "toml") {
            let text = std::fs::read_to_string(&path).unwrap();
            assert_eq!(validator.refusal(&json(&text)), None, "{}", path.display());
            count += 1;
        }
    }
    assert!(count >= 11, "{count} instruments");
}

/// Every section that instruments have, each with what it takes.
const INSTRUMENT: &str = r#"
hamiltone = 2
title = "Strings over a board"

[instrument]
strings = ["E2", 45]
frets = 2
sleep = "1e-12 J"

[table.mass]
points = [["E2", 12], [50, 2.5]]
over = "open"
interpolation = "geometric"

[run]
scheme = "modal-ec"
oversampling = 2

[body.board]
kind = "oscillator"
mass = "{2*50} g"
frequency = "{hz(30)} Hz"
decay_time = "0.1 s"

[string.body.string]
when = "{open > 0}"
kind = "oscillator"
mass = "{mass} g"
frequency = "{frequency} Hz"

[fret.body.finger]
kind = "oscillator"
mass = "1 g"
frequency = "5 Hz"

[fret.contact.skin]
between = ["finger", "string"]
law = "power"
stiffness = "1e3 N/m^1.5"
gap = "1 mm"

[string.pickup.bridge]
at = "string"
quantity = "velocity"

[pickup.board]
at = "board"
quantity = "velocity"

[output]
level = "gain 0 dB"

[[note_on]]
gesture = "pluck"
at = "string"
force = "{velocity} N"
delay = "{fret} ms"

[[note_on]]
when = "{fret > 0}"
gesture = "press"
at = "finger"
force = "1 N"

[[note_off]]
gesture = "release"
at = "string"
delay = "1 ms"

[[pedal_down]]
gesture = "strike"
at = "board"
speed = "1 m/s"

[[pedal_up]]
gesture = "release"
at = "string"
"#;

fn program_refuses(text: &str) -> bool {
    Instrument::new(text, "x.toml", &folder(), &[]).plan(48_000.0, None).is_err()
}

#[test]
fn schema_and_program_refuse_the_same_mistakes() {
    let validator = Validator::new(&instrument_schema());
    assert_eq!(validator.refusal(&json(INSTRUMENT)), None);
    let plan = Instrument::new(INSTRUMENT, "x.toml", &folder(), &[]).plan(48_000.0, None);
    assert!(plan.is_ok(), "{}", plan.err().unwrap());
    for (from, to) in [
        ("frets = 2", "fret = 2"),
        ("frets = 2", "frets = 2.5"),
        ("frets = 2", "keys = \"C2..C4\""),
        ("strings = [\"E2\", 45]", ""),
        ("strings = [\"E2\", 45]", "strings = []"),
        ("sleep = \"1e-12 J\"", "sleep = -1"),
        ("points = [[\"E2\", 12], [50, 2.5]]", "points = [[\"E2\", 12, 1]]"),
        ("points = [[\"E2\", 12], [50, 2.5]]", "points = []"),
        ("points = [[\"E2\", 12], [50, 2.5]]", ""),
        ("interpolation = \"geometric\"", "interpolation = \"cubic\""),
        ("[run]", "[run]\nduration = \"1 s\""),
        ("[run]", "[run]\nsample_rate = 48000"),
        ("[run]", "[drive.a]\nkind = \"constant\"\nat = \"board\"\nforce = \"1 N\"\n[run]"),
        ("[string.body.string]", "[key.body.none]\nkind = \"oscillator\"\n[string.body.string]"),
        ("when = \"{open > 0}\"", "when = 1"),
        ("when = \"{open > 0}\"", "when = \"open > 0\""),
        ("\nkind = \"oscillator\"\nmass = \"{mass} g\"", "\nkind = \"oszillator\"\nmass = \"{mass} g\""),
        ("mass = \"{mass} g\"", "mass = \"{mass} g\"\ncolour = \"red\""),
        ("mass = \"{mass} g\"", "mass = -1"),
        ("level = \"gain 0 dB\"", "level = \"peak -1 dBFS\""),
        ("delay = \"{fret} ms\"", "delay = -1"),
        ("delay = \"{fret} ms\"", "time = \"1 s\""),
        ("gesture = \"pluck\"", "gesture = \"throw\""),
        ("speed = \"1 m/s\"", ""),
        ("[[note_on]]", "[[note_one]]"),
        ("[[pedal_up]]", "[pedal_up]"),
    ] {
        let wrong = INSTRUMENT.replace(from, to);
        assert!(wrong != INSTRUMENT, "{from} is not in the instrument");
        // An unused template is a reference of a kind: to the players.
        let schema = validator.refusal(&json(&wrong)).is_some() || to.starts_with("[key.");
        assert!(schema && program_refuses(&wrong), "{to}: {schema} {}", program_refuses(&wrong));
    }
}

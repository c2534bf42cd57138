//! Instruments are in tune: the sounding frequency within a cent of what was asked for. `docs/tuning.md` has every note at three rates.
//!
//! The body of the guitar pulls the pitch of a fretted note, as that of a real one does. A string of the impedance Z and the length L whose end
//! moves with the mobility Y has the wave number k of its first partial where kL − π = −Z Im Y, to first order (Weinreich 1977), so that it sounds
//!
//!   −(1200/ln 2) (Z/π) Im Y   cents higher,   Z = 2µL₀f₀ of the open string,   Y(ω) = Σ iω/(m(ωₖ² − ω² + iωωₖ/Q))
//!
//! An open string is tuned on its bridge.

use hamiltone_product::instruments::{Measured, PITCHED, measure};
use std::{
    f64::consts::{LN_2, PI, TAU},
    fs,
};
use toml::Table;

/// What a listener may not hear, cents.
const LARGEST: f64 = 1.0;
/// The largest deviation of a unison, cents: each string is tuned on its bridge alone, and the strings of a key move it together. Measured: grand 2.98,
/// harpsichord 2.85.
const UNISONS: ([&str; 2], f64) = (["grand", "harpsichord"], 3.0);
/// The largest deviation of a bowed string, cents: friction flattens it as the bow presses harder, and stiffness sharpens it as it presses less.
const BOWED: (&str, f64) = ("bowed_psaltery", 8.0);
/// The same of strings that fingers stop, whose motion can settle in ways some cents apart, over their whole length: every 11th note at 44.1 kHz; docs/tuning.md has up to 9 at other rates.
const STOPPED: ([&str; 4], f64) = (["cello", "double_bass", "viola", "violin"], 8.0);
/// The largest deviation of a reed or of lips, cents: its pitch depends on the pressure, and lengths are given to every third key.
const BLOWN: ([&str; 6], f64) =
    (["clarinet", "recorder", "reed_pipes", "saxophone", "trombone", "trumpet"], 3.0);
/// What the first order leaves of a pull, relative to it.
const FIRST_ORDER: f64 = 0.2;

/// Every so manyth note.
const STEP: usize = 11;

fn file(name: &str) -> String {
    let path = format!("{}/../../instruments/{name}", env!("CARGO_MANIFEST_DIR"));
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// How far the body of an instrument pulls a note, cents.
fn pull(name: &str, note: &Measured) -> f64 {
    let (Some(open), "guitar") = (&note.string, name) else { return 0.0 };
    let guitar: Table = file("guitar.toml").parse().expect("a table");
    let points = guitar["table"]["density"]["points"].as_array().expect("densities");
    let point = points.iter().find(|point| point[0].as_str() == Some(open)).expect("a density");
    let density = 1e-3 * point[1].as_float().expect("g/m");
    let hz = |key: u8| 440.0 * ((f64::from(key) - 69.0) / 12.0).exp2();
    let first = hamiltone_gestures::note::Note::parse(open).ok().and_then(|note| note.key()).expect("a key");
    if note.key == first {
        return 0.0;
    }
    let omega = TAU * hz(note.key);
    let imaginary = |line: &str| {
        let row: Vec<f64> = line.split(',').map(|number| number.parse().expect("a number")).collect();
        let (own, q, mass) = (TAU * row[0], row[1], row[2]);
        let (a, b) = (own * own - omega * omega, omega * own / q);
        omega * a / (mass * (a * a + b * b))
    };
    let mobility: f64 = file("guitar_body.csv").lines().skip(1).map(imaginary).sum();
    -1200.0 / LN_2 * (2.0 * density * 0.65 * hz(first) / PI) * mobility
}

fn is_in_tune(name: &str, note: &Measured) -> bool {
    let pull = pull(name, note);
    let largest = match name {
        name if UNISONS.0.contains(&name) => UNISONS.1,
        name if name == BOWED.0 => BOWED.1,
        name if STOPPED.0.contains(&name) => STOPPED.1,
        name if BLOWN.0.contains(&name) => BLOWN.1,
        _ => LARGEST,
    };
    (note.cents - pull).abs() <= largest + FIRST_ORDER * pull.abs()
}

#[test]
fn notes_sound_at_the_pitch_that_was_asked_for() {
    for (name, from) in PITCHED {
        for note in measure(name, from, 44_100.0, STEP) {
            assert!(is_in_tune(name, &note), "{name}: {note:?}, pulled by {:.2}", pull(name, &note));
        }
    }
}

/// Bodies and frets are tuned at every rate: what differs between rates is the time step alone.
#[test]
fn they_are_in_tune_at_other_rates() {
    for (name, from) in [("guitar", 0.6), ("kalimba", 0.1)] {
        for note in measure(name, from, 96_000.0, 2 * STEP) {
            assert!(is_in_tune(name, &note), "{name}: {note:?}");
        }
    }
}

//! Every shipped instrument loads without a warning, is at rest, and plays its lowest, a middle and its highest note softly and
//! loudly: finite, balanced, audible, below full scale, quiet when it is damped, and asleep in the end.

use hamiltone_play::engine::{Engine, Island};
use hamiltone_scene::{
    Limits,
    instrument::{Instrument, InstrumentPlan},
};
use std::fs;

const RATE: f64 = 44_100.0;

/// The instruments, with the notes that are played, and whether a key that is let go ends its note.
const TESTED: [(&str, [u8; 3], bool); 11] = [
    ("bass", [28, 45, 63], true),
    ("carillon", [60, 84, 108], false),
    ("drums", [36, 38, 50], false),
    ("guitar", [40, 60, 83], true),
    ("kalimba", [60, 74, 88], false),
    ("marimba", [36, 66, 96], false),
    ("piano", [21, 64, 90], true),
    ("prepared_piano", [48, 67, 84], true),
    ("tanpura", [36, 43, 48], false),
    ("vibraphone", [53, 71, 89], true),
    ("xylophone", [65, 86, 108], false),
];

/// How long a key is down, and how long after that a damped note is quiet, s.
const DOWN: f64 = 0.6;
const DAMPED: f64 = 0.6;
/// A note is louder than this at its peak, −50 dB, and is quiet below this part of it, −30 dB.
const AUDIBLE: f64 = 3e-3;
const QUIET: f64 = 0.03;
/// The longest time that a note takes to fall asleep, s: the hum of the largest bell, with a T60 of 70 s, loses 100 dB.
const LONGEST: usize = 120;

fn plan(name: &str) -> InstrumentPlan {
    let path = format!("{}/../../instruments/{name}.toml", env!("CARGO_MANIFEST_DIR"));
    let plan = Instrument::open(path, &[], Limits::default()).and_then(|own| own.plan(RATE, None));
    plan.unwrap_or_else(|error| panic!("{error}"))
}

/// The largest sample of a time, s.
fn peak(engine: &mut Engine, seconds: f64) -> f64 {
    let mut sound = vec![0.0_f64; (seconds * RATE) as usize * engine.channels()];
    engine.render(&mut sound);
    assert!(sound.iter().all(|x| x.is_finite()));
    sound.iter().fold(0.0, |peak, x| peak.max(x.abs()))
}

/// Plays a note and lets it go.
fn play(engine: &mut Engine, note: u8, velocity: f64, damped: bool, what: &str) {
    assert!(engine.is_at_rest() && peak(engine, 0.01) == 0.0, "{what}: not at rest");
    assert!(engine.note_on(note, velocity), "{what}: is not there");
    let loudest = peak(engine, DOWN);
    assert!((AUDIBLE..1.0).contains(&loudest), "{what}: peak {loudest}");
    engine.note_off(note);
    if damped {
        peak(engine, DAMPED);
        let left = peak(engine, 0.1);
        assert!(left < QUIET * loudest, "{what}: {left} of {loudest} are left");
    }
    assert!(engine.is_balanced(), "{what}: {:?}", engine.audits().collect::<Vec<_>>());
    assert_eq!(engine.islands().iter().map(Island::refused).sum::<u64>(), 0, "{what}");
}

#[test]
fn every_instrument_plays() {
    for (name, notes, damped) in TESTED {
        let plan = plan(name);
        assert!(plan.plan.warnings.is_empty(), "{name}: {:?}", plan.plan.warnings);
        for note in notes {
            play(&mut Engine::new(&plan).unwrap(), note, 0.3, damped, &format!("{name}, {note}, soft"));
            let mut engine = Engine::new(&plan).unwrap();
            play(&mut engine, note, 1.0, damped, &format!("{name}, {note}, loud"));
            if note == notes[2] {
                let asleep = (0..LONGEST).any(|_| engine.is_at_rest() || peak(&mut engine, 1.0) < 0.0);
                assert!(asleep && engine.is_balanced(), "{name}, {note}: does not fall asleep");
                assert_eq!(peak(&mut engine, 0.01), 0.0, "{name}, {note}: sounds asleep");
            }
        }
    }
}

/// The list above is that of the folder.
#[test]
fn every_file_is_tested() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../instruments");
    let name = |file: std::io::Result<fs::DirEntry>| {
        Some(file.ok()?.file_name().to_str()?.strip_suffix(".toml")?.to_string())
    };
    let mut names: Vec<String> = fs::read_dir(folder).unwrap().filter_map(name).collect();
    names.sort();
    assert_eq!(names, TESTED.map(|(name, ..)| name));
}

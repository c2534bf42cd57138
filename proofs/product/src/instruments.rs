//! How well in tune the instruments of `instruments/` are: the frequency of the first partial of every note, as the engine plays it, or
//! that with which a bowed or blown note repeats itself.
//!
//! An instrument of strings is measured string by string, at every fret. What a note is asked to be is equal temperament with
//! A4 = 440 Hz, stretched where the instrument has a table `stretch` (cents over keys).

use hamiltone_gestures::note::Note;
use hamiltone_play::engine::Engine;
use hamiltone_render::tuning::cents;
use hamiltone_report::measure::pitch;
use hamiltone_scene::{Limits, Set, instrument::Instrument};
use std::fs;
use toml::{Table, Value};

/// The instruments whose notes have a pitch, each with how long after the start of a note (s) it is measured.
///
/// The strings of the tanpura go on sounding higher until they hardly reach the bridge any more. The bodies of guitar and piano sound at
/// their own frequencies for the first half second, as do the boards of grand and harpsichord; a bowed string and a reed find their motion in it.
pub const PITCHED: [(&str, f64); 26] = [
    ("bass", 0.1),
    ("bowed_psaltery", 0.6),
    ("carillon", 0.1),
    ("cello", 0.6),
    ("clarinet", 0.6),
    ("double_bass", 0.6),
    ("electric_guitar", 0.6),
    ("electric_piano", 0.6),
    ("grand", 0.6),
    ("guitar", 0.6),
    ("harpsichord", 0.6),
    ("kalimba", 0.1),
    ("marimba", 0.1),
    ("piano", 0.6),
    ("piano_bass", 0.6),
    ("recorder", 0.6),
    ("reed_pipes", 0.6),
    ("saxophone", 0.6),
    ("tanpura", 1.0),
    ("timpani", 0.6),
    ("trombone", 0.6),
    ("trumpet", 0.6),
    ("vibraphone", 0.1),
    ("viola", 0.6),
    ("violin", 0.6),
    ("xylophone", 0.1),
];
/// How strongly the notes are played: mezzoforte.
const VELOCITY: f64 = 0.5;

/// A note that was measured.
#[derive(Clone, Debug, PartialEq)]
pub struct Measured {
    /// The open string on which it was played, of an instrument of strings.
    pub string: Option<String>,
    /// Its key.
    pub key: u8,
    /// How far it sounds from what was asked for; no number of a bowed or blown note that does not repeat itself so often.
    pub cents: f64,
}

/// Every `step`th note of an instrument of [`PITCHED`], measured at a sample rate (Hz).
///
/// # Panics
/// Where the instrument cannot be read or played.
pub fn measure(name: &str, from: f64, rate: f64, step: usize) -> Vec<Measured> {
    let path = format!("{}/../../instruments/{name}.toml", env!("CARGO_MANIFEST_DIR"));
    let text = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"));
    let document: Table = text.parse().unwrap_or_else(|error| panic!("{path}: {error}"));
    let own = &document["instrument"];
    let stretch = stretch(&document);
    let played = |string: Option<String>, set: &str| {
        // A note that swings has no one pitch.
        let sets = [set, "instrument.vibrato_depth=0", "instrument.vibrato_pressure=0"];
        let sets = sets.map(|set| Set::parse(set).unwrap_or_else(|error| panic!("{error}")));
        let plan = Instrument::open(&path, &sets, Limits::default()).and_then(|own| own.plan(rate, None));
        let plan = plan.unwrap_or_else(|error| panic!("{error}"));
        let keys: Vec<u8> = plan.notes.keys_at_first().map(|of| of.key).collect();
        let measured = keys.into_iter().step_by(if string.is_some() { step } else { 1 }).map(|key| {
            let mut engine = Engine::new(&plan).unwrap_or_else(|error| panic!("{error}"));
            assert!(engine.note_on(key, VELOCITY), "{name} has no key {key}");
            let asked = 440.0 * 2_f64.powf((f64::from(key) - 69.0) / 12.0 + at(&stretch, key) / 1200.0);
            let sound = played_for(&mut engine, from + pitch::duration(asked) + 0.01);
            let sound = &sound[(from * rate) as usize..];
            let found = if plan.is_sustained() {
                pitch::repetition(sound, rate, asked).unwrap_or(f64::NAN)
            } else {
                pitch::frequency(sound, rate, asked)
            };
            let cents = cents(found, asked);
            Measured { string: string.clone(), key, cents }
        });
        measured.collect::<Vec<Measured>>()
    };
    match own.get("strings").and_then(Value::as_array) {
        Some(strings) => {
            let of = |open: &Value| {
                let set = format!("instrument.strings=[{open}]");
                played(open.as_str().map(Into::into), &set)
            };
            strings.iter().flat_map(of).collect()
        }
        None => {
            let keys: Vec<u8> = keys(&own["keys"]).into_iter().step_by(step).collect();
            played(None, &format!("instrument.keys={keys:?}"))
        }
    }
}

/// The sum of all channels over a time, s.
fn played_for(engine: &mut Engine, seconds: f64) -> Vec<f64> {
    let channels = engine.channels();
    let mut frames = vec![0.0; (seconds * engine.rate()).ceil() as usize * channels];
    engine.render(&mut frames);
    frames.chunks_exact(channels).map(|frame| frame.iter().sum()).collect()
}

/// The keys of `keys = "A0..C8"`, or of a list.
fn keys(value: &Value) -> Vec<u8> {
    match value.as_str().and_then(|range| range.split_once("..")) {
        Some((first, last)) => (key(first)..=key(last)).collect(),
        None => {
            let all = value.as_array().into_iter().flatten();
            all.map(|one| one.as_str().map_or_else(|| one.as_integer().unwrap_or(0) as u8, key)).collect()
        }
    }
}

fn key(note: &str) -> u8 {
    Note::parse(note).ok().and_then(|note| note.key()).unwrap_or_else(|| panic!("{note} is no key"))
}

/// The points of the table `stretch`: (key, cents).
fn stretch(document: &Table) -> Vec<(f64, f64)> {
    let points = document.get("table").and_then(|tables| tables.get("stretch")?.get("points")?.as_array());
    let number = |value: &Value| value.as_float().or(value.as_integer().map(|whole| whole as f64));
    let point = |point: &Value| Some((f64::from(key(point[0].as_str()?)), number(&point[1])?));
    points.into_iter().flatten().filter_map(point).collect()
}

/// The value at a key, on straight lines between points; 0 without any.
fn at(points: &[(f64, f64)], key: u8) -> f64 {
    let key = f64::from(key);
    let between = points.windows(2).find(|two| (two[0].0..=two[1].0).contains(&key));
    between.map_or(0.0, |two| two[0].1 + (two[1].1 - two[0].1) * (key - two[0].0) / (two[1].0 - two[0].0))
}

//! Notes that are shorter than what a player does to begin them: the string still sounds the pitch that was asked for, and is damped then.

use crate::instruments::{TINES, assert_balanced, engine, frames};
use hamiltone_numerics::math;
use hamiltone_play::Engine;
use hamiltone_scene::{Limits, instrument::Instrument};
use std::f64::consts::PI;

const RATE: f64 = 44_100.0;

fn bass() -> Engine {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../instruments/bass.toml");
    let plan = Instrument::open(path, &[], Limits::default()).unwrap().plan(RATE, None).unwrap();
    Engine::new(&plan).unwrap()
}

/// So many seconds of sound, its channels added.
fn sound(engine: &mut Engine, seconds: f64) -> Vec<f64> {
    let channels = engine.channels();
    let all = frames(engine, (seconds * RATE).round() as usize);
    all.chunks_exact(channels).map(|frame| frame.iter().sum()).collect()
}

/// The amplitude of a frequency, by a Hann window.
fn amplitude(x: &[f64], frequency: f64) -> f64 {
    let n = x.len() as f64;
    let (mut re, mut im) = (0.0, 0.0);
    for (k, x) in x.iter().enumerate() {
        let (k, phase) = (k as f64, 2.0 * PI * frequency * k as f64 / RATE);
        let window = 0.5 - 0.5 * math::cos(2.0 * PI * k / n);
        re += window * x * math::cos(phase);
        im += window * x * math::sin(phase);
    }
    (re * re + im * im).sqrt() / n
}

fn peak(x: &[f64]) -> f64 {
    x.iter().fold(0.0, |peak, x| peak.max(x.abs()))
}

/// D#4 is fret 20 of the string G2: 311 Hz in place of 98 Hz and its multiples. The pluck lasts from 12 ms to 22 ms.
#[test]
fn a_note_of_10_ms_on_a_bass_sounds_its_pitch_and_is_damped() {
    let mut engine = bass();
    assert!(engine.note_on(63, 0.7));
    let begin = sound(&mut engine, 0.01);
    engine.note_off(63);
    let rest = sound(&mut engine, 0.8);
    let note = [begin, rest].concat();
    let of = |time: f64| (time * RATE) as usize;
    let sounds = &note[of(0.022)..of(0.055)];
    let [fretted, open, twice] = [311.13, 98.0, 196.0].map(|f| amplitude(sounds, f));
    assert!(fretted > 4.0 * open.max(twice), "{fretted} at 311 Hz, {open} at 98 Hz, {twice} at 196 Hz");
    let (loudest, left) = (peak(&note), peak(&note[of(0.6)..]));
    assert!(loudest > 3e-3 && left < 0.03 * loudest, "{loudest}, then {left}");
    assert_balanced(&engine);
}

/// On the bass the sustain pedal has no gestures: pressed or released before the pluck it does not let the finger off the string.
#[test]
fn a_pedal_without_gestures_ends_no_waiting() {
    let play = |pedal: &[(f64, f64)]| {
        let mut engine = bass();
        assert!(engine.note_on(63, 0.7));
        let mut sounds = Vec::new();
        for (n, (before, after)) in pedal.iter().enumerate() {
            engine.control(64, *before);
            sounds.extend(sound(&mut engine, 0.003));
            if n == 0 {
                engine.note_off(63);
            }
            engine.control(64, *after);
            sounds.extend(sound(&mut engine, 0.003));
        }
        sounds.extend(sound(&mut engine, 0.3));
        assert_balanced(&engine);
        sounds
    };
    let plain = play(&[(0.0, 0.0), (0.0, 0.0)]);
    assert!(peak(&plain) > 3e-3);
    // Pressed and released while it waits, and pressed after it.
    assert!(play(&[(0.0, 1.0), (0.0, 0.0)]) == plain && play(&[(0.0, 0.0), (0.0, 1.0)]) == plain);
    // Held by the pedal, and let go by it before the pluck.
    assert!(play(&[(1.0, 0.0), (0.0, 0.0)]) == plain);
}

/// Struck at 0, let go at 0.1 ms: the damper falls when it has been lifted, at 2 ms, unless the key is struck again or the pedal is
/// pressed, which takes 30 ms to lift it.
#[test]
fn what_comes_next_does_not_wait() {
    let energy = |next: &dyn Fn(&mut Engine)| {
        let mut engine = engine(TINES);
        engine.note_on(60, 1.0);
        frames(&mut engine, 5);
        engine.note_off(60);
        frames(&mut engine, 5);
        next(&mut engine);
        frames(&mut engine, 24_000);
        assert_balanced(&engine);
        engine.audits().map(|audit| audit.stored()).sum::<f64>()
    };
    let damped = energy(&|_| ());
    let [struck, held] =
        [energy(&|engine| _ = engine.note_on(60, 1.0)), energy(&|engine| _ = engine.control(64, 1.0))];
    assert!(damped < 1e-12 && struck > 1e-4 && held > 1e-7, "{damped} {struck} {held}");
}

//! Pressure, channel and polyphonic: a hand damps what sounds, keys that are up included, while the balance stays exact; a note that is
//! struck again is free.

use crate::instruments::{assert_balanced, bits, engine, frames};
use crate::partials::shipped;
use crate::random::Random;
use hamiltone_numerics::math;
use hamiltone_play::{
    Action, Engine,
    engine::{FOLLOW, Island},
};

const RATE: f64 = 48_000.0;

/// How fast the sound decays, dB/s, from its first to its last 20 ms of 120 ms.
fn decay(engine: &mut Engine) -> f64 {
    let sound = frames(engine, 5760);
    let energy = |part: &[f64]| part.iter().map(|x| x * x).sum::<f64>();
    10.0 / 0.1 * math::log10(energy(&sound[..1920]) / energy(&sound[sound.len() - 1920..]))
}

#[test]
fn a_hand_damps_what_sounds() {
    for (name, keys) in [
        ("vibraphone", [53, 71, 89]),
        ("marimba", [36, 60, 84]),
        ("drums", [36, 38, 45]),
        ("carillon", [60, 84, 108]),
    ] {
        let plan = shipped(name, &[], RATE);
        for key in keys {
            // Soon, since drums are short; the vibraphone with its pedal down.
            let pressed = |of: Option<u8>, pressure: f64| {
                let mut engine = Engine::new(&plan).unwrap();
                engine.control(64, 1.0);
                assert!(engine.note_on(key, 0.6));
                frames(&mut engine, 1440);
                engine.note_off(key);
                assert!(engine.act(Action::Pressure { key: of, value: pressure }));
                let decay = decay(&mut engine);
                assert_balanced(&engine);
                (decay, engine)
            };
            let [free, half, full] = [0.0, 0.4, 1.0].map(|pressure| pressed(None, pressure).0);
            assert_eq!(pressed(Some(key), 1.0).0.to_bits(), full.to_bits());
            assert_eq!(pressed(Some(key + 1), 1.0).0.to_bits(), free.to_bits());
            // Struck again it is free until the pressure changes.
            let (_, mut engine) = pressed(None, 1.0);
            frames(&mut engine, 24_000);
            assert!(engine.note_on(key, 0.6));
            frames(&mut engine, 1440);
            let again = decay(&mut engine);
            println!("{name}, key {key}: {free:.0} dB/s, {half:.0}, {full:.0}, then {again:.0}");
            assert!(
                full > 1.1 * half && half > 1.25 * free,
                "{name}, key {key}: {free} dB/s, {half}, {full}"
            );
            // The suspension of a bar and its mallet are not as at rest.
            assert!((again - free).abs() < 0.1 * full, "{name}, key {key}: {free} dB/s, then {again}");
            assert_balanced(&engine);
        }
    }
}

/// A tine whose hand waits for 0.6 s.
const LATE: &str = r#"
hamiltone = 2
[instrument]
keys = "C4..E4"
[key.body.tine]
kind = "oscillator"
mass = "3 g"
frequency = "{frequency} Hz"
decay_time = "2 s"
[key.contact.hand]
between = ["tine", "ground"]
law = "damper"
[key.pickup.tine]
at = "tine"
quantity = "velocity"
[[note_on]]
gesture = "strike"
at = "tine"
speed = "{velocity} m/s"
[[pressure]]
gesture = "damp"
control = "hand"
resistance = "{pressure} N s/m"
delay = "0.6 s"
"#;

/// Half a second of a million values a second: of 188 times at which they are followed all wait for theirs in a queue of 256.
#[test]
fn pressure_that_jitters_is_bounded_and_allocates_nothing() {
    let mut engine = engine(LATE);
    let mut random = Random::new();
    let mut block = vec![0.0_f64; 2];
    let counted = allocation_counter::measure(|| {
        (60..=64).for_each(|key| assert!(engine.note_on(key, 0.5)));
        for _ in 0..24_000 {
            for _ in 0..20 {
                let key = [None, Some(60 + random.below(6) as u8)][random.below(2)];
                engine.pressure(key, random.below(128) as f64 / 127.0);
            }
            engine.render(&mut block);
        }
        engine.act(Action::Pressure { key: None, value: 1.0 });
    });
    assert_eq!(counted.count_total, 0);
    assert!(engine.waits());
    frames(&mut engine, FOLLOW as usize + 1);
    assert_eq!(engine.islands().iter().map(Island::refused).sum::<u64>(), 0);
    (60..=64).for_each(|key| engine.note_off(key));
    frames(&mut engine, 48_000);
    assert!(engine.is_at_rest() && engine.held() == 0);
    assert_balanced(&engine);
}

/// The last pressure counts, in blocks of any size; before a note there is none.
#[test]
fn the_last_pressure_counts() {
    let text = LATE.replace("delay = \"0.6 s\"\n", "");
    let play = |jitter: usize, block: usize| {
        let mut engine = engine(&text);
        engine.pressure(None, 1.0);
        engine.note_on(60, 0.5);
        let mut sound = Vec::new();
        for n in 0..20 {
            (0..jitter).for_each(|k| engine.pressure(Some(60), (k % 5) as f64 / 5.0));
            engine.pressure(None, f64::from(n) / 200.0);
            let mut part = vec![0.0_f64; 2 * 240];
            part.chunks_mut(2 * block).for_each(|part| engine.render(part));
            sound.extend(part);
        }
        assert_balanced(&engine);
        bits(&sound)
    };
    let plain = play(0, 240);
    assert!(play(100, 240) == plain && play(0, 7) == plain);
    // Without a list it has no effect, and that is told.
    let (before, _) = text.split_once("[[pressure]]").unwrap();
    let mut engine = engine(before);
    assert!(!engine.act(Action::Pressure { key: None, value: 0.5 }) && !engine.waits());
    assert!(engine.act(Action::Pressure { key: None, value: 0.0 }));
}

//! Parts at rest take no steps, wake with the controls that they have by then, and what they still held is booked as dissipated.

use crate::instruments::{EXACT_RATE, TINES, assert_balanced, bits, engine, engine_at, frames, piano};
use hamiltone_play::{Engine, engine::Activity, recording::Balance};

/// Steps that each part has taken.
fn steps(engine: &Engine) -> Vec<u64> {
    engine.audits().map(|audit| audit.steps).collect()
}

#[test]
fn parts_at_rest_take_no_steps() {
    let mut engine = engine(&piano(20));
    frames(&mut engine, 1000);
    assert!(steps(&engine).iter().all(|steps| *steps == 0));
    assert!(engine.note_on(40, 0.9));
    frames(&mut engine, 1000);
    assert_eq!(engine.islands().iter().filter(|part| part.activity() == Activity::Awake).count(), 1);
    assert_eq!(steps(&engine).iter().sum::<u64>(), 1000);
    engine.note_off(40);
    (0..300).for_each(|_| _ = frames(&mut engine, 480));
    assert!(engine.is_at_rest());
    let taken = steps(&engine);
    // The pedal moves dampers and wakes nobody.
    engine.control(64, 1.0);
    frames(&mut engine, 48_000);
    assert!(engine.is_at_rest() && steps(&engine) == taken);
    let balance = Balance::of([&engine]);
    // Below the threshold, and nothing is stored any more.
    assert!(balance.slept > 0.0 && balance.slept < 1e-10 && balance.stored == 0.0, "{balance:?}");
    assert!(balance.slept <= balance.dissipated);
    assert_balanced(&engine);
}

/// All energy that gestures gave is dissipated when all sleep, to rounding: at the end nothing else is left.
#[test]
fn the_whole_performance_is_balanced() {
    let mut engine = engine(&piano(20));
    for round in 0..30_u8 {
        assert!(engine.note_on(36 + (round * 7) % 20, 0.1 + 0.03 * f64::from(round)));
        engine.control(64, if round % 5 < 2 { 1.0 } else { 0.0 });
        frames(&mut engine, 700 + 331 * usize::from(round));
        engine.note_off(36 + (round * 7) % 20);
    }
    engine.release_all();
    for _ in 0..600 {
        frames(&mut engine, 480);
    }
    assert!(engine.is_at_rest());
    let balance = Balance::of([&engine]);
    assert!(balance.ok && balance.supplied > 0.01 && balance.stored == 0.0 && balance.contact_work == 0.0);
    assert_balanced(&engine);
}

/// A part that is asleep takes a control's movement up as if it had been awake: an engine whose parts never sleep has the same bits.
#[test]
fn controls_that_move_while_it_sleeps_take_effect() {
    let awake = TINES.replace("[instrument]", "[instrument]\nsleep = \"0 J\"");
    let play = |text: &str, wait: usize| {
        let mut engine = engine_at(text, EXACT_RATE);
        // A blow of no speed wakes a part, which then rests exactly at 0.
        assert!(engine.note_on(60, 0.0));
        engine.note_off(60);
        frames(&mut engine, 3000);
        let slept = engine.is_at_rest();
        engine.control(64, 1.0);
        frames(&mut engine, wait);
        assert_eq!(engine.is_at_rest(), slept);
        assert!(engine.note_on(60, 0.7));
        let sound = frames(&mut engine, 3000);
        engine.note_off(60);
        let end = frames(&mut engine, 10_000);
        assert_balanced(&engine);
        (slept, sound, end)
    };
    // In the middle of the pedal's ramp of 30 ms, and long after it.
    for wait in [300, 500, 20_000] {
        let (asleep, sound, end) = play(TINES, wait);
        let (never, expected, expected_end) = play(&awake, wait);
        assert!(asleep && !never);
        assert!(bits(&sound) == bits(&expected), "after {wait} samples");
        assert!(bits(&end) == bits(&expected_end), "after {wait} samples");
        // The pedal holds it: by its own 3 s it decays by 6 dB, by the damper at once.
        let peak = |part: &[f64]| part.iter().fold(0.0_f64, |most, x| most.max(x.abs()));
        assert!(peak(&end[18_000..]) > 0.4 * peak(&sound), "the pedal does not hold");
    }
}

/// An obstacle that has been moved and stays so is no reason to fall asleep into it: what it holds up is kept.
#[test]
fn what_is_moved_away_from_rest_keeps_its_energy() {
    let text = r#"
hamiltone = 2
output.level = "raw"
[instrument]
keys = "C4..C4"
sleep = "1e-9 J"
[key.body.tine]
kind = "oscillator"
mass = "3 g"
frequency = "100 Hz"
decay_time = "0.2 s"
[key.contact.finger]
between = ["ground", "tine"]
law = "power"
stiffness = "1e7 N/m"
exponent = 1
gap = "1 mm"
[key.pickup.tine]
at = "tine"
[[note_on]]
gesture = "move"
motion = "finger"
position = "{-1000 - 1.0*velocity} um"
[[note_off]]
gesture = "move"
motion = "finger"
position = "0 mm"
"#;
    let mut engine = engine(text);
    assert!(engine.note_on(60, 1.0));
    // The finger holds the tine 1 µm above its rest: ½kx² = 6e-10 J, less than the threshold, and 5e-6 J were it at rest.
    (0..300).for_each(|_| _ = frames(&mut engine, 480));
    let held = engine.islands()[0].audit().stored();
    assert!(held < 1e-8, "{held:e} J");
    assert_balanced(&engine);
    engine.note_off(60);
    (0..300).for_each(|_| _ = frames(&mut engine, 480));
    assert!(engine.is_at_rest());
    let balance = Balance::of([&engine]);
    assert!(balance.slept >= 0.0 && balance.slept < 1e-9 && balance.dissipated < 1e-6, "{balance:?}");
    assert_balanced(&engine);
}

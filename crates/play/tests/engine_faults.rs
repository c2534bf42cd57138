//! A part whose numbers become infinite is silent from then on, and is reported; the others play on with the same bits.

use crate::instruments::{BASS, TINES, bits, engine, frames, piano};
use hamiltone_core::ledger::Fault;
use hamiltone_play::{Engine, engine::Activity, recording::Balance};

/// At full velocity a blow so hard that energies overflow: nothing forbids it.
fn extreme(text: &str, speed: &str, hard: &str) -> String {
    let extreme =
        text.replace(&format!("{{{speed}}} m/s"), &format!("{{if(velocity > 0.99, {hard}, {speed})}} m/s"));
    assert!(extreme != text);
    extreme
}

fn play(engine: &mut Engine, wrong: Option<u8>) -> Vec<f64> {
    assert!(engine.note_on(50, 0.5) || engine.note_on(62, 0.5));
    let mut sound = frames(engine, 500);
    if let Some(key) = wrong {
        assert!(engine.note_on(key, 1.0));
    }
    sound.extend(frames(engine, 3000));
    assert!(engine.note_on(52, 0.7) || engine.note_on(64, 0.7));
    sound.extend(frames(engine, 6000));
    sound
}

#[test]
fn a_part_that_overflows_is_muted_alone() {
    let tines = extreme(TINES, "velocity", "1e200");
    let piano = extreme(&piano(30), "0.4 + 4*velocity^2", "1e100");
    for (text, key) in [(tines, 66), (piano, 44)] {
        let expected = play(&mut engine(&text), None);
        let mut broken = engine(&text);
        let sound = play(&mut broken, Some(key));
        let muted: Vec<_> =
            broken.islands().iter().filter(|part| part.activity() == Activity::Muted).collect();
        assert_eq!(muted.len(), 1);
        let (step, fault) = muted[0].audit().fault.expect("a fault");
        assert!(muted[0].name().ends_with(&key.to_string()) && step > 0, "{}: {step}", muted[0].name());
        assert!(matches!(fault, Fault::NonFinite | Fault::Diverged(_)), "{fault:?}");
        // Until it was muted it was heard: all others sound as without it from then on.
        let from = sound.len() - 2 * 6000;
        assert!(bits(&sound[from..]) == bits(&expected[from..]), "key {key}");
        let balance = Balance::of([&broken]);
        assert_eq!((balance.ok, balance.muted), (false, 1));
        assert!(
            broken
                .islands()
                .iter()
                .filter(|part| part.activity() != Activity::Muted)
                .all(|part| part.audit().ok(0.0))
        );
        // It stays silent, whatever is played on it, and nothing waits for it for ever.
        let steps = muted[0].audit().steps;
        (0..400).for_each(|_| {
            broken.note_on(key, 1.0);
            frames(&mut broken, 97);
        });
        let muted =
            broken.islands().iter().find(|part| part.activity() == Activity::Muted).expect("still muted");
        assert_eq!((muted.audit().steps, muted.refused()), (steps, 0));
        broken.release_all();
        (0..200).for_each(|_| _ = frames(&mut broken, 4800));
        assert!(broken.is_at_rest() && frames(&mut broken, 100).iter().all(|x| *x == 0.0));
    }
}

/// A state without a fault that is restored has none.
#[test]
fn a_state_before_the_fault_is_one_without() {
    let tines = extreme(TINES, "velocity", "1e200");
    let (mut engine, mut fresh) = (engine(&tines), engine(&tines));
    let (state, numbers) = engine.save();
    play(&mut engine, Some(66));
    assert!(!Balance::of([&engine]).ok);
    engine.restore(&state, &numbers).expect("restored");
    assert!(bits(&play(&mut engine, None)) == bits(&play(&mut fresh, None)));
    engine.settle();
    let balance = Balance::of([&engine]);
    assert!(balance.ok && balance.muted == 0);
}

/// Its numbers are not finite; a state that is saved afterwards must still be one to go on from.
#[test]
fn a_state_with_a_muted_part_is_restored() {
    let tines = extreme(TINES, "velocity", "1e200");
    let piano = extreme(&piano(30), "0.4 + 4*velocity^2", "1e100");
    for (text, key) in [(tines, 66), (piano, 44)] {
        let (mut first, mut second) = (engine(&text), engine(&text));
        play(&mut first, Some(key));
        let (state, numbers) = first.save();
        second.restore(&state, &numbers).expect("restored");
        let muted = |engine: &Engine| {
            engine.islands().iter().map(|part| part.activity() == Activity::Muted).collect::<Vec<_>>()
        };
        assert!(muted(&first).contains(&true) && muted(&first) == muted(&second));
        let go_on = |engine: &mut Engine| bits(&play(engine, None));
        assert!(go_on(&mut first) == go_on(&mut second), "key {key}");
    }
}

/// Where parts take two steps a sample the low-pass filter does not keep what went wrong.
#[test]
fn the_low_pass_filter_forgets_a_fault() {
    let text =
        BASS.replace("force = \"{0.3 + 2*velocity} N\"", "force = \"{if(velocity > 0.99, 1e160, 1)} N\"");
    let play = |wrong: bool| {
        let mut engine = engine(&text);
        assert!(engine.note_on(47, 0.5));
        frames(&mut engine, 3000);
        if wrong {
            assert!(engine.note_on(40, 1.0));
        }
        frames(&mut engine, 5000);
        let sound = frames(&mut engine, 3000);
        (sound, Balance::of([&engine]).muted)
    };
    let ((sound, muted), (expected, none)) = (play(true), play(false));
    assert_eq!((muted, none), (1, 0));
    assert!(bits(&sound) == bits(&expected));
}

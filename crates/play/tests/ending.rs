//! The end of a performance: what a pedal holds rings until it has fallen by 90 dB, and what nothing holds is damped.

use crate::instruments::{TINES, engine};
use hamiltone_play::offline::Performer;
use hamiltone_render::spool::Spool;
use hamiltone_scene::performance;

const C4: &str = "{ notes = \"C4\", length = \"1/4\" }";
const DOWN: &str = "{ pedal = \"down\" }";

/// The seconds of a score of these entries that is played to its end.
fn length(entries: &str) -> f64 {
    let performance =
        performance::read(&format!("score = [{{ tempo = 120 }}, {entries}]"), "x.toml").unwrap();
    let mut engine = engine(TINES);
    let mut samples = Spool::in_memory();
    let mut performer = Performer::new(&mut engine, &performance, (30.0, 0.0), &mut samples);
    while performer.advance().unwrap() {}
    let played = performer.played();
    assert!(!played.cut && played.missing.is_empty(), "{played:?}");
    played.frames as f64 / engine.rate()
}

/// A tine with a T60 of 3 s falls by 90 dB within 4.5 s, and is then silent for 0.5 s, or sleeps earlier; a damper of 1 N s/m on 3 g ends it within 0.1 s.
#[test]
fn a_pedal_that_stays_down_lets_the_last_notes_ring() {
    let held = length(&format!("{DOWN}, {C4}"));
    assert!((4.7..5.1).contains(&held), "{held} s");
    for damped in [
        C4.into(),
        format!("{DOWN}, {C4}, {{ pedal = \"up\" }}"),
        // The key is released, but not before the end.
        format!("{DOWN}, {C4}, {{ time = \"0\", pedal = \"up\" }}"),
    ] {
        let length = length(&damped);
        assert!((0.5..1.3).contains(&length), "{damped}: {length} s");
    }
}

/// The last key is let go at the very end of the score, where a state may be saved: it must not be half done there.
#[test]
fn a_state_that_is_saved_at_the_end_lets_the_last_key_go() {
    let performance = performance::read(&format!("score = [{{ tempo = 120 }}, {C4}]"), "x.toml").unwrap();
    let play = |resumed: bool| {
        let (mut first, mut second) = (engine(TINES), engine(TINES));
        let mut samples = Spool::in_memory();
        let mut performer = Performer::new(&mut first, &performance, (30.0, 0.0), &mut samples);
        while performer.now() < performance.duration() {
            performer.advance().unwrap();
        }
        assert_eq!(performer.now(), performance.duration(), "it pauses at the end of the score");
        if resumed {
            let (state, sections) = performer.save().unwrap();
            let mut others = Spool::in_memory();
            let mut resumed = Performer::new(&mut second, &performance, (30.0, 0.0), &mut others);
            resumed.restore(&state, &sections).unwrap();
            while resumed.advance().unwrap() {}
            return resumed.played().frames;
        }
        while performer.advance().unwrap() {}
        performer.played().frames
    };
    assert_eq!(play(true), play(false));
}

/// Which notes were missing depends on the program that was chosen then, not on that in which a state is saved.
#[test]
fn a_resumed_performance_has_missed_the_same_notes() {
    let text = TINES.replace("keys = \"C4..C5\"", "keys = \"C4..C5\"\nprograms = [31]");
    let text = text
        .replace("gesture = \"strike\"", "when = \"{(program != 31) * (key < 65)}\"\ngesture = \"strike\"");
    let text = text.replacen("[[note_on]]", "[[note_on]]\nwhen = \"{(program != 31) * (key < 65)}\"", 1);
    let score = format!(
        "score = [{{ tempo = 240 }}, {C4}, {{ program = 31 }}, {C4}, {{ program = 1 }}, {C4}, {{ rest = \"4\" }}]"
    );
    let performance = performance::read(&score, "x.toml").unwrap();
    let missing = |until: f64| {
        let (mut first, mut second) = (engine(&text), engine(&text));
        let (mut samples, mut others) = (Spool::in_memory(), Spool::in_memory());
        let mut performer =
            Performer::new(&mut first, &performance, (1.0, 0.0), &mut samples).with_patience(0.0);
        while performer.now() < until {
            performer.advance().unwrap();
        }
        let (state, sections) = performer.save().unwrap();
        let mut resumed = Performer::new(&mut second, &performance, (1.0, 0.0), &mut others);
        resumed.restore(&state, &sections).unwrap();
        while resumed.advance().unwrap() {}
        (resumed.played().notes, resumed.played().missing)
    };
    // After the first note, in the other program, and after it.
    for until in [0.1, 0.4, 0.6] {
        assert_eq!(missing(until), (2, vec![(60, 1)]), "{until} s");
    }
}

/// How much is computed at a time depends on how fast the machine is, and must change neither the sound nor what is measured of it.
#[test]
fn patience_changes_nothing() {
    let text = format!("score = [{{ tempo = 120 }}, {DOWN}, {C4}, {C4}, {{ pedal = \"up\" }}, {C4}]");
    let performance = performance::read(&text, "x.toml").unwrap();
    let play = |patience: f64| {
        let (mut engine, mut samples) = (engine(TINES), Spool::in_memory());
        let performer = Performer::new(&mut engine, &performance, (30.0, 0.0), &mut samples);
        let mut performer = performer.with_patience(patience);
        let mut calls = 0;
        while performer.advance().unwrap() {
            calls += u32::from(performer.now() < performance.duration());
        }
        let played = performer.played();
        let mut all = vec![0.0; samples.len() as usize];
        samples.read(0, &mut all).unwrap();
        (calls, played, all)
    };
    let (many, short, short_samples) = play(0.0);
    let (few, long, long_samples) = play(f64::INFINITY);
    assert!(many > 10 * few, "{many} calls, {few} calls");
    assert_eq!(short, long);
    assert!(short_samples == long_samples);
}

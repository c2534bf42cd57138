//! The end of a performance: what a pedal holds rings until it has fallen by 90 dB, and what nothing holds is damped.

use crate::instruments::{TINES, engine};
use hamiltone_play::{offline::Performer, score};
use hamiltone_render::spool::Spool;

/// The seconds of a score that is played to its end.
fn length(text: &str) -> f64 {
    let (mut engine, performance) = (engine(TINES), score::read(text).unwrap());
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
    let held = length("tempo 120\npedal down\nC4 1/4\n");
    assert!((4.7..5.1).contains(&held), "{held} s");
    for damped in [
        "tempo 120\nC4 1/4\n",
        "tempo 120\npedal down\nC4 1/4\npedal up\n",
        // The key is released, but not before the end.
        "tempo 120\npedal down\nC4 1/4\nat 0\npedal up\n",
    ] {
        let length = length(damped);
        assert!((0.5..1.3).contains(&length), "{damped}: {length} s");
    }
}

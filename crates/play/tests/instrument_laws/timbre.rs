//! Mallets that harden: the centroid of the spectrum rises with velocity; and a drum kit that has every key of General MIDI from 35 to 59.

use super::shipped::{Note, Player, RATE, Shipped, all};
use hamiltone_report::measure::centroid;

/// So many samples, 0.41 s.
const HEARD: usize = 18_000;
/// The centroid at velocity 127 over that at 10, at least.
const BRIGHTER: f64 = 1.5;
/// Mallet instruments, with the key that is struck: C4, or the lowest C.
const MALLETS: [(&str, u8); 3] = [("marimba", 60), ("vibraphone", 60), ("xylophone", 72)];
/// A drum that is struck softly is above this level, dB.
const SOFT: f64 = -75.0;
/// How far a stroke on the closed hi-hat, or its pedal, lowers within 0.2 s what rings open, dB, beside its own decay.
const CHOKED: f64 = 20.0;

/// The centroids by amplitude and by power, Hz.
fn centroids(sound: &[[f64; 2]]) -> [f64; 2] {
    let sum: Vec<f64> = sound.iter().take(HEARD).map(|frame| frame[0] + frame[1]).collect();
    centroid::centroids(&sum, RATE).expect("a note that sounds")
}

fn shipped(name: &str) -> &'static Shipped {
    all().iter().find(|shipped| shipped.name == name).expect("an instrument")
}

#[test]
fn mallets_sound_brighter_where_they_strike_harder() {
    for (name, key) in MALLETS {
        let mut player = shipped(name).player();
        let heard = |player: &mut Player, velocity: f64| {
            centroids(&player.note(key, velocity / 127.0, (HEARD + 1) as f64 / RATE))
        };
        let (soft, loud) = (heard(&mut player, 10.0), heard(&mut player, 127.0));
        for p in [0, 1] {
            assert!(loud[p] > BRIGHTER * soft[p], "{name}: {soft:.0?} Hz, then {loud:.0?} Hz");
        }
    }
}

#[test]
fn no_drum_of_general_midi_is_left_out() {
    let drums = shipped("drums");
    assert_eq!(drums.keys(), (35..=59).collect::<Vec<u8>>());
    let mut player = drums.player();
    for key in 35..=59 {
        let level = Note::of(key, &player.note(key, 10.0 / 127.0, 0.5)).level();
        assert!(level > SOFT, "key {key}: {level:.1} dB");
    }
}

/// The closed hi-hat and the pedal stop the open one; so does not the ride.
#[test]
fn the_closed_hat_stops_the_open_one() {
    let mut player = shipped("drums").player();
    let mut after = |key: u8| {
        player.rest();
        player.engine.note_on(46, 1.0);
        player.render(0.2);
        player.engine.note_on(key, 0.0);
        player.render(0.2);
        Note::of(key, &player.render(0.05)).level()
    };
    let open = after(51);
    for key in [42, 44] {
        let closed = after(key);
        assert!(closed < open - CHOKED, "key {key}: {closed:.1} dB, open {open:.1} dB");
    }
}

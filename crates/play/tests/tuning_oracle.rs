//! Random scales and mappings on every key as the crate tune has them.

use crate::random::{Random, cases};
use hamiltone_play::tuning::{FREQUENCIES, Mapping, Scale, Tuning};
use std::fmt::Write;
use tune::{
    key::PianoKey,
    scala::{Kbm, Scl},
    tuning::KeyboardMapping,
};

/// A scale of ratios and cents.
fn scale(random: &mut Random) -> String {
    let count = 1 + random.below(20);
    let mut text = format!("! a scale\nRandom\n {count}\n");
    for _ in 0..count {
        let (a, b) = (1 + random.below(50), 1 + random.below(50));
        match random.below(3) {
            0 => writeln!(text, " {a}/{b} a ratio"),
            1 => writeln!(text, " {}.{b}", 30 * a),
            _ => writeln!(text, "{a}"),
        }
        .expect("a text");
    }
    text
}

/// A mapping whose reference key is the middle key, with degree 0. tune 0.36 counts degrees from the reference key: by a linear
/// mapping with the middle key 60 and 440 Hz on key 69 it has 261.6 Hz there, the pitch of degree 0. In Scala's format the
/// reference key has the frequency that the file states; `tests` of `tuning.rs` have that case.
fn mapping(random: &mut Random) -> String {
    let size = random.below(16);
    let middle = 40 + random.below(40);
    let frequency = 100 + random.below(400);
    let [first, last] = [random.below(40), 80 + random.below(47)];
    let octave = 1 + random.below(20);
    let mut text = format!("{size}\n{first}\n{last}\n{middle}\n{middle}\n{frequency}.5\n{octave}\n");
    for at in 0..size {
        match random.below(4) {
            _ if at == 0 => text.push_str("0\n"),
            0 => text.push_str("x\n"),
            _ => writeln!(text, "{}", random.below(20)).expect("a text"),
        }
    }
    text
}

#[test]
fn keys_have_the_frequencies_that_tune_computes() {
    let mut random = Random::new();
    let (mut compared, mut unmapped) = (0, 0);
    for _ in 0..cases(500) {
        let (scale, mapping) = (scale(&mut random), mapping(&mut random));
        let ours = Tuning::scala(&Scale::parse(&scale).unwrap(), &Mapping::parse(&mapping).unwrap());
        let scl = Scl::import(scale.as_bytes()).unwrap_or_else(|error| panic!("{error:?}\n{scale}"));
        let kbm = Kbm::import(mapping.as_bytes()).unwrap_or_else(|error| panic!("{error:?}\n{mapping}"));
        for key in 0..128 {
            let pitch = (&scl, &kbm).maybe_pitch_of(PianoKey::from_midi_number(key));
            let theirs = pitch.map(|pitch| pitch.as_hz());
            // At a limit of frequencies the last digit decides.
            if theirs.is_some_and(|hz| FREQUENCIES.iter().any(|limit| (hz / limit - 1.0).abs() < 1e-12)) {
                continue;
            }
            let [lowest, highest] = FREQUENCIES;
            let theirs = theirs.filter(|hz| (lowest..=highest).contains(hz));
            match (ours.frequency(key), theirs) {
                // A period rounds by up to an eps, its power of at most 20 · 88 by as many times that: 4e-13, in both.
                (Some(a), Some(b)) => {
                    assert!((a / b - 1.0).abs() < 1e-12, "key {key}: {a} Hz, {b} Hz\n{scale}{mapping}");
                    compared += 1;
                }
                (None, None) => unmapped += 1,
                (a, b) => panic!("key {key}: {a:?}, {b:?}\n{scale}{mapping}"),
            }
        }
    }
    assert!(
        compared > 10 * cases(500) && unmapped > 10 * cases(500),
        "{compared} keys, {unmapped} without frequency"
    );
}

//! Bowed strings that fingers stop: slurs, notes one after another, two strings at a time.

use crate::{
    instruments::{assert_balanced, seconds},
    partials::{hz, level, shipped},
};
use hamiltone_numerics::math;
use hamiltone_play::Engine;
use std::collections::BTreeSet;

const RATE: f64 = 48_000.0;

fn violin() -> Engine {
    Engine::new(&shipped("violin", &[], RATE)).unwrap()
}

/// How much of a sound is within 20 cents of the partials of these keys, of its power.
fn part_of(sound: &[f64], keys: &[u8]) -> f64 {
    let window = |n: usize| 1.0 - math::cos(core::f64::consts::TAU * n as f64 / sound.len() as f64);
    let at = |f: f64| {
        let turn = |n: usize| core::f64::consts::TAU * f * n as f64 / RATE;
        let sum = |of: fn(f64) -> f64| {
            sound.iter().enumerate().map(|(n, x)| x * window(n) * of(turn(n))).sum::<f64>()
        };
        let (re, im) = (sum(math::cos), sum(math::sin));
        re * re + im * im
    };
    // By Parseval: the power of a window of this length is spread over bins of 1/T, each of which counts once.
    let bin = RATE / sound.len() as f64;
    let near = |f: f64| {
        let (at, reach) = ((f / bin).round() as usize, (f * 0.012 / bin).ceil().max(2.0) as usize);
        at - reach..=at + reach
    };
    let partials = keys.iter().flat_map(|key| (1..=12).map(|n| f64::from(n) * hz(*key)));
    let bins: BTreeSet<usize> = partials.flat_map(near).collect();
    let all: f64 = sound.iter().enumerate().map(|(n, x)| (x * window(n)) * (x * window(n))).sum();
    2.0 * bins.into_iter().map(|k| at(k as f64 * bin)).sum::<f64>() / (all * sound.len() as f64)
}

/// A slur goes on, while both keys are down: up, down, to the open string and to a higher position of it. The note before is gone, and the level falls by 12 dB at most.
#[test]
fn slurs_go_on() {
    for (from, to) in [(69, 71), (72, 70), (71, 69), (58, 60), (74, 75)] {
        let mut engine = violin();
        assert!(engine.note_on(from, 0.5));
        seconds(&mut engine, 0.5);
        assert!(engine.note_on(to, 0.5));
        let change = seconds(&mut engine, 0.2);
        let held = seconds(&mut engine, 0.3);
        let of = part_of(&held, &[to]);
        assert!(of > 0.85, "{from} to {to}: {of} of the sound is of the note");
        let least = change.chunks(960).map(level).fold(f64::INFINITY, f64::min);
        let fall = level(&held) - least;
        assert!(fall < 12.0, "{from} to {to}: it falls by {fall:.1} dB");
        assert_balanced(&engine);
    }
}

/// The finger of a note that has ended is out of the way of the next one, higher or lower, at once.
#[test]
fn fingers_give_way() {
    for (from, to) in [(74, 71), (71, 74), (74, 69)] {
        for gap in [0.0, 0.05] {
            let mut engine = violin();
            assert!(engine.note_on(from, 0.5));
            seconds(&mut engine, 0.4);
            engine.note_off(from);
            seconds(&mut engine, gap);
            assert!(engine.note_on(to, 0.5));
            seconds(&mut engine, 0.15);
            let of = part_of(&seconds(&mut engine, 0.25), &[to]);
            assert!(of > 0.85, "{from} to {to} after {gap} s: {of} of the sound is of the note");
        }
    }
}

/// Two strings sound together, and after both are let go the instrument comes to rest.
#[test]
fn two_strings_sound_together() {
    let mut engine = violin();
    for key in [64, 71] {
        assert!(engine.note_on(key, 0.5));
    }
    seconds(&mut engine, 0.4);
    let held = seconds(&mut engine, 0.4);
    let both = part_of(&held, &[64, 71]);
    assert!(both > 0.85 && [64, 71].iter().all(|key| part_of(&held, &[*key]) > 0.1), "{both}");
    [64, 71].iter().for_each(|key| engine.note_off(*key));
    seconds(&mut engine, 0.6);
    let rest = level(&seconds(&mut engine, 0.1)) - level(&held);
    assert!(rest < -25.0, "{rest:.1} dB");
    assert_balanced(&engine);
}

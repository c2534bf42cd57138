//! Bowed strings that fingers stop: slurs, notes one after another, two strings at a time.

use crate::{
    instruments::{assert_balanced, bits, seconds},
    partials::{hz, level, shipped},
};
use hamiltone_numerics::math;
use hamiltone_plan::instrument::InstrumentPlan;
use hamiltone_play::{Action, Engine};
use hamiltone_report::measure::pitch;
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

/// The same note again without a pause is heard as another one, since the bow turns on the string: on most keys the level falls by 3 dB or more.
#[test]
fn the_bow_changes_its_direction() {
    let keys = (55..=95).step_by(5);
    let mut clear = 0;
    for key in keys.clone() {
        let mut engine = violin();
        let mut before = f64::NAN;
        for note in 0..3 {
            assert!(engine.note_on(key, 0.5));
            let begin = seconds(&mut engine, 0.15);
            let held = seconds(&mut engine, 0.35);
            if note > 0 {
                let fall = before - begin.chunks(960).map(level).fold(f64::INFINITY, f64::min);
                println!("{key}: the level falls by {fall:.1} dB");
                clear += u32::from(fall > 3.0);
            }
            before = level(&held);
            engine.note_off(key);
        }
        assert_balanced(&engine);
    }
    let all = 2 * keys.count() as u32;
    assert!(2 * clear > all, "{clear} of {all}");
}

/// From rest the next note is the one before upside down. A slur and a trill keep the direction, and so does a saved state.
#[test]
fn each_note_is_bowed_the_other_way() {
    let rest = |engine: &mut Engine| {
        while !engine.is_at_rest() {
            seconds(engine, 0.1);
        }
    };
    // 1 for the same sound and −1 for the same upside down, but for what the filters of the pickups still hold of the note before.
    let likeness = |a: &[f64], b: &[f64]| {
        let product = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
        product(a, b) / (product(a, a) * product(b, b)).sqrt()
    };
    let mut engine = violin();
    let note = |engine: &mut Engine, slurred: bool| {
        assert!(engine.note_on(69, 0.5));
        let sound = seconds(engine, 0.2);
        if slurred {
            assert!(engine.note_on(71, 0.5));
            seconds(engine, 0.1);
            engine.note_off(71);
            seconds(engine, 0.1);
        }
        engine.note_off(69);
        rest(engine);
        sound
    };
    let first = note(&mut engine, true);
    let second = note(&mut engine, false);
    let (state, numbers) = engine.save();
    let mut other = violin();
    other.restore(&state, &numbers).unwrap();
    let alike =
        [second, note(&mut engine, false), note(&mut other, false)].map(|sound| likeness(&sound, &first));
    println!("{alike:?}");
    assert!(alike[0] < -0.999 && alike[1] > 0.999 && alike[2] > 0.999, "{alike:?}");
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

/// Half of what the pitch of B4 goes up and down in a sound, cents, by its mean in 0.12 s every 10 ms.
fn swing(sound: &[f64]) -> f64 {
    let of = |part: &[f64]| 1200.0 * math::log2(pitch::frequency(part, RATE, hz(71)) / hz(71));
    let cents = sound.windows(5760).step_by(480).map(of);
    let (low, high) = cents.fold((f64::MAX, f64::MIN), |(low, high), c| (low.min(c), high.max(c)));
    0.5 * (high - low)
}

/// A note that a finger stops swings from 0.3 s on by its depth at most, that of an open string never; the modulation wheel takes it further, and a saved state
/// goes on with the same bits.
#[test]
fn stopped_notes_have_vibrato() {
    let with =
        |depth: &str| Engine::new(&shipped("violin", &[&format!("instrument.vibrato_depth={depth}")], RATE));
    let play = |depth: &str, key: u8| {
        let mut engine = with(depth).unwrap();
        assert!(engine.note_on(key, 0.5));
        let parts = [0.3, 0.7].map(|time| seconds(&mut engine, time));
        (engine, parts)
    };
    let (open, open_still) = (play("10", 69), play("0", 69));
    assert!(open.1.iter().zip(&open_still.1).all(|(a, b)| bits(a) == bits(b)), "an open string swings");
    let ((mut engine, [begin, swinging]), (_, [still, _])) = (play("10", 71), play("0", 71));
    assert!(bits(&begin) == bits(&still) && bits(&begin) != bits(&swinging[..begin.len()]));
    let deep = swing(&swinging[14_400..]);
    let (state, numbers) = engine.save();
    let mut other = with("10").unwrap();
    other.restore(&state, &numbers).unwrap();
    let wheel = Action::Control { number: 1, value: 0.5 };
    let further = [&mut engine, &mut other].map(|engine| {
        assert!(engine.act(wheel));
        seconds(engine, 0.6)
    });
    assert!(bits(&further[0]) == bits(&further[1]), "a restored vibrato differs");
    let deeper = swing(&further[0][9600..]);
    println!("{deep:.1} cents, {deeper:.1} with the wheel halfway");
    // What is measured in 0.12 s of a note whose pitch varies is known to a cent or two.
    assert!((8.0..12.0).contains(&deep) && (1.5..2.3).contains(&(deeper / deep)), "{deep} {deeper}");
    assert_balanced(&engine);
    assert!(!with("0").unwrap().act(wheel));
}

/// A note to which that of another string is added keeps its vibrato, and one that comes back from under the next has it again; an open string has none.
#[test]
fn vibrato_follows_the_notes_that_are_held() {
    let plan = shipped("violin", &["instrument.vibrato_depth=10"], RATE);
    let still = shipped("violin", &["instrument.vibrato_depth=0"], RATE);
    // For a moment A4 on the open string of the note, as a mordent, or G3 on another string; how soon the vibrato is to be whole, s.
    for (other, later) in [(69, 0.7), (55, 0.0)] {
        let mut engine = Engine::new(&plan).unwrap();
        assert!(engine.note_on(71, 0.5));
        seconds(&mut engine, 0.8);
        assert!(engine.note_on(other, 0.5));
        seconds(&mut engine, 0.06);
        engine.note_off(other);
        seconds(&mut engine, 0.1 + later);
        let cents = swing(&seconds(&mut engine, 0.35));
        println!("after {other}: {cents:.1} cents");
        assert!((7.0..13.0).contains(&cents), "after {other}: {cents}");
        assert_balanced(&engine);
    }
    let open = |plan: &InstrumentPlan| {
        let mut engine = Engine::new(plan).unwrap();
        assert!(engine.note_on(76, 0.5));
        bits(&seconds(&mut engine, 1.0))
    };
    assert!(open(&plan) == open(&still));
}

/// Controller 16 moves the bow: nearer to the bridge the string swings wider at the same speed, in proportion to 1/β, and over the fingerboard less, where the force
/// suffices for all three. Controller 17 presses it: a string that is pressed harder sounds louder.
#[test]
fn controllers_move_and_press_the_bow() {
    let plan = shipped("cello", &["instrument.vibrato_depth=0"], RATE);
    let change = |force: f64, number: u8, value: f64| {
        let mut engine = Engine::new(&plan).unwrap();
        assert!(engine.act(Action::Control { number: 17, value: force }) && engine.note_on(62, 0.5));
        seconds(&mut engine, 0.8);
        let before = level(&seconds(&mut engine, 0.3));
        assert!(engine.act(Action::Control { number, value }));
        seconds(&mut engine, 0.5);
        let after = level(&seconds(&mut engine, 0.3));
        assert_balanced(&engine);
        after - before
    };
    let [far, middle, near] = [0.01, 0.5, 1.0].map(|value| change(0.75, 16, value));
    println!("{far:.1} {middle:.1} {near:.1} dB");
    // 1.6 either way is 4.1 dB; partials near a node of the bow change by more or less.
    assert!((-6.0..-2.0).contains(&far) && middle.abs() < 0.5 && (2.0..6.0).contains(&near));
    let [light, heavy] = [0.1, 1.0].map(|value| change(0.5, 17, value));
    println!("{light:.1} {heavy:.1} dB");
    assert!(heavy > light + 2.0, "{light} {heavy}");
}

/// With program 45 strings are plucked: the note is there at once, dies away while its key is down, has its pitch, and follows no other by a slur. Any other program bows.
#[test]
fn program_45_plucks() {
    for (name, key) in [("violin", 67), ("viola", 60), ("cello", 48), ("double_bass", 36)] {
        let plan = shipped(name, &["instrument.vibrato_depth=0"], RATE);
        let mut engine = Engine::new(&plan).unwrap();
        assert!(engine.act(Action::Program(45)) && engine.note_on(key, 0.7));
        let first = seconds(&mut engine, 0.4);
        let cents = 1200.0 * math::log2(pitch::frequency(&first[4800..], RATE, hz(key)) / hz(key));
        let early = level(&first[2400..9600]);
        let fall = early - level(&seconds(&mut engine, 0.6)[19_200..]);
        assert!(cents.abs() < 8.0 && fall > 10.0, "{name}: {cents:.1} cents, falls by {fall:.1} dB");
        // Struck while the other is down, a note is plucked anew, and a bowed one begins by itself.
        let before = level(&seconds(&mut engine, 0.1));
        assert!(engine.note_on(key + 1, 0.7));
        let next = level(&seconds(&mut engine, 0.2)[2400..]);
        assert!(next > before + 6.0, "{name}: {before:.1} dB, then {next:.1} dB");
        engine.act(Action::Program(40));
        [key, key + 1].into_iter().for_each(|key| engine.note_off(key));
        seconds(&mut engine, 1.0);
        assert!(engine.note_on(key, 0.7));
        seconds(&mut engine, 0.4);
        let held = [0.2, 0.2].map(|time| level(&seconds(&mut engine, time)));
        assert!((held[0] - held[1]).abs() < 2.0, "{name}: {held:?}");
        assert_balanced(&engine);
    }
}

/// With program 31 notes are harmonics, from an octave above the lowest string on: nine tenths of the power or more are at the partials of the note, and so little at those
/// of the string that is twice as long, of which a light finger touches the middle. Lower keys are not played.
#[test]
fn program_31_touches_strings_lightly() {
    for (name, lowest) in [("violin", 55), ("viola", 48), ("cello", 36), ("double_bass", 28)] {
        let plan = shipped(name, &["instrument.vibrato_depth=0", "instrument.program=31"], RATE);
        assert_eq!(plan.keys().first(), Some(&(lowest + 12)), "{name}");
        let mut engine = Engine::new(&plan).unwrap();
        assert!(!engine.note_on(lowest + 11, 0.5) && engine.is_at_rest(), "{name}");
        for key in [lowest + 12, lowest + 15, lowest + 22] {
            assert!(engine.note_on(key, 0.5), "{name}: {key}");
            seconds(&mut engine, 0.6);
            let sound = seconds(&mut engine, 0.8);
            let cents = 1200.0 * math::log2(pitch::frequency(&sound, RATE, hz(key)) / hz(key));
            let part = part_of(&sound, &[key]);
            assert!(cents.abs() < 6.0 && part > 0.9, "{name}, key {key}: {cents:.1} cents, {part}");
            engine.note_off(key);
            seconds(&mut engine, 1.0);
        }
        assert_balanced(&engine);
    }
}

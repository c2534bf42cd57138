//! Winds that play one note at a time: slurs, breath, and what a key does while another is down.

use crate::{
    instruments::{assert_balanced, bits, seconds},
    partials::{hz, level, shipped},
};
use hamiltone_numerics::math;
use hamiltone_plan::instrument::InstrumentPlan;
use hamiltone_play::{Action, Engine, engine::Activity};

const RATE: f64 = 48_000.0;

fn clarinet() -> Engine {
    Engine::new(&shipped("clarinet", &["instrument.frets=12"], RATE)).unwrap()
}

/// How much of a sound is at a frequency and its odd multiples, of its power.
fn part_at(sound: &[f64], frequency: f64) -> f64 {
    let at = |f: f64| {
        let turn = |n: usize| core::f64::consts::TAU * f * n as f64 / RATE;
        let sum = |of: fn(f64) -> f64| sound.iter().enumerate().map(|(n, x)| x * of(turn(n))).sum::<f64>();
        let (re, im) = (sum(math::cos), sum(math::sin));
        2.0 * (re * re + im * im) / sound.len() as f64
    };
    (1..40).step_by(2).map(|n| at(f64::from(n) * frequency)).sum::<f64>()
        / sound.iter().map(|x| x * x).sum::<f64>()
}

/// Notes that overlap are slurred: the level falls by 10 dB at most while the pitch changes, and a key that is let go under another one changes nothing. Apart, the note ends first.
#[test]
fn notes_that_overlap_are_slurred() {
    let play = |gap: f64| {
        let mut engine = clarinet();
        assert!(engine.note_on(50, 0.5));
        let first = seconds(&mut engine, 0.5);
        assert!(part_at(&first[12_000..], hz(50)) > 0.8, "{}", part_at(&first[12_000..], hz(50)));
        if gap > 0.0 {
            engine.note_off(50);
            seconds(&mut engine, gap);
        }
        assert!(engine.note_on(55, 0.5));
        let begin = seconds(&mut engine, 0.1);
        engine.note_off(50);
        let held = seconds(&mut engine, 0.3);
        assert!(part_at(&held, hz(55)) > 0.8, "{}", part_at(&held, hz(55)));
        let least = begin.chunks(960).map(level).fold(f64::INFINITY, f64::min);
        engine.note_off(55);
        seconds(&mut engine, 1.0);
        assert!(engine.is_at_rest() || level(&seconds(&mut engine, 0.1)) < level(&held) - 80.0);
        assert_balanced(&engine);
        least - level(&held)
    };
    let [slurred, apart] = [0.0, 0.08].map(play);
    println!("{slurred:.1} dB, {apart:.1} dB");
    assert!(slurred > -10.0 && apart < -20.0, "{slurred} dB, {apart} dB");
}

/// Before breath has moved, velocity sets the level; then breath does, for notes that sound and for those that begin, whatever their velocity, and without breath there is no
/// sound. It goes on from a saved state with the same bits.
#[test]
fn breath_takes_the_place_of_velocity() {
    let breath = |engine: &mut Engine, value: f64| assert!(engine.act(Action::Control { number: 2, value }));
    let mut engine = clarinet();
    assert!(engine.note_on(55, 0.5));
    let by_velocity = level(&seconds(&mut engine, 0.4)[9600..]);
    let mut levels = Vec::new();
    for value in [0.2, 0.5, 1.0] {
        breath(&mut engine, value);
        levels.push(level(&seconds(&mut engine, 0.5)[14_400..]));
    }
    assert!(
        (levels[1] - by_velocity).abs() < 1.0 && levels[0] + 2.0 < levels[1] && levels[1] + 2.0 < levels[2],
        "{levels:?} {by_velocity}"
    );
    engine.note_off(55);
    seconds(&mut engine, 0.5);
    let again = |velocity: f64| {
        let mut engine = clarinet();
        breath(&mut engine, 0.5);
        assert!(engine.note_on(55, velocity));
        let sound = seconds(&mut engine, 0.4);
        assert_balanced(&engine);
        (engine, sound)
    };
    let ((mut one, soft), (_, loud)) = (again(0.1), again(1.0));
    assert!(bits(&soft) == bits(&loud) && (level(&soft[9600..]) - levels[1]).abs() < 1.0);
    let (state, numbers) = one.save();
    let mut other = clarinet();
    other.restore(&state, &numbers).unwrap();
    for engine in [&mut one, &mut other] {
        breath(engine, 0.9);
        assert!(engine.note_on(57, 0.3));
    }
    assert!(bits(&seconds(&mut one, 0.2)) == bits(&seconds(&mut other, 0.2)));
    breath(&mut one, 0.0);
    let sounding = level(&seconds(&mut one, 0.05));
    assert!(level(&seconds(&mut one, 1.0)[24_000..]) < sounding - 60.0);
    // A key that is up has no breath.
    one.note_off(55);
    one.note_off(57);
    seconds(&mut one, 0.3);
    breath(&mut one, 1.0);
    assert!(level(&seconds(&mut one, 0.5)) < sounding - 60.0);
    assert_balanced(&one);
}

/// The next note of a slur sounds in the lowest register of its pipe, wherever in its period the note before is left.
#[test]
fn slurs_stay_in_their_register() {
    let plan = shipped("clarinet", &["instrument.frets=24"], RATE);
    for (from, to, velocity) in [(73, 69, 1.0), (73, 69, 0.5), (74, 71, 1.0), (50, 62, 0.5)] {
        for phase in 0..12 {
            let mut engine = Engine::new(&plan).unwrap();
            assert!(engine.note_on(from, velocity));
            seconds(&mut engine, 0.2 + 0.000_6 * f64::from(phase));
            assert!(engine.note_on(to, velocity));
            seconds(&mut engine, 0.12);
            let sound = seconds(&mut engine, 0.1);
            assert!(part_at(&sound, hz(to)) > 0.8, "{from} to {to}, phase {phase}");
        }
    }
}

/// A note that begins when another ends, or just after it, makes no larger steps than 2.5 times those of the notes themselves; a slur soon after the begin of a loud note
/// goes on as softly as it is played.
#[test]
fn notes_end_and_begin_without_a_click() {
    let largest = |sound: &[f64]| sound.windows(2).map(|x| (x[1] - x[0]).abs()).fold(0.0, f64::max);
    for gap in [0.0, 0.005, 0.015] {
        for to in [55, 57, 62] {
            let mut engine = clarinet();
            assert!(engine.note_on(55, 0.5));
            let first = seconds(&mut engine, 0.4);
            engine.note_off(55);
            let mut change = seconds(&mut engine, gap);
            assert!(engine.note_on(to, 0.5));
            change.extend(seconds(&mut engine, 0.1));
            let held = largest(&first[9600..]).max(largest(&seconds(&mut engine, 0.3)[4800..]));
            assert!(largest(&change) < 2.5 * held, "{gap} s, {to}: {} {held}", largest(&change) / held);
        }
    }
    for late in [0.0, 0.01, 0.04] {
        let held = |before: Option<f64>| {
            let mut engine = clarinet();
            if let Some(velocity) = before {
                assert!(engine.note_on(55, velocity));
                seconds(&mut engine, late);
            }
            assert!(engine.note_on(60, 0.15));
            level(&seconds(&mut engine, 0.6)[19_200..])
        };
        let [alone, after] = [None, Some(1.0)].map(held);
        assert!((after - alone).abs() < 1.0, "{late} s: {after} dB, {alone} alone");
    }
}

/// Lips find each note of their bores, reeds those of a cone and of cylinders, and a jet that of its pipe: half of the level is there 0.12 and, for reeds and jet, 0.08 s after the key, and slurs of the trumpet within and
/// between registers, of the saxophone, and over three semitones of the recorder, come to the pitch and the level of the note alone, within 0.5 and 1.5 dB, without larger steps than 1.5 times those of both notes.
#[test]
fn notes_find_their_register() {
    let largest = |sound: &[f64]| sound.windows(2).map(|x| (x[1] - x[0]).abs()).fold(0.0, f64::max);
    let play = |plan: &InstrumentPlan, key: u8| {
        let mut engine = Engine::new(plan).unwrap();
        assert!(engine.note_on(key, 0.5));
        let begin = seconds(&mut engine, 0.4);
        (engine, begin)
    };
    let [trumpet, trombone, saxophone, recorder, pipes] =
        ["trumpet", "trombone", "saxophone", "recorder", "reed_pipes"].map(|name| shipped(name, &[], RATE));
    for (plan, keys, most) in [
        (&trumpet, &[52, 55, 59, 62, 66, 70, 74, 79, 82, 84][..], 120),
        (&trombone, &[40, 47, 49, 54, 62, 70], 120),
        (&saxophone, &[49, 55, 61, 67, 73, 81], 80),
        (&recorder, &[65, 70, 75, 80, 86, 91], 80),
        (&pipes, &[36, 38, 40, 43, 48, 60, 84], 80),
    ] {
        for key in keys {
            let (mut engine, begin) = play(plan, *key);
            let level_then = level(&seconds(&mut engine, 0.2));
            let half = begin.chunks(240).position(|part| level(part) >= level_then - 6.02).unwrap() * 5;
            println!("{key}: half of the level after {half} ms");
            assert!(half <= most, "{key}: {half} ms");
            assert_balanced(&engine);
        }
    }
    let held = |plan: &InstrumentPlan, key: u8| seconds(&mut play(plan, key).0, 0.2);
    let brass =
        [(70, 72), (70, 69), (65, 70), (70, 65), (77, 82), (58, 65)].map(|slur| (&trumpet, slur, 0.5));
    let reed =
        [(61, 62), (62, 61), (50, 65), (65, 50), (76, 81), (81, 69)].map(|slur| (&saxophone, slur, 1.5));
    let jet = [(65, 67), (68, 65), (77, 79), (79, 76), (89, 91)].map(|slur| (&recorder, slur, 0.5));
    for (plan, (from, to), apart) in brass.into_iter().chain(reed).chain(jet) {
        let (mut engine, _) = play(plan, from);
        assert!(engine.note_on(to, 0.5));
        let slur = seconds(&mut engine, 0.3);
        let (after, alone) = (seconds(&mut engine, 0.2), held(plan, to));
        let steps = largest(&slur) / largest(&alone).max(largest(&held(plan, from)));
        println!("{from} to {to}: steps {steps:.2}, {:.2} dB", level(&after) - level(&alone));
        assert!(steps < 1.5 && (level(&after) - level(&alone)).abs() < apart, "{from} to {to}: {steps}");
        assert!(part_at(&after, hz(to)) > 0.5 * part_at(&alone, hz(to)), "{from} to {to}: another register");
        assert_balanced(&engine);
    }
}

/// The pressure of a held note, the lowest one, too, swings from 0.3 s on, and with it the level; three times as far by the whole modulation wheel. A saved state goes on with the same bits, and the
/// end of a note is silent.
#[test]
fn breath_has_vibrato() {
    let with = |depth: &str| {
        let depth = format!("instrument.vibrato_pressure={depth}");
        Engine::new(&shipped("recorder", &[&depth, "instrument.frets=2"], RATE)).unwrap()
    };
    let play = |depth: &str| {
        let mut engine = with(depth);
        assert!(engine.note_on(65, 0.5));
        let parts = [0.3, 1.0].map(|time| seconds(&mut engine, time));
        (engine, parts)
    };
    // Levels of 20 ms.
    let swing = |sound: &[f64]| {
        let levels = || sound.chunks_exact(960).map(level);
        0.5 * (levels().fold(f64::MIN, f64::max) - levels().fold(f64::MAX, f64::min))
    };
    let ((mut engine, [begin, swinging]), (_, [still, steady])) = (play("0.08"), play("0"));
    assert!(bits(&begin) == bits(&still));
    let (deep, none) = (swing(&swinging[28_800..]), swing(&steady[28_800..]));
    let (state, numbers) = engine.save();
    let mut other = with("0.08");
    other.restore(&state, &numbers).unwrap();
    let further = [&mut engine, &mut other].map(|engine| {
        assert!(engine.act(Action::Control { number: 1, value: 1.0 }));
        seconds(engine, 0.8)
    });
    assert!(bits(&further[0]) == bits(&further[1]), "a restored vibrato differs");
    let deeper = swing(&further[0][19_200..]);
    println!("{none:.2} dB, {deep:.2}, {deeper:.2} with the wheel");
    assert!(
        deep > 0.15 && deep > 3.0 * none && (2.0..4.0).contains(&(deeper / deep)),
        "{none} {deep} {deeper}"
    );
    engine.note_off(65);
    seconds(&mut engine, 4.0);
    assert!(engine.is_at_rest());
    assert_balanced(&engine);
}

/// What is not blown any more sleeps, though the vibrato of other notes goes on; a string has no vibrato by that of pressures.
#[test]
fn breath_keeps_nothing_awake() {
    let sets = ["instrument.vibrato_pressure=0.1", "instrument.keys=[\"C5\", \"C6\"]"];
    let mut engine = Engine::new(&shipped("reed_pipes", &sets, RATE)).unwrap();
    assert!(engine.note_on(72, 0.5) && engine.note_on(84, 0.5));
    seconds(&mut engine, 0.5);
    engine.note_off(72);
    seconds(&mut engine, 2.0);
    let awake = engine.islands().iter().filter(|part| part.activity() == Activity::Awake).count();
    assert_eq!(awake, 1, "of {} parts", engine.islands().len());
    let string = |set: &str| {
        let mut engine = Engine::new(&shipped("violin", &[set], RATE)).unwrap();
        assert!(engine.note_on(69, 0.5));
        seconds(&mut engine, 1.0)
    };
    let [with, without] = ["instrument.vibrato_pressure=0.1", "instrument.vibrato_pressure=0"].map(string);
    assert!(bits(&with) == bits(&without));
}

//! What notes and pedals do to the sound: superposition, damping, held notes, strings that are taken, keys that are not there, gestures that
//! are too many.

use crate::instruments::{EXACT_RATE, TINES, assert_balanced, channel, engine, engine_at, frames};
use hamiltone_numerics::math;
use hamiltone_play::{Action, Engine, recording::Balance};
use std::f64::consts::PI;

/// Energy of all parts, J.
fn stored(engine: &Engine) -> f64 {
    engine.audits().map(|audit| audit.stored()).sum()
}

/// A tine whose pickup is heard in both channels alike, undamped by any damper.
const PLAIN: &str = r#"
hamiltone = 2
output.level = "raw"
[instrument]
keys = "C4..E4"
[key.body.tine]
kind = "oscillator"
mass = "3 g"
undamped_frequency = "{60 + key} Hz"
damping = "4 1/s"
[key.pickup.tine]
at = "tine"
quantity = "velocity"
[[note_on]]
gesture = "strike"
at = "tine"
speed = "{velocity} m/s"
duration = "2 ms"
"#;

/// The velocity of the tine of key 60, t seconds after a blow of 1 m/s began: the convolution of the force with the impulse response,
///
///   v(t) = ∫ f(s) h'(t − s) ds,   h = e^(−σt) sin(ω₁t)/(mω₁),   by Simpson's rule in steps of T/200
///
/// whose error is (h/T)⁴(2π)⁴/180 ≈ 5e-9 of the integral.
fn struck(t: f64) -> f64 {
    let (mass, duration, sigma, omega) = (3e-3, 2e-3, 2.0_f64, 2.0 * PI * 120.0);
    let damped: f64 = (omega * omega - sigma * sigma).sqrt();
    let response = |t: f64| {
        math::exp(-sigma * t) * (math::cos(damped * t) - sigma / damped * math::sin(damped * t)) / mass
    };
    let force = |s: f64| mass / duration * (1.0 - math::cos(2.0 * PI * s / duration));
    let (end, n) = (t.clamp(0.0, duration), 200);
    let step = end / f64::from(n);
    let weight = |k: i32| if k == 0 || k == n { 1.0 } else { 2.0 + 2.0 * f64::from(k % 2) };
    (0..=n).map(|k| weight(k) * force(f64::from(k) * step) * response(t - f64::from(k) * step)).sum::<f64>()
        * step
        / 3.0
}

/// Struck again while it sounds, a linear tine moves by the sum of what each blow alone does, as the exact solution has it.
#[test]
fn a_note_struck_again_adds_to_what_sounds() {
    let rate = 48_000.0;
    let mut engine = engine_at(PLAIN, rate);
    let blows = [(0, 127), (1234, 64), (1300, 100), (7001, 32)];
    let mut sound = Vec::new();
    for (i, (at, velocity)) in blows.iter().enumerate() {
        assert!(engine.note_on(60, f64::from(*velocity) / 127.0));
        let next = blows.get(i + 1).map_or(14_000, |blow| blow.0);
        sound.extend(channel(&mut engine, 0, next - at));
    }
    let mut worst = 0.0_f64;
    let gain = {
        // Of a pickup without pan in a channel of two.
        let largest = sound[..1200].iter().fold(0.0_f64, |most, x| most.max(x.abs()));
        let exact = (1..1200).fold(0.0_f64, |most, n| most.max(struck(f64::from(n) / rate).abs()));
        largest / exact
    };
    assert!((gain - 1.0).abs() < 1e-4 || (gain - 0.5_f64.sqrt()).abs() < 1e-4, "{gain}");
    for (n, x) in sound.iter().enumerate() {
        // Sample n is the state after step n + 1.
        let t = |at: usize| (n as f64 + 1.0 - at as f64) / rate;
        let of = |(at, velocity): &(usize, i32)| f64::from(*velocity) / 127.0 * struck(t(*at));
        let exact: f64 = blows.iter().map(of).sum();
        worst = worst.max((x / gain - exact).abs());
    }
    // The scheme is of second order: (ωΔt)²/12 = 2.1e-5 of a frequency would be ωt(ωΔt)²/24 of the phase, 220 of these radians; it takes the
    // period exactly, and forces by the trapezoidal rule, (2πΔt/T)²/12 = 3.6e-4 within a pulse.
    assert!(worst < 4e-4, "{worst:e}");
    assert_balanced(&engine);
}

/// To rounding the blows superpose: the same engine with each blow alone.
#[test]
fn blows_superpose_to_rounding() {
    let blows: [(usize, f64); 3] = [(0, 1.0), (500, 0.5), (1700, 0.25)];
    let play = |which: &dyn Fn(usize) -> bool| {
        // Times of steps are exact: an earlier blow begins at another time, and its shape has other roundings.
        let mut engine = engine_at(PLAIN, EXACT_RATE);
        let mut sound = Vec::new();
        for (i, (at, velocity)) in blows.iter().enumerate() {
            if which(i) {
                assert!(engine.note_on(62, *velocity));
            }
            let next = blows.get(i + 1).map_or(4000, |blow| blow.0);
            sound.extend(channel(&mut engine, 0, next - at));
        }
        sound
    };
    let together = play(&|_| true);
    let parts: Vec<Vec<f64>> = (0..3).map(|i| play(&|j| j == i)).collect();
    for (n, x) in together.iter().enumerate() {
        let sum: f64 = parts.iter().map(|part| part[n]).sum();
        // 4000 steps whose roundings add up as independent ones, each some eps of 1 m/s.
        assert!((x - sum).abs() < 8.0 * 4000_f64.sqrt() * f64::EPSILON, "sample {n}: {x} and {sum}");
    }
}

/// Seconds until a key's energy has fallen to a millionth, at most 2.
fn decay(engine: &mut Engine) -> f64 {
    let begin = stored(engine);
    for n in 0..200 {
        frames(engine, 480);
        if stored(engine) < 1e-6 * begin {
            return 0.01 * f64::from(n + 1);
        }
    }
    2.0
}

#[test]
fn pedals_hold_what_they_should() {
    // What is done, and whether key 60 sounds on after its key is up.
    type Script<'a> = &'a [(&'a str, u8)];
    let sounds = |script: Script<'_>| {
        let mut engine = engine(TINES);
        for (what, value) in script {
            match *what {
                "on" => assert!(engine.note_on(*value, 0.8)),
                "off" => engine.note_off(*value),
                "sustain" => assert!(engine.control(64, f64::from(*value) / 127.0)),
                "sostenuto" => assert!(engine.control(66, f64::from(*value) / 127.0)),
                "all" => engine.release_all(),
                _ => unreachable!("{what}"),
            }
            frames(&mut engine, 2400);
        }
        let long = decay(&mut engine) > 0.5;
        assert_eq!(long, engine.held() > 0, "{script:?}");
        assert_balanced(&engine);
        long
    };
    for (script, expected) in [
        (&[("on", 60)][..], true),
        (&[("on", 60), ("off", 60)], false),
        (&[("on", 60), ("sustain", 127), ("off", 60)], true),
        (&[("sustain", 127), ("on", 60), ("off", 60)], true),
        (&[("sustain", 127), ("on", 60), ("off", 60), ("sustain", 0)], false),
        (&[("on", 60), ("sustain", 127), ("sustain", 0)], true),
        // Half pressed and less is up.
        (&[("sustain", 63), ("on", 60), ("off", 60)], false),
        (&[("on", 60), ("sostenuto", 127), ("off", 60)], true),
        (&[("sostenuto", 127), ("on", 60), ("off", 60)], false),
        (&[("on", 60), ("sostenuto", 127), ("off", 60), ("sostenuto", 0)], false),
        // A pedal that sends its position more than once is pressed once.
        (&[("on", 60), ("sostenuto", 100), ("off", 60), ("sostenuto", 127), ("sostenuto", 0)], false),
        (&[("on", 60), ("sostenuto", 100), ("sostenuto", 127), ("off", 60)], true),
        (&[("sostenuto", 100), ("on", 60), ("sostenuto", 127), ("off", 60)], false),
        // Both pedals: the note ends when the last of them is up.
        (&[("on", 60), ("sostenuto", 127), ("sustain", 127), ("off", 60), ("sustain", 0)], true),
        (&[("on", 60), ("sostenuto", 127), ("sustain", 127), ("off", 60), ("sostenuto", 0)], true),
        (
            &[
                ("on", 60),
                ("sostenuto", 127),
                ("sustain", 127),
                ("off", 60),
                ("sostenuto", 0),
                ("sustain", 0),
            ],
            false,
        ),
        (&[("sustain", 127), ("on", 60), ("all", 0)], false),
        (&[("on", 60), ("on", 60), ("off", 60)], false),
    ] {
        assert_eq!(sounds(script), expected, "{script:?}");
    }
}

/// E2 and A2 with five frets each: a note takes its own string, else the free one with the lowest fret, else the one that was struck first.
#[test]
fn notes_take_strings() {
    // Each blow gives 5e-4 J to a body that has come to rest before the next.
    let text = r#"
hamiltone = 2
output.level = "raw"
[instrument]
strings = ["E2", "A2"]
frets = 5
[string.body.bar]
kind = "oscillator"
mass = "1 g"
frequency = "{frequency} Hz"
decay_time = "20 ms"
[string.pickup.bar]
at = "bar"
[[note_on]]
gesture = "strike"
at = "bar"
speed = "{1 + fret/100} m/s"
"#;
    let mut engine = engine(text);
    let names: Vec<String> = engine.islands().iter().map(|part| part.name().to_string()).collect();
    assert_eq!(names, ["bar-1", "bar-2"]);
    let mut taken = Vec::new();
    // 45 is open on the second string; 44 is free on the first; 43 takes that of 44; 46 takes the one that was struck first.
    let script = [
        (45, true),
        (44, true),
        (45, true),
        (43, true),
        (46, true),
        (46, false),
        (48, true),
        (39, true),
        (51, true),
    ];
    for (key, on) in script {
        let before: Vec<f64> = engine.audits().map(|audit| audit.supplied).collect();
        let there = if on {
            engine.note_on(key, 0.5)
        } else {
            engine.note_off(key);
            false
        };
        frames(&mut engine, 4800);
        let gained = |(now, before): (&hamiltone_core::audit::Audit, &f64)| now.supplied - before > 4e-4;
        let struck: Vec<usize> = engine
            .audits()
            .zip(&before)
            .enumerate()
            .filter(|(_, pair)| gained(*pair))
            .map(|(i, _)| i)
            .collect();
        assert_eq!(struck.len(), usize::from(there), "key {key}");
        taken.extend(struck);
    }
    assert_eq!(taken, [1, 0, 1, 0, 1, 1]);
    assert_eq!(engine.held(), 2);
    engine.release_all();
    assert_eq!((engine.held(), engine.is_at_rest()), (0, true));
    assert_balanced(&engine);
}

#[test]
fn what_an_instrument_does_not_have_is_told() {
    let mut engine = engine(TINES);
    for key in [0, 59, 73, 127, 128, 255] {
        assert!(!engine.note_on(key, 1.0));
        engine.note_off(key);
    }
    assert!(!engine.control(1, 0.5) && !engine.control(255, 0.5) && engine.control(7, 1.0));
    assert!(!engine.act(Action::Bend { semitones: 0.5 }) && engine.act(Action::Bend { semitones: 0.0 }));
    frames(&mut engine, 4800);
    assert!(engine.is_at_rest() && engine.audits().all(|audit| audit.steps == 0));
    // Velocities beyond theirs are the nearest.
    for velocity in [-3.0, f64::NAN, 7.0, f64::INFINITY] {
        assert!(engine.note_on(60, velocity), "{velocity}");
        frames(&mut engine, 100);
    }
    assert_balanced(&engine);
}

/// Eight pulses act on one input at a time; a ninth is refused, counted and changes nothing else. 256 gestures of one part wait at a time.
#[test]
fn too_many_gestures_are_refused_and_counted() {
    let mut engine = engine(PLAIN);
    (0..9).for_each(|_| assert!(engine.note_on(60, 0.5)));
    frames(&mut engine, 480);
    let balance = Balance::of([&engine]);
    assert_eq!((balance.refused, balance.ok), (1, true));
    // Over, they make room.
    (0..8).for_each(|_| assert!(engine.note_on(60, 0.5)));
    frames(&mut engine, 480);
    assert_eq!(Balance::of([&engine]).refused, 1);
    let late = PLAIN.replace("duration = \"2 ms\"", "duration = \"2 ms\"\ndelay = \"50 ms\"");
    let mut engine = engine_at(&late, 48_000.0);
    (0..258).for_each(|_| assert!(engine.note_on(60, 0.5)));
    assert_eq!(Balance::of([&engine]).refused, 2);
    frames(&mut engine, 4800);
    // Of 256 that begin together eight have room.
    assert_eq!(Balance::of([&engine]).refused, 2 + 248);
    assert_balanced(&engine);
}

/// A hammer that is thrown within less than a step has its speed: ½mv², but for what its spring of 1 Hz takes in two steps,
/// (ωT)² ≈ 7e-8 of it. Where values of the pulse at the steps alone counted, it would get nothing.
#[test]
fn a_strike_shorter_than_a_step_has_its_impulse() {
    for oversampling in [1, 4] {
        for duration in ["1e-9", "1e-6", "2.5e-5", "5e-5"] {
            let text = PLAIN
                .replace("[instrument]", &format!("run.oversampling = {oversampling}\n[instrument]"))
                .replace("{60 + key} Hz", "1 Hz")
                .replace("damping = \"4 1/s\"\n", "")
                .replace("\"2 ms\"", duration);
            let mut engine = engine_at(&text, 48_000.0);
            engine.note_on(60, 1.0);
            frames(&mut engine, 64);
            let supplied: f64 = engine.audits().map(|audit| audit.supplied).sum();
            let asked = 0.5 * 3e-3;
            assert!((supplied / asked - 1.0).abs() < 1e-6, "{duration} s, {oversampling}: {supplied} J");
            assert_balanced(&engine);
        }
    }
}

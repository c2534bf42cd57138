//! The samples of an engine do not depend on the size of the blocks nor on the number of threads, and a part that slept plays like a
//! new one.

use crate::instruments::{BASS, EXACT_RATE, TINES, assert_balanced, bits, engine, engine_at, frames, piano};
use crate::random::Random;
use hamiltone_numerics::{math, parallel};
use hamiltone_play::{Engine, engine::BLOCK};
use std::f64::consts::TAU;

fn act(engine: &mut Engine, event: u8) {
    let key = 40 + (event * 7) % 25;
    match event % 8 {
        2 => _ = engine.control(64, 1.0),
        5 => _ = engine.control(11, 0.3),
        6 => _ = engine.control(64, 0.0),
        7 => engine.release_all(),
        _ => _ = engine.note_on(key, 0.2 + 0.04 * f64::from(event)),
    }
}

/// Plays on keys 45 to 60 with pedals and controllers, `part` frames at a time between events 1500 frames apart.
fn play(engine: &mut Engine, part: &mut dyn FnMut() -> usize) -> Vec<f64> {
    let mut all = Vec::new();
    for event in 0..16 {
        act(engine, event);
        let mut left = 1500;
        while left > 0 {
            let frames_now = part().clamp(1, left);
            all.extend(frames(engine, frames_now));
            left -= frames_now;
        }
    }
    all
}

/// Neither samples nor the iterations of solvers, which are among the saved numbers, depend on what an engine did before its state: a law that was
/// asked for before it became idle must not be remembered.
#[test]
fn a_restored_engine_goes_on_with_the_same_bits() {
    for text in [TINES, BASS, &piano(30)] {
        for event in 1..16 {
            let (mut first, mut second) = (engine(text), engine(text));
            (0..event).for_each(|event| {
                act(&mut first, event);
                frames(&mut first, 700);
            });
            let (state, numbers) = first.save();
            second.restore(&state, &numbers).unwrap();
            let go_on = |engine: &mut Engine| {
                act(engine, event);
                // The last key again, which rings without its damper.
                act(engine, event - 1);
                let sound = bits(&frames(engine, 1500));
                let (state, numbers) = engine.save();
                (sound, state, bits(&numbers))
            };
            assert!(go_on(&mut first) == go_on(&mut second), "after {event} events");
        }
    }
}

#[test]
fn the_bits_do_not_depend_on_the_blocks() {
    for text in [TINES, BASS, &piano(30)] {
        let whole = play(&mut engine(text), &mut || 1500);
        assert!(whole.iter().any(|x| x.abs() > 1e-3) && whole.iter().all(|x| x.is_finite()));
        let mut random = Random::new();
        for size in [1, 7, 128, BLOCK] {
            assert!(bits(&play(&mut engine(text), &mut || size)) == bits(&whole), "blocks of {size}");
        }
        let parts = play(&mut engine(text), &mut || 1 + random.below(300));
        assert!(bits(&parts) == bits(&whole), "blocks of any sizes");
    }
}

#[test]
fn the_bits_do_not_depend_on_the_threads() {
    for text in [TINES, BASS, &piano(30)] {
        let alone = play(&mut engine(text), &mut || 200);
        for threads in [1, 2] {
            let shared = parallel::at_most(threads, || play(&mut engine(text).on_all_cores(), &mut || 200));
            assert!(bits(&shared) == bits(&alone), "{threads} threads");
        }
    }
}

/// What is told before it is due acts at its time: events of several blocks, and then their sound at once, on one thread or all.
#[test]
fn the_bits_do_not_depend_on_what_is_told_before() {
    for text in [TINES, BASS, &piano(30)] {
        let whole = play(&mut engine(text), &mut || 1500);
        for engine in [engine(text), engine(text).on_all_cores()] {
            let mut engine = engine;
            let mut told = Vec::new();
            for events in [0..5, 5..16] {
                let from = engine.frames();
                for event in events.clone() {
                    act(&mut engine, event);
                    engine.pass(1500);
                }
                assert_eq!((engine.frames(), engine.passed()), (from, 1500 * u64::from(events.end)));
                told.extend(frames(&mut engine, 1500 * events.len()));
            }
            assert!(bits(&told) == bits(&whole));
        }
    }
}

/// [`TINES`] with a tremolo of this depth, one step a sample.
fn trembling(depth: f64) -> String {
    let tremolo = format!("pan = -1\ntremolo = {{ rate = \"6 Hz\", depth = {depth} }}\n");
    let text = TINES.replace("pan = \"{(key - 66)/6}\"\n", &tremolo);
    text.replace("[instrument]", "run.oversampling = 1\n[instrument]")
}

/// The gain of a tremolo is one of the time alone: of any blocks, also where parts slept, and of an engine that goes on from a saved state.
#[test]
fn a_tremolo_has_the_same_bits_in_any_blocks_and_after_a_restore() {
    let (text, still) = (trembling(0.8), trembling(0.0));
    let whole = play(&mut engine(&text), &mut || 1500);
    for size in [1, 7, 128, BLOCK] {
        assert!(bits(&play(&mut engine(&text), &mut || size)) == bits(&whole), "blocks of {size}");
    }
    let mut steady = engine(&still);
    let rate = steady.rate();
    let beside = play(&mut steady, &mut || 1500);
    let without = still.replace("tremolo = { rate = \"6 Hz\", depth = 0 }\n", "");
    assert!(without.len() < still.len() && bits(&beside) == bits(&play(&mut engine(&without), &mut || 1500)));
    let loud = beside.iter().fold(0.0_f64, |most, x| most.max(x.abs()));
    for (n, (x, y)) in beside.chunks_exact(2).zip(whole.chunks_exact(2)).enumerate() {
        // Sample n is the end of step n.
        let gain = 1.0 - 0.4 * (1.0 - math::cos(TAU * 6.0 * (n + 1) as f64 / rate));
        // A sum of at most 13 keys, each rounded; the phase is below 2π·4.
        assert!((y[0] - gain * x[0]).abs() < 100.0 * f64::EPSILON * loud, "{n}: {x:?} {y:?} {gain}");
    }
    let mut first = engine(&text);
    assert!(first.note_on(64, 0.7));
    frames(&mut first, 3333);
    let (state, numbers) = first.save();
    let mut second = engine(&text);
    second.restore(&state, &numbers).unwrap();
    assert!(bits(&frames(&mut first, 5000)) == bits(&frames(&mut second, 5000)));
}

/// A block of single precision has the samples rounded, frame by frame; what is no whole frame is left.
#[test]
fn blocks_of_both_precisions_agree() {
    let [mut double, mut single] = [(); 2].map(|()| engine(TINES));
    [&mut double, &mut single].into_iter().for_each(|engine| assert!(engine.note_on(64, 0.7)));
    let mut block = vec![-7.0_f32; 2 * 3000 + 1];
    single.render(&mut block);
    let expected = frames(&mut double, 3000);
    assert!(expected.iter().zip(&block).all(|(x, y)| (*x as f32).to_bits() == y.to_bits()));
    assert_eq!((block[6000], single.frames(), double.frames()), (-7.0, 3000, 3000));
}

/// The same keys after everything slept sound as they did at first, bit by bit: nothing of the first time is left.
#[test]
fn what_slept_plays_like_new() {
    for (text, key, channels) in [(TINES.to_string(), 60, 2), (piano(30), 50, 2), (BASS.to_string(), 43, 2)] {
        let mut engine = engine_at(&text, EXACT_RATE);
        assert_eq!(engine.channels(), channels);
        // A low-pass filter of linear phase begins before what it filters, which the first samples of all have no room for.
        let memory = 2 * engine.delay();
        frames(&mut engine, memory);
        let note = |engine: &mut Engine| {
            assert!(engine.is_at_rest() && engine.note_on(key, 0.6));
            let mut sound = frames(engine, 8000);
            engine.note_off(key);
            for _ in 0..400 {
                sound.extend(frames(engine, 1000));
                if engine.is_at_rest() {
                    break;
                }
            }
            assert!(engine.is_at_rest(), "it never sleeps");
            // What a decimator still has to give.
            frames(engine, memory);
            assert!(sound.len() > 2 * 10_000);
            sound.truncate(2 * 10_000);
            sound
        };
        let first = note(&mut engine);
        // Not a multiple of the steps between two looks, nor of a block.
        frames(&mut engine, 5431);
        assert!(bits(&note(&mut engine)) == bits(&first), "key {key}");
        assert_balanced(&engine);
    }
}

/// A part that takes two steps a sample is behind by the delay that the engine states, and by nothing else; one that takes one step beside it waits.
#[test]
fn all_rates_leave_with_the_delay_that_is_stated() {
    // The second key is struck through a contact so stiff that it asks for more steps.
    let text = |keys: &str, oversampling: &str| {
        format!(
            r#"
hamiltone = 2
output.level = "reference 0 dB"
{oversampling}
[instrument]
keys = [{keys}]
[key.body.tine]
kind = "oscillator"
mass = "3 g"
frequency = "120 Hz"
decay_time = "3 s"
[key.body.hammer]
when = "{{key == 61}}"
kind = "oscillator"
mass = "3 g"
frequency = "20 Hz"
[key.contact.head]
when = "{{key == 61}}"
between = ["hammer", "tine"]
law = "power"
stiffness = "1e7 N/m"
exponent = 1
gap = "1 mm"
[key.pickup.tine]
at = "tine"
quantity = "velocity"
pan = 0
[[note_on]]
gesture = "strike"
at = "tine"
speed = "1 m/s"
duration = "2 ms"
[[note_on]]
when = "{{key == 61}}"
gesture = "strike"
at = "hammer"
speed = "3 m/s"
"#
        )
    };
    let sound = |text: &str| {
        let mut engine = engine(text);
        assert!(engine.note_on(60, 1.0));
        let ratios: Vec<usize> = engine.islands().iter().map(|part| part.ratio()).collect();
        (frames(&mut engine, 2000), engine.delay(), engine.channels(), ratios)
    };
    let (alone, none, channels, _) = sound(&text("60", ""));
    let peak = alone.iter().fold(0.0_f64, |most, x| most.max(x.abs()));
    let (beside, delay, _, ratios) = sound(&text("60, 61", ""));
    assert!(none == 0 && delay > 0 && ratios[0] == 1 && ratios[1] > 1, "{ratios:?}");
    assert!(beside[..delay * channels].iter().all(|x| *x == 0.0));
    assert!(bits(&beside[delay * channels..]) == bits(&alone[..alone.len() - delay * channels]));
    let (twice, delay, _, _) = sound(&text("60", "run.oversampling = 2"));
    // The filter is centred on the end of the last step of a sample, where the sample ends.
    for (n, (x, y)) in alone.iter().zip(&twice[delay * channels..]).enumerate() {
        // Forces by the trapezoidal rule are off by (2πΔt/T)²/12 = 4e-4. Half a sample would be 0.01.
        assert!((x - y).abs() < 6e-4 * peak, "sample {n}: {x} and {y}");
    }
}

//! Nothing is allocated while an instrument plays on one thread: not by blocks of either precision, notes, pedals, sleep or a fault. Allocations
//! are counted by thread, so that other tests do not count.

use crate::instruments::{BASS, TINES, engine, piano};
use hamiltone_play::{Action, Engine};

/// Plays with everything that can happen; how many parts were asleep at the end.
fn play(engine: &mut Engine, single: &mut [f32], double: &mut [f64]) -> usize {
    for round in 0..200_u8 {
        let key = 36 + round.wrapping_mul(11) % 40;
        engine.note_on(key, f64::from(round % 128) / 127.0);
        engine.render(single);
        engine.control(64, f64::from(round % 3) / 2.0);
        engine.control(66, f64::from(round % 4) / 3.0);
        engine.control(7, 0.5 + 0.5 * f64::from(round % 2));
        engine.control(1, 0.5);
        engine.render(&mut double[..2 * (1 + usize::from(round))]);
        engine.note_off(key);
        engine.act(Action::Bend { semitones: 1.0 });
        engine.act(Action::NoteOn { key: 200, velocity: 1.0 });
    }
    // More gestures than have room.
    (0..300).for_each(|_| _ = engine.note_on(60, 0.5));
    engine.render(double);
    engine.act(Action::AllSoundOff);
    (0..100).for_each(|_| engine.render(double));
    engine.islands().iter().filter(|part| part.slept() > 0.0).count()
}

#[test]
fn playing_does_not_allocate() {
    // The counter counts.
    assert_eq!(allocation_counter::measure(|| drop(std::hint::black_box(vec![7_u8]))).count_total, 1);
    for (text, sleepers) in [(TINES.to_string(), 13), (piano(40), 20), (BASS.into(), 2)] {
        let mut engine = engine(&text);
        let (mut single, mut double) = (vec![0.0_f32; 2 * 128], vec![0.0_f64; 2 * 1500]);
        let mut slept = 0;
        let counted = allocation_counter::measure(|| slept = play(&mut engine, &mut single, &mut double));
        assert_eq!(counted.count_total, 0, "{text}");
        assert!(slept >= sleepers, "{slept} parts slept");
    }
}

#[test]
fn a_fault_does_not_allocate() {
    let text = TINES.replace("speed = \"{velocity} m/s\"", "speed = \"1e200 m/s\"");
    let mut engine = engine(&text);
    let mut block = vec![0.0_f64; 2 * 500];
    let counted = allocation_counter::measure(|| {
        assert!(engine.note_on(60, 1.0));
        engine.render(&mut block);
    });
    assert!(!engine.is_balanced());
    assert_eq!(counted.count_total, 0);
}

/// Even from a fault, and with the same bits as of an engine that has just been made.
#[test]
fn going_back_does_not_allocate() {
    let text = TINES.replace("{velocity} m/s", "{if(velocity > 0.99, 1e200, velocity)} m/s");
    let mut engine = engine(&text);
    let mark = engine.mark();
    let (mut single, mut double) = (vec![0.0_f32; 2 * 128], vec![0.0_f64; 2 * 1500]);
    let mut sound = |engine: &mut Engine| {
        play(engine, &mut single, &mut double);
        engine.note_on(60, 0.7);
        engine.render(&mut double);
        double.iter().map(|x| x.to_bits()).collect::<Vec<_>>()
    };
    let first = sound(&mut engine);
    engine.note_on(60, 1.0);
    engine.render(&mut [0.0_f64; 2 * 500]);
    assert!(!engine.is_balanced());
    let counted = allocation_counter::measure(|| engine.return_to(&mark));
    assert_eq!(counted.count_total, 0);
    assert!(engine.is_balanced() && engine.is_at_rest() && engine.frames() == 0 && engine.held() == 0);
    assert!(sound(&mut engine) == first);
}

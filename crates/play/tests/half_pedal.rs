//! Half pedalling: the dampers of released keys touch their strings in part, as the position of the sustain pedal has it, while the energy
//! balance stays exact; a pedal that jitters costs a bounded number of gestures and leaves nothing behind.

use crate::instruments::{TINES, assert_balanced, bits, engine, frames, plan};
use crate::partials::shipped;
use crate::random::{Random, is_long};
use hamiltone_numerics::math;
use hamiltone_play::{
    Action, Engine,
    engine::{FOLLOW, Island},
};

const RATE: f64 = 48_000.0;

/// Tines whose dampers follow the pedal.
fn following() -> String {
    let (before, _) = TINES.split_once("[[note_off]]").unwrap();
    let damper =
        "gesture = \"damp\"\ncontrol = \"damper\"\nresistance = \"{(1 - pedal)^2} N s/m\"\nramp = \"5 ms\"\n";
    format!("{before}[[note_off]]\n{damper}[[pedal_move]]\n{damper}")
}

/// What the parts hold that no other drives, J.
fn stored(engine: &Engine) -> f64 {
    let own = engine.islands().iter().filter(|part| !part.is_driven());
    own.map(|part| part.audit().stored()).sum()
}

/// The decay time of the energy by 60 dB, s, in the first 0.4 s after a key is let go at a position of the pedal; 0 of what sleeps by then. With
/// `late` the pedal is down until the key is up, and moves there then.
fn released(engine: &mut Engine, key: u8, pedal: f64, late: bool) -> f64 {
    engine.control(64, if late { 1.0 } else { pedal });
    assert!(engine.note_on(key, 0.6));
    frames(engine, 9600);
    let begin = stored(engine);
    engine.note_off(key);
    engine.control(64, pedal);
    frames(engine, 19_200);
    60.0 * 0.4 / (10.0 * math::log10(begin / stored(engine)))
}

#[test]
fn half_a_pedal_is_between_none_and_all_of_it() {
    let count = if is_long() { 3 } else { 1 };
    for (name, keys) in
        [("piano", [48, 28, 64]), ("prepared_piano", [55, 49, 67]), ("vibraphone", [65, 53, 77])]
    {
        let plan = shipped(name, &[], RATE);
        for key in keys.into_iter().take(count) {
            for late in [false, true] {
                let [up, half, more, down] = [0.0, 0.5, 0.65, 1.0].map(|pedal| {
                    let mut engine = Engine::new(&plan).unwrap();
                    let decay = released(&mut engine, key, pedal, late);
                    engine.release_all();
                    frames(&mut engine, 4800);
                    assert_eq!(engine.held(), 0);
                    assert_balanced(&engine);
                    decay
                });
                println!("{name}, key {key}: T60 {up:.3} s, {half:.3} s, {more:.3} s, {down:.3} s");
                assert!(1.2 * up < half && 1.2 * half < more && more < down, "{name}, key {key}, {late}");
            }
        }
    }
}

/// A pedal that moves slowly ends where one that jumps does.
#[test]
fn a_slow_pedal_damps_as_much_at_last() {
    let plan = shipped("piano", &[], RATE);
    let mut engine = Engine::new(&plan).unwrap();
    let at_once = released(&mut engine, 48, 40.0 / 127.0, true);
    engine.release_all();
    frames(&mut engine, 48_000);
    engine.control(64, 1.0);
    assert!(engine.note_on(48, 0.6));
    frames(&mut engine, 9600);
    engine.note_off(48);
    for position in (40..=127).rev() {
        engine.control(64, f64::from(position) / 127.0);
        frames(&mut engine, 200);
    }
    frames(&mut engine, 1000);
    let begin = stored(&engine);
    frames(&mut engine, 9600);
    let slowly = 60.0 * 0.2 / (10.0 * math::log10(begin / stored(&engine)));
    println!("T60 {at_once} s at once, {slowly} s slowly");
    // Higher partials, which decay faster, have gone by then.
    assert!((0.9..1.1).contains(&(slowly / at_once)), "{slowly} s, {at_once} s");
    assert_balanced(&engine);
}

/// An instrument without `pedal_move` has a pedal that is up below one half, as before.
#[test]
fn other_pedals_are_up_or_down() {
    let play = |position: f64| {
        let mut engine = engine(TINES);
        engine.control(64, position);
        assert!(engine.note_on(60, 0.5));
        engine.note_off(60);
        bits(&frames(&mut engine, 9600))
    };
    assert!(play(0.0) == play(0.49) && play(0.5) == play(1.0) && play(0.49) != play(0.5));
    // `note_off` can tell how far up it is.
    let text = TINES.replace(
        "[[note_off]]\ngesture = \"undamp\"\ncontrol = \"damper\"\n",
        "[[note_off]]\ngesture = \"damp\"\ncontrol = \"damper\"\nresistance = \"{1 - pedal} N s/m\"\n",
    );
    let held = |position: f64| {
        let mut engine = engine(&text);
        engine.note_on(60, 0.5);
        frames(&mut engine, 960);
        engine.control(64, position);
        frames(&mut engine, 1920);
        engine.note_off(60);
        frames(&mut engine, 960);
        (engine.held(), engine.audits().map(|audit| audit.stored()).sum::<f64>())
    };
    let [up, part, down] = [0.0, 0.45, 0.5].map(held);
    assert!(
        up.0 == 0 && part.0 == 0 && down.0 == 1 && up.1 < part.1 && part.1 < down.1,
        "{up:?} {part:?} {down:?}"
    );
}

/// Positions are followed at samples of their own, by the last of them: the bits do not depend on the blocks nor on what the pedal did between.
#[test]
fn the_last_position_counts() {
    let play = |jitter: usize, block: usize| {
        let mut engine = engine(&following());
        engine.control(64, 1.0);
        assert!(engine.note_on(60, 0.5) && engine.note_on(67, 0.5));
        engine.note_off(60);
        let mut sound = Vec::new();
        for n in 0..40 {
            for k in 0..jitter {
                engine.control(64, (k % 7) as f64 / 7.0);
            }
            engine.control(64, f64::from(n) / 40.0);
            let mut part = vec![0.0_f64; 2 * 240];
            part.chunks_mut(2 * block).for_each(|block| engine.render(block));
            sound.extend(part);
        }
        assert_balanced(&engine);
        bits(&sound)
    };
    let plain = play(0, 240);
    assert!(play(1000, 240) == plain && play(0, 7) == plain && play(3, 1) == plain);
}

/// A million positions a second begin no more gestures than there are times at which they are followed: of half a second with 188 of them all
/// wait for their time in a queue of 256.
#[test]
fn a_pedal_that_jitters_is_bounded_allocates_nothing_and_leaves_no_note() {
    let late = following().replace("ramp = \"5 ms\"\n", "ramp = \"5 ms\"\ndelay = \"0.6 s\"\n");
    let mut engine = Engine::new(&plan(&late, RATE)).unwrap();
    let mut random = Random::new();
    let mut block = vec![0.0_f32; 2];
    let counted = allocation_counter::measure(|| {
        for n in 0..24_000_usize {
            for _ in 0..20 {
                engine.control(64, random.below(128) as f64 / 127.0);
            }
            if n.is_multiple_of(1000) {
                engine.note_on(60 + random.below(13) as u8, 0.7);
            }
            if n % 1000 == 700 {
                (60..=72).for_each(|key| engine.note_off(key));
            }
            engine.render(&mut block);
        }
        (60..=72).for_each(|key| engine.note_off(key));
        engine.control(64, 0.0);
        assert!(engine.waits());
    });
    assert_eq!(counted.count_total, 0);
    assert_eq!(engine.islands().iter().map(Island::refused).sum::<u64>(), 0);
    frames(&mut engine, FOLLOW as usize + 1);
    assert_eq!(engine.held(), 0);
    frames(&mut engine, 4 * 48_000);
    assert!(engine.is_at_rest() && !engine.waits());
    assert_balanced(&engine);
}

/// A saved state has the position that is still to be followed.
#[test]
fn a_saved_state_follows_on() {
    let text = following();
    let prepared = |engine: &mut Engine| {
        assert!(engine.note_on(60, 0.5) && engine.note_on(62, 0.5));
        engine.control(64, 0.7);
        engine.note_off(60);
        frames(engine, 500);
        engine.control(64, 0.3);
    };
    let mut one = engine(&text);
    prepared(&mut one);
    let (state, numbers) = one.save();
    let mut other = engine(&text);
    other.restore(&state, &numbers).unwrap();
    assert!(
        other.act(Action::NoteOff { key: 62, velocity: 0.5 })
            && one.act(Action::NoteOff { key: 62, velocity: 0.5 })
    );
    assert!(bits(&frames(&mut one, 9600)) == bits(&frames(&mut other, 9600)));
}

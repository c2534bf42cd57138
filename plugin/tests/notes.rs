//! Notes, pedals and wheels at any sample, in blocks of any size.

use crate::host::{
    Doing::{self, *},
    Plugged, assert_same, engine, played,
};
use std::sync::atomic::Ordering;

const NO: fn(&mut hamiltone_play::Engine, &str, f64) = |_, _, _| {};

/// Sizes of blocks, in turn.
const SIZES: [&[usize]; 5] = [&[1], &[17], &[64], &[512], &[3, 0, 1024, 256, 1, 0, 100]];

#[test]
fn notes_have_the_bits_of_the_engine_in_blocks_of_any_size() {
    let doings: [(usize, Doing); 7] = [
        (0, On(60, 0.8)),
        (137, On(64, 0.5)),
        (137, On(67, 1.0)),
        (1023, Off(64)),
        (1024, On(72, 0.3)),
        (2500, Off(60)),
        (3999, On(60, 0.9)),
    ];
    for rate in [48_000.0, 44_100.0] {
        let expected = played(&mut engine("kalimba", rate), &doings, 5000, NO);
        for sizes in SIZES {
            let mut plugged = Plugged::playing("kalimba", rate);
            assert_same(&plugged.play(&doings, 5000, sizes), &expected, &format!("{rate} Hz, {sizes:?}"));
        }
    }
}

/// Pedals, the wheel and its range, pressure, tunings and programs; of a guitar, which has strings to bend, and a vibraphone, whose pedal can be half down.
#[test]
fn everything_of_midi_acts_as_in_a_file() {
    let guitar: [(usize, Doing); 11] = [
        (0, On(52, 0.8)),
        (200, Midi([0xe0, 0, 96])),
        (700, Midi([0xb0, 101, 0])),
        (700, Midi([0xb0, 100, 0])),
        (700, Midi([0xb0, 6, 12])),
        (1500, Midi([0xb0, 64, 127])),
        (1600, Off(52)),
        (2000, Midi([0x90, 64, 0])),
        (2100, Midi([0xb0, 67, 127])),
        (2200, On(59, 0.6)),
        (2900, Midi([0xb0, 121, 0])),
    ];
    let vibraphone: [(usize, Doing); 8] = [
        (0, Midi([0xb0, 64, 80])),
        (1, On(60, 0.9)),
        (300, Off(60)),
        (900, Pressure(60, 0.6)),
        (1500, Midi([0xd0, 0, 0])),
        (1700, Midi([0xb0, 7, 90])),
        (1800, Midi([0xb0, 11, 30])),
        (2000, Midi([0xb0, 64, 0])),
    ];
    for (name, doings) in [("guitar", &guitar[..]), ("vibraphone", &vibraphone)] {
        let expected = played(&mut engine(name, 48_000.0), doings, 4000, NO);
        for sizes in [&SIZES[2], &SIZES[4]] {
            let mut plugged = Plugged::playing(name, 48_000.0);
            assert_same(&plugged.play(doings, 4000, sizes), &expected, name);
        }
    }
}

/// The tuning of the only note is a bend; with two notes strings go back.
#[test]
fn the_tuning_of_a_single_note_bends_it() {
    let doings = [(0, On(52, 0.8)), (400, Tuning(52, 0.7)), (1500, On(59, 0.8))];
    let expected = [(0, On(52, 0.8)), (400, Tuning(52, 0.7)), (1500, On(59, 0.8)), (1500, Tuning(59, 0.0))];
    let expected = played(&mut engine("guitar", 48_000.0), &expected, 3000, NO);
    assert_same(&Plugged::playing("guitar", 48_000.0).play(&doings, 3000, &[64]), &expected, "a tuning");
}

#[test]
fn instances_do_not_act_on_each_other() {
    let (first, second) = ([(10, On(60, 0.8))], [(500, On(64, 0.4))]);
    let mut plugged =
        [("kalimba", &first), ("marimba", &second)].map(|(name, _)| Plugged::playing(name, 48_000.0));
    let mut sounds = [[Vec::new(), Vec::new()], [Vec::new(), Vec::new()]];
    for block in 0..20_u32 {
        for ((plugged, sound), (at, doing)) in plugged.iter_mut().zip(&mut sounds).zip([first[0], second[0]])
        {
            let here = (at as u32 / 100 == block).then_some((at as u32 % 100, doing));
            let block = plugged.block(here.as_slice(), 100);
            sound.iter_mut().zip(block).for_each(|(all, block)| all.extend(block));
        }
    }
    for ((sound, name), doings) in sounds.iter().zip(["kalimba", "marimba"]).zip([first, second]) {
        assert_same(sound, &played(&mut engine(name, 48_000.0), &doings, 2000, NO), name);
    }
}

/// A host that jumps hears nothing of what was before, and the thread of the sound takes no memory for it.
#[test]
fn a_reset_is_rest() {
    for name in ["marimba", "guitar", "vibraphone", "clarinet"] {
        let doings =
            [(0, On(60, 0.8)), (50, Midi([0xb0, 64, 127])), (60, On(64, 0.8)), (500, Set("P1", 0.8))];
        let back = [(0, Set("P1", 0.5))];
        let mut plugged = Plugged::playing(name, 48_000.0);
        let first = plugged.play(&doings, 3000, &[128]);
        plugged.block(&back, 64);
        assert_eq!(plugged.reset(), 0, "{name}");
        assert_same(&plugged.play(&doings, 3000, &[128]), &first, name);
        assert_eq!(plugged.allocations, 0, "{name}");
    }
}

/// What is reported is the delay of the engine, at each rate.
#[test]
fn latency_is_the_delay_of_the_engine() {
    let delays = ["kalimba", "guitar", "drums"].map(|name| {
        let delay = engine(name, 48_000.0).delay() as u32;
        assert_eq!(Plugged::playing(name, 48_000.0).latency(), delay, "{name}");
        delay
    });
    assert!(delays.iter().any(|delay| *delay > 0), "{delays:?}");
}

/// Another instrument is loaded in the background while the first plays; it begins at a block, without memory that is taken or given back on the thread of the sound.
#[test]
fn instruments_are_changed_while_they_play() {
    let mut plugged = Plugged::playing("marimba", 48_000.0);
    let kalimba = plugged.value("Instrument", "kalimba").unwrap();
    plugged.block(&[(0, On(60, 0.9))], 256);
    plugged.block(&[(100, Set("Instrument", kalimba))], 256);
    plugged.wait("pluck 100 %");
    let doings = [(5, On(64, 0.7))];
    let sound = plugged.play(&doings, 2000, &[64]);
    assert_same(&sound, &played(&mut engine("kalimba", 48_000.0), &doings, 2000, NO), "kalimba");
    assert_eq!(plugged.allocations, 0);
    assert!(!plugged.shared(|shared| shared.restart.load(Ordering::SeqCst)));
}

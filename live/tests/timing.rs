//! Actions act at the sample of their time, and frames are those of the device.

use crate::instruments::{BLOCK, RATE, Stand, TINES, engine};
use hamiltone_play::{Action, Engine};

fn bits(samples: &[f32]) -> Vec<u32> {
    samples.iter().map(|x| x.to_bits()).collect()
}

/// What an engine plays by itself: actions at samples.
fn expected(mut engine: Engine, actions: &[(usize, Action)], frames: usize) -> Vec<f32> {
    let mut out = vec![0.0; 2 * frames];
    let mut done = 0;
    for (sample, action) in actions {
        engine.render(&mut out[2 * done..2 * sample]);
        engine.act(*action);
        done = *sample;
    }
    engine.render(&mut out[2 * done..]);
    out
}

#[test]
fn actions_act_one_block_after_they_came_to_the_sample() {
    let on = |key| Action::NoteOn { key, velocity: 0.8 };
    let off = Action::NoteOff { key: 60, velocity: 0.5 };
    // Two in one block, at the ends of blocks, and two at one sample.
    let actions = [(100, on(60)), (131, on(64)), (255, on(67)), (256, on(61)), (1000, off), (1000, on(60))];
    let mut stand = Stand::new(engine(TINES), 2);
    let mut sound = Vec::new();
    for block in 0..8 {
        let came = actions.iter().filter(|(sample, _)| sample / BLOCK == block);
        // What came during a block is there when the next is asked for.
        sound.extend(stand.block(BLOCK));
        came.for_each(|(sample, action)| stand.act(*sample as f64 / RATE, *action));
    }
    let later = actions.map(|(sample, action)| (sample + BLOCK, action));
    assert!(sound.iter().any(|x| *x != 0.0));
    assert_eq!(bits(&sound), bits(&expected(engine(TINES), &later, 8 * BLOCK)));
}

/// The sound depends on the samples at which actions act, not on the blocks.
#[test]
fn blocks_of_any_size_give_the_same_samples() {
    let on = Action::NoteOn { key: 62, velocity: 1.0 };
    let sound = |sizes: &[usize]| {
        let mut stand = Stand::new(engine(TINES), 2);
        stand.act(0.0, on);
        sizes.iter().flat_map(|size| stand.block(*size)).collect::<Vec<f32>>()
    };
    let whole = sound(&[4000]);
    assert_eq!(bits(&whole), bits(&sound(&[1, 255, 0, 1744, 2000])));
    assert_eq!(bits(&whole), bits(&expected(engine(TINES), &[(BLOCK, on)], 4000)));
}

#[test]
fn frames_have_the_channels_of_the_device() {
    let sound = |channels: usize| {
        let mut stand = Stand::new(engine(TINES), channels);
        stand.act(0.0, Action::NoteOn { key: 60, velocity: 1.0 });
        stand.block(BLOCK);
        let out = stand.block(BLOCK);
        out.chunks(channels).map(<[f32]>::to_vec).collect::<Vec<_>>()
    };
    let (one, two, four) = (sound(1), sound(2), sound(4));
    assert!(two.iter().any(|frame| frame[0] != frame[1]));
    for ((one, two), four) in one.iter().zip(&two).zip(&four) {
        assert_eq!(one[0], (two[0] + two[1]) / 2.0);
        assert_eq!(four[..], [two[0], two[1], 0.0, 0.0]);
    }
}

#[test]
fn the_sound_fades_at_the_end() {
    let mut stand = Stand::new(engine(TINES), 2);
    stand.act(0.0, Action::NoteOn { key: 60, velocity: 1.0 });
    let peak = |sound: Vec<f32>| sound.iter().fold(0.0_f32, |peak, x| peak.max(x.abs()));
    let before = peak(stand.block(2000));
    stand.meter.end();
    let (fading, after) = (peak(stand.block(960)), peak(stand.block(960)));
    assert!(before > 0.0 && fading > 0.5 * before && after == 0.0, "{before} {fading} {after}");
}

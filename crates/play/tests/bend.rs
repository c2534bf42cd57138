//! Pitch bend changes the tension of strings: they sound the pitch that is asked for, and the work of the change is in the balance.

use hamiltone_play::{Action, Engine};
use hamiltone_scene::instrument::Instrument;
use std::f64::consts::TAU;

const RATE: f64 = 48_000.0;

/// A stiff string, A3, heard at its bridge.
const STRING: &str = r#"
    hamiltone = 2
    run.oversampling = 1
    [instrument]
    keys = ["A3"]
    [key.body.string]
    kind = "string"
    modes = 40
    length = "0.65 m"
    linear_density = "3 g/m"
    stiffness = "0.6 m^2/s"
    frequency = "{frequency} Hz"
    loss = { t60 = [["200 Hz", "8 s"], ["5000 Hz", "1 s"]] }
    [key.pickup.bridge]
    at = "string@1"
    quantity = "force"
    [[note_on]]
    gesture = "pluck"
    at = "string@0.2"
    force = "1 N"
    rise = "5 ms"
"#;

fn engine() -> Engine {
    let plan = Instrument::new(STRING, "string.toml", ".".as_ref(), &[]).plan(RATE, None);
    Engine::new(&plan.unwrap_or_else(|error| panic!("{error}"))).unwrap()
}

/// The frequency near `guess` of a sound that decays slowly: from the phases of two windows of Hann, whose side lobes have fallen by
/// 100 dB at the next partial; phases that differ by 10⁻⁴ radians over a second are 0.3 millicents.
fn frequency(sound: &[f64], guess: f64) -> f64 {
    let length = sound.len() / 2;
    let phase = |begin: usize| {
        let term = |i: usize| {
            let window = 1.0 - (TAU * i as f64 / length as f64).cos();
            let angle = TAU * guess * (begin + i) as f64 / RATE;
            let x = sound[begin + i] * window;
            (x * angle.cos(), -x * angle.sin())
        };
        let (re, im) = (0..length).map(term).fold((0.0, 0.0), |sum, x| (sum.0 + x.0, sum.1 + x.1));
        im.atan2(re)
    };
    let turned = phase(length) - phase(0);
    let turned = turned - TAU * (turned / TAU).round();
    guess + turned / TAU * RATE / length as f64
}

fn left(engine: &mut Engine, seconds: f64) -> Vec<f64> {
    let mut block = vec![0.0_f64; 2 * (seconds * RATE) as usize];
    engine.render(&mut block);
    block.into_iter().step_by(2).collect()
}

#[test]
fn strings_sound_the_pitch_that_they_are_bent_to() {
    for semitones in [0.0_f64, 2.0, -1.5, 0.1, 12.0] {
        let mut engine = engine();
        assert!(engine.note_on(57, 1.0) && engine.bend(0.0));
        left(&mut engine, 0.2);
        let before = engine.islands()[0].audit().supplied;
        assert!(engine.bend(semitones));
        // The glide is over when 1e-4 semitones are left: within 20 ms of 2 semitones.
        left(&mut engine, 0.1);
        let supplied = engine.islands()[0].audit().supplied - before;
        let expected = 220.0 * (semitones / 12.0).exp2();
        let cents = 1200.0 * (frequency(&left(&mut engine, 1.0), expected) / expected).log2();
        assert!(cents.abs() < 0.02, "{semitones}: {cents}");
        // A string that is stretched while it sounds takes work, and gives it back when it is released.
        assert!(supplied * semitones >= 0.0 && (semitones == 0.0) == (supplied == 0.0), "{supplied}");
        assert!(engine.is_balanced());
    }
}

/// A string that is bent while it sleeps is at its pitch when it is struck; a bend and its return leave the first pitch.
#[test]
fn a_bend_is_heard_in_the_next_note_and_can_be_taken_back() {
    let mut engine = engine();
    engine.bend(1.0);
    engine.note_on(57, 1.0);
    left(&mut engine, 0.1);
    let sharp = frequency(&left(&mut engine, 1.0), 233.0819);
    assert!((sharp / 233.0819 - 1.0).abs() < 1e-5, "{sharp}");
    engine.bend(0.0);
    left(&mut engine, 0.2);
    let back = frequency(&left(&mut engine, 1.0), 220.0);
    assert!((back / 220.0 - 1.0).abs() < 1e-5, "{back}");
    assert!(engine.is_balanced());
}

/// A performance with bends has the same bits whatever the blocks, and after its state was saved in the middle and taken over by another engine.
#[test]
fn bends_have_the_same_bits_in_all_blocks_and_after_a_break() {
    let play = |engine: &mut Engine, block: usize, from: usize, to: usize| -> Vec<f64> {
        let mut sound = Vec::new();
        for n in from..to {
            match n {
                0 => _ = engine.note_on(57, 0.8),
                2 => _ = engine.bend(1.3),
                5 => _ = engine.bend(-0.7),
                7 => _ = engine.note_on(57, 0.5),
                _ => {}
            }
            let mut part = vec![0.0_f64; 2 * 1000];
            part.chunks_mut(2 * block).for_each(|block| engine.render(block));
            sound.extend(part);
        }
        sound
    };
    let whole = play(&mut engine(), 1000, 0, 10);
    for block in [1, 37, 128] {
        assert_eq!(play(&mut engine(), block, 0, 10), whole, "blocks of {block}");
    }
    for cut in [1, 3, 6, 8] {
        let mut first = engine();
        let mut sound = play(&mut first, 100, 0, cut);
        let (state, numbers) = first.save();
        let mut second = engine();
        second.restore(&state, &numbers).unwrap();
        // Saving changes nothing in the engine that goes on.
        assert_eq!(play(&mut first, 100, cut, 10), whole[2000 * cut..], "{cut}");
        sound.extend(play(&mut second, 100, cut, 10));
        assert_eq!(sound, whole, "continued after {cut}");
        assert_eq!(first.islands()[0].audit(), second.islands()[0].audit());
    }
}

/// A string on a bridge is bent as any other; bent back it has the pitch that it had.
#[test]
fn a_string_on_a_bridge_is_bent() {
    let text = format!(
        "{STRING}
    [body.board]
    kind = \"oscillator\"
    mass = \"0.2 kg\"
    frequency = \"100 Hz\"
    [key.bridge.saddle]
    between = [\"string@1\", \"board\"]"
    );
    let plan = Instrument::new(&text, "string.toml", ".".as_ref(), &[]).plan(RATE, None);
    let mut engine = Engine::new(&plan.unwrap_or_else(|error| panic!("{error}"))).unwrap();
    assert!(engine.note_on(57, 1.0) && engine.bends());
    for (semitones, hz) in [(2.0, 246.942), (0.0, 220.0)] {
        assert!(engine.act(Action::Bend { semitones }));
        left(&mut engine, 0.2);
        let cents = 1200.0 * (frequency(&left(&mut engine, 1.0), hz) / hz).log2();
        // The string is tuned on its bridge at rest; bent, the heavy board shifts it by less than a cent.
        assert!(cents.abs() < 1.0, "{semitones}: {cents}");
    }
    assert!(engine.is_balanced());
}

//! A budget of parts: the quietest fade and rest, their energy is booked, and bits do not depend on blocks.

use hamiltone_play::{Engine, engine::Activity};
use hamiltone_scene::instrument::Instrument;

const RATE: f64 = 48_000.0;
const KEYS: std::ops::RangeInclusive<u8> = 60..=67;

/// Eight forks, each a part.
const FORKS: &str = r#"
    hamiltone = 3
    [instrument]
    keys = "C4..G4"
    [key.body.fork]
    kind = "oscillator"
    mass = "2 g"
    frequency = "{frequency} Hz"
    decay_time = "20 s"
    [key.pickup.fork]
    at = "fork"
    [[note_on]]
    gesture = "strike"
    at = "fork"
    speed = "{velocity} m/s"
"#;

fn engine(budget: Option<usize>) -> Engine {
    let plan = Instrument::new(FORKS, "forks.toml", ".".as_ref(), &[]).plan(RATE, None).unwrap();
    let mut engine = Engine::new(&plan).unwrap();
    engine.set_budget(budget);
    engine
}

fn awake(engine: &Engine) -> usize {
    engine.islands().iter().filter(|island| island.activity() == Activity::Awake).count()
}

/// Every fork is struck, louder from one to the next, a fifth of a second apart; then the first again.
fn play(engine: &mut Engine, block: usize) -> (Vec<f64>, usize) {
    let (mut sound, mut most) = (Vec::new(), 0);
    for key in KEYS.chain([60]) {
        engine.note_on(key, f64::from(key - 50) / 20.0);
        let mut left = 9600;
        while left > 0 {
            let mut samples = vec![0.0_f64; 2 * block.min(left)];
            engine.render(&mut samples);
            left -= samples.len() / 2;
            sound.extend(samples);
        }
        most = most.max(awake(engine));
    }
    engine.settle();
    assert!(engine.is_balanced());
    (sound, most)
}

#[test]
fn the_quietest_parts_rest() {
    let mut engine = engine(Some(3));
    let (sound, most) = play(&mut engine, 9600);
    // 0.2 s after a stroke all that is over the budget has faded.
    assert_eq!((most, awake(&engine)), (3, 3));
    assert_eq!(engine.faded(), 6);
    // The softest went first: those that sound are the last three that were struck.
    let names: Vec<&str> =
        engine.islands().iter().filter(|i| i.activity() == Activity::Awake).map(|i| i.name()).collect();
    assert_eq!(names, ["fork-60", "fork-66", "fork-67"]);
    let slept: f64 = engine.islands().iter().map(|island| island.slept()).sum();
    let stored: f64 = engine.audits().map(|audit| audit.stored()).sum();
    assert!(slept > stored, "{slept} {stored}");
    // No sample jumps by more than a fork of 400 Hz moves in one.
    let most = sound.iter().fold(0.0_f64, |most, x| most.max(x.abs()));
    let jump =
        sound.chunks(2).zip(sound[2..].chunks(2)).fold(0.0_f64, |most, (a, b)| most.max((b[0] - a[0]).abs()));
    assert!(jump < 0.06 * most, "{jump} {most}");
}

#[test]
fn bits_do_not_depend_on_blocks() {
    let (whole, _) = play(&mut engine(Some(3)), 9600);
    for block in [1, 77, 1000] {
        assert_eq!(play(&mut engine(Some(3)), block).0, whole, "{block}");
    }
    // As many as there are change nothing.
    assert_eq!(play(&mut engine(Some(8)), 500).0, play(&mut engine(None), 9600).0);
}

/// A fork that is struck while it fades sounds on as if it had not.
#[test]
fn a_stroke_brings_a_part_back() {
    let mut engine = engine(Some(1));
    let second = |engine: &mut Engine, frames: usize| engine.render(&mut vec![0.0_f64; 2 * frames]);
    engine.note_on(60, 0.1);
    second(&mut engine, 9600);
    engine.note_on(67, 1.0);
    second(&mut engine, 6144);
    assert_eq!(engine.faded(), 1);
    engine.note_on(60, 1.0);
    second(&mut engine, 480);
    assert_eq!(awake(&engine), 2);
}

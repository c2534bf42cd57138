//! Parameters of instruments: what they multiply follows without a jump, whatever the blocks are, and the work is in the balance.

use hamiltone_plan::instrument::InstrumentPlan;
use hamiltone_play::{Action, Engine};
use hamiltone_scene::instrument::Instrument;

const RATE: f64 = 48_000.0;

/// A string with a damper, and a bar that is heard on its own.
const TEXT: &str = r#"
    hamiltone = 3
    run.oversampling = 1
    [instrument]
    keys = ["A3"]
    [key.body.string]
    kind = "string"
    modes = 10
    length = "0.65 m"
    linear_density = "3 g/m"
    frequency = "{frequency} Hz"
    loss = { t60 = [["200 Hz", "8 s"], ["5000 Hz", "4 s"]] }
    [key.contact.felt]
    law = "damper"
    between = ["string@0.3", "ground"]
    [key.pickup.bridge]
    at = "string@1"
    quantity = "force"
    [[note_on]]
    gesture = "pluck"
    at = "string@0.2"
    force = "1 N"
    rise = "5 ms"
    [[note_off]]
    gesture = "damp"
    control = "felt"
    resistance = "0.02 N s/m"
    ramp = "5 ms"
    [parameter.pluck]
    about = "force of the pluck"
    at = ["string"]
    min = 0
    max = 200
    default = 100
    midi = 20
    [parameter.felt]
    about = "force of the felt"
    control = ["felt"]
    min = 0
    max = 400
    default = 100
    [parameter.bridge]
    about = "level of the bridge"
    pickup = ["bridge"]
    unit = "dB"
    min = -60
    max = 12
    default = 0
    [parameter.tuning]
    about = "pitch of the string"
    changes = "tension"
    unit = "cents"
    min = -200
    max = 200
    default = 0
    [parameter.level]
    about = "level of the sound"
    changes = "level"
    unit = "dB"
    min = -60
    max = 12
    default = 0
"#;
const PLUCK: usize = 0;
const FELT: usize = 1;
const BRIDGE: usize = 2;
const TUNING: usize = 3;
const LEVEL: usize = 4;

fn plan(text: &str) -> InstrumentPlan {
    let plan = Instrument::new(text, "string.toml", ".".as_ref(), &[]).plan(RATE, None);
    plan.unwrap_or_else(|error| panic!("{error}"))
}

fn engine() -> Engine {
    Engine::new(&plan(TEXT)).unwrap()
}

fn left(engine: &mut Engine, frames: usize) -> Vec<f64> {
    let mut block = vec![0.0_f64; 2 * frames];
    engine.render(&mut block);
    block.into_iter().step_by(2).collect()
}

/// The sound of a note in whose course a parameter moves, beside the same without it, from then on.
fn moved(number: usize, value: f64, released: bool) -> [Vec<f64>; 2] {
    [false, true].map(|moves| {
        let mut engine = engine();
        engine.note_on(57, 1.0);
        left(&mut engine, 4800);
        if released {
            engine.note_off(57);
        }
        if moves {
            assert!(engine.set_parameter(number, value) && engine.parameter(number) == value);
        }
        let sound = left(&mut engine, 9600);
        engine.settle();
        assert!(engine.is_balanced());
        sound
    })
}

/// A factor of a level is approached as 1 − e^(−t/5 ms).
#[test]
fn levels_follow_without_a_jump() {
    for number in [BRIDGE, LEVEL] {
        let [plain, sound] = moved(number, -20.0, false);
        let far = plain.iter().fold(0.0_f64, |most, x| most.max(x.abs()));
        for (n, (plain, x)) in plain.iter().zip(&sound).enumerate() {
            let factor = 0.1 + 0.9 * (-((n + 1) as f64) / (5e-3 * RATE)).exp();
            // (1 − 1/240)ⁿ in place of e^(−n/240): ½·n/240²·e^(−n/240) ≤ 0.4/240 apart.
            assert!((x - factor * plain).abs() < 2e-3 * far, "{number}: {n}");
        }
    }
}

/// Four times the resistance takes four times the energy in a time in which little of it is gone; the rest rings as before.
#[test]
fn what_gestures_control_is_multiplied() {
    let energy = |sound: &[f64]| sound.iter().map(|x| x * x).sum::<f64>();
    let [soft, hard] = moved(FELT, 400.0, true);
    assert!(energy(&hard[4800..]) < 0.3 * energy(&soft[4800..]), "{} {}", energy(&hard), energy(&soft));
    let [damped, free] = moved(FELT, 0.0, true);
    assert!(energy(&free[4800..]) > 1.5 * energy(&damped[4800..]));
}

/// The force of a pluck that comes is multiplied, so that all of its sound is.
#[test]
fn what_gestures_force_is_multiplied() {
    let sound = |percent: f64| {
        let mut engine = engine();
        // What is silent has it at once.
        assert!(engine.set_parameter(PLUCK, percent));
        engine.note_on(57, 1.0);
        left(&mut engine, 4800)
    };
    let (one, two) = (sound(100.0), sound(200.0));
    assert!(one.iter().zip(&two).all(|(x, y)| (2.0 * x - y).abs() <= 1e-12 * y.abs().max(1e-3)));
}

/// The tension of a parameter and that of the wheel add up.
#[test]
fn a_tension_is_added_to_the_wheel() {
    let play = |cents: f64, semitones: f64| {
        let mut engine = engine();
        engine.set_parameter(TUNING, cents);
        engine.bend(semitones);
        engine.note_on(57, 1.0);
        left(&mut engine, 9600)
    };
    assert_eq!(play(150.0, 0.0), play(0.0, 1.5));
    assert_eq!(play(150.0, -1.5), play(0.0, 0.0));
}

/// A controller of MIDI moves what it is for over its range; values beyond it are its ends, and what is no number is the default.
#[test]
fn values_stay_in_range_and_controllers_move_them() {
    let mut engine = engine();
    assert!(engine.act(Action::Control { number: 20, value: 0.25 }) && engine.parameter(PLUCK) == 50.0);
    assert!(!engine.act(Action::Control { number: 21, value: 0.25 }));
    assert!(
        engine.act(Action::Parameter { number: PLUCK, value: 900.0 }) && engine.parameter(PLUCK) == 200.0
    );
    assert!(engine.set_parameter(PLUCK, f64::NAN) && engine.parameter(PLUCK) == 100.0);
    assert!(!engine.set_parameter(5, 1.0) && engine.parameter(5).is_nan());
    assert_eq!(engine.parameters()[LEVEL].unit.to_string(), "dB");
}

/// Samples do not depend on blocks, on what is known before, nor on a break; a default that is not neutral holds from the beginning.
#[test]
fn bits_do_not_depend_on_blocks_or_breaks() {
    let moves = [
        (1000, FELT, 250.0),
        (3000, BRIDGE, -9.0),
        (3100, PLUCK, 30.0),
        (5000, TUNING, 80.0),
        (7777, LEVEL, 6.0),
    ];
    let act = |engine: &mut Engine, n: usize| {
        match n {
            0 | 6000 => _ = engine.note_on(57, 0.9),
            4000 => engine.note_off(57),
            _ => {}
        }
        for (at, number, value) in moves {
            if at == n {
                engine.set_parameter(number, value);
            }
        }
    };
    let times = [0, 1000, 3000, 3100, 4000, 5000, 6000, 7777, 12_000];
    let play = |known: bool, block: usize, breaks: bool| {
        let (mut engine, mut sound) = (engine(), Vec::new());
        for pair in times.windows(2) {
            act(&mut engine, pair[0]);
            let mut frames = pair[1] - pair[0];
            if known {
                engine.pass(frames);
                continue;
            }
            while frames > 0 {
                sound.extend(left(&mut engine, block.min(frames)));
                frames -= block.min(frames);
            }
            if breaks {
                let (state, numbers) = engine.save();
                engine = self::engine();
                engine.restore(&state, &numbers).unwrap();
            }
        }
        if known {
            sound = left(&mut engine, 12_000);
        }
        engine.settle();
        assert!(engine.is_balanced());
        sound
    };
    let whole = play(false, 12_000, false);
    assert!(whole.iter().any(|x| x.abs() > 1e-3));
    for (known, block, breaks) in [(true, 1, false), (false, 1, false), (false, 77, true)] {
        assert_eq!(play(known, block, breaks), whole, "{known} {block} {breaks}");
    }
    let mut early =
        Engine::new(&plan(&TEXT.replace("default = 100\n    midi", "default = 50\n    midi"))).unwrap();
    let mut late = engine();
    late.set_parameter(PLUCK, 50.0);
    [&mut early, &mut late].into_iter().for_each(|engine| _ = engine.note_on(57, 0.9));
    assert_eq!(left(&mut early, 4800), left(&mut late, 4800));
}

/// What follows a controller begins where a preset puts the parameter that stands for it; its default does nothing.
#[test]
fn a_preset_moves_a_controller() {
    let text = [
        TEXT,
        "[[controller]]\nnumber = 2\ngesture = \"damp\"\ncontrol = \"felt\"\nresistance = \"{0.05*value} N s/m\"\nramp = \"5 ms\"\n",
        "[parameter.breath]\nabout = \"felt\"\nnumber = 2\nmin = 0\nmax = 100\ndefault = 30\n",
    ]
    .concat();
    let (plan, mut preset) = (plan(&text), plan(&text));
    let play = |plan: &InstrumentPlan, control: Option<f64>| {
        let mut engine = Engine::new(plan).unwrap();
        control.into_iter().for_each(|value| assert!(engine.control(2, value)));
        engine.note_on(57, 1.0);
        left(&mut engine, 9600)
    };
    let mut values: Vec<f64> = plan.parameters.iter().map(|parameter| parameter.default).collect();
    preset.begin_with(&values);
    assert_eq!(play(&preset, None), play(&plan, None));
    values[5] = 60.0;
    preset.begin_with(&values);
    let moved = play(&preset, None);
    assert_eq!(moved, play(&plan, Some(0.6)));
    assert!(moved != play(&plan, None));
    let mut engine = Engine::new(&plan).unwrap();
    assert!(engine.set_parameter(5, 60.0) && engine.parameter(5) == 60.0);
}

/// A bow that is drawn without force sleeps, and sounds again when it has force.
#[test]
fn a_bow_that_comes_to_press_wakes_its_string() {
    let text = TEXT.replace("law = \"damper\"", "law = \"bow\"").replace(
        "[[note_off]]\n    gesture = \"damp\"\n    control = \"felt\"\n    resistance = \"0.02 N s/m\"\n    ramp = \"5 ms\"",
        "[[note_on]]\n    gesture = \"draw\"\n    rate = \"felt\"\n    speed = \"0.2 m/s\"\n    ramp = \"20 ms\"\n    \
         [[note_on]]\n    gesture = \"bow\"\n    control = \"felt\"\n    force = \"0.5 N\"\n    ramp = \"20 ms\"",
    );
    let mut engine = Engine::new(&plan(&text)).unwrap();
    engine.set_parameter(PLUCK, 0.0);
    engine.set_parameter(FELT, 0.0);
    engine.note_on(57, 1.0);
    left(&mut engine, 48_000);
    assert!(engine.is_at_rest());
    engine.set_parameter(FELT, 100.0);
    let sound = left(&mut engine, 48_000);
    engine.settle();
    assert!(engine.is_balanced() && sound[40_000..].iter().any(|x| x.abs() > 1e-4));
}

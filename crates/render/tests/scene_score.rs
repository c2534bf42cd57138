//! Gestures in a run: a body that is struck again while it sounds follows theory, and the energy balance of a piece with all
//! gestures closes to rounding.

use hamiltone_plan::Plan;
use hamiltone_render::{Outcome, run};
use hamiltone_scene::{Scene, Set};
use std::{f64::consts::TAU, path::Path};

fn plan(text: &str, sets: &[&str]) -> Plan {
    let sets: Vec<Set> = sets.iter().map(|set| Set::parse(set).unwrap()).collect();
    Scene::new(text, "x", Path::new(""), &sets).plan().unwrap_or_else(|wrong| panic!("{wrong}"))
}

fn rendered(text: &str, sets: &[&str]) -> Outcome {
    run(&plan(text, sets), &mut [], &mut |_, _| {}).unwrap()
}

/// 2 g at 100 Hz, without losses; two blows, the second while it sounds, at a phase of 0.15 of a period.
const FORK: &str = r#"
hamiltone = 2
[run]
duration = "0.5 s"
sample_rate = "48 kHz"
scheme = "modal-ec"
[body.fork]
kind = "oscillator"
mass = "2 g"
frequency = "100 Hz"
[pickup.left]
at = "fork"
[[score]]
time = "0.1 s"
gesture = "strike"
at = "fork"
speed = "1 m/s"
duration = "4 ms"
[[score]]
time = "0.2515 s"
gesture = "strike"
at = "fork"
speed = "-0.5 m/s"
duration = "2 ms"
"#;

/// After a blow of the speed v in the time T from t₀ on, with Ω = 2π/T, the convolution with sin(ωt)/mω is
///
///   q(t) = v/(ωT) · 2 sin(ωT/2)/ω · Ω²/(Ω² − ω²) · sin(ω(t − t₀ − T/2))
fn after_blow(t: f64, [begin, speed, duration]: [f64; 3]) -> f64 {
    let (omega, pulse) = (TAU * 100.0, TAU / duration);
    let strength = 2.0 * (0.5 * omega * duration).sin() / omega / (1.0 - (omega / pulse).powi(2));
    speed / (omega * duration) * strength * (omega * (t - begin - 0.5 * duration)).sin()
}

/// The scheme takes the force as the mean of both ends of a step: of second order, so that its error falls by 4 with half the
/// step, and the extrapolated value has one of fourth order, (ωΔt)⁴ = 2e-9 of the amplitude at the larger step:
/// both blows begin and end at steps, where a sum of a raised cosine has no error of third order.
#[test]
fn a_body_that_is_struck_again_follows_theory() {
    let exact = |t: f64| after_blow(t, [0.1, 1.0, 4e-3]) + after_blow(t, [0.2515, -0.5, 2e-3]);
    let amplitude = 1.5 / (TAU * 100.0);
    let sound = |rate: u32| {
        let outcome = rendered(FORK, &[&format!("run.sample_rate={rate}")]);
        outcome.sound.channel(0).unwrap()
    };
    let (coarse, fine) = (sound(96_000), sound(192_000));
    let step = TAU * 100.0 / 96_000.0;
    let mut errors = [0.0_f64; 3];
    for frame in 24_400..48_000 {
        let (q, x) = (exact(frame as f64 / 96_000.0), [coarse[frame], fine[2 * frame]]);
        let extrapolated = (4.0 * x[1] - x[0]) / 3.0;
        for (error, x) in errors.iter_mut().zip([x[0], x[1], extrapolated]) {
            *error = error.max((x - q).abs() / amplitude);
        }
    }
    let orders = [step.powi(2), (0.5 * step).powi(2), step.powi(4)];
    assert!(errors.iter().zip(orders).all(|(error, order)| *error < order), "{errors:?} of {orders:?}");
    assert!((errors[0] / errors[1] - 4.0).abs() < 0.1, "{errors:?}");
}

/// The pulse gives a free mass ½mv², to the rounding of some hundred steps: the trapezoidal sum of a raised cosine is exact.
#[test]
fn the_energy_of_a_blow_is_supplied() {
    let text =
        FORK.replace("kind = \"oscillator\"", "kind = \"mass\"").replace("frequency = \"100 Hz\"\n", "");
    let outcome = rendered(&text, &["run.duration=\"0.2 s\""]);
    assert!((outcome.audit.supplied / (0.5 * 2e-3) - 1.0).abs() < 400.0 * f64::EPSILON);
    assert!(outcome.ok && (outcome.audit.energy_final / outcome.audit.supplied - 1.0).abs() < 1e-13);
}

/// A stiff string with frets, a hammer, a finger over the frets, a damper and an obstacle that comes nearer, played by every
/// gesture.
const PIECE: &str = r#"
hamiltone = 2
[run]
duration = "2.4 s"
[body.string]
kind = "string"
length = "0.65 m"
linear_density = "5 g/m"
frequency = "110 Hz"
stiffness = "0.8 m^2/s"
loss = { d1 = "1 1/s", d3 = "3e-4 m^2/s" }
[body.hammer]
kind = "oscillator"
mass = "6 g"
frequency = "12 Hz"
damping = "80 1/s"
[body.finger]
kind = "oscillator"
mass = "10 g"
frequency = "15 Hz"
damping = "150 1/s"
[contact.felt]
between = ["hammer", "string@0.12"]
law = "power"
stiffness = "1e8 N/m^2.5"
exponent = 2.5
loss = "0.2 s/m"
gap = "3 mm"
[contact.skin]
between = ["string@0.72", "finger"]
law = "power"
stiffness = "2e5 N/m^1.5"
exponent = 1.5
loss = "1 s/m"
gap = "2 mm"
[contact.frets]
between = ["ground", "string"]
law = "power"
stiffness = "1e9 N/m^2"
exponent = 2
frets = [["0.455 m", "-1 mm"], ["0.48 m", "-1 mm"]]
[contact.palm]
between = ["string@0.9", "ground"]
law = "damper"
resistance = "1e-3 N s/m"
[contact.rail]
between = ["ground", "string@0.3"]
law = "power"
stiffness = "1e8 N/m^2"
exponent = 2
gap = "20 mm"
[pickup.left]
at = "string@0.85"
quantity = "velocity"
[[score]]
time = "20 ms"
gesture = "pluck"
at = "string@0.2"
height = "2 mm"
width = "15 mm"
[[score]]
time = "0.3 s"
gesture = "strike"
at = "hammer"
speed = "3 m/s"
[[score]]
time = "0.5 s"
gesture = "press"
at = "finger"
force = "-8 N"
ramp = "20 ms"
[[score]]
time = "0.65 s"
gesture = "pluck"
at = "string@0.2"
force = "-2 N"
[[score]]
time = "0.9 s"
gesture = "release"
at = "finger"
[[score]]
time = "1 s"
gesture = "damp"
control = "palm"
curve = [["0 s", "0 N s/m"], ["30 ms", "0.5 N s/m"]]
[[score]]
time = "1.2 s"
gesture = "undamp"
control = "palm"
[[score]]
time = "1.25 s"
gesture = "move"
motion = "rail"
position = "-19 mm"
ramp = "30 ms"
[[score]]
time = "1.3 s"
gesture = "strike"
at = "hammer"
speed = "2 m/s"
[[score]]
time = "1.7 s"
gesture = "move"
motion = "rail"
position = "0 mm"
[[score]]
time = "1.5 s"
gesture = "damp"
control = "palm"
resistance = "1 N s/m"
"#;

#[test]
fn a_piece_with_every_gesture_is_balanced() {
    let plan = plan(PIECE, &[]);
    assert_eq!((plan.scheme.name(), plan.gestures.len(), plan.drives.len()), ("modal-ec", 11, 6));
    let outcome = run(&plan, &mut [], &mut |_, _| {}).unwrap();
    let audit = &outcome.audit;
    assert!(outcome.ok && outcome.balance.is_exact(), "{audit:?}");
    assert!(audit.residual <= outcome.tolerance && outcome.tolerance < 1e-10, "{}", audit.residual);
    // Each contact takes part: hammer, finger, frets and the rail that comes near.
    for (contact, summary) in plan.contacts.iter().zip(&outcome.contacts) {
        assert!(summary.whole.contacts > 0 || contact.name == "palm", "{} is never closed", contact.name);
    }
    assert_eq!((audit.energy_initial, audit.steps), (0.0, plan.steps()));
    assert!(audit.supplied > 0.05 && audit.dissipated > 0.04, "{audit:?}");
    // It begins at rest, up to the filter of the oversampling, and what is told of it fits.
    assert!(outcome.edges[0].unwrap().begin < 1e-6);
    assert_eq!((plan.warnings, outcome.warnings), (Vec::new(), Vec::new()));
}

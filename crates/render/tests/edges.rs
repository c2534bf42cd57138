//! What a run tells of its begin, its end and its free bodies.

use hamiltone_render::{Outcome, run};
use hamiltone_scene::{Scene, Set};
use std::path::Path;

fn rendered(text: &str, sets: &[&str]) -> Outcome {
    let sets: Vec<Set> = sets.iter().map(|set| Set::parse(set).unwrap()).collect();
    let plan = Scene::new(text, "x", Path::new(""), &sets).plan().unwrap_or_else(|wrong| panic!("{wrong}"));
    run(&plan, &mut [], &mut |_, _| {}).unwrap()
}

/// 60 dB in 2 s, from −1 mm.
const FORK: &str = r#"
hamiltone = 1
run.duration = "0.5 s"
pickup.left = { at = "fork" }
pickup.right = { at = "fork", quantity = "velocity" }
[body.fork]
kind = "oscillator"
mass = "0.1 kg"
frequency = "440 Hz"
decay_time = "2 s"
position = "-1 mm"
"#;

fn says(outcome: &Outcome, part: &str) -> bool {
    outcome.warnings.iter().any(|warning| warning.contains(part))
}

/// 30 dB a second: 13.5 dB at the begin of the last 50 ms, less what decays within a half period of 1.1 ms, 0.04 dB. Halves of
/// 62.5 ms hold 27.5 periods, so that the roots of their mean squares are in the ratio of the decay.
#[test]
fn a_sound_that_ends_too_early_is_told_how_long_it_needs() {
    let short = rendered(FORK, &[]);
    let [displacement, velocity] = [0, 1].map(|channel| short.edges[channel].unwrap());
    for edges in [displacement, velocity] {
        assert!((edges.end + 13.5).abs() < 0.05 && (edges.rate + 30.0).abs() < 0.05, "{edges:?}");
    }
    // 0.5 s + 46.5 dB/(30 dB/s)
    assert!(
        says(
            &short,
            "ends 14 dB below its peak; it falls by 30 dB a second, so that 60 dB take about 2.1 s: write run.duration"
        ),
        "{:?}",
        short.warnings
    );
    assert!(!says(&rendered(FORK, &["run.duration=\"2 s\""]), "cut off"));
    // Without loss there is nothing to wait for.
    assert!(!says(&rendered(FORK, &["body.fork.decay_time=\"1000 s\""]), "cut off"));
}

/// A displacement begins at its peak, and a velocity at 0; an attack of one period is none.
#[test]
fn a_sound_that_begins_with_a_jump_is_told_so() {
    let released = rendered(FORK, &[]);
    assert_eq!(released.edges.iter().map(|edges| edges.unwrap().begin).collect::<Vec<_>>(), [1.0, 0.0]);
    assert!(says(&released, "`left` begins with a jump to 100 % of its peak"), "{:?}", released.warnings);
    let moving = rendered(FORK, &["pickup.left.quantity=velocity"]);
    assert!(!says(&moving, "jump"), "{:?}", moving.warnings);
}

#[test]
fn a_silent_or_short_sound_has_no_edges() {
    let silent = rendered(FORK, &["body.fork.position=0"]);
    assert!(silent.edges.iter().all(Option::is_none) && !says(&silent, "jump"));
    let short = rendered(FORK, &["run.duration=\"0.1 s\""]);
    assert!(short.edges.iter().all(Option::is_none) && !says(&short, "cut off"));
}

const BAR: &str = r#"
hamiltone = 1
run.duration = "0.5 s"
body.mallet = { kind = "mass", mass = "25 g", velocity = "1.5 m/s" }
contact.strike = { between = ["mallet", "bar@0.5"], law = "power", stiffness = "2e7 N/m^1.5", exponent = 1.5 }
pickup.near = { at = "bar@0.4", quantity = "velocity" }
[body.bar]
kind = "bar"
length = "0.35 m"
thickness = "18 mm"
density = "900 kg/m^3"
youngs_modulus = "16 GPa"
"#;

/// The centre of mass goes on as the mallet began: Σ m d = pT, to the roundings of 22050 steps.
#[test]
fn free_bodies_share_their_momentum() {
    for set in ["body.bar.method=modal", "body.bar.method=finite-difference"] {
        let outcome = rendered(BAR, &[set]);
        let [bar, mallet] = [1, 0].map(|i| (outcome.drifts[i].body.clone(), outcome.drifts[i].distance));
        assert_eq!((bar.0.as_str(), mallet.0.as_str()), ("bar", "mallet"));
        let moment = 900.0 * 0.35 * 0.03 * 0.018 * bar.1 + 0.025 * mallet.1;
        assert!((moment / (0.025 * 1.5 * 0.5) - 1.0).abs() < 22_050.0 * f64::EPSILON, "{set}: {moment}");
        assert!(bar.1 > 0.1 && says(&outcome, "nothing holds it"), "{set}: {bar:?}");
    }
}

/// On its cords it stays within the amplitude of the mallet's momentum, p/(mω_s), ω_s = 2π·3.18 Hz, and its partials are in tune.
#[test]
fn a_suspended_bar_stays_and_is_in_tune() {
    let outcome = rendered(BAR, &["body.bar.suspension={}"]);
    assert!(outcome.ok && outcome.drifts.iter().all(|drift| drift.body == "mallet"), "{:?}", outcome.drifts);
    assert!(outcome.tuning.partials.len() == 7 && outcome.tuning.unknown.is_empty());
    assert!(outcome.tuning.partials.iter().all(|tuned| tuned.cents().abs() < 0.1), "{:?}", outcome.tuning);
    let grid = rendered(
        BAR,
        &[
            "body.bar.suspension={}",
            "run.scheme=ec",
            "run.oversampling=8",
            "body.bar.method=finite-difference",
        ],
    );
    assert!(grid.ok && grid.tuning.partials[0].number == 1 && grid.tuning.partials[0].cents().abs() < 5.0);
}

/// Every shipped scene that a test can render to its end, with what it is right to warn of: oscillators and strings that are let go
/// at t = 0, and notes that last longer than their scenes.
#[test]
#[ignore = "long: .ci/run runs it"]
fn shipped_scenes_warn_of_their_edges_where_they_must() {
    const SLOW: [&str; 10] = [
        "barrier_and_hammer",
        "bass_fretless",
        "bass_frets",
        "bass_frets_elastic",
        "crash_cymbal",
        "guitar_obstacle",
        "guitar_obstacle_fine",
        "piano_c4",
        "snare_drum",
        "string_barrier_rigid",
    ];
    const JUMP: [&str; 6] = [
        "damped_oscillator",
        "driven_oscillator",
        "impact_oscillator",
        "string_barrier",
        "string_barrier_damped",
        "two_masses_colliding",
    ];
    const CUT: [&str; 10] = [
        "bass_string",
        "carillon_bell",
        "drum_mallet",
        "gong",
        "phantom_partials",
        "piano_c4_coarse",
        "prepared_string",
        "sitar_bridge",
        "steel_string",
        "tanpura",
    ];
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scenes");
    let mut wrong = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_stem().unwrap().to_str().unwrap().to_string();
        if path.extension().is_none_or(|extension| extension != "toml") || SLOW.contains(&name.as_str()) {
            continue;
        }
        let outcome = run(&Scene::read(&path, &[]).unwrap(), &mut [], &mut |_, _| {}).unwrap();
        let found = [says(&outcome, "begins with a jump"), says(&outcome, "is cut off before")];
        let expected = [&JUMP[..], &CUT].map(|list| list.contains(&name.as_str()));
        if found != expected {
            wrong.push((name, outcome.warnings));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

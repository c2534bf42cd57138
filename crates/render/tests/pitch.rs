//! Sounds have the pitch and the partials that their scenes ask for.
//!
//! The frequency of a partial is read off the sound: by how much its phase gains on a wave of the frequency that is asked for
//! between two windows. Other partials reach into a Blackman–Harris window with −92 dB from four lines on.

use hamiltone_render::run;
use hamiltone_scene::Scene;
use std::{
    f64::consts::{LN_2, TAU},
    path::Path,
};

/// The first channel of a scene, and its rate.
fn sound(scene: Scene) -> (Vec<f64>, f64) {
    let plan = scene.plan().map_err(|e| e.to_string()).unwrap();
    let outcome = run(&plan, &mut [], &mut |_, _| {}).unwrap();
    assert!(outcome.ok);
    (outcome.sound.channel(0).unwrap(), plan.sample_rate)
}

fn shipped(name: &str) -> Scene {
    Scene::open(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scenes").join(name), &[]).unwrap()
}

/// By how many cents the partial near a frequency is above it, from two windows of so many seconds after this time.
fn cents_above((samples, rate): &(Vec<f64>, f64), frequency: f64, begin: f64, window: f64) -> f64 {
    const WEIGHTS: [f64; 4] = [0.35875, -0.48829, 0.14128, -0.01168];
    let count = (window * rate) as usize;
    let phase = |first: usize| {
        let (mut re, mut im) = (0.0, 0.0);
        for (i, x) in samples[first..first + count].iter().enumerate() {
            let turn = TAU * i as f64 / count as f64;
            let weight: f64 = (0..).zip(WEIGHTS).map(|(k, w)| w * (f64::from(k) * turn).cos()).sum();
            let angle = TAU * frequency * (first + i) as f64 / rate;
            (re, im) = (re + weight * x * angle.cos(), im - weight * x * angle.sin());
        }
        f64::atan2(im, re)
    };
    let (first, later) = ((begin * rate) as usize, ((begin + 0.5 * window) * rate) as usize);
    let gained = (phase(later) - phase(first) + 0.5 * TAU).rem_euclid(TAU) - 0.5 * TAU;
    let beside = gained / TAU * rate / (later - first) as f64;
    1200.0 * (1.0 + beside / frequency).ln() / LN_2
}

/// Of the nylon string, with losses, and of one that is stiff, strongly damped and clamped: 16 cents apart from c/2L of a string of
/// its tension. A hundredth of a cent is a line of 0.5 Hz times 10⁻³, the reach of other partials.
#[test]
fn strings_sound_at_their_pitch() {
    let nylon = sound(shipped("plucked_string.toml"));
    let off = cents_above(&nylon, 82.4068892282175, 0.3, 1.6);
    assert!(off.abs() < 0.01, "{off} cents");
    let stiff = "hamiltone = 2\nrun.duration = 1.2\n\
        drive.finger = { kind = \"pluck\", at = \"string@0.2\", height = \"3 mm\" }\n\
        pickup.bridge = { at = \"string@0.3\" }\n\
        [body.string]\nkind = \"string\"\nlength = 0.65\nlinear_density = 6.6e-3\npitch = \"E2 -14 cents\"\n\
        stiffness = 1\nleft = \"clamped\"\nright = \"clamped\"\nloss = { t60 = [[80, 0.6]] }\n";
    let stiff = sound(Scene::new(stiff, "stiff", Path::new(""), &[]));
    let off = cents_above(&stiff, 82.4068892282175 * (-14.0_f64 / 1200.0).exp2(), 0.05, 0.5);
    assert!(off.abs() < 0.01, "{off} cents");
}

/// The scene, and bars of both theories tuned for marimbas and xylophones; the tenths of a cent are those of near partials.
#[test]
fn tuned_bars_sound_in_their_ratios() {
    let marimba = sound(shipped("marimba_bar.toml"));
    for ratio in [1.0, 4.0, 10.0] {
        let off = cents_above(&marimba, 220.0 * ratio, 0.05, 0.4);
        assert!(off.abs() < 0.5, "partial at {ratio}: {off} cents");
    }
    for (kind, size, ratios, f) in [
        ("bar", "length = 0.34", &[4.0][..], 220.0),
        ("bar", "thickness = 0.02", &[4.0, 10.0], 440.0),
        ("timoshenko-bar", "thickness = 0.02", &[3.0], 440.0),
        ("timoshenko-bar", "length = 0.3", &[3.0, 6.0], 440.0),
    ] {
        let loss = if kind == "bar" { "loss = { t60 = [[400, 0.9], [4000, 0.4]] }" } else { "damping = 12" };
        let scene = format!(
            "hamiltone = 2\nrun.duration = 0.8\n\
             drive.hit = {{ kind = \"strike\", at = \"bar@0.37\", velocity = 1, width = 0.02 }}\n\
             pickup.p = {{ at = \"bar@0.44\", quantity = \"velocity\" }}\n\
             [body.bar]\nkind = \"{kind}\"\ntuning = {ratios:?}\nfrequency = {f}\n{size}\n\
             density = 1000\nyoungs_modulus = 18e9\n{loss}\n"
        );
        let bar = sound(Scene::new(&scene, "bar", Path::new(""), &[]));
        for ratio in [1.0].iter().chain(ratios) {
            let off = cents_above(&bar, f * ratio, 0.05, 0.4);
            assert!(off.abs() < 0.5, "partial at {ratio}: {off} cents\n{scene}");
        }
    }
}

/// A string without bending stiffness that is clamped is one that is simply supported, by numerical modes in place of those of a
/// formula, and meets a bridge at as many points. Of a grid of 4000 intervals mode k is (kπ/4000)²/24 flat, 2.6e-4 for k = 100: a
/// turn in 0.2 s. Points at all nodes of that grid, 44 times as many, make a difference of 5.2e-3 in this time.
#[test]
fn a_bridge_sounds_alike_by_formula_and_by_numerical_modes() {
    const STRING: &str = r#"hamiltone = 2
output.level = "gain 0 dB"
run.duration = "50 ms"
[pickup.p]
at = "s@0.9"
[contact.b]
law = "power"
stiffness = 1e8
exponent = 1.5
between = ["ground", "s"]
parabola = { from = 0, to = "5 cm", rise = "0.5 mm", height = "-0.2 mm" }
[drive.d]
at = "s@0.2"
kind = "pluck"
height = "2 mm"
[body.s]
kind = "string"
length = "0.65 m"
linear_density = "6.6 g/m"
tension = "446 N"
"#;
    let of = |ends: &str| sound(Scene::new(&format!("{STRING}{ends}"), "x.toml", Path::new(""), &[])).0;
    let (formula, found) = (of(""), of("left = \"clamped\"\nright = \"clamped\"\n"));
    let size = |x: &mut dyn Iterator<Item = f64>| x.map(|x| x * x).sum::<f64>().sqrt();
    let apart =
        size(&mut formula.iter().zip(&found).map(|(a, b)| a - b)) / size(&mut formula.iter().copied());
    assert!(apart < 2.5e-3 && apart > 0.0, "{apart:e}");
}

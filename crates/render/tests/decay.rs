//! Decay as requested: the times in which partials of the rendered sound fall by 60 dB, for strings and bars of all ends in
//! both of their representations, and for plates and membranes, within 2 %.

#![allow(clippy::disallowed_methods, reason = "no file depends on the numbers of tests")]

use hamiltone_render::{run, tuning::discrete};
use hamiltone_scene::{Plan, Scene};
use std::{f64::consts::TAU, path::Path};

/// The amplitude of a frequency in a Hann window of `window` seconds from `begin` on.
fn amplitude(samples: &[f64], rate: f64, frequency: f64, begin: f64, window: f64) -> f64 {
    let (first, count) = ((begin * rate) as usize, (window * rate) as usize);
    let (mut re, mut im) = (0.0, 0.0);
    for (i, x) in samples[first..first + count].iter().enumerate() {
        let weight = 0.5 - 0.5 * (TAU * i as f64 / count as f64).cos();
        let phase = TAU * frequency * i as f64 / rate;
        (re, im) = (re + weight * x * phase.cos(), im + weight * x * phase.sin());
    }
    re.hypot(im)
}

/// T60 of the partial nearest to a frequency, from two windows.
fn decay_time(samples: &[f64], rate: f64, frequency: f64) -> f64 {
    let (begin, later, window) = (0.05, 0.25, 0.1);
    let near = (-40..=40).map(|k| frequency * (1.0 + 5e-4 * f64::from(k)));
    let level = |f: &f64| amplitude(samples, rate, *f, begin, window);
    let f = near.max_by(|a, b| level(a).total_cmp(&level(b))).unwrap();
    let ratio = level(&f) / amplitude(samples, rate, f, later, window);
    (later - begin) * 3.0 / ratio.log10()
}

/// A scene of a body, struck, with losses or none.
fn plan(body: &str, [at, near]: [&str; 2], loss: &str) -> Plan {
    let text = format!(
        "hamiltone = 1\n[run]\nscheme = \"ec\"\nduration = 0.4\noversampling = 4\n[body.b]\n{body}\n{loss}\n\
         [drive.hit]\nkind = \"strike\"\nat = \"b@{at}\"\nvelocity = 1\nwidth = 0.03\n\
         [pickup.p]\nat = \"b@{near}\"\nquantity = \"velocity\"\n",
    );
    Scene::new(&text, "b", Path::new("."), &[]).plan().unwrap_or_else(|e| panic!("{text}\n{e}"))
}

/// Partials 1 and 3 of a body are asked to decay in 0.9 and 0.4 s, and measured.
fn check(body: &str, places: [&str; 2]) {
    let free = plan(body, places, "");
    let partials = discrete(&free, &free.bodies[0], 3);
    let (low, high) = (partials[0], partials[2]);
    let damped = plan(body, places, &format!("loss = {{ t60 = [[{low}, 0.9], [{high}, 0.4]] }}"));
    let samples = run(&damped, &mut [], &mut |_, _| {}).unwrap().sound.channel(0).unwrap();
    for (f, asked) in [(low, 0.9), (high, 0.4)] {
        let measured = decay_time(&samples, damped.sample_rate, f);
        let error = measured / asked - 1.0;
        assert!(error.abs() < 0.02, "{f} Hz: {measured} s, not {asked} s, of\n{body}");
    }
}

const METHODS: [&str; 2] = ["method = \"finite-difference\"\nintervals = 150", "method = \"modal\""];
const ENDS: [[&str; 2]; 6] = [
    ["free", "free"],
    ["clamped", "clamped"],
    ["clamped", "free"],
    ["hinged", "hinged"],
    ["free", "hinged"],
    ["clamped", "hinged"],
];

/// A bar of steel, and one that is undercut in the middle.
#[test]
fn bars_decay_in_the_times_that_are_asked_for() {
    let undercut =
        "profile = [[0, 0.006], [0.09, 0.006], [0.12, 0.004], [0.18, 0.004], [0.21, 0.006], [0.3, 0.006]]";
    for ([left, right], method, profile) in
        ENDS.iter().flat_map(|ends| METHODS.map(|method| (ends, method, ""))).chain(
            [&ENDS[0], &ENDS[2]].into_iter().flat_map(|ends| METHODS.map(|method| (ends, method, undercut))),
        )
    {
        check(
            &format!(
                "kind = \"bar\"\n{method}\nlength = 0.3\nthickness = 0.006\nleft = \"{left}\"\nright = \"{right}\"\n{profile}"
            ),
            ["0.37", "0.44"],
        );
    }
}

/// Strings, slack and stiff: B = 10⁻⁴ as in a piano's middle, and 0.05 as of a rod.
#[test]
fn strings_decay_in_the_times_that_are_asked_for() {
    for [left, right] in [["hinged", "hinged"], ["clamped", "clamped"], ["clamped", "hinged"]] {
        for (method, stiffness) in METHODS.iter().flat_map(|method| [0.0, 1e-4, 0.05].map(|b| (method, b))) {
            check(
                &format!(
                    "kind = \"string\"\n{method}\nlength = 0.63\nlinear_density = 6e-3\ntension = 670\ninharmonicity = {stiffness}\n\
                     left = \"{left}\"\nright = \"{right}\""
                ),
                ["0.37", "0.44"],
            );
        }
    }
}

/// Quality factors of the material: σ = πf/Q, T₆₀ = 3 ln 10/σ; Q = 100 gives 0.83 s and 0.28 s here.
#[test]
fn quality_factors_give_their_decay() {
    let body = "kind = \"string\"\nmethod = \"modal\"\nlength = 0.63\nlinear_density = 6e-3\ntension = 670\n";
    let damped = plan(body, ["0.37", "0.44"], "loss = { quality = { thermoelastic = 0.01 } }");
    let samples = run(&damped, &mut [], &mut |_, _| {}).unwrap().sound.channel(0).unwrap();
    for f in discrete(&damped, &damped.bodies[0], 3) {
        let asked = 3.0 * std::f64::consts::LN_10 * 100.0 / (std::f64::consts::PI * f);
        let measured = decay_time(&samples, damped.sample_rate, f);
        assert!((measured / asked - 1.0).abs() < 0.02, "{f} Hz: {measured} s, not {asked} s");
    }
}

#[test]
fn surfaces_decay_in_the_times_that_are_asked_for() {
    check(
        "kind = \"plate\"\nmodes = 40\nlength = 0.3\nwidth = 0.2\nthickness = 0.002",
        ["0.37,0.41", "0.44,0.31"],
    );
    check(
        "kind = \"membrane\"\nmodes = 40\nradius = 0.2\nthickness = 2e-4\nfrequency = 130",
        ["0.37,20 deg", "0.44,70 deg"],
    );
}

//! Decay as requested: the times in which partials of the rendered sound fall by 60 dB, for all ends of a bar and both of its
//! representations, within 2 %.

#![allow(clippy::disallowed_methods, reason = "no file depends on the numbers of tests")]

use hamiltone_render::run;
use hamiltone_scene::Scene;
use std::{
    f64::consts::{PI, TAU},
    path::Path,
};

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

/// The sound of a bar of steel, 0.3 m long and 6 mm thick, with these ends.
fn sound(ends: [&str; 2], method: &str, extra: &str, times: &str) -> (Vec<f64>, f64) {
    let text = format!(
        "hamiltone = 1\n[run]\nscheme = \"ec\"\nduration = 0.4\noversampling = 4\n\
         [body.bar]\nkind = \"bar\"\nmethod = \"{method}\"\n{extra}length = 0.3\nthickness = 0.006\n\
         left = \"{}\"\nright = \"{}\"\nloss = {{ t60 = {times} }}\n\
         [drive.hit]\nkind = \"strike\"\nat = \"bar@0.37\"\nvelocity = 1\nwidth = 0.03\n\
         [pickup.p]\nat = \"bar@0.44\"\nquantity = \"velocity\"\n",
        ends[0], ends[1]
    );
    let plan = Scene::new(&text, "bar", Path::new("."), &[]).plan().unwrap();
    let outcome = run(&plan, &mut [], &mut |_, _| {}).unwrap();
    (outcome.sound.channel(0).unwrap(), plan.sample_rate)
}

#[test]
fn partials_decay_in_the_times_that_are_asked_for() {
    // β of the first and third partial; c = √(E/ρ), f = β²/2πL² · h c/√12.
    let all = [
        (["free", "free"], [4.730041, 10.995608]),
        (["clamped", "clamped"], [4.730041, 10.995608]),
        (["clamped", "free"], [1.875104, 7.854757]),
        (["hinged", "hinged"], [PI, 3.0 * PI]),
        (["free", "hinged"], [3.926602, 10.210176]),
        (["clamped", "hinged"], [3.926602, 10.210176]),
    ];
    let unit = 0.006 * (2e11_f64 / 7850.0).sqrt() / 12f64.sqrt() / (TAU * 0.09);
    for (ends, betas) in all {
        let [low, high] = betas.map(|beta: f64| beta * beta * unit);
        let times = format!("[[{low}, 0.9], [{high}, 0.4]]");
        for (method, extra) in [("finite-difference", "intervals = 150\n"), ("modal", "")] {
            let (samples, rate) = sound(ends, method, extra, &times);
            for (f, asked) in [(low, 0.9), (high, 0.4)] {
                let measured = decay_time(&samples, rate, f);
                assert!(
                    (measured / asked - 1.0).abs() < 0.02,
                    "{ends:?} {method} {f} Hz: {measured} s, not {asked} s"
                );
            }
        }
    }
}

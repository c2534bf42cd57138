//! The scenes of a bowed string and of strings on a ribbed board.

use crate::{decay::amplitude, scene_values::rendered_with_warnings};

/// Helmholtz motion pulls at the bridge as a sawtooth does: partial n is 1/n of the first, within 1 dB up to the fifth, in both directions of the
/// bow. Lifted, the string rings and falls.
#[test]
fn a_bowed_string_pulls_as_a_sawtooth() {
    let (outcome, _) = rendered_with_warnings("bowed_string.toml", &["run.duration=2.6 s"]);
    let (samples, rate) = (outcome.sound.channel(0).unwrap(), outcome.sound.rate);
    let part = |from: f64| &samples[(from * rate) as usize..((from + 0.4) * rate) as usize];
    for from in [0.5, 1.5] {
        let near = |f: f64| (-40..=40).map(move |k| f * (1.0 + 1e-4 * f64::from(k)));
        let level = |f: f64| near(f).map(|f| amplitude(&samples, rate, f, from, 0.4)).fold(0.0, f64::max);
        let first = level(146.83);
        for n in 2..=5 {
            let off = 20.0 * (f64::from(n) * level(f64::from(n) * 146.83) / first).log10();
            assert!(off.abs() < 1.0, "{from} s: partial {n} is {off:+.2} dB from 1/{n}");
        }
    }
    let power = |from: f64| part(from).iter().map(|x| x * x).sum::<f64>();
    assert!(power(2.1) < 0.5 * power(1.5), "{} {}", power(2.1), power(1.5));
    assert!(outcome.audit.dissipated > 0.0 && outcome.audit.supplied > 0.0);
}

/// Each string is tuned on its place of the board; a softer board takes its energy faster.
#[test]
fn strings_on_a_ribbed_board_are_in_tune() {
    let power = |samples: &[f64]| samples.iter().map(|x| x * x).sum::<f64>();
    let fall = |sets: &[&str]| {
        let sets = [&["run.duration=3 s"], sets].concat();
        let (outcome, _) = rendered_with_warnings("ribbed_board.toml", &sets);
        let samples = outcome.sound.channel(0).unwrap();
        let rate = outcome.sound.rate as usize;
        let late = &samples[rate..3 * rate / 2];
        for f in [261.63, 329.63, 392.0] {
            let near =
                |cents: f64| amplitude(&samples, outcome.sound.rate, f * (cents / 1200.0).exp2(), 1.0, 0.5);
            let best = (-20..=20).map(f64::from).max_by(|a, b| near(*a).total_cmp(&near(*b))).unwrap();
            assert!(best.abs() <= 3.0, "{f} Hz sounds {best} cents off");
        }
        power(&samples[5 * rate / 2..]) / power(late)
    };
    assert!(fall(&["body.board.ribs.height=4 mm"]) < fall(&[]));
}

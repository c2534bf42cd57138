//! 500 scenes of points and one-coordinate bodies, each of them valid, read as text and run.

use super::{balanced_or_refused, decades};
use hamiltone_scene::catalogue::Category;
use proptest::{prelude::*, test_runner::RngSeed};
use std::fmt::Write;

/// A body: mass, frequency (none: free), damping, position, velocity.
fn body() -> impl Strategy<Value = (f64, Option<f64>, f64, f64, f64)> {
    let damping = prop_oneof![Just(0.0), decades(0.0, 3.5)];
    (decades(-3.0, 0.0), proptest::option::weighted(0.8, decades(1.3, 3.9)), damping, -1e-3..1e-3, -5.0..5.0)
}

/// A contact or link: the places of both ends, and numbers that its law takes what it needs of.
fn joint() -> impl Strategy<Value = (usize, usize, &'static str, [f64; 4])> {
    let law = prop::sample::select(vec!["power", "hertz", "odd-power", "centre-limited", "link"]);
    let loss = prop_oneof![2 => Just(0.0), 1 => 0.0..1.0];
    (
        0..4_usize,
        0..4_usize,
        law,
        (decades(2.0, 10.0), 1.0..3.5, -1e-4..1e-3, loss).prop_map(|t| [t.0, t.1, t.2, t.3]),
    )
}

fn drive() -> impl Strategy<Value = (usize, String)> {
    let kind = prop_oneof![
        decades(-2.0, 2.0).prop_map(|f| format!("kind = \"constant\"\nvalue = {f}")),
        (decades(1.0, 3.0), -100.0..100.0, -10.0..10.0).prop_map(|(f, a, b)| {
            format!("kind = \"harmonics\"\nfundamental = {f}\namplitudes = [{a}, {b}]\nphase = \"cosine\"")
        }),
        (-50.0..50.0)
            .prop_map(|f| format!("kind = \"envelope\"\npoints = [[0, 0], [0.01, {f}], [\"20 ms\", 0]]")),
    ];
    (0..3_usize, kind)
}

fn scene() -> impl Strategy<Value = String> {
    let schemes: Vec<&str> = Category::Schemes.kinds().iter().map(|kind| kind.name).collect();
    (
        prop::collection::vec(body(), 1..=3),
        prop::collection::vec(joint(), 0..=3),
        prop::collection::vec(drive(), 0..=2),
        prop::sample::select(schemes),
        (500..2000_u32, 1..=3_u32, any::<bool>()),
    )
        .prop_map(|(bodies, joints, drives, scheme, (frames, oversampling, per_area))| {
            let mut text = format!(
                "hamiltone = 1\n[run]\nscheme = \"{scheme}\"\nduration = {}\noversampling = {oversampling}\n",
                f64::from(frames) / 44100.0
            );
            let mut say = |line: String| writeln!(text, "{line}").unwrap();
            for (i, (mass, frequency, damping, position, velocity)) in bodies.iter().enumerate() {
                say(format!("[body.b{i}]\nposition = {position}\nvelocity = {velocity}"));
                match frequency {
                    Some(frequency) => {
                        let key = if per_area { "mass_per_area" } else { "mass" };
                        say(format!("kind = \"oscillator\"\n{key} = {mass}\nfrequency = {frequency}\ndamping = {damping}"));
                    }
                    None if per_area => {
                        say(format!("kind = \"oscillator\"\nmass_per_area = {mass}\nfrequency = 1"));
                    }
                    None => say(format!("kind = \"mass\"\nmass = {mass}")),
                }
                say(format!("[pickup.p{i}]\nat = \"b{i}\""));
            }
            let place = |i: usize| if i < bodies.len() { format!("b{i}") } else { "ground".into() };
            for (i, (a, b, law, [stiffness, exponent, gap, loss])) in joints.iter().enumerate() {
                let (a, b) = (place(*a), place(*b));
                if a == b {
                    continue;
                }
                let (section, law_key) = if *law == "link" { ("link", "") } else { ("contact", "law") };
                say(format!("[{section}.j{i}]\nbetween = [\"{a}\", \"{b}\"]\nstiffness = {stiffness}"));
                if !law_key.is_empty() {
                    say(format!("law = \"{law}\""));
                }
                match *law {
                    "power" => say(format!("exponent = {exponent}\ngap = {gap}\nloss = {loss}")),
                    "hertz" => say(format!("gap = {gap}\nloss = {loss}")),
                    "odd-power" => say(format!("exponent = {}", if *exponent < 2.0 { 1 } else { 3 })),
                    "centre-limited" => say(format!("exponent = {exponent}\ngap = {}", gap.abs())),
                    _ => say(format!("loss = {loss}")),
                }
            }
            for (i, (at, kind)) in drives.iter().enumerate() {
                say(format!("[drive.d{i}]\nat = \"b{}\"\n{kind}", at % bodies.len()));
            }
            text
        })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 500, rng_seed: RngSeed::Fixed(2017), failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_valid_scene_is_balanced_or_refused(text in scene()) {
        balanced_or_refused(&text)?;
    }
}

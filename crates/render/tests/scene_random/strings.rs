//! 300 scenes of a string with a mass, contacts at places and along it, starts and forces.

use super::{balanced_or_refused, decades};
use hamiltone_scene::catalogue::Category;
use proptest::{prelude::*, test_runner::RngSeed};

/// A string of 4 to 30 intervals.
fn string() -> impl Strategy<Value = String> {
    let end = || prop::sample::select(vec!["hinged", "clamped", "free"]);
    let some = |from, to| prop_oneof![Just(0.0), decades(from, to)];
    (
        4..30_u32,
        0.2..2.0,
        decades(-3.5, -1.0),
        decades(1.3, 2.9),
        some(-2.0, 0.5),
        some(-1.0, 2.5),
        some(-5.0, -2.0),
        end(),
        end(),
    )
        .prop_map(|(intervals, length, density, frequency, stiffness, d1, d3, left, right)| {
            format!(
                "[body.string]\nkind = \"string\"\nintervals = {intervals}\nlength = {length}\n\
                 linear_density = {density}\nfrequency = {frequency}\nstiffness = {stiffness}\n\
                 loss = {{ d1 = {d1}, d3 = {d3} }}\nleft = \"{left}\"\nright = \"{right}\"\n"
            )
        })
}

/// What sets it in motion.
fn drive() -> impl Strategy<Value = String> {
    prop_oneof![
        (0.05..0.95, -3e-3..3e-3)
            .prop_map(|(x, h)| format!("at = \"string@{x}\"\nkind = \"pluck\"\nheight = {h}")),
        (0.3..0.7, -3.0..3.0).prop_map(|(x, v)| {
            format!("at = \"string@{x}\"\nkind = \"strike\"\nvelocity = {v}\nwidth = 1")
        }),
        (-1e-3..1e-3, -1e-4..1e-4)
            .prop_map(|(a, b)| { format!("at = \"string\"\nkind = \"modes\"\ncosine = [{a}, {b}]") }),
        (0.05..0.95, -5.0..5.0).prop_map(|(x, f)| {
            format!("at = \"string@{x}\"\nkind = \"harmonics\"\nfundamental = 170\namplitudes = [{f}]")
        }),
    ]
}

/// A contact at a place or along the string, with the ground or the mass.
fn contact() -> impl Strategy<Value = String> {
    let at = prop_oneof![(0.05..0.95).prop_map(|x| format!("string@{x}")), Just("string".to_string())];
    let law = prop_oneof![
        (1.0..3.0, 0.0..0.5).prop_map(|(a, loss)| format!("law = \"power\"\nexponent = {a}\nloss = {loss}")),
        Just("law = \"rattle\"\nexponent = 1.5\nclearance = 1e-4".to_string()),
        Just("law = \"odd-power\"\nexponent = 3".to_string()),
    ];
    (at, any::<bool>(), any::<bool>(), decades(3.0, 9.0), law).prop_map(
        |(at, first, ground, stiffness, law)| {
            let other = if ground { "ground" } else { "mass" };
            let (a, b) = if first { (at.as_str(), other) } else { (other, at.as_str()) };
            format!("between = [\"{a}\", \"{b}\"]\nstiffness = {stiffness}\n{law}")
        },
    )
}

fn scene() -> impl Strategy<Value = String> {
    let schemes: Vec<&str> = Category::Schemes.kinds().iter().map(|kind| kind.name).collect();
    (
        string(),
        prop::collection::vec(drive(), 1..=2),
        prop::collection::vec(contact(), 0..=2),
        (decades(-3.0, -1.0), -1e-3..1e-3, -3.0..3.0),
        prop::sample::select(schemes),
        (100..600_u32, 1..=4_u32),
    )
        .prop_map(|(string, drives, contacts, (mass, position, velocity), scheme, (frames, oversampling))| {
            // A string that can shift is not plucked.
            let string = if drives.iter().any(|drive| drive.contains("\"pluck\"")) {
                string.replace("left = \"free\"", "left = \"hinged\"")
            } else {
                string
            };
            // Sines are modes between hinged ends alone.
            let string = if drives.iter().any(|drive| drive.contains("\"modes\"")) {
                string.replace("\"clamped\"", "\"hinged\"").replace("\"free\"", "\"hinged\"")
            } else {
                string
            };
            let mut text = format!(
                "hamiltone = 1\n[run]\nscheme = \"{scheme}\"\nduration = {}\noversampling = {oversampling}\n{string}\
                 [body.mass]\nkind = \"mass\"\nmass = {mass}\nposition = {position}\nvelocity = {velocity}\n\
                 [pickup.left]\nat = \"string@0.3\"\n[pickup.right]\nat = \"mass\"\nquantity = \"velocity\"\n",
                f64::from(frames) / 44100.0
            );
            let parts = |kind: &str, parts: &[String]| -> String {
                parts.iter().enumerate().map(|(i, part)| format!("[{kind}.{kind}{i}]\n{part}\n")).collect()
            };
            text += &parts("drive", &drives);
            text += &parts("contact", &contacts);
            text
        })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, rng_seed: RngSeed::Fixed(2019), failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_valid_scene_is_balanced_or_refused(text in scene()) {
        balanced_or_refused(&text)?;
    }
}

//! 300 scenes of a string, by its modes or on a grid, and a mass against rigid contacts: places, frets, whole necks, some
//! of them twice.

use super::balanced_or_refused;
use proptest::{prelude::*, test_runner::RngSeed};

fn string() -> impl Strategy<Value = String> {
    let method = prop_oneof![
        3 => (3..40_u32).prop_map(|modes| format!("method = \"modal\"\nmodes = {modes}")),
        1 => (4..30_u32).prop_map(|n| format!("intervals = {n}")),
    ];
    (method, 0.2..2.0, 20.0..400.0, prop_oneof![Just(0.0), 0.1..100.0]).prop_map(
        |(method, length, frequency, d1)| {
            format!(
                "[body.string]\nkind = \"string\"\n{method}\nlength = {length}\nlinear_density = 5e-3\n\
                 frequency = {frequency}\nloss = {{ d1 = {d1} }}\n"
            )
        },
    )
}

/// A contact, and whether there is another like it.
fn contact() -> impl Strategy<Value = (String, bool)> {
    let along = prop_oneof![
        Just(String::new()),
        (1e-4..3e-3).prop_map(|h| format!("frets = [[0.05, -{h}], [0.08, -{h}], [0.11, -1e-3]]\n")),
    ];
    let between = prop_oneof![
        (0.05..0.95).prop_map(|x| format!("between = [\"ground\", \"string@{x}\"]\n")),
        (0.05..0.95).prop_map(|x| format!("between = [\"mass\", \"string@{x}\"]\n")),
        Just("between = [\"ground\", \"mass\"]\n".to_string()),
        along.prop_map(|shape| format!("between = [\"ground\", \"string\"]\n{shape}")),
    ];
    let restitution = prop_oneof![Just(0.0), Just(1.0), 0.0..1.0];
    (between, restitution, 0.0..2e-3, any::<bool>()).prop_map(|(between, e, gap, twice)| {
        (format!("{between}law = \"rigid\"\nrestitution = {e}\ngap = {gap}"), twice)
    })
}

fn scene() -> impl Strategy<Value = String> {
    let scheme = prop::sample::select(vec![
        "\"modal-moreau-jean\"",
        "\"modal-moreau-jean\"\noptions = { solver = \"gauss-seidel\" }",
        "\"moreau-jean\"",
        "\"moreau-jean\"\noptions = { theta = 0.7 }",
    ]);
    (
        string(),
        prop::collection::vec(contact(), 1..=5),
        (-3e-3..3e-3, 0.1..0.9),
        (1e-3..1e-1, 0.0..1e-3, -3.0..3.0),
        scheme,
        (100..600_u32, 1..=4_u32),
    )
        .prop_map(|(string, contacts, (height, place), (mass, position, velocity), scheme, (frames, oversampling))| {
            let mut text = format!(
                "hamiltone = 1\n[run]\nscheme = {scheme}\nduration = {}\noversampling = {oversampling}\n{string}\
                 [body.mass]\nkind = \"mass\"\nmass = {mass}\nposition = {position}\nvelocity = {velocity}\n\
                 [drive.pluck]\nat = \"string@{place}\"\nkind = \"pluck\"\nheight = {height}\n\
                 [pickup.left]\nat = \"string@0.3\"\n[pickup.right]\nat = \"mass\"\nquantity = \"velocity\"\n",
                f64::from(frames) / 44100.0
            );
            let twice = contacts.iter().flat_map(|(contact, twice)| std::iter::repeat_n(contact, 1 + usize::from(*twice)));
            for (i, contact) in twice.enumerate() {
                text += &format!("[contact.c{i}]\n{contact}\n");
            }
            text
        })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, rng_seed: RngSeed::Fixed(1988), failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_valid_scene_is_balanced_or_refused(text in scene()) {
        balanced_or_refused(&text)?;
    }
}

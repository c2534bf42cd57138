//! Instruments written from scratch with defaults alone (`scenes/defaults`): green, in tune, and decaying as asked.
//!
//! Every audible partial of the linear part lies within 0.5 cent of theory: the largest difference of eigenvalues from the
//! continuous bodies and the largest of the sound from eigenvalues add up to less. Decay times are within 2 %. The table of
//! docs/defaults.md has the figures: `cargo bench -p hamiltone-benches --bench defaults`.

use hamiltone_product::linear_part;
use hamiltone_render::{run, verdict::Verdict};
use hamiltone_scene::Scene;
use std::{fs, path::PathBuf};

/// Cents, and the relative difference of decay times.
const CENTS: f64 = 0.5;
const DECAY: f64 = 0.02;

fn scenes() -> Vec<PathBuf> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../scenes/defaults");
    let files = fs::read_dir(folder).unwrap().map(|file| file.unwrap().path());
    files.filter(|path| path.extension().is_some_and(|extension| extension == "toml")).collect()
}

#[test]
fn instruments_are_right_by_default() {
    let scenes = scenes();
    assert!(scenes.len() >= 9);
    for path in scenes {
        let measured = linear_part::measure(&path);
        println!("{} {measured:?}", path.display());
        assert!(measured.partials >= 4 && measured.step + measured.body < CENTS, "{path:?}: {measured:?}");
        assert!(measured.decay < DECAY, "{path:?}: {measured:?}");
        let plan = Scene::read(&path, &[]).unwrap();
        let outcome = run(&plan, &mut [], &mut |_, _| {}).unwrap();
        assert_eq!(outcome.verdict, Verdict::Green, "{path:?}: {:?}", outcome.warnings);
    }
}

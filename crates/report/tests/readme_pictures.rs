//! The pictures of the README: `HAMILTONE_UPDATE=1 cargo test -p hamiltone-report --test all readme_pictures` draws them anew.

use hamiltone_render::run;
use hamiltone_report::plot::{Axis, Chart, svg_grid};
use hamiltone_scene::Scene;
use std::{env, fs, path::PathBuf};

/// The folder of the workspace.
fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The sound of a scene from `begin` to `end` (s), at most so many points.
fn chart(scene: &str, begin: f64, end: f64) -> Chart {
    let path = root().join("scenes").join(scene).with_extension("toml");
    let plan = Scene::read(&path, &[]).unwrap();
    let outcome = run(&plan, &mut [], &mut |_, _| {}).unwrap();
    let (rate, pickup) = (plan.sample_rate, &plan.pickups[0]);
    let first = (begin * rate) as u64;
    let samples = outcome.sound.part(0, first..(end * rate) as u64).unwrap();
    let time = (0..samples.len()).map(|i| (first as f64 + i as f64) / rate).collect();
    let title = format!("{}: {} of pickup `{}`", plan.title, pickup.quantity, pickup.name);
    let (x, y) = (Axis::new("time", "s"), Axis::new(&*pickup.quantity, &*pickup.unit));
    Chart::new(title, x, y).line(pickup.name.clone(), time, samples).sized(480.0, 240.0)
}

/// Each picture is drawn from its scene as it is.
#[test]
fn pictures_of_the_readme_are_those_of_its_scenes() {
    for (scene, whole, part) in [("plucked_string", 3.0, 0.04), ("struck_bar", 1.0, 0.02)] {
        let charts = [chart(scene, 0.0, part), chart(scene, 0.0, whole)];
        let drawn = svg_grid("", &charts, 2);
        let path = root().join("docs").join(scene).with_extension("svg");
        if env::var_os("HAMILTONE_UPDATE").is_some() {
            fs::create_dir_all(root().join("docs")).unwrap();
            fs::write(&path, &drawn).unwrap();
        }
        let kept = fs::read_to_string(&path).unwrap_or_default();
        assert!(
            kept == drawn,
            "docs/{scene}.svg is not of its scene: HAMILTONE_UPDATE=1 cargo test -p hamiltone-report --test all readme_pictures"
        );
    }
}

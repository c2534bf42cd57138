//! What the runs of a study share is found once, and changes no bit.

use hamiltone_scene::Limits;
use hamiltone_study::{axis::Axis, features::Row, source::Source, sweep::Sweep};
use std::{path::PathBuf, sync::atomic::AtomicBool};

/// A bar whose modes no formula gives, and a mallet.
const SCENE: &str = r#"
hamiltone = 2
run.duration = "20 ms"
body.bar = { kind = "timoshenko-bar", length = "0.4 m", width = "4 cm", thickness = "2 cm", density = "860 kg/m^3", youngs_modulus = "17 GPa", poisson_ratio = 0.3, modes = 4 }
body.mallet = { kind = "mass", mass = "30 g", velocity = "1 m/s" }
contact.strike = { between = ["mallet", "bar@0.5"], law = "power", stiffness = "1e7 N/m^1.5", exponent = 1.5 }
pickup.near = { at = "bar@0.45", quantity = "velocity" }
"#;

fn source() -> Source {
    Source {
        text: SCENE.into(),
        name: "bar.toml".into(),
        file: None,
        base: PathBuf::new(),
        limits: Limits::default(),
        shared: Default::default(),
    }
}

fn rows(source: &Source, over: &[&str]) -> Vec<Row> {
    let axes = over.iter().map(|axis| Axis::parse(axis).unwrap()).collect();
    let sweep = Sweep::new(source.clone(), axes).unwrap();
    sweep.runs().map(|number| sweep.row(number, &AtomicBool::new(false)).unwrap()).collect()
}

/// Velocities and stiffnesses leave the modes of the bar as they are, its length does not; and each row is that of a run of its own.
#[test]
fn modes_are_found_once_and_no_bit_changes() {
    let shared = source();
    let own = |over: &[&str]| rows(&source(), over);
    let together = rows(
        &shared,
        &["body.mallet.velocity=1:3:3", "contact.strike.stiffness=[\"1e7 N/m^1.5\", \"2e7 N/m^1.5\"]"],
    );
    let count = shared.shared.bodies();
    let lone = own(&["body.mallet.velocity=[3]", "contact.strike.stiffness=[\"2e7 N/m^1.5\"]"]);
    let (mut last, mut alone) = (together[5].clone(), lone[0].clone());
    for row in [&mut last, &mut alone] {
        assert_eq!(row["verdict"], "green", "{row:?}");
        row.remove("run");
        // A list of numbers gives whole ones.
        assert_eq!(row.remove("body.mallet.velocity").unwrap().as_f64(), Some(3.0));
    }
    assert_eq!(last, alone);
    assert_eq!(own(&["run.duration=[\"20 ms\"]"])[0]["near.peak"], together[0]["near.peak"]);
    let fresh = source();
    rows(&fresh, &["run.duration=[\"20 ms\"]"]);
    assert_eq!(fresh.shared.bodies(), count, "a velocity or a stiffness made another body of it");
    rows(&shared, &["body.bar.length=[0.41]"]);
    assert!(shared.shared.bodies() > count);
}

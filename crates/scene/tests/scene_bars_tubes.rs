//! What is said of scenes with bars and tubes that are wrong, or silent.

use hamiltone_scene::{Plan, Scene, Set};
use std::path::Path;

/// A shipped scene with one value changed.
fn changed(scene: &str, set: &str) -> Result<Plan, String> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scenes").join(scene);
    Scene::read(path, &[Set::parse(set).unwrap()]).map_err(|error| error.to_string())
}

#[test]
fn mistakes_are_named() {
    let (bar, pipe, horn) = ("clamped_bar.toml", "tube_cylinder.toml", "tube_cone.toml");
    for (scene, set, says) in [
        (bar, "body.tine.left=clampd", "`left` is not `clampd`; did you mean `clamped`?"),
        (bar, "body.tine.left=open", "words that it takes: `hinged`, `clamped`, `free`"),
        (bar, "body.tine.intervals=1", "`intervals` is 1, but must be ≥ 4"),
        (
            bar,
            "body.tine.thickness=-1 mm",
            "must be ≥ 0.0001 and ≤ 0.5 m; write for example thickness = \"0.01 m\"",
        ),
        (
            bar,
            r#"body.tine.profile=[["0 m","1 mm"],["20 mm","0.5 mm"],["10 mm","1 mm"]]"#,
            "`profile` has 0.01 m after 0.02 m, but the first of each pair must increase",
        ),
        (
            bar,
            r#"body.tine.profile=[["0 m","1 mm"],["0.1 m","0.5 mm"]]"#,
            "`profile` has a pair at x = 0.1 m, off the body, which reaches from 0 to 0.05575 m",
        ),
        (bar, r#"body.tine.profile=[["0 m","1 mm"]]"#, "`profile` takes 2 pairs [x, y] or more, not 1"),
        (
            bar,
            r#"body.tine.profile=[["0 m","1 mm"],["1 mm","0 m"]]"#,
            "`profile` is 0 m, but must be ≥ 0.0001 m",
        ),
        (bar, "drive.thumb.at=tine@60 mm", "0.06 m is not on it: it reaches from 0 to 0.05575 m"),
        (bar, "drive.thumb.at=tine@0", "`tine@0` is a fixed point: a force moves nothing there"),
        (bar, "pickup.left.quantity=pressure", "it has `displacement`, `velocity`, `force`"),
        (horn, "body.horn.radius_left=-4 mm", "write for example radius_left = \"0.01 m\""),
        (horn, "body.horn.radius=4 mm", "`radius_left` and `radius` both state the bore; give one of them"),
        (
            horn,
            "pickup.left.quantity=displacement",
            "`horn@0` has no output `displacement`; it has `pressure`, `flow`",
        ),
        (
            horn,
            "pickup.left.quantity=velocity",
            "`horn@0` has no output `velocity`; it has `pressure`, `flow`",
        ),
        (pipe, r#"drive.hand.points=[["0 s","1 N"],["1 s", 0]]"#, "`points` is measured in Pa, not in N"),
    ] {
        let said = changed(scene, set).map_or_else(|said| said, |_| "nothing".into());
        assert!(said.contains(says), "{set}:\n{said}\nlacks {says}");
    }
}

/// No pressure at an open end, no flow at a closed one, no motion where a bar is clamped.
#[test]
fn silence_is_worth_a_warning() {
    for (scene, set, what) in [
        ("tube_cylinder.toml", "pickup.left.at=pipe@0", "the pressure of `pipe@0`"),
        ("tube_cylinder.toml", "pickup.left.quantity=flow", "the flow of `pipe@1`"),
        ("clamped_bar.toml", "pickup.left.at=tine@0", "the velocity of `tine@0`"),
    ] {
        let warnings = changed(scene, set).unwrap().warnings;
        assert!(warnings.len() == 1 && warnings[0].contains(what), "{set}: {warnings:?}");
    }
    assert!(changed("tube_cylinder.toml", "pickup.left.at=pipe@0.1").unwrap().warnings.is_empty());
}

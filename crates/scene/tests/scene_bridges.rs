//! Bridges: strings on other bodies, tuned there, and what is no bridge.

use hamiltone_scene::{Plan, Scene};

/// The plan of a string `s` on a board `b`, with these bridges and other sections, or its errors.
fn plan(rest: &str) -> Result<Plan, String> {
    let text = format!(
        "hamiltone = 2\nrun.duration = \"1 ms\"\npickup.p = {{ at = \"b\" }}\n{rest}\n\
         [body.b]\nkind = \"modes\"\nmass = \"8 kg\"\ntable = {{ frequency = [\"95 Hz\", \"230 Hz\"], q = [40, 40] }}\n\
         [body.s]\nkind = \"string\"\nlength = \"0.66 m\"\nlinear_density = \"6.26 g/m\"\nfrequency = \"261.6 Hz\"\nmodes = 20\n"
    );
    Scene::new(&text, "x.toml", ".".as_ref(), &[]).plan().map_err(|e| e.to_string())
}

fn tension(plan: &Plan) -> f64 {
    let string = plan.bodies.iter().find(|body| body.name == "s").expect("the string");
    string.solved.iter().find(|solved| solved.name == "tension").expect("a tension").value
}

/// Above the modes of its board, which is a mass there, a string sounds sharp: it is tuned with less tension.
#[test]
fn a_string_is_tuned_on_its_bridge() {
    let alone = tension(&plan("").expect("a plan"));
    let carried = plan("bridge.x = { between = [\"s@1\", \"b\"] }").expect("a plan");
    let ratio = tension(&carried) / alone;
    assert!((0.98..0.9999).contains(&ratio), "{ratio}");
    let joint = &carried.system.joints[0];
    assert_eq!((joint.supports.len(), joint.stiffness[0]), (1, 0.0));
    let added =
        plan("bridge.x = { between = [\"s@0.66 m\", \"b\"], static_load = \"added\" }").expect("a plan");
    let load = tension(&added) / 0.66;
    assert!((added.system.joints[0].stiffness[0] / load - 1.0).abs() < 1e-12, "{load}");
}

/// A link elsewhere changes nothing of it.
#[test]
fn a_link_elsewhere_leaves_the_string_tuned() {
    let bridge = "bridge.x = { between = [\"s@1\", \"b\"] }";
    let other = "body.m = { kind = \"mass\", mass = \"1 kg\" }\nbody.n = { kind = \"mass\", mass = \"1 kg\" }\nlink.l = { between = [\"m\", \"n\"], stiffness = \"1 kN/m\" }";
    let [alone, beside] =
        [bridge.to_string(), format!("{bridge}\n{other}")].map(|rest| plan(&rest).expect("a plan"));
    assert_eq!(tension(&alone), tension(&beside));
}

/// With both ends carried it keeps its tension, and that is told.
#[test]
fn a_string_on_two_bridges_is_told_to_be_untuned() {
    let both = "bridge.x = { between = [\"s@1\", \"b\"] }\nbridge.y = { between = [\"s@0\", \"b\"] }";
    let both = plan(both).expect("a plan");
    assert_eq!((both.system.joints.len(), both.system.joints[0].supports.len()), (1, 2));
    assert!(
        both.warnings.iter().any(|warning| warning.contains("both of its ends are carried")),
        "{:?}",
        both.warnings
    );
}

#[test]
fn what_is_no_bridge_is_told() {
    let between =
        |first: &str, second: &str| format!("bridge.x = {{ between = [\"{first}\", \"{second}\"] }}");
    for (rest, message) in [
        (between("s@0.4", "b"), "is no end of the string"),
        (between("b", "s@1"), "is no string with modes"),
        (between("s@1", "ground"), "carries no string"),
        (between("s@1", "s@0.5"), "carries no string"),
        (between("ground", "b"), "is no string with modes"),
        // Both ends are wrong: both are told.
        (between("s@0.4", "ground"), "is no end of the string"),
        (between("s@0.4", "ground"), "carries no string"),
        (
            format!("{}\nbridge.y = {{ between = [\"s@1\", \"b\"] }}", between("s@1", "b")),
            "is on a bridge already",
        ),
        (
            format!(
                "{}\nlink.l = {{ between = [\"s@0.5\", \"ground\"], stiffness = \"1 kN/m\" }}",
                between("s@1", "b")
            ),
            "joined to other bodies by a link as well",
        ),
    ] {
        let error = plan(&rest).err().unwrap_or_default();
        assert!(error.contains(message), "{rest}: {error}");
    }
}

//! Drum heads in the air, the air that they enclose, and what encloses none.

use hamiltone_scene::{Plan, Scene};
use std::f64::consts::TAU;

/// The plan of two heads, `a` of a given frequency and `b`, with these other sections, or its errors.
fn plan(rest: &str) -> Result<Plan, String> {
    let head = "kind = \"membrane\"\nmodes = 20\nradius = \"16 cm\"\nthickness = \"0.25 mm\"\nair = \"closed\"\ndepth = \"15 cm\"\n";
    let text = format!(
        "hamiltone = 3\nrun.duration = \"1 ms\"\npickup.p = {{ at = \"a@0.3\" }}\n{rest}\n\
         [body.a]\n{head}frequency = \"200 Hz\"\n[body.b]\n{head}tension = \"2000 N/m\"\n[body.m]\nkind = \"mass\"\nmass = 1\n"
    );
    Scene::new(&text, "x.toml", ".".as_ref(), &[]).plan().map_err(|e| e.to_string())
}

/// The mode (1,1), the second, sounds as asked, whatever the spring of the air; the spring is √(ρc²/Ω) of each volume, and both have the same one.
#[test]
fn a_cavity_is_a_spring_between_heads() {
    let plan = plan("cavity.air = { between = [\"a\", \"b\"], volume = \"0.02 m^3\" }").expect("a plan");
    let head = &plan.bodies[0].placed.representation;
    assert!((head.partial(2).unwrap() - 200.0).abs() < 1e-6, "{:?}", head.partial(2));
    let [form] = &plan.system.forms[..] else { panic!("one form") };
    assert!(form.quadratic.is_empty() && form.stretch == 0.0);
    // A head that moves as a whole displaces its area: of (0,1) 0.4318 of it, at dry air of 20 °C.
    let root = (1.2047_f64 * 343.37 * 343.37 / 0.02).sqrt();
    let own = root * 0.431_76 * TAU / 2.0 * 0.16 * 0.16;
    let weights: Vec<(usize, f64)> = form.linear.entries().collect();
    assert!((weights[0].1 / own - 1.0).abs() < 1e-3, "{weights:?} {own}");
    let second = plan.bodies[1].placed.dofs.start;
    assert_eq!(weights.iter().find(|(dof, _)| *dof == second).map(|(_, w)| *w), Some(-weights[0].1));
}

#[test]
fn what_is_no_cavity_is_told() {
    for (rest, message) in [
        ("cavity.x = { between = [\"a\", \"m\"], volume = 0.02 }", "`m` is no drum head"),
        ("cavity.x = { between = [\"a@0.5\", \"b\"], volume = 0.02 }", "`a@0.5` is no drum head"),
        ("cavity.x = { between = [\"a\", \"a\"], volume = 0.02 }", "both ends are `a`"),
        ("cavity.x = { between = [\"a\", \"b\"], volume = -1 }", "must be ≥ 0.000001"),
        ("cavity.x = { between = [\"a\", \"c\"], volume = 1 }", "there is no body `c`"),
        ("cavity.x = { between = [\"a\", \"b\"] }", "volume"),
        (
            "body.c = { kind = \"membrane\", radius = 0.2, thickness = 1e-4, tension = 1e3, air = \"closed\" }",
            "needs `depth`",
        ),
    ] {
        let Err(found) = plan(rest) else { panic!("{rest}") };
        assert!(found.contains(message), "{rest}:\n{found}");
    }
}

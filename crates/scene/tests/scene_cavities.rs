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

/// The mode (1,1), the second, sounds as asked; the spring is √(ρc²/Ω) of each volume, and both have the same one.
#[test]
fn a_cavity_is_a_spring_between_heads() {
    let plan = plan("cavity.air = { between = [\"a\", \"b\"], volume = \"0.02 m^3\" }").expect("a plan");
    let head = &plan.bodies[0].placed.representation;
    // Without losses, which slow it by less than a part in 10⁷.
    assert!((head.partial(2).unwrap() - 200.0).abs() < 2e-5, "{:?}", head.partial(2));
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
fn other_ends_are_refused() {
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
        (
            "body.c = { kind = \"membrane\", radius = 0.2, thickness = 1e-4, undamped_frequency = 100, air = \"open\" }",
            "is that of a membrane in a vacuum",
        ),
        (
            "body.c = { kind = \"plate\", length = 0.4, width = 0.3, thickness = 1e-3, left = \"clamped\", von_karman = true, in_plane = \"guided\" }",
            "only four simply supported sides are",
        ),
    ] {
        let Err(found) = plan(rest) else { panic!("{rest}") };
        assert!(found.contains(message), "{rest}:\n{found}");
    }
}

/// A head that moves air has the decay times that are asked for at its own frequencies, not at those of a vacuum.
#[test]
fn decay_times_are_those_of_the_frequencies_in_air() {
    let of = |air: &str| {
        let head = "kind = \"membrane\"\nmodes = 20\nradius = \"30 cm\"\nthickness = \"0.25 mm\"\nfrequency = \"100 Hz\"";
        let loss = "loss = { t60 = [[\"50 Hz\", \"2 s\"], [\"200 Hz\", \"0.2 s\"]] }";
        let plan =
            plan(&format!("[body.c]\n{head}\n{loss}\n{air}")).unwrap_or_else(|error| panic!("{error}"));
        let head = plan.bodies.iter().find(|body| body.name == "c").unwrap().placed.clone();
        let k = if air.is_empty() { 1 } else { 2 };
        (head.representation.partial(k).unwrap(), 3.0 * 10_f64.ln() / head.representation.decay(k).unwrap())
    };
    let [(f, vacuum), (g, closed)] = ["", "air = \"closed\"\ndepth = \"30 cm\""].map(of);
    // Without losses, which slow them by σ²/2ω² = 1.5e-4.
    assert!((f - 100.0).abs() < 0.02 && (g - 100.0).abs() < 0.02, "{f} {g}");
    // 1/T60 is straight in f²: 0.5 1/s and 4.5/5 more.
    let expected =
        1.0 / (0.5 + 4.5 * (100.0_f64.powi(2) - 50.0_f64.powi(2)) / (200.0_f64.powi(2) - 50.0_f64.powi(2)));
    assert!(
        (vacuum / expected - 1.0).abs() < 1e-3 && (closed / expected - 1.0).abs() < 1e-3,
        "{vacuum} {closed}"
    );
}

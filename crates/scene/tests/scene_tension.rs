//! Strings and membranes that stretch: what scenes say of them, and what is refused.

use hamiltone_core::{input::Action, system::Quantity};
use hamiltone_scene::{Plan, Scene};

const STRING: &str = "kind = \"string\"\nlength = \"0.65 m\"\nradius = \"0.2 mm\"\nyoungs_modulus = \"200 GPa\"\nfrequency = \"200 Hz\"\nmodes = 20\n";

/// The plan of a string `up` that stretches and of one `across` with these keys, and other sections, or the errors.
fn plan(across: &str, rest: &str) -> Result<Plan, String> {
    let text = format!(
        "hamiltone = 3\nrun.duration = \"10 ms\"\npickup.p = {{ at = \"up@0.3\" }}\n{rest}\n\
         [body.up]\n{STRING}tension_modulation = true\n[body.across]\n{STRING}{across}\n"
    );
    Scene::new(&text, "x.toml", ".".as_ref(), &[]).plan().map_err(|e| e.to_string())
}

const ACROSS: &str = "tension_modulation = true\npolarisation_of = \"up\"";

/// The stiffness against stretching is that of the core; both directions have one form, which drives and gestures strain together.
#[test]
fn two_polarisations_have_one_tension() {
    let bend = "score = [{ gesture = \"bend\", tension_of = \"up\", semitones = 2, time = 0 }, { gesture = \"bend\", tension_of = \"across\", semitones = 0, time = \"5 ms\" }]";
    let plan = plan(
        ACROSS,
        &format!("{bend}\ndrive.peg = {{ kind = \"constant\", tension_of = \"across\", value = \"3 N\" }}"),
    );
    let plan = plan.unwrap_or_else(|error| panic!("{error}"));
    let axial = 200e9 * std::f64::consts::PI * 0.2e-3_f64.powi(2);
    let form = &plan.system.forms[0];
    assert_eq!((plan.system.forms.len(), form.quadratic.len()), (1, 40));
    assert!((form.stretch / (0.65_f64 / axial).sqrt() - 1.0).abs() < 1e-14);
    let strains = |action: &Action| matches!(action, Action::Strain(forms) if *forms == (0..1));
    assert_eq!(plan.system.inputs.iter().filter(|input| strains(&input.action)).count(), 2);
}

/// A stiffness against stretching is given where the string is to stretch.
#[test]
fn a_given_stiffness_says_that_it_stretches() {
    assert_eq!(plan("axial_stiffness = \"9 kN\"", "").expect("a plan").system.forms.len(), 2);
}

/// A pickup of the tension reads the form.
#[test]
fn the_tension_is_read() {
    let plan = plan("", "pickup.t = { at = \"up\", quantity = \"tension\" }").expect("a plan");
    assert!(
        matches!(&plan.system.outputs[1].quantity, Quantity::Tension(forms, row) if row.is_zero() && !forms.is_zero())
    );
    assert_eq!(plan.pickups[1].unit, "N");
}

#[test]
fn what_cannot_stretch_or_be_bent_is_refused() {
    let bend = |keys: &str| format!("score = [{{ gesture = \"bend\", time = 0, {keys} }}]");
    for (across, rest, expected) in [
        ("", bend("semitones = 2").as_str(), "`tension_of` is missing"),
        ("", &bend("semitones = 2, tension_of = \"across\""), "the tension of `across` stays as it is"),
        ("", &bend("semitones = 2, tension_of = \"acros\""), "there is no body `acros`"),
        ("", &bend("semitones = 7, tension_of = \"up\""), "`semitones` is 7"),
        (
            "",
            "drive.d = { kind = \"constant\", tension_of = \"up\", value = \"-200 N\" }",
            "the change of the tension, is -200 N",
        ),
        ("", "pickup.t = { at = \"across\", quantity = \"tension\" }", "`across` has no output `tension`"),
        (
            "",
            "pickup.m = { at = \"up@0.3\", quantity = \"velocity\", magnet_distance = \"3 mm\" }",
            "a magnet reads a displacement",
        ),
        ("polarisation_of = \"up\"", "", "both need tension_modulation = true"),
        ("tension_modulation = true\npolarisation_of = \"across\"", "", "named as its own polarisation"),
        ("tension_modulation = true\npolarisation_of = \"u\"", "", "there is no body `u`"),
        ("tension_modulation = true\nright = \"clamped\"", "", "between hinged ends alone"),
        (
            "tension_modulation = false\naxial_stiffness = \"9 kN\"",
            "",
            "`axial_stiffness` has an effect only with tension_modulation = true",
        ),
        ("tension_modulation = true\nlongitudinal_quality = 200", "", "needs `longitudinal_modes`"),
        (
            "tension_modulation = true\naxial_stiffness = \"70 N\"\nlongitudinal_modes = 4",
            "",
            "at least twice the tension",
        ),
        (
            &format!(
                "{ACROSS}\n[body.third]\n{STRING}tension_modulation = true\npolarisation_of = \"across\""
            ),
            "",
            "is one of two polarisations already",
        ),
    ] {
        let error = plan(across, rest).err().unwrap_or_else(|| panic!("no error: {across} {rest}"));
        assert!(error.contains(expected), "{expected}: {error}");
    }
    let detuned = plan(ACROSS, "")
        .map(|_| ())
        .and(plan(&format!("{ACROSS}\nlinear_density = \"9 g/m\""), "").map(|_| ()));
    assert!(detuned.is_err_and(|error| error.contains("their tensions are")));
}

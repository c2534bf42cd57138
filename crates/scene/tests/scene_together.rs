//! One error hides no other: a part that is broken leaves everything that can be said of the rest.
//!
//! Each case breaks one part of a scene that is right, and beside it something that used to be hidden by that.

use hamiltone_scene::Scene;
use std::path::Path;

const SCENE: &str = r#"
hamiltone = 1
[run]
scheme = "ec"
duration = "0.1 s"
[body.string]
kind = "string"
intervals = 16
length = "0.6 m"
linear_density = "5 g/m"
tension = "100 N"
[body.hammer]
kind = "mass"
mass = "5 g"
[body.drum]
kind = "membrane"
modes = 3
radius = "20 cm"
thickness = "0.2 mm"
frequency = "100 Hz"
[link.bond]
between = ["string@0.5", "hammer"]
stiffness = "100 N/m"
[contact.felt]
between = ["hammer", "string@0.1"]
law = "power"
stiffness = "1e6 N/m^2.5"
exponent = 2.5
gap = "1 mm"
[contact.neck]
between = ["string", "ground"]
law = "power"
stiffness = "1e8 N/m^2.5"
gap = "5 mm"
profile = [[0, 0], ["0.6 m", 0]]
[drive.push]
at = "hammer"
kind = "constant"
value = "1 N"
[drive.finger]
at = "string@0.3"
kind = "pluck"
height = "1 mm"
[pickup.left]
at = "string@0.2"
[pickup.right]
at = "drum@0.5,30 deg"
"#;

/// What is said of the scene with these changes, one line a problem.
fn said(changes: &[(&str, &str)]) -> Vec<String> {
    let mut text = SCENE.to_string();
    for (from, to) in changes {
        assert!(text.contains(from), "the scene has no {from}");
        text = text.replacen(from, to, 1);
    }
    match Scene::new(&text, "x", Path::new(""), &[]).plan() {
        Ok(_) => Vec::new(),
        Err(diagnostics) => diagnostics.lines(),
    }
}

/// The changes lead to as many problems as there are parts of messages, each of them in one problem.
fn together(changes: &[(&str, &str)], parts: &[&str]) {
    let lines = said(changes);
    for part in parts {
        assert!(lines.iter().any(|line| line.contains(part)), "{lines:#?}\nlacks {part}");
    }
    assert_eq!(lines.len(), parts.len(), "{lines:#?}");
}

#[test]
fn the_scene_itself_is_right() {
    assert_eq!(said(&[]), Vec::<String>::new());
}

#[test]
fn a_broken_body_hides_no_place_on_it() {
    together(
        &[
            ("linear_density = \"5 g/m\"", "linear_density = \"-5 g/m\""),
            ("[\"string@0.5\", \"hammer\"]", "[\"string@middle\", \"hamer\"]"),
            ("[\"hammer\", \"string@0.1\"]", "[\"hammer\", \"string@1.5\"]"),
            ("at = \"string@0.3\"", "at = \"string@3 s\""),
            ("at = \"string@0.2\"", "at = \"string@10 deg\""),
        ],
        &[
            "`linear_density` is -5 g/m, but must be > 0 kg/m",
            "`string@middle` is no place: `middle` does not begin with a number",
            "there is no body `hamer`; did you mean `hammer`?",
            "`string@1.5` is no place: 1.5 is not a fraction between 0 and 1",
            "`string@3 s` is no place: s is neither a length nor a fraction",
            "`string@10 deg` is no place: an angle alone is neither a length nor a fraction",
        ],
    );
}

/// A length on a body that could not be built is not judged, and neither is the unit of a law along it.
#[test]
fn what_refers_to_a_broken_body_is_not_blamed() {
    together(
        &[("tension = \"100 N\"", "tension = \"100 m\""), ("at = \"string@0.2\"", "at = \"string@9 m\"")],
        &["`tension` is measured in N, not in m"],
    );
}

#[test]
fn wrong_values_of_a_contact_hide_neither_its_places_nor_its_shape() {
    together(
        &[
            ("gap = \"1 mm\"", "gap = \"1 s\""),
            ("[\"hammer\", \"string@0.1\"]", "[\"hammer@0.5\", \"string@0.7 m\"]"),
            ("gap = \"5 mm\"", "gap = \"5 N\""),
            ("[[0, 0], [\"0.6 m\", 0]]", "[[\"0.7 m\", 0], [\"0.8 m\", 0]]"),
        ],
        &[
            "contact `felt`: `gap` is measured in m, not in s",
            "`hammer@0.5` is no place: this body is a point",
            "`string@0.7 m` is no place: 0.7 m is not on it",
            "contact `neck`: `gap` is measured in m, not in N",
            "contact `neck`: `profile` reaches no point of `string`",
        ],
    );
}

#[test]
fn an_unknown_law_hides_neither_places_nor_shapes() {
    together(
        &[
            ("law = \"power\"\nstiffness = \"1e8 N/m^2.5\"", "law = \"glue\""),
            ("[\"0.6 m\", 0]]", "[\"0.6 s\", 0]]"),
        ],
        &["there is no law `glue`", "contact `neck`: `profile` is measured in m, not in s"],
    );
}

#[test]
fn wrong_values_of_a_drive_hide_no_place() {
    together(
        &[
            ("value = \"1 N\"", "value = \"1 kg\""),
            ("at = \"hammer\"", "at = \"hammer@0.5\""),
            ("height = \"1 mm\"", "height = \"1 mn\""),
            ("at = \"string@0.3\"", "at = \"string@2 m\""),
        ],
        &[
            "`value` is measured in N, not in kg",
            "`hammer@0.5` is no place",
            "`height` cannot be read: `mn` is no unit",
            "`string@2 m` is no place",
        ],
    );
}

#[test]
fn a_wrong_quantity_of_a_pickup_hides_no_place() {
    together(
        &[("at = \"string@0.2\"", "at = \"string@2 m\"\nquantity = \"loudness\"")],
        &["`quantity` is not `loudness`", "`string@2 m` is no place"],
    );
}

/// Both numbers of a pair, and every pair of a list.
#[test]
fn a_list_is_read_to_its_end() {
    together(
        &[("[[0, 0], [\"0.6 m\", 0]]", "[[\"0 s\", \"0 N\"], [\"0.6 m\", true]]")],
        &[
            "`profile` is measured in m, not in s",
            "`profile` is measured in m, not in N",
            "`profile` takes a number, not true or false",
        ],
    );
}

#[test]
fn a_wrong_duration_hides_no_option_and_no_scheme_that_refuses() {
    together(
        &[
            ("duration = \"0.1 s\"", "duration = \"0.1 m\"\nsample_rate = 44100.5\n[run.options]\ns = 3"),
            ("scheme = \"ec\"", "scheme = \"cubic-explicit\""),
        ],
        &[
            "`duration` is measured in s, not in m",
            "`sample_rate` is 44100.5 Hz, but must be a whole number",
            "the options of scheme `cubic-explicit`: there is no key `s`",
            "scheme `cubic-explicit` does not cover",
        ],
    );
}

/// A bare number is a fraction of a turn, too: 40 of them are 40 degrees, in all likelihood.
#[test]
fn a_bare_angle_is_explained() {
    together(
        &[("at = \"drum@0.5,30 deg\"", "at = \"drum@0.6, 40\"")],
        &[
            "40 is not a fraction between 0 and 1; a bare number is a fraction of the length, of a side or radius, or of a \
           turn; write \"drum@0.6,40 deg\"",
        ],
    );
}

/// It acted on nothing, in silence.
#[test]
fn a_link_between_held_places_is_refused() {
    together(
        &[("[\"string@0.5\", \"hammer\"]", "[\"string@0\", \"ground\"]")],
        &["link `bond`: both places in `between` are fixed"],
    );
}

/// Fixed one after the other, each would only ask for the other's representation.
#[test]
fn parameters_of_two_representations_are_named_together() {
    together(
        &[("intervals = 16", "modes = 12\naccuracy = 0.5")],
        &[
            "`accuracy` needs method = \"finite-difference\", but `modes` needs method = \"modal\"; leave out `accuracy` or `modes`",
        ],
    );
}

/// What was hidden by a broken body: its other places, also where a contact, a drive and a pickup name them.
#[test]
fn a_bad_frequency_or_unit_hides_no_bad_place() {
    for bad in ["frequency = \"-3 Hz\"", "frequency = \"3 Herz\"", "tension = \"1 N/m3\""] {
        let lines = said(&[("tension = \"100 N\"", bad), ("at = \"string@0.2\"", "at = \"string@middle\"")]);
        assert!(lines.len() == 2 && lines[1].contains("`string@middle` is no place"), "{bad}: {lines:#?}");
    }
}

/// A free end is no support: it can be struck, also where the strike is narrower than the points of a body by modes.
#[test]
fn a_free_bar_is_struck_anywhere() {
    let bar = |at: &str, width: &str, method: &str| {
        let text = format!(
            "hamiltone = 1\n[run]\nduration = 0.1\nscheme = \"ec\"\n[body.bar]\nkind = \"bar\"\nlength = \"0.35 m\"\n\
             thickness = \"18 mm\"\nmethod = \"{method}\"\n[drive.blow]\nkind = \"strike\"\nat = \"{at}\"\n\
             velocity = \"1 m/s\"\nwidth = \"{width}\"\n[pickup.end]\nat = \"bar@1\"\n"
        );
        let plan =
            Scene::new(&text, "x", Path::new(""), &[]).plan().unwrap_or_else(|wrong| panic!("{wrong}"));
        plan.system.initial.velocity.iter().fold(0.0_f64, |most, v| most.max(v.abs()))
    };
    for at in ["bar@0", "bar@0.3", "bar@1"] {
        for width in ["1 mm", "4 cm", "10 cm"] {
            assert!(bar(at, width, "modal") > 0.0, "{at} {width}");
        }
        assert!(bar(at, "4 cm", "finite-difference") > 0.0, "{at}");
    }
}

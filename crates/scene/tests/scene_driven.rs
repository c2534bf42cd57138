//! Drives on elements: what is said of a mistake, and where a moved obstacle stands at the start.

use hamiltone_scene::Scene;
use std::path::Path;

const SCENE: &str = r#"
hamiltone = 1
[run]
scheme = "moreau-jean"
duration = "10 ms"
[body.ball]
kind = "mass"
mass = "1 g"
[contact.felt]
between = ["ball", "ground"]
law = "damper"
[contact.wall]
between = ["ball", "ground"]
law = "power"
stiffness = 1e9
exponent = 1
gap = "1 mm"
[drive.press]
control = "felt"
kind = "envelope"
points = [["0 s", "1 N s/m"]]
[drive.shift]
motion = "wall"
kind = "constant"
value = "1 mm"
[pickup.left]
at = "ball"
"#;

fn complaints(changes: &[(&str, &str)]) -> String {
    let mut text = SCENE.to_string();
    for (from, to) in changes {
        assert!(text.contains(from), "the scene has no {from}");
        text = text.replacen(from, to, 1);
    }
    match Scene::new(&text, "x.toml", Path::new(""), &[]).plan() {
        Ok(_) => String::new(),
        Err(diagnostics) => diagnostics.to_string(),
    }
}

#[test]
fn a_drive_on_an_unknown_contact_says_nothing_of_its_units() {
    assert_eq!(complaints(&[]), "");
    let said = complaints(&[("control = \"felt\"", "control = \"palm\"")]);
    assert!(said.contains("drive `press`: there is no contact `palm`; contacts: `felt`, `wall`"), "{said}");
    assert!(!said.contains("is measured in"), "{said}");
    let said = complaints(&[("control = \"felt\"", "control = \"felt\"\nat = \"ball\"")]);
    assert!(said.contains("`at` and `control` exclude one another") && !said.contains("measured"), "{said}");
}

#[test]
fn a_second_control_of_a_contact_is_refused_where_it_stands() {
    let second = "control = \"felt\"\nkind = \"constant\"\nvalue = 1\n[drive.more]\ncontrol = \"felt\"";
    let said = complaints(&[("control = \"felt\"", second)]);
    assert!(said.contains("drive `more`: `felt` is controlled by drive `press` already; keep one"), "{said}");
    assert!(said.starts_with("x.toml:23:11:"), "{said}");
}

/// x₀ = c·q₀ − gap − h(0): a penetration of 1 mm in the wall of 1e9 N/m accelerates 1 g to 1000 m/s.
#[test]
fn the_initial_penetration_includes_the_motion_of_the_obstacle() {
    let gap = "gap = \"1 mm\"";
    // The drive takes the obstacle away by what the gap lacks.
    assert_eq!(complaints(&[(gap, "gap = \"-1 mm\"")]), "");
    let said = complaints(&[("value = \"1 mm\"", "value = \"-2 mm\"")]);
    assert!(said.contains("contact `wall`: the initial penetration of 0.001 m"), "{said}");
}

/// r(t) ≥ 0 at every step of the run, be it the last; what comes after the end does not count.
#[test]
fn a_control_that_its_law_does_not_allow_is_refused() {
    let points = "points = [[\"0 s\", \"1 N s/m\"]]";
    let said = complaints(&[(points, "points = [[\"9.99 ms\", \"0 N s/m\"], [\"10 ms\", \"-2 N s/m\"]]")]);
    assert!(said.starts_with("x.toml:19:11: drive `press`: its value, the resistance, is -2 N s/m at t = 0.01 s; it must be ≥ 0 N s/m"), "{said}");
    assert_eq!(said.lines().count(), 1, "{said}");
    let later = "points = [[\"11 ms\", \"0 N s/m\"], [\"12 ms\", \"-2 N s/m\"]]";
    assert_eq!(complaints(&[(points, later)]), "");
    let harmonics =
        [("kind = \"envelope\"", "kind = \"harmonics\""), (points, "fundamental = 300\namplitudes = [1]")];
    assert!(complaints(&harmonics).contains("it must be ≥ 0"), "{}", complaints(&harmonics));
    // A moving obstacle may go below 0.
    assert_eq!(complaints(&[("value = \"1 mm\"", "value = \"-0.5 mm\"")]), "");
}

/// All messages together are as long as there are mistakes, not as there are mistakes times contacts.
#[test]
fn a_message_does_not_grow_with_the_scene() {
    let length = |contacts: usize| {
        let mut text = SCENE.to_string();
        for i in 1000..1000 + contacts {
            text += &format!("[contact.c{i}]\nbetween = [\"ball\", \"grund\"]\nlaw = \"damper\"\n");
            text += &format!("[drive.d{i}]\nmotion = \"zzzzzz\"\nkind = \"constant\"\nvalue = 1\n");
        }
        let said = Scene::new(&text, "x.toml", Path::new(""), &[]).plan().err().unwrap();
        assert_eq!(said.problems.len(), 2 * contacts);
        said.problems.iter().map(|problem| problem.message.len() + problem.help.len()).sum::<usize>()
    };
    assert_eq!(length(400), 4 * length(100));
}

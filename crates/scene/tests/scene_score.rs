//! `[[score]]`: which inputs gestures become, and what is said of every mistake at its entry.

use hamiltone_core::{input::Action, row::Row};
use hamiltone_scene::{Plan, Scene};
use std::path::Path;

const SCENE: &str = r#"
hamiltone = 2
[run]
duration = "0.5 s"
[body.string]
kind = "string"
length = "0.5 m"
linear_density = "1 g/m"
tension = "80 N"
[body.hammer]
kind = "oscillator"
mass = "5 g"
stiffness = "32 N/m"
[contact.felt]
between = ["hammer", "string@0.25"]
law = "power"
stiffness = 1e9
exponent = 2.5
gap = "5 mm"
[contact.palm]
between = ["string@0.9", "ground"]
law = "damper"
resistance = "0.25 N s/m"
[pickup.left]
at = "string@0.8"
"#;

fn plan(score: &str) -> Result<Plan, String> {
    Scene::new(&format!("{SCENE}{score}"), "x.toml", Path::new(""), &[]).plan().map_err(|e| e.to_string())
}

fn entry(keys: &[&str]) -> String {
    format!("[[score]]\n{}\n", keys.join("\n"))
}

/// What is said of one entry; nothing where it is taken without a warning.
fn said(keys: &[&str]) -> String {
    match plan(&entry(keys)) {
        Ok(plan) => plan.warnings.iter().filter(|warning| warning.contains("score")).cloned().collect(),
        Err(problems) => problems,
    }
}

/// Names, units, actions and values of the inputs, whatever the order in the file.
#[test]
fn gestures_with_the_same_target_share_an_input() {
    let entries = [
        entry(&["time = 0.3", "gesture = \"release\"", "at = \"hammer\"", "ramp = 0.1"]),
        entry(&["time = 0.1", "gesture = \"press\"", "at = \"hammer\"", "force = \"3 N\""]),
        entry(&["time = 0.2", "gesture = \"strike\"", "at = \" hammer\"", "speed = 2", "duration = 0.01"]),
        entry(&["time = 0.1", "gesture = \"damp\"", "control = \"palm\"", "resistance = 2"]),
        entry(&["time = 0.2", "gesture = \"undamp\"", "control = \"palm\""]),
        entry(&[
            "time = 0.1",
            "gesture = \"move\"",
            "motion = \"felt\"",
            "curve = [[0, 0], [0.1, \"1 mm\"]]",
        ]),
        entry(&["time = 0.1", "gesture = \"pluck\"", "at = \"string@0.25\"", "height = \"1 mm\""]),
        entry(&[
            "time = 0.1",
            "gesture = \"pluck\"",
            "at = \"string@0.25\"",
            "force = 1",
            "width = \"15 mm\"",
        ]),
    ];
    for entries in [entries.concat(), entries.iter().rev().cloned().collect()] {
        let plan = plan(&entries).unwrap();
        assert_eq!((plan.drives.len(), plan.system.inputs.len(), plan.gestures.len()), (5, 5, 8));
        let drive = |name: &str| {
            let number = plan.drives.iter().position(|drive| drive.name == name).unwrap();
            assert_eq!(plan.system.inputs[number].name, plan.drives[number].name);
            (&plan.drives[number], &plan.system.inputs[number].action)
        };
        let (hammer, Action::Force(row)) = drive("score: hammer") else { panic!() };
        assert_eq!((&*hammer.unit, row.coordinate().is_some()), ("N", true));
        // In the middle of a blow its force is 2 m v/T.
        let expected = [0.0, 3.0, 3.0 + 2.0 * 5e-3 * 2.0 / 0.01, 3.0, 1.5, 0.0];
        for (t, f) in [0.1, 0.11, 0.205, 0.3, 0.35, 0.4].into_iter().zip(expected) {
            assert!((hammer.signal.value(t) - f).abs() < 1e-13, "{t}: {}", hammer.signal.value(t));
        }
        let (palm, Action::Control(_)) = drive("score: palm") else { panic!() };
        assert_eq!(
            (&*palm.unit, [0.0, 0.11, 0.3].map(|t| palm.signal.value(t))),
            ("N s/m", [0.25, 2.0, 0.25])
        );
        let (felt, Action::Motion(_)) = drive("score: felt") else { panic!() };
        assert_eq!((&*felt.unit, felt.signal.value(0.05), felt.signal.value(0.3)), ("m", 0.0, 1e-3));
        // F = h/(x(L − x)/(LT)), up to the modes that are left out.
        let (pluck, Action::Force(point)) = drive("score: string@0.25") else { panic!() };
        let force = 1e-3 * 80.0 / (0.25 * 0.75 * 0.5);
        assert!((pluck.signal.value(0.1) / force - 1.0).abs() < 0.02, "{}", pluck.signal.value(0.1));
        assert_eq!([0.0, 0.08, 0.1005, 0.2].map(|t| pluck.signal.value(t)), [0.0; 4]);
        let (wide, Action::Force(spread)) = drive("score: string@0.25 (15 mm)") else { panic!() };
        assert_eq!(wide.signal.value(0.1), 1.0);
        // A spread force excites high modes less.
        let weights = |row: &Row| row.entries().map(|(_, weight)| weight.abs()).collect::<Vec<_>>();
        let (spread, point) = (weights(spread), weights(point));
        let less = spread.iter().zip(&point).filter(|(spread, point)| **spread < 0.9 * **point).count();
        assert!(spread.len() == point.len() && (1..point.len()).contains(&less), "{less} of {}", point.len());
    }
}

#[test]
fn mistakes_are_told_at_their_entry() {
    for (keys, expected) in [
        (
            &["time = 0.01", "gesture = \"pluck\"", "at = \"string@0.2\"", "force = 1"][..],
            "x.toml:27:8: score entry 1: `time` is 0.01 s, but the pull begins 0.02 s earlier, before the run does; write time = \"0.02 s\" or more",
        ),
        (
            &["gesture = \"pluck\"", "at = \"string@0.2\"", "force = 1"],
            "x.toml:26:1: score entry 1: `time` is missing; add time = ",
        ),
        (
            &["time = 1", "at = \"string@0.2\""],
            "score entry 1: `gesture` is missing; add gesture = \"pluck\"",
        ),
        (
            &["time = 0.1", "gesture = \"plukc\"", "at = \"string@0.2\"", "force = 1"],
            "there is no gesture `plukc`; did you mean `pluck`?",
        ),
        (&["time = 0.1", "gesture = \"scrape\"", "tim = 1"], "there is no gesture `scrape`"),
        (
            &["time = 0.1", "gesture = \"pluck\"", "at = \"string@0.2\""],
            "needs how far it is pulled: give one of force (N), height (m)",
        ),
        (&["time = 0.1", "gesture = \"pluck\"", "force = 1"], "`at` is missing; add at = \"BODY\""),
        (
            &["time = 0.1", "gesture = \"pluck\"", "control = \"palm\"", "at = \"string@0.2\"", "force = 1"],
            "there is no key `control`",
        ),
        (
            &["time = 0.1", "gesture = \"pluck\"", "at = \"strin@0.2\"", "force = 1"],
            "there is no body `strin`; did you mean `string`?",
        ),
        (
            &["time = 0.1", "gesture = \"pluck\"", "at = \"string@0\"", "force = 1"],
            "`string@0` is a fixed point: a force moves nothing there",
        ),
        (&["time = 0.1", "gesture = \"pluck\"", "at = \"string\"", "force = 1"], "`string` is no place: "),
        (
            &["time = 0.1", "gesture = \"pluck\"", "at = \"ground\"", "force = 1"],
            "the ground cannot be driven",
        ),
        (
            &["time = 0.1", "gesture = \"pluck\"", "at = \"string@0.01\"", "force = 1", "width = \"2 cm\""],
            "`width` is 0.02 m, but around the place there is room for 0.01 m at most",
        ),
        (
            &["time = 0.1", "gesture = \"pluck\"", "at = \"hammer\"", "force = 1", "width = \"2 cm\""],
            "`width` has no effect on a body at one point",
        ),
        (&["time = 0.1", "gesture = \"pluck\"", "at = \"string@0.2\"", "force = \"1 mm\""], "measured in N"),
        (
            &["time = 0.1", "gesture = \"strike\"", "at = \"string@0.2\"", "speed = 1"],
            "`at` must be a body at one point, which is thrown; add a hammer",
        ),
        (&["time = 0.1", "gesture = \"strike\"", "at = \"hammer\"", "speed = \"1 m\""], "measured in m/s"),
        (
            &["time = 0.1", "gesture = \"press\"", "at = \"hammer\"", "force = 1", "curve = [[0, 1]]"],
            "`curve` and `force` both state how strongly it presses; give one of them",
        ),
        (
            &["time = 0.1", "gesture = \"press\"", "at = \"hammer\"", "curve = [[0, 1], [0, 2]]"],
            "the first of each pair must increase",
        ),
        (&["time = 0.1", "gesture = \"press\"", "at = \"hammer\"", "curve = [[-1, 1]]"], "must be ≥ 0"),
        (&["time = 0.1", "gesture = \"damp\"", "control = \"palm\"", "resistance = -1"], "must be ≥ 0"),
        (
            &["time = 0.1", "gesture = \"damp\"", "control = \"felt\"", "resistance = 1"],
            "the law `power` of contact `felt` has no control value",
        ),
        (
            &["time = 0.1", "gesture = \"damp\"", "control = \"pal\"", "resistance = \"1 N\""],
            "there is no contact `pal`",
        ),
        (
            &["time = 0.1", "gesture = \"bow\"", "control = \"palm\"", "force = 1"],
            "it sets the force of a bow: contact `palm` has none; use `damp` or `undamp`",
        ),
        (
            &["time = 0.1", "gesture = \"draw\"", "rate = \"palm\"", "speed = 1"],
            "the law `damper` of contact `palm` knows no speed or pressure; draw a contact with the law of a bow",
        ),
        (&["time = 0.1", "gesture = \"move\"", "motion = \"felt\"", "position = \"1 N\""], "measured in m"),
        (
            &["time = 0.5", "gesture = \"press\"", "at = \"hammer\"", "force = 1"],
            "it comes at 0.5 s, after the end of the run at 0.5 s; write a longer run.duration",
        ),
        (
            &["time = 0.1", "gesture = \"strike\"", "at = \"hammer\"", "speed = 1", "duration = 1e-5"],
            "it changes within 1e-5 s, less than 4 steps at 176400 Hz: its strength is off",
        ),
        (
            &["time = 0.1", "gesture = \"strike\"", "at = \"hammer\"", "speed = 20"],
            "it moves by 0.01 m until it has its speed, but reaches contact `felt` after 0.005 m",
        ),
    ] {
        let told = said(keys);
        assert!(told.contains(expected), "{keys:?}: {told}");
    }
    // Away from the string it may go as far as it likes.
    assert_eq!(said(&["time = 0.1", "gesture = \"strike\"", "at = \"hammer\"", "speed = -20"]), "");
}

/// Every entry is read, whatever is wrong with another; lists that are none are told, too.
#[test]
fn all_mistakes_are_told_at_once() {
    let wrong = entry(&["time = -1", "gesture = \"pluck\"", "at = \"string@2\"", "hight = 1"]);
    let problems =
        plan(&(wrong.clone() + &entry(&["time = 0.1", "gesture = \"release\"", "at = \"x\""]) + &wrong))
            .err()
            .unwrap();
    for (number, count) in [(1, 3), (2, 1), (3, 3)] {
        let own = problems.lines().filter(|line| line.contains(&format!("score entry {number}: "))).count();
        assert_eq!(own, count, "{problems}");
    }
    assert_eq!(problems.lines().count(), 7, "{problems}");
    let text = SCENE.replacen("[run]", "score = 3\n[run]", 1);
    let told = |text: &str| Scene::new(text, "x.toml", Path::new(""), &[]).plan().err().unwrap().to_string();
    assert!(told(&text).contains("`score` must be a list of sections; write [[score]] above each entry"));
    let text = SCENE.replacen("[run]", "score = [3]\n[run]", 1);
    assert!(told(&text).contains("score entry 1 must be a section"), "{}", told(&text));
}

/// A damper has one control, be it a drive or the score; an obstacle may be moved by both.
#[test]
fn a_drive_and_a_score_do_not_share_a_control() {
    let drive = "[drive.hand]\ncontrol = \"palm\"\nkind = \"constant\"\nvalue = 1\n";
    let damp = entry(&["time = 0.1", "gesture = \"damp\"", "control = \"palm\"", "resistance = 1"]);
    let told = plan(&(drive.to_string() + &damp)).err().unwrap();
    assert!(told.contains("score entry 1: `palm` is controlled by drive `hand` already; keep one"), "{told}");
    let drive = "[drive.hand]\nmotion = \"felt\"\nkind = \"constant\"\nvalue = \"1 mm\"\n";
    let lift = entry(&["time = 0.1", "gesture = \"move\"", "motion = \"felt\"", "position = \"1 mm\""]);
    assert!(plan(&(drive.to_string() + &lift)).is_ok());
}

/// A free hammer has no static compliance, and neither has air a height.
#[test]
fn a_height_needs_a_body_that_is_held() {
    let pluck = entry(&["time = 0.1", "gesture = \"pluck\"", "at = \"hammer\"", "height = \"1 mm\""]);
    let force = |text: String| {
        let plan = Scene::new(&text, "x.toml", Path::new(""), &[]).plan().map_err(|e| e.to_string())?;
        Ok::<f64, String>(plan.drives[0].signal.value(0.1))
    };
    assert_eq!(force(format!("{SCENE}{pluck}")), Ok(0.032));
    let free =
        SCENE.replace("kind = \"oscillator\"", "kind = \"mass\"").replace("stiffness = \"32 N/m\"", "");
    let told = force(format!("{free}{pluck}")).unwrap_err();
    assert!(
        told.contains("`height` has no meaning: neither its ends nor springs to the ground hold the body"),
        "{told}"
    );
    assert!(told.contains("give `force` in place of `height`"), "{told}");
}

/// What is read twice is found once: a long score takes time in proportion to its length.
#[test]
fn a_long_score_is_read() {
    let entries = |n: usize| {
        let of = |i| {
            let (time, at) = (0.1 + 0.3 * i as f64 / n as f64, 1 + i % 9);
            let (time, at) = (format!("time = {time}"), format!("at = \"string@0.{at}\""));
            entry(&[&time, "gesture = \"pluck\"", &at, "height = \"1 mm\""])
        };
        (0..n).map(of).collect::<String>()
    };
    let plan = plan(&entries(4000)).unwrap();
    assert_eq!((plan.drives.len(), plan.gestures.len()), (9, 4000));
}

//! What a plan warns of: each kind of silent mistake, with the fix, and no scene that is right.

use hamiltone_scene::{Scene, document::set::Set};
use std::path::{Path, PathBuf};

fn warnings_with(text: &str, sets: &[&str]) -> Vec<String> {
    let sets: Vec<Set> = sets.iter().map(|set| Set::parse(set).unwrap()).collect();
    Scene::new(text, "x", Path::new(""), &sets)
        .plan()
        .unwrap_or_else(|wrong| panic!("{wrong}\n{text}"))
        .warnings
}

/// One warning with this part, and no other.
fn warns(text: &str, sets: &[&str], part: &str) {
    let warnings = warnings_with(text, sets);
    assert!(warnings.len() == 1 && warnings[0].contains(part), "{sets:?}: {warnings:#?}\nlacks {part}");
}

fn is_quiet(text: &str, sets: &[&str]) {
    assert_eq!(warnings_with(text, sets), Vec::<String>::new(), "{sets:?}");
}

const BAR: &str = r#"
hamiltone = 1
run.duration = "0.1 s"
body.mallet = { kind = "mass", mass = "25 g", velocity = "1.5 m/s" }
contact.strike = { between = ["mallet", "bar@0.5"], law = "power", stiffness = "2e7 N/m^1.5", exponent = 1.5 }
pickup.near = { at = "bar@0.4", quantity = "velocity" }
[body.bar]
kind = "bar"
length = "0.35 m"
thickness = "18 mm"
density = "900 kg/m^3"
youngs_modulus = "16 GPa"
"#;

const STRING: &str = r#"
hamiltone = 1
run.duration = "0.1 s"
drive.finger = { kind = "pluck", at = "string@0.3", height = "3 mm" }
pickup.left = { at = "string@0.4", quantity = "velocity" }
[body.string]
kind = "string"
length = "0.65 m"
linear_density = "6 g/m"
frequency = "100 Hz"
"#;

/// A shift and a tilt without springs are found on grids and by modes; what holds a body ends the warning.
#[test]
fn a_bar_that_nothing_holds_is_named_with_its_suspension() {
    let free = "body `bar`: nothing holds it: once it is struck it drifts away; add suspension = {}";
    let grid = ["body.bar.method=finite-difference"];
    for sets in [&[][..], &grid] {
        warns(BAR, sets, free);
        is_quiet(BAR, &[sets, &["body.bar.suspension={}"]].concat());
        is_quiet(BAR, &[sets, &["body.bar.left=clamped"]].concat());
        // Hinged at one end it turns; one link leaves the tilt, two leave nothing.
        warns(BAR, &[sets, &["body.bar.left=hinged"]].concat(), free);
        let link = |name: &str, x: &str| {
            format!("link.{name}={{between=[\"bar@{x}\",\"ground\"],stiffness=\"5 kN/m\"}}")
        };
        let (left, right) = (link("left", "0.224"), link("right", "0.776"));
        warns(BAR, &[sets, &[left.as_str()]].concat(), free);
        is_quiet(BAR, &[sets, &[left.as_str(), right.as_str()]].concat());
    }
    let thick = BAR.replace("kind = \"bar\"", "kind = \"timoshenko-bar\"");
    warns(&thick, &[], free);
    is_quiet(&thick, &["body.bar.suspension={}"]);
    // Nothing sets it in motion.
    is_quiet(&BAR.replace("\"bar@0.5\"]", "\"ground\"]"), &[]);
}

#[test]
fn a_link_to_a_fixed_place_is_refused_or_named() {
    let link = |other: &str| format!("link.a={{between=[\"string@0\",\"{other}\"],stiffness=\"1 kN/m\"}}");
    warns(
        STRING,
        &[&link("string@0.5")],
        "`string@0` is fixed and does not move: it acts here as the ground; name a place",
    );
    let set: Set = Set::parse(&link("ground")).unwrap();
    let refused = Scene::new(STRING, "x", Path::new(""), &[set]).plan().err().unwrap().to_string();
    assert!(
        refused.contains("both places in `between` are fixed: nothing can move there; name two"),
        "{refused}"
    );
}

/// 200 modes of 0.65 m are on 216 intervals: 20 mm have 6 points and 10 mm have 3.
#[test]
fn an_obstacle_between_few_points_is_named_with_the_intervals_that_it_needs() {
    let bridge = |to: &str| {
        let law = "law=\"power\",exponent=1,stiffness=\"1e7 N/m^2\"";
        format!(
            "contact.bridge={{between=[\"ground\",\"string\"],{law},parabola={{from=0,to=\"{to}\",rise=\"-1 mm\",height=\"-1 mm\"}}}}"
        )
    };
    is_quiet(STRING, &[&bridge("20 mm"), "body.string.modes=200"]);
    // Where the points are left open there are enough.
    is_quiet(STRING, &[&bridge("10 mm"), "body.string.modes=200"]);
    let few = "`parabola` is 0.01 m long and is met at 3 points of `string` only: its shape is not followed; write intervals = 39";
    warns(STRING, &[&bridge("10 mm"), "body.string.modes=200", "body.string.intervals=216"], few);
    // It says what is enough: 6·4096/63 looked-at places of 10 mm.
    is_quiet(STRING, &[&bridge("10 mm"), "body.string.intervals=391"]);
}

#[test]
fn modes_that_end_below_what_is_heard_are_named_with_their_number() {
    is_quiet(STRING, &["body.string.modes=200"]);
    let set = ["body.string.modes=50"];
    warns(
        STRING,
        &set,
        "its 50 modes end at 5000 Hz, but it is set in motion up to 19845 Hz: the sound is cut off there; write modes = 200",
    );
    // The scene may say that it is meant.
    is_quiet(STRING, &[set[0], "run.bandwidth=\"5 kHz\""]);
    warns(STRING, &[set[0], "run.bandwidth=\"8 kHz\""], "set in motion up to 8000 Hz");
    // A soft mallet does not reach so far: a contact of π√(m/k) = 7 ms is heard up to 3/τ = 427 Hz.
    let drum = BAR.replace("kind = \"bar\"\nlength = \"0.35 m\"\nthickness = \"18 mm\"\ndensity = \"900 kg/m^3\"\nyoungs_modulus = \"16 GPa\"",
        "kind = \"membrane\"\nradius = \"16 cm\"\nthickness = \"0.25 mm\"\nfrequency = \"120 Hz\"")
        .replace("bar@0.5", "bar@0.6").replace("bar@0.4", "bar@0.2")
        .replace("stiffness = \"2e7 N/m^1.5\", exponent = 1.5", "stiffness = \"5 kN/m\", exponent = 1");
    is_quiet(&drum, &[]);
    let hard = "contact.strike.stiffness=\"5e6 N/m\"";
    warns(&drum, &[hard, "body.bar.modes=300"], "its 300 modes end at 1");
    // What is left out by default is a choice, not a mistake.
    is_quiet(&drum, &[hard]);
}

#[test]
fn numbers_without_their_unit_are_named_with_it() {
    for (set, part) in [
        (
            "body.string.linear_density=6",
            "`linear_density` is 6 kg/m, where instruments have 1e-5 to 1 kg/m; is that g/m? then write linear_density = \"6 g/m\"",
        ),
        ("drive.finger.height=3", "`height` is 3 m, where instruments have at most 1 m; is that mm?"),
        (
            "body.string.linear_density=\"1e3 kg/m\"",
            "`linear_density` is 1000 kg/m, where instruments have 1e-5 to 1 kg/m; check its value",
        ),
    ] {
        let warnings = warnings_with(STRING, &[set]);
        assert!(warnings.iter().any(|warning| warning.contains(part)), "{set}: {warnings:#?}\nlacks {part}");
    }
    warns(
        BAR,
        &["body.bar.suspension={}", "body.mallet.mass=25"],
        "`mass` is 25 kg, where instruments have 1e-6 to 10 kg; is that g?",
    );
    warns(BAR, &["body.bar.suspension={}", "body.mallet.velocity=150"], "`velocity` is 150 m/s");
    let wire =
        ["linear_density", "frequency"].iter().fold(STRING.to_string(), |text, name| text.replace(name, "#"));
    let wire = wire + "radius = \"0.5 mm\"\ntension = 1e12\nyoungs_modulus = 200\n";
    // They explain why a scene is refused.
    let set = Set::parse("body.string.modes=20").unwrap();
    let refused = Scene::new(&wire, "x", Path::new(""), &[set]).plan().err().unwrap().to_string();
    assert!(refused.contains("`tension` is 1e12 N") && refused.contains("does not run here"), "{refused}");
    assert!(refused.contains("then write youngs_modulus = \"200 GPa\""), "{refused}");
    // A slope of a half: the equations hold for small ones.
    warns(STRING, &["drive.finger.height=\"0.2 m\""], "it is displaced by 0.2 m on a length of 0.65 m");
}

#[test]
fn numbers_per_unit_area_are_not_judged() {
    let reed = "hamiltone = 1\npickup.a.at = \"reed\"\n[body.reed]\nkind = \"oscillator\"\n\
                mass_per_area = 1\nfrequency = 1e6\nposition = 2\n[run]\nduration = 0.1\nscheme = \"ec\"\n";
    is_quiet(reed, &[]);
    warns(&reed.replace("mass_per_area", "mass").replace("1e6", "1000"), &[], "`position` is 2 m");
}

/// Every shipped scene, and the warnings that its plan is right to give: these have fewer modes on purpose.
#[test]
fn no_shipped_scene_warns_without_need() {
    let expected =
        [("guitar_obstacle.toml", "its 100 modes end at"), ("palm_mute.toml", "its 49 modes end at")];
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scenes");
    let paths = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let scenes: Vec<PathBuf> = paths.filter(|path| path.extension().is_some_and(|e| e == "toml")).collect();
    assert!(scenes.len() > 30);
    for path in scenes {
        let warnings = Scene::read(&path, &[]).unwrap().warnings;
        let own = expected.iter().filter(|(name, _)| path.ends_with(name)).map(|(_, part)| part);
        let own: Vec<_> = own.collect();
        let all =
            warnings.len() == own.len() && warnings.iter().zip(&own).all(|(w, part)| w.contains(**part));
        assert!(all, "{}: {warnings:#?}", path.display());
    }
}

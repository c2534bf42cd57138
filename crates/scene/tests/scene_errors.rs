//! Every mistake that a scene can hold is found, placed and explained.
//!
//! Each case changes one thing in a scene that is right and tells what must be said.

use hamiltone_scene::{Scene, Set};
use std::path::Path;

/// (name, what to replace in the reed's scene, by what, the whole message or its telling parts).
type Case = (&'static str, &'static [(&'static str, &'static str)], &'static [&'static str]);

const CASES: &[Case] = &[
    (
        "a wrong key",
        &[("damping =", "dampling =")],
        &["x.toml:20:1: body `reed`: there is no key `dampling`; did you mean `damping`?"],
    ),
    (
        "a wrong unit",
        &[("\"2500 Hz\"", "\"2500 mm\"")],
        &[
            "x.toml:19:22: body `reed`: `undamped_frequency` is measured in Hz, not in mm; write \"2500 Hz\", or 2500 without quotes",
        ],
    ),
    (
        "an angular frequency for a frequency",
        &[("\"2500 Hz\"", "\"15707.963267949 rad/s\"")],
        &["`undamped_frequency` is measured in Hz, not in rad/s", "(divided by 2π): write \"2500 Hz\""],
    ),
    (
        "no unit in quotes",
        &[("\"2500 Hz\"", "\"2500\"")],
        &["`undamped_frequency` has no unit; write \"2500 Hz\""],
    ),
    (
        "no such unit",
        &[("\"2500 Hz\"", "\"2500 Herz\"")],
        &["`undamped_frequency` cannot be read: `Herz` is no unit"],
    ),
    (
        "a force on a body per unit area",
        &[("1e12 Pa/m^1.5", "1e12 N/m^1.5")],
        &["`stiffness` is measured in Pa/m^1.5, not in N/m^1.5", "the body is per unit area"],
    ),
    (
        "a unit of another exponent",
        &[("1e12 Pa/m^1.5", "1e12 Pa/m^2")],
        &["measured in Pa/m^1.5, not in Pa/m^2"],
    ),
    (
        "a missing body",
        &[("between = [\"reed\"", "between = [\"read\""), ("at = \"reed\"\nkind", "at = \"lip\"\nkind")],
        &[
            "x.toml:23:12: contact `lay`: there is no body `read`; did you mean `reed`?",
            "drive `mouth`: there is no body `lip`; bodies: `reed`, `ground`",
        ],
    ),
    (
        "a negative mass",
        &[("0.05 kg/m^2", "-0.05 kg/m^2")],
        &[
            "x.toml:18:17: body `reed`: `mass_per_area` is -0.05 kg/m^2, but must be > 0 kg/m^2; write for example",
        ],
    ),
    (
        "not a number, and infinity",
        &[("exponent = 1.5", "exponent = nan"), ("gap = \"0.24 mm\"", "gap = inf")],
        &["`gap` is inf m, but must be a finite number", "`exponent` is nan, but must be a finite number"],
    ),
    ("a number beyond all numbers", &[("exponent = 1.5", "exponent = 1e999")], &["must be a finite number"]),
    (
        "two contacts of one name",
        &[("[drive.mouth]", "[contact.lay]\nlaw = \"hertz\"\n\n[drive.mouth]")],
        &[
            "x.toml:29:10: `contact.lay` is given twice; it is on line 22 already: remove one, or give it another name",
        ],
    ),
    (
        "a key given twice",
        &[("exponent = 1.5", "exponent = 1.5\nexponent = 2")],
        &["x.toml:28:1: `exponent` is given twice; it is on line 27 already"],
    ),
    (
        "an unknown scheme",
        &[("scheme = \"ec\"", "scheme = \"leapfrg\"")],
        &[
            "x.toml:12:10: run: there is no scheme `leapfrg`; did you mean `leapfrog`? (see `hamiltone list schemes`)",
        ],
    ),
    (
        "an unreadable WAV",
        &[("kind = \"harmonics\"", "kind = \"wav\"\nfile = \"nowhere.wav\"")],
        &["x.toml:32:8: drive `mouth`: `file` cannot be read as WAV: nowhere.wav"],
    ),
    (
        "a folder for a WAV",
        &[("kind = \"harmonics\"", "kind = \"wav\"\nfile = \".\"")],
        &["it is not a plain file"],
    ),
    (
        "a WAV that is none",
        &[("kind = \"harmonics\"", "kind = \"wav\"\nfile = \"Cargo.toml\"")],
        &["`file` cannot be read as WAV: Cargo.toml"],
    ),
    ("no duration", &[("\"6.85 s\"", "0")], &["`duration` is 0 s, but must be > 0 s"]),
    (
        "less than a sample",
        &[("\"6.85 s\"", "\"10 µs\"")],
        &["less than one sample at 44100 Hz; write at least"],
    ),
    (
        "a duration of years",
        &[("\"6.85 s\"", "1e9")],
        &["run: 1e9 s are steps: 4.41e13, but at most 1e11 are allowed; write at most"],
    ),
    ("a duration in hours", &[("\"6.85 s\"", "\"10 h\"")], &["`h` is no unit"]),
    (
        "a scheme beyond its limit",
        &[("scheme = \"ec\"", "scheme = \"leapfrog\""), ("\"2500 Hz\"", "\"25 kHz\"")],
        &[
            "run: scheme `leapfrog` does not run here: ω_max·Δt = 3.561896433 is beyond its limit 2",
            "write oversampling = 2, or use `ec`",
        ],
    ),
    (
        "a scheme that does not cover the scene",
        &[("scheme = \"ec\"", "scheme = \"cubic-explicit\"")],
        &[
            "x.toml:12:10: run: scheme `cubic-explicit` does not cover the contact `lay`",
            "use `modal-ec`, `ec`, `mr`, `tr` or one of",
        ],
    ),
    (
        "a scheme that does not cover the scene, behind another mistake",
        &[
            ("scheme = \"ec\"", "scheme = \"vv\"\nduraton = 3"),
            ("exponent = 1.5", "exponent = 1.5\nloss = 3"),
        ],
        &["there is no key `duraton`", "scheme `vv` does not cover the loss of contact `lay`"],
    ),
    (
        "an option of a scheme that leaves out what its default covers",
        &[
            ("scheme = \"ec\"", "scheme = \"sprk-4\"\noptions.damping = \"printed\""),
            ("law = \"power\"", "law = \"felt\"\nrelaxation = \"100 us\""),
        ],
        &[
            "scheme `sprk-4` does not cover the relaxation of contact `lay`",
            "leave out the options of `sprk-4`, or use `modal-ec`, `ec`",
        ],
    ),
    (
        "a step beyond the limit, behind another mistake",
        &[
            ("scheme = \"ec\"", "scheme = \"leapfrog\""),
            ("\"2500 Hz\"", "\"25 kHz\""),
            ("\"6.85 s\"", "\"6.85 m\""),
            ("quantity = \"displacement\"", "quantity = \"colour\""),
        ],
        &["is beyond its limit 2", "`duration` is measured in s", "`quantity` is not `colour`"],
    ),
    (
        "an option of another scheme",
        &[("[body.reed]", "[run.options]\ns = 1\n[body.reed]")],
        &["the options of scheme `ec`: there is no key `s`"],
    ),
    (
        "a strange name",
        &[("[body.reed]", "[body.\"r@1\"]")],
        &["body `r@1`: it contains characters that are not allowed; use letters"],
    ),
    (
        "a name that is taken",
        &[("[body.reed]", "[body.ground]")],
        &["body `ground`: `ground` is reserved for the reference at rest"],
    ),
    (
        "sections without parts",
        &[("[pickup.left]\nat = \"reed\"\nquantity = \"displacement\"", "[pickup]")],
        &["the scene has no pickup; add an output, a section such as [pickup.left]"],
    ),
    (
        "bodies without names",
        &[("[body.reed]", "[[body]]")],
        &["`body` must be sections with names; write [body.NAME]"],
    ),
    (
        "a kind that is no text",
        &[("kind = \"oscillator\"", "kind = 3")],
        &["body `reed`: `kind` takes text in quotes, not a number"],
    ),
    (
        "a list with something else",
        &[("amplitudes = [2000, 40", "amplitudes = [2000, true")],
        &["x.toml:33:21: drive `mouth`: `amplitudes` takes a number, not true or false"],
    ),
    (
        "a missing parameter",
        &[("fundamental = \"145.98540145985402 Hz\"", "")],
        &["drive `mouth`: `fundamental` is missing; add fundamental = \"1 Hz\""],
    ),
    (
        "a place on a point",
        &[("between = [\"reed\"", "between = [\"reed@0.2\"")],
        &["`reed@0.2` is no place: this body is a point"],
    ),
    (
        "a joint that joins nothing",
        &[("[\"reed\", \"ground\"]", "[\"reed\", \"reed\"]")],
        &["both places in `between` are the same"],
    ),
    (
        "a joint of three",
        &[("[\"reed\", \"ground\"]", "[\"reed\", \"ground\", \"x\"]")],
        &["`between` takes two places"],
    ),
    (
        "the ground driven",
        &[("at = \"reed\"\nkind", "at = \"ground\"\nkind")],
        &["the ground cannot be driven"],
    ),
    (
        "forces and pressures in one scene",
        &[("[contact.lay]", "[body.hammer]\nkind = \"mass\"\nmass = 1\n[contact.lay]")],
        &[
            "`reed` is per unit area (Pa, J/m²), but `hammer` is not (N, J); their forces and energies cannot be added",
        ],
    ),
    (
        "the force of no contact",
        &[("quantity = \"displacement\"", "quantity = \"force\"")],
        &[
            "pickup `left`: `reed` has no output `force`; it has `displacement`, `velocity`; contacts, whose force can be read: `lay`",
        ],
    ),
    (
        "the force of nothing",
        &[("at = \"reed\"\nquantity = \"displacement\"", "at = \"lai\"\nquantity = \"force\"")],
        &["pickup `left`: there is no contact or body `lai`; did you mean `lay`?"],
    ),
    (
        "the displacement of a contact",
        &[("at = \"reed\"\nquantity", "at = \"lay\"\nquantity")],
        &[
            "pickup `left`: `lay` is a contact and has no displacement: its force can be read; add quantity = \"force\"",
        ],
    ),
    (
        "a pickup of the ground",
        &[("at = \"reed\"\nquantity", "at = \"ground\"\nquantity")],
        &["pickup `left`: the ground is at rest and has no output"],
    ),
    (
        "a level that is none",
        &[("[pickup.left]", "[output]\nlevel = \"peak 3 dBFS\"\n[pickup.left]")],
        &[
            "`level` is not \"peak 3 dBFS\"; write \"reference\", \"reference -6 dB\", \"peak -1 dBFS\" (at most 0), \"gain 80 dB\" or \"raw\"",
        ],
    ),
    (
        "half a step",
        &[("sample_rate = \"44.1 kHz\"", "sample_rate = 44100.5\noversampling = 1.5")],
        &[
            "`sample_rate` is 44100.5 Hz, but must be a whole number; write 44101",
            "`oversampling` is 1.5, but must be a whole number; write 2",
        ],
    ),
    (
        "a start inside the lay",
        &[("damping = \"2800 1/s\"", "damping = \"2800 1/s\"\nposition = \"5 mm\"")],
        &[
            "contact `lay`: the initial penetration of 0.00476 m stores energy that accelerates the bodies to 5001",
        ],
    ),
    (
        "no TOML",
        &[("gap = \"0.24 mm\"", "gap = 0.24 mm")],
        &["x.toml:25:7: this is not TOML", "such as \"0.24 mm\""],
    ),
    (
        "no scene at all",
        &[("hamiltone = 1\n", "\u{1}\n@\n@\n@\n@\n@\n@\n@\n@\n@\n@\n@\n@\n@\n")],
        &["more places are not TOML"],
    ),
    (
        "a name that would reach the terminal",
        &[("[body.reed]", "[body.\"r\\u001b[31m\"]")],
        &["body `r\\u{1b}[31m`: it contains characters that are not allowed"],
    ),
    (
        "a later format",
        &[("hamiltone = 1", "hamiltone = 4")],
        &["x.toml:1:13: this is not a scene of format 1, 2 or 3"],
    ),
    (
        "a wrong section",
        &[("[pickup.left]", "[pickups.left]")],
        &["there is no key `pickups`; did you mean `pickup`?"],
    ),
    (
        "many mistakes at once, behind a kind that is nearly right",
        &[
            ("kind = \"oscillator\"", "kind = \"oscilator\""),
            ("0.05 kg/m^2", "0.05 kg"),
            ("phase = \"sine\"", "phase = \"sin\""),
            ("exponent = 1.5", "exponent = 0.5"),
        ],
        &[
            "did you mean `oscillator`?",
            "`mass_per_area` is measured in kg/m^2, not in kg",
            "`exponent` is 0.5, but must be ≥ 1",
            "`phase` is not `sin`; did you mean `sine`?",
        ],
    ),
];

fn reed() -> String {
    std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scenes/clarinet_reed.toml"))
        .unwrap()
}

fn complaints(text: &str, sets: &[&str]) -> String {
    let sets: Vec<Set> = sets.iter().map(|set| Set::parse(set).unwrap()).collect();
    match Scene::new(text, "x.toml", Path::new(""), &sets).plan() {
        Ok(_) => String::new(),
        Err(diagnostics) => diagnostics.to_string(),
    }
}

#[test]
fn every_mistake_is_explained() {
    let right = reed();
    assert_eq!(complaints(&right, &[]), "");
    for (name, changes, says) in CASES {
        let mut text = right.clone();
        for (from, to) in *changes {
            assert!(text.contains(from), "{name}: the scene has no {from}");
            text = text.replacen(from, to, 1);
        }
        let said = complaints(&text, &[]);
        for part in *says {
            assert!(said.contains(part), "{name}:\n  said  {said}\n  lacks {part}");
        }
        assert!(said.lines().all(|line| line.starts_with("x.toml:")), "{name}: {said}");
    }
}

#[test]
fn a_mistake_on_the_command_line_points_there() {
    let text = reed();
    let said =
        complaints(&text, &["contact.lay.gap=0.3 Hz", "body.reed.dampling=3", "nothing.here=1", "run=2"]);
    for part in [
        "--set contact.lay.gap=0.3 Hz: contact `lay`: `gap` is measured in m, not in Hz",
        "--set body.reed.dampling=3: body `reed`: there is no key `dampling`; did you mean `damping`?",
        "--set nothing.here=1: the scene: there is no key `nothing`",
        "--set run=2: `run` is a table, not a value",
    ] {
        assert!(said.contains(part), "said {said}\nlacks {part}");
    }
    // A mistake in the file keeps its own line, though the change above it made the text longer.
    let said = complaints(&text.replace("phase = \"sine\"", "phase = 3"), &["body.reed.position=\"1 µm\""]);
    assert!(said.starts_with("x.toml:34:9: drive `mouth`: `phase`"), "{said}");
}

#[test]
fn a_change_is_in_the_plan_and_in_its_hash() {
    let plan = |sets: &[&str]| {
        let sets: Vec<Set> = sets.iter().map(|set| Set::parse(set).unwrap()).collect();
        Scene::new(&reed(), "x.toml", Path::new(""), &sets).plan().ok().unwrap()
    };
    let (plain, changed) = (plan(&[]), plan(&["contact.lay.gap=\"0.3 mm\"", "run.oversampling=4"]));
    assert_eq!(plain.system.elements[0].gap, 2.4e-4);
    assert_eq!((changed.system.elements[0].gap, changed.oversampling), (3e-4, 4));
    assert_ne!(plain.scene_sha256, changed.scene_sha256);
    assert_eq!((plain.frames, &*plain.drives[0].unit, plain.energy_unit()), (302_085, "Pa", "J/m^2"));
}

#[test]
fn a_start_that_is_merely_surprising_is_a_warning() {
    let text = reed().replace("damping = \"2800 1/s\"", "damping = \"2800 1/s\"\nposition = \"0.4 mm\"");
    let plan = Scene::new(&text, "x.toml", Path::new(""), &[]).plan().map_err(|e| e.to_string());
    let warnings = plan.map(|plan| plan.warnings).unwrap_or_default();
    assert!(warnings.is_empty(), "0.4 mm hold less than a thousand times the spring's energy: {warnings:?}");
    let text = reed()
        .replace("damping = \"2800 1/s\"", "damping = \"2800 1/s\"\nvelocity = \"1 µm/s\"")
        .replace("gap = \"0.24 mm\"", "gap = \"-1 µm\"");
    let plan =
        Scene::new(&text, "x.toml", Path::new(""), &[]).plan().map_err(|e| e.to_string()).map(|p| p.warnings);
    assert!(
        plan.clone().unwrap()[0].contains("contact `lay`: the initial penetration of 1e-6 m"),
        "{plan:?}"
    );
}

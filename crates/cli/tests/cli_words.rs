//! `list`, `describe`, `check`, `schema` and the help are complete.

use hamiltone_scene::{
    catalogue::Category,
    resolve::{frames, instrument_frames},
    schema::{instrument_schema, schema},
};
use serde_json::Value;
use std::{path::Path, process::Command};

fn hamiltone(arguments: &[&str]) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_hamiltone")).args(arguments).output().unwrap();
    assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

fn scenes() -> Vec<(String, String)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scenes");
    let paths = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let scenes = paths.filter(|path| path.extension().is_some_and(|extension| extension == "toml"));
    scenes.map(|path| (path.display().to_string(), std::fs::read_to_string(path).unwrap())).collect()
}

#[test]
fn everything_is_listed_and_described() {
    let all = hamiltone(&["list"]);
    for category in Category::ALL {
        let own = hamiltone(&["list", category.name()]);
        for kind in category.kinds() {
            assert!(all.contains(kind.summary) && own.contains(kind.summary));
            let page = hamiltone(&["describe", kind.name]);
            let wide = page.lines().find(|line| line.chars().count() > 100);
            assert_eq!(wide, None);
            let words = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
            let says = |text: &str| words(&page).contains(&words(text));
            assert!(says(kind.equation.lines().next().unwrap()), "{page}");
            for parameter in kind.parameters {
                assert!(says(parameter.name) && says(parameter.doc), "{page}");
            }
            for rule in kind.rules {
                assert!(says(&rule.sentence(kind.parameters)), "{page}");
            }
        }
    }
    for frame in frames().into_iter().chain(instrument_frames()) {
        let page = hamiltone(&["describe", frame.name]);
        let one_line = page.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(one_line.contains(frame.summary), "{page}");
        let keys = frame.keys.iter().map(|key| (key.name, key.doc));
        for (name, doc) in keys.chain(frame.parameters.iter().map(|p| (p.name, p.doc))) {
            assert!(one_line.contains(name) && one_line.contains(doc), "{name}: {page}");
        }
    }
    assert!(instrument_frames().iter().all(|frame| all.contains(frame.name)));
    let place = hamiltone(&["describe", "place"]);
    assert!(
        place.contains("\"membrane@0.5,30 deg\"") && place.lines().all(|line| line.chars().count() <= 100),
        "{place}"
    );
    let leapfrog = hamiltone(&["describe", "leapfrog"]);
    assert!(leapfrog.contains("for ωΔt ≤ 2") && leapfrog.contains("balance_bound"), "{leapfrog}");
    assert!(!hamiltone(&["describe", "ec"]).contains("balance_bound"));
    let power = hamiltone(&["describe", "power"]);
    assert!(
        power.contains("source: Chatziioannou 2019 (44), (55); Chatziioannou & van Walstijn 2015 (23);"),
        "{power}"
    );
}

#[test]
fn check_prints_size_stability_and_cost() {
    let reed =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scenes/clarinet_reed.toml").display().to_string();
    let page = hamiltone(&["check", &reed, "--scheme", "leapfrog", "--set", "run.oversampling=2"]);
    for part in [
        "1 degree of freedom, 1 contact, 1 drive, 1 pickup",
        "6.85 s: 604170 steps of `leapfrog` at 88200 Hz (2 per sample)",
        // 5000π/88200
        "ω_max·Δt = 0.178094822, limit 2: a factor 11.22 below it",
        // 2 asin(ωΔt/2): as the leapfrog sounds it.
        "2503.3",
        // 302085 frames of 3 bytes, and of 8 bytes until the run has ended; a filter.
        "sound        906 kB as a file, 2.42 MB as a temporary file beside it",
        "µs per step",
        "times real time",
    ] {
        assert!(page.contains(part), "{page}\nlacks {part}");
    }
    // A sound beyond 4 GB is RF64: 36000 s of 3 bytes a sample.
    let page = hamiltone(&["check", &reed, "--duration", "36000 s"]);
    assert!(page.contains("4.76 GB as a file, 12.7 GB as a temporary file beside it"), "{page}");
}

#[test]
fn the_help_has_examples_and_exit_codes() {
    let help = hamiltone(&["--help"]);
    assert!(help.contains("hamiltone render scenes/clarinet_reed.toml") && help.contains("Exit codes:"));
}

#[test]
fn the_notices_name_what_is_linked_in_with_the_texts_of_its_licences() {
    let notices = hamiltone(&["licenses"]);
    let packages = ["libm ", "miette ", "clap ", "toml ", "the Rust standard library "];
    assert!(packages.iter().all(|name| notices.lines().any(|line| line.starts_with(name))));
    assert!(notices.contains("Permission is hereby granted") && notices.contains("Apache License"));
}

#[test]
fn the_schema_accepts_every_scene_and_refuses_mistakes() {
    let schema = schema();
    let (mut schemas, mut compiler) = (boon::Schemas::new(), boon::Compiler::new());
    compiler.add_resource("scene.json", schema.clone()).unwrap();
    let index = compiler.compile("scene.json", &mut schemas).unwrap();
    let accepts = |value: &Value| schemas.validate(value, index).is_ok();
    let value = |text: &str| serde_json::to_value(toml::from_str::<toml::Table>(text).unwrap()).unwrap();
    for (path, text) in scenes() {
        assert!(accepts(&value(&text)), "{path} is refused");
        for (from, to) in [
            ("duration", "durration"),
            ("kind = \"", "kind = \"x"),
            ("\nbetween = [", "\nbetween = [3, "),
            ("\nexponent = ", "\nexponent = -"),
            ("quantity = \"displacement\"", "quantity = 3"),
            ("[body.mass]", "[body.\"a mass\"]"),
            ("scheme = \"ec\"", "scheme = \"ec\"\noptions = { s = 1 }"),
            ("\nintervals = ", "\nintervals = 0.5 # "),
            // Rules: two of a group, none of a group, one without what it needs, what has no effect.
            ("\ntension = ", "\nfrequency = 3\ntension = "),
            ("\ntension = ", "\n# "),
            ("\nlinear_density = ", "\ndensity = 1000\nlinear_density = "),
            ("\nlinear_density = ", "\n# "),
            ("\nintervals = ", "\naccuracy = 1\nintervals = "),
            ("\nlinear_density = ", "\nyoungs_modulus = 2e11\nlinear_density = "),
            ("kind = \"string\"\nmethod = \"modal\"", "kind = \"string\"\nmethod = \"finite-difference\""),
            ("\nradius_left = ", "\n# "),
            ("\nprofile = ", "\nfrets = [[0, 0]]\nprofile = "),
            ("\nloss = { d1", "\nloss = { t60 = [[100, 1]], d1"),
        ] {
            let wrong = text.replacen(from, to, 1);
            assert!(wrong == text || !accepts(&value(&wrong)), "{path} with {to} is accepted");
        }
    }
    assert_eq!(hamiltone(&["schema"]).trim_end(), format!("{schema:#}"));
    assert_eq!(hamiltone(&["schema", "instrument"]).trim_end(), format!("{:#}", instrument_schema()));
}

/// Places, pickups and links have one kind each: what `describe` tells of them.
#[test]
fn list_tells_how_pickups_links_and_places_are_written() {
    for (category, section) in
        [("pickups", "pickup"), ("links", "link"), ("outputs", "output"), ("places", "place")]
    {
        assert_eq!(hamiltone(&["list", category]), hamiltone(&["describe", section]));
    }
    let bar = hamiltone(&["describe", "bar"]);
    // What is usual stands beside what is accepted, and only where that is more.
    assert!(
        bar.contains("suspension.at") && bar.contains("m ≥ 0.001 and ≤ 1000, usually 1e-6 to 20"),
        "{bar}"
    );
    assert!(!bar.contains("kg/m^3 ≥ 200 and ≤ 25000, usually"), "{bar}");
}

/// A grid so fine that rounding hides its lowest frequencies says so once, and an initial condition is counted.
#[test]
fn check_counts_initial_conditions_and_hidden_frequencies() {
    let scene =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scenes/plucked_string.toml").display().to_string();
    let page = hamiltone(&["check", &scene]);
    assert!(page.contains("0 drives, 1 initial condition, 1 pickup"), "{page}");
    let fine = ["--scheme", "ec", "--set", "body.string.intervals=20000", "--set", "body.string.stiffness=1"];
    let page = hamiltone(&[&["check", &scene, "--duration", "1 ms", "--budget", "60"][..], &fine].concat());
    assert!(
        page.contains("no limit of Δt; ω_max")
            && page.matches("not resolved beside the highest").count() == 1,
        "{page}"
    );
    let reed = scene.replace("plucked_string", "clarinet_reed");
    let midpoint = hamiltone(&["check", &reed, "--scheme", "mr"]);
    assert!(midpoint.contains("with contacts the energy is bounded for short steps only"), "{midpoint}");
}

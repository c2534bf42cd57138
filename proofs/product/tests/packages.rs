//! Every crate can be published, and the library alone has few dependencies.

use std::{collections::BTreeSet, fs, path::PathBuf, process::Command};
use toml::{Table, Value};

/// The most crates that `hamiltone` without features may consist of, itself included.
const LIBRARY: usize = 12;
/// The most crates that `hamiltone-play` without features may consist of, itself included.
const ENGINE: usize = 9;
/// The same with instruments that are read from bytes.
const STORED: usize = 14;

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The folder and the manifest of every crate that is published.
fn packages() -> Vec<(PathBuf, Table)> {
    let folders = fs::read_dir(root().join("crates")).expect("crates").flatten().map(|entry| entry.path());
    let manifest = |folder: PathBuf| {
        let text = fs::read_to_string(folder.join("Cargo.toml")).expect("a manifest");
        let manifest = text.parse().expect("TOML");
        (folder, manifest)
    };
    folders.map(manifest).collect()
}

#[test]
fn every_crate_has_what_a_registry_shows() {
    for (folder, manifest) in packages() {
        let name = folder.display();
        let package = &manifest["package"];
        let list = |key: &str| package.get(key).and_then(Value::as_array).map_or(0, Vec::len);
        assert!(package.get("description").is_some_and(Value::is_str), "{name} has no description");
        // A registry takes at most five of each.
        assert!((1..=5).contains(&list("keywords")), "{name}: {} keywords", list("keywords"));
        assert!((1..=5).contains(&list("categories")), "{name}: {} categories", list("categories"));
        let all = package.get("metadata").map(|metadata| &metadata["docs"]["rs"]["all-features"]);
        assert_eq!(
            all,
            Some(&Value::Boolean(true)),
            "{name}: its documentation shows the default features only"
        );
        let readme = package.get("readme").and_then(Value::as_str).expect("a readme");
        assert!(folder.join(readme).is_file(), "{name} has no {readme}");
    }
}

/// What the library's features add is said where it is introduced.
#[test]
fn every_feature_of_the_library_is_described() {
    let manifest = fs::read_to_string(root().join("crates/hamiltone/Cargo.toml")).expect("a manifest");
    let manifest: Table = manifest.parse().expect("TOML");
    let features: Vec<&String> = manifest["features"].as_table().expect("features").keys().collect();
    assert!(features.len() >= 4, "{features:?}");
    for page in ["README.md", "crates/hamiltone/README.md"] {
        let text = fs::read_to_string(root().join(page)).expect("a page");
        let missing: Vec<_> = features.iter().filter(|name| !text.contains(&format!("`{name}`"))).collect();
        assert!(missing.is_empty(), "{page} does not have the features {missing:?}");
    }
}

/// A package holds the files of its own folder only.
#[test]
fn every_crate_has_its_licences() {
    for (folder, _) in packages() {
        for licence in ["LICENSE-MIT", "LICENSE-APACHE"] {
            let text = |folder: &PathBuf| fs::read_to_string(folder.join(licence)).ok();
            assert_eq!(text(&folder), text(&root()), "{} differs in {licence}", folder.display());
        }
    }
}

/// The names of the crates that a crate with these features is linked of, itself included and without those that only the compiler runs.
fn linked(package: &str, features: &str) -> BTreeSet<String> {
    let arguments = [
        "tree",
        "--offline",
        "-p",
        package,
        "--features",
        features,
        "-e",
        "normal,no-proc-macro",
        "--prefix",
        "none",
    ];
    let output = Command::new(env!("CARGO")).args(arguments).current_dir(root()).output().expect("cargo");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8(output.stdout).expect("UTF-8");
    text.lines().filter_map(|line| line.split(' ').next()).map(String::from).collect()
}

#[test]
fn the_library_alone_has_few_dependencies() {
    let crates = linked("hamiltone", "");
    assert!(crates.contains("hamiltone-schemes"), "{crates:?}");
    assert!(crates.len() <= LIBRARY, "{} crates: {crates:?}", crates.len());
}

/// An audio program that has a plan links no reader of texts and no writer of files.
#[test]
fn the_engine_alone_has_few_dependencies() {
    for (features, most) in [("", ENGINE), ("stored", STORED)] {
        let crates = linked("hamiltone-play", features);
        assert!(crates.contains("hamiltone-plan") && !crates.contains("toml"), "{crates:?}");
        assert!(crates.len() <= most, "{} crates: {crates:?}", crates.len());
    }
}

//! The packages of Cargo.lock, as `cargo metadata` tells of them; it needs no network once they are fetched.

use serde_json::Value;
use std::{
    collections::BTreeSet,
    env,
    path::{Path, PathBuf},
    process::Command,
};

/// A package of the workspace or one that it depends on.
pub struct Package {
    pub name: String,
    pub version: String,
    /// The licence expression; empty where there is none.
    pub license: String,
    pub repository: String,
    pub authors: Vec<String>,
    /// Where it comes from; `None` in the workspace.
    pub source: Option<String>,
    /// The folder of its sources.
    pub folder: PathBuf,
    /// Whether it is linked into the program or the module of Python on some platform: reached through normal dependencies, and no macro.
    pub linked: bool,
}

pub fn workspace() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().expect("a workspace")
}

/// All packages, in the order of their names and versions.
pub fn packages() -> Vec<Package> {
    let cargo = env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let output = Command::new(cargo)
        .args(["metadata", "--format-version", "1", "--locked"])
        .current_dir(workspace())
        .output()
        .expect("cargo");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let metadata: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let linked = linked(&metadata);
    let text = |value: &Value| value.as_str().unwrap_or_default().to_string();
    let mut packages: Vec<Package> = metadata["packages"]
        .as_array()
        .expect("packages")
        .iter()
        .map(|package| Package {
            name: text(&package["name"]),
            version: text(&package["version"]),
            license: text(&package["license"]),
            repository: text(&package["repository"]),
            authors: package["authors"].as_array().into_iter().flatten().map(text).collect(),
            source: package["source"].as_str().map(String::from),
            folder: Path::new(&text(&package["manifest_path"])).parent().expect("a folder").into(),
            linked: linked.contains(&text(&package["id"])) && !is_macro(package),
        })
        .collect();
    packages.sort_by(|a, b| (&a.name, &a.version).cmp(&(&b.name, &b.version)));
    packages
}

/// Macros run in the compiler.
fn is_macro(package: &Value) -> bool {
    let targets = package["targets"].as_array().into_iter().flatten();
    targets
        .flat_map(|target| target["kind"].as_array().into_iter().flatten())
        .any(|kind| kind == "proc-macro")
}

/// What is handed on as a binary: the program, and the module of Python.
const BINARIES: [&str; 4] = ["hamiltone-cli", "hamiltone-python", "hamiltone-live", "hamiltone-plugin"];

/// The packages that they reach through normal dependencies, those of macros aside.
fn linked(metadata: &Value) -> BTreeSet<String> {
    let list = |value: &Value| value.as_array().cloned().unwrap_or_default();
    let (nodes, packages) = (list(&metadata["resolve"]["nodes"]), list(&metadata["packages"]));
    let is_binary = |package: &&Value| BINARIES.iter().any(|name| package["name"] == *name);
    let binaries = packages.iter().filter(is_binary).map(|package| package["id"].clone());
    let (mut reached, mut next): (_, Vec<Value>) = (BTreeSet::new(), binaries.collect());
    assert_eq!(next.len(), BINARIES.len(), "the packages of the binaries");
    while let Some(id) = next.pop() {
        let package = packages.iter().find(|package| package["id"] == id).expect("a package");
        if is_macro(package) || !reached.insert(id.as_str().expect("an id").to_string()) {
            continue;
        }
        let node = nodes.iter().find(|node| node["id"] == id).expect("a node");
        for dependency in list(&node["deps"]) {
            if list(&dependency["dep_kinds"]).iter().any(|kind| kind["kind"].is_null()) {
                next.push(dependency["pkg"].clone());
            }
        }
    }
    reached
}

//! What is written has the same bits on every system: no code that a file depends on calls a function of `f64` that the C
//! library or the compiler rounds in its own way. The lint `disallowed_methods` refuses them (`clippy.toml`); here it is
//! checked that it knows all of them, in every way of calling them, and that no code is exempt but tests.

use std::{
    collections::BTreeSet,
    env, fs, io,
    path::{Path, PathBuf},
    process::{Command, Output},
};

/// The methods whose rounding is not specified, with their arguments after x: `y` is of the type of x, `n` an i32.
/// Those of the standard library that are not stable (`gamma`, `erf`) cannot be called.
const FUNCTIONS: [(&str, &str); 27] = [
    ("sin", ""),
    ("cos", ""),
    ("tan", ""),
    ("asin", ""),
    ("acos", ""),
    ("atan", ""),
    ("atan2", "y"),
    ("sin_cos", ""),
    ("sinh", ""),
    ("cosh", ""),
    ("tanh", ""),
    ("asinh", ""),
    ("acosh", ""),
    ("atanh", ""),
    ("exp", ""),
    ("exp2", ""),
    ("exp_m1", ""),
    ("ln", ""),
    ("ln_1p", ""),
    ("log", "y"),
    ("log2", ""),
    ("log10", ""),
    ("powf", "y"),
    ("powi", "n"),
    ("cbrt", ""),
    ("hypot", "y"),
    ("mul_add", "y, y"),
];

/// Code that the lint allows beside tests.
const EXEMPT: [&str; 1] = ["crates/bodies/src/modal/sines.rs"];

fn workspace() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().expect("a workspace")
}

/// What clippy says of some code under the workspace's configuration; an error where clippy is not installed.
fn clippy(name: &str, code: &str) -> io::Result<Output> {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    fs::create_dir_all(&folder)?;
    let file = folder.join("lib.rs");
    fs::write(&file, code)?;
    let driver =
        env::var_os("CARGO").map_or_else(Default::default, PathBuf::from).with_file_name("clippy-driver");
    Command::new(driver)
        .args(["--crate-type", "lib", "--edition", "2024", "--emit", "metadata", "--out-dir"])
        .arg(&folder)
        .arg(file)
        .env("CLIPPY_CONF_DIR", workspace())
        .output()
}

/// The functions that some code is refused for, as `f64::sin`.
fn refused(name: &str, code: &str) -> Option<BTreeSet<String>> {
    let Ok(output) = clippy(name, code) else {
        eprintln!("left out: clippy is not installed");
        return None;
    };
    let text = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{text}");
    let mark = "use of a disallowed method `";
    Some(text.split(mark).skip(1).filter_map(|rest| rest.split('`').next()).map(str::to_string).collect())
}

#[test]
fn the_lint_refuses_every_function_that_systems_round_in_their_own_way() {
    let (mut methods, mut paths, mut all) = (String::new(), String::new(), BTreeSet::new());
    for real in ["f64", "f32"] {
        for (function, arguments) in FUNCTIONS {
            let call = format!("pub fn {real}_{function}(x: {real}, y: {real}, n: i32)");
            methods += &format!("{call} {{ let _ = (x.{function}({arguments}), y, n); }}\n");
            paths += &format!("{call} {{ let _ = ({real}::{function}, x, y, n); }}\n");
            all.insert(format!("{real}::{function}"));
        }
    }
    for (name, code) in [("methods", methods), ("paths", paths)] {
        let Some(refused) = refused(name, &code) else { return };
        assert_eq!(refused, all, "{name}");
    }
}

#[test]
fn the_lint_allows_what_is_rounded_once() {
    let code = "pub fn f(x: f64) -> f64 { x.sqrt() + x.abs().floor() + x.to_radians() + x.round() }";
    assert!(refused("allowed", code).is_none_or(|refused| refused.is_empty()));
}

/// The Rust sources below a folder.
fn sources(folder: &Path) -> Vec<PathBuf> {
    let paths = fs::read_dir(folder).expect("a folder of sources").flatten().map(|entry| entry.path());
    paths
        .flat_map(|path| match path.is_dir() {
            true => sources(&path),
            false => Vec::from_iter(path.extension().is_some_and(|end| end == "rs").then_some(path)),
        })
        .collect()
}

#[test]
fn no_code_but_tests_is_exempt_from_the_lint() {
    let workspace = workspace();
    let crates = fs::read_dir(workspace.join("crates")).expect("crates").flatten();
    let sources: Vec<PathBuf> = crates.flat_map(|entry| sources(&entry.path().join("src"))).collect();
    assert!(sources.len() > 200, "{}", sources.len());
    let exempt = sources.iter().filter(|path| {
        let text = fs::read_to_string(path).expect("text");
        let own = |line: &&str| line.contains("disallowed_methods") && !line.starts_with("#![cfg_attr(test,");
        text.lines().any(|line| own(&line))
    });
    let exempt: BTreeSet<PathBuf> = exempt.cloned().collect();
    assert_eq!(exempt, EXEMPT.map(|path| workspace.join(path)).into());
}

//! Fits are carried out by the Python package; where it is not, that is said. With the package: `python/tests/test_fit.py`.

use std::process::Command;

#[test]
fn a_missing_package_is_an_error_that_says_what_to_do() {
    let run = |python: &str, more: &[&str]| {
        let mut fit = Command::new(env!("CARGO_BIN_EXE_hamiltone"));
        fit.env("HAMILTONE_PYTHON", python).args(["fit", "scene.toml", "target.wav", "--free", "x=1:2"]);
        let output = fit.args(more).output().unwrap();
        (output.status.code(), String::from_utf8(output.stderr).unwrap())
    };
    let (code, err) = run("no-such-python", &[]);
    assert_eq!(code, Some(2), "{err}");
    assert!(err.contains("`no-such-python` cannot be started"), "{err}");
    // A program that is no interpreter with the package.
    let (code, err) = run("false", &[]);
    assert_eq!(code, Some(2), "{err}");
    assert!(err.contains("`false` does not have") && err.contains("pip install"), "{err}");
}

#[test]
fn options_that_a_fit_does_not_have_are_refused() {
    let mut fit = Command::new(env!("CARGO_BIN_EXE_hamiltone"));
    let output = fit.args(["--limit", "steps=1", "fit", "scene.toml", "target.wav"]).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8(output.stderr).unwrap().contains("takes neither --threads nor --limit"));
}

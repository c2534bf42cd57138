//! Fits are carried out by the Python package; where it is not, that is said. With the package: `python/tests/test_fit.py`.

use std::process::Command;

#[test]
fn a_missing_package_is_an_error_that_says_what_to_do() {
    let mut fit = Command::new(env!("CARGO_BIN_EXE_hamiltone"));
    fit.env("HAMILTONE_PYTHON", "no-such-python").args([
        "fit",
        "scene.toml",
        "target.wav",
        "--free",
        "x=1:2",
    ]);
    let output = fit.output().unwrap();
    let err = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2), "{err}");
    assert!(err.contains("`no-such-python` does not have") && err.contains("pip install"), "{err}");
}

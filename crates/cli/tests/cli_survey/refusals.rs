//! Invalid input: exit code 2, the fix, and no file written or destroyed.

use super::{ready, survey};
use crate::program::{names, scene};
use std::fs;

#[test]
fn invalid_input_is_refused_with_its_fix() {
    let folder = ready("refused");
    fs::copy(folder.join("forks.toml"), folder.join("survey.csv")).unwrap();
    let before = names(&folder);
    let cases: [(&[&str], &str); 9] = [
        (
            &["forks.toml", "--keys", "C4"],
            "--keys C4: the instrument has no such key; its keys go from A4 to A#4",
        ),
        (&["forks.toml", "--keys", "a4"], "write \"A4\""),
        (&["forks.toml", "--keys", "C5:C4"], "write the lower key first: C4:C5"),
        (&["forks.toml", "--velocities", "0"], "1..=127"),
        (&["forks.toml", "--repeat-after", "0"], "a number of seconds above 0 and at most 60 is needed"),
        (&["forks.toml", "--seconds", "1 ms"], "must be at least 0.1"),
        (
            &["forks.toml", "--set", "key.body.fork.mass=0"],
            "error: --set key.body.fork.mass=0: body `fork-69`: ",
        ),
        (&["none.toml"], "none.toml"),
        (&["survey.csv", "-o", "."], "the table and an input are the same file"),
    ];
    for (arguments, expected) in cases {
        let (code, out, err) = survey(&folder, arguments);
        assert_eq!((code, out.as_str()), (Some(2), ""), "{expected}: {err}");
        assert!(err.contains(expected), "{expected}: {err}");
        assert_eq!(names(&folder), before);
    }
    let (code, _, err) = survey(&folder, &[&scene("damped_oscillator.toml")]);
    assert!(code == Some(2) && err.contains("this is a scene"), "{err}");
}

#[test]
fn the_help_has_examples() {
    let folder = ready("help");
    let (code, out, _) = survey(&folder, &["--help"]);
    assert!(code == Some(0) && out.contains("hamiltone survey instruments/marimba.toml -o marimba"), "{out}");
}

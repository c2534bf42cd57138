//! `hamiltone check` of an instrument.

use super::{FORKS, ready};
use crate::program::hamiltone;
use std::fs;

#[test]
fn a_check_of_an_instrument_tells_what_it_is_and_costs() {
    let folder = ready("check");
    let (output, out, err) = hamiltone(&folder, &["check", "forks.toml", "--budget", "600"]);
    assert_eq!((output.status.code(), err.as_str()), (Some(0), ""), "{out}");
    for told in [
        "  keys         13 keys, C4 to C5\n",
        "  model        13 degrees of freedom of 13 bodies, 0 contacts, 13 pickups\n",
        "  parts        13 parts, which nothing connects, of `modal-ec` with 1 step a sample at 48000 Hz\n",
        "for strokes",
        "of 13 keys: ",
        "A4 = 440 Hz\n",
        "of a core on average",
        "all at once ",
        "to prepare",
    ] {
        assert!(out.contains(told), "no `{told}` in {out}");
    }
    assert!(!out.contains("left out"), "{out}");
    // A fork that is a semitone flat is told by its key.
    let flat = FORKS.replacen("{frequency} Hz", "{if(key == 66, 0.995, 1)*frequency} Hz", 1);
    fs::write(folder.join("flat.toml"), flat).unwrap();
    let (_, out, _) = hamiltone(&folder, &["check", "flat.toml", "--budget", "600"]);
    // 1200 log₂ 0.995.
    assert!(out.contains("−8.7 cents at most (F#4)"), "{out}");
}

/// All that is wrong is told at once, with exit code 2; a budget that is over before the instrument is read, with 1.
#[test]
fn a_check_of_an_instrument_tells_all_that_is_wrong() {
    let folder = ready("check-wrong");
    let wrong = FORKS.replacen("mass = \"2 g\"", "mass = \"-2 g\"", 1).replacen(
        "gesture = \"strike\"",
        "gesture = \"stroke\"",
        1,
    );
    fs::write(folder.join("x.toml"), wrong).unwrap();
    let (output, out, err) = hamiltone(&folder, &["check", "x.toml", "--budget", "600"]);
    assert_eq!((output.status.code(), out.as_str()), (Some(2), ""), "{err}");
    assert!(err.contains("`mass` is -2 g") && err.contains("stroke") && err.contains("2 problems"), "{err}");
    let (output, out, _) = hamiltone(&folder, &["check", "forks.toml", "--budget", "1e-9"]);
    assert!(output.status.code() == Some(1) && out.contains("left out: all"), "{out}");
    let (output, _, err) = hamiltone(&folder, &["check", "forks.toml", "--rate", "4000"]);
    assert!(output.status.code() == Some(2) && err.contains("--rate"), "{err}");
    let scene = crate::program::scene("damped_oscillator.toml");
    let (output, _, err) = hamiltone(&folder, &["check", &scene, "--rate", "48000"]);
    assert!(output.status.code() == Some(2) && err.contains("--rate is of instruments"), "{err}");
}

//! Curves of velocity and pedal: of the instrument, and of the command line in their place.

use super::{FORKS, play, ready};
use serde_json::{Value, json};
use std::fs;

#[test]
fn the_command_line_replaces_the_curve_of_the_instrument() {
    let folder = ready("curves");
    let own = |curve: &str| FORKS.replacen("[instrument]\n", &format!("[instrument]\n{curve}\n"), 1);
    fs::write(folder.join("soft.toml"), own("velocity_curve = [[0, 0], [0.5, 0.125], [1, 1]]")).unwrap();
    fs::write(folder.join("loud.toml"), own("velocity_curve = [[0, 0.5], [1, 1]]")).unwrap();
    let sound = |instrument: &str, curve: &[&str]| {
        let all = [&[instrument, "song.mid", "-q", "-o", "x.wav", "--audit", "x.json"], curve].concat();
        let (code, _, err) = play(&folder, &all);
        assert_eq!((code, err.as_str()), (Some(0), ""));
        let audit: Value = serde_json::from_slice(&fs::read(folder.join("x.json")).unwrap()).unwrap();
        (fs::read(folder.join("x.wav")).unwrap(), audit)
    };
    let option = ["--velocity-curve", "0 0, 0.5 0.125, 1 1"];
    let (plain, audit) = sound("forks.toml", &[]);
    assert_eq!(
        (&audit["velocity_curve"], &audit["pedal_curve"]),
        (&json!([[0.0, 0.0], [1.0, 1.0]]), &json!([[0.0, 0.0], [1.0, 1.0]]))
    );
    let (soft, audit) = sound("soft.toml", &[]);
    assert_eq!(audit["velocity_curve"], json!([[0.0, 0.0], [0.5, 0.125], [1.0, 1.0]]));
    assert!(soft != plain && sound("forks.toml", &option).0 == soft && sound("loud.toml", &option).0 == soft);
    assert!(sound("soft.toml", &["--velocity-curve", "0 0, 1 1"]).0 == plain);
    let (_, audit) = sound("soft.toml", &["--pedal-curve", "0.2 0, 0.8 1"]);
    assert_eq!(audit["pedal_curve"], json!([[0.2, 0.0], [0.8, 1.0]]));
    assert!(
        audit["options"]
            .as_array()
            .unwrap()
            .contains(&json!({ "name": "--pedal-curve", "value": "0.2 0, 0.8 1" }))
    );
}

#[test]
fn what_is_no_curve_is_refused_at_its_place() {
    let folder = ready("no-curves");
    for (curve, expected) in [
        (
            "velocity_curve = [[0, 0], [0.5, 1.2]]",
            "x.toml:4:33: instrument: `velocity_curve` is 1.2, but must be ≥ 0 and ≤ 1;",
        ),
        (
            "velocity_curve = [[0, 0], [1, 1], [0.5, 1]]",
            "x.toml:4:35: instrument: `velocity_curve` cannot be used: x = 0.5 is not above 1",
        ),
        (
            "pedal_curve = [[0, 0.5], [1, 0.25]]",
            "x.toml:4:26: instrument: `pedal_curve` cannot be used: y = 0.25 is below 0.5",
        ),
        (
            "pedal_curve = [[0, 0.5], [1, 1]]",
            "x.toml:4:16: instrument: `pedal_curve` cannot be used: a pedal that nobody presses",
        ),
        (
            "pedal_curve = \"half\"",
            "x.toml:4:15: instrument: `pedal_curve` takes a list in [ ], not text; write pedal_curve = [[0, 0]",
        ),
    ] {
        fs::write(
            folder.join("x.toml"),
            FORKS.replacen("[instrument]\n", &format!("[instrument]\n{curve}\n"), 1),
        )
        .unwrap();
        let (code, _, err) = play(&folder, &["x.toml", "song.mid"]);
        assert_eq!(code, Some(2), "{err}");
        assert!(
            err.starts_with(&format!("error: {expected}")) && err.lines().count() == 1,
            "{expected}: {err}"
        );
    }
    for (option, curve, expected) in [
        (
            "--velocity-curve",
            "0 0, 2 1",
            "point 2: 2 is outside 0 to 1; velocities and positions of a pedal are numbers from 0 to 1",
        ),
        (
            "--velocity-curve",
            "0 0 1 1",
            "point 1 is `0 0 1 1`, but must be two numbers; write for example \"0 0, 0.5 0.35, 1 1\"",
        ),
        // A minus at the beginning is that of a number, not of an option.
        ("--velocity-curve", "-0.1 0, 1 1", "point 1: -0.1 is outside 0 to 1"),
        (
            "--pedal-curve",
            "0 1, 1 1",
            "point 1: a pedal that nobody presses would be at 1; let the curve of a pedal begin with y = 0",
        ),
    ] {
        let (code, _, err) = play(&folder, &["forks.toml", "song.mid", option, curve]);
        assert_eq!(code, Some(2), "{err}");
        assert!(err.contains(expected) && err.contains(option), "{expected}: {err}");
    }
}

//! Limits: what exceeds them is refused where it stands in the scene, and can be allowed; a check ends with its budget.

use crate::program::{folder, hamiltone, names};
use std::fs;
#[cfg(target_os = "linux")]
use std::{
    io::Write,
    process::{Command, Stdio},
};

/// A string of 1000 intervals on an obstacle.
const SCENE: &str = r#"hamiltone = 1
[run]
scheme = "ec"
duration = "1 ms"
oversampling = 2
[body.string]
kind = "string"
length = 1
intervals = 1000
linear_density = 0.001
tension = 40
[contact.wall]
between = ["ground", "string"]
law = "power"
stiffness = 1e6
exponent = 1
gap = 0.0005
[contact.again]
between = ["ground", "string"]
law = "power"
stiffness = 1e6
exponent = 1
gap = 0.001
[drive.pluck]
at = "string@0.3"
kind = "pluck"
height = 0.001
[pickup.left]
at = "string@0.7"
"#;

#[test]
fn each_limit_is_an_error_at_its_place_and_can_be_raised() {
    let folder = folder("limits");
    fs::write(folder.join("x.toml"), SCENE).unwrap();
    for (limit, says) in [
        ("scene=300", "x.toml:1:1: the scene cannot be read: it has "),
        (
            "coordinates=998",
            "x.toml:6:1: body `string`: with it the scene has degrees of freedom: 999, but at most 998",
        ),
        (
            "contacts=998",
            "x.toml:13:11: contact `wall`: with it the scene has contacts: 999, but at most 998",
        ),
        (
            "contacts=1997",
            "x.toml:19:11: contact `again`: with it the scene has contacts: 1998, but at most 1997",
        ),
        ("oversampling=1", "x.toml:5:16: run: `oversampling` is 2, but at most 1 are allowed"),
        ("steps=87", "x.toml:4:12: run: 0.001 s are steps: 88, but at most 87 are allowed"),
        ("states=100kB", "the states would take "),
    ] {
        let arguments = ["render", "x.toml", "--states", "x.npz", "--limit", limit];
        let (output, _, err) = hamiltone(&folder, &arguments);
        assert_eq!(output.status.code(), Some(2), "{limit}: {err}");
        assert!(err.contains(says), "{limit}: {err}");
        assert_eq!(err.matches("--limit").count(), 1, "the limit is told once: {err}");
        assert_eq!(names(&folder), ["x.toml"], "{limit}");
        // What the messages advise is enough; the second contact needs a limit of its own.
        let mut arguments =
            ["render", "x.toml", "--states", "x.npz", "--limit", limit].map(String::from).to_vec();
        for _ in 0..2 {
            let (_, _, err) = hamiltone(&folder, &arguments.iter().map(String::as_str).collect::<Vec<_>>());
            let Some(advice) = err.split("--limit ").nth(1) else { break };
            arguments.extend(["--limit".into(), advice.split_whitespace().next().unwrap_or_default().into()]);
        }
        let (output, _, err) = hamiltone(&folder, &arguments.iter().map(String::as_str).collect::<Vec<_>>());
        assert_eq!(output.status.code(), Some(0), "{arguments:?}: {err}");
        fs::remove_file(folder.join("x.npz")).unwrap();
        fs::remove_file(folder.join("x.wav")).unwrap();
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_device_without_end_is_no_scene() {
    let folder = folder("endless");
    let (output, _, err) = hamiltone(&folder, &["check", "/dev/zero"]);
    assert_eq!(output.status.code(), Some(2), "{err}");
    let says = "/dev/zero:1:1: the scene cannot be read: it has more than 64 MB, which is the limit; give a file that ends, or \
                raise the limit: --limit scene=128MB\n";
    assert!(err.contains(says), "{err}");
}

/// A scene may come through a pipe.
#[cfg(target_os = "linux")]
#[test]
fn a_pipe_that_ends_is_a_scene() {
    let folder = folder("pipe");
    let mut command = Command::new(env!("CARGO_BIN_EXE_hamiltone"));
    let mut run = command
        .current_dir(&*folder)
        .args(["render", "/dev/stdin", "-o", "x.wav"])
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    run.stdin.take().unwrap().write_all(SCENE.as_bytes()).unwrap();
    assert_eq!(run.wait().unwrap().code(), Some(0));
    assert!(folder.join("x.wav").exists());
}

/// With a budget of a nanosecond nothing is found out, which is said and tells by its code; with a large one nothing is missing.
#[test]
fn a_check_names_what_its_budget_left_out() {
    let folder = folder("budget");
    fs::write(folder.join("x.toml"), SCENE).unwrap();
    let (output, out, err) = hamiltone(&folder, &["check", "x.toml", "--budget", "1e-9"]);
    assert_eq!(output.status.code(), Some(1), "{err}");
    assert!(
        out.contains("left out: all") && out.contains("the budget of 1e-9 s; --budget SECONDS gives more"),
        "{out}"
    );
    let (output, out, err) = hamiltone(&folder, &["check", "x.toml", "--budget", "600"]);
    assert_eq!(output.status.code(), Some(0), "{err}");
    assert!(
        !out.contains("left out")
            && out.contains(" s of processor time in all, ")
            && out.contains(" of it preparation"),
        "{out}"
    );
}

/// A bar with a rattle at each of a thousand points: a step may not end within the budget, and the check tells how slow it is.
#[test]
fn a_check_tells_of_steps_that_are_slow() {
    let folder = folder("slow");
    let scene = "hamiltone = 2\nrun.duration = \"10 ms\"\n[body.b]\nkind = \"timoshenko-bar\"\nlength = 0.33\nthickness = 0.0105\n\
        intervals = 1000\n[contact.c]\nlaw = \"rattle\"\nbetween = [\"ground\", \"b\"]\ngap = 0.0037\nstiffness = 2304\n\
        [drive.d]\nat = \"b@0.18\"\nkind = \"strike\"\nvelocity = 0.1384\nwidth = 0.056\n[pickup.p]\nat = \"b@0.17\"\n";
    fs::write(folder.join("x.toml"), scene).unwrap();
    let begin = std::time::Instant::now();
    let (output, out, err) = hamiltone(&folder, &["check", "x.toml", "--budget", "8"]);
    // The budget and the start of a program on a machine that does other things, too.
    assert!(begin.elapsed().as_secs_f64() < 30.0);
    assert_eq!(output.status.code(), Some(0), "{err}");
    assert!(out.contains("µs per step") && out.contains("; measured in "), "{out}");
    assert!(out.contains("warning: a render takes ") && out.contains("contacts (1001)"), "{out}");
    // By its modes alone it is fast.
    fs::write(folder.join("x.toml"), scene.replace("intervals = 1000\n", "")).unwrap();
    let (_, out, _) = hamiltone(&folder, &["check", "x.toml", "--budget", "60"]);
    assert!(!out.contains("warning: a render takes ") && out.contains("measured in all steps"), "{out}");
}

//! Comparisons: the table, the picture, orders, refusals.

use crate::program::{folder, hamiltone, names, scene};
use std::fs;

/// A mass that a cubic spring holds: smooth, damped and nonlinear.
const SMOOTH: &str = r#"
hamiltone = 2
run = { scheme = "ec", duration = "20 ms", sample_rate = "48 kHz", oversampling = 2 }
body.fork = { kind = "oscillator", mass = "2 g", frequency = "440 Hz", damping = "20 1/s", velocity = "1 m/s" }
contact.spring = { between = ["fork", "ground"], law = "power", stiffness = "1e8 N/m^3", exponent = 3, gap = 0 }
pickup.left.at = "fork"
"#;

#[test]
fn orders_on_a_smooth_system_are_those_that_are_claimed() {
    let here = folder("compare");
    fs::write(here.join("smooth.toml"), SMOOTH).unwrap();
    let arguments = ["compare", "smooth.toml", "--schemes", "ec,mr,tr,ck", "--plot", "e.svg", "-o", "t.csv"];
    let (output, out, err) = hamiltone(&here, &arguments);
    assert_eq!(output.status.code(), Some(0), "{err}");
    assert!(out.contains("reference  ec at 1536000 Hz"), "{out}");
    for scheme in ["ec", "mr", "tr", "ck"] {
        let line = out.lines().find(|line| line.starts_with(&format!("  order      {scheme} "))).unwrap();
        let measured: f64 = line.split_whitespace().nth(2).unwrap().parse().unwrap();
        // Beside the leading term there is one of the next even order, (ωΔt)² of it, and contact begins between two steps.
        assert!((measured - 2.0).abs() < 0.15, "{line}");
        assert!(line.ends_with("2 claimed for smooth motion"), "{line}");
    }
    assert!(out.contains(" *"), "some run is not beaten: {out}");
    let picture = fs::read_to_string(here.join("e.svg")).unwrap();
    assert!(picture.starts_with("<svg") && picture.contains(">mr<"));
    let table = fs::read_to_string(here.join("t.csv")).unwrap();
    assert_eq!(table.lines().count(), 13);
    assert!(table.starts_with("scheme,rate_hz,verdict,reason,cost,residual,"), "{table}");
}

/// A mass that reaches a rigid stop after arcsin(0.628)/628 s = 1.08 ms: the order that is claimed is that of the motion before.
const STOPPED: &str = r#"
hamiltone = 2
run = { scheme = "moreau-jean", duration = "20 ms", sample_rate = "48 kHz", oversampling = 4 }
body.fork = { kind = "oscillator", mass = "2 g", frequency = "100 Hz", velocity = "1 m/s" }
contact.stop = { between = ["fork", "ground"], law = "rigid", restitution = 0.5, gap = "1 mm" }
pickup.left.at = "fork"
"#;

#[test]
fn the_order_is_that_before_the_first_impact() {
    let here = folder("impact");
    fs::write(here.join("stop.toml"), STOPPED).unwrap();
    let order = |window: &str| {
        let arguments =
            ["compare", "stop.toml", "--schemes", "moreau-jean", "--window", window, "-o", "t.csv"];
        let (output, out, err) = hamiltone(&here, &arguments);
        assert_eq!(output.status.code(), Some(0), "{err}");
        out.lines().find(|line| line.starts_with("  order")).unwrap().to_string()
    };
    let line = order("10 ms");
    let measured: f64 = line.split_whitespace().nth(2).unwrap().parse().unwrap();
    assert!((measured - 2.0).abs() < 0.15, "{line}");
    assert!(
        line.contains("before the first impact at 1.08e-3 s, 2 claimed") && line.ends_with("with impacts"),
        "{line}"
    );
    let table = fs::read_to_string(here.join("t.csv")).unwrap();
    assert!(
        table.lines().next().unwrap().contains("order,order_with_impacts,omega_dt,order_claimed"),
        "{table}"
    );
    let line = order("1 ms");
    assert!(!line.contains("impact"), "{line}");
}

/// Modes without contacts are exact at every rate, and schemes that do not cover a system say so.
#[test]
fn exact_and_refused_schemes_are_told_apart() {
    let here = folder("exact");
    let string = scene("plucked_string.toml");
    let arguments =
        ["compare", &string, "--schemes", "modal-ec,vv,quadratic", "--window", "0.01", "--sound", "0.05"];
    let (output, out, err) = hamiltone(&here, &arguments);
    assert_eq!(output.status.code(), Some(0), "{err}");
    assert!(out.contains("modal-ec           exact here: rates differ by rounding only"), "{out}");
    assert!(
        out.lines().any(|line| line.contains("vv") && line.contains("not run") && line.contains("ω_max·Δt")),
        "{out}"
    );
    assert!(out.contains("order      quadratic          not measured"), "{out}");
    assert!(names(&here).is_empty());
}

#[test]
fn what_cannot_be_compared_is_refused() {
    let here = folder("refused");
    let string = scene("plucked_string.toml");
    for (more, says) in [
        (&["--schemes", "ec,nothing"][..], "there is no scheme `nothing`; there are modal-ec, ec,"),
        (
            &["--rates", "50000"],
            "no multiple of the sample rate, 44100 Hz, up to 44100000000 Hz; the nearest is 44100 Hz",
        ),
        (&["--rates=-1"], "no multiple"),
        (&["--rates", "44100,50 kHz"], "the rate 50000 Hz is no multiple"),
        (&["--rates", "1 s"], "such as 88200 or \"88.2 kHz\""),
        (&["--reference", "nothing"], "there is no scheme `nothing`"),
        (&["--window", "0"], "--window"),
        (&["--set", "body.string.length=-1"], "≥ 0.001"),
        (&["-o", "t.txt"], "tables are written as .csv or .parquet"),
    ] {
        let arguments = [&["compare", &string], more].concat();
        let (output, _, err) = hamiltone(&here, &arguments);
        assert_eq!(output.status.code(), Some(2), "{more:?}: {err}");
        assert!(err.contains(says), "{more:?}: {err}");
    }
    assert!(names(&here).is_empty());
}

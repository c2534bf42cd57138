//! A run that gains energy fails, though its energy balance holds, and explicit schemes warn of it before.

use crate::program::{audit, folder, hamiltone, render_text};

/// An undamped oscillator at 14 kHz of 44.1 kHz: ωΔt = 1.9947, where 1/(1 − ω²Δt²/4) is 187.6.
const NEAR_ITS_LIMIT: &str = "
hamiltone = 1
[run]
scheme = \"leapfrog\"
duration = \"20 ms\"
[body.mass]
kind = \"oscillator\"
mass = \"1 g\"
frequency = 14000
position = \"1 mm\"
[pickup.left]
at = \"mass\"
";

/// A mass that a force presses on the ground, θ(1 + e) = 1.62.
const PRESSED: &str = "
hamiltone = 1
[run]
scheme = \"moreau-jean\"
duration = \"0.3 s\"
options = { theta = 0.9 }
[body.mass]
kind = \"mass\"
mass = \"6 g\"
position = \"1 mm\"
[contact.floor]
law = \"rigid\"
restitution = 0.8
between = [\"ground\", \"mass\"]
[drive.weight]
at = \"mass\"
kind = \"constant\"
value = -30
[pickup.left]
at = \"mass\"
";

/// A mass thrown at ωΔt = 4.6, for which no force acts on the first increment: ½M(v⁰)² + ¼K(v⁰Δt)² is 11 times ½M(v⁰)².
const THROWN: &str = "
hamiltone = 1
[run]
scheme = \"average-gradient\"
duration = \"5 ms\"
[body.mass]
kind = \"oscillator\"
mass = \"1 g\"
frequency = 32000
velocity = 1
[pickup.left]
at = \"mass\"
";

#[test]
fn a_physical_energy_that_its_own_energy_underestimates_fails() {
    let folder = folder("amplified");
    let (code, err) = render_text(&folder, NEAR_ITS_LIMIT, &[]);
    assert_eq!(code, Some(1), "{err}");
    assert!(
        err.contains("warning: ") && err.contains("the energy may reach 187.586") && err.contains("62201 Hz"),
        "{err}"
    );
    assert!(
        err.contains("error: scheme `leapfrog`: the physical energy reached") && err.contains("(limit 2)"),
        "{err}"
    );
    assert!(folder.join("x.failed.wav").exists() && !folder.join("x.wav").exists());
    let written = audit(&folder.join("x.failed.json"));
    assert_eq!((&written["ok"], &written["passive"]), (&false.into(), &false.into()));
    let gained = written["passivity"]["energy_max_relative"].as_f64().unwrap();
    // As predicted: that of the displacement's own start is 1/(1 − ω²Δt²/4).
    assert!((187.0..188.0).contains(&gained), "{gained}");
    let residual = written["residual_max_relative"].as_f64();
    assert!(residual < written["residual_tolerance"].as_f64(), "its own balance holds");
}

/// At the rate that the warning names there is neither a warning nor a failure; `check` warns, too.
#[test]
fn the_rate_that_the_warning_names_is_enough() {
    let folder = folder("advised");
    let (code, err) = render_text(&folder, NEAR_ITS_LIMIT, &["--set", "run.sample_rate=62201"]);
    assert_eq!((code, err.as_str()), (Some(0), ""));
    assert_eq!(audit(&folder.join("x.json"))["passive"], true);
    let (_, out, _) = hamiltone(&folder, &["check", "x.toml"]);
    assert!(out.contains("the energy may reach 187.586"), "{out}");
    for scheme in ["vv", "vv-cs", "vv-strang", "iim"] {
        let (_, out, _) = hamiltone(&folder, &["check", "x.toml", "--scheme", scheme]);
        assert!(out.contains("close to its stability limit the energy may reach"), "{scheme} {out}");
    }
}

/// A force at 15 kHz of 44.1 kHz on an exact mode, ωΔt = 2.137, whose discrete energy is cos²(ωΔt/2) = 0.23 of the physical
/// one: the energy that it gives is underestimated as much.
#[test]
fn a_force_on_modes_near_nyquist_fails_and_is_warned_of() {
    let folder = folder("forced");
    let text = NEAR_ITS_LIMIT.replace("leapfrog", "modal-moreau-jean").replace("14000", "15000");
    let text = text.replace("position = \"1 mm\"", "")
        + "[drive.force]\nat = \"mass\"\nkind = \"harmonics\"\nfundamental = 15000\namplitudes = [1.0]\n";
    let (code, err) = render_text(&folder, &text, &[]);
    assert_eq!(code, Some(1), "{err}");
    assert!(err.contains("contacts and drives may inject energy unnoticed"), "{err}");
    assert!(err.contains("the physical energy reached"), "{err}");
    let (code, err) = render_text(&folder, &text, &["--set", "run.oversampling=2"]);
    assert_eq!((code, err.as_str()), (Some(0), ""));
}

#[test]
fn net_work_of_contacts_fails() {
    let folder = folder("contact_work");
    let (code, err) = render_text(&folder, PRESSED, &[]);
    assert_eq!(code, Some(1), "{err}");
    assert!(
        err.contains("error: scheme `moreau-jean`: contacts gained") && err.contains("a smaller theta"),
        "{err}"
    );
    let written = audit(&folder.join("x.failed.json"));
    assert_eq!((&written["ok"], &written["passive"]), (&false.into(), &false.into()));
    assert!(written["passivity"]["contact_work_max_relative"].as_f64() > Some(0.01));
    let (code, err) = render_text(&folder, PRESSED, &["--set", "run.options.theta=0.5"]);
    // It is let go from where it is pressed to, which is a click.
    assert!(
        code == Some(0) && err.starts_with("warning: `left` begins with a jump") && err.lines().count() == 1,
        "{err}"
    );
}

#[test]
fn a_bound_that_every_run_passes_is_refused() {
    let folder = folder("bound");
    let more = ["--scheme", "vv", "--set", "run.options.balance_bound=1"];
    let (code, err) = render_text(&folder, NEAR_ITS_LIMIT, &more);
    assert_eq!(code, Some(2), "{err}");
    assert!(err.contains("`balance_bound` is 1, but must be > 0 and ≤ 0.99"), "{err}");
}

#[test]
fn energy_that_the_first_increment_makes_was_not_put_in() {
    let folder = folder("thrown");
    let (code, err) = render_text(&folder, THROWN, &[]);
    assert_eq!(code, Some(1), "{err}");
    assert!(
        err.contains("the first increment of the scheme holds 5.6") && err.contains("a higher rate"),
        "{err}"
    );
    // At ωΔt = 0.57 it holds 1.16 times as much.
    let (code, err) = render_text(&folder, THROWN, &["--set", "run.oversampling=8"]);
    assert_eq!(code, Some(0), "{err}");
}

/// A force on a mode at ωΔt = 30: a first increment of ½F/m·Δt² stores 900 times what the force gives on half of its way.
#[test]
fn what_a_force_cannot_give_in_the_first_increment_was_not_put_in() {
    let folder = folder("taylor");
    let text = THROWN.replace("velocity = 1", "").replace("32000", "210000")
        + "[drive.force]\nat = \"mass\"\nkind = \"constant\"\nvalue = -330\n";
    let text = text.replace("duration", "options = { start = \"taylor\" }\nduration");
    let (code, err) = render_text(&folder, &text, &[]);
    assert_eq!(code, Some(1), "{err}");
    assert!(err.contains("the first increment of the scheme holds"), "{err}");
    let (code, err) = render_text(&folder, &text, &["--set", "run.oversampling=100"]);
    assert_eq!(code, Some(0), "{err}");
}

/// At ωΔt = 1.47 the energy varies by the factor 2.2, but in nine samples, of 20 steps each, it is never that high.
#[test]
fn a_gain_between_the_samples_fails() {
    let folder = folder("between");
    let text = NEAR_ITS_LIMIT
        .replace("leapfrog", "vv")
        .replace("frequency = 14000", "angular_frequency = 1.3e6")
        .replace("position = \"1 mm\"", "velocity = -38")
        .replace("20 ms", "0.2 ms");
    let (code, err) = render_text(&folder, &text, &["--set", "run.oversampling=20"]);
    assert_eq!(code, Some(1), "{err}");
    assert!(err.contains("the physical energy reached"), "{err}");
}

/// A force at t = 0 that is gone a sample later, and another that grows: on modes above Nyquist the scheme books less than half
/// of what the forces give by the way of the mass.
#[test]
fn work_is_that_of_the_positions_where_modes_alias() {
    let folder = folder("aliasing");
    let text = "
hamiltone = 1
[run]
scheme = \"modal-moreau-jean\"
duration = 0.00026
[body.skin]
kind = \"membrane\"
modes = 13
radius = 0.0011
thickness = 0.000001
frequency = 7300.0
[pickup.left]
at = \"skin@0.37\"
[drive.force]
at = \"skin@0.22858018895430662,179.4576014209804 deg\"
kind = \"envelope\"
points = [[0.0, 93.0], [0.0000225, 0.0], [0.000455, 2328.5], [43.0, -90.6]]
";
    let (code, err) = render_text(&folder, text, &[]);
    assert_eq!(code, Some(0), "{err}");
}

/// A mass on a spring, to which drives are appended; its balance and passivity hold with each scheme.
const SPRUNG: &str = "
hamiltone = 1
[run]
scheme = \"ec\"
duration = \"20 ms\"
[body.mass]
kind = \"oscillator\"
mass = \"1 g\"
frequency = 440
[pickup.left]
at = \"mass\"
";

/// Renders the driven mass with each scheme, with exit 0.
fn holds(name: &str, drive: &str, schemes: &[&str], more: &[&str]) {
    let folder = folder(name);
    for scheme in schemes {
        let (code, err) =
            render_text(&folder, &format!("{SPRUNG}{drive}"), &[more, &["--scheme", scheme]].concat());
        assert_eq!(code, Some(0), "{scheme}: {err}");
    }
}

/// A force at t = 0 alone: all of its work is in the first increment of a two-step scheme.
#[test]
fn a_blow_in_the_first_increment_was_put_in() {
    let blow = "
[drive.blow]
at = \"mass\"
kind = \"envelope\"
points = [[0, 100], [2.2675736961451248e-5, 0], [1, 0]]
";
    let schemes = ["leapfrog", "iim", "average-gradient", "modal-moreau-jean", "vv", "ec"];
    holds("blow", blow, &schemes, &[]);
}

/// A force of 21 kHz gives in one half of a step what it takes in the other, 2500 times what the oscillator holds.
#[test]
fn drives_near_nyquist_keep_the_balance() {
    let tone = "
[drive.tone]
at = \"mass\"
kind = \"harmonics\"
fundamental = 22040
amplitudes = [1]
phase = \"cosine\"
";
    let slow = ["--set", "body.mass.mass=0.3", "--set", "body.mass.frequency=6", "--set", "run.duration=0.1"];
    holds("nyquist", tone, &["vv", "vv-cs", "vv-strang", "leapfrog", "ec"], &slow);
}

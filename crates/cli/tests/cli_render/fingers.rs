//! Fingers that press a string onto rigid contacts: what the felt and the frets do in a step depends on each other.

use crate::program::{folder, hamiltone};
use std::fs;

/// Renders a text in an empty folder: the exit code and what is printed as errors.
fn render(name: &str, text: &str) -> (Option<i32>, String) {
    let folder = folder(name);
    fs::write(folder.join("x.toml"), text).unwrap();
    let (output, _, err) = hamiltone(&folder, &["render", "x.toml"]);
    (output.status.code(), err)
}

/// A finger beside a fret: solving felt and frets in turn does not end within rounding.
#[test]
fn every_step_of_a_finger_beside_a_fret_converges() {
    let text = "
hamiltone = 1
[run]
scheme = \"modal-moreau-jean\"
duration = \"60 ms\"
sample_rate = \"96 kHz\"
[body.string]
kind = \"string\"
method = \"modal\"
modes = 60
length = \"0.65 m\"
linear_density = 0.0057
wave_speed = 107.133000
inharmonicity = 0.0001
loss = { d1 = 1.5, d3 = 2e-3 }
[contact.back]
between = [\"ground\", \"string\"]
law = \"rigid\"
restitution = 0.0
profile = [[0.0, -0.002], [0.65, -0.0031]]
[contact.frets]
between = [\"ground\", \"string\"]
law = \"rigid\"
restitution = 0.0
equal_frets = { count = 20, height = \"-1 mm\" }
[body.finger]
kind = \"oscillator\"
mass = \"5 g\"
frequency = \"10 Hz\"
damping = 60
position = \"3 mm\"
[contact.tip]
between = [\"string@0.11\", \"finger\"]
law = \"power\"
stiffness = 1e7
exponent = 3.3
loss = 100
[drive.press]
at = \"finger\"
kind = \"envelope\"
points = [[0, 0], [0.02, -5], [1, -5]]
[pickup.left]
at = \"string@0.93\"
";
    for scheme in ["modal-moreau-jean", "moreau-jean"] {
        let text = match scheme {
            "moreau-jean" => text.replace("method = \"modal\"\nmodes = 60\n", "intervals = 100\n"),
            _ => text.to_string(),
        };
        let text = text.replace("modal-moreau-jean", scheme);
        assert_eq!(render(scheme, &text), (Some(0), String::new()), "{scheme}");
    }
}

/// Two fingers press a string against a mass and a fret where the sets of contacts that push go in a circle: the step is solved
/// in turns instead, and its balance is as exact.
#[test]
fn contacts_that_push_in_a_circle_keep_the_balance() {
    let text = "
hamiltone = 1
[run]
scheme = \"moreau-jean\"
duration = \"40 ms\"
[body.string]
kind = \"string\"
length = 0.65
linear_density = \"1 g/m\"
tension = \"65 N\"
loss = { d1 = \"1.5 1/s\", d3 = \"0 m^2/s\" }
intervals = 40
[body.finger0]
kind = \"oscillator\"
mass = \"0.1288 g\"
stiffness = \"1000 N/m\"
damping = \"0 1/s\"
position = \"1 mm\"
velocity = \"-10 m/s\"
[contact.tip0]
between = [\"string@0.338\", \"finger0\"]
law = \"power\"
stiffness = 3.815e+05
exponent = 1
loss = \"10 s/m\"
[drive.press0]
at = \"finger0\"
kind = \"constant\"
value = -29.46
[body.finger1]
kind = \"oscillator\"
mass = \"4.09 g\"
stiffness = \"1000 N/m\"
damping = \"0 1/s\"
position = \"0.5 mm\"
velocity = \"-1 m/s\"
[contact.tip1]
between = [\"string@0.31\", \"finger1\"]
law = \"power\"
stiffness = 3.156e+06
exponent = 1
loss = \"0.1 s/m\"
[drive.press1]
at = \"finger1\"
kind = \"constant\"
value = -93.41
[body.finger2]
kind = \"oscillator\"
mass = \"9.946 g\"
stiffness = \"100000.0 N/m\"
damping = \"60 1/s\"
position = \"3 mm\"
velocity = \"-10 m/s\"
[contact.fret0]
between = [\"string@0.338\",\"finger2\"]
law = \"rigid\"
restitution = 0
gap = \"0.1 mm\"
[contact.fret1]
between = [\"ground\", \"string@0.338\"]
law = \"rigid\"
restitution = 0
gap = \"1 mm\"
[pickup.left]
at=\"string@0.3\"
";
    assert_eq!(render("circle", text), (Some(0), String::new()));
}

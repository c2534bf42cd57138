//! Fingers that press a string onto rigid contacts: what the felt and the frets do in a step depends on each other.

use crate::program::{folder, render_text};

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
        converges(scheme, &text);
    }
}

/// Two fingers press a string against a mass and a fret where the sets of contacts that push go in a circle: the step is solved
/// in turns instead, and its balance is as exact.
#[test]
fn contacts_that_push_in_a_circle_keep_the_balance() {
    let finger = |n: u32, mass: &str, spring: &str, position: &str, velocity: &str| {
        format!(
            "
[body.finger{n}]
kind = \"oscillator\"
mass = \"{mass}\"
stiffness = \"{spring}\"
damping = \"{} 1/s\"
position = \"{position}\"
velocity = \"{velocity}\"
",
            if n == 2 { 60 } else { 0 }
        )
    };
    let pressed = |n: u32, place: f64, stiffness: f64, loss: f64, force: f64| {
        format!(
            "
[contact.tip{n}]
between = [\"string@{place}\", \"finger{n}\"]
law = \"power\"
stiffness = {stiffness}
exponent = 1
loss = \"{loss} s/m\"
[drive.press{n}]
at = \"finger{n}\"
kind = \"constant\"
value = {force}
"
        )
    };
    let rigid = |n: u32, between: &str, gap: &str| {
        format!(
            "
[contact.fret{n}]
between = [{between}]
law = \"rigid\"
restitution = 0
gap = \"{gap}\"
"
        )
    };
    let text = [
        "
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
[pickup.left]
at=\"string@0.3\"
"
        .to_string(),
        finger(0, "0.1288 g", "1000 N/m", "1 mm", "-10 m/s"),
        pressed(0, 0.338, 3.815e5, 10.0, -29.46),
        finger(1, "4.09 g", "1000 N/m", "0.5 mm", "-1 m/s"),
        pressed(1, 0.31, 3.156e6, 0.1, -93.41),
        finger(2, "9.946 g", "100000 N/m", "3 mm", "-10 m/s"),
        rigid(0, "\"string@0.338\", \"finger2\"", "0.1 mm"),
        rigid(1, "\"ground\", \"string@0.338\"", "1 mm"),
    ]
    .concat();
    converges("circle", &text);
}

/// It renders, and every step converges: of the scheme a warning may say how far partials are from theory.
fn converges(name: &str, text: &str) {
    let (code, errors) = render_text(&folder(name), text, &[]);
    assert!(code == Some(0) && !errors.contains("converge"), "{name}: {code:?} {errors}");
}

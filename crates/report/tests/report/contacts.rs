//! The contacts in the report, each part of one by itself.

use super::{folder, render};
use hamiltone_report::Report;
use hamiltone_scene::Scene;
use std::{fs, path::Path};

/// A mass of 1 g thrown at 1 m/s against a wall 5 mm away, and a string plucked over two frets.
const BALL: &str = r#"
hamiltone = 1
[run]
scheme = "ec"
duration = "20 ms"
sample_rate = "10 kHz"
oversampling = 8
tuning_tolerance = 1000
[body.ball]
kind = "mass"
mass = "1 g"
velocity = "1 m/s"
[body.string]
kind = "string"
intervals = 16
length = "1 m"
linear_density = "1 g/m"
tension = "100 N"
[contact.wall]
between = ["ball", "ground"]
law = "power"
stiffness = "1000 N/m"
exponent = 1
gap = "5 mm"
[contact.frets]
between = ["ground", "string"]
law = "power"
stiffness = "1000 N/m"
exponent = 1
frets = [["0.25 m", "-1 mm"], ["0.5 m", "-2 mm"]]
[drive.finger]
at = "string@0.5"
kind = "pluck"
height = "2.5 mm"
[pickup.left]
at = "ball"
"#;

#[test]
fn frets_have_a_picture_and_a_row_each() {
    let folder = folder("contactogram");
    let plan = Scene::new(BALL, "x.toml", Path::new(""), &[]).plan().unwrap();
    render(&plan, &mut [&mut Report::new(&*folder, "")]);
    let html = fs::read_to_string(folder.join("index.html")).unwrap();
    for part in [
        "Contact force of frets (black: no contact)",
        // The colour bar.
        ">force (N)</text>",
        "frets[1] at 500 mm",
        "maximum penetration",
        "data:image/png",
    ] {
        assert!(html.contains(part), "`{part}` is missing");
    }
}

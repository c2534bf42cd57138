//! A clarinet reed against its lay (C19 §3), driven or plucked: the plan that these tests run.

use hamiltone_scene::{Plan, Scene};
use std::path::Path;

const PLUCKED: &str = r#"
hamiltone = 1
title = "Reed <against> its lay"
source = "Chatziioannou 2019, section 3"
[run]
scheme = "ec"
duration = "1 s"
[body.reed]
kind = "oscillator"
mass_per_area = "0.05 kg/m^2"
frequency = "2500 Hz"
damping = "2800 1/s"
position = "0.2 mm"
[contact.lay]
between = ["reed", "ground"]
law = "power"
gap = "0.24 mm"
stiffness = 1e12
exponent = 1.5
[pickup.left]
at = "reed"
[pickup.right]
at = "reed"
quantity = "velocity"
"#;

const MOUTH: &str = r#"
[drive.mouth]
at = "reed"
kind = "harmonics"
fundamental = "146 Hz"
amplitudes = [2000, 40, 400, 40, 100, 40, 28]
phase = "cosine"
"#;

/// The reed with displacement and velocity as channels, started 0.2 mm away, undriven.
pub fn plucked(frames: usize, oversampling: usize) -> Plan {
    plan(PLUCKED, frames, oversampling)
}

/// The same reed blown with C19's pressure.
pub fn blown(frames: usize, oversampling: usize) -> Plan {
    plan(&[PLUCKED, MOUTH].concat(), frames, oversampling)
}

fn plan(text: &str, frames: usize, oversampling: usize) -> Plan {
    let mut plan = Scene::new(text, "reed.toml", Path::new(""), &[]).plan().unwrap();
    (plan.frames, plan.oversampling) = (frames, oversampling);
    plan
}

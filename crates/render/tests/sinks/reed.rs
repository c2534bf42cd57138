//! A clarinet reed against its lay (C19 §3), driven or plucked: the plan that these tests run.

use hamiltone_bodies::Oscillator;
use hamiltone_core::{
    body::{Body, Measure},
    element::Element,
    geometry::Place,
    input::Input,
    system::{Output, Quantity, System},
};
use hamiltone_elements::Power;
use hamiltone_plan::{
    BodyPlan, ContactPlan, Drive, Format, Level, OutputPlan, Pickup, PickupMix, Plan, SampleFormat, Signal,
};
use hamiltone_render::{Outcome, Sink, Sound, run};
use std::{f64::consts::TAU, path::PathBuf, sync::Arc};

/// A folder of its own for a test, empty.
pub fn folder(name: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

/// The reed with displacement and velocity as channels, started 0.2 mm away, undriven.
pub fn plucked(frames: usize, oversampling: usize) -> Plan {
    let mut system = System::default();
    let reed = Oscillator::new(0.05, TAU * 2500.0).unwrap().damped(2800.0).unwrap().per_area();
    let placed = reed.with_initial(2e-4, 0.0).unwrap().add_to(&mut system, "reed").unwrap();
    let row = placed.row(Place::Whole).unwrap();
    let contact = Power::new(1e12, 1.5).unwrap().at_gap(2.4e-4);
    system.elements.push(Element::new("lay", row.clone(), contact.gap, contact.law));
    system.outputs.push(Output { name: "left".into(), quantity: Quantity::Displacement(row.clone()) });
    system.outputs.push(Output { name: "right".into(), quantity: Quantity::Velocity(row) });
    let pickup = |name: &str, quantity: &'static str, unit: &'static str| Pickup {
        name: name.into(),
        quantity: quantity.into(),
        unit: unit.into(),
        mix: PickupMix::default(),
    };
    Plan {
        format: Format::One,
        title: "Reed <against> its lay".into(),
        source: Some("Chatziioannou 2019, section 3".into()),
        scene_sha256: "0".repeat(64),
        system,
        scheme: hamiltone_schemes::named("ec").unwrap(),
        sample_rate: 44_100.0,
        oversampling,
        frames,
        balance_bound: 1e-2,
        tuning_tolerance: None,
        drives: Vec::new(),
        bodies: vec![BodyPlan { name: "reed".into(), placed: Arc::new(placed), solved: Vec::new() }],
        reduced: Vec::new(),
        advised: false,
        choices: Vec::new(),
        contacts: vec![ContactPlan {
            name: "lay".into(),
            law: "power",
            parts: 0..1,
            measure: Measure::PerArea,
            per_length: false,
            along: None,
        }],
        free: Vec::new(),
        initial: Vec::new(),
        gestures: Vec::new(),
        pickups: vec![pickup("left", "displacement", "m"), pickup("right", "velocity", "m/s")],
        output: OutputPlan::separate(Level::Peak(-1.0), SampleFormat::Int16),
        inputs: Vec::new(),
        warnings: Vec::new(),
    }
}

/// The same reed blown with C19's pressure.
pub fn blown(frames: usize, oversampling: usize) -> Plan {
    let mut plan = plucked(frames, oversampling);
    let row = match &plan.system.outputs[0].quantity {
        Quantity::Displacement(row) => row.clone(),
        _ => unreachable!("the first channel is the displacement"),
    };
    plan.system.inputs.push(Input::force("mouth", row));
    plan.drives.push(Drive { name: "mouth".into(), unit: "Pa".into(), signal: Box::new(Mouth) });
    plan
}

/// Harmonics of 146 Hz (C19 §3.2).
struct Mouth;

impl Signal for Mouth {
    fn value(&self, t: f64) -> f64 {
        [2000.0, 40.0, 400.0, 40.0, 100.0, 40.0, 28.0]
            .iter()
            .zip(1..)
            .map(|(a, n)| a * hamiltone_numerics::math::cos(TAU * 145.985_401 * f64::from(n) * t))
            .sum()
    }
}

/// Runs a plan without watching.
pub fn render(plan: &Plan, sinks: &mut [&mut dyn Sink]) -> Outcome {
    run(plan, sinks, &mut |_, _| {}).unwrap()
}

/// Samples as they are stored: multiplied by the factors of their channels, row by row.
pub fn scaled(sound: &Sound) -> Vec<f64> {
    let rows = (0..sound.frames()).flat_map(|frame| row(sound, frame));
    rows.zip(sound.factors.iter().cycle()).map(|(x, factor)| x * factor).collect()
}

/// The samples of a frame.
pub fn row(sound: &Sound, frame: u64) -> Vec<f64> {
    (0..sound.channels).flat_map(|channel| sound.part(channel, frame..frame + 1).unwrap()).collect()
}

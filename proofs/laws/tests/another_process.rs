//! A run of 2 s that is stopped, saved to bytes, restored in another process and continued gives identical bits.
//!
//! The test starts itself again: with a state in the environment it continues from it and prints what came of it.

use hamiltone_bodies::Oscillator;
use hamiltone_core::{
    body::Body,
    element::{Element, Law},
    input::Input,
    ledger::Bookkeeping,
    row::Row,
    saved::Saved,
    scheme::Scheme,
    simulation::Simulation,
    system::{Output, Quantity, System},
};
use hamiltone_elements::{LinearDamper, Power};
use std::{env, fmt::Write, process::Command};

const RATE: f64 = 44_100.0;
const STEPS: usize = 88_200;
/// The variables that carry the scheme, the step and the state.
const SCHEME: &str = "HAMILTONE_TEST_SCHEME";
const STEP: &str = "HAMILTONE_TEST_STEP";
const STATE: &str = "HAMILTONE_TEST_STATE";

/// Three oscillators, a contact with loss, a controlled damper and, where the scheme takes it, a rigid stop.
fn system(scheme: &dyn Scheme) -> System {
    let mut system = System::default();
    for (k, (frequency, velocity)) in [(110.0, 1.0), (331.7, -0.4), (2750.3, 0.2)].into_iter().enumerate() {
        let body = Oscillator::new(0.02, std::f64::consts::TAU * frequency)
            .and_then(|body| body.damped(1.5)?.with_initial(1e-4, velocity))
            .expect("an oscillator");
        body.add_to(&mut system, &format!("mode {k}")).expect("a body");
    }
    let row = |weights: [f64; 3]| Row::Sparse((0..3).zip(weights).collect());
    let felt = Power::new(2e8, 2.3).expect("a power").at_gap(3e-4);
    let full = {
        let mut lossy = system.clone();
        let felt = felt.clone().with_loss(0.3).expect("a loss");
        lossy.elements.push(Element::new("felt", row([1.0, 0.7, 0.2]), felt.gap, felt.law));
        let palm = LinearDamper.with_resistance(0.0);
        lossy.elements.push(Element::new("palm", row([0.3, -0.8, 0.5]), palm.gap, palm.law));
        lossy.inputs.push(Input::control("hand", 1..2));
        lossy
    };
    let mut rigid = full.clone();
    let stop = Law::Rigid { restitution: 0.7 };
    rigid.elements.push(Element::new("stop", row([-1.0, 0.5, 0.1]), 4e-4, stop));
    let mut plain = system;
    plain.elements.push(Element::new("felt", row([1.0, 0.7, 0.2]), felt.gap, felt.law));
    let taken = [rigid, full, plain].into_iter().find(|system| scheme.coverage().covers_system(system));
    let mut system = taken.expect("every scheme of several coordinates takes a lossless contact");
    system.outputs.push(Output { name: "left".into(), quantity: Quantity::Velocity(row([0.5, 0.5, 0.5])) });
    system
}

/// r(t), N s/m, at the end of step n.
fn control(n: usize) -> f64 {
    if n > STEPS / 2 { 0.05 * ((n - STEPS / 2) as f64 / 1000.0).min(1.0) } else { 0.0 }
}

/// A hash of all outputs and ledgers of the steps from `first` on, and of the final motion.
fn go(simulation: &mut Simulation, first: usize) -> u64 {
    // The FNV-1a hash, a byte of each number at a time.
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    let mut enter = |x: f64| {
        x.to_bits()
            .to_le_bytes()
            .iter()
            .for_each(|b| hash = (hash ^ u64::from(*b)).wrapping_mul(0x0100_0000_01b3));
    };
    let inputs = simulation.system().inputs.len();
    for n in first..STEPS {
        let ends = [control(n), control(n + 1)];
        let ledger = simulation.step(&ends[..2 * inputs], Bookkeeping::Full);
        let mut left = [0.0];
        simulation.outputs(&mut left);
        [left[0], ledger.stored, ledger.dissipated, ledger.supplied].into_iter().for_each(&mut enter);
    }
    let motion = simulation.motion().clone();
    motion.q.iter().chain(&motion.v).for_each(|x| enter(*x));
    hash
}

fn prepared(name: &str) -> Simulation {
    let scheme = hamiltone_schemes::named(name).expect("a scheme of this name");
    scheme.prepare(&system(&*scheme), 1.0 / RATE).expect("it runs")
}

/// What the second process does.
fn continue_from(name: &str) {
    let hex = env::var(STATE).expect("a state");
    let bytes: Vec<u8> = (0..hex.len())
        .step_by(2)
        .map(|i| u8::from_str_radix(&hex[i..i + 2], 16).expect("hexadecimal digits"))
        .collect();
    let first = env::var(STEP).ok().and_then(|step| step.parse().ok()).expect("a step");
    let mut simulation = prepared(name);
    simulation.restore(&Saved::from_bytes(&bytes).expect("a state")).expect("a state of this run");
    println!("hash {:016x}", go(&mut simulation, first));
}

#[test]
fn a_run_continues_in_another_process() {
    if let Ok(name) = env::var(SCHEME) {
        return continue_from(&name);
    }
    let names = [
        "ec",
        "ck",
        "vv-strang",
        "leapfrog",
        "ieq",
        "iim",
        "sprk-4",
        "composition",
        "moreau-jean",
        "modal-moreau-jean",
    ];
    for (k, name) in names.into_iter().enumerate() {
        let mut simulation = prepared(name);
        let inputs = simulation.system().inputs.len();
        simulation.reset(&[0.0][..inputs]);
        // Anywhere: a different step for each, before and after the palm falls.
        let stop = 9973 * (k + 1) % STEPS;
        for n in 0..stop {
            simulation.step(&[control(n), control(n + 1)][..2 * inputs], Bookkeeping::Full);
        }
        let bytes = simulation.save().to_bytes();
        let here = go(&mut simulation, stop);
        let hex = bytes.iter().fold(String::new(), |mut hex, byte| {
            let _ = write!(hex, "{byte:02x}");
            hex
        });
        let output = Command::new(env::current_exe().expect("this test"))
            .args(["--exact", "another_process::a_run_continues_in_another_process", "--nocapture"])
            .env(SCHEME, name)
            .env(STEP, stop.to_string())
            .env(STATE, hex)
            .output()
            .expect("a second process");
        let text = String::from_utf8_lossy(&output.stdout);
        assert!(text.contains(&format!("hash {here:016x}")), "{name}: {here:016x} here, there: {text}");
    }
}

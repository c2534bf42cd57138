//! The systems that the benchmarks step.

use hamiltone_bodies::Oscillator;
use hamiltone_core::{
    body::Body,
    element::{Element, ElementLaw},
    input::Input,
    ledger::Bookkeeping,
    row::Row,
    simulation::Simulation,
    system::System,
};
use hamiltone_elements::Power;
use hamiltone_numerics::math::cos;
use std::f64::consts::PI;

/// The rate of every benchmark, Hz.
pub const RATE: f64 = 44_100.0;

/// C19's reed as a free oscillator, from its start at −0.1 mm and 1 m/s.
pub fn oscillator(damping: f64) -> System {
    let reed = Oscillator::new(0.05, 5000.0 * PI).and_then(|o| o.damped(damping)?.with_initial(-1e-4, 1.0));
    assemble(reed.expect("an oscillator"), None)
}

/// The same, undamped, against a soft obstacle at which every scheme is stable, with a contact in every period.
pub fn bouncing() -> System {
    let reed = Oscillator::new(0.05, 5000.0 * PI).and_then(|o| o.with_initial(-1e-4, 1.0));
    assemble(reed.expect("an oscillator"), Some(Power::new(2e9, 1.5).expect("a power law").at_gap(0.0)))
}

/// C15's clarinet reed with its lay and its mouthpiece pressure for a number of samples.
pub fn reed(samples: usize) -> (System, Vec<f64>) {
    let reed = Oscillator::new(0.05, 2.0 * PI * 2000.0).and_then(|o| o.damped(3000.0));
    let lay = Power::new(8.23e10, 2.0).expect("a power law").at_gap(2.4e-4);
    let mut system = assemble(reed.expect("an oscillator").per_area(), Some(lay));
    system.inputs.push(Input::force("mouth", Row::unit(0)));
    let amplitudes = [2000.0, 40.0, 400.0, 40.0, 100.0, 40.0, 28.0];
    let pressure = |n: usize| {
        let phase = 2.0 * PI * n as f64 / RATE / 6.85e-3;
        amplitudes.iter().enumerate().map(|(i, a)| a * cos((i + 1) as f64 * phase)).sum()
    };
    (system, (0..=samples).map(pressure).collect())
}

fn assemble(body: Oscillator, contact: Option<ElementLaw>) -> System {
    let mut system = System::default();
    body.add_to(&mut system, "reed").expect("a body");
    if let Some(ElementLaw { law, gap }) = contact {
        system.elements.push(Element::new("stop", Row::unit(0), gap, law));
    }
    system
}

/// Runs `steps` steps from the start; the final energy keeps the work from being optimised away.
pub fn run(stepper: &mut Simulation, input: &[f64], steps: usize, bookkeeping: Bookkeeping) -> f64 {
    let inputs = input.len() / (steps + 1);
    let mut last = stepper.reset(&input[..inputs]);
    for n in 0..steps {
        last = stepper.step(&input[n * inputs..(n + 2) * inputs], bookkeeping).stored;
    }
    last
}

/// Every scheme that prepares `system`, by name.
pub fn steppers(system: &System) -> Vec<(&'static str, Simulation)> {
    let prepared = |name| hamiltone_schemes::named(name)?.prepare(system, 1.0 / RATE).ok();
    hamiltone_schemes::catalogue()
        .iter()
        .filter_map(|entry| prepared(entry.kind.name).map(|stepper| (entry.kind.name, stepper)))
        .collect()
}

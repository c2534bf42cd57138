//! Forces of elements: at the sample that of the law, over a step the impulse that was given.
//!
//!   f(tⁿ) = law(c·qⁿ − h − hⁿ_ref, c·vⁿ − ḣ_ref),   n = 0, 1, …        Σ f̄ⁿ Δt = Δp

use super::{METHODS, Taken, hold_at_random, require};
use hamiltone_core::{
    coverage::Feature,
    element::{Element, Law},
    input::Input,
    ledger::Bookkeeping,
    row::Row,
    scheme::Scheme,
    simulation::Simulation,
    system::{Initial, Output, Quantity, System},
};
use hamiltone_elements::Power;
use hamiltone_laws::{parts, trial::Trial};

/// The forces that a law gives for places and rates within rounding of those of a motion: the least and the largest.
///
/// A scheme may sum c·q in another order and another scale: 32 units of rounding of its terms are allowed, and as many
/// of the force itself.
fn bounds(element: &Element, q: &[f64], v: &[f64]) -> Option<(f64, f64)> {
    let row = element.row();
    let size = |x: &[f64]| row.entries().map(|(i, c)| (c * x[i]).abs()).sum::<f64>();
    let (x, rate) = (row.dot(q) - element.gap, row.dot(v));
    let (dx, dv) = (32.0 * f64::EPSILON * (size(q) + element.gap.abs()), 32.0 * f64::EPSILON * size(v));
    let corners = [(x - dx, rate - dv), (x - dx, rate + dv), (x + dx, rate - dv), (x + dx, rate + dv)];
    let forces =
        corners.map(|(x, rate)| element.law.force(x, rate, None).map(|f| (f, 32.0 * f64::EPSILON * f.abs())));
    forces.into_iter().try_fold((f64::INFINITY, f64::NEG_INFINITY), |(least, largest), force| {
        force.map(|(f, rounding)| (least.min(f - rounding), largest.max(f + rounding)))
    })
}

/// Whether the outputs that read forces are those of the laws at the motion now, as other outputs read it.
fn of_the_law(simulation: &mut Simulation, system: &System, n: usize) -> Result<(), String> {
    let mut outputs = vec![0.0; system.outputs.len()];
    simulation.outputs(&mut outputs);
    let (mut q, mut v) = (vec![0.0; system.size()], vec![0.0; system.size()]);
    simulation.snapshot(&mut q, &mut v);
    for (output, read) in system.outputs.iter().zip(outputs) {
        let Quantity::Force(elements) = &output.quantity else { continue };
        let element = &system.elements[elements.start];
        let Some((least, largest)) = bounds(element, &q, &v) else { continue };
        // A run that diverges is no proof.
        let within = !(largest - least).is_finite() || (least..=largest).contains(&read);
        require(within, || {
            format!(
                "the force of `{}` after {n} steps is {read:e}, of its law {least:e} to {largest:e}",
                element.name
            )
        })?;
    }
    Ok(())
}

fn at_every_sample(scheme: &dyn Scheme, trial: &Trial) -> Taken {
    let Some(mut simulation) = trial.prepare(scheme)? else { return Ok(false) };
    let (inputs, n) = (trial.inputs(), trial.system.inputs.len());
    simulation.reset(&inputs[..n]);
    of_the_law(&mut simulation, &trial.system, 0)?;
    for k in 0..trial.steps.min(40) {
        let ledger = simulation.step(&inputs[k * n..(k + 2) * n], Bookkeeping::Flows);
        if ledger.effort.fault.is_some_and(|fault| fault.ends_run()) {
            break;
        }
        of_the_law(&mut simulation, &trial.system, k + 1)?;
    }
    Ok(true)
}

#[test]
fn a_force_is_that_of_the_law_at_every_sample_and_at_the_start() {
    hold_at_random(parts::audible, 150, 120, 4, at_every_sample);
}

/// A mass, kg, in flight towards a stop at the ground.
fn thrown(law: Law, loss: bool) -> System {
    let mut system = System::default();
    system.add_dof(0.02, 0.0, 1.5);
    let law = match law {
        Law::Compliant(law) if loss => Law::Compliant(law.with_loss(0.4)),
        law => law,
    };
    system.elements.push(Element::new("stop", Row::unit(0), 1e-4, law));
    for quantity in [Quantity::Force(0..1), Quantity::MeanForce(0..1)] {
        system.outputs.push(Output { name: "force".into(), quantity });
    }
    system
}

/// From flight to flight the mean forces give the change of momentum, by impacts and by compliant stops.
#[test]
fn mean_forces_give_the_change_of_momentum() {
    let power = Power::new(1e7, 1.5).expect("a power").at_gap(0.0).law;
    let laws = [(power.clone(), false), (power, true), (Law::Rigid { restitution: 0.6 }, false)];
    let mut tried = 0;
    for (method, (law, loss)) in METHODS.iter().flat_map(|method| laws.iter().map(move |law| (method, law))) {
        let system = thrown(law.clone(), *loss);
        if !method.scheme.coverage().covers_system(&system) {
            continue;
        }
        let dt = 1.0 / 96_000.0;
        let Ok(mut simulation) = method.scheme.prepare(&system, dt) else { continue };
        simulation.reset(&[]);
        let (mut momentum, mut forces) = (0.0, [0.0; 2]);
        simulation.outputs(&mut forces);
        assert_eq!(forces, [0.0; 2], "{}: it flies", method.name);
        for _ in 0..400 {
            simulation.step(&[], Bookkeeping::Flows);
            simulation.outputs(&mut forces);
            momentum += forces[1] * dt;
        }
        let motion = simulation.motion();
        assert!(motion.v[0] < 0.0 && forces == [0.0; 2], "{}: it has left the stop", method.name);
        let change = system.mass[0] * (1.5 - motion.v[0]);
        // 400 roundings of the momentum.
        let apart = (momentum - change).abs() / change;
        assert!(apart < 400.0 * f64::EPSILON, "{}: {momentum} for {change} N s, {apart:e}", method.name);
        tried += 1;
    }
    assert!(tried > 9, "{tried} runs");
}

/// A reference that moves at a constant speed makes a loss felt at rest: f = V′(x)(1 − μḣ).
#[test]
fn a_moving_reference_enters_the_force_with_its_rate() {
    let power = Power::new(1e5, 1.0).expect("a power").at_gap(0.0).law;
    for method in METHODS.iter() {
        let mut system = thrown(power.clone(), true);
        (system.outputs, system.elements[0].gap) = (vec![system.outputs[0].clone()], 0.0);
        system.initial = Initial { position: vec![0.0], velocity: vec![0.0] };
        // So heavy that it does not move.
        system.mass[0] = 1e9;
        system.inputs.push(Input::motion("press", 0..1));
        if !method.scheme.coverage().covers_system(&system) {
            continue;
        }
        let dt = 1e-4;
        let mut simulation = method.scheme.prepare(&system, dt).expect("it is covered");
        let (at, mut force) = (|n: f64| [-1e-3 - 5.0 * n * dt], [0.0]);
        simulation.reset(&at(0.0));
        simulation.outputs(&mut force);
        let name = &method.name;
        assert!((force[0] - 100.0).abs() < 1e-9, "{name}: {} N at the start", force[0]);
        for n in 1..4 {
            simulation.step(&[at(f64::from(n - 1)), at(f64::from(n))].concat(), Bookkeeping::Flows);
            simulation.outputs(&mut force);
            let expected = 1e5 * (1e-3 + 5.0 * f64::from(n) * dt) * (1.0 + 0.4 * 5.0);
            assert!((force[0] / expected - 1.0).abs() < 1e-6, "{name}: {} for {expected} N", force[0]);
        }
    }
}

/// No scheme that has no mean forces is asked for them.
#[test]
fn mean_forces_are_covered_or_refused() {
    let power = Power::new(1e7, 1.5).expect("a power").at_gap(0.0).law;
    let system = thrown(power, false);
    for method in METHODS.iter() {
        let covers = method.scheme.coverage().features.contains(&Feature::MeanForce);
        if let Err(refusal) = method.scheme.prepare(&system, 1e-5) {
            assert!(!covers, "{}: {refusal}", method.name);
            assert!(refusal.to_string().contains("mean force"), "{}: {refusal}", method.name);
        } else {
            assert!(covers, "{}", method.name);
        }
    }
}

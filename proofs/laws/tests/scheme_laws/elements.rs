//! Resistive elements, controls and moving references: passive and balanced, and the motion converges.
//!
//!   loss Σ f(ẋ; r(t)) ẋ Δt ≥ 0 for every r(t) ≥ 0,   supply −Σ f Δh,   both to rounding in the balance

use super::{METHODS, hold, require};
use hamiltone_core::{
    audit::{Audit, exact_tolerance},
    coverage::{Coverage, Feature, Need},
    element::Element,
    input::Input,
    ledger::Bookkeeping,
    row::Row,
    scheme::Scheme,
    system::{Output, Quantity, System},
};
use hamiltone_elements::{LinearDamper, Power};
use hamiltone_laws::smooth;

const RATE: f64 = 44_100.0;

fn covers(coverage: Coverage, features: &[Feature]) -> bool {
    features.iter().all(|feature| coverage.covers(Need::Feature(*feature)))
}

/// Two oscillators; a damper between them, and a power contact over the first, which a reference moves.
fn fingered() -> System {
    let mut system = smooth::oscillator();
    smooth::add_oscillator(&mut system, 0.03, 2000.0, 50.0, (0.0, -0.2));
    let damper = LinearDamper.with_resistance(0.0);
    let between = Row::Sparse(vec![(0, 1.0), (1, -1.0)]);
    system.elements.push(Element::new("felt", between, damper.gap, damper.law));
    let finger = Power::new(3e8, 2.0).and_then(|power| power.at_gap(2e-4).with_loss(0.3)).expect("a power");
    system.elements.push(Element::new("finger", Row::unit(0), finger.gap, finger.law));
    system.inputs.push(Input::control("palm", 0..1));
    system.inputs.push(Input::motion("press", 1..2));
    system.inputs.push(Input::force("push", Row::unit(1)));
    for (name, j) in [("felt", 0), ("finger", 1)] {
        system.outputs.push(Output { name: name.into(), quantity: Quantity::Force(j..j + 1) });
    }
    system
}

/// r(t), N s/m: falls on the strings and lifts, now and then negative, which counts as 0 and is told; h(t), m; a force, N.
fn gestures(t: f64) -> [f64; 3] {
    [20.0 * (300.0 * t).sin(), -3e-4 * (1.0 - (800.0 * t).cos()), 0.5 * (900.0 * t).cos()]
}

/// A run of `steps` steps under these gestures; `refine` steps for one.
fn run(
    scheme: &dyn Scheme,
    system: &System,
    steps: usize,
    refine: usize,
) -> Result<(Audit, [f64; 2], f64), String> {
    let dt = 1.0 / (RATE * refine as f64);
    let mut simulation = scheme.prepare(system, dt).map_err(|refusal| refusal.to_string())?;
    let at = |n: usize| gestures(n as f64 * dt);
    let mut audit = Audit::open(simulation.reset(&at(0)), simulation.balance());
    let (mut least_loss, mut forces) = (f64::INFINITY, [0.0; 2]);
    for n in 1..=steps * refine {
        let input = [at(n - 1), at(n)].concat();
        let ledger = simulation.step(&input, Bookkeeping::Full);
        least_loss = least_loss.min(ledger.dissipated);
        audit.post(&ledger);
        let mut now = [0.0; 2];
        simulation.outputs(&mut now);
        forces = [forces[0] + now[0].abs(), forces[1] + now[1].abs()];
    }
    require(forces.iter().all(|force| *force > 0.0), || format!("an element never acts: {forces:?}"))?;
    let motion = simulation.motion();
    Ok((audit, [motion.q[0], motion.q[1]], least_loss))
}

/// Balanced to rounding where the scheme claims so, with losses that are never negative beyond rounding.
fn balanced_and_passive(scheme: &dyn Scheme) -> Result<(), String> {
    if !covers(scheme.coverage(), &[Feature::Resistive, Feature::Control, Feature::Motion]) {
        return Ok(());
    }
    let (audit, _, least_loss) = run(scheme, &fingered(), 4000, 1)?;
    require(audit.fault.is_none(), || format!("{:?}", audit.fault))?;
    require(least_loss >= -16.0 * f64::EPSILON * audit.scale(), || {
        format!("a step gains {least_loss:e} J by losses")
    })?;
    require(audit.supplied.abs() > 1e-3 * audit.energy_peak, || "the gestures do no work".into())?;
    // r(t) is below 0 half of the time.
    require(audit.controls_outside.abs_diff(audit.steps / 2) < audit.steps / 10, || {
        format!("{} of {} steps are told to have a negative control", audit.controls_outside, audit.steps)
    })?;
    let missed = audit.residual_max_relative();
    match scheme.claims().contact {
        hamiltone_core::claims::Balance::Exact { .. } => {
            require(missed <= exact_tolerance(audit.steps, audit.balance.drift()), || {
                format!("the balance misses {missed:e}")
            })
        }
        hamiltone_core::claims::Balance::Bounded => {
            require(missed < 1e-2, || format!("the balance misses {missed:e}"))
        }
    }
}

/// The motion under gestures converges with the claimed order, at most 2 with losses and drives.
fn converges(scheme: &dyn Scheme) -> Result<(), String> {
    if !covers(scheme.coverage(), &[Feature::Resistive, Feature::Control, Feature::Motion]) {
        return Ok(());
    }
    let system = fingered();
    let at = |refine: usize| run(scheme, &system, 200, refine).map(|(_, q, _)| q);
    let (fine, exact) = ([at(8)?, at(16)?], at(256)?);
    let error = |q: &[f64; 2]| q.iter().zip(&exact).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
    let order = (error(&fine[0]) / error(&fine[1])).log2();
    let claimed = f64::from(scheme.claims().order.min(2));
    require((order - claimed).abs() < 0.35, || {
        format!("order {order:.2} with a controlled damper and a moving contact, {claimed} is claimed")
    })
}

/// A finger that is lowered onto an oscillator at rest pushes it aside by what its force does to the spring.
fn a_reference_pushes(scheme: &dyn Scheme) -> Result<(), String> {
    if !covers(scheme.coverage(), &[Feature::Motion]) {
        return Ok(());
    }
    let mut system = System::default();
    // Heavily damped: at rest after 0.3 s.
    smooth::add_oscillator(&mut system, 0.05, 1000.0, 400.0, (0.0, 0.0));
    let (stiffness, depth) = (1e5, 4e-4);
    let finger = Power::new(stiffness, 1.0).expect("a power").at_gap(0.0);
    system.elements.push(Element::new("finger", Row::unit(0), finger.gap, finger.law));
    system.inputs.push(Input::motion("press", 0..1));
    let mut simulation = scheme.prepare(&system, 1.0 / RATE).map_err(|refusal| refusal.to_string())?;
    let press = |n: usize| -depth * (n as f64 / 4000.0).min(1.0);
    let mut supplied = 0.0;
    let initial = simulation.reset(&[0.0]);
    let mut stored = initial;
    for n in 1..=16_000 {
        let ledger = simulation.step(&[press(n - 1), press(n)], Bookkeeping::Full);
        (supplied, stored) = (supplied + ledger.supplied, ledger.stored);
    }
    // k y = K(−y − h): y = −K h/(k + K), with what the spring and the contact then hold.
    let (k, y) = (0.05 * 1e6, simulation.motion().q[0]);
    let exact = -stiffness * depth / (k + stiffness);
    require((y / exact - 1.0).abs() < 1e-6, || format!("it rests at {y:e} m, not at {exact:e} m"))?;
    let held = 0.5 * k * stiffness / (k + stiffness) * depth * depth;
    require((stored / held - 1.0).abs() < 1e-6, || format!("{stored:e} J are stored, {held:e} J are held"))?;
    require(supplied > held, || format!("{supplied:e} J were supplied for {held:e} J held and more lost"))
}

/// A damper takes the kinetic energy of a mass as v = v₀ e^(−rt/m) says.
fn a_damper_slows_a_mass(scheme: &dyn Scheme) -> Result<(), String> {
    if !covers(scheme.coverage(), &[Feature::Resistive]) {
        return Ok(());
    }
    let mut system = System::default();
    let (mass, resistance, speed) = (0.02, 1.5, 0.7);
    system.add_dof(mass, 0.0, speed);
    let damper = LinearDamper.with_resistance(resistance);
    system.elements.push(Element::new("brake", Row::unit(0), damper.gap, damper.law));
    let rate = 1e5;
    let mut simulation = scheme.prepare(&system, 1.0 / rate).map_err(|refusal| refusal.to_string())?;
    simulation.reset(&[]);
    let mut lost = 0.0;
    for _ in 0..2000 {
        lost += simulation.step(&[], Bookkeeping::Full).dissipated;
    }
    let exact = speed * (-resistance / mass * 2000.0 / rate).exp();
    let (v, energy) = (simulation.motion().v[0], 0.5 * mass * (speed * speed - exact * exact));
    // rΔt/m = 7.5e-4: its square over 12 a step for order 2, itself over 2 for order 1, over 1.5 time constants.
    let known = if scheme.claims().order == 1 { 1e-3 } else { 1e-6 };
    require((v / exact - 1.0).abs() < known, || format!("v = {v}, exactly {exact}"))?;
    // Half a step of loss lies on the other side of the sample for schemes whose energy lives half a step away.
    require((lost / energy - 1.0).abs() < 2e-3, || format!("{lost:e} J are lost, exactly {energy:e}"))
}

#[test]
fn gestures_are_balanced_and_dampers_passive() {
    hold(balanced_and_passive);
}

#[test]
fn motion_under_gestures_converges() {
    hold(converges);
}

#[test]
fn a_moving_reference_works() {
    hold(a_reference_pushes);
}

#[test]
fn a_damper_is_linear() {
    hold(a_damper_slows_a_mass);
}

/// A constant resistance below 0 is none: it is refused, not taken for 0.
#[test]
fn a_negative_resistance_is_refused() {
    let mut system = fingered();
    let damper = LinearDamper.with_resistance(-0.5);
    system.elements[0].law = damper.law;
    for method in METHODS.iter() {
        let refusal = method.scheme.prepare(&system, 1.0 / RATE).err().map(|refusal| refusal.to_string());
        assert!(refusal.is_some_and(|said| said.contains("element `felt`: its resistance -0.5 must be ≥ 0")));
    }
}

/// The laws above hold something: implicit and modal schemes cover them.
#[test]
fn some_schemes_cover_gestures() {
    let features = [Feature::Resistive, Feature::Control, Feature::Motion];
    let count = METHODS.iter().filter(|method| covers(method.scheme.coverage(), &features)).count();
    assert!(count >= 9, "only {count} schemes");
}

//! The ledger of each step makes sense by themselves: losses take, what is not driven is not supplied, free
//! energy decays, outputs are the rows of the state, and the physical energy is that of the state.

use super::{Taken, hold_at_random, require};
use hamiltone_core::{
    audit::STEP_TOLERANCE,
    claims::Contraction,
    ledger::{Bookkeeping, Ledger},
    scheme::Scheme,
    system::{Quantity, System},
};
use hamiltone_laws::{parts, trial::Trial};

pub fn law(scheme: &dyn Scheme, trial: &Trial) -> Taken {
    let Some(mut stepper) = trial.prepare(scheme)? else { return Ok(false) };
    let (inputs, n) = (trial.inputs(), trial.system.inputs.len());
    let (mut q, mut v) = (vec![0.0; trial.system.size()], vec![0.0; trial.system.size()]);
    let mut values = vec![0.0; trial.system.outputs.len()];
    let mut largest = vec![0.0; trial.system.outputs.len()];
    let mut stored = stepper.reset(&inputs[..n]);
    // A method that promises no contraction may put damping into kicks that go back in time.
    let strict = scheme.claims().contraction != Contraction::Free;
    let (exact, first) = (stepper.balance().is_exact(), stored);
    let (mut most, mut size) = (stored.abs(), 0.0_f64);
    for k in 0..trial.steps {
        let ledger = stepper.step(&inputs[k * n..(k + 2) * n], Bookkeeping::Full);
        if ledger.effort.fault.is_some_and(|fault| fault.ends_run()) {
            return Ok(true);
        }
        most = most.max(ledger.stored.abs() + ledger.leverage);
        let rigid = trial.system.elements.iter().any(|contact| contact.law.restitution().is_some());
        require(rigid || ledger.contact_work == 0.0, || {
            format!("compliant contacts worked {} J", ledger.contact_work)
        })?;
        one_step(&ledger, n, stored, exact, most, strict).map_err(|broken| format!("step {k}: {broken}"))?;
        stored = ledger.stored;
        stepper.snapshot(&mut q, &mut v);
        stepper.outputs(&mut values);
        outputs_are_rows(&trial.system, [&q, &v], &values, &mut largest)
            .map_err(|broken| format!("step {k}: {broken}"))?;
        let (told, energy) =
            (stepper.physical_energy(), trial.system.energy(&q, &v, &inputs[(k + 1) * n..(k + 2) * n]));
        size = size.max(energy + ledger.leverage);
        // Sums of some tens of squares, each rounded to a few eps, and penetrations to a few eps of what they are made of.
        require((told - energy).abs() <= 64.0 * f64::EPSILON * size || !energy.is_finite(), || {
            format!("step {k}: the method tells {told} J, the state has {energy} J")
        })?;
        if !stored.is_finite() || stored > 1e6 * first {
            return Ok(true);
        }
    }
    Ok(true)
}

/// `most`: the size of what was compared so far.
fn one_step(
    ledger: &Ledger,
    inputs: usize,
    stored: f64,
    exact: bool,
    most: f64,
    strict: bool,
) -> Result<(), String> {
    // What a port takes that sticks or is shut is a rounding of its work.
    let rounding = 16.0 * f64::EPSILON * (ledger.leverage + stored.abs());
    require(!strict || ledger.dissipated >= -rounding, || format!("losses gave {} J", -ledger.dissipated))?;
    require(ledger.leverage >= 0.0, || "a negative scale".into())?;
    if inputs == 0 {
        require(ledger.supplied == 0.0, || {
            format!("nothing drives it, but it was given {} J", ledger.supplied)
        })?;
        let gained = ledger.stored - stored - ledger.contact_work;
        require(!exact || gained <= STEP_TOLERANCE * most, || {
            format!("left to itself it gained {gained} J of {most}")
        })?;
    }
    Ok(())
}

/// Displacements and velocities are c·q and c·q̇. A row of n entries is rounded n + 1 times at most on either side, and its factors of time
/// four times, each by half an eps of the `largest` so far: where an oscillation crosses 0, a state is known to the rounding of the steps that
/// led there.
fn outputs_are_rows(
    system: &System,
    [q, v]: [&[f64]; 2],
    values: &[f64],
    largest: &mut [f64],
) -> Result<(), String> {
    for ((output, &values), largest) in system.outputs.iter().zip(values).zip(largest) {
        let parts = match &output.quantity {
            Quantity::Displacement(row) => vec![(row, q)],
            Quantity::Velocity(row) => vec![(row, v)],
            Quantity::Motion(place, speed) => vec![(place, q), (speed, v)],
            Quantity::Force(_) | Quantity::MeanForce(_) | Quantity::Tension(..) => continue,
        };
        // Below the smallest normal number roundings are as large as numbers.
        *largest = parts.iter().map(|(row, x)| row.magnitude(x)).sum::<f64>().max(*largest);
        let roundings = (parts.iter().map(|(row, _)| row.entries().count()).max().unwrap_or(0) + 4) as f64;
        let known = roundings * f64::EPSILON * *largest + f64::MIN_POSITIVE;
        let sum: f64 = parts.iter().map(|(row, x)| row.dot(x)).sum();
        require((values - sum).abs() <= known, || format!("{} is {values}, not {sum}", output.name))?;
    }
    Ok(())
}

#[test]
fn losses_take_and_outputs_are_rows_of_the_state() {
    hold_at_random(parts::audible, 200, 300, 4, law);
}

//! Steps in which nothing acts, taken many at a time, have the bits of single steps.

use super::{METHODS, Taken, hold_at_random, require};
use hamiltone_core::{ledger::Bookkeeping, scheme::Scheme, simulation::Simulation};
use hamiltone_laws::{parts, trial::Trial};
use hamiltone_numerics::math::canonical;
use std::cell::Cell;

/// For so many steps in a row the inputs stay as they are.
const STEADY: usize = 40;

/// The bits of outputs and losses of each step and of the energy after every stretch of steady inputs; how many steps were taken many
/// at a time, at most `most`.
fn go(simulation: &mut Simulation, trial: &Trial, most: usize) -> (Vec<u64>, usize) {
    let (inputs, n, count) = (trial.inputs(), trial.system.inputs.len(), trial.system.outputs.len());
    let (mut outputs, mut losses) = (vec![0.0; most.max(1) * count], vec![0.0; most]);
    let (mut bits, mut free) = (Vec::new(), 0);
    let mut bit = |x: f64| bits.push(canonical(x).to_bits());
    // Every second stretch is one without inputs: white noise always acts.
    let input =
        |k: usize| inputs[k * n..(k + 1) * n].iter().map(move |u| if k.is_multiple_of(2) { 0.0 } else { *u });
    simulation.reset(&input(0).collect::<Vec<f64>>());
    for stretch in 1..=trial.steps / STEADY {
        let mut both: Vec<f64> = input(stretch - 1).chain(input(stretch)).collect();
        let mut left = STEADY;
        while left > 0 {
            // In the first step of a stretch the inputs change.
            let taken = match left < STEADY {
                true => simulation.free_steps(&mut losses[..most.min(left)], &mut outputs),
                false => 0,
            };
            if taken == 0 {
                let ledger = simulation.step(&both, Bookkeeping::Flows);
                both.copy_within(n.., 0);
                bit(ledger.dissipated);
                simulation.outputs(&mut outputs[..count]);
                outputs[..count].iter().for_each(|x| bit(*x));
                left -= 1;
                if ledger.effort.fault.is_some_and(|fault| fault.ends_run()) {
                    return (bits, free);
                }
                continue;
            }
            for k in 0..taken {
                bit(losses[k]);
                outputs[k * count..(k + 1) * count].iter().for_each(|x| bit(*x));
            }
            (left, free) = (left - taken, free + taken);
        }
        bit(simulation.energy());
    }
    (bits, free)
}

fn law(scheme: &dyn Scheme, trial: &Trial, free: &Cell<usize>) -> Taken {
    let Some(mut simulation) = trial.prepare(scheme)? else { return Ok(false) };
    let (single, _) = go(&mut simulation, trial, 0);
    for most in [1, 7, 64] {
        let (many, taken) = go(&mut simulation, trial, most);
        free.set(free.get() + taken);
        // A method that is infinite tells it in its losses, of which the last ones are then no numbers.
        require(many[..single.len()] == single, || format!("{most} at a time they go another way"))?;
    }
    Ok(true)
}

#[test]
fn free_steps_have_the_bits_of_single_ones() {
    let free = Cell::new(0);
    let taken = hold_at_random(parts::audible, 300, 400, 4, |scheme, trial| law(scheme, trial, &free));
    assert_eq!(taken.len(), METHODS.len());
    // White noise leaves elements in reach for most of the time that follows it.
    assert!(free.get() > 200, "{}", free.get());
}

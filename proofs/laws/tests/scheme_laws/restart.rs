//! Saved states: a run that is stopped anywhere and continued from bytes gives the same bits.

use super::{METHODS, Taken, hold_at_random, require};
use hamiltone_core::{
    ledger::Bookkeeping,
    row::Row,
    saved::{Mismatch, Saved},
    scheme::Scheme,
    simulation::Simulation,
    system::System,
};
use hamiltone_laws::{parts, smooth, trial::Trial};
use hamiltone_numerics::math::canonical;

/// The steps `from` … `to` of a trial, struck now and then: the bits of outputs, motion and ledgers, and whether a fault ended them.
fn go(
    simulation: &mut Simulation,
    trial: &Trial,
    inputs: &[f64],
    (from, to): (usize, usize),
) -> (Vec<u64>, bool) {
    let n = trial.system.inputs.len();
    let (mut outputs, mut bits, mut ended) = (vec![0.0; trial.system.outputs.len()], Vec::new(), false);
    let row = Row::unit(trial.system.size() - 1);
    for k in from..to {
        if k % 13 == 5 {
            simulation.impulse(&row, 1e-3 * trial.system.mass[trial.system.size() - 1]);
        }
        let ledger = simulation.step(&inputs[k * n..(k + 2) * n], Bookkeeping::Full);
        simulation.outputs(&mut outputs);
        let entries =
            [ledger.stored, ledger.dissipated, ledger.supplied, ledger.contact_work, ledger.leverage];
        // A saved state has one NaN, whatever its sign was.
        bits.extend(outputs.iter().chain(&entries).map(|x| canonical(*x).to_bits()));
        ended = ledger.effort.fault.is_some_and(|fault| fault.ends_run());
        if ended {
            break;
        }
    }
    let motion = simulation.motion();
    bits.extend(motion.q.iter().chain(&motion.v).map(|x| canonical(*x).to_bits()));
    (bits, ended)
}

/// Saved to bytes halfway, restored into a fresh simulation and into the same one, and forked; a clone that was never saved goes
/// the same way.
fn law(scheme: &dyn Scheme, trial: &Trial) -> Taken {
    let Some(mut whole) = trial.prepare(scheme)? else { return Ok(false) };
    let inputs = trial.inputs();
    let n = trial.system.inputs.len();
    // Also right after an impulse, whose energy is not yet booked.
    let stop = trial.seed as usize % (trial.steps - 1) + 1;
    whole.reset(&inputs[..n]);
    go(&mut whole, trial, &inputs, (0, stop));
    whole.impulse(&Row::unit(0), 1e-4 * trial.system.mass[0]);
    let mut untouched = whole.clone();
    let bytes = whole.save().to_bytes();
    let mut fork = whole.clone();
    let rest = go(&mut whole, trial, &inputs, (stop, trial.steps));
    let saved = Saved::from_bytes(&bytes).map_err(|error| error.to_string())?;
    let Some(mut fresh) = trial.prepare(scheme)? else { return Ok(false) };
    for (name, simulation) in [("a fresh simulation", &mut fresh), ("the same one", &mut whole)] {
        match simulation.restore(&saved) {
            // A run that has diverged is not continued: its next step ends it.
            Err(Mismatch::NotFinite) if rest.1 => return Ok(true),
            other => other.map_err(|error| error.to_string())?,
        }
        require(go(simulation, trial, &inputs, (stop, trial.steps)) == rest, || {
            format!("restored into {name} after {stop} steps it goes another way")
        })?;
    }
    require(go(&mut untouched, trial, &inputs, (stop, trial.steps)) == rest, || {
        format!("saved after {stop} steps it goes another way than without")
    })?;
    require(go(&mut fork, trial, &inputs, (stop, trial.steps)) == rest, || {
        "a clone goes another way".into()
    })?;
    Ok(true)
}

/// A scheme, a step or a system that is another one is told apart, and nothing is changed.
#[test]
fn states_of_other_runs_are_refused() {
    let (one, two) = (smooth::oscillator(), smooth::pair());
    let named = |name: &str| hamiltone_schemes::named(name).expect("a scheme of this name");
    let mut ec = named("ec").prepare(&one, 1e-5).expect("it runs");
    let saved = ec.save();
    let mut other = named("mr").prepare(&one, 1e-5).expect("it runs");
    assert!(matches!(other.restore(&saved), Err(Mismatch::Scheme(..))));
    let mut slower = named("ec").prepare(&one, 2e-5).expect("it runs");
    assert!(matches!(slower.restore(&saved), Err(Mismatch::Step(..))));
    let mut larger = named("ec").prepare(&two, 1e-5).expect("it runs");
    assert!(matches!(larger.restore(&saved), Err(Mismatch::Size(..))));
}

/// Nor are those of a system or of options of the same scheme that differ in values alone.
#[test]
fn states_of_other_values_are_refused() {
    let own = smooth::with_contact(smooth::oscillator(), &smooth::contacts()[0][0].contact);
    let [mut heavier, mut apart, mut renamed] = [own.clone(), own.clone(), own.clone()];
    heavier.mass[0] *= 2.0;
    apart.elements[0].gap += 1e-3;
    renamed.elements[0].name = "another name".into();
    let stepper = |system: &System, start| {
        let method = METHODS.iter().find(|method| method.name == format!("leapfrog {start}"));
        method.expect("both starts").scheme.prepare(system, 1e-5).expect("it runs")
    };
    let saved = stepper(&own, "printed").save();
    for mut other in [stepper(&heavier, "printed"), stepper(&apart, "printed"), stepper(&own, "taylor")] {
        let before = other.motion().clone();
        let refused = other.restore(&saved).expect_err("another run");
        assert!(matches!(refused, Mismatch::Fingerprint(..)), "{refused}");
        assert_eq!(*other.motion(), before);
    }
    assert_eq!(stepper(&renamed, "printed").restore(&saved), Ok(()));
}

#[test]
fn a_saved_run_continues_with_the_same_bits() {
    hold_at_random(parts::audible, 150, 120, 4, law);
}

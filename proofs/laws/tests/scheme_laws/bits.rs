//! The same start gives the same bits: again, in another stepper, in one that shares what is constant with a run of other initial
//! conditions, in blocks, and with the books off.

use super::{Taken, hold_at_random, require};
use hamiltone_core::{
    claims::Claims,
    coverage::Coverage,
    identity::Identity,
    ledger::{Bookkeeping, Ledger},
    refusal::Refusal,
    row::Row,
    scheme::Scheme,
    simulation::{Simulation, run_block},
    stepper::{Activity, Gaps, Stepper},
    system::{Output, Quantity, System},
};
use hamiltone_laws::{parts, smooth, trial::Trial};
use std::{
    fmt::{self, Debug, Formatter},
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
};

/// What a run leaves: the bits of all outputs after each step, of the final state and of the ledgers.
#[derive(PartialEq)]
struct Trace {
    outputs: Vec<u64>,
    state: Vec<u64>,
    ledgers: Vec<u64>,
}

fn bits(x: &[f64]) -> Vec<u64> {
    x.iter().map(|x| x.to_bits()).collect()
}

fn entries(ledger: &Ledger) -> [f64; 5] {
    [ledger.stored, ledger.dissipated, ledger.supplied, ledger.contact_work, ledger.leverage]
}

fn state(stepper: &mut Simulation, trial: &Trial) -> Vec<u64> {
    let (mut q, mut v) = (vec![0.0; trial.system.size()], vec![0.0; trial.system.size()]);
    stepper.snapshot(&mut q, &mut v);
    [bits(&q), bits(&v)].concat()
}

/// All steps, one by one or in `blocks` of these lengths, until a fault ends them.
fn trace(stepper: &mut Simulation, trial: &Trial, blocks: &[usize], books: Bookkeeping) -> Trace {
    let (inputs, n, m) = (trial.inputs(), trial.system.inputs.len(), trial.system.outputs.len());
    let mut ledgers = vec![stepper.reset(&inputs[..n])];
    let (mut outputs, mut done, mut ended) = (Vec::new(), 0, false);
    for frames in blocks.iter().cycle().copied() {
        let frames = frames.min(trial.steps - done);
        let mut values = vec![0.0; frames * m];
        let taken = run_block(
            stepper,
            &inputs[done * n..(done + frames + 1) * n],
            &mut values,
            frames,
            &|_| books,
            &mut |ledger| {
                ledgers.extend(entries(ledger));
                ended = ledger.effort.fault.is_some_and(|fault| fault.ends_run());
                !ended
            },
        );
        outputs.extend(&values[..taken * m]);
        done += taken;
        if ended || done == trial.steps {
            break;
        }
    }
    Trace { outputs: bits(&outputs), state: state(stepper, trial), ledgers: bits(&ledgers) }
}

/// Step by step through `step` and `outputs` alone.
fn steps(stepper: &mut Simulation, trial: &Trial) -> Trace {
    let (inputs, n) = (trial.inputs(), trial.system.inputs.len());
    let mut ledgers = vec![stepper.reset(&inputs[..n])];
    let (mut outputs, mut values) = (Vec::new(), vec![0.0; trial.system.outputs.len()]);
    for k in 0..trial.steps {
        let ledger = stepper.step(&inputs[k * n..(k + 2) * n], Bookkeeping::Full);
        ledgers.extend(entries(&ledger));
        stepper.outputs(&mut values);
        outputs.extend(&values);
        if ledger.effort.fault.is_some_and(|fault| fault.ends_run()) {
            break;
        }
    }
    Trace { outputs: bits(&outputs), state: state(stepper, trial), ledgers: bits(&ledgers) }
}

pub fn law(scheme: &dyn Scheme, trial: &Trial) -> Taken {
    let (Some(mut one), Some(mut other)) = (trial.prepare(scheme)?, trial.prepare(scheme)?) else {
        return Ok(false);
    };
    let first = steps(&mut one, trial);
    require(first == steps(&mut one, trial), || "a second run after reset differs".into())?;
    require(first == steps(&mut other, trial), || "a second stepper differs".into())?;
    let (mut thrown, dt) = (trial.system.clone(), one.dt());
    thrown.initial.velocity.iter_mut().for_each(|v| *v += 0.1);
    if let Ok(mut earlier) = scheme.prepare(&thrown, dt) {
        if trial.seed.is_multiple_of(2) {
            // What is not as it was built is not shared.
            earlier.activity(dt, Gaps::SoFar, &mut vec![Activity::NONE; trial.system.elements.len()]);
            earlier.retune(&vec![1.0; trial.system.size()]);
        }
        let shared = scheme.prepare_like(&trial.system, dt, Some(&earlier));
        let mut shared = shared.map_err(|refusal| refusal.to_string())?;
        require(first == steps(&mut shared, trial), || "one like another run differs".into())?;
    }
    require(first == trace(&mut one, trial, &[1, 7, 64], Bookkeeping::Full), || {
        "a run in blocks differs".into()
    })?;
    let silent = trace(&mut one, trial, &[64], Bookkeeping::Flows);
    require(first.outputs == silent.outputs && first.state == silent.state, || {
        "it moves otherwise with books off".into()
    })?;
    require(first == steps(&mut one, trial), || "a run after one with books off differs".into())?;
    Ok(true)
}

/// A scheme that counts how often it is built.
struct Counted<'a>(&'a dyn Scheme, &'a AtomicUsize);

impl Debug for Counted<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl Scheme for Counted<'_> {
    fn name(&self) -> &'static str {
        self.0.name()
    }

    fn identity(&self) -> Identity {
        self.0.identity()
    }

    fn claims(&self) -> Claims {
        self.0.claims()
    }

    fn coverage(&self) -> Coverage {
        self.0.coverage()
    }

    fn build(&self, system: &Arc<System>, dt: f64) -> Result<Box<dyn Stepper>, Refusal> {
        self.1.fetch_add(1, Ordering::Relaxed);
        self.0.build(system, dt)
    }
}

/// A run is built anew where anything but names and initial conditions differs from the one at hand.
#[test]
fn a_run_like_another_is_built_once() {
    let (scheme, (dt, built)) = (hamiltone_schemes::named("ec").unwrap(), (1e-5, AtomicUsize::new(0)));
    let counted = Counted(&*scheme, &built);
    let mut system = smooth::oscillator();
    let first = counted.prepare(&system, dt).unwrap();
    let like = |system: &System, dt: f64| {
        let before = built.load(Ordering::Relaxed);
        counted.prepare_like(system, dt, Some(&first)).unwrap();
        built.load(Ordering::Relaxed) - before
    };
    system.initial.velocity[0] += 1.0;
    assert_eq!(like(&system, dt), 0);
    assert_eq!(like(&system, 2.0 * dt), 1);
    system.outputs.push(Output { name: "x".into(), quantity: Quantity::Displacement(Row::unit(0)) });
    assert_eq!(like(&system, dt), 1);
    system.outputs.clear();
    system.mass[0] *= 2.0;
    assert_eq!(like(&system, dt), 1);
}

#[test]
fn runs_repeat_bit_for_bit() {
    hold_at_random(parts::audible, 150, 200, 4, law);
}

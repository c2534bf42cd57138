//! Symmetric steps can be undone, and continued from any state: what composing them relies on.
//!
//!   Φ₋Δt ∘ Φ_Δt = 1 without damping and drives;   a restored state goes on as if it had come there

use super::{hold, require};
use hamiltone_core::{
    ledger::Bookkeeping,
    operator::Operator,
    scheme::Scheme,
    simulation::Simulation,
    state::{Motion, State},
    system::System,
};
use hamiltone_laws::smooth;
use std::sync::Arc;

/// s; ωΔt = 0.07.
const DT: f64 = 1.0 / 44_100.0;
const STEPS: usize = 100;

fn run(stepper: &mut Simulation, steps: usize) {
    for _ in 0..steps {
        stepper.step(&[], Bookkeeping::Flows);
    }
}

/// How far two states lie apart, as a part of the amplitude.
fn apart(a: &Motion, b: &Motion) -> f64 {
    let largest = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
    largest(&a.q, &b.q) / 1e-4 + largest(&a.v, &b.v) / 0.4
}

fn undamped(mut system: System) -> System {
    system.blocks.iter_mut().for_each(|block| block.damping = Operator::Zero);
    system
}

pub fn law(scheme: &dyn Scheme) -> Result<(), String> {
    let mut systems = vec![undamped(smooth::oscillator()), undamped(smooth::pair())];
    for contact in smooth::contacts().iter().filter_map(|kind| kind.iter().find(|given| !given.lossy)) {
        // Some schemes take one coordinate, or none that are coupled.
        let both = [smooth::oscillator(), smooth::pair()];
        systems.extend(both.map(|system| undamped(smooth::with_contact(system, &contact.contact))));
    }
    let (mut undone, mut all_undone) = (0, true);
    for system in &systems {
        let Ok(mut there) = scheme.prepare(system, DT) else { continue };
        there.reset(&[]);
        let start = there.motion().clone();
        run(&mut there, STEPS);
        let middle = there.motion().clone();
        // Built, not prepared: whether it undoes its steps must not depend on what it claims.
        let gone = scheme.build(&Arc::new(system.clone()), -DT).ok().map(|mut back| {
            back.state(State::Start(&middle, &[]));
            for _ in 0..STEPS {
                back.step(&[]);
            }
            let mut end = middle.clone();
            back.state(State::Tell(&mut end));
            apart(&end, &start)
        });
        // A hundred steps there and back, each rounded a few times; contacts let roundings grow tenfold.
        let undoes = gone.is_some_and(|gone| gone < 1e-11);
        require(undoes || !scheme.claims().symmetric, || {
            format!("claimed to be symmetric, but a step back misses {gone:?}")
        })?;
        all_undone &= undoes;
        undone += 1;
        if scheme.claims().symmetric {
            let mut other = scheme.prepare(system, DT).map_err(|refusal| refusal.to_string())?;
            other.place(&middle, &[]);
            run(&mut there, 10);
            run(&mut other, 10);
            let missed = apart(&there.motion().clone(), other.motion());
            require(missed < 1e-12, || format!("restarted it goes another way by {missed:e}"))?;
        }
    }
    require(undone > 0, || "it takes none of these systems".into())?;
    require(all_undone == scheme.claims().symmetric, || {
        "every step can be undone, which is not claimed".into()
    })
}

#[test]
fn steps_are_undone_as_claimed() {
    hold(law);
}

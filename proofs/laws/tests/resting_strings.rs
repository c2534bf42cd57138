//! Strings on a board of which one rests under its damper: nothing is lost from the balance, little from the sound, and it goes on when the
//! damper is lifted.

use super::joints::{C4, RATE, coupled, soundboard};
use hamiltone_core::{
    audit::{Audit, exact_tolerance},
    element::Element,
    input::Input,
    ledger::Bookkeeping,
    row::Row,
    saved::Saved,
    simulation::Simulation,
    system::{Output, Quantity, System},
};
use hamiltone_elements::LinearDamper;
use hamiltone_schemes::named;

/// The part of the whole below which a string rests.
const SHARE: f64 = 1e-4;

/// Three strings that are struck; a damper lies on the third until it is lifted.
fn damped() -> System {
    let mut system = coupled(&soundboard(), &[C4], 5_000.0);
    let strings: Vec<_> = system.joints.iter().map(|joint| joint.dofs()).collect();
    for string in &strings {
        string.clone().enumerate().for_each(|(n, i)| system.initial.velocity[i] = 1e-2 / (1.0 + n as f64));
    }
    let third = &strings[2];
    let shape = |at: f64| {
        let weight = |n: usize| (n as f64 * std::f64::consts::PI * at).sin();
        Row::Dense { first: third.start, weights: (1..=third.len()).map(weight).collect() }
    };
    let felt = LinearDamper.with_resistance(0.0);
    for at in [0.12, 0.17] {
        system.elements.push(Element::new("felt", shape(at), felt.gap, felt.law.clone()));
    }
    system.inputs.push(Input::control("felt", 0..2));
    system.outputs.push(Output { name: "third".into(), quantity: Quantity::Displacement(shape(0.4)) });
    system
}

/// What a run made: the sounds of the bridge and of the third string, and its balance.
struct Heard {
    bridge: Vec<f64>,
    third: Vec<f64>,
    audit: Audit,
}

/// The resistance of each felt at a step, N s/m: it is lifted after a second, within 4 ms.
fn resistance(step: usize) -> f64 {
    let since = (step as f64 / RATE - 1.0) / 4e-3;
    4.3 * (1.0 - since.clamp(0.0, 1.0))
}

/// Two seconds from a start on or, saved at a step and restored, beyond it.
fn run(share: Option<f64>, saved_at: Option<usize>) -> Heard {
    let system = damped();
    let begin = || -> Simulation {
        let mut simulation = named("modal-ec").unwrap().prepare(&system, 1.0 / RATE).unwrap();
        assert!(share.is_none_or(|share| simulation.let_rest(share)));
        simulation
    };
    let mut simulation = begin();
    let mut audit = Audit::open(simulation.reset(&[resistance(0)]), simulation.balance());
    let (mut bridge, mut third, mut output) = (Vec::new(), Vec::new(), [0.0; 2]);
    for step in 0..(2.0 * RATE) as usize {
        if saved_at == Some(step) {
            let saved = simulation.save().to_bytes();
            simulation = begin();
            simulation.restore(&Saved::from_bytes(&saved).unwrap()).unwrap();
        }
        let kind = if step % 64 == 63 { Bookkeeping::Full } else { Bookkeeping::Flows };
        let input = [resistance(step), resistance(step + 1)];
        assert!(audit.post(&simulation.step(&input, kind)), "{:?}", audit.fault);
        simulation.outputs(&mut output);
        bridge.push(output[0]);
        third.push(output[1]);
    }
    Heard { bridge, third, audit }
}

fn size(sound: &[f64]) -> f64 {
    sound.iter().map(|x| x * x).sum::<f64>().sqrt()
}

/// The size of what two sounds differ by, relative to the first.
fn apart(sound: &[f64], other: &[f64]) -> f64 {
    let differences: Vec<f64> = sound.iter().zip(other).map(|(a, b)| a - b).collect();
    size(&differences) / size(sound)
}

#[test]
fn a_damped_string_rests_and_goes_on() {
    let (always, rests) = (run(None, None), run(Some(SHARE), None));
    for heard in [&always, &rests] {
        let missed = heard.audit.residual_max_relative();
        assert!(missed <= exact_tolerance(heard.audit.steps, heard.audit.balance.drift()), "{missed:e}");
    }
    let lifted = RATE as usize;
    // It rests once its felt has taken nearly all of its energy, and until the felt begins to rise.
    let moves = |heard: &Heard, steps: std::ops::Range<usize>| heard.third[steps].iter().any(|x| *x != 0.0);
    assert!(
        moves(&rests, 0..4_800) && !moves(&rests, lifted / 2..lifted) && moves(&always, lifted / 2..lifted)
    );
    // Nothing drives it: what is supplied is what the string stands up with. It is 1.0e-7 of the energy; standing at 0 and not on its bridge, 5.5e-7.
    let stood = rests.audit.supplied / rests.audit.energy_initial;
    assert!(stood < 2.5e-7, "{stood:e}");
    // What the felt would have taken is √SHARE of the sound at most; free again it is driven as the one that never rested.
    assert!(apart(&always.bridge, &rests.bridge) < SHARE.sqrt(), "{}", apart(&always.bridge, &rests.bridge));
    let after = lifted + 4_800;
    let driven = apart(&always.third[after..], &rests.third[after..]);
    assert!(size(&rests.third[after..]) > 0.0 && driven < 0.02, "{driven}");
}

#[test]
fn a_resting_string_is_saved_and_restored() {
    let whole = run(Some(SHARE), None);
    for at in [100, 10_000, 48_050, 60_000] {
        let resumed = run(Some(SHARE), Some(at));
        assert!(resumed.bridge == whole.bridge && resumed.third == whole.third, "saved at step {at}");
    }
}

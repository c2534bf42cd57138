//! Strings on a board that are stepped in one array while nothing but their bridge acts on them: the same bits as each by itself, whatever happens to
//! them.

use super::joints::{C4, RATE, coupled, soundboard};
use hamiltone_core::{
    audit::Audit,
    element::Element,
    input::Input,
    ledger::Bookkeeping,
    operator::Operator,
    row::Row,
    saved::Saved,
    stepper::{Activity, Gaps},
    system::{Block, Output, Quantity, System},
};
use hamiltone_elements::{LinearDamper, Power};
use hamiltone_schemes::named;

const STEPS: usize = 24_000;

/// Three strings, with modes up to where tightened ones have ωΔt above π/2: a hammer can reach the first, a damper can be put on the third.
fn played() -> System {
    let mut system = coupled(&soundboard(), &[C4], 11_600.0);
    let strings: Vec<_> = system.joints.iter().map(|joint| joint.dofs()).collect();
    let along = |string: &std::ops::Range<usize>, at: f64| {
        let weight = |n: usize| (n as f64 * std::f64::consts::PI * at).sin();
        Row::Dense { first: string.start, weights: (1..=string.len()).map(weight).collect() }
    };
    let hammer = system.add_dof(8e-3, 0.0, 0.0);
    system.blocks.push(Block {
        name: "hammer".into(),
        dofs: hammer..hammer + 1,
        stiffness: Operator::Diagonal(vec![11.0]),
        damping: Operator::Diagonal(vec![0.6]),
    });
    let felt = Power::new(4.5e9, 2.5).expect("a felt").at_gap(2e-3);
    let row = Row::unit(hammer).minus(&along(&strings[0], 0.12));
    system.elements.push(Element::new("felt", row, felt.gap, felt.law));
    let damper = LinearDamper.with_resistance(0.0);
    system.elements.push(Element::new("damper", along(&strings[2], 0.12), damper.gap, damper.law));
    system.inputs.push(Input::force("strike", Row::unit(hammer)));
    system.inputs.push(Input::control("damper", 1..2));
    system.inputs.push(Input::motion("stop", 0..1));
    let quantity = Quantity::Displacement(along(&strings[1], 0.4));
    system.outputs.push(Output { name: "string".into(), quantity });
    system
}

/// While all is at rest, the felt is pushed by 2.5 mm, 0.5 mm into the string, within 2 ms, and drawn back after 10 ms. Then the hammer is thrown within
/// 0.6 ms at 2 m/s, and again 0.2 s later: it arrives between the steps in which all modes are looked at. The damper lies on its string for 50 ms.
fn inputs(step: usize) -> [f64; 3] {
    let throw = [1_013, 9_630].iter().any(|start| (*start..start + 29).contains(&step));
    let damped = (14_400..16_800).contains(&step);
    let pushed = ((step as f64 - 100.0) / 96.0).min((700.0 - step as f64) / 96.0).clamp(0.0, 1.0);
    [if throw { 8e-3 * 2.0 * RATE / 29.0 } else { 0.0 }, if damped { 4.3 } else { 0.0 }, -2.5e-3 * pushed]
}

/// What tightens all strings by two semitones, N/m.
fn tightened(system: &System) -> Vec<f64> {
    let mut added = vec![0.0; system.size()];
    for joint in &system.joints {
        joint.dofs().zip(&joint.springs).for_each(|(i, k)| added[i] = 0.26 * k);
    }
    added
}

/// The bits of a run: the sounds of the bridge and of a string, and what flowed.
#[derive(Debug, PartialEq)]
struct Bits {
    sound: Vec<u64>,
    flows: [u64; 3],
}

/// A run that is saved and restored at each step, if `alone`, and that is resumed at another. Where it is restored, strings take the next step by
/// themselves, and all contacts are looked at.
fn run(alone: bool, gaps: Gaps, resumed_at: Option<usize>) -> Bits {
    let system = played();
    let added = tightened(&system);
    let begin = || {
        let mut simulation = named("modal-ec").unwrap().prepare(&system, 1.0 / RATE).unwrap();
        let mut activity = vec![Activity::NONE; system.elements.len()];
        simulation.activity(1.0 / RATE, gaps, &mut activity);
        simulation
    };
    let mut simulation = begin();
    let mut audit = Audit::open(simulation.reset(&inputs(0)), simulation.balance());
    let (mut sound, mut output) = (Vec::new(), vec![0.0; system.outputs.len()]);
    for step in 0..STEPS {
        if resumed_at == Some(step) {
            let saved = simulation.save().to_bytes();
            simulation = begin();
            simulation.retune(&vec![0.0; added.len()]).expect("springs");
            simulation.restore(&Saved::from_bytes(&saved).unwrap()).unwrap();
        }
        if alone {
            let saved = simulation.save();
            simulation.restore(&saved).unwrap();
        }
        match step {
            12_000 => _ = simulation.retune(&added).expect("springs"),
            18_000 => _ = simulation.retune(&vec![0.0; added.len()]).expect("springs"),
            20_000 => _ = simulation.impulse(&Row::unit(system.joints[1].first), 1e-5),
            _ => {}
        }
        let kind = if step % 64 == 63 { Bookkeeping::Full } else { Bookkeeping::Flows };
        let input = [inputs(step), inputs(step + 1)].concat();
        assert!(audit.post(&simulation.step(&input, kind)), "{:?}", audit.fault);
        simulation.outputs(&mut output);
        sound.extend(output.iter().map(|x| x.to_bits()));
    }
    assert!(audit.supplied > 0.0 && audit.dissipated > 0.0 && sound.iter().any(|bits| *bits != 0));
    Bits { sound, flows: [audit.supplied, audit.dissipated, audit.energy_final].map(f64::to_bits) }
}

#[test]
fn strings_in_one_array_take_the_same_steps() {
    let alone = run(true, Gaps::Since, None);
    for (gaps, resumed_at) in
        [(Gaps::Since, None), (Gaps::Never, None), (Gaps::Never, Some(4_801)), (Gaps::SoFar, Some(15_000))]
    {
        let together = run(false, gaps, resumed_at);
        assert!(together.flows == alone.flows, "{gaps:?}, resumed at {resumed_at:?}: other flows");
        assert!(together.sound == alone.sound, "{gaps:?}, resumed at {resumed_at:?}: another sound");
    }
}

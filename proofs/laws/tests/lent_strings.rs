//! Strings on a board that are stepped in one array while nothing but their bridge acts on them: the same bits as each by itself.

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

/// Three strings: a hammer can reach the first, a damper can be put on the third. A string that an output reads is never lent.
fn played(is_heard: bool) -> System {
    let mut system = coupled(&soundboard(), &[C4], 5_000.0);
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
    if is_heard {
        for string in &strings {
            let quantity = Quantity::Displacement(along(string, 0.4));
            system.outputs.push(Output { name: "string".into(), quantity });
        }
    }
    system
}

/// The hammer is thrown within 0.6 ms at 2 m/s, and again 0.2 s later: it arrives between the steps in which all modes are looked at. The damper lies
/// on its string for 50 ms.
fn inputs(step: usize) -> [f64; 2] {
    let throw = [13, 9_630].iter().any(|start| (*start..start + 29).contains(&step));
    let damped = (14_400..16_800).contains(&step);
    [if throw { 8e-3 * 2.0 * RATE / 29.0 } else { 0.0 }, if damped { 4.3 } else { 0.0 }]
}

/// The bits of a run: the sound of the bridge, and what flowed.
#[derive(Debug, PartialEq)]
struct Bits {
    bridge: Vec<u64>,
    flows: [u64; 3],
}

fn run(is_heard: bool, gaps: Gaps, saved_at: Option<usize>) -> Bits {
    let system = played(is_heard);
    let begin = || {
        let mut simulation = named("modal-ec").unwrap().prepare(&system, 1.0 / RATE).unwrap();
        let mut activity = vec![Activity::NONE; system.elements.len()];
        simulation.activity(1.0 / RATE, gaps, &mut activity);
        simulation
    };
    let mut simulation = begin();
    let mut audit = Audit::open(simulation.reset(&inputs(0)), simulation.balance());
    let (mut bridge, mut output) = (Vec::new(), vec![0.0; system.outputs.len()]);
    for step in 0..STEPS {
        if saved_at == Some(step) {
            let saved = simulation.save().to_bytes();
            simulation = begin();
            simulation.restore(&Saved::from_bytes(&saved).unwrap()).unwrap();
        }
        if step == 20_000 {
            simulation.impulse(&Row::unit(system.joints[1].first), 1e-5);
        }
        let kind = if step % 64 == 63 { Bookkeeping::Full } else { Bookkeeping::Flows };
        let [(a, b), (c, d)] = [0, 1].map(|k| (inputs(step)[k], inputs(step + 1)[k]));
        assert!(audit.post(&simulation.step(&[a, c, b, d], kind)), "{:?}", audit.fault);
        simulation.outputs(&mut output);
        bridge.push(output[0].to_bits());
    }
    assert!(audit.supplied > 0.0 && audit.dissipated > 0.0 && bridge.iter().any(|bits| *bits != 0));
    Bits { bridge, flows: [audit.supplied, audit.dissipated, audit.energy_final].map(f64::to_bits) }
}

#[test]
fn lent_strings_take_the_same_steps() {
    let alone = run(true, Gaps::Since, None);
    for (gaps, saved_at) in
        [(Gaps::Since, None), (Gaps::Never, None), (Gaps::Never, Some(4_801)), (Gaps::SoFar, Some(15_000))]
    {
        let lent = run(false, gaps, saved_at);
        assert!(lent.flows == alone.flows, "{gaps:?}, saved at {saved_at:?}: other flows");
        assert!(lent.bridge == alone.bridge, "{gaps:?}, saved at {saved_at:?}: another sound");
    }
}

//! Strings that stretch on a board, of which one rests under its damper for a while.

use super::schemes;
use crate::joints::{C4, RATE, coupled, soundboard};
use hamiltone_core::{
    audit::{Audit, exact_tolerance},
    coverage::{Feature, Need},
    element::Element,
    form::Form,
    input::Input,
    ledger::Bookkeeping,
    row::Row,
    saved::Saved,
    scheme::Scheme,
    simulation::Simulation,
    system::System,
};
use hamiltone_elements::LinearDamper;
use std::f64::consts::PI;

/// EA (N) and the length (m) of a string of steel.
const STRETCHING: f64 = 1.6e5;
const LENGTH: f64 = 0.66;

/// Three strings that are struck hard, each with the form of its length; a damper lies on the third until it is lifted.
fn strings() -> System {
    let mut system = coupled(&soundboard(), &[C4], 5_000.0);
    let strings: Vec<_> = system.joints.iter().map(|joint| joint.dofs()).collect();
    let stretch = (STRETCHING / LENGTH).sqrt();
    for (k, string) in strings.iter().enumerate() {
        string.clone().enumerate().for_each(|(n, i)| system.initial.velocity[i] = 1.5 / (1.0 + n as f64));
        let entry = |(n, i): (usize, usize)| {
            let wave = (n + 1) as f64 * PI / LENGTH;
            (i, i, stretch * 0.5 * LENGTH * wave * wave)
        };
        let quadratic = string.clone().enumerate().map(entry).collect();
        system.forms.push(Form {
            name: format!("string {k}"),
            quadratic,
            linear: Row::ground(),
            strain: Row::ground(),
            stretch,
        });
    }
    let felt = LinearDamper.with_resistance(0.0);
    for at in [0.12, 0.17] {
        let weight = |n: usize| (n as f64 * PI * at).sin();
        let row =
            Row::Dense { first: strings[2].start, weights: (1..=strings[2].len()).map(weight).collect() };
        system.elements.push(Element::new("felt", row, felt.gap, felt.law.clone()));
    }
    system.inputs.push(Input::control("felt", 0..2));
    system.inputs.push(Input::strain("peg", 0..1));
    system
}

/// The resistance of each felt (N s/m), lifted after 0.6 s within 4 ms, and the prestretch of the first string (m).
fn inputs(step: usize) -> [f64; 2] {
    let t = step as f64 / RATE;
    [4.3 * (1.0 - ((t - 0.6) / 4e-3).clamp(0.0, 1.0)), 2e-4 * (t / 0.3).min(1.0)]
}

fn begin(scheme: &dyn Scheme, system: &System, share: Option<f64>) -> Simulation {
    let mut simulation = scheme.prepare(system, 1.0 / RATE).unwrap();
    assert!(share.is_none_or(|share| simulation.let_rest(share)));
    simulation
}

/// The sound of the bridge over 1.2 s, and the audit; saved at a step and restored.
fn run(scheme: &dyn Scheme, share: Option<f64>, saved_at: Option<usize>) -> (Vec<f64>, Audit) {
    let system = strings();
    let mut simulation = begin(scheme, &system, share);
    let mut audit = Audit::open(simulation.reset(&inputs(0)), simulation.balance());
    let (mut sound, mut output) = (Vec::new(), [0.0]);
    for step in 0..(1.2 * RATE) as usize {
        if saved_at == Some(step) {
            let saved = simulation.save().to_bytes();
            simulation = begin(scheme, &system, share);
            simulation.restore(&Saved::from_bytes(&saved).unwrap()).unwrap();
        }
        let kind = if step % 64 == 63 { Bookkeeping::Full } else { Bookkeeping::Flows };
        let input = [inputs(step), inputs(step + 1)].concat();
        assert!(audit.post(&simulation.step(&input, kind)), "{:?}", audit.fault);
        simulation.outputs(&mut output);
        sound.push(output[0]);
    }
    (sound, audit)
}

#[test]
fn strings_that_stretch_on_a_board_keep_their_balance_and_rest() {
    for scheme in schemes() {
        if !scheme.coverage().covers(Need::Feature(Feature::Joints)) {
            continue;
        }
        let (awake, one) = run(&*scheme, None, None);
        let (resting, other) = run(&*scheme, Some(1e-4), None);
        for audit in [&one, &other] {
            let (missed, tolerance) =
                (audit.residual_max_relative(), exact_tolerance(audit.steps, audit.balance.drift()));
            assert!(missed <= tolerance && missed <= 1e-12, "{missed:e} of {tolerance:e}");
        }
        // It rested: the sound is another one, by less than a string holds of 10⁻⁴ of the energy, whose root is 1 %.
        let size = |x: &mut dyn Iterator<Item = f64>| x.map(|x| x * x).sum::<f64>().sqrt();
        let apart =
            size(&mut awake.iter().zip(&resting).map(|(a, b)| a - b)) / size(&mut awake.iter().copied());
        assert!(apart > 0.0 && apart < 1e-2, "{apart:e}");
        // Saved at rest, and as it is lifted.
        for step in [20_000, 28_850] {
            assert!(run(&*scheme, Some(1e-4), Some(step)).0 == resting, "saved at {step}");
        }
    }
}

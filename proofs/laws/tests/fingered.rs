//! A reed and lips on several bores: the balance while they go from one to another, and a slur without a click.
//!
//!   p = Σ λᵢpᵢ,   Uᵢ = λᵢU,   λ = √(1 − f), √f of the bores around k + f

use super::blown::{RATE, bore, instrument, lips, prepare, reed, run};
use hamiltone_bodies::Fit;
use hamiltone_core::{
    audit::Audit,
    input::Input,
    ledger::Bookkeeping,
    operator::Operator,
    port::{Branches, Mixture},
    row::Row,
    system::{Block, Output, Quantity, System},
};
use hamiltone_laws::long;
use std::f64::consts::TAU;

/// Lengths of the bores, m.
const LENGTHS: [f64; 3] = [0.66, 0.58, 0.33];

/// A reed at rest on bores of these lengths, m; inputs are pressure, opening and bore, outputs the pressure, the reed, the flow, and the pressures at the mouthpieces of the
/// other bores.
fn fingered(lengths: &[f64]) -> System {
    let fits: Vec<Fit> = lengths
        .iter()
        .map(|length| bore(&[[*length, 7.5e-3, 7.5e-3]]).fit(1.0 / RATE, 5000.0).unwrap())
        .collect();
    let mut system = instrument(&fits[0], &reed(1e5), 0.0, 0.0);
    for fit in &fits[1..] {
        let mouthpiece = add_bore(&mut system, fit);
        let reed = system.elements[0].rows[1].clone();
        system.elements[0].rows.extend([mouthpiece.clone(), reed]);
        system.outputs.push(Output { name: "pressure".into(), quantity: Quantity::Velocity(mouthpiece) });
    }
    system.inputs.push(Input::branch("bore", 0..1));
    system
}

/// The row of the mouthpiece of another bore.
pub(super) fn add_bore(system: &mut System, fit: &Fit) -> Row {
    let first = system.size();
    fit.modes.iter().for_each(|mode| _ = system.add_dof(mode.mass, 0.0, 0.0));
    let diagonal = |of: &dyn Fn(f64, f64) -> f64| {
        Operator::Diagonal(fit.modes.iter().map(|mode| mode.mass * of(mode.omega, mode.sigma)).collect())
    };
    system.blocks.push(Block {
        name: "bore".into(),
        dofs: first..system.size(),
        stiffness: diagonal(&|omega, _| omega * omega),
        damping: diagonal(&|_, sigma| 2.0 * sigma),
    });
    Row::Dense { first, weights: vec![1.0; fit.modes.len()] }
}

/// Lips with what stops them on two bores, with three settings of the lips, the first two of which are at one bore.
fn brass() -> System {
    let fit = |length: f64| bore(&[[length, 5.8e-3, 5.8e-3]]).fit(1.0 / RATE, 3000.0).unwrap();
    let mut system = instrument(&fit(1.4), &lips(360.0), 0.0, 0.0);
    let second = add_bore(&mut system, &fit(1.6));
    let first = system.elements[0].row().clone();
    for (air, mass, frequency) in [(first, 6e-5, 480.0), (second, 1e-4, 300.0)] {
        let own = system.add_dof(mass, 0.0, 0.0);
        let of = |value: f64| Operator::Diagonal(vec![mass * value]);
        let omega = TAU * frequency;
        system.blocks.push(Block {
            name: "lips".into(),
            dofs: own..own + 1,
            stiffness: of(omega * omega),
            damping: of(omega / 5.0),
        });
        system.elements[0].rows.extend([air, Row::unit(own)]);
    }
    system.inputs.push(Input::branch("note", 0..1));
    system
}

/// Pressures, openings, bores and lips that change at full speed, within and beyond what there is, 10⁶ steps: balanced, without an iteration, no step gives energy, and
/// resumed with the same bits.
#[test]
fn any_fingering_is_balanced() {
    for (name, system, highest) in [("reed", fingered(&LENGTHS), 4500.0), ("lips", brass(), 9000.0)] {
        play_anything(name, &system, highest);
    }
}

fn play_anything(name: &str, system: &System, highest: f64) {
    let steps = u64::from(long::cases(1_000_000));
    let opening = system.elements[0].law.control().unwrap().own;
    let values = |n: u64| {
        let t = n as f64 / RATE;
        // Every twentieth of a second another of: a slide, a bore at once, a bore beyond the last, one after another in each step.
        let bore = match (20.0 * t) as u64 % 4 {
            0 => 1.0 - (TAU * 3.0 * t).cos(),
            1 => f64::from((n / 400 % 3) as u32),
            2 => 7.0,
            _ => f64::from((n % 3) as u32),
        };
        let pressure = highest * (1.0 + (TAU * 0.9 * t).sin() * (TAU * 3.1 * t).cos());
        [pressure, opening * (0.5 + 0.5 * (TAU * 7.3 * t).sin()), bore]
    };
    let (sound, residual) = run(system, steps, &values, None);
    println!("{name}, {steps} steps: residual {residual:.1e} a step");
    assert!(residual <= 16.0 * f64::EPSILON);
    assert!(run(system, steps, &values, Some(steps / 3)).0 == sound, "a resumed run differs");
}

/// The pressure at the reed while it plays the bore that `branch` gives at each time, s; and the largest residual a step.
fn pressures(system: &System, seconds: f64, branch: impl Fn(f64) -> f64) -> (Vec<f64>, f64) {
    let mut simulation = prepare(system, RATE);
    let values = |n: usize| {
        let t = n as f64 / RATE;
        [2800.0 * (t / 0.01).min(1.0), 4e-4, branch(t)]
    };
    let mut audit = Audit::open(simulation.reset(&values(0)), simulation.balance());
    let mut now = vec![0.0; system.outputs.len()];
    let heard = (0..(seconds * RATE) as usize).map(|n| {
        let [before, after] = [values(n), values(n + 1)];
        let books = if n % 64 == 63 { Bookkeeping::Full } else { Bookkeeping::Flows };
        assert!(audit.post(&simulation.step(&[before, after].concat(), books)));
        simulation.outputs(&mut now);
        let at_bores = [now[0], now[3], now[4]];
        let Mixture { first, weights } =
            Mixture::new(Branches::Bodies, 0.5 * (before[2] + after[2]), LENGTHS.len());
        weights[0] * at_bores[first] + weights[1] * at_bores.get(first + 1).copied().unwrap_or(0.0)
    });
    let heard = heard.collect();
    (heard, audit.residual_max_relative_per_step())
}

/// From bore to bore in 8 ms, up, down, and over one that lies between: the pressure at the reed makes no larger steps than 1.5 times those of the notes before and
/// after, and 0.3 s later it is that of the bore alone.
#[test]
fn a_slur_is_no_click() {
    let system = fingered(&LENGTHS);
    let largest = |heard: &[f64]| heard.windows(2).map(|p| (p[1] - p[0]).abs()).fold(0.0, f64::max);
    let at = |t: f64| (t * RATE) as usize;
    let alone = [0.0, 1.0, 2.0].map(|n| pressures(&system, 1.0, |_| n).0);
    for (from, to) in [(0, 1), (1, 0), (1, 2), (2, 0), (0, 2)] {
        let branch = |t: f64| {
            let done = ((t - 0.5) / 0.008).clamp(0.0, 1.0);
            from as f64 + (to as f64 - from as f64) * (0.5 - 0.5 * (0.5 * TAU * done).cos())
        };
        let (heard, residual) = pressures(&system, 1.0, branch);
        let held = [from, to].map(|n: usize| largest(&alone[n][at(0.6)..])).into_iter().fold(0.0, f64::max);
        let slur = largest(&heard[at(0.5)..at(0.55)]);
        let rms = |heard: &[f64]| (heard.iter().map(|p| p * p).sum::<f64>() / heard.len() as f64).sqrt();
        let level = rms(&heard[at(0.8)..]) / rms(&alone[to][at(0.8)..]);
        println!("{from} to {to}: steps {:.2} of the largest, level {level:.4}, {residual:.1e}", slur / held);
        assert!(slur <= 1.5 * held && (level - 1.0).abs() < 0.01 && residual <= 16.0 * f64::EPSILON);
    }
}

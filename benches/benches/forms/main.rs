//! What tension modulation costs: strings with a form of their length beside the same banks without, energy balance included.
//!
//! `cargo bench -p hamiltone-benches --bench forms`; `nice -n -8` where others share the machine. Every figure is the least of several runs
//! taken in turns. Steps are taken one by one, with their flows each and the stored energy every 64 steps, as renders have it; the second
//! ratio is that to the same bank as renders step it while nothing acts, many steps at a time.
//!
//! A string of n modes sin(kᵢx), kᵢ = iπ/L, has the form ψ = ½ΣBᵢqᵢ², Bᵢ = √(EA/L) kᵢ²L/2 (Kirchhoff 1876, Carrier 1945). It is plucked by 4 mm,
//! which tightens it by some percent.

#![allow(clippy::disallowed_methods, reason = "no file depends on the numbers of benchmarks")]

mod shared;

use hamiltone_benches::timing::least_in_turns;
use hamiltone_core::{
    audit::{AUDIT_INTERVAL, Audit},
    form::Form,
    input::Input,
    ledger::Bookkeeping,
    operator::Operator,
    row::Row,
    simulation::Simulation,
    system::{Block, Output, Quantity, System},
};
use hamiltone_schemes::named;
use std::f64::consts::{LN_10, PI};

const RATE: f64 = 48_000.0;
const RUNS: usize = 15;
const STEPS: usize = 4_800;
/// Steps between two balances.
const AUDITED: usize = AUDIT_INTERVAL as usize;
/// Strings that sound together.
const STRINGS: usize = 60;

/// The fifth string of a guitar: length (m), tension (N), mass (kg/m), inharmonicity, EA of its core (N), and how long it sounds (s).
const LENGTH: f64 = 0.65;
const TENSION: f64 = 81.0;
const DENSITY: f64 = 3.96e-3;
const STIFFNESS: f64 = 1e-5;
const STRETCHING: f64 = 2.5e4;
const DECAY: f64 = 8.0;
/// Where it is plucked, as a part of its length, and how far (m).
const PLUCKED: (f64, f64) = (0.2, 4e-3);

/// What acts on a string besides its springs.
#[derive(Clone, Copy, PartialEq)]
enum Stretch {
    No,
    Free,
    /// A peg that has lengthened it by 0.2 mm.
    Strained,
}

const PRESTRETCH: f64 = 2e-4;

/// Strings of so many modes each.
fn strings(count: usize, modes: usize, stretch: Stretch) -> System {
    let mut system = System::default();
    let slope = (STRETCHING / LENGTH).sqrt();
    let wave = |n: usize| n as f64 * PI / LENGTH;
    let (at, height) = PLUCKED;
    for string in 0..count {
        let mass = 0.5 * DENSITY * LENGTH;
        let pluck = |n: usize| {
            2.0 * height * (n as f64 * PI * at).sin() / ((n as f64 * PI).powi(2) * at * (1.0 - at))
        };
        let first = system.size();
        (1..=modes).for_each(|n| _ = system.add_dof(mass, pluck(n), 0.0));
        let spring = |n: usize| {
            // Each string of several has a tension of its own.
            let tension = TENSION * (1.0 + 0.01 * string as f64);
            0.5 * LENGTH * tension * wave(n).powi(2) * (1.0 + STIFFNESS * (n * n) as f64)
        };
        system.blocks.push(Block {
            name: "string".into(),
            dofs: first..first + modes,
            stiffness: Operator::Diagonal((1..=modes).map(spring).collect()),
            damping: Operator::Diagonal(vec![mass * 6.0 * LN_10 / DECAY; modes]),
        });
        if stretch != Stretch::No {
            let entry = |n: usize| (first + n - 1, first + n - 1, slope * 0.5 * LENGTH * wave(n).powi(2));
            let quadratic = (1..=modes).map(entry).collect();
            system.forms.push(Form {
                name: "string".into(),
                quadratic,
                linear: Row::ground(),
                strain: Row::ground(),
                stretch: slope,
            });
        }
    }
    if stretch == Stretch::Strained {
        system.inputs.push(Input::strain("peg", 0..count));
    }
    system.outputs.push(Output { name: "place".into(), quantity: Quantity::Displacement(Row::unit(0)) });
    system
}

fn begin(system: &System) -> Simulation {
    let scheme = named("modal-ec").expect("the scheme of modes");
    scheme.prepare(system, 1.0 / RATE).expect("strings at 48 kHz")
}

/// All steps one by one, and the audit.
fn single(stepper: &mut Simulation) -> Audit {
    let inputs = [PRESTRETCH; 2];
    let inputs = &inputs[..2 * stepper.system().inputs.len()];
    let mut audit = Audit::open(stepper.reset(&inputs[..inputs.len() / 2]), stepper.balance());
    for n in 1..=STEPS {
        let kind = if n % AUDITED == 0 { Bookkeeping::Full } else { Bookkeeping::Flows };
        assert!(audit.post(&stepper.step(inputs, kind)), "{:?}", audit.fault);
    }
    audit
}

/// The same, steps in which nothing acts being taken many at a time.
fn blocks(stepper: &mut Simulation) -> Audit {
    let mut audit = Audit::open(stepper.reset(&[]), stepper.balance());
    let mut outputs = [0.0; AUDITED];
    let mut dissipated = [0.0; AUDITED];
    audit.post(&stepper.step(&[], Bookkeeping::Full));
    let mut n = 1;
    while n < STEPS {
        let most = AUDITED - n % AUDITED;
        let taken = stepper.free_steps(&mut dissipated[..most.min(STEPS - n)], &mut outputs);
        assert!(taken > 0, "nothing acts");
        n += taken;
        audit.post_free(&dissipated[..taken], (n % AUDITED == 0).then(|| stepper.energy()));
    }
    audit
}

/// µs for each step.
fn micros(seconds: f64) -> f64 {
    seconds * 1e6 / STEPS as f64
}

fn main() {
    println!(
        "One string: µs/step, and its ratio to the bank without a form, stepped one by one and in blocks."
    );
    println!(
        "{:10}{:12}{:>10}{:>10}{:>10}{:>10}{:>10}",
        "modes", "", "µs/step", "linear", "blocks", "ratio", "to blocks"
    );
    for modes in [16, 60, 64, 96, 200] {
        for (name, stretch) in [("free", Stretch::Free), ("strained", Stretch::Strained)] {
            let mut linear = begin(&strings(1, modes, Stretch::No));
            let mut block = linear.clone();
            let mut form = begin(&strings(1, modes, stretch));
            let [with, without, in_blocks] = least_in_turns(
                RUNS,
                [&mut || _ = single(&mut form), &mut || _ = single(&mut linear), &mut || {
                    _ = blocks(&mut block)
                }],
            );
            println!(
                "{modes:<10}{name:12}{:10.3}{:10.3}{:10.3}{:10.2}{:10.2}",
                micros(with),
                micros(without),
                micros(in_blocks),
                with / without,
                with / in_blocks
            );
        }
    }
    println!("\n{STRINGS} strings of 60 modes: µs/step, and the part of a sample at 48 kHz.");
    for stretch in [Stretch::No, Stretch::Free] {
        let mut each: Vec<Simulation> = (0..STRINGS).map(|_| begin(&strings(1, 60, stretch))).collect();
        let mut bank = begin(&strings(STRINGS, 60, stretch));
        let [separate, together] = least_in_turns(
            RUNS,
            [&mut || each.iter_mut().for_each(|string| _ = single(string)), &mut || _ = single(&mut bank)],
        );
        let name = if stretch == Stretch::No { "linear" } else { "with forms" };
        for (how, seconds) in [("a run each", separate), ("one bank", together)] {
            println!(
                "{name:12}{how:12}{:10.3}{:9.1} %",
                micros(seconds),
                1e2 * micros(seconds) * 1e-6 * RATE
            );
        }
    }
    shared::report();
}

//! What it costs that strings and a soundboard exchange energy: a grand piano with its pedal down, all of its 241 strings awake.
//!
//! `cargo bench -p hamiltone-benches --bench joints`; `nice -n -8` where others share the machine.
//!
//! The strings have their modes up to 5 kHz, and stand on 40 places of a board of 60 modes. The columns: the time of one step, the fastest of
//! several runs taken in turns; its ratio to that of the same modes without joints in one bank; its part of a sample at 48 kHz. In the rows
//! that are played each key has a hammer of felt and lifted dampers, and of ten keys the hammer is thrown again and again. In the last one
//! each string also moves across the direction of the hammer, in which the bridge gives way a tenth as much.

#![allow(clippy::disallowed_methods, reason = "no file depends on the numbers of benchmarks")]

use hamiltone_benches::timing::least_in_turns;
use hamiltone_core::{
    element::Element,
    input::Input,
    joint::{Joint, Support},
    ledger::Bookkeeping,
    operator::Operator,
    row::Row,
    simulation::Simulation,
    stepper::{Activity, Gaps},
    system::{Block, Output, Quantity, System},
};
use hamiltone_elements::{LinearDamper, Power};
use hamiltone_schemes::named;
use std::f64::consts::{LN_10, PI, TAU};

const RATE: f64 = 48_000.0;
const STEPS: usize = 480;
const RUNS: usize = 25;
const KEYS: usize = 88;
const PLACES: usize = 40;
const BOARD: usize = 60;
const HIGHEST: f64 = 5_000.0;

/// Length (m), tension (N), density (g/m) and inharmonicity B of strings between which the others lie, by key from A0 = 0 on, geometrically: a grand piano
/// after J. Chabassier 2012.
const STRINGS: [(f64, [f64; 4]); 9] = [
    (0.0, [2.02, 1494.0, 121.0, 3e-4]),
    (8.0, [1.878, 1264.0, 47.0, 5.4e-5]),
    (15.0, [1.602, 911.0, 20.75, 5.1e-5]),
    (19.0, [1.5, 966.0, 15.8, 4.5e-5]),
    (20.0, [1.8, 805.0, 8.15, 6.6e-5]),
    (39.0, [0.66, 747.0, 6.26, 3.1e-4]),
    (52.0, [0.326, 694.0, 5.31, 9.8e-4]),
    (75.0, [0.095, 674.0, 4.26, 7.7e-3]),
    (87.0, [0.051, 675.0, 3.7, 2e-2]),
];

fn string(key: usize) -> [f64; 4] {
    let key = key as f64;
    let after = STRINGS.iter().position(|(k, _)| *k >= key).unwrap_or(STRINGS.len() - 1).max(1);
    let ((a, low), (b, high)) = (STRINGS[after - 1], STRINGS[after]);
    let part = (key - a) / (b - a);
    std::array::from_fn(|i| low[i] * (high[i] / low[i]).powf(part))
}

/// The strings of a key.
fn count(key: usize) -> usize {
    match key {
        ..8 => 1,
        8..15 => 2,
        _ => 3,
    }
}

fn add_body(system: &mut System, name: &str, modes: &[[f64; 3]]) -> usize {
    let first = system.size();
    modes.iter().for_each(|[m, _, _]| _ = system.add_dof(*m, 0.0, 0.0));
    system.blocks.push(Block {
        name: name.into(),
        dofs: first..system.size(),
        stiffness: Operator::Diagonal(modes.iter().map(|mode| mode[2]).collect()),
        damping: Operator::Diagonal(modes.iter().map(|mode| mode[1]).collect()),
    });
    first
}

/// The piano: with joints or without, with hammers and dampers or without, with one polarisation of each string or two.
fn piano(joined: bool, played: bool, polarisations: usize) -> System {
    let mut system = System::default();
    let board: Vec<[f64; 3]> = (0..BOARD)
        .map(|k| {
            let omega = TAU * (57.0 + 45.0 * k as f64);
            [10.0, 10.0 * omega / 50.0, 10.0 * omega * omega]
        })
        .collect();
    add_body(&mut system, "board", &board);
    let shape = |place: usize, k: usize| (PI * (k + 1) as f64 * (place as f64 + 0.5) / PLACES as f64).cos();
    let place = |place: usize, share: f64| Row::Dense {
        first: 0,
        weights: (0..BOARD).map(|k| share * shape(place, k)).collect(),
    };
    for key in 0..KEYS {
        let [length, tension, density, b] = string(key);
        let hammer = played.then(|| add_body(&mut system, "hammer", &[[9e-3, 0.68, 12.8]]));
        let first = system.elements.len();
        for polarisation in (0..count(key)).flat_map(|_| 0..polarisations) {
            let mode = |n: usize| {
                let k = n as f64 * PI / length;
                let mass = 0.5e-3 * density * length;
                [mass, mass * 6.0 * LN_10 / 15.0, 0.5 * length * tension * k * k * (1.0 + b * (n * n) as f64)]
            };
            let below = |n: &usize| (mode(*n)[2] / mode(*n)[0]).sqrt() < TAU * HIGHEST;
            let modes: Vec<[f64; 3]> = (1..).take_while(below).map(mode).collect();
            let start = add_body(&mut system, "string", &modes);
            let along = |at: f64| {
                let weight = |n: usize| (n as f64 * PI * at).sin();
                Row::Dense { first: start, weights: (1..=modes.len()).map(weight).collect() }
            };
            if joined {
                let lift = |n: usize| if n % 2 == 1 { 2.0 } else { -2.0 } / (n as f64 * PI);
                system.joints.push(Joint {
                    name: "string".into(),
                    first: start,
                    springs: modes.iter().map(|mode| mode[2]).collect(),
                    supports: vec![Support {
                        lift: (1..=modes.len()).map(lift).collect(),
                        // A tenth of the mobility: the row at the bridge is squared in it.
                        place: place(
                            key * PLACES / KEYS,
                            if polarisation == 0 { 1.0 } else { 0.1_f64.sqrt() },
                        ),
                    }],
                    stiffness: vec![tension / length],
                });
            }
            if let (Some(hammer), 0) = (hammer, polarisation) {
                let felt = Power::new(4.5e9, 2.5).unwrap().at_gap(2e-3);
                let row = Row::unit(hammer).minus(&along(0.12));
                system.elements.push(Element::new("felt", row, felt.gap, felt.law));
                for at in [0.12, 0.17] {
                    let damper = LinearDamper.with_resistance(0.0);
                    system.elements.push(Element::new("damper", along(at), damper.gap, damper.law));
                }
            }
        }
        if let Some(hammer) = hammer {
            system.inputs.push(Input::force("strike", Row::unit(hammer)));
            for j in first..system.elements.len() {
                if system.elements[j].name == "damper" {
                    system.inputs.push(Input::control("damper", j..j + 1));
                }
            }
        }
    }
    system.outputs.push(Output { name: "board".into(), quantity: Quantity::Velocity(place(3, 1.0)) });
    system
}

/// A run of many steps: the strings ring, and hammers are thrown at ten keys.
struct Run {
    simulation: Simulation,
    input: Vec<f64>,
    strikes: Vec<usize>,
    step: usize,
}

impl Run {
    fn of(mut system: System) -> Self {
        system.initial.velocity = vec![0.0; system.size()];
        for block in system.blocks.iter().filter(|block| block.name == "string") {
            for (n, i) in block.dofs.clone().enumerate() {
                system.initial.velocity[i] = 1e-2 / (1.0 + n as f64);
            }
        }
        let strikes = (0..system.inputs.len()).filter(|k| system.inputs[*k].name == "strike").step_by(9);
        let mut simulation = named("modal-ec").unwrap().prepare(&system, 1.0 / RATE).unwrap();
        // As in a performance, which does not ask how near contacts came.
        simulation.activity(1.0 / RATE, Gaps::Never, &mut vec![Activity::NONE; system.elements.len()]);
        Self { strikes: strikes.collect(), simulation, input: vec![0.0; 2 * system.inputs.len()], step: 0 }
    }

    fn go(&mut self) {
        let (count, mut output) = (self.input.len() / 2, [0.0]);
        for _ in 0..STEPS {
            let (start, end) = self.input.split_at_mut(count);
            start.copy_from_slice(end);
            for (k, strike) in self.strikes.iter().enumerate() {
                // 2 m/s within 0.6 ms, every tenth of a second, one key after the other.
                let since = (self.step + 480 * k) % 4800;
                end[*strike] = if since < 28 { 9e-3 * 2.0 * RATE / 28.0 } else { 0.0 };
            }
            self.step += 1;
            let kind = if self.step.is_multiple_of(64) { Bookkeeping::Full } else { Bookkeeping::Flows };
            let ledger = self.simulation.step(&self.input, kind);
            assert!(ledger.effort.fault.is_none(), "step {}", self.step);
            self.simulation.outputs(&mut output);
        }
    }
}

fn main() {
    let size = piano(true, false, 1).size();
    println!("241 strings, {size} modes with the board, {PLACES} places, one step at 48 kHz\n");
    let [mut joined, mut apart, mut played, mut twice] =
        [(true, false, 1), (false, false, 1), (true, true, 1), (true, true, 2)]
            .map(|(joined, played, polarisations)| Run::of(piano(joined, played, polarisations)));
    let times = least_in_turns(
        RUNS,
        [&mut || joined.go(), &mut || apart.go(), &mut || played.go(), &mut || twice.go()],
    );
    let [joined, apart, played, twice] = times.map(|time| time / STEPS as f64 * 1e6);
    for (name, time) in [
        ("without joints", apart),
        ("joined", joined),
        ("joined and played", played),
        ("two polarisations, played", twice),
    ] {
        let (ratio, part) = (time / apart, time * 1e-6 * RATE);
        println!("{name:<26} {time:>6.2} µs   {ratio:>5.2} of that without joints   {part:>5.2} of a sample");
    }
}

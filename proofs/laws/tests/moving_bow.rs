//! A bow that moves along the string while it sounds: its row lies between those of places in equal distances (`hamiltone_core::port`).
//!
//!   c = (1 − f) c_k + f c_(k+1),   k + f = Ka,   0 ≤ a ≤ 1 the part of its path
//!
//! Friction acts across the path, so that moving takes no work.

use crate::{
    bouncing::{Run, is_same, run_on},
    bowed::{BRISTLES, FRICTION, RATE, pitch, place, prepare, string},
};
use hamiltone_core::{
    element::{Element, Law, Resistive},
    input::Input,
    ledger::Bookkeeping,
    operator::Operator,
    port::Ported,
    row::Row,
    system::{Block, Output, Quantity, System},
};
use hamiltone_elements::{Bow, LinearDamper, SprungBow};
use hamiltone_laws::long;
use std::f64::consts::TAU;

const MODES: usize = 60;
/// The path of the bow and its places: four in the shortest half wave, and that of a small part of it.
const PATH: [f64; 2] = [0.8, 0.95];
const PLACES: usize = 37;

fn laws() -> [(&'static str, Ported); 2] {
    [("dry", Ported::new(Bow { friction: FRICTION }, 0.0)), ("elasto-plastic", Ported::new(BRISTLES, 0.0))]
}

/// Those, and dry friction of hair that a stick presses.
fn all_laws() -> [(&'static str, Ported); 3] {
    let [dry, bristles] = laws();
    [dry, bristles, ("sprung", Ported::new(SprungBow { bow: Bow { friction: FRICTION }, hair: 500.0 }, 0.0))]
}

fn at(part: f64) -> f64 {
    PATH[0] + part * (PATH[1] - PATH[0])
}

/// The string under a bow on these rows; inputs are its speed and its force, and where it is when there are several.
fn bowed(law: &Ported, rows: Vec<Row>) -> System {
    let mut system = string(MODES);
    let moves = rows.len() > 1;
    system.elements.push(Element { name: "bow".into(), rows, gap: 0.0, law: Law::Port(law.clone()) });
    system.inputs.push(Input::rate("speed", 0..1));
    system.inputs.push(Input::control("force", 0..1));
    if moves {
        system.inputs.push(Input::branch("place", 0..1));
    }
    let outputs = [Quantity::Displacement(place(MODES, 0.3)), Quantity::MeanForce(0..1)];
    system.outputs = outputs.map(|quantity| Output { name: "heard".into(), quantity }).into();
    system
}

fn places() -> Vec<Row> {
    (0..PLACES).map(|k| place(MODES, at(k as f64 / (PLACES - 1) as f64))).collect()
}

/// The same with a fret and a felt.
fn crowded(law: &Ported) -> System {
    let mut system = bowed(law, places());
    if law.port.measures().len() > 1 {
        let stick = system.add_dof(0.03, 0.0, 0.3);
        system.blocks.push(Block {
            name: "stick".into(),
            dofs: stick..stick + 1,
            stiffness: Operator::Diagonal(vec![30.0]),
            damping: Operator::Diagonal(vec![0.01]),
        });
        let of_string = std::mem::take(&mut system.elements[0].rows);
        system.elements[0].rows = of_string.into_iter().flat_map(|row| [row, Row::unit(stick)]).collect();
    }
    let below = place(MODES, 0.31).scaled(-1.0);
    system.elements.push(Element::new("fret", below, 2e-4, Law::Rigid { restitution: 0.0 }));
    let felt = Law::Resistive(Resistive::new(LinearDamper, 0.0));
    system.elements.push(Element::new("felt", place(MODES, 0.6), 0.0, felt));
    system.inputs.push(Input::control("felt", 2..3));
    system
}

/// A bow that turns, is lifted and goes to and fro three times a second, beyond both ends of its path, and felt that comes and goes.
fn anything(n: u64) -> [f64; 4] {
    let turn = |hz: f64| (TAU * hz * n as f64 / RATE).sin();
    [0.3 * turn(1.3), (2.0 * turn(0.48)).max(0.0), 0.5 + 0.6 * turn(3.1), (0.4 * turn(0.9)).max(0.0)]
}

fn run(law: &Ported, steps: u64, resumed: Option<u64>) -> Run {
    run_on(&crowded(law), |n| anything(n).to_vec(), steps, resumed)
}

/// However fast the bow moves, the balance is that of any step, and each step takes energy.
#[test]
fn a_moving_bow_is_balanced_among_contacts() {
    let steps = u64::from(long::cases(300_000));
    for (name, law) in all_laws() {
        let (_, audit, least, faults) = run(&law, steps, None);
        println!("{name}: residual {:e}, least {least:e}", audit.residual_max_relative_per_step());
        assert!(audit.ok(0.0) && faults == 0, "{name}: {audit:?}, {faults} faults");
        assert!(least >= -16.0 * f64::EPSILON * audit.scale(), "{name}: {least:e}");
    }
}

#[test]
fn a_resumed_moving_bow_has_the_same_bits() {
    for (name, law) in all_laws() {
        let whole = run(&law, 12_000, None);
        for at in [1, 3_777, 9_000] {
            assert!(is_same(&whole, &run(&law, 12_000, Some(at))), "{name} from {at}");
        }
    }
}

/// What is heard where the bow is at a part of its path, or on this row alone.
fn heard(law: &Ported, rows: Vec<Row>, part: Option<f64>, steps: usize) -> Vec<f64> {
    let mut simulation = prepare(&bowed(law, rows));
    let inputs = |n: usize| {
        let bow = [0.1 * (n as f64 / (0.08 * RATE)).min(1.0), 0.6];
        bow.into_iter().chain(part).collect::<Vec<f64>>()
    };
    simulation.reset(&inputs(0));
    let step = |n: usize| {
        simulation.step(&[inputs(n), inputs(n + 1)].concat(), Bookkeeping::Flows);
        let mut now = [0.0; 2];
        simulation.outputs(&mut now);
        now[0]
    };
    (0..steps).map(step).collect()
}

/// At one of its places the bow is one that stays there, to the bit; between two, one whose row is their linear interpolation, as long as rounding has
/// not grown: 200 steps of at most some 100 roundings each.
#[test]
fn a_bow_is_where_it_was_put() {
    for (name, law) in laws() {
        for k in [0, 9, 36] {
            let part = k as f64 / (PLACES - 1) as f64;
            let there = heard(&law, places(), Some(part), 3000);
            assert!(there == heard(&law, vec![place(MODES, at(part))], None, 3000), "{name} at {part}");
        }
        let (a, b) = (places().swap_remove(20), places().swap_remove(21));
        let between = a.scaled(0.75).minus(&b.scaled(-0.25)).dense();
        let there = heard(&law, places(), Some(20.25 / 36.0), 200);
        let fixed = heard(&law, vec![between], None, 200);
        let largest = fixed.iter().fold(0.0, |largest: f64, x| largest.max(x.abs()));
        let apart = there.iter().zip(&fixed).fold(0.0, |apart: f64, (x, y)| apart.max((x - y).abs()));
        assert!(apart <= 2e4 * f64::EPSILON * largest, "{name}: {apart:e} of {largest:e}");
    }
}

/// In Helmholtz motion the amplitude is in proportion to v_b/β. The string of the test moves at 10 cm/s; the bow goes from β = 0.14 to 0.08 within 0.3 s
/// and back.
#[test]
fn a_string_swings_wider_where_the_bow_is_nearer_to_its_end() {
    let (far, near) = (0.06 / 0.15, 0.12 / 0.15);
    let mut simulation = prepare(&bowed(&laws()[0].1, places()));
    let curve = [(0.0, far), (0.8, far), (1.1, near), (1.9, near), (2.2, far), (3.0, far)];
    let inputs = |n: usize| {
        let t = n as f64 / RATE;
        let i = curve.partition_point(|(at, _)| *at <= t).clamp(1, curve.len() - 1);
        let ((a, x), (b, y)) = (curve[i - 1], curve[i]);
        [0.1 * (t / 0.08).min(1.0), 0.6, x + (y - x) * ((t - a) / (b - a)).min(1.0)]
    };
    simulation.reset(&inputs(0));
    let mut sound = Vec::new();
    for n in 0..(3.0 * RATE) as usize {
        simulation.step(&[inputs(n), inputs(n + 1)].concat(), Bookkeeping::Flows);
        let mut now = [0.0; 2];
        simulation.outputs(&mut now);
        sound.push(now[0]);
    }
    let amplitude = |until: f64| {
        let count = (20.0 * RATE / pitch()).round() as usize;
        let end = (until * RATE) as usize;
        let turn = |n: usize| (TAU * pitch() * n as f64 / RATE).sin_cos();
        let (s, c) = (end - count..end).fold((0.0, 0.0), |(s, c), n| {
            let (sin, cos) = turn(n);
            (s + sin * sound[n], c + cos * sound[n])
        });
        (s * s + c * c).sqrt()
    };
    let [before, nearer, after] = [0.8, 1.9, 3.0].map(amplitude);
    println!("{} {}", nearer / before, nearer / after);
    for ratio in [nearer / before, nearer / after] {
        assert!((ratio / (0.14 / 0.08) - 1.0).abs() < 0.05, "{ratio}");
    }
}

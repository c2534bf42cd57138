//! Strings on a board against coupled continuous strings, and what joints do to the balance.
//!
//! A string with the displacement w at x = L and its modes on the way there, u = Σ Qₙ sin nπx/L, pushes back with the dynamic stiffness
//!
//!   k(s) = T/L + Σₙ Kₙbₙ²(1 − Kₙ/(mₙs² + Rₙs + Kₙ)),   bₙ = 2(−1)ⁿ⁺¹/nπ
//!
//! and the partials of strings on one place of a board are the poles of 1/C(s) + Σk(s), C(s) = Σ φ²/(ms² + Rs + K) of the board.

use hamiltone_core::{
    audit::{Audit, exact_tolerance},
    joint::{Joint, Support},
    ledger::Bookkeeping,
    operator::Operator,
    refusal::Refusal,
    row::Row,
    saved::Saved,
    simulation::Simulation,
    system::{Block, Output, Quantity, System},
};
use hamiltone_numerics::complex::Complex;
use hamiltone_schemes::named;
use std::f64::consts::{LN_2, PI, TAU};

pub const RATE: f64 = 48_000.0;

/// (kg, kg/s, N/m) of a mode.
pub type ModeOf = (f64, f64, f64);

/// A stiff string: length (m), density (kg/m), tension (N), EI (N m²), T60 (s) of its own, how many of it.
#[derive(Clone, Copy)]
pub struct Wire {
    length: f64,
    density: f64,
    tension: f64,
    bending: f64,
    t60: f64,
    count: usize,
}

impl Wire {
    fn mode(&self, n: usize) -> ModeOf {
        let k = n as f64 * PI / self.length;
        let (m, sigma) = (0.5 * self.density * self.length, 3.0 * std::f64::consts::LN_10 / self.t60);
        (m, 2.0 * m * sigma, 0.5 * self.length * k * k * (self.tension + self.bending * k * k))
    }

    fn frequency(&self, n: usize) -> f64 {
        let (m, _, k) = self.mode(n);
        (k / m).sqrt() / TAU
    }

    fn modes_below(&self, frequency: f64) -> usize {
        (1..).take_while(|n| self.frequency(*n) < frequency).count()
    }
}

/// bₙ of a string that is lifted at its far end.
fn lift(n: usize) -> f64 {
    let sign = if n % 2 == 1 { 1.0 } else { -1.0 };
    sign * 2.0 / (n as f64 * PI)
}

/// A board: its modes, all with the shape 1 at its bridge.
fn board(count: usize, (lowest, spacing): (f64, f64), q: f64, mass: f64) -> Vec<ModeOf> {
    let mode = |k: usize| {
        let omega = TAU * (lowest + spacing * k as f64);
        // Neither equal masses nor an order among them.
        let m = mass * (1.0 + 0.6 * ((k * 7 + 3) % 11) as f64 / 11.0);
        (m, m * omega / q, m * omega * omega)
    };
    (0..count).map(mode).collect()
}

fn add_modes(system: &mut System, name: &str, modes: &[ModeOf]) {
    let first = system.size();
    modes.iter().for_each(|(m, _, _)| _ = system.add_dof(*m, 0.0, 0.0));
    system.blocks.push(Block {
        name: name.into(),
        dofs: first..system.size(),
        stiffness: Operator::Diagonal(modes.iter().map(|mode| mode.2).collect()),
        damping: Operator::Diagonal(modes.iter().map(|mode| mode.1).collect()),
    });
}

/// The strings on one place of the board, with modes up to `highest` (Hz); the bridge's displacement is heard.
pub fn coupled(board: &[ModeOf], wires: &[Wire], highest: f64) -> System {
    let mut system = System::default();
    add_modes(&mut system, "board", board);
    let place = Row::Dense { first: 0, weights: vec![1.0; board.len()] };
    for wire in wires.iter().flat_map(|wire| std::iter::repeat_n(wire, wire.count)) {
        let first = system.size();
        let modes: Vec<ModeOf> = (1..=wire.modes_below(highest)).map(|n| wire.mode(n)).collect();
        add_modes(&mut system, "string", &modes);
        system.joints.push(Joint {
            name: format!("string {first}"),
            first,
            springs: modes.iter().map(|mode| mode.2).collect(),
            supports: vec![Support { lift: (1..=modes.len()).map(lift).collect(), place: place.clone() }],
            stiffness: vec![wire.tension / wire.length],
        });
    }
    system.outputs.push(Output { name: "bridge".into(), quantity: Quantity::Displacement(place) });
    system
}

/// 1/(ms² + Rs + K).
fn response((m, r, k): ModeOf, s: Complex) -> Complex {
    Complex::from(1.0) / (s * s * m + s * r + k.into())
}

/// 1/C + Σk at s, of strings with so many modes.
fn characteristic(board: &[ModeOf], wires: &[Wire], s: Complex) -> Complex {
    const MODES: usize = 4000;
    let compliance: Complex = board.iter().map(|mode| response(*mode, s)).sum();
    let stiffness = |wire: &Wire| -> Complex {
        let follows = |n: usize| {
            let mode = wire.mode(n);
            (Complex::from(1.0) - response(mode, s) * mode.2) * (mode.2 * lift(n) * lift(n))
        };
        let each = (1..=MODES).map(follows).sum::<Complex>() + (wire.tension / wire.length).into();
        each * wire.count as f64
    };
    Complex::from(1.0) / compliance + wires.iter().map(stiffness).sum()
}

/// The pole near partial n of a wire, by the secant method from the uncoupled one.
fn pole(board: &[ModeOf], wires: &[Wire], wire: &Wire, n: usize) -> Complex {
    let (m, r, k) = wire.mode(n);
    let start = Complex::new(-0.5 * r / m, (k / m).sqrt());
    let of = |s| {
        // The pole of the string itself is a pole of k as well: times its distance from there the function is smooth.
        let own = (s - start) * (s - Complex::new(start.re, -start.im));
        characteristic(board, wires, s) * own
    };
    let (mut a, mut b) = (start + Complex::new(-1.0, 0.3), start + Complex::new(-1.3, -0.4));
    let (mut f, mut g) = (of(a), of(b));
    for _ in 0..60 {
        let next = b - g * (b - a) / (g - f);
        (a, f) = (b, g);
        (b, g) = (next, of(next));
        if (b - a).square() < 1e-18 {
            break;
        }
    }
    b
}

/// The complex amplitude of a sound at a pole's frequency, from `start` on, under a window of Blackman and Harris.
fn amplitude(sound: &[f64], start: usize, length: usize, omega: f64) -> Complex {
    const WEIGHTS: [f64; 4] = [0.35875, -0.48829, 0.14128, -0.01168];
    let sample = |(k, x): (usize, &f64)| {
        let phase = TAU * (k as f64 + 0.5) / length as f64;
        let window: f64 = WEIGHTS.iter().enumerate().map(|(j, w)| w * (j as f64 * phase).cos()).sum();
        let angle = omega * (start + k) as f64 / RATE;
        Complex::new(x * window * angle.cos(), -x * window * angle.sin())
    };
    sound[start..start + length].iter().enumerate().map(sample).sum()
}

/// Plucks every string alike and hears the bridge.
fn sound(system: &System, seconds: f64) -> (Vec<f64>, Audit) {
    let mut system = system.clone();
    for joint in &system.joints {
        for (n, i) in joint.dofs().enumerate() {
            // All partials, none of them much louder than the others.
            system.initial.velocity[i] = 1e-2 / (1.0 + n as f64);
        }
    }
    let mut simulation = named("modal-ec").unwrap().prepare(&system, 1.0 / RATE).unwrap();
    let mut audit = Audit::open(simulation.reset(&[]), simulation.balance());
    let (mut sound, mut output) = (Vec::new(), [0.0]);
    for step in 0..(seconds * RATE) as usize {
        let kind = if step % 64 == 63 { Bookkeeping::Full } else { Bookkeeping::Flows };
        assert!(audit.post(&simulation.step(&[], kind)), "{:?}", audit.fault);
        simulation.outputs(&mut output);
        sound.push(output[0]);
    }
    (sound, audit)
}

/// The largest errors of the first partials of a wire: cents, and parts of the decay rate.
fn errors(board: &[ModeOf], wires: &[Wire], wire: &Wire, partials: usize) -> (f64, f64) {
    let (sound, audit) = sound(&coupled(board, wires, 12_000.0), 1.5);
    let missed = audit.residual_max_relative();
    let tolerance = exact_tolerance(audit.steps, audit.balance.drift());
    assert!(missed <= tolerance && missed <= 1e-12, "{missed:e} of {tolerance:e}");
    let (length, apart) = ((0.4 * RATE) as usize, (0.6 * RATE) as usize);
    let (mut cents, mut decay) = (0.0_f64, 0.0_f64);
    for n in 1..=partials {
        let Complex { re: sigma, im: omega } = pole(board, wires, wire, n);
        // The board's own motion has died away by then.
        let start = (0.4 * RATE) as usize;
        let [first, second] = [start, start + apart].map(|at| amplitude(&sound, at, length, omega));
        let ratio = second / first;
        let time = apart as f64 / RATE;
        let missed = ratio.im.atan2(ratio.re) / time;
        let rate = 0.5 * ratio.square().ln() / time;
        cents = cents.max((1200.0 / LN_2 * missed / omega).abs());
        decay = decay.max((rate / sigma - 1.0).abs());
    }
    (cents, decay)
}

pub const C4: Wire =
    Wire { length: 0.66, density: 6.26e-3, tension: 747.0, bending: 1.024e-2, t60: 20.0, count: 3 };
const C6: Wire =
    Wire { length: 0.173, density: 4.8e-3, tension: 692.0, bending: 6.16e-3, t60: 8.0, count: 3 };
const C2: Wire =
    Wire { length: 1.602, density: 20.75e-3, tension: 911.0, bending: 1.21e-2, t60: 35.0, count: 2 };
const G3: Wire = Wire { length: 0.65, density: 0.9e-3, tension: 58.0, bending: 3.1e-4, t60: 3.0, count: 1 };
const E2: Wire = Wire { length: 0.65, density: 6.24e-3, tension: 72.0, bending: 5.7e-5, t60: 6.0, count: 1 };

/// The board of a piano: 50 modes from 57 Hz on.
pub fn soundboard() -> Vec<ModeOf> {
    board(50, (57.0, 30.0), 40.0, 8.0)
}

#[test]
fn strings_of_a_piano_have_the_partials_of_coupled_continuous_ones() {
    for (wire, partials, cents, decay) in [(C4, 10, 0.02, 0.03), (C6, 5, 0.1, 0.03), (C2, 10, 0.02, 0.03)] {
        let errors = errors(&soundboard(), &[wire], &wire, partials);
        assert!(errors.0 <= cents && errors.1 <= decay, "{errors:?}");
    }
}

#[test]
fn strings_of_a_guitar_have_the_partials_of_coupled_continuous_ones() {
    let body = board(30, (98.0, 47.0), 25.0, 0.5);
    // One string at a time: the partials of several lie nearer to each other than half a second can tell apart.
    for wire in [G3, E2] {
        let errors = errors(&body, &[wire], &wire, 8);
        assert!(errors.0 <= 0.01 && errors.1 <= 0.003, "{errors:?}");
    }
}

/// A body that is too light for its string at this step is refused with the number, and one that is just heavy enough is stable.
#[test]
fn a_body_that_is_too_light_is_refused() {
    let prepare = |mass: f64| -> Result<Simulation, Refusal> {
        let system = coupled(&board(3, (57.0, 30.0), 40.0, mass), &[C4], 12_000.0);
        named("modal-ec").unwrap().prepare(&system, 1.0 / RATE)
    };
    let (mut light, mut heavy) = (1e-6, 1.0);
    assert!(prepare(heavy).is_ok());
    while heavy / light > 1.001 {
        let mass = f64::sqrt(light * heavy);
        match prepare(mass) {
            Ok(_) => heavy = mass,
            Err(refusal) => {
                let text = refusal.to_string();
                assert!(text.contains("λ = "), "{text}");
                light = mass;
            }
        }
    }
    let system = coupled(&board(3, (57.0, 30.0), 40.0, heavy), &[C4], 12_000.0);
    let (_, audit) = sound(&system, 0.5);
    assert!(audit.energy_peak <= audit.energy_initial * (1.0 + 1e-9), "{audit:?}");
}

/// The strings of a board, moving; a tension of them that is `factor` times theirs, and what it adds to their springs.
fn tightened(factor: f64) -> (System, System, Vec<f64>) {
    let mut system = coupled(&soundboard(), &[C4], 5_000.0);
    for joint in &system.joints {
        joint.dofs().enumerate().for_each(|(n, i)| system.initial.velocity[i] = 1e-2 / (1.0 + n as f64));
    }
    let (tense, mut added) = (Wire { tension: factor * C4.tension, ..C4 }, vec![0.0; system.size()]);
    let mut other = system.clone();
    for joint in &mut other.joints {
        for (n, i) in joint.dofs().enumerate() {
            added[i] = tense.mode(n + 1).2 - C4.mode(n + 1).2;
            joint.springs[n] = tense.mode(n + 1).2;
        }
        joint.stiffness[0] *= factor;
    }
    for block in other.blocks.iter_mut().filter(|block| block.name == "string") {
        let tightened: Vec<f64> = (1..=block.dofs.len()).map(|n| tense.mode(n).2).collect();
        block.stiffness = Operator::Diagonal(tightened);
    }
    (system, other, added)
}

/// Strings on a board that are tightened are those of the other tension, and slackened again those that they were.
#[test]
fn a_tightened_string_is_one_of_that_tension() {
    const STEPS: usize = 9_600;
    let (system, other, added) = tightened(1.12);
    let prepare = |system: &System| named("modal-ec").unwrap().prepare(system, 1.0 / RATE).unwrap();
    let run = |simulation: &mut Simulation| -> Vec<f64> {
        let mut output = [0.0];
        let mut step = |_| {
            simulation.step(&[], Bookkeeping::Flows);
            simulation.outputs(&mut output);
            output[0]
        };
        (0..STEPS).map(&mut step).collect()
    };
    let size = |sound: &[f64]| sound.iter().map(|x| x * x).sum::<f64>().sqrt();
    let (mut tightened, mut tense) = (prepare(&system), prepare(&other));
    assert!(tightened.retune(&added).is_some());
    let (one, two) = (run(&mut tightened), run(&mut tense));
    let apart: Vec<f64> = one.iter().zip(&two).map(|(a, b)| a - b).collect();
    let apart = size(&apart) / size(&two);
    // 3.8e-5: a bank keeps the scale of its coordinates, and p differs by some (ωΔt)². With the static load as it was, 1.8e-3.
    assert!(apart < 2e-4, "{apart:e}");
    // Back at their tension they have the same bits.
    let (mut back, mut same) = (prepare(&system), prepare(&system));
    assert!(back.retune(&added).is_some() && back.retune(&vec![0.0; added.len()]).is_some());
    back.reset(&[]);
    same.reset(&[]);
    assert_eq!(run(&mut back), run(&mut same));
}

/// What stretches moving strings is supplied, at each change, and a tightened state is saved and restored with its bits.
#[test]
fn tightening_is_in_the_balance() {
    let (system, _, added) = tightened(1.12);
    let prepare = || named("modal-ec").unwrap().prepare(&system, 1.0 / RATE).unwrap();
    let run = |saved_at: Option<usize>| {
        let mut simulation = prepare();
        let mut audit = Audit::open(simulation.reset(&[]), simulation.balance());
        for step in 0..9_600 {
            if saved_at == Some(step) {
                let saved = simulation.save().to_bytes();
                simulation = prepare();
                simulation.retune(&vec![0.0; added.len()]).unwrap();
                simulation.restore(&Saved::from_bytes(&saved).unwrap()).unwrap();
            }
            if step % 32 == 0 {
                let part = (step as f64 / 4_800.0).min(1.0);
                let added: Vec<f64> = added.iter().map(|added| part * added).collect();
                simulation.retune(&added).expect("springs");
            }
            assert!(audit.post(&simulation.step(&[], Bookkeeping::Full)), "{:?}", audit.fault);
        }
        (audit.residual_max_relative(), audit.supplied, simulation.save().to_bytes())
    };
    let (missed, supplied, end) = run(None);
    assert!(missed <= exact_tolerance(9_600, 1.0) && supplied > 0.0, "{missed:e}, {supplied:e} J");
    assert!(run(Some(3_001)).2 == end, "another state");
}

//! What modal strings cost against frets and a neck, ledger and audit included, beside a plain loop of the same
//! equation measured in the same run.
//!
//! `cargo bench -p hamiltone-benches --bench modal`, with `-- frets` only those named so. Every figure is the fastest of
//! several runs, taken in turns with the loop's, so that the ratio holds where others share the machine. The loop moves
//! the modes and sums every row halfway, as a fast C program would; it lets nothing touch and keeps no books.

use fearless_simd::{Level, Simd, dispatch};
use hamiltone_core::{
    audit::Audit,
    law::Law,
    ledger::Books,
    operator::Operator,
    row::{Row, Sine},
    scheme::{Refusal, Stepper},
    system::{Block, Contact, System},
};
use std::{f64::consts::PI, time::Instant};

/// Runs of each, of which the fastest counts.
const RUNS: usize = 9;
/// Steps of a run: 0.1 s.
const STEPS: usize = 17_640;
const DT: f64 = 1.0 / 176_400.0;

/// A bass string: L, T, μ, B, plucked by 3.6 mm at 0.64 m.
const LENGTH: f64 = 0.863;
const TENSION: f64 = 191.6;
const DENSITY: f64 = 6.69e-3;
const INHARMONICITY: f64 = 3.5e-5;
const MODES: usize = 862;
const INTERVALS: usize = 864;
const PLUCK: (f64, f64) = (3.6e-3, 0.64);

/// The frets: from the nut, mm, and their height under the string at rest, mm.
const FRETS: [(f64, f64); 20] = [
    (48.0, -0.63),
    (94.0, -0.88),
    (137.0, -1.13),
    (178.0, -1.33),
    (216.0, -1.58),
    (253.0, -1.73),
    (287.0, -1.88),
    (319.0, -1.98),
    (350.0, -2.13),
    (379.0, -2.18),
    (406.0, -2.23),
    (432.0, -2.33),
    (456.0, -2.33),
    (479.0, -2.33),
    (501.0, -2.33),
    (521.0, -2.33),
    (540.0, -2.33),
    (558.0, -2.335),
    (576.0, -2.335),
    (591.0, -2.335),
];

fn main() -> Result<(), Refusal> {
    let scheme = hamiltone_schemes::named("modal-moreau-jean").expect("a scheme of this name");
    let wanted = std::env::args().skip(1).find(|word| !word.starts_with("--")).unwrap_or_default();
    println!(
        "{:30}{:>10}{:>10}{:>8}{:>12}{:>14}",
        "", "µs/step", "loop's", "ratio", "ns/mode", "touches/step"
    );
    for (name, system) in
        [("862 modes", string()), ("862 modes, 20 frets", frets()), ("862 modes, neck of 863 points", neck())]
    {
        if !name.contains(&wanted) {
            continue;
        }
        let mut stepper = scheme.prepare(&system, DT)?;
        let mut plain = Plain::new(&system);
        let (mut ours, mut loops, mut touches) = (f64::INFINITY, f64::INFINITY, 0.0);
        for _ in 0..RUNS {
            ours = ours.min(seconds(|| sound(stepper.as_mut())));
            loops = loops.min(seconds(|| plain.run(STEPS)));
        }
        stepper.reset(&[]);
        for _ in 0..STEPS {
            let worked = stepper.step(&[], Books::Kept).effort.iterations;
            touches += f64::from(worked) / STEPS as f64;
        }
        let step = |seconds: f64| seconds * 1e6 / STEPS as f64;
        println!(
            "{name:30}{:10.3}{:10.3}{:8.2}{:12.3}{touches:14.2}",
            step(ours),
            step(loops),
            ours / loops,
            step(ours) * 1e3 / MODES as f64
        );
    }
    Ok(())
}

fn seconds<T>(work: impl FnOnce() -> T) -> f64 {
    let start = Instant::now();
    std::hint::black_box(work());
    start.elapsed().as_secs_f64()
}

/// A run with its audit.
fn sound(stepper: &mut dyn Stepper) -> Audit {
    let mut audit = Audit::open(stepper.reset(&[]), stepper.balance());
    for _ in 0..STEPS {
        assert!(audit.post(&stepper.step(&[], Books::Kept)), "{:?}", audit.fault);
    }
    audit
}

fn string() -> System {
    let (mut system, mass) = (System::default(), 0.5 * DENSITY * LENGTH);
    let (height, ratio) = (PLUCK.0, PLUCK.1 / LENGTH);
    let mut stiffness = Vec::new();
    for k in (1..=MODES).map(|k| k as f64) {
        let amplitude = 2.0 * height / (k * k * PI * PI * ratio * (1.0 - ratio)) * (k * PI * ratio).sin();
        system.add_dof(mass, amplitude, 0.0);
        let omega2 = (k * PI / LENGTH).powi(2) * TENSION / DENSITY * (1.0 + INHARMONICITY * k * k);
        stiffness.push(mass * omega2);
    }
    let damping = vec![mass; MODES];
    system.blocks.push(Block {
        name: "string".into(),
        dofs: 0..MODES,
        stiffness: Operator::Diagonal(stiffness),
        damping: Operator::Diagonal(damping),
    });
    system
}

fn rigid(name: String, row: Row, height: f64) -> Contact {
    Contact { name, row: row.scaled(-1.0), gap: -height, law: Law::Rigid { restitution: 0.0 } }
}

fn frets() -> System {
    let mut system = string();
    for (place, height) in FRETS.map(|(x, y)| (x * 1e-3, y * 1e-3)) {
        let weights = (1..=MODES).map(|k| (k as f64 * PI * place / LENGTH).sin()).collect();
        system.contacts.push(rigid("fret".into(), Row::Dense { first: 0, weights }, height));
    }
    system
}

/// A neck without frets: straight lines through the frets' heights.
fn neck() -> System {
    let (mut system, table) = (string(), Sine::table(INTERVALS));
    for point in 1..INTERVALS {
        let x = 1e3 * LENGTH * point as f64 / INTERVALS as f64;
        let beyond = FRETS.iter().position(|fret| fret.0 > x);
        let height = match beyond {
            Some(0) => -0.38 - 0.25 * x / 48.0,
            None => -2.335 - 0.01 * (x - 591.0),
            Some(k) => {
                let (a, b) = (FRETS[k - 1], FRETS[k]);
                a.1 + (b.1 - a.1) * (x - a.0) / (b.0 - a.0)
            }
        };
        let row = Row::Sine(Sine { first: 0, modes: MODES, point, scale: 1.0, table: table.clone() });
        system.contacts.push(rigid("neck".into(), row, 1e-3 * height));
    }
    system
}

/// The modes and the rows alone.
struct Plain {
    level: Level,
    start: Vec<f64>,
    g: Vec<f64>,
    h: Vec<f64>,
    q: Vec<f64>,
    d: Vec<f64>,
    rows: Vec<Vec<f64>>,
    seen: Vec<f64>,
    z: Vec<f64>,
}

impl Plain {
    fn new(system: &System) -> Self {
        let (k, r) = (system.diagonal_stiffness().unwrap(), system.diagonal_damping().unwrap());
        let all = |i: usize| {
            let (m, b) = (system.mass[i], 0.5 * r[i] / system.mass[i] * DT);
            let a = ((k[i] / m) * DT * DT - b * b).sqrt();
            [1.0 + (-2.0 * b).exp() - 2.0 * (-b).exp() * a.cos(), 1.0 - (-2.0 * b).exp()]
        };
        let constants: Vec<[f64; 2]> = (0..system.size()).map(all).collect();
        let rows = if system.contacts.len() > 100 { &[][..] } else { &system.contacts[..] };
        let row = |contact: &Contact| {
            let mut row = vec![0.0; system.size()];
            contact.row.add_scaled(1.0, &mut row);
            row
        };
        Self {
            level: Level::new(),
            g: constants.iter().map(|c| c[0]).collect(),
            h: constants.iter().map(|c| c[1]).collect(),
            start: system.start.position.clone(),
            q: system.start.position.clone(),
            d: vec![0.0; system.size()],
            rows: rows.iter().map(row).collect(),
            seen: vec![0.0; rows.len()],
            z: vec![0.0; system.size()],
        }
    }

    fn run(&mut self, steps: usize) -> f64 {
        self.q.copy_from_slice(&self.start);
        self.d.fill(0.0);
        for _ in 0..steps {
            dispatch!(self.level, simd => self.step(simd));
        }
        self.q[0] + self.seen.iter().sum::<f64>()
    }

    #[inline(always)]
    fn step<S: Simd>(&mut self, simd: S) {
        let n = self.q.len();
        let (q, d, g, h) = (&mut self.q[..n], &mut self.d[..n], &self.g[..n], &self.h[..n]);
        let (rows, seen, z) = (&self.rows, &mut self.seen, &mut self.z[..n]);
        simd.vectorize(
            #[inline(always)]
            || {
                for i in 0..n {
                    q[i] += d[i];
                    d[i] -= g[i] * q[i] + h[i] * d[i];
                }
                for ((z, q), d) in z.iter_mut().zip(q.iter()).zip(d.iter()) {
                    *z = q + 0.5 * d;
                }
                for (row, seen) in rows.iter().zip(seen) {
                    let mut sums = [0.0; 8];
                    for (w, z) in row.as_chunks::<8>().0.iter().zip(z.as_chunks::<8>().0) {
                        sums.iter_mut().zip(w.iter().zip(z)).for_each(|(sum, (w, z))| *sum += w * z);
                    }
                    *seen = sums.iter().sum();
                }
            },
        );
    }
}

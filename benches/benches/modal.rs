//! What modal strings cost against frets and a neck, ledger and audit included, under both schemes of exact modes, beside a
//! plain loop of the same equation measured in the same run.
//!
//! `cargo bench -p hamiltone-benches --bench modal`, with `-- frets` only those named so. Every figure is the fastest of
//! several runs, taken in turns with the loop's, so that the ratio holds where others share the machine. The loop moves
//! the modes and sums every row halfway, as a fast C program would; it has no contacts and no energy balance.

#![allow(clippy::disallowed_methods, reason = "no file depends on the numbers of benchmarks")]

use fearless_simd::{Level, Simd, dispatch};
use hamiltone_core::{
    audit::Audit, element::Element, ledger::Bookkeeping, simulation::Simulation, system::System,
};
use hamiltone_papers::{
    figure::Unable,
    siconos_modal_moreau_jean::string::{BASS, Plucked, WOUND, frets},
};
use std::time::Instant;

/// Runs of each, of which the fastest counts.
const RUNS: usize = 9;
/// Steps of a run.
const STEPS: usize = 17_640;
/// At this rate all modes lie below Nyquist.
const DT: f64 = 1.0 / 705_600.0;
/// The schemes of exact modes.
const SCHEMES: [&str; 2] = ["modal-moreau-jean", "modal-ec"];

/// The bass of the Siconos page's examples, with the losses of a wound string: 862 modes, 864 intervals.
const STRING: Plucked = Plucked { quality: Some(WOUND), ..BASS };

fn main() -> Result<(), Unable> {
    let wanted = std::env::args().skip(1).find(|word| !word.starts_with("--")).unwrap_or_default();
    println!(
        "{:30}{:20}{:>10}{:>10}{:>8}{:>12}{:>14}",
        "", "", "µs/step", "loop's", "ratio", "ns/mode", "contacts/step"
    );
    for (name, obstacles) in [
        ("862 modes", Vec::new()),
        ("862 modes, 20 frets", frets()),
        ("862 modes, neck of 863 points", neck()),
    ] {
        if !name.contains(&wanted) {
            continue;
        }
        let system = STRING.over(&obstacles, 0.0)?;
        let mut plain = Plain::new(&system);
        let mut steppers = Vec::new();
        for scheme in SCHEMES {
            let found = hamiltone_schemes::named(scheme).expect("a scheme of this name");
            steppers.push((scheme, found.prepare(&system, DT)?, f64::INFINITY));
        }
        let mut loops = f64::INFINITY;
        for _ in 0..RUNS {
            for (_, stepper, fastest) in &mut steppers {
                *fastest = fastest.min(seconds(|| sound(stepper)));
            }
            loops = loops.min(seconds(|| plain.run(STEPS)));
        }
        for (scheme, stepper, ours) in &mut steppers {
            stepper.reset(&[]);
            let mut contacts = 0.0;
            for _ in 0..STEPS {
                let worked = stepper.step(&[], Bookkeeping::Full).effort.iterations;
                contacts += f64::from(worked) / STEPS as f64;
            }
            let step = |seconds: f64| seconds * 1e6 / STEPS as f64;
            println!(
                "{name:30}{scheme:20}{:10.3}{:10.3}{:8.2}{:12.3}{contacts:14.2}",
                step(*ours),
                step(loops),
                *ours / loops,
                step(*ours) * 1e3 / STRING.modes as f64
            );
        }
    }
    Ok(())
}

fn seconds<T>(work: impl FnOnce() -> T) -> f64 {
    let start = Instant::now();
    std::hint::black_box(work());
    start.elapsed().as_secs_f64()
}

/// A run with its audit.
fn sound(stepper: &mut Simulation) -> Audit {
    let mut audit = Audit::open(stepper.reset(&[]), stepper.balance());
    for _ in 0..STEPS {
        assert!(audit.post(&stepper.step(&[], Bookkeeping::Full)), "{:?}", audit.fault);
    }
    audit
}

/// A neck without frets: straight lines through their heights, from 0.25 mm above the first at the nut.
fn neck() -> Vec<(f64, f64)> {
    let mut line = frets();
    line.insert(0, (0.0, line[0].1 + 0.25e-3));
    let height = |x: f64| {
        let beyond = line.iter().position(|fret| fret.0 > x).unwrap_or(line.len() - 1);
        let (a, b) = (line[beyond - 1], line[beyond]);
        a.1 + (b.1 - a.1) * (x - a.0) / (b.0 - a.0)
    };
    STRING.everywhere(0.0).into_iter().map(|(x, _)| (x, height(x))).collect()
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
        let k = system.diagonal_stiffness().unwrap();
        // Next to no losses: modes that die away would be subnormal numbers, with which the loop is twenty times as slow.
        let b = 1e-6_f64;
        let all = |i: usize| {
            let a = ((k[i] / system.mass[i]) * DT * DT - b * b).sqrt();
            [1.0 + (-2.0 * b).exp() - 2.0 * (-b).exp() * a.cos(), 1.0 - (-2.0 * b).exp()]
        };
        let constants: Vec<[f64; 2]> = (0..system.size()).map(all).collect();
        let rows = if system.elements.len() > 100 { &[][..] } else { &system.elements[..] };
        let row = |contact: &Element| {
            let mut row = vec![0.0; system.size()];
            contact.row().add_scaled(1.0, &mut row);
            row
        };
        Self {
            level: Level::new(),
            g: constants.iter().map(|c| c[0]).collect(),
            h: constants.iter().map(|c| c[1]).collect(),
            start: system.initial.position.clone(),
            q: system.initial.position.clone(),
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

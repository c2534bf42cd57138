//! What strings cost, beside a plain loop of the same equation measured in the same run.
//!
//! `cargo bench -p hamiltone-benches --bench strings`, with `-- ck` only those named so. Every figure is the fastest of
//! several runs, taken in turns with the loop's, so that the ratio holds where others share the machine. The loop runs
//! as many steps as the scheme has stages, an implicit step counting as one.

#![allow(clippy::disallowed_methods, reason = "no file depends on the numbers of benchmarks")]

use hamiltone_benches::{
    model::RATE,
    stencil::{Stencil, Weights},
    timing::least_in_turns,
};
use hamiltone_core::{
    audit::Audit,
    ledger::Bookkeeping,
    simulation::Simulation,
    system::{Output, Quantity, System},
};
use hamiltone_papers::{
    chatziioannou_2019::string,
    figure::Unable,
    ishikawa_2018::{FELT, damped, ear, hammered, started},
    line::Line,
    method::Method,
};
use std::hint::black_box;

/// Runs of each, of which the fastest counts.
const RUNS: usize = 15;

/// How many samples of sound, and steps to a sample.
type Span = (usize, usize);

fn main() -> Result<(), Unable> {
    let (printed, ck, ec) = (
        Method::worded("sprk-4", "sprk-4", &[("damping", "printed")])?,
        Method::new("ck", "ck")?,
        Method::new("ec", "ec")?,
    );
    let (fine, coarse) = (damped(1000), damped(50));
    let (over, contact) = string::over_barrier(string::INTERVALS, 0.0)?;
    let mut idle = contact.clone();
    idle.initial.position.iter_mut().for_each(|q| *q *= 0.1);
    let wanted = std::env::args().skip(1).find(|word| !word.starts_with("--")).unwrap_or_default();
    println!("{:34}{:>10}{:>12}{:>7}{:>9}{:>12}", "", "ns/point", "loop's", "", "", "");
    println!(
        "{:34}{:>10}{:>12}{:>7}{:>9}{:>12}",
        "", "and stage", "ns/point", "ratio", "µs/step", "× real time"
    );
    let mut cases: Vec<(String, &Method, &Line, System, usize, Span)> = vec![
        ("sprk-4 N=1000 ×200, free".into(), &printed, &fine, started(&fine, 1e-5)?, 4, (60, 200)),
        ("sprk-4 N=1000 ×200, hammer".into(), &printed, &fine, hammered(fine, FELT)?, 4, (100, 200)),
        ("sprk-4 N=50 ×1, hammer".into(), &printed, &coarse, hammered(coarse, FELT)?, 4, (4410, 1)),
        ("ck N=100 ×1, barrier".into(), &ck, &over, contact, 1, (4410, 1)),
        ("ck N=100 ×1, barrier untouched".into(), &ck, &over, idle, 1, (4410, 1)),
        ("ec N=1000 ×1, hammer".into(), &ec, &fine, hammered(fine, FELT)?, 1, (441, 1)),
    ];
    let both = |n: usize| Ok((n, damped(n), string::free(n, 1.1)?));
    let linear = [50, 200, 1000, 4000].map(both).into_iter().collect::<Result<Vec<_>, Unable>>()?;
    for (n, stiff, (ideal, system)) in &linear {
        let span = (220_500 / n, 1);
        cases.push((format!("ec N={n} ×1, linear"), &ec, stiff, started(stiff, 1e-5)?, 1, span));
        cases.push((format!("ck N={n} ×1, linear"), &ck, ideal, system.clone(), 1, span));
    }
    for (name, method, line, system, stages, span) in cases {
        if !name.contains(&wanted) {
            continue;
        }
        let mut system = system;
        system.outputs.push(Output { name: "ear".into(), quantity: Quantity::Displacement(ear(line)) });
        let dt = 1.0 / (RATE * span.1 as f64);
        let mut stepper = method.prepare(&system, dt)?;
        let mut plain = plain(line, &system, dt);
        let steps = span.0 * span.1;
        let [ours, loops] = least_in_turns(
            RUNS,
            [&mut || _ = black_box(sound(&mut stepper, span)), &mut || {
                _ = black_box(plain.run(stages * steps))
            }],
        );
        let point = |seconds: f64| seconds * 1e9 / (steps * stages * plain.points()) as f64;
        println!(
            "{name:34}{:10.3}{:12.3}{:7.2}{:9.2}{:12.3}",
            point(ours),
            point(loops),
            ours / loops,
            ours * 1e6 / steps as f64,
            span.0 as f64 / RATE / ours
        );
    }
    Ok(())
}

/// A render without its file: the ledger of every step, in full once per sample where the balance is bounded, and the
/// outputs.
fn sound(stepper: &mut Simulation, (samples, every): Span) -> f64 {
    let mut audit = Audit::open(stepper.reset(&[]), stepper.balance());
    let (mut output, mut loudest) = ([0.0], 0.0_f64);
    for _ in 0..samples {
        for step in 1..=every {
            let ledger =
                stepper.step(&[], if step == every { Bookkeeping::Full } else { Bookkeeping::Flows });
            assert!(audit.post(&ledger), "{:?}", audit.fault);
        }
        stepper.outputs(&mut output);
        loudest = loudest.max(output[0].abs());
    }
    loudest
}

/// The stiff string between hinged ends of a line.
fn plain(line: &Line, system: &System, dt: f64) -> Stencil {
    let points = line.intervals - 1;
    let dx = line.length / line.intervals as f64;
    let (c2, k2) = ((line.speed / dx).powi(2), (line.stiffness / (dx * dx)).powi(2));
    let d3 = line.d3 / (dx * dx);
    // Implicit schemes go beyond its limit of stability; the loop's numbers must stay numbers.
    let dt = dt.min(0.9 / (c2 + 4.0 * k2).sqrt());
    let weights = Weights {
        spring: [2.0 * c2 + 6.0 * k2, -c2 - 4.0 * k2, k2].map(|k| dt * k),
        damper: [line.d1 + 2.0 * d3, -d3].map(|r| dt * r),
        dt,
    };
    Stencil::new(weights, &system.initial.position[..points], &vec![0.0; points], Vec::new())
}

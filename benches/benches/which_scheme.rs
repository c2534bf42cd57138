//! What each scheme makes of a tone, and what its step costs: the table of docs/schemes.md.
//!
//! `cargo bench -p hamiltone-benches --bench which_scheme`. Cents are those of an undamped partial at 44.1 kHz. Costs are of a step of
//! the same string, by 100 modes or on a grid of 100 intervals, over that of the first scheme that takes the modes, the
//! fastest of several runs in one process; – where a scheme does not take it.

#![allow(clippy::disallowed_methods, reason = "no file depends on the numbers of benchmarks")]

use hamiltone_bodies::StiffString;
use hamiltone_core::{
    body::Body,
    claims::Balance,
    coverage::{Feature, Need},
    ledger::Bookkeeping,
    parameter::Values,
    scheme::Scheme,
    system::System,
};
use hamiltone_schemes::dispersion::sounding;
use std::{f64::consts::TAU, time::Instant};

const RATE: f64 = 44_100.0;
/// Hz.
const PARTIALS: [f64; 2] = [1000.0, 5000.0];
const RUNS: usize = 7;
const STEPS: usize = 20_000;

fn main() {
    let string =
        StiffString::new(0.65, 6e-3, 70.0).and_then(|string| string.damped(1.0, 0.0)).expect("a string");
    let systems: Vec<System> = [
        string.by_modes(100, 120).map(|body| Box::new(body) as Box<dyn Body>).expect("modes"),
        string.on_grid(100).map(|body| Box::new(body) as Box<dyn Body>).expect("a grid"),
    ]
    .into_iter()
    .map(|body| {
        let mut system = System::default();
        body.add_to(&mut system, "string").expect("a body");
        system.initial.velocity.fill(1e-3);
        system
    })
    .collect();
    println!(
        "| scheme | cents at 1 kHz | at 5 kHz | exact balance | compliant contacts | rigid contacts | step, modes | step, grid |"
    );
    println!("|---|---|---|---|---|---|---|---|");
    let mut unit = None;
    for entry in hamiltone_schemes::catalogue() {
        let Ok(scheme) = (entry.make)(&Values::defaults(entry.kind.parameters)) else { continue };
        let [low, high] = PARTIALS.map(|f| cents(&*scheme, f));
        let balance = match (scheme.claims().linear, scheme.claims().contact) {
            (Balance::Exact { .. }, Balance::Exact { .. }) => "always",
            (Balance::Exact { .. }, Balance::Bounded) => "without contacts",
            (Balance::Bounded, _) => "–",
        };
        let covers = |feature| {
            if scheme.coverage().covers(Need::Feature(feature)) { "yes" } else { "–" }
        };
        let costs: Vec<String> = systems
            .iter()
            .map(|system| match seconds(&*scheme, system) {
                None => "–".into(),
                Some(taken) => format!("{:.1}", taken / *unit.get_or_insert(taken)),
            })
            .collect();
        println!(
            "| `{}` | {low} | {high} | {balance} | {} | {} | {} | {} |",
            scheme.name(),
            covers(Feature::Compliant),
            covers(Feature::Rigid),
            costs[0],
            costs[1]
        );
    }
}

fn cents(scheme: &dyn Scheme, frequency: f64) -> String {
    let Some(omega) = sounding(scheme, TAU * frequency, 1.0 / RATE) else { return "–".into() };
    let cents = format!("{:+.1}", 1200.0 * (omega / (TAU * frequency)).log2());
    if matches!(&*cents, "+0.0" | "-0.0") { "0.0".into() } else { cents.replace('-', "−") }
}

/// Of so many steps with their energy balance, at a rate at which every scheme is stable.
fn seconds(scheme: &dyn Scheme, system: &System) -> Option<f64> {
    let mut simulation = scheme.prepare(system, 1.0 / (8.0 * RATE)).ok()?;
    let mut fastest = f64::INFINITY;
    for _ in 0..RUNS {
        simulation.reset(&[]);
        let start = Instant::now();
        for _ in 0..STEPS {
            std::hint::black_box(simulation.step(&[], Bookkeeping::Full));
        }
        fastest = fastest.min(start.elapsed().as_secs_f64());
    }
    Some(fastest)
}

//! What modal strings cost against frets and a neck, ledger and audit included, under both schemes of exact modes, beside a
//! plain loop of the same equation measured in the same run.
//!
//! `cargo bench -p hamiltone-benches --bench modal`, with `-- frets` only those named so. Every figure is the fastest of
//! several runs, taken in turns with the loop's, so that the ratio holds where others share the machine. The loop moves
//! the modes and sums every row halfway, as a fast C program would; it has no contacts and no energy balance.

#![allow(clippy::disallowed_methods, reason = "no file depends on the numbers of benchmarks")]

use hamiltone_benches::{
    bank::{Bank, Rows},
    timing::seconds,
};
use hamiltone_core::{
    audit::{AUDIT_INTERVAL, Audit},
    element::Element,
    ledger::Bookkeeping,
    simulation::Simulation,
    system::System,
};
use hamiltone_numerics::aligned::zeros;
use hamiltone_papers::{
    figure::Unable,
    siconos_modal_moreau_jean::string::{BASS, Plucked, WOUND, frets},
};

/// Runs of each, of which the fastest counts.
const RUNS: usize = 9;
/// Steps of a run.
const STEPS: usize = 17_640;
/// Steps between two balances, as renders have by default.
const AUDITED: usize = AUDIT_INTERVAL as usize;
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
    for (name, modes, obstacles) in [
        ("64 modes", 64, Vec::new()),
        ("862 modes", STRING.modes, Vec::new()),
        ("862 modes, 20 frets", STRING.modes, frets()),
        ("862 modes, neck of 863 points", STRING.modes, neck()),
    ] {
        if !name.contains(&wanted) {
            continue;
        }
        let system = Plucked { modes, ..STRING }.over(&obstacles, 0.0)?;
        let mut plain = plain(&system);
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
                step(*ours) * 1e3 / modes as f64
            );
        }
    }
    Ok(())
}

/// A run with its audit, as sounds are rendered: the balance is drawn every [`AUDITED`] steps, and steps in which nothing acts are taken
/// many at a time.
fn sound(stepper: &mut Simulation) -> Audit {
    let mut audit = Audit::open(stepper.reset(&[]), stepper.balance());
    let mut dissipated = [0.0; AUDITED];
    let mut n = 0;
    while n < STEPS {
        let most = AUDITED - n % AUDITED;
        let free = stepper.free_steps(&mut dissipated[..most], &mut []);
        n += free.max(1);
        let is_audited = n % AUDITED == 0;
        if free > 0 {
            audit.post_free(&dissipated[..free], is_audited.then(|| stepper.energy()));
        } else {
            let bookkeeping = if is_audited { Bookkeeping::Full } else { Bookkeeping::Flows };
            audit.post(&stepper.step(&[], bookkeeping));
        }
        assert!(audit.fault.is_none(), "{:?}", audit.fault);
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

/// The modes and the rows alone, of a neck the modes alone.
fn plain(system: &System) -> Bank {
    let k = system.diagonal_stiffness().unwrap();
    let angles: Vec<f64> = (0..system.size()).map(|i| (k[i] / system.mass[i]).sqrt() * DT).collect();
    let rows = if system.elements.len() > 100 { &[][..] } else { &system.elements[..] };
    let row = |contact: &Element| {
        let mut row = zeros(system.size());
        contact.row().add_scaled(1.0, &mut row);
        row
    };
    let rows = Rows::Dense(rows.iter().map(row).collect());
    Bank::new(&angles, &system.initial.position, &vec![0.0; system.size()], rows, 0.0)
}

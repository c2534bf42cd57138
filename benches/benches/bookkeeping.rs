//! The cost of the energy balance: the same run with its ledger and without, for every scheme.
//!
//! `cargo bench -p hamiltone-benches --bench bookkeeping`; quote the ratio full/off of one run.

use criterion::{Criterion, criterion_group, criterion_main};
use hamiltone_benches::{RATE, bouncing, reed, run, steppers};
use hamiltone_core::ledger::Bookkeeping;

fn bookkeeping(c: &mut Criterion) {
    let steps = RATE as usize / 10;
    let (system, pressure) = reed(steps);
    for (title, system, input, steps) in
        [("reed", system, pressure, steps), ("bouncing", bouncing(), vec![], 1000)]
    {
        let mut group = c.benchmark_group(title);
        for (name, mut stepper) in steppers(&system) {
            for (word, bookkeeping) in [("full", Bookkeeping::Full), ("off", Bookkeeping::Off)] {
                group.bench_function(format!("{name}/{word}"), |b| {
                    b.iter(|| run(&mut stepper, &input, steps, bookkeeping));
                });
            }
        }
    }
}

criterion_group!(benches, bookkeeping);
criterion_main!(benches);

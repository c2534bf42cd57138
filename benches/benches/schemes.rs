//! Every scheme on one oscillator, free and with a contact, with its energy balance; and a second of C15's reed.
//!
//! `cargo bench -p hamiltone-benches --bench schemes`; times are for 1000 steps (1 s of sound for the reed).

use criterion::{Criterion, criterion_group, criterion_main};
use hamiltone_benches::{RATE, bouncing, oscillator, reed, run, steppers};
use hamiltone_core::ledger::Bookkeeping;

fn free(c: &mut Criterion) {
    let mut group = c.benchmark_group("free");
    for (name, mut stepper) in steppers(&oscillator(7.0)) {
        group.bench_function(name, |b| b.iter(|| run(&mut stepper, &[], 1000, Bookkeeping::Full)));
    }
}

fn contact(c: &mut Criterion) {
    let mut group = c.benchmark_group("contact");
    for (name, mut stepper) in steppers(&bouncing()) {
        group.bench_function(name, |b| b.iter(|| run(&mut stepper, &[], 1000, Bookkeeping::Full)));
    }
}

fn second_of_reed(c: &mut Criterion) {
    let steps = RATE as usize;
    let (system, pressure) = reed(steps);
    let mut group = c.benchmark_group("reed-1s");
    group.sample_size(20);
    for (name, mut stepper) in steppers(&system) {
        group.bench_function(name, |b| b.iter(|| run(&mut stepper, &pressure, steps, Bookkeeping::Full)));
    }
}

criterion_group!(benches, free, contact, second_of_reed);
criterion_main!(benches);

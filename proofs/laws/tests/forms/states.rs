//! States with forms: saved and resumed, forked, undone.

use super::{coupled, modes, schemes, separate, stop, strain};
use hamiltone_core::{
    element::Element, form::Form, ledger::Bookkeeping, operator::Operator, row::Row, saved::Saved,
    scheme::Scheme, simulation::Simulation, system::System,
};
use hamiltone_elements::LinearDamper;

const DT: f64 = 1.0 / 48_000.0;

fn run(simulation: &mut Simulation, steps: std::ops::Range<usize>) -> Vec<u64> {
    let mut output = [0.0];
    let mut step = |n: usize| {
        let ledger = simulation.step(&[strain(n), strain(n + 1)], Bookkeeping::Full);
        simulation.outputs(&mut output);
        [output[0], ledger.stored, ledger.supplied, ledger.dissipated].map(f64::to_bits)
    };
    steps.flat_map(&mut step).collect()
}

/// Saved to bytes and restored, forked, or changed and put back, a run goes on with the same bits, its stored energy included.
#[test]
fn a_run_is_resumed_to_the_bit() {
    for scheme in schemes() {
        let mut stopped = separate(0.7);
        let row = Row::Sparse(vec![(0, 1.0), (1, 0.8), (20, 0.5)]);
        stopped.elements.push(stop(&*scheme, row, 1.2e-3));
        for system in [coupled(0.7), separate(0.7), stopped] {
            let prepare = || {
                let mut simulation = scheme.prepare(&system, DT).unwrap();
                simulation.reset(&[strain(0)]);
                simulation
            };
            let mut whole = prepare();
            let before = run(&mut whole, 0..1_001);
            let saved = whole.save().to_bytes();
            let (stored, mut fork) = (whole.energy(), whole.clone());
            let after = run(&mut whole, 1_001..3_000);
            let mut resumed = prepare();
            run(&mut resumed, 0..77);
            resumed.restore(&Saved::from_bytes(&saved).unwrap()).unwrap();
            assert_eq!(resumed.energy().to_bits(), stored.to_bits(), "{}", scheme.name());
            assert_eq!(run(&mut resumed, 1_001..3_000), after, "{}: restored", scheme.name());
            assert_eq!(run(&mut fork, 1_001..3_000), after, "{}: forked", scheme.name());
            whole.reset(&[strain(0)]);
            assert_eq!(run(&mut whole, 0..1_001), before, "{}: reset", scheme.name());
        }
    }
}

/// Nothing is allocated by steps, the first contacts of a fork included, nor by a reset or a return.
#[test]
fn steps_with_forms_do_not_allocate() {
    for scheme in schemes() {
        for mut system in [coupled(0.7), separate(0.7)] {
            let row = Row::Sparse(vec![(0, 1.0), (1, 0.8), (2, 0.5)]);
            system.elements.push(stop(&*scheme, row.clone(), 1e-4));
            let felt = LinearDamper.with_resistance(0.1);
            system.elements.push(Element::new("felt", row, felt.gap, felt.law));
            let mut simulation = scheme.prepare(&system, DT).unwrap().clone();
            simulation.reset(&[strain(0)]);
            let saved = simulation.save();
            let counted = allocation_counter::measure(|| {
                for n in 0..400 {
                    simulation.step(&[strain(n), strain(n + 1)], Bookkeeping::Full);
                }
                simulation.return_to(&saved);
                simulation.reset(&[0.0]);
            });
            assert_eq!(counted.count_total, 0, "{}", scheme.name());
        }
    }
}

/// What an impulse and added springs give is supplied: the next steps keep the balance.
#[test]
fn changes_between_steps_are_in_the_balance() {
    for scheme in schemes() {
        for system in [coupled(0.2), separate(0.2)] {
            let mut simulation = scheme.prepare(&system, DT).unwrap();
            let mut stored = simulation.reset(&[0.0]);
            let largest = 4.0 * stored;
            for n in 0..2_000 {
                match n % 100 {
                    0 => _ = simulation.impulse(&Row::unit(n / 100 % 12), 1e-4),
                    50 => _ = simulation.retune(&vec![4.0 * (n / 100) as f64; system.size()]),
                    _ => {}
                }
                let ledger = simulation.step(&[0.0; 2], Bookkeeping::Full);
                let missed = ledger.stored - stored + ledger.dissipated - ledger.supplied;
                // A step's r is some roundings of the energy, which stays below `largest`.
                assert!(missed.abs() <= 64.0 * f64::EPSILON * largest, "{} {n}: {missed:e}", scheme.name());
                stored = ledger.stored;
                assert!(stored < largest, "{stored}");
            }
        }
    }
}

/// Steps of −Δt undo steps of Δt.
#[test]
fn symmetric_steps_are_undone() {
    const STEPS: usize = 400;
    for scheme in schemes().iter().filter(|scheme| scheme.claims().symmetric) {
        for system in [coupled(0.0), separate(0.0)] {
            let still = |simulation: &mut Simulation| {
                (0..STEPS).for_each(|_| _ = simulation.step(&[1.5; 2], Bookkeeping::Flows));
            };
            let mut there = scheme.prepare(&system, DT).unwrap();
            there.reset(&[1.5]);
            still(&mut there);
            let mut back = scheme.prepare(&system, -DT).unwrap();
            back.place(there.motion(), &[1.5]);
            still(&mut back);
            let start = &system.initial.position;
            let apart = back.motion().q.iter().zip(start).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
            // Rounding, which the coupling of the modes lets grow a little: 2 mm are undone to 1e-11 of themselves.
            assert!(apart <= 2e-3 * 1e-11, "{}: {apart:e}", scheme.name());
        }
    }
}

/// One form of all, whose strain shifts the stiffness of each mode by eb: the frequencies are those of these springs.
#[test]
fn a_strain_is_a_change_of_stiffness() {
    for scheme in schemes() {
        let (omega, e, b) = (6_000.0, 2.0, 40.0);
        let mut system = modes(&[(omega, 0.0, 1e-7)]);
        system.forms.push(Form {
            name: "length".into(),
            quadratic: vec![(0, 0, b)],
            linear: Row::ground(),
            strain: Row::ground(),
            stretch: 1.0,
        });
        system.inputs.push(hamiltone_core::input::Input::strain("stretch", 0..1));
        let stiffened = |added: f64| -> System {
            let mut other = system.clone();
            other.forms.clear();
            other.inputs.clear();
            other.blocks[0].stiffness = Operator::Diagonal(vec![other.mass[0] * omega * omega + added]);
            other
        };
        let places = |scheme: &dyn Scheme, system: &System, input: &[f64]| -> Vec<f64> {
            let mut simulation = scheme.prepare(system, DT).unwrap();
            simulation.reset(&input[..input.len() / 2]);
            let mut place = |_| {
                simulation.step(input, Bookkeeping::Flows);
                simulation.motion().q[0]
            };
            (0..4_800).map(&mut place).collect()
        };
        let strained = places(&*scheme, &system, &[e; 2]);
        let springs = places(&*scheme, &stiffened(e * b), &[]);
        let apart = strained.iter().zip(&springs).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        // eb is 1.1e-3 of the stiffness. To first order in it the frequency is exact; the second, (eb/K)²(ωΔt)² of order 1e-8, turns the
        // phase by 600 rad times that.
        assert!(apart <= 1e-5 * 1e-7, "{}: {:e}", scheme.name(), apart / 1e-7);
    }
}

//! Nothing is allocated while running: not by a step, with its books or without, nor by outputs, snapshots,
//! blocks or a reset. Allocations are counted by thread, so that other tests do not count.

use hamiltone_core::{ledger::Bookkeeping, scheme::Scheme, simulation::run_block};
use hamiltone_laws::{
    grid, parts,
    trial::{self, Laws, Trial},
};
use proptest::{strategy::Strategy, strategy::ValueTree, test_runner::TestRunner};

/// How many allocations a run makes; `None` where the scheme does not take the system.
fn allocations(scheme: &dyn Scheme, trial: &Trial) -> Option<u64> {
    let mut stepper = trial.prepare(scheme).expect("a valid system")?;
    let (inputs, n) = (trial.inputs(), trial.system.inputs.len());
    let (mut q, mut v) = (vec![0.0; trial.system.size()], vec![0.0; trial.system.size()]);
    let frames = trial.steps / 2;
    let mut values = vec![0.0; frames * trial.system.outputs.len()];
    let counted = allocation_counter::measure(|| {
        stepper.reset(&inputs[..n]);
        run_block(
            &mut stepper,
            &inputs[..(frames + 1) * n],
            &mut values,
            frames,
            &|_| Bookkeeping::Full,
            &mut |_| true,
        );
        for k in frames..trial.steps {
            stepper.step(&inputs[k * n..(k + 2) * n], Bookkeeping::Flows);
        }
        stepper.snapshot(&mut q, &mut v);
    });
    Some(counted.count_total)
}

#[test]
fn steps_do_not_allocate() {
    // The counter counts.
    assert_eq!(allocation_counter::measure(|| drop(std::hint::black_box(vec![7_u8]))).count_total, 1);
    let (methods, mut runner) = (grid::methods(), TestRunner::deterministic());
    let of = |laws: Laws| trial::trials_with(laws, parts::audible, 100);
    let (of_numbers, of_scenes) = (of(Laws::OfNumbers), of(Laws::OfScenes));
    let joined = trial::joined_trials(parts::audible, 100);
    let mut runs = 0;
    let kinds = [(&of_numbers, 100), (&of_scenes, 40), (&joined, 40)];
    for systems in kinds.into_iter().flat_map(|(systems, count)| std::iter::repeat_n(systems, count)) {
        let trial = systems.new_tree(&mut runner).expect("a system").current();
        for method in &methods {
            if let Some(count) = allocations(&*method.scheme, &trial) {
                assert_eq!(count, 0, "{} allocates on {trial:?}", method.name);
                runs += 1;
            }
        }
    }
    assert!(runs > 500, "only {runs} runs");
}

//! Scheme laws: what every scheme promises, measured over every body and contact that it accepts.
//!
//! Nothing here names a scheme, a body or a contact: methods and parts come from the catalogues, promises from
//! [`Claims`](hamiltone_core::claims::Claims). A law is a function that answers with what is broken;
//! [`mutants`] breaks schemes on purpose and demands that a law notices.

use hamiltone_core::{
    audit::Audit,
    coverage::{Feature, Need},
    element::{Element, Law},
    scheme::Scheme,
};
use hamiltone_laws::{
    grid::{self, Method},
    long,
    parts::Decades,
    trial::{self, Laws, Trial},
};
use proptest::strategy::BoxedStrategy;
use proptest::test_runner::{Config, RngAlgorithm, TestCaseError, TestRng, TestRunner};
use std::{cell::RefCell, env, sync::LazyLock};

mod any_system;
mod area;
mod balance;
mod bits;
mod coverage;
mod elements;
mod faults;
mod forces;
mod found;
mod free_steps;
mod impacts;
mod impulse;
mod ledger;
mod limit;
mod mutants;
mod order;
mod restart;
mod rounding;
mod symmetry;

/// Every scheme with every option.
static METHODS: LazyLock<Vec<Method>> = LazyLock::new(grid::methods);

fn require(holds: bool, broken: impl FnOnce() -> String) -> Result<(), String> {
    if holds { Ok(()) } else { Err(broken()) }
}

/// Whether a scheme covers any law of the catalogue that holds a body; one for a custom law alone may cover none, and
/// what it promises with contacts is then measured where that law is tested.
fn takes_contacts(scheme: &dyn Scheme) -> bool {
    let coverage = scheme.coverage();
    [Feature::Compliant, Feature::Rigid].into_iter().any(|feature| coverage.covers(Need::Feature(feature)))
}

/// Whether a scheme takes a system; if so, it keeps the law.
type Taken = Result<bool, String>;

/// The random numbers of systems: the same in every run, or others for each whole number in `HAMILTONE_SEED`.
fn random() -> TestRng {
    let Ok(given) = env::var("HAMILTONE_SEED") else {
        return TestRng::deterministic_rng(RngAlgorithm::ChaCha);
    };
    let number: u64 = given.parse().expect("HAMILTONE_SEED is a whole number");
    let mut seed = [0; 32];
    seed[..8].copy_from_slice(&number.to_le_bytes());
    TestRng::from_seed(RngAlgorithm::ChaCha, &seed)
}

/// Holds every method to a law on systems at random, the same ones in every run (see [`random`]); what differs from a scheme's defaults
/// by an option, on one in so many of them (a part of them only, see [`long`]); and on a third as many each with contact laws that a scene gives itself, and with bodies that stand on others. Answers
/// how many with contacts and how many without each method took.
fn hold_at_random(
    decades: Decades,
    systems: u32,
    steps: usize,
    one_in: u64,
    law: impl Fn(&dyn Scheme, &Trial) -> Taken,
) -> Vec<[u32; 2]> {
    let taken = RefCell::new(vec![[0_u32; 2]; METHODS.len()]);
    let systems = long::cases(systems);
    for (laws, cases) in [(Laws::OfNumbers, systems), (Laws::OfScenes, systems.div_ceil(3))] {
        let name = format!("laws {laws:?}");
        hold_with(&name, &trial::trials_with(laws, decades, steps), cases, one_in, &law, &taken);
    }
    hold_with("joints", &trial::joined_trials(decades, steps), systems.div_ceil(3), one_in, &law, &taken);
    taken.into_inner()
}

/// The same on one kind of trials, with what each method took added.
fn hold_with(
    name: &str,
    trials: &BoxedStrategy<Trial>,
    cases: u32,
    one_in: u64,
    law: &impl Fn(&dyn Scheme, &Trial) -> Taken,
    taken: &RefCell<Vec<[u32; 2]>>,
) {
    let config = Config {
        cases,
        // Parts with alternatives accept one draw in seven.
        max_local_rejects: 1 << 20,
        failure_persistence: None,
        ..Config::default()
    };
    let mut runner = TestRunner::new_with_rng(config, random());
    let outcome = runner.run(trials, |trial| {
        for (method, taken) in METHODS.iter().zip(taken.borrow_mut().iter_mut()) {
            if method.variant > 0 && trial.seed % one_in != method.variant % one_in {
                continue;
            }
            match law(&*method.scheme, &trial) {
                Ok(true) => taken[usize::from(trial.system.elements.is_empty())] += 1,
                Ok(false) => {}
                Err(broken) => return Err(TestCaseError::fail(format!("{}: {broken}", method.name))),
            }
        }
        Ok(())
    });
    outcome.unwrap_or_else(|broken| panic!("{name}: {broken}"));
}

/// Whether steps in which a port and others found no common solution are reported: what the port holds by its place, as a reed in its lay, is missing
/// in their balance.
fn says_unmet(trial: &Trial, audit: &Audit) -> bool {
    let is_port = |element: &Element| matches!(element.law, Law::Port(_));
    audit.unconverged > 0 && trial.system.elements.iter().any(is_port)
}

/// Holds every method to a law.
fn hold(law: impl Fn(&dyn Scheme) -> Result<(), String>) {
    let broken: Vec<String> = METHODS
        .iter()
        .filter_map(|method| law(&*method.scheme).err().map(|broken| format!("{}: {broken}", method.name)))
        .collect();
    assert!(broken.is_empty(), "{}", broken.join("\n"));
}

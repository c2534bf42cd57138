//! The identity of a run covers every parameter of every law, body and scheme: a state that was saved with another value is
//! refused.

use hamiltone_core::{
    body::Body,
    element::{Element, ElementLaw, Law},
    fingerprint::fingerprint,
    identity::Identity,
    parameter::Entry,
    row::Row,
    system::System,
};
use hamiltone_laws::{grid, parts};
use proptest::{
    strategy::{Strategy, ValueTree},
    test_runner::TestRunner,
};
use std::collections::BTreeSet;

/// Pairs of parts of one kind that differ in one parameter, with its name: of two parts that the kind accepts, every parameter that
/// both have is exchanged by itself, until there are `count` pairs that the kind accepts.
fn pairs<T: 'static>(entry: &'static Entry<T>, count: usize) -> Vec<(&'static str, [T; 2])> {
    let mut runner = TestRunner::deterministic();
    let two = (parts::part_of(entry, parts::audible), parts::part_of(entry, parts::audible));
    let mut pairs = Vec::new();
    while pairs.len() < count {
        let (own, other) = two.new_tree(&mut runner).expect("parts of the kind").current();
        for (name, value) in other.values.iter() {
            let before = own.values.iter().find(|(own, _)| *own == name).map(|(_, value)| value);
            let mut exchanged = own.values.clone().with(name, value.clone());
            // Constants that the formula does not use are refused.
            parts::use_constants(entry.kind.parameters, &mut exchanged);
            if before.is_some_and(|before| before != value) && exchanged != own.values {
                let made = |values| entry.build(values).ok();
                pairs.extend(made(&own.values).zip(made(&exchanged)).map(|(one, two)| (name, [one, two])));
            }
        }
    }
    pairs
}

/// The run of this system under a scheme without options.
fn run_of(system: &System) -> u64 {
    fingerprint(Identity::of("scheme"), 1e-5, system)
}

/// The run of one coordinate with this law.
fn run_of_law(law: &ElementLaw) -> u64 {
    let mut system = System::default();
    system.add_dof(1.0, 0.0, 0.0);
    let count = if let Law::Port(law) = &law.law { law.port.measures().len() } else { 1 };
    let rows = vec![Row::unit(0); count];
    system.elements.push(Element { name: "contact".into(), rows, gap: law.gap, law: law.law.clone() });
    run_of(&system)
}

/// The parameters of a kind of law that `run` does not tell apart.
fn forgotten(entry: &'static Entry<ElementLaw>, run: fn(&ElementLaw) -> u64) -> BTreeSet<&'static str> {
    let pairs = pairs(entry, 100);
    pairs.iter().filter(|(_, [one, two])| run(one) == run(two)).map(|(name, _)| *name).collect()
}

#[test]
fn every_parameter_of_every_law_counts() {
    for entry in hamiltone_elements::catalogue() {
        let forgotten = forgotten(entry, run_of_law);
        assert!(forgotten.is_empty(), "`{}` forgets {forgotten:?}", entry.kind.name);
    }
}

/// Told by its energy at 1 m and its gap alone, a power law forgets its loss.
#[test]
fn a_law_that_forgets_a_number_is_noticed() {
    let entry = hamiltone_elements::catalogue().iter().find(|entry| entry.kind.name == "power").expect("it");
    let forgotten = forgotten(entry, |law| law.law.energy(1.0).to_bits() ^ law.gap.to_bits());
    assert_eq!(forgotten, ["loss"].into());
}

/// Every number that a body adds to a system counts: what `Debug` shows of its masses, operators and forms.
#[test]
fn every_number_of_every_body_counts() {
    let added = |body: &dyn Body| {
        let mut system = System::default();
        body.add_to(&mut system, "body").expect("the kind accepted it");
        system
    };
    for entry in hamiltone_bodies::catalogue() {
        let mut apart = 0;
        for (name, two) in pairs(entry, 20) {
            let [one, two] = two.map(|body| added(&*body));
            let shown = |system: &System| format!("{:?} {:?} {:?}", system.mass, system.blocks, system.forms);
            let differ = shown(&one) != shown(&two);
            assert_eq!(run_of(&one) != run_of(&two), differ, "`{name}` of `{}`", entry.kind.name);
            apart += usize::from(differ);
        }
        assert!(apart > 0, "no parameter of `{}` changes it", entry.kind.name);
    }
}

#[test]
fn every_option_of_every_scheme_counts() {
    let methods = grid::methods();
    for (k, one) in methods.iter().enumerate() {
        for two in &methods[..k] {
            assert_ne!(one.scheme.identity(), two.scheme.identity(), "{} and {}", one.name, two.name);
        }
    }
}

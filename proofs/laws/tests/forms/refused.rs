//! Who does not cover forms says so by name, and who does refuses what would have no solution.

use super::{coupled, covers, schemes};
use hamiltone_core::{coverage::Feature, refusal::Refusal, row::Row};
use hamiltone_laws::grid;

#[test]
fn other_schemes_refuse_forms_by_name() {
    let (system, mut refused) = (coupled(0.3), 0);
    for method in grid::methods().iter().filter(|method| !covers(&*method.scheme, Feature::Forms)) {
        match method.scheme.prepare(&system, 1.0 / 48_000.0) {
            Err(Refusal::NotCovered { scheme, what }) => {
                refused += 1;
                assert_eq!(scheme, method.scheme.name());
                assert!(what.iter().any(|what| what.contains("quadratic form `length`")), "{what:?}");
            }
            other => panic!("{}: {:?}", method.name, other.map(|_| "prepared")),
        }
    }
    assert!(refused > 0);
}

/// A coordinate that strains a form far more than its stiffness and its mass hold.
#[test]
fn a_strain_that_nothing_holds_is_refused() {
    for scheme in schemes() {
        let mut system = coupled(0.3);
        let form = system.forms.last_mut().unwrap();
        form.strain = Row::Sparse(form.strain.entries().map(|(i, h)| (i, 100.0 * h)).collect());
        let refusal = scheme.prepare(&system, 1.0 / 48_000.0).err().map(|refusal| refusal.to_string());
        let said = refusal
            .as_deref()
            .is_some_and(|said| said.contains("the form `along`, whose strain is not held"));
        assert!(said, "{}: {refusal:?}", scheme.name());
    }
}

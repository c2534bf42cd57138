//! The verdict of a run: the same whatever files are written, and not `ok` where a velocity is no number.

use crate::{
    altered::Altered,
    reed::{folder, plucked, render},
};
use hamiltone_core::{
    claims::{Balance, Claims},
    ledger::Ledger,
    state::State,
};
use hamiltone_render::sinks::states::States;

/// A balance that is bounded, and violated between the samples.
const BETWEEN: Altered = Altered {
    claims: |claims| Claims { linear: Balance::Bounded, contact: Balance::Bounded, ..claims },
    ledger: |step, _, ledger| Ledger {
        stored: ledger.stored * if step.is_multiple_of(4) { 1.0 } else { 2.0 },
        ..ledger
    },
    ..Altered::NOTHING
};

/// A velocity that is no number.
const VELOCITY: Altered = Altered {
    state: |step, state| {
        if let (State::Motion(motion), 1..) = (state, step) {
            motion.v.fill(f64::NAN);
        }
    },
    ..Altered::NOTHING
};

/// A bounded balance is judged at the samples of the sound, also where states are stored between them.
#[test]
fn states_between_samples_do_not_change_the_verdict() {
    let mut plan = plucked(200, 4);
    plan.scheme = Box::new(BETWEEN);
    let without = render(&plan, &mut []);
    let folder = folder("verdict");
    let with = render(&plan, &mut [&mut States::new(folder.join("x.npz"), Some(1), false)]);
    assert!(without.ok && with.ok, "{:?}", with.audit);
    assert_eq!(with.audit, without.audit);
}

#[test]
fn a_velocity_that_is_no_number_fails() {
    let mut plan = plucked(200, 4);
    plan.scheme = Box::new(VELOCITY);
    let outcome = render(&plan, &mut []);
    assert!(outcome.audit.ok(outcome.tolerance), "nothing but the physical energy shows it");
    assert!(
        !outcome.ok && outcome.physical.is_some_and(|energy| energy.peak.is_nan()),
        "{:?}",
        outcome.physical
    );
}

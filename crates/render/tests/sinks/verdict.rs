//! The verdict of a run: the same whatever files are written, and not `ok` where a velocity is no number.

use super::{
    altered::Altered,
    reed::{folder, plucked, render},
};
use hamiltone_core::{
    audit::AUDIT_INTERVAL,
    claims::{Balance, Claims},
};
use hamiltone_render::{
    passivity::Passivity,
    sinks::states::States,
    tuning::{Aliased, Tuning},
    verdict::Verdict,
};

/// A balance that is bounded, and violated between the audit points.
const BETWEEN: Altered = Altered {
    claims: |claims| Claims { linear: Balance::Bounded, contact: Balance::Bounded, ..claims },
    energy: |step, energy| if step.is_multiple_of(AUDIT_INTERVAL) { energy } else { 2.0 * energy },
    ..Altered::NOTHING
};

/// A velocity that is no number.
const VELOCITY: Altered = Altered {
    motion: |step, motion| {
        if step > 0 {
            motion.v.fill(f64::NAN);
        }
    },
    ..Altered::NOTHING
};

/// A balance is judged at its audit points, also where states are stored between them.
#[test]
fn states_between_samples_do_not_change_the_verdict() {
    // The last step is an audit point.
    let mut plan = plucked(192, 4);
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

/// Each way to gain energy is said with its number beside its own limit; what keeps both limits is no gain.
#[test]
fn a_gain_of_energy_names_the_number_that_failed_and_its_limit() {
    let kept = Passivity { put_in: 2.0, initial: [2.0, 2.0], contact_work: 0.02, energy: 4.0 };
    assert!(kept.holds() && kept.gain("J").is_none());
    for (gained, says) in [
        (
            Passivity { energy: 5.0, ..kept },
            "the physical energy reached 5.000e0 J, 2.500 times the 2.000e0 J put in (limit 2)",
        ),
        (
            Passivity { energy: 5.0, initial: [2.0, 4.5], ..kept },
            "the first increment of the scheme holds 4.500e0 J, where the initial condition has 2.000e0, and the physical energy \
             reached 2.500 times the 2.000e0 J put in (limit 2)",
        ),
        (
            Passivity { contact_work: 0.05, ..kept },
            "contacts gained 5.000e-2 J, 0.025 times the 2.000e0 J put in (limit 0.01)",
        ),
        (
            Passivity { energy: f64::NAN, ..kept },
            "is infinite or not a number (limits 2 and 0.01 times the 2.000e0 J put in)",
        ),
    ] {
        let said = gained.gain("J").expect("a gain");
        assert!(!gained.holds() && said.contains(says) && said.contains("; use "), "{said}\nlacks {says}");
    }
}

/// Modes that alias make a run red, and the sentence names the body, both frequencies and the limit.
#[test]
fn modes_that_alias_are_named_with_their_limit() {
    let aliased = Aliased { body: "bar".into(), highest: 50_000.4, sounding: 1999.6, limit: 24_000.0 };
    let tuning = Tuning { aliased: vec![aliased], ..Tuning::default() };
    assert_eq!(tuning.verdict(), Verdict::Red);
    let said = tuning.sentence();
    let says = "modes of `bar` alias: its highest, 50000 Hz, sounds at 2000 Hz (limit 24000 Hz)";
    assert!(said.contains(says), "{said}");
    assert_eq!(Tuning::default().verdict(), Verdict::Green);
}

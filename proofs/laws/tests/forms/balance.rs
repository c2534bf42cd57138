//! The energy balance with forms, alone and beside everything else.

use super::{coupled, covers, schemes, separate, stop, strain};
use hamiltone_core::{
    audit::{Audit, exact_tolerance},
    coverage::Feature,
    element::Element,
    input::Input,
    ledger::{Bookkeeping, Ledger},
    refusal::Refusal,
    row::Row,
    scheme::Scheme,
    simulation::Simulation,
    system::System,
};
use hamiltone_laws::smooth;

const RATE: f64 = 48_000.0;

/// The audit of a run in which inputs move, each step's stored energy being what `stored` says.
fn audited(
    (scheme, system): (&dyn Scheme, &System),
    (steps, interval): (usize, usize),
    stored: &mut dyn FnMut(&mut Simulation) -> f64,
) -> Result<Audit, Refusal> {
    let mut simulation = scheme.prepare(system, 1.0 / RATE)?;
    let inputs = |n: usize| -> Vec<f64> {
        let force = |n: usize| 0.4 * (0.05 * n as f64).sin();
        (0..system.inputs.len()).map(|k| if k == 0 { strain(n) } else { force(n) }).collect()
    };
    simulation.reset(&inputs(0));
    let mut audit = Audit::open(stored(&mut simulation), simulation.balance());
    for n in 0..steps {
        let ledger = simulation.step(&[inputs(n), inputs(n + 1)].concat(), Bookkeeping::Flows);
        let is_due = n % interval == interval - 1;
        let stored = if is_due { stored(&mut simulation) } else { 0.0 };
        assert!(audit.post(&Ledger { stored, partial: !is_due, ..ledger }), "{:?}", audit.fault);
    }
    Ok(audit)
}

fn holds(scheme: &dyn Scheme, audit: &Audit) {
    let (missed, drift) = (audit.residual_max_relative(), audit.balance.drift());
    let tolerance = exact_tolerance(audit.steps, drift);
    assert!(missed <= tolerance, "{}: {missed:e} of {tolerance:e}", scheme.name());
    assert!(audit.supplied != 0.0 && audit.is_judged(), "{}: {audit:?}", scheme.name());
}

#[test]
fn strained_modes_keep_their_balance() {
    for scheme in schemes() {
        for (sigma, steps) in [(0.0, 200_000), (0.5, 200_000), (40.0, 20_000)] {
            for system in [coupled(sigma), separate(sigma)] {
                let audit = audited((&*scheme, &system), (steps, 64), &mut Simulation::energy).unwrap();
                holds(&*scheme, &audit);
            }
        }
    }
}

/// Motion that is 10⁻⁸ times as large, under the same strain: all but 10⁻¹⁶ of ψ + e is the strain.
#[test]
fn a_strain_far_above_what_moves_keeps_the_balance() {
    for scheme in schemes() {
        for mut system in [coupled(0.5), separate(0.5)] {
            system.initial.position.iter_mut().for_each(|q| *q *= 1e-8);
            // What has a linear part does not know how little the others move.
            system.forms.iter_mut().for_each(|form| form.linear = Row::ground());
            let audit = audited((&*scheme, &system), (20_000, 64), &mut Simulation::energy).unwrap();
            holds(&*scheme, &audit);
        }
    }
}

/// Beside stops and each law of the catalogue, driven by a force or not.
#[test]
fn forms_and_contacts_keep_the_balance_together() {
    for scheme in &schemes() {
        let mut tried = 0;
        for (system, is_driven) in [(coupled(0.5), true), (separate(0.5), true), (separate(0.5), false)] {
            for given in smooth::contacts().iter().flatten() {
                let mut system = system.clone();
                // Nothing else acts on what strains a form.
                let strains = |i: &usize| system.forms.iter().any(|form| form.strain.weight(*i) != 0.0);
                let free = (0..system.size()).filter(|i| !strains(i));
                let end = Row::Sparse(free.map(|i| (i, 0.9 - 0.1 * i as f64)).collect());
                if is_driven {
                    system.inputs.push(Input::force("drive", end.clone()));
                }
                for (side, gap) in [(1.0, 5e-4), (-1.0, 2e-3)] {
                    system.elements.push(stop(&**scheme, end.scaled(side), gap));
                }
                let row = Row::Sparse(vec![(1, 1.0), (3, -0.7), (8, 0.4)]);
                system.elements.push(Element::new("felt", row, given.contact.gap, given.contact.law.clone()));
                match audited((&**scheme, &system), (6_000, 1), &mut Simulation::energy) {
                    Err(Refusal::Invalid { .. } | Refusal::NotCovered { .. }) => {}
                    Err(refusal) => panic!("{refusal}"),
                    Ok(audit) => {
                        tried += 1;
                        holds(&**scheme, &audit);
                        // Impacts took energy, and never gave any but for a rounding.
                        let rounding = f64::EPSILON * audit.scale();
                        let is_rigid = covers(&**scheme, Feature::Rigid);
                        assert_eq!(audit.contact_work < -rounding, is_rigid, "{}", given.name);
                        assert!(audit.contact_work_max <= rounding, "{}", given.name);
                    }
                }
            }
        }
        assert!(tried > 9, "{}: {tried}", scheme.name());
    }
}

/// A scheme whose steps have another B in one place than its energy.
#[test]
fn a_wrong_entry_of_a_form_breaks_the_balance() {
    for scheme in schemes() {
        for (own, entries) in [
            (coupled(0.0), [(0, 0), (1, 4), (2, 1), (3, 0)]),
            (separate(0.0), [(0, 0), (0, 18), (1, 1), (2, 4)]),
        ] {
            let audit = |altered: &System| {
                let mut keeper = scheme.prepare(&own, 1.0 / RATE).unwrap();
                let mut stored = |simulation: &mut Simulation| {
                    keeper.return_to(&simulation.save());
                    keeper.energy()
                };
                audited((&*scheme, altered), (2_000, 1), &mut stored).unwrap()
            };
            holds(&*scheme, &audit(&own));
            for (form, entry) in entries {
                let mut altered = own.clone();
                altered.forms[form].quadratic[entry].2 *= 1.001;
                let audit = audit(&altered);
                let tolerance = exact_tolerance(audit.steps, audit.balance.drift());
                let missed = audit.residual_max_relative();
                assert!(missed > 100.0 * tolerance, "{}: {form} {entry}: {missed:e}", scheme.name());
            }
        }
    }
}

//! The energy balance with forms, alone and beside everything else.

use super::{coupled, covers, schemes, separate, stop, strain};
use hamiltone_core::{
    audit::{Audit, STEP_TOLERANCE, exact_tolerance},
    coverage::Feature,
    element::{Compliant, Element, Law},
    form::Form,
    input::Input,
    ledger::{Bookkeeping, Ledger},
    operator::Operator,
    refusal::Refusal,
    row::Row,
    scheme::Scheme,
    simulation::Simulation,
    system::{Block, System},
};
use hamiltone_elements::{CentreLimited, Power};
use hamiltone_laws::{smooth, trial::Trial};
use std::f64::consts::PI;

const RATE: f64 = 48_000.0;

/// The audit of a run in which inputs move, each step's stored energy being what `stored` says.
fn audited(
    (scheme, system): (&dyn Scheme, &System),
    steps: (usize, usize),
    stored: &mut dyn FnMut(&mut Simulation) -> f64,
) -> Result<Audit, Refusal> {
    audited_at(RATE, (scheme, system), steps, stored)
}

/// The same at another rate, Hz.
fn audited_at(
    rate: f64,
    (scheme, system): (&dyn Scheme, &System),
    (steps, interval): (usize, usize),
    stored: &mut dyn FnMut(&mut Simulation) -> f64,
) -> Result<Audit, Refusal> {
    let mut simulation = scheme.prepare(system, 1.0 / rate)?;
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
    // Laws of formulas are rounded by more than their solver expects, once in some thousand steps.
    assert!(1_000 * audit.unconverged <= audit.steps, "{}: {}", scheme.name(), audit.unconverged);
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

/// At a twentieth of the rate, where ωΔt of the highest modes is 37.
#[test]
fn long_steps_keep_the_balance() {
    for scheme in schemes() {
        for sigma in [0.0, 40.0] {
            for system in [coupled(sigma), separate(sigma)] {
                let run = (&*scheme, &system);
                holds(
                    &*scheme,
                    &audited_at(RATE / 20.0, run, (20_000, 64), &mut Simulation::energy).unwrap(),
                );
            }
        }
    }
}

/// A chain of masses that two forms stretch, over a wall at each of them, and beside a mass that strikes it.
#[test]
fn coupled_coordinates_with_many_contacts_keep_the_balance() {
    const MASSES: usize = 24;
    let mut system = System::default();
    for n in 0..MASSES {
        system.add_dof(1e-3, 2e-3 * (PI * (n + 1) as f64 / (MASSES + 1) as f64).sin(), 0.0);
    }
    let link = |n: usize| (4e5, Row::Sparse(vec![(n, 1.0), (n + 1, -1.0)]));
    let ends = [(4e5, Row::unit(0)), (4e5, Row::unit(MASSES - 1))];
    system.blocks.push(Block {
        name: "chain".into(),
        dofs: 0..MASSES,
        stiffness: Operator::Strains((0..MASSES - 1).map(link).chain(ends).collect()),
        damping: Operator::Zero,
    });
    let form = |name: &str, quadratic: Vec<(usize, usize, f64)>| Form {
        name: name.into(),
        quadratic,
        linear: Row::ground(),
        strain: Row::ground(),
        stretch: 10.0,
    };
    let squares = (0..MASSES).map(|n| (n, n, 6e5));
    let products = (1..MASSES).map(|n| (n - 1, n, -3e5));
    system.forms.push(form("length", squares.chain(products).collect()));
    system.forms.push(form("ends", vec![(0, MASSES - 1, 2e5), (0, 0, 1e5)]));
    system.inputs.push(Input::strain("stretch", 0..1));
    let wall = Power::new(1e9, 1.5).unwrap();
    for n in 0..MASSES {
        let wall = wall.at_gap(5e-4);
        system.elements.push(Element::new("wall", Row::unit(n).scaled(-1.0), wall.gap, wall.law));
    }
    let hammer = system.add_dof(5e-3, -5e-4, 3.0);
    let felt = Power::new(1e6, 2.3).unwrap().at_gap(-3e-3);
    let row = Row::Sparse(vec![(hammer, 1.0), (7, -0.5), (8, -0.5)]);
    system.elements.push(Element::new("felt", row, felt.gap, felt.law));
    let mut tried = 0;
    for scheme in schemes() {
        match audited((&*scheme, &system), (6_000, 1), &mut Simulation::energy) {
            Err(Refusal::NotCovered { .. }) => {}
            Err(refusal) => panic!("{refusal}"),
            Ok(audit) => {
                tried += 1;
                holds(&*scheme, &audit);
            }
        }
    }
    assert!(tried > 0);
}

/// A contact that takes back nearly all that a form's push leaves of a step: (Δt/2)²k/m is up to 10⁵.
#[test]
fn a_stiff_contact_beside_a_form_keeps_the_balance_of_each_step() {
    for scheme in schemes() {
        for stiffness in [1e8, 1e10, 1e12] {
            let mut system = System::default();
            let mass = system.add_dof(1e-3, 0.0, 10.0);
            system.forms.push(Form {
                name: "length".into(),
                quadratic: vec![(mass, mass, 2.9)],
                linear: Row::ground(),
                strain: Row::ground(),
                stretch: 10.0,
            });
            system.inputs.push(Input::force("drive", Row::unit(mass)));
            let stop = Compliant::new(CentreLimited::new(stiffness, 1.0, 0.0).unwrap());
            system.elements.push(Element::new("stop", Row::unit(mass), 0.0, Law::Compliant(stop)));
            let trial = Trial { rate: RATE, force: 1.0, ..Trial::free(system, 500) };
            let audit = trial.run(&mut trial.prepare(&*scheme).unwrap().expect("covered"));
            let missed = audit.residual_max_relative_per_step();
            assert!(missed <= STEP_TOLERANCE, "{}: {stiffness:e} N/m: {missed:e}", scheme.name());
        }
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

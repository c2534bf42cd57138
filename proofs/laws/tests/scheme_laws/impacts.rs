//! Rigid contacts, many at once, some of them twice: every number stays one, every joule is booked, and bodies that
//! bounce without loss neither give nor take.
//!
//!   ΔE = supplied − lost + work,   work = 0 where e = 1 for all

use super::{METHODS, Taken, require};
use hamiltone_core::{
    audit::{Audit, STEP_TOLERANCE, exact_tolerance},
    element::{Element, Law},
    ledger::{Bookkeeping, Fault},
    row::Row,
    scheme::Scheme,
    system::{Quantity, System},
};
use hamiltone_laws::{
    long, parts,
    trial::{self, Trial},
};
use proptest::{collection, prelude::*};

/// A contact at random: two of the outputs' rows and up to three coordinates, gap (m), restitution, and whether twice.
type Stop = (usize, usize, Vec<(usize, f64)>, f64, f64, bool);

fn stops() -> impl Strategy<Value = (Vec<Stop>, bool)> {
    let gap = prop_oneof![Just(0.0), -1e-4..1e-3_f64];
    let extra = collection::vec((any::<usize>(), -1.0..1.0_f64), 0..3);
    let restitution = prop_oneof![Just(0.0), Just(1.0), 0.0..1.0_f64];
    let stop = (0..6_usize, 0..6_usize, extra, gap, restitution, any::<bool>());
    (collection::vec(stop, 1..8), any::<bool>())
}

/// The system with these stops in place of its contacts; `elastic`: with e = 1 throughout.
fn stopped(mut system: System, stops: &[Stop], elastic: bool) -> System {
    let displaced = |output: &hamiltone_core::system::Output| match &output.quantity {
        Quantity::Displacement(row) => Some(row.clone()),
        _ => None,
    };
    let rows: Vec<Row> = system.outputs.iter().filter_map(displaced).collect();
    let of_contacts = |quantity: &Quantity| matches!(quantity, Quantity::Force(_) | Quantity::MeanForce(_));
    system.outputs.retain(|output| !of_contacts(&output.quantity));
    system.elements.clear();
    // What acts on ports acts on no stop.
    system.inputs.retain(|input| input.row().is_some());
    let n = system.size();
    for (first, second, extra, gap, restitution, twice) in stops {
        let end = |k: usize| rows.get(k).cloned().unwrap_or_else(Row::ground);
        let more = Row::Sparse(extra.iter().map(|(i, w)| (i % n, *w)).collect());
        let row = end(*first).minus(&end(*second)).minus(&more);
        let law = Law::Rigid { restitution: if elastic { 1.0 } else { *restitution } };
        for _ in 0..=usize::from(*twice) {
            let contact = Element::new("stop", row.clone(), *gap, law.clone());
            system.elements.push(contact);
        }
    }
    system
}

fn restitutions_differ(system: &System) -> bool {
    let of = |element: &Element| match element.law {
        Law::Rigid { restitution } => Some(restitution),
        _ => None,
    };
    let mut all = system.elements.iter().filter_map(of);
    let first = all.next();
    all.any(|restitution| Some(restitution) != first)
}

fn law(scheme: &dyn Scheme, trial: &Trial, elastic: bool) -> Taken {
    let Some(mut stepper) = trial.prepare(scheme)? else { return Ok(false) };
    let (inputs, n) = (trial.inputs(), trial.system.inputs.len());
    let (mut q, mut v) = (vec![0.0; trial.system.size()], vec![0.0; trial.system.size()]);
    let mut audit = Audit::open(stepper.reset(&inputs[..n]), stepper.balance());
    let (mut met, mut worked) = (true, 0.0_f64);
    for k in 0..trial.steps {
        let ledger = stepper.step(&inputs[k * n..(k + 2) * n], Bookkeeping::Full);
        // Walls that cannot all have their way are told of; what they then do is work like any other.
        met &= !matches!(ledger.effort.fault, Some(Fault::NotConverged(_)));
        if !audit.post(&ledger) {
            // Gauss–Seidel gives up on masses a thousand times apart, says so, and does work that nothing put in: where
            // the system was at rest that alone ends the run.
            // So do stops of different restitution that close at once, by Newton's law of impact.
            let added = audit.contact_work > 0.5 * audit.energy_final && restitutions_differ(&trial.system);
            let diverged = matches!(audit.fault, Some((_, Fault::Diverged(_))));
            return require(!met || (diverged && added), || format!("{:?}", audit.fault)).map(|()| true);
        }
        stepper.snapshot(&mut q, &mut v);
        require(q.iter().chain(&v).all(|x| x.is_finite()), || format!("step {k}: {q:?} {v:?}"))?;
        worked = worked.max(ledger.contact_work.abs());
        // A damper at rest is known to the rounding of its way, in either direction.
        require(ledger.dissipated >= -f64::EPSILON * ledger.leverage, || {
            format!("step {k}: losses gave {} J", -ledger.dissipated)
        })?;
    }
    let (whole, step) = (audit.residual_max_relative(), audit.residual_max_relative_per_step());
    let eps = |x: f64| x / f64::EPSILON;
    require(whole <= exact_tolerance(audit.steps, audit.balance.drift()), || {
        format!("the balance misses {:.0} eps", eps(whole))
    })?;
    // About eight products enter a step's residual, and the work of each contact is one more.
    let of_step = STEP_TOLERANCE * (1.0 + trial.system.elements.len() as f64 / 8.0);
    require(step <= of_step, || format!("the balance misses {:.1} eps in one step", eps(step)))?;
    // The impulses are met to some roundings of their own, of which the work is one each.
    let known = 64.0 * f64::EPSILON * audit.scale();
    // Where springs and masses lose in a step of their own, its middle is not where an impact turns.
    let elastic = elastic && scheme.claims().order_free == 2;
    require(!(elastic && met) || worked <= known, || {
        format!("elastic stops worked {worked:e} of {:e} J", audit.scale())
    })?;
    Ok(true)
}

#[test]
fn simultaneous_impacts_balance_and_elastic_ones_do_no_work() {
    let takes = |scheme: &dyn Scheme| {
        let mut system = System::default();
        system.add_dof(1.0, 0.0, 0.0);
        let law = Law::Rigid { restitution: 0.5 };
        system.elements.push(Element::new("stop", Row::unit(0), 0.0, law));
        scheme.prepare(&system, 1e-5).is_ok()
    };
    let methods: Vec<_> = METHODS.iter().filter(|method| takes(&*method.scheme)).collect();
    let config = ProptestConfig {
        cases: long::cases(400),
        max_local_rejects: 1 << 20,
        failure_persistence: None,
        ..ProptestConfig::default()
    };
    let rng = proptest::test_runner::TestRng::deterministic_rng(proptest::test_runner::RngAlgorithm::ChaCha);
    let mut runner = proptest::test_runner::TestRunner::new_with_rng(config, rng);
    let taken = std::cell::Cell::new(0);
    let systems = (trial::trials(parts::audible, 400), stops());
    let outcome = runner.run(&systems, |(trial, (stops, elastic))| {
        let trial = Trial { system: stopped(trial.system, &stops, elastic), ..trial };
        for method in &methods {
            match law(&*method.scheme, &trial, elastic) {
                Ok(took) => taken.set(taken.get() + u32::from(took)),
                Err(broken) => return Err(TestCaseError::fail(format!("{}: {broken}", method.name))),
            }
        }
        Ok(())
    });
    outcome.unwrap_or_else(|broken| panic!("{broken}"));
    assert!(taken.get() > long::cases(1000), "only {} runs", taken.get());
}

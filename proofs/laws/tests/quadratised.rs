//! What the scheme `ieq` does at contacts, beyond the laws that every scheme is held to.

use hamiltone_core::{
    audit::Audit,
    element::{Compliant, Element, Law},
    ledger::Bookkeeping,
    refusal::Refusal,
    row::Row,
    simulation::Simulation,
    system::System,
};
use hamiltone_elements::{CentreLimited, Power};

const RATE: f64 = 44_100.0;

/// A gram of mass that flies at 1 m/s towards a stop of K = 10⁹ N/m^α.
fn flying(exponent: f64) -> System {
    let mut system = System::default();
    let mass = system.add_dof(1e-3, -3.1e-5, 1.0);
    let law = Power::new(1e9, exponent).unwrap().at_gap(0.0).law;
    system.elements.push(Element::new("stop", Row::unit(mass), 0.0, law));
    system
}

fn prepare(system: System) -> Simulation {
    let scheme = hamiltone_schemes::named("ieq").unwrap();
    scheme.prepare(&std::sync::Arc::new(system), 1.0 / RATE).unwrap()
}

/// A mass leaves a stop as fast as it came, to rounding: what is left of ψ where V = 0 is given back in one step.
#[test]
fn a_bounce_gives_back_all_that_it_stored() {
    for exponent in [1.0, 1.3, 1.5, 2.3] {
        let mut simulation = prepare(flying(exponent));
        let mut audit = Audit::open(simulation.reset(&[]), simulation.balance());
        for _ in 0..400 {
            audit.post(&simulation.step(&[], Bookkeeping::Full));
        }
        assert!(audit.ok(0.0), "{exponent}: {:e}", audit.residual_max_relative());
        let motion = simulation.motion();
        assert!(
            motion.q[0] < 0.0 && (motion.v[0] + 1.0).abs() < 1e-13,
            "{exponent}: {:e}",
            motion.v[0] + 1.0
        );
    }
}

/// Refused by name, where the coverage of compliant laws would let it pass.
#[test]
fn a_law_that_pushes_both_ways_is_refused() {
    let mut system = flying(1.3);
    let spring = Compliant::new(CentreLimited::new(1e6, 1.5, 1e-4).unwrap());
    system.elements.push(Element::new("mount", Row::unit(0), 0.0, Law::Compliant(spring)));
    let scheme = hamiltone_schemes::named("ieq").unwrap();
    let refusal = scheme.prepare(&std::sync::Arc::new(system), 1.0 / RATE).err().expect("a refusal");
    assert!(
        matches!(&refusal, Refusal::NotCovered { scheme: "ieq", what } if what[0].contains("`mount`")),
        "{refusal}"
    );
}

/// A body that reaches a stop within the first increment has no more energy than it came with, however stiff the stop.
#[test]
fn a_stop_within_the_first_increment_gives_nothing() {
    for stiffness in [1e7, 1e9, 1e11] {
        let mut system = flying(1.0);
        system.initial.position[0] = -1e-5;
        system.elements[0] =
            Element::new("stop", Row::unit(0), 0.0, Power::new(stiffness, 1.0).unwrap().at_gap(0.0).law);
        let mut simulation = prepare(system);
        simulation.reset(&[]);
        for _ in 0..400 {
            simulation.step(&[], Bookkeeping::Flows);
        }
        let v = simulation.motion().v[0];
        assert!((v + 1.0).abs() < 1e-12, "{stiffness:e}: {v} m/s");
    }
}

/// An impulse of a body that leans on a spring changes what the spring stores halfway: the order is 2.
#[test]
fn an_impulse_in_contact_keeps_the_order() {
    let end = |refine: usize| {
        let mut system = System::default();
        system.add_dof(1e-3, 2e-4, 0.0);
        let law = Power::new(1e6, 1.5).unwrap().at_gap(0.0).law;
        system.elements.push(Element::new("spring", Row::unit(0), 0.0, law));
        let scheme = hamiltone_schemes::named("ieq").unwrap();
        let mut simulation =
            scheme.prepare(&std::sync::Arc::new(system), 1.0 / (80_000.0 * refine as f64)).unwrap();
        simulation.reset(&[]);
        for k in 0..20 * refine {
            if k == 8 * refine {
                simulation.impulse(&Row::unit(0), 3e-4);
            }
            simulation.step(&[], Bookkeeping::Flows);
        }
        simulation.motion().q[0]
    };
    let exact = end(1024);
    let errors = [1, 2, 4, 8, 16].map(|refine| (end(refine) - exact).abs());
    for two in errors.windows(2) {
        let order = (two[0] / two[1]).log2();
        assert!((1.9..=2.1).contains(&order), "order {order}, {errors:?}");
    }
}

//! Motions of reduced systems against those of the grids.

use super::{cases, distance, reduced, run};
use hamiltone_bodies::{Mass, reduction::Keep};
use hamiltone_core::{
    body::Body,
    element::{Compliant, Element, Law},
    geometry::Place,
    row::Row,
    system::{Output, Quantity, System},
};
use hamiltone_elements::Power;
use std::f64::consts::TAU;

/// A smooth pulse of 2 ms.
fn pulse(t: f64) -> f64 {
    if t < 2e-3 { 0.5 - 0.5 * (TAU * t / 2e-3).cos() } else { 0.0 }
}

/// All modes: another basis of the same coordinates, in which the same scheme takes the same steps.
#[test]
fn all_modes_step_as_the_grid() {
    for case in cases(32) {
        let case = case.wired();
        let modal = reduced(&case.system, Keep::Lowest(usize::MAX));
        let grid = run(&case.system, "ec", 96_000.0, 600, pulse);
        let modes = run(&modal.system, "ec", 96_000.0, 600, pulse);
        for output in [0, 1] {
            let apart = distance(&grid, &modes, output);
            // 600 steps, each rounding ω_maxΔt of up to 10³ times what is read.
            assert!(apart < 1e-9, "{}: {apart:e}", case.name);
        }
    }
}

/// The modes, stepped exactly, are what the grid tends to when its rate rises: with Δt².
#[test]
fn exact_modes_are_the_limit_of_high_rates() {
    for case in cases(48) {
        let case = case.wired();
        let modal = reduced(&case.system, Keep::Lowest(usize::MAX));
        let errors = [1, 2].map(|fine| {
            let rate = 384_000.0 * f64::from(fine);
            let steps = 1500 * fine as usize;
            let grid = run(&case.system, "ec", rate, steps, pulse);
            let modes = run(&modal.system, "modal-moreau-jean", rate, steps, pulse);
            distance(&grid, &modes, 0)
        });
        let order = (errors[0] / errors[1]).log2();
        assert!(errors[1] < 0.02 && order > 1.6, "{}: {errors:?}, order {order}", case.name);
    }
}

/// Positions and velocities at t = 0 that lie in the kept modes: read and stored as before.
#[test]
fn initial_conditions_are_reproduced() {
    for mut case in cases(48) {
        // Its own lowest modes, from rows: a motion that few modes hold exactly.
        let lowest = reduced(&case.system, Keep::Lowest(9));
        let size = case.system.size();
        let along = |i: usize, a: [f64; 9]| lowest.row(&Row::unit(i)).dot(&a);
        let q = [0.3, -0.2, 0.1, 0.0, 0.05, 0.4, -0.6, 0.02, 0.7].map(|a| 1e-3 * a);
        let v = [0.1, 0.5, -0.3, 0.2, 0.0, 0.9, 0.4, -0.7, 0.25];
        case.system.initial.position = (0..size).map(|i| along(i, q)).collect();
        case.system.initial.velocity = (0..size).map(|i| along(i, v)).collect();
        let modal = reduced(&case.system, Keep::Lowest(12));
        let initial = &modal.system.initial;
        for (k, (q, v)) in q.into_iter().zip(v).enumerate() {
            assert!(
                (initial.position[k] - q).abs() < 1e-12,
                "{} {k}: {} {q}",
                case.name,
                initial.position[k]
            );
            assert!((initial.velocity[k] - v).abs() < 1e-9, "{} {k}: {} {v}", case.name, initial.velocity[k]);
        }
        assert!(initial.position[9..].iter().all(|q| q.abs() < 1e-12));
        let old = case.system.energy(&case.system.initial.position, &case.system.initial.velocity, &[]);
        let new = modal.system.energy(&initial.position, &initial.velocity, &[]);
        assert!((new / old - 1.0).abs() < 1e-10, "{}: {new} {old}", case.name);
    }
}

/// A hammer that is not reduced strikes the body's first place.
fn struck(mut system: System, row: Row) -> System {
    let hammer = Mass::new(0.01).unwrap().with_initial(-1e-4, 1.0).unwrap();
    let hammer = hammer.add_to(&mut system, "hammer").unwrap();
    let felt = hammer.row(Place::Whole).unwrap();
    let law = Law::Compliant(Compliant::new(Power::new(1e8, 2.3).unwrap()));
    system.elements.push(Element::new("felt", felt.minus(&row), 0.0, law));
    system.outputs.push(Output { name: "force".into(), quantity: Quantity::Force(0..1) });
    system
}

/// A contact between modes and a mass: the same force by all modes, and nearly the same by those below 20 kHz.
#[test]
fn contacts_keep_their_force() {
    for case in cases(48) {
        let row = case.places[0].clone();
        let system = struck(case.system, row);
        let grid = run(&system, "ec", 192_000.0, 1000, |_| 0.0);
        assert!(grid.iter().any(|row| row[0] > 1.0), "{} is struck", case.name);
        let all = run(&reduced(&system, Keep::Lowest(usize::MAX)).system, "ec", 192_000.0, 1000, |_| 0.0);
        assert!(distance(&grid, &all, 0) < 1e-8, "{}: {:e}", case.name, distance(&grid, &all, 0));
        let few = reduced(&system, Keep::Below(20e3, 500));
        let few = run(&few.system, "modal-moreau-jean", 192_000.0, 1000, |_| 0.0);
        let apart = distance(&grid, &few, 0);
        assert!(apart < 0.1, "{}: {apart}", case.name);
    }
}

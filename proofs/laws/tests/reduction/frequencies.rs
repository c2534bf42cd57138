//! Frequencies and shapes of the modes against the grid that they stand for.

use super::{cases, reduced};
use hamiltone_bodies::reduction::{Component, Keep, MAX_COORDINATES, ReductionError, reduce};
use hamiltone_bodies::{Bar, End};
use hamiltone_core::{body::Body, row::Row, system::System};
use hamiltone_schemes::eigenfrequencies;
use std::f64::consts::TAU;

/// ω_k of the grid by bisection, which is accurate to some eps of ω_max².
#[test]
fn frequencies_are_those_of_the_grid() {
    for intervals in [24, 240] {
        for case in cases(intervals) {
            let modes = &reduced(&case.system, Keep::Lowest(60)).components[0].modes;
            let exact = eigenfrequencies::lowest(&case.system, 60);
            let highest = eigenfrequencies::highest(&case.system);
            assert_eq!(modes.len(), exact.len().min(60));
            for (k, (mode, exact)) in modes.iter().zip(exact).enumerate() {
                let apart = (mode.omega * mode.omega - exact * exact).abs();
                let allowed = 1e-10 * exact * exact + 64.0 * f64::EPSILON * highest * highest;
                assert!(apart <= allowed, "{}, mode {k}: {} and {exact}", case.name, mode.omega);
                assert!(mode.mass > 0.0 && mode.sigma == 0.0);
            }
        }
    }
}

/// Kφ = ω²Mφ entry by entry, to rounding of the products with K; the largest entry of φ is 1.
#[test]
fn shapes_are_eigenvectors() {
    for case in cases(240) {
        let reduction = reduced(&case.system, Keep::Lowest(30));
        let (size, modes) = (case.system.size(), &reduction.components[0].modes);
        let highest = eigenfrequencies::highest(&case.system);
        let rows: Vec<Vec<f64>> = (0..size)
            .map(|i| {
                let mut weights = vec![0.0; modes.len()];
                reduction.row(&Row::unit(i)).add_scaled(1.0, &mut weights);
                weights
            })
            .collect();
        for (k, mode) in modes.iter().enumerate() {
            let shape: Vec<f64> = rows.iter().map(|row| row[k]).collect();
            let largest = shape.iter().fold(0.0_f64, |a, x| a.max(x.abs()));
            assert!((largest - 1.0).abs() < 1e-15);
            let mut force = vec![0.0; size];
            case.system.add_stiffness(1.0, &shape, &mut force);
            for (i, (force, m)) in force.iter().zip(&case.system.mass).enumerate() {
                let residual = (force / m - mode.omega * mode.omega * shape[i]).abs();
                // The rows of K/m sum to ω_max² at most, but for masses that are far from their neighbours'.
                assert!(residual < 1e-12 * highest * highest, "{}, mode {k} at {i}: {residual:e}", case.name);
            }
        }
    }
}

/// Free–free: exactly two rigid motions. Clamped–free: the lowest of 4000 coordinates, (2N/π)⁴ = 4·10¹³ times lower than
/// the highest, is that of the beam to its truncation, 1.2 (Δx/L)².
#[test]
fn rigid_motions_and_the_finest_grid() {
    let bar = |n: usize, ends: [End; 2]| {
        let mut system = System::default();
        let bar = Bar::new(0.4, 1.5, 20.0).unwrap().with_ends(ends);
        bar.on_grid(n).unwrap().add_to(&mut system, "bar").unwrap();
        system
    };
    for n in [40, 400, MAX_COORDINATES - 1] {
        let free = reduced(&bar(n, [End::Free; 2]), Keep::Lowest(6));
        let omegas: Vec<f64> = free.components[0].modes.iter().map(|mode| mode.omega).collect();
        assert_eq!(omegas[..2], [0.0; 2], "{n}");
        // 22.373, 61.673, 120.90, 199.86: (β_m)²
        for (omega, beta2) in omegas[2..].iter().zip([22.373285448, 61.672822868, 120.903392, 199.859448]) {
            let exact = beta2 / 0.16 * (20.0_f64 / 1.5).sqrt();
            let truncation = 1e-8 + 4.0 * beta2 / (n * n) as f64;
            assert!((omega / exact - 1.0).abs() < truncation, "{n}: {omega} {exact}");
        }
    }
}

/// Below a frequency, at least one and no more than asked for.
#[test]
fn modes_below_a_frequency() {
    let system = &cases(60)[4].system;
    let all: Vec<f64> = eigenfrequencies::lowest(system, 20);
    let count = |keep| reduced(system, keep).components[0].modes.len();
    assert_eq!(count(Keep::Below(0.5 * (all[6] + all[7]) / TAU, 500)), 7);
    assert_eq!(count(Keep::Below(0.5 * (all[6] + all[7]) / TAU, 3)), 3);
    assert_eq!(count(Keep::Below(0.1 * all[0] / TAU, 500)), 1);
    assert_eq!(count(Keep::Lowest(1000)), system.size());
}

/// Too many coordinates, and a component that is not closed.
#[test]
fn refusals_tell_why() {
    let whole = |system: &System, dofs: Vec<usize>| {
        reduce(
            system,
            &[Component {
                name: "bar".into(),
                dofs,
                keep: Keep::Lowest(3),
                losses: Vec::new(),
                supports: Vec::new(),
            }],
        )
        .unwrap_err()
    };
    let mut large = System::default();
    let bar = Bar::new(0.4, 1.5, 20.0).unwrap().on_grid(MAX_COORDINATES).unwrap();
    bar.add_to(&mut large, "bar").unwrap();
    let n = large.size();
    assert_eq!(
        whole(&large, (0..n).collect()),
        ReductionError::TooLarge { name: "bar".into(), coordinates: n }
    );
    let bridge = cases(24).swap_remove(6).system;
    assert_eq!(
        whole(&bridge, (0..20).collect()),
        ReductionError::Coupled { name: "bar".into(), block: "string".into() }
    );
}

//! What every reduction obeys, over random bodies, links and contacts of the catalogues.

use hamiltone_bodies::reduction::{
    Component, Keep, MAX_COORDINATES, Reduction, ReductionError, components, reduce,
};
use hamiltone_core::{
    operator::Operator,
    row::Row,
    system::{Quantity, System},
};
use hamiltone_laws::{parts, trial};
use proptest::{prelude::*, test_runner::RngSeed};

/// All components by all their modes.
fn whole(system: &System) -> Option<Reduction> {
    let sets = components(system);
    assert_eq!(sets.iter().map(Vec::len).sum::<usize>(), system.size());
    if sets.iter().any(|set| set.len() > MAX_COORDINATES.min(300)) {
        return None;
    }
    let component = |(k, dofs)| Component {
        name: format!("modes {k}"),
        dofs,
        keep: Keep::Lowest(usize::MAX),
        losses: Vec::new(),
        supports: Vec::new(),
    };
    let components: Vec<Component> = sets.into_iter().enumerate().map(component).collect();
    match reduce(system, &components) {
        // Modes that rounding hides are refused, as of a grid that is almost as stiff as it is light.
        Err(ReductionError::Unresolved { .. }) => None,
        reduced => Some(reduced.expect("numbers of instruments")),
    }
}

/// The old coordinates that these new ones stand for.
fn old(reduction: &Reduction, size: usize, new: &[f64]) -> Vec<f64> {
    (0..size).map(|i| reduction.row(&Row::unit(i)).dot(new)).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, rng_seed: RngSeed::Fixed(1986), failure_persistence: None, ..ProptestConfig::default() })]

    /// The same mass, stiffness, damping of single modes, rows and initial conditions, in coordinates that nothing couples.
    #[test]
    fn all_modes_are_another_basis(trial in trial::trials(parts::audible, 1), seed in any::<u64>()) {
        let system = &trial.system;
        let Some(reduction) = whole(system) else { return Ok(()) };
        let modal = &reduction.system;
        let n = system.size();
        prop_assert_eq!(modal.size(), n);
        prop_assert!(modal.diagonal_stiffness().is_ok() && modal.diagonal_damping().is_ok());
        // A state with the same kinetic energy in each mode.
        let noise = |i: usize| {
            let bits = (seed ^ i as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 11;
            bits as f64 / (1_u64 << 52) as f64 - 1.0
        };
        let new: Vec<f64> = (0..n).map(|i| noise(i) / modal.mass[i].sqrt()).collect();
        let state = old(&reduction, n, &new);
        let kinetic = |system: &System, v: &[f64]| system.mass.iter().zip(v).map(|(m, v)| m * v * v).sum::<f64>();
        let same = |a: f64, b: f64, tolerance: f64| (a - b).abs() <= tolerance * a.abs().max(b.abs());
        let (a, b) = (kinetic(system, &state), kinetic(modal, &new));
        prop_assert!(same(a, b, 1e-12), "kinetic {} {}", a, b);
        let (a, b) = (system.stiffness_form(&state, &state), modal.stiffness_form(&new, &new));
        // Of a pair that damping couples 2κab ≤ κ(a² + b²) is left out, κ ≤ 0.025 ω².
        let mixed = reduction.components.iter().map(|component| component.neglected.mixed).fold(0.0, f64::max);
        prop_assert!(mixed < 0.03 && same(a, b, 1e-11 + mixed), "potential {} {}, mixed {}", a, b, mixed);
        // The trace of M⁻¹R does not depend on the basis.
        let trace = |system: &System| {
            let squares = |operator: &Operator, first: usize| {
                operator.squares().map(|(w, row)| w * row.sum(|i, c| c * c / system.mass[first + i])).sum::<f64>()
            };
            system.blocks.iter().map(|block| squares(&block.damping, block.dofs.start)).sum::<f64>()
        };
        let (a, b) = (trace(system), trace(modal));
        prop_assert!(same(a, b, 1e-11), "damping {} {}", a, b);
        let rows = |system: &System| {
            let output = |quantity: &Quantity| match quantity {
                Quantity::Displacement(row) | Quantity::Velocity(row) => Some(row.clone()),
                _ => None,
            };
            let outputs = system.outputs.iter().filter_map(|given| output(&given.quantity));
            let inputs = system.inputs.iter().filter_map(|input| input.row().cloned());
            outputs.chain(inputs).chain(system.elements.iter().flat_map(|element| element.rows.clone())).collect::<Vec<_>>()
        };
        for (row, mapped) in rows(system).iter().zip(rows(modal)) {
            let size = row.magnitude(&state).max(mapped.magnitude(&new));
            prop_assert!((row.dot(&state) - mapped.dot(&new)).abs() <= 1e-10 * size, "{:?}", row);
        }
        for (before, after) in [
            (&system.initial.position, &modal.initial.position),
            (&system.initial.velocity, &modal.initial.velocity),
        ] {
            let back = old(&reduction, n, after);
            let size = before.iter().fold(0.0_f64, |a, x| a.max(x.abs()));
            let apart = back.iter().zip(before).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
            prop_assert!(apart <= 1e-9 * size, "initial condition {} of {}", apart, size);
        }
    }
}

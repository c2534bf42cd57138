//! Whether springs hold all that they act on: how far it can be from rest, in ways of one step.
//!
//!   ½ω²|q|²_M ≤ E,   ½|s|²_M/Δt² ≤ E   ⇒   |q| ≤ N|s|,   N = 1/(ωΔt)
//!
//! where E is the energy, |s| the longest way that it allows in a step, and ω the lowest frequency of K. A body that is free has ω = 0 and
//! flies arbitrarily far. Whether all frequencies are above ω is told by the signs of the pivots of K − ω²M = LDLᵀ (Sylvester).

use crate::assembly::assemble;
use hamiltone_core::system::System;

/// Whether K holds all coordinates that it acts on to within `steps` ways of a step: no frequency is below 1/(`steps`·Δt).
/// Springs between far coordinates, which can only hold more, are left out.
pub(super) fn is_held(system: &System, dt: f64, steps: f64) -> bool {
    let shift = 1.0 / (steps * steps);
    let matrix = assemble(system, -shift, 0.0, dt * dt);
    // A mass on which no spring acts has the pivot −ω²m.
    let free = system.mass.iter().enumerate().filter(|(i, m)| matrix.band.get(*i, *i) == -shift * **m);
    let free = free.count();
    matrix.band.factor().pivots().filter(|pivot| *pivot <= 0.0).count() == free
}

#[cfg(test)]
mod tests {
    use super::*;
    use hamiltone_core::{operator::Operator, row::Row, system::Block};
    use std::f64::consts::PI;

    /// Masses of 1 kg in a chain of springs of 1 N/m, its ends fixed or free, beside a mass that no spring holds.
    fn chain(n: usize, fixed: bool) -> System {
        let mut system = System::default();
        (0..=n).for_each(|_| _ = system.add_dof(1.0, 0.0, 0.0));
        let mut strains: Vec<(f64, Row)> =
            (1..n).map(|i| (1.0, Row::Sparse(vec![(i - 1, -1.0), (i, 1.0)]))).collect();
        if fixed {
            strains.extend([0, n - 1].map(|i| (1.0, Row::unit(i))));
        }
        let stiffness = Operator::Strains(strains);
        system.blocks.push(Block { name: "chain".into(), dofs: 0..n, stiffness, damping: Operator::Zero });
        system
    }

    /// The lowest frequency of the fixed chain is 2 sin(π/2(n+1)), that of the free one 0.
    #[test]
    fn a_chain_is_held_by_its_ends_to_the_way_of_its_lowest_mode() {
        let (n, dt) = (50, 0.1);
        let steps = 1.0 / (2.0 * (PI / 2.0 / (n + 1) as f64).sin() * dt);
        assert!(is_held(&chain(n, true), dt, 1.001 * steps));
        assert!(!is_held(&chain(n, true), dt, 0.999 * steps));
        assert!(!is_held(&chain(n, false), dt, 1e4 * steps));
    }
}

//! A lower bound of the eigenfrequencies of K x = ω²M x.
//!
//!   K − ω²M = LDLᵀ,   no frequency lies below ω  ⇔  D > 0      (Sylvester's law of inertia)
//!
//! The displacement from rest of a system of energy E is then bounded by that of one step: from ½ω²|q|²_M ≤ E and ½|s|²_M/Δt² ≤ E follows
//! max|q| ≤ max|s|/(ωΔt). A rigid-body motion has the frequency 0, and no bound.

use crate::assembly::assemble;
use hamiltone_core::system::System;

/// Whether no frequency of K lies below `angle`/Δt, of the coordinates on which springs act.
///
/// Springs between far coordinates, which only raise frequencies, are left out; a mass on which no other spring acts counts as free. Positive
/// pivots are counted, and not negative ones as by `Pencil::count_below`: behind a pivot of 0 neither is known.
pub(super) fn exceeds(system: &System, dt: f64, angle: f64) -> bool {
    let shift = angle * angle;
    let matrix = assemble(system, -shift, 0.0, dt * dt);
    // The pivot of a mass on which no spring acts is −ω²m.
    let masses = system.mass.iter().enumerate();
    let free = masses.filter(|(i, m)| matrix.band.get(*i, *i) == -shift * **m).count();
    let positive = matrix.band.factor().pivots().filter(|pivot| *pivot > 0.0).count();
    positive + free == system.size()
}

#[cfg(test)]
mod tests {
    use super::*;
    use hamiltone_core::{operator::Operator, row::Row, system::Block};
    use std::f64::consts::PI;

    /// Masses of 1 kg in a chain of springs of 1 N/m, its ends fixed or free, beside a mass on which no spring acts.
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
    fn the_lowest_frequency_of_a_chain_is_bounded() {
        let (n, dt) = (50, 0.1);
        let angle = 2.0 * (PI / 2.0 / (n + 1) as f64).sin() * dt;
        assert!(exceeds(&chain(n, true), dt, 0.999 * angle));
        assert!(!exceeds(&chain(n, true), dt, 1.001 * angle));
        assert!(!exceeds(&chain(n, false), dt, 1e-4 * angle));
    }

    /// Where a pivot is 0 nothing is known of those that follow.
    #[test]
    fn a_pivot_of_zero_is_no_bound() {
        let mut system = chain(4, false);
        let spring = Operator::Strains(vec![(1.0 / 64.0, Row::unit(0))]);
        system.blocks.insert(
            0,
            Block { name: "spring".into(), dofs: 0..1, stiffness: spring, damping: Operator::Zero },
        );
        system.blocks[1].dofs = 1..5;
        assert!(!exceeds(&system, 1.0, 1.0 / 8.0));
    }
}

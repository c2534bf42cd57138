//! Eigenfrequencies of the linear part, K x = ω²M x, by counting.
//!
//! See [`hamiltone_numerics::pencil`]: bisection on the number of negative pivots of K − λM finds any eigenvalue, each
//! alone, to the last bits of the largest.

use hamiltone_core::system::System;
use hamiltone_numerics::pencil::Pencil;

/// The `count` lowest angular frequencies, rad/s, in ascending order, of the system without its contacts.
pub fn lowest(system: &System, count: usize) -> Vec<f64> {
    let pencil = pencil(system);
    // A free body has eigenvalues 0, which bisection finds as small numbers of either sign.
    (0..count.min(system.size())).map(|k| pencil.eigenvalue(k).max(0.0).sqrt()).collect()
}

/// The highest angular frequency ω_max, rad/s, of the system without its contacts.
pub fn highest(system: &System) -> f64 {
    match system.size() {
        0 => 0.0,
        n => pencil(system).eigenvalue(n - 1).max(0.0).sqrt(),
    }
}

fn pencil(system: &System) -> Pencil<'_> {
    Pencil::new(&system.mass, system.blocks.iter().map(|block| (block.dofs.start, &block.stiffness)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use hamiltone_core::{operator::Operator, row::Row, system::Block};

    /// n masses m in a chain of springs k, both ends fixed: ω_j = 2√(k/m) sin(jπ/2(n+1)).
    #[test]
    fn chain_of_masses() {
        let (n, m, k) = (12, 0.3, 40.0);
        let mut system = System::default();
        for _ in 0..n {
            system.add_dof(m, 0.0, 0.0);
        }
        let mut strains = vec![(k, Row::unit(0)), (k, Row::unit(n - 1))];
        (1..n).for_each(|i| strains.push((k, Row::Sparse(vec![(i - 1, -1.0), (i, 1.0)]))));
        system.blocks.push(Block {
            name: "chain".into(),
            dofs: 0..n,
            stiffness: Operator::Strains(strains),
            damping: Operator::Zero,
        });
        let exact =
            |j: usize| 2.0 * (k / m).sqrt() * (j as f64 * std::f64::consts::FRAC_PI_2 / (n + 1) as f64).sin();
        for (j, omega) in lowest(&system, n).into_iter().enumerate() {
            assert!((omega / exact(j + 1) - 1.0).abs() < 1e-12, "{j} {omega}");
        }
        assert!((highest(&system) / exact(n) - 1.0).abs() < 1e-13);
    }
}

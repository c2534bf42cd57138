//! Eigenfrequencies of the linear part, K x = ω²M x, by counting.
//!
//! The number of eigenvalues below λ is the number of negative pivots of the
//! LDLᵀ factorisation of K − λM (Sylvester). Bisection on that count finds any
//! eigenvalue, each alone, to the last bits, in band storage.

use crate::assembly::assemble;
use hamiltone_core::{row::Row, system::System};
use hamiltone_numerics::{banded::Band, woodbury::UpdatedBand};

/// The `count` lowest angular frequencies, rad/s, in ascending order, of the system without its contacts.
pub fn lowest(system: &System, count: usize) -> Vec<f64> {
    let problem = Problem::new(system);
    (0..count.min(system.size())).map(|k| problem.eigenvalue(k).max(0.0).sqrt()).collect()
}

/// The highest angular frequency ω_max, rad/s, of the system without its contacts.
pub fn highest(system: &System) -> f64 {
    match system.size() {
        0 => 0.0,
        n => Problem::new(system).eigenvalue(n - 1).max(0.0).sqrt(),
    }
}

/// M^(−½) K M^(−½) with a bound on its eigenvalues.
struct Problem {
    matrix: UpdatedBand,
    bound: f64,
}

impl Problem {
    fn new(system: &System) -> Self {
        let UpdatedBand { band: k, far } = assemble(system, 0.0, 0.0, 1.0);
        let (size, half) = (k.size(), k.half_bandwidth());
        let root: Vec<f64> = system.mass.iter().map(|m| m.sqrt()).collect();
        let mut band = Band::zero(size, half);
        // Gershgorin: no eigenvalue exceeds the largest absolute row sum; a far coupling adds its own at most.
        let mut sums = vec![0.0; size];
        for i in 0..size {
            for j in i.saturating_sub(half)..=i {
                let a = k.get(i, j) / root[i] / root[j];
                band.add(i, j, a);
                sums[i] += a.abs();
                if j < i {
                    sums[j] += a.abs();
                }
            }
        }
        let scaled = |row: &Row| Row::Sparse(row.entries().map(|(i, w)| (i, w / root[i])).collect());
        let far: Vec<(f64, Row)> = far.iter().map(|(weight, row)| (*weight, scaled(row))).collect();
        let own = far.iter().map(|(weight, row)| weight * row.sum(|_, w| w * w)).sum::<f64>();
        Self { bound: sums.into_iter().fold(0.0, f64::max) + own, matrix: UpdatedBand { band, far } }
    }

    /// The eigenvalue of index k, the lowest being 0.
    fn eigenvalue(&self, k: usize) -> f64 {
        let band = &self.matrix.band;
        if band.half_bandwidth() == 0 && self.matrix.far.is_empty() {
            let mut diagonal: Vec<f64> = (0..band.size()).map(|i| band.get(i, i)).collect();
            diagonal.sort_by(f64::total_cmp);
            return diagonal[k];
        }
        let (mut low, mut high) = (-f64::EPSILON * self.bound, self.bound * (1.0 + 4.0 * f64::EPSILON));
        // 200 halvings reach the smallest interval between two doubles from any start.
        for _ in 0..200 {
            let middle = 0.5 * (low + high);
            if middle <= low || middle >= high {
                break;
            }
            if self.count_below(middle) > k { high = middle } else { low = middle }
        }
        high
    }

    /// With far couplings C W Cᵀ the inertia of [B − λ, C; Cᵀ, −W⁻¹] tells the count: that of B − λ, and of
    /// −W⁻¹ − Cᵀ(B − λ)⁻¹C less one a coupling.
    fn count_below(&self, lambda: f64) -> usize {
        let mut shifted = self.matrix.band.clone();
        (0..shifted.size()).for_each(|i| shifted.add(i, i, -lambda));
        let factored = shifted.factor();
        let negative = |pivots: &mut dyn Iterator<Item = f64>| pivots.filter(|&pivot| pivot < 0.0).count();
        let near = negative(&mut factored.pivots());
        let far = &self.matrix.far;
        let mut small = Band::zero(far.len(), far.len().saturating_sub(1));
        let mut column = vec![0.0; self.matrix.band.size()];
        for (j, (weight, row)) in far.iter().enumerate() {
            column.fill(0.0);
            row.add_scaled(1.0, &mut column);
            factored.solve(&mut column);
            small.add(j, j, -1.0 / weight);
            for (i, (_, other)) in far.iter().enumerate().skip(j) {
                small.add(i, j, -other.dot(&column));
            }
        }
        // Numbers of absurd size overflow to pivots that are neither, and can leave fewer than there are couplings.
        (near + negative(&mut small.factor().pivots())).saturating_sub(far.len())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use hamiltone_core::{operator::Operator, system::Block};

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

    /// A chain whose ends a far spring joins, by the border and in a wide band.
    #[test]
    fn far_couplings_are_counted() {
        let (n, k) = (40, 30.0);
        let chain = |n: usize| {
            let mut system = System::default();
            for i in 0..n {
                system.add_dof(0.1 + 0.01 * i as f64, 0.0, 0.0);
            }
            let strain = |i: usize| (k, Row::Sparse(vec![(i - 1, -1.0), (i, 1.0)]));
            let mut strains: Vec<_> = (1..n).map(strain).collect();
            strains.push((5.0 * k, Row::Sparse(vec![(0, 1.0), (n - 1, -1.0)])));
            strains.push((k, Row::unit(3)));
            let stiffness = Operator::Strains(strains);
            let block = Block { name: "ring".into(), dofs: 0..n, stiffness, damping: Operator::Zero };
            system.blocks.push(block);
            system
        };
        let system = chain(n);
        let bordered = Problem::new(&system);
        assert_eq!(bordered.matrix.far.len(), 1);
        let mut wide = Problem { matrix: bordered.matrix.clone(), bound: bordered.bound };
        let mut band = Band::zero(n, n - 1);
        for i in 0..n {
            (i.saturating_sub(1)..=i).for_each(|j| band.add(i, j, bordered.matrix.band.get(i, j)));
        }
        bordered.matrix.far.iter().for_each(|(w, row)| band.add_square(*w, row));
        wide.matrix = UpdatedBand { band, far: Vec::new() };
        for k in [0, 1, 7, n - 1] {
            let (a, b) = (bordered.eigenvalue(k), wide.eigenvalue(k));
            assert!((a - b).abs() < 1e-12 * bordered.bound, "{k}: {a} {b}");
        }
    }
}

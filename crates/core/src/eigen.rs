//! Eigenfrequencies of the linear part, K x = ω²M x, by counting.
//!
//! The number of eigenvalues below λ is the number of negative pivots of the
//! LDLᵀ factorisation of K − λM (Sylvester). Bisection on that count finds any
//! eigenvalue, each alone, to the last bits, in band storage.

use crate::{band::Band, system::System};

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
    size: usize,
    half: usize,
    /// Rows of the lower triangle: (i, i−d) at [i][d].
    rows: Vec<Vec<f64>>,
    bound: f64,
}

impl Problem {
    fn new(system: &System) -> Self {
        let k = system.assemble(0.0, 0.0, 1.0);
        let (size, half) = (k.size(), k.half_bandwidth());
        let root: Vec<f64> = system.mass.iter().map(|m| m.sqrt()).collect();
        let rows: Vec<Vec<f64>> = (0..size)
            .map(|i| (0..=half.min(i)).map(|d| k.get(i, i - d) / root[i] / root[i - d]).collect())
            .collect();
        // Gershgorin: no eigenvalue exceeds the largest absolute row sum.
        let mut sums = vec![0.0; size];
        for (i, row) in rows.iter().enumerate() {
            for (d, a) in row.iter().enumerate() {
                sums[i] += a.abs();
                if d > 0 {
                    sums[i - d] += a.abs();
                }
            }
        }
        let bound = sums.into_iter().fold(0.0, f64::max);
        Self { size, half, rows, bound }
    }

    /// The eigenvalue of index k, the lowest being 0.
    fn eigenvalue(&self, k: usize) -> f64 {
        if self.half == 0 {
            let mut diagonal: Vec<f64> = self.rows.iter().map(|row| row[0]).collect();
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

    fn count_below(&self, lambda: f64) -> usize {
        let mut shifted = Band::zero(self.size, self.half);
        for (i, row) in self.rows.iter().enumerate() {
            row.iter().enumerate().for_each(|(d, &a)| shifted.add(i, i - d, a));
            shifted.add(i, i, -lambda);
        }
        shifted.factor().pivots().filter(|&pivot| pivot < 0.0).count()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{operator::Operator, row::Row, system::Block};

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

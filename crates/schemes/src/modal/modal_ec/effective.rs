//! The effective compliance of the rows of a port, as others answer its forces in a step.
//!
//!   σ = σ₀ − C F,   C ← C + uuᵀ/u·ΔF,   u = −Δσ − C ΔF
//!
//! Δσ and ΔF are the changes of the ways and forces between two turns, C at first the compliance G of the rows alone: the symmetric update of rank one
//! (Broyden 1967), which is exact after as many turns as there are rows while the answer of the others is linear.

/// C, and what it was learnt from.
#[derive(Clone, Debug)]
pub(super) struct Effective {
    rows: usize,
    /// Row-major.
    matrix: Vec<f64>,
    /// F and σ in the turn before.
    last: Vec<(f64, f64)>,
    /// u.
    miss: Vec<f64>,
}

impl Effective {
    /// Room for so many rows.
    pub fn new(most: usize) -> Self {
        Self { rows: 0, matrix: vec![0.0; most * most], last: vec![(0.0, 0.0); most], miss: vec![0.0; most] }
    }

    /// Cᵢⱼ.
    pub fn at(&self, i: usize, j: usize) -> f64 {
        self.matrix[i * self.rows + j]
    }

    /// Learns from the forces and ways of a turn; at the `first` there is nothing to learn from, and C is G.
    pub fn learn(
        &mut self,
        own: impl Fn(usize, usize) -> f64,
        (forces, sigma): (&[f64], &[f64]),
        first: bool,
    ) {
        let count = forces.len();
        let entries = || (0..count).flat_map(|i| (0..count).map(move |j| (i, j)));
        if first {
            self.rows = count;
            entries().for_each(|(i, j)| self.matrix[i * count + j] = own(i, j));
        } else {
            let change = |i: usize| forces[i] - self.last[i].0;
            for (i, way) in sigma.iter().enumerate() {
                let answer: f64 = (0..count).map(|j| self.matrix[i * count + j] * change(j)).sum();
                self.miss[i] = self.last[i].1 - way - answer;
            }
            let along: f64 = (0..count).map(|i| self.miss[i] * change(i)).sum();
            let Self { matrix, miss, .. } = self;
            let next = |matrix: &[f64], i: usize, j: usize| matrix[i * count + j] + miss[i] * miss[j] / along;
            // Others take away of a compliance, and what they leave is positive.
            let is_one = entries().all(|(i, j)| {
                let [own_i, own_j, both] = [[i, i], [j, j], [i, j]].map(|[i, j]| next(matrix, i, j));
                (0.0..=own(i, i)).contains(&own_i) && both * both <= own_i * own_j
            });
            if is_one {
                entries().for_each(|(i, j)| matrix[i * count + j] = next(matrix, i, j));
            }
        }
        for (last, now) in self.last.iter_mut().zip(forces.iter().zip(sigma)) {
            *last = (*now.0, *now.1);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Of a linear answer, two turns teach two rows.
    #[test]
    fn a_linear_answer_is_learnt() {
        let own = [[2.0, 0.5], [0.5, 1.0]];
        let exact = [[1.2, 0.1], [0.1, 0.7]];
        let sigma = |f: [f64; 2]| [0, 1].map(|i| 3.0 - exact[i][0] * f[0] - exact[i][1] * f[1]);
        let mut effective = Effective::new(2);
        for (turn, f) in [[0.0, 0.0], [1.0, 0.3], [0.2, -0.8]].into_iter().enumerate() {
            effective.learn(|i, j| own[i][j], (&f, &sigma(f)), turn == 0);
        }
        for (i, row) in exact.iter().enumerate() {
            for (j, entry) in row.iter().enumerate() {
                assert!((effective.at(i, j) - entry).abs() < 1e-14, "{effective:?}");
            }
        }
    }
}

//! A linear functional of the positions: δ = c·q.
//!
//! Contacts, drives and pickups see a system only through rows, so that none of
//! them needs to know which body it touches.

/// The weights c of a functional c·q over the degrees of freedom of a system.
#[derive(Clone, Debug, PartialEq)]
pub enum Row {
    /// A few weights: (degree of freedom, weight).
    Sparse(Vec<(usize, f64)>),
    /// A run of weights that starts at degree of freedom `first`.
    Dense {
        /// The degree of freedom of `weights[0]`.
        first: usize,
        /// The weights of `first`, `first + 1`, ….
        weights: Vec<f64>,
    },
}

impl Row {
    /// The row that is zero everywhere: the ground, a body at rest at 0.
    pub fn ground() -> Self {
        Row::Sparse(Vec::new())
    }

    /// The row that reads one degree of freedom.
    pub fn unit(dof: usize) -> Self {
        Row::Sparse(vec![(dof, 1.0)])
    }

    /// Whether it reads nothing.
    pub fn is_zero(&self) -> bool {
        self.entries().all(|(_, w)| w == 0.0)
    }

    /// Its (degree of freedom, weight) pairs, in the order in which they are summed.
    pub fn entries(&self) -> Box<dyn Iterator<Item = (usize, f64)> + '_> {
        match self {
            Row::Sparse(entries) => Box::new(entries.iter().copied()),
            Row::Dense { first, weights } => {
                Box::new(weights.iter().enumerate().map(move |(i, &w)| (first + i, w)))
            }
        }
    }

    /// Σ f(i, cᵢ) over its entries.
    #[inline]
    pub fn sum(&self, f: impl Fn(usize, f64) -> f64) -> f64 {
        match self {
            Row::Sparse(entries) => entries.iter().map(|&(i, w)| f(i, w)).sum(),
            Row::Dense { first, weights } => weights.iter().enumerate().map(|(i, &w)| f(first + i, w)).sum(),
        }
    }

    /// cᵢ.
    pub fn weight(&self, dof: usize) -> f64 {
        self.sum(|i, w| if i == dof { w } else { 0.0 })
    }

    /// c·x.
    #[inline]
    pub fn dot(&self, x: &[f64]) -> f64 {
        match self {
            Row::Sparse(entries) => entries.iter().map(|&(i, w)| w * x[i]).sum(),
            Row::Dense { first, weights } => weights.iter().zip(&x[*first..]).map(|(w, x)| w * x).sum(),
        }
    }

    /// Σ|cᵢxᵢ|: what the rounding of c·x is relative to.
    pub fn magnitude(&self, x: &[f64]) -> f64 {
        match self {
            Row::Sparse(entries) => entries.iter().map(|&(i, w)| (w * x[i]).abs()).sum(),
            Row::Dense { first, weights } => {
                weights.iter().zip(&x[*first..]).map(|(w, x)| (w * x).abs()).sum()
            }
        }
    }

    /// x += a·c.
    #[inline]
    pub fn add_scaled(&self, a: f64, x: &mut [f64]) {
        match self {
            Row::Sparse(entries) => entries.iter().for_each(|&(i, w)| x[i] += a * w),
            Row::Dense { first, weights } => {
                for (w, x) in weights.iter().zip(&mut x[*first..]) {
                    *x += a * w;
                }
            }
        }
    }

    /// The row self − other, with equal degrees of freedom merged and exact zeros dropped.
    pub fn minus(&self, other: &Row) -> Row {
        let mut merged = std::collections::BTreeMap::new();
        self.entries().for_each(|(i, w)| *merged.entry(i).or_insert(0.0) += w);
        other.entries().for_each(|(i, w)| *merged.entry(i).or_insert(0.0) -= w);
        Row::Sparse(merged.into_iter().filter(|&(_, w)| w != 0.0).collect())
    }

    /// The row a·self.
    pub fn scaled(&self, a: f64) -> Row {
        Row::Sparse(self.entries().map(|(i, w)| (i, a * w)).collect())
    }

    /// The row with every degree of freedom `offset` farther on.
    pub fn moved(&self, offset: usize) -> Row {
        Row::Sparse(self.entries().map(|(i, w)| (offset + i, w)).collect())
    }

    /// How far apart the first and the last degree of freedom are that it reads.
    pub fn spread(&self) -> usize {
        let first = self.entries().map(|(i, _)| i).min().unwrap_or(0);
        self.last_dof().map_or(0, |last| last - first)
    }

    /// The smallest degree of freedom that it reads, if it reads any.
    pub fn first_dof(&self) -> Option<usize> {
        self.entries().map(|(i, _)| i).min()
    }

    /// The largest degree of freedom that it reads, if it reads any.
    pub fn last_dof(&self) -> Option<usize> {
        self.entries().map(|(i, _)| i).max()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sparse_and_dense_agree() {
        let x = [1.0, 2.0, 3.0, 4.0];
        let sparse = Row::Sparse(vec![(1, 0.5), (2, -2.0)]);
        let dense = Row::Dense { first: 1, weights: vec![0.5, -2.0] };
        assert_eq!(sparse.dot(&x), -5.0);
        assert_eq!(dense.dot(&x), -5.0);
        assert_eq!([sparse.magnitude(&x), dense.magnitude(&x)], [7.0, 7.0]);
        let (mut a, mut b) = (x, x);
        sparse.add_scaled(2.0, &mut a);
        dense.add_scaled(2.0, &mut b);
        assert_eq!(a, b);
        assert_eq!(sparse.minus(&dense), Row::ground());
        assert_eq!(dense.last_dof(), Some(2));
    }
}

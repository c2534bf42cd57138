//! A linear functional of the positions: δ = c·q.
//!
//! Contacts, drives and pickups see a system only through rows, so that none of
//! them needs to know which body it acts on.

#[cfg(feature = "serde")]
mod stored;

use crate::{lanes, math};
use std::sync::Arc;

/// The weights c of a functional c·q over the degrees of freedom of a system.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
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
    /// A point of a body whose modes are sines.
    Sine(Sine),
}

/// The row a·sin(πki/N), k = 1 … modes, of point i of N intervals: rows of one comb share its table, and schemes may
/// read all of them by one fast sine transform.
#[derive(Clone, Debug)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(try_from = "stored::Parts", into = "stored::Parts")
)]
pub struct Sine {
    /// The degree of freedom of k = 1.
    pub first: usize,
    /// The number of modes, below N.
    pub modes: usize,
    /// i, from 0 to N.
    pub point: usize,
    /// a.
    pub scale: f64,
    /// sin(πi/N) for i = 0 … 2N − 1.
    pub table: Arc<[f64]>,
}

impl Sine {
    /// The table of N intervals, by the sines of the first eighth of the circle.
    pub fn table(intervals: usize) -> Arc<[f64]> {
        let quarter = |i: usize| {
            let angle = |i: usize| std::f64::consts::PI * i as f64 / intervals as f64;
            // 2i < N/2: below π/4 the sine, above the cosine of the complement, which is exact in whole numbers.
            if 4 * i <= intervals { math::sin(angle(i)) } else { math::cos(0.5 * angle(intervals - 2 * i)) }
        };
        // sin(π − x) = sin x, and below sin(x + π) = −sin x, from the same entry: the symmetries hold to the last bit.
        let half = |i: usize| if 2 * i <= intervals { quarter(i) } else { quarter(intervals - i) };
        (0..2 * intervals).map(|i| if i <= intervals { half(i) } else { -half(i - intervals) }).collect()
    }

    /// N.
    pub fn intervals(&self) -> usize {
        self.table.len() / 2
    }

    /// Its weights in the order of the modes.
    #[inline]
    pub fn weights(&self) -> impl Iterator<Item = f64> + '_ {
        let round = self.table.len();
        let mut at = 0;
        (0..self.modes).map(move |_| {
            // ki modulo 2N in whole numbers: i (`point`) is N at most, so that one subtraction suffices.
            at += self.point;
            if at >= round {
                at -= round;
            }
            self.scale * self.table[at]
        })
    }
}

impl Sine {
    /// Σ x_k sin(πki/N) over its modes, x₁ first, in eight sums side by side.
    #[inline]
    fn sum(&self, x: &[f64]) -> f64 {
        let round = self.table.len();
        let (mut lanes, mut at) = ([0.0; lanes::LANES], 0);
        for x in x[..self.modes].chunks(lanes::LANES) {
            for (lane, x) in lanes.iter_mut().zip(x) {
                at += self.point;
                if at >= round {
                    at -= round;
                }
                *lane += self.table[at] * x;
            }
        }
        lanes::fold(lanes)
    }
}

/// Σ wᵢxᵢ of a long row, beside which a call costs little.
#[inline(never)]
fn dense_dot(weights: &[f64], x: &[f64]) -> f64 {
    lanes::sum_of([weights, x], |[w, x]| w * x)
}

impl PartialEq for Sine {
    fn eq(&self, other: &Self) -> bool {
        // The table is a function of its length.
        let key = |s: &Self| (s.first, s.modes, s.point, s.table.len());
        key(self) == key(other) && self.scale == other.scale
    }
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

    /// The degree of freedom that it reads as it is, if it reads just one.
    pub fn coordinate(&self) -> Option<usize> {
        match self {
            Row::Sparse(entries) => match entries[..] {
                [(dof, 1.0)] => Some(dof),
                _ => None,
            },
            Row::Dense { .. } | Row::Sine(_) => None,
        }
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
            Row::Sine(sine) => Box::new(sine.weights().enumerate().map(move |(i, w)| (sine.first + i, w))),
        }
    }

    /// Calls f(i, cᵢ) for each of its entries, in the order in which they are summed, without an allocation.
    pub fn for_each(&self, mut f: impl FnMut(usize, f64)) {
        match self {
            Row::Sparse(entries) => entries.iter().for_each(|&(i, w)| f(i, w)),
            Row::Dense { first, weights } => {
                weights.iter().enumerate().for_each(|(i, &w)| f(first + i, w));
            }
            Row::Sine(sine) => sine.weights().enumerate().for_each(|(i, w)| f(sine.first + i, w)),
        }
    }

    /// Σ f(i, cᵢ) over its entries.
    #[inline]
    pub fn sum(&self, f: impl Fn(usize, f64) -> f64) -> f64 {
        match self {
            Row::Sparse(entries) => entries.iter().map(|&(i, w)| f(i, w)).sum(),
            Row::Dense { first, weights } => lanes::sum(weights.len(), |i| f(first + i, weights[i])),
            Row::Sine(sine) => sine.weights().enumerate().map(|(i, w)| f(sine.first + i, w)).sum(),
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
            Row::Dense { first, weights } => dense_dot(weights, &x[*first..][..weights.len()]),
            // The scale is applied to the sum: one product instead of one for each mode.
            Row::Sine(sine) => sine.scale * sine.sum(&x[sine.first..]),
        }
    }

    /// Σ|cᵢxᵢ|: what the rounding of c·x is relative to.
    pub fn magnitude(&self, x: &[f64]) -> f64 {
        match self {
            Row::Sparse(entries) => entries.iter().map(|&(i, w)| (w * x[i]).abs()).sum(),
            Row::Dense { first, weights } => {
                weights.iter().zip(&x[*first..]).map(|(w, x)| (w * x).abs()).sum()
            }
            Row::Sine(sine) => sine.weights().zip(&x[sine.first..]).map(|(w, x)| (w * x).abs()).sum(),
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
            Row::Sine(sine) => sine.weights().zip(&mut x[sine.first..]).for_each(|(w, x)| *x += a * w),
        }
    }

    /// The row self − other, with equal degrees of freedom merged and exact zeros dropped.
    pub fn minus(&self, other: &Row) -> Row {
        // Nothing is subtracted: the row keeps its form, and a sine its fast transform.
        if matches!((self, other), (Row::Dense { .. } | Row::Sine(_), Row::Sparse(entries)) if entries.is_empty())
        {
            return self.clone();
        }
        // Ascending whatever the order of both rows: sums over the result have one order.
        let mut merged = std::collections::BTreeMap::new();
        self.entries().for_each(|(i, w)| *merged.entry(i).or_insert(0.0) += w);
        other.entries().for_each(|(i, w)| *merged.entry(i).or_insert(0.0) -= w);
        Row::Sparse(merged.into_iter().filter(|&(_, w)| w != 0.0).collect())
    }

    /// The same row, its weights written out in one run.
    pub fn dense(&self) -> Row {
        let Some((first, last)) = self.first_dof().zip(self.last_dof()) else {
            return Row::Dense { first: 0, weights: Vec::new() };
        };
        let mut weights = vec![0.0; last + 1 - first];
        // A sparse row may have several entries for one degree of freedom.
        self.entries().for_each(|(i, w)| weights[i - first] += w);
        Row::Dense { first, weights }
    }

    /// The row a·self.
    pub fn scaled(&self, a: f64) -> Row {
        match self {
            Row::Sparse(entries) => Row::Sparse(entries.iter().map(|&(i, w)| (i, a * w)).collect()),
            Row::Dense { first, weights } => {
                Row::Dense { first: *first, weights: weights.iter().map(|w| a * w).collect() }
            }
            Row::Sine(sine) => Row::Sine(Sine { scale: a * sine.scale, ..sine.clone() }),
        }
    }

    /// The row with every degree of freedom `offset` farther on.
    pub fn moved(&self, offset: usize) -> Row {
        match self {
            Row::Sparse(entries) => Row::Sparse(entries.iter().map(|&(i, w)| (offset + i, w)).collect()),
            Row::Dense { first, weights } => Row::Dense { first: offset + first, weights: weights.clone() },
            Row::Sine(sine) => Row::Sine(Sine { first: offset + sine.first, ..sine.clone() }),
        }
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

    /// sin(πki/N) to the last bit or two, and a row as any other.
    #[test]
    fn a_sine_is_its_weights() {
        let (intervals, modes, point) = (12, 11, 7);
        let sine = Sine { first: 1, modes, point, scale: 2.0, table: Sine::table(intervals) };
        let exact = |k: usize| 2.0 * (std::f64::consts::PI * (k * point) as f64 / intervals as f64).sin();
        for (k, w) in (1..).zip(sine.weights()) {
            // The argument of `exact` is rounded at up to 7π.
            assert!((w - exact(k)).abs() < 30.0 * f64::EPSILON, "{k}: {w}");
        }
        let row = Row::Sine(sine.clone());
        let dense = Row::Dense { first: 1, weights: sine.weights().collect() };
        let x: Vec<f64> = (0..12).map(|i| f64::from(i) * 0.3 - 1.0).collect();
        // The same products, added up in another order.
        assert!((row.dot(&x) - dense.dot(&x)).abs() < 8.0 * f64::EPSILON * row.magnitude(&x));
        assert_eq!(row.scaled(0.5).moved(3).entries().collect::<Vec<_>>(), {
            dense.scaled(0.5).moved(3).entries().collect::<Vec<_>>()
        });
        assert_eq!(row.minus(&Row::ground()), row);
        // sin π/2 and sin π are exact.
        assert_eq!([sine.table[6], sine.table[12], sine.table[18]], [1.0, 0.0, -1.0]);
    }
}

//! What joints read of one bank, and how they push it.
//!
//!   u = c·U of each row c,   F = Σ f c
//!
//! Most banks, the strings, have one row: the step itself pushes along it and reads it anew. A bank with several, a soundboard, sums up its
//! pushes first.

use super::bank::{EcBank, Pull, Sums};
use crate::modal::{dense_rows::DenseRows, eights::zeros};
use hamiltone_core::row::Row;
use hamiltone_numerics::aligned::Aligned;

/// The rows of a bank along which joints act.
#[derive(Clone)]
pub(super) struct Pulls {
    rows: DenseRows,
    /// 0, 1, …, for the rows of which all are read.
    all: Vec<usize>,
    /// √Σpc² of each row.
    sizes: Vec<f64>,
    /// u, if the bank has not been changed since.
    halfway: Vec<f64>,
    is_read: bool,
    /// Σ f c.
    push: Aligned,
}

impl Pulls {
    /// These rows on coordinates that are `scale` times those of the bank, p being `inertia`.
    pub fn new(rows: &[Row], scale: &[f64], inertia: &[f64]) -> Self {
        let size = |row: &Row| row.sum(|i, w| inertia[i] * (w * scale[i]) * (w * scale[i])).sqrt();
        Self {
            sizes: rows.iter().map(size).collect(),
            all: (0..rows.len()).collect(),
            halfway: vec![0.0; rows.len()],
            is_read: false,
            push: zeros(scale.len()),
            rows: DenseRows::new(rows.iter(), scale),
        }
    }

    /// The weight of a coordinate in a row is another one, scaled; [`Pulls::renew`] is to follow.
    pub fn set_weight(&mut self, row: usize, i: usize, weight: f64) {
        self.rows.set_weight(row, i, weight);
    }

    /// Weights or p (`inertia`(k)) have been changed; [`Pulls::forget`] is to follow.
    pub fn renew(&mut self, inertia: impl Fn(usize) -> f64) {
        for (row, size) in self.sizes.iter_mut().enumerate() {
            let weights = self.rows.weights_of(row).iter().enumerate();
            // Left-out modes and those behind the last have weights of 0.
            let moved = weights.filter(|(_, w)| **w != 0.0);
            *size = moved.map(|(k, w)| inertia(k) * w * w).sum::<f64>().sqrt();
        }
    }

    /// The bank is no longer where the rows were read.
    pub fn forget(&mut self) {
        self.is_read = false;
    }

    /// u, in the order of the rows.
    pub fn halfway(&mut self, bank: &mut EcBank) -> &[f64] {
        if !std::mem::replace(&mut self.is_read, true) {
            bank.meet();
            self.rows.some(&self.all, &bank.halfway, &mut self.halfway);
        }
        &self.halfway
    }

    /// u at the step before, and Σ|c|(|X| + |Y|).
    pub fn before(&self, bank: &mut EcBank, before: &mut [f64], sizes: &mut [f64]) {
        bank.look_back();
        self.rows.some(&self.all, &bank.halfway, before);
        for (row, size) in sizes.iter_mut().enumerate() {
            *size = self.rows.magnitude(row, [&bank.place, &bank.speed]);
        }
    }

    /// √Σp|F|² at most, √J: how far `forces` can move the speeds of a step.
    pub fn size(&self, forces: &[f64]) -> f64 {
        self.sizes.iter().zip(forces).map(|(size, force)| size * force.abs()).sum()
    }

    /// Σ f c·S, J: what joints gave in a step that moved the bank by S.
    pub fn work(&mut self, moved: &[f64], forces: &[f64]) -> f64 {
        if forces.is_empty() {
            return 0.0;
        }
        self.rows.some(&self.all, moved, &mut self.halfway);
        self.halfway.iter().zip(forces).map(|(s, f)| s * f).sum()
    }

    /// Σ cᵢcⱼ/2p of the rows i and j, row-major; `inertia`(k) is p of a mode.
    pub fn compliance(&self, inertia: impl Fn(usize) -> f64) -> Vec<f64> {
        let product = |i: usize, j: usize| {
            let weights = self.rows.weights_of(i).iter().zip(self.rows.weights_of(j)).enumerate();
            // Left-out modes have weights of 0.
            let moved = weights.filter(|(_, (a, b))| **a != 0.0 && **b != 0.0);
            moved.map(|(k, (a, b))| a * b / (2.0 * inertia(k))).sum::<f64>()
        };
        self.all
            .iter()
            .flat_map(|&i| self.all.iter().map(move |&j| (i, j)))
            .map(|(i, j)| product(i, j))
            .collect()
    }

    /// Σ f c, as the step of a bank takes it.
    pub fn pull(&mut self, forces: &[f64]) -> Pull<'_> {
        match *forces {
            [force] => Pull { row: self.rows.weights_of(0), force },
            _ => {
                self.push.fill(0.0);
                self.rows.add_all(forces.iter().copied().enumerate(), &mut self.push);
                Pull { row: &self.push, force: 1.0 }
            }
        }
    }

    /// The row, where it is the only one.
    pub fn only_row(&self) -> Option<&[f64]> {
        (self.all.len() == 1).then(|| self.rows.weights_of(0))
    }

    /// Size and u of the only row, where u is known.
    pub fn known(&self) -> Option<(f64, f64)> {
        (self.is_read && self.all.len() == 1).then(|| (self.sizes[0], self.halfway[0]))
    }

    /// u of the only row is this.
    pub fn set(&mut self, u: f64) {
        (self.halfway[0], self.is_read) = (u, true);
    }

    /// A step has been taken in which no element acted; without pushes there is nothing to read.
    pub fn read_by(&mut self, sums: &Sums) {
        self.is_read = self.halfway.len() == 1;
        if self.is_read {
            self.halfway[0] = sums.halfway;
        }
    }
}

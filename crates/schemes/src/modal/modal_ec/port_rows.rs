//! The rows of ports against a bank, each one row or the mixture of those of two branches ([`hamiltone_core::port`]).
//!
//!   c·x = Σ λₐcₐ·x,   Gᵢⱼ = Σ λₐλ_b cₐ·c_b   (a of the row i, b of the row j)

use crate::modal::{eights::padded, rows::Rows};
use hamiltone_core::{
    element::Element,
    port::{Branches, Mixture},
    row::Row,
};
use std::{ops::Range, sync::Arc};

/// What is constant.
#[derive(Debug)]
struct Constants {
    /// Of each row the one that it is on each branch, among all that differ.
    branches: Vec<Vec<usize>>,
    /// cₐ·c_b of those that differ, row-major.
    products: Vec<f64>,
    /// Whether a row has more than one branch.
    any_mixed: bool,
}

/// The rows of ports as they are mixed now.
#[derive(Clone, Debug)]
pub(super) struct PortRows {
    constants: Arc<Constants>,
    written: Rows,
    mixtures: Vec<Mixture>,
    /// Those that rows are made of, ascending, and c·x and Σ|cᵢxᵢ| of them.
    used: Vec<usize>,
    values: Vec<f64>,
    sizes: Vec<f64>,
    /// G, row-major.
    compliance: Vec<f64>,
}

impl PortRows {
    /// The rows of these ports, in their order, scaled by `scale`; each on its first branch.
    pub fn new<'a>(ports: impl Iterator<Item = &'a Element>, scale: &[f64]) -> Self {
        let (mut given, mut branches) = (Vec::<&Row>::new(), Vec::new());
        for element in ports {
            let width = element.rows.len() / element.branches();
            for i in 0..width {
                let start = given.len();
                let among = |row| {
                    let found = given[start..].iter().position(|other| *other == row);
                    if found.is_none() {
                        given.push(row);
                    }
                    found.map_or(given.len() - 1, |i| start + i)
                };
                branches.push(element.rows[i..].iter().step_by(width).map(among).collect());
            }
        }
        let mut written = Rows::new(&given, scale);
        let products = written.compliance(padded(scale.len()));
        let (count, any_mixed) = (branches.len(), branches.len() < given.len());
        let mut rows = Self {
            written,
            mixtures: vec![Mixture::new(Branches::Bodies, 0.0, 1); count],
            used: Vec::with_capacity(2 * count),
            values: vec![0.0; given.len()],
            sizes: vec![0.0; given.len()],
            compliance: vec![0.0; count * count],
            constants: Arc::new(Constants { branches, products, any_mixed }),
        };
        rows.mix();
        rows
    }

    /// How many there are.
    fn len(&self) -> usize {
        self.mixtures.len()
    }

    /// Puts the rows of a port on a branch, or between two; whether they were elsewhere.
    pub fn put(&mut self, rows: Range<usize>, branches: Branches, input: f64) -> bool {
        let mixture = Mixture::new(branches, input, self.constants.branches[rows.start].len());
        let is_new = self.mixtures[rows.start] != mixture;
        if is_new {
            self.mixtures[rows].fill(mixture);
            self.mix();
        }
        is_new
    }

    /// What a row is made of, with the weights.
    fn parts(&self, row: usize) -> impl Iterator<Item = (usize, f64)> + use<> {
        let (Mixture { first, weights }, branches) = (self.mixtures[row], &self.constants.branches[row]);
        let second = branches.get(first + 1).copied();
        let (first, second) = (branches[first], second.unwrap_or(branches[first]));
        let weights = if first == second { [1.0, 0.0] } else { weights };
        [first, second].into_iter().zip(weights).filter(|part| part.1 != 0.0)
    }

    /// Takes up the mixtures as they are.
    fn mix(&mut self) {
        let (count, all) = (self.len(), self.values.len());
        self.used.clear();
        for i in 0..count {
            for (branch, _) in self.parts(i) {
                self.used.push(branch);
            }
            for j in 0..count {
                let of = |(a, weight): (usize, f64)| {
                    self.parts(j)
                        .map(|(b, other)| weight * other * self.constants.products[a * all + b])
                        .sum::<f64>()
                };
                self.compliance[i * count + j] = self.parts(i).map(of).sum();
            }
        }
        // Two ports' rows, or those of branches, need not be in the order in which rows are read.
        self.used.sort_unstable();
    }

    /// Gᵢⱼ.
    pub fn compliance(&self, i: usize, j: usize) -> f64 {
        self.compliance[i * self.len() + j]
    }

    /// c·x of all rows.
    pub fn all(&mut self, x: &[f64], out: &mut [f64]) {
        if !self.constants.any_mixed {
            return self.written.some(&self.used, x, out);
        }
        self.written.some(&self.used, x, &mut self.values);
        for (row, out) in out.iter_mut().enumerate() {
            *out = self.parts(row).map(|(branch, weight)| weight * self.values[branch]).sum();
        }
    }

    /// c·x of all rows, and Σ|cᵢ|(|xᵢ| + |yᵢ|).
    pub fn all_with_sizes(&mut self, parts: [&[f64]; 2], out: &mut [f64], sizes: &mut [f64]) {
        if !self.constants.any_mixed {
            return self.written.some_with_sizes(&self.used, parts, out, sizes);
        }
        let Self { written, used, values, sizes: of_branches, .. } = self;
        written.some_with_sizes(used, parts, values, of_branches);
        for (row, (out, size)) in out.iter_mut().zip(sizes).enumerate() {
            (*out, *size) = (0.0, 0.0);
            for (branch, weight) in self.parts(row) {
                *out += weight * self.values[branch];
                *size += weight * self.sizes[branch];
            }
        }
    }

    /// c·x of a row.
    pub fn dot(&self, row: usize, x: &[f64]) -> f64 {
        self.parts(row).map(|(branch, weight)| weight * self.written.dot(branch, x)).sum()
    }

    /// x += a·c of a row.
    pub fn add(&self, row: usize, a: f64, x: &mut [f64]) {
        self.parts(row).for_each(|(branch, weight)| self.written.add(branch, a * weight, x));
    }
}

//! The contact forces of one implicit step where many contacts lie inside the band: a barrier along a string.
//!
//! The step of [`crate::schur_newton`], not reduced to its contacts. In the increment e it reads
//!
//!   A e + Cᵀ Y(σ) = r,   σ = σ_free + C(e − e_free)
//!
//! Newton keeps, beside e, the multipliers y of the linear system that gave it, A e = r − Cᵀy. What is left is
//! g = Y(σ) − y, and a step is, with D = diag ∂Y/∂σ ≥ 0,
//!
//!   (A + CᵀDC) δ = −Cᵀg,   e ← e + δ,   y ← Y + D C δ
//!
//! The first part of C, whose rows lie inside the band of A, goes into the matrix, factored anew from its first
//! slope on; the others (a hammer: far apart in the numbering) are a Woodbury correction. Along a step
//! every component of g decreases at the same rate, so that Σ Gⱼⱼgⱼ² with any weights is a merit to search by.
//! Each solve leaves a rounding error eps·|A + CᵀDC||δ| in A e = r − Cᵀy: [`BandedNewton::respond`] corrects the remaining
//! residual. Nothing is factored or solved while every law answers 0.

use crate::{
    banded::{Band, Factored},
    line_search,
    row::Row,
    schur_newton::{Convergence, ITERATIONS_MAX},
    woodbury::{Update, UpdatedBand},
};
use std::ops::Range;

/// The band is widened by so much for contacts that reach beyond it, as between the points of a grid: the Woodbury correction
/// has the step of a stiff contact to eps·D·G only.
const WIDER: usize = 4;

/// Solves for the contact multipliers and adds what they do to the increment.
#[derive(Clone, Debug)]
pub struct BandedNewton {
    rows: Vec<Row>,
    /// The coordinates from the first to the last that each reads.
    reach: Vec<Range<usize>>,
    /// Contacts whose rows lie inside the band, and those whose do not.
    inside: Vec<usize>,
    outside: Vec<usize>,
    /// The weights of A's own far couplings, the first rows of the Woodbury correction; the contacts `outside` follow.
    far: Vec<f64>,
    update: Update,
    /// The band of A, and its factors.
    matrix: Band,
    base: Factored,
    /// A + CᵀDC of the contacts inside, and its factors; the same as `base` in the rows before `changed`.
    loaded: Band,
    factored: Factored,
    changed: usize,
    /// Gⱼⱼ = cⱼA⁻¹cⱼ.
    weights: Vec<f64>,
    /// y, and σ that belongs to it.
    pub multipliers: Vec<f64>,
    /// σ of the last solve.
    pub steps: Vec<f64>,
    value: Vec<f64>,
    /// ∂y/∂σ at the last solve.
    pub slope: Vec<f64>,
    /// Y + D C δ, and C δ.
    next: Vec<f64>,
    moves: Vec<f64>,
    start: Vec<f64>,
    begin: Vec<f64>,
    delta: Vec<f64>,
    load: Vec<f64>,
}

impl BandedNewton {
    /// A solver for the rows C of all contacts under the matrix A.
    pub fn new(a: UpdatedBand, rows: Vec<Row>) -> Self {
        let solver = a.clone().factor();
        let UpdatedBand { band, far } = a;
        let reach = |limit: usize| rows.iter().map(Row::spread).filter(|spread| *spread <= limit).max();
        // A wider band costs time in every solve: only contacts that reach little farther are worth it.
        let matrix = band.widened(reach(band.half_bandwidth() + WIDER).unwrap_or(0));
        let base = matrix.clone().factor();
        let fits = |j: &usize| rows[*j].spread() <= matrix.half_bandwidth();
        let (inside, outside): (Vec<usize>, Vec<usize>) = (0..rows.len()).partition(fits);
        let (n, p) = (matrix.size(), rows.len());
        // The merit may have any positive weights; with Gⱼⱼ its terms have one unit and compare contacts of any kind.
        let weights = solver.compliances(&rows);
        let (far, mut update_rows): (Vec<f64>, Vec<Row>) = far.into_iter().unzip();
        update_rows.extend(outside.iter().map(|&j| rows[j].clone()));
        let zero = || vec![0.0; p];
        Self {
            loaded: matrix.clone(),
            factored: base.clone(),
            changed: n,
            base,
            matrix,
            weights,
            multipliers: zero(),
            steps: zero(),
            value: zero(),
            slope: zero(),
            next: zero(),
            moves: zero(),
            start: zero(),
            begin: zero(),
            delta: vec![0.0; n],
            load: vec![0.0; update_rows.len()],
            update: Update::new(update_rows, n),
            far,
            reach: rows
                .iter()
                .map(|row| row.first_dof().unwrap_or(n)..row.last_dof().map_or(0, |i| i + 1))
                .collect(),
            rows,
            inside,
            outside,
        }
    }

    /// Solves for `law(j, σⱼ) = (Yⱼ, ∂Yⱼ/∂σⱼ)` and adds −A⁻¹Cᵀy to the increment `e` of the free step, whose
    /// σ is `free`. `penetration` are the penetrations at the start of the step: they set the rounding floor.
    pub fn solve(
        &mut self,
        penetration: &[f64],
        free: &[f64],
        e: &mut [f64],
        mut law: impl FnMut(usize, f64) -> (f64, f64),
    ) -> Convergence {
        self.steps.copy_from_slice(free);
        self.multipliers.fill(0.0);
        let mut merit = self.evaluate(&mut law);
        if self.value.iter().all(|&y| y == 0.0) {
            return Convergence { iterations: 0, excess: 0.0 };
        }
        for iterations in 0..ITERATIONS_MAX {
            let (excess, noise) = self.excess(penetration);
            // Also after convergence, as in `schur_newton`: without this solve the last error would always have one sign.
            self.newton_step();
            let last = excess <= 1.0 || !merit.is_finite();
            if last {
                self.advance(1.0, e);
                return Convergence {
                    iterations,
                    excess: if merit.is_finite() { excess } else { f64::INFINITY },
                };
            }
            // A decrease of the merit below its rounding cannot be measured: such steps are accepted.
            merit = self.search(merit.max(noise), iterations, e, &mut law);
        }
        let (excess, _) = self.excess(penetration);
        self.newton_step();
        self.advance(1.0, e);
        Convergence { iterations: ITERATIONS_MAX, excess }
    }

    /// x ← (A + CᵀDC)⁻¹(x − CᵀD·miss), with D of the last solve: what a step that misses its equations by x and
    /// σ by `miss` must be moved by. σ and y move as the contacts answer: by `miss` + C x, and D times that.
    pub fn respond(&mut self, miss: &[f64], x: &mut [f64]) {
        for ((row, miss), slope) in self.rows.iter().zip(miss).zip(&self.slope) {
            row.add_scaled(-slope * miss, x);
        }
        self.apply(x);
        for (j, (row, miss)) in self.rows.iter().zip(miss).enumerate() {
            let change = miss + row.dot(x);
            self.steps[j] += change;
            self.multipliers[j] += self.slope[j] * change;
        }
    }

    /// Y and D at σ; returns Σ Gⱼⱼ(Yⱼ − yⱼ)².
    fn evaluate(&mut self, law: &mut impl FnMut(usize, f64) -> (f64, f64)) -> f64 {
        let mut merit = 0.0;
        for j in 0..self.rows.len() {
            (self.value[j], self.slope[j]) = law(j, self.steps[j]);
            let g = self.value[j] - self.multipliers[j];
            merit += self.weights[j] * g * g;
        }
        merit
    }

    /// max |gⱼ| over its rounding floor, and the merit at twice the floors.
    fn excess(&self, penetration: &[f64]) -> (f64, f64) {
        let (mut excess, mut noise): (f64, f64) = (0.0, 0.0);
        for (j, x) in penetration.iter().enumerate() {
            let (y, sigma) = (self.multipliers[j], self.steps[j]);
            // Yⱼ is known to an eps of itself and to its slope times an eps of its argument.
            let size = self.value[j].abs() + y.abs() + self.slope[j] * (x.abs() + sigma.abs());
            let floor = 2.0 * f64::EPSILON * size + f64::MIN_POSITIVE;
            excess = excess.max((self.value[j] - y).abs() / floor);
            noise += 4.0 * self.weights[j] * floor * floor;
        }
        (if excess.is_nan() { f64::INFINITY } else { excess }, noise)
    }

    /// δ, C δ and y⁺.
    fn newton_step(&mut self) {
        self.factor();
        // Taken out while `apply` borrows all of `self`; an empty vector allocates nothing.
        let mut delta = std::mem::take(&mut self.delta);
        delta.fill(0.0);
        for (j, row) in self.rows.iter().enumerate() {
            let g = self.value[j] - self.multipliers[j];
            // Most contacts are open, with Y = y = 0.
            if g != 0.0 {
                row.add_scaled(-g, &mut delta);
            }
        }
        self.apply(&mut delta);
        for (j, row) in self.rows.iter().enumerate() {
            self.moves[j] = row.dot(&delta);
            self.next[j] = self.value[j] + self.slope[j] * self.moves[j];
        }
        self.delta = delta;
    }

    /// A + CᵀDC, its factors, and the columns of the Woodbury correction.
    fn factor(&mut self) {
        let active = |j: &&usize| self.slope[**j] > 0.0;
        let (mut first, mut last) = (self.matrix.size(), 0);
        for &j in self.inside.iter().filter(active) {
            first = first.min(self.reach[j].start);
            last = last.max(self.reach[j].end);
        }
        // Rows that are loaded no more, and those that now are.
        let begin = first.min(self.changed);
        if begin < self.matrix.size() {
            self.loaded.copy_rows(&self.matrix, begin);
            // Every active row begins at `begin` or later, so that nothing is added to rows that were not copied.
            for &j in self.inside.iter().filter(|j| self.slope[**j] > 0.0) {
                self.loaded.add_square(self.slope[j], &self.rows[j]);
            }
            self.factored.refactor(&self.loaded, &self.base, begin..last.max(begin));
        }
        // From this row on the next call finds factors that differ from those of A.
        self.changed = first;
        let Self { update, far, outside, slope, factored, .. } = self;
        let weight = |i: usize| far.get(i).copied().unwrap_or_else(|| slope[outside[i - far.len()]]);
        update.set(weight, |x| factored.solve(x));
    }

    /// x ← (A + CᵀDC)⁻¹x, with D of the last solve: the band, then the Woodbury correction.
    pub fn apply(&mut self, x: &mut [f64]) {
        self.factored.solve(x);
        self.update.apply(x, &mut self.load);
    }

    /// Moves σ, y and e by the part t of the step.
    fn advance(&mut self, t: f64, e: &mut [f64]) {
        for j in 0..self.rows.len() {
            self.steps[j] += t * self.moves[j];
            self.multipliers[j] += t * (self.next[j] - self.multipliers[j]);
        }
        e.iter_mut().zip(&self.delta).for_each(|(e, d)| *e += t * d);
        if t == 1.0 {
            // Without the rounding of a difference.
            self.multipliers.copy_from_slice(&self.next);
        }
    }

    /// Goes to the end of the step, or as far towards or beyond it as makes the merit smaller.
    fn search(
        &mut self,
        merit: f64,
        iterations: u32,
        e: &mut [f64],
        law: &mut impl FnMut(usize, f64) -> (f64, f64),
    ) -> f64 {
        self.start.copy_from_slice(&self.steps);
        self.begin.copy_from_slice(&self.multipliers);
        let (t, reached) = line_search::along(merit, iterations, |t| self.part(t, law));
        e.iter_mut().zip(&self.delta).for_each(|(e, d)| *e += t * d);
        reached
    }

    /// Evaluates at the part `t` of the step.
    fn part(&mut self, t: f64, law: &mut impl FnMut(usize, f64) -> (f64, f64)) -> f64 {
        for j in 0..self.rows.len() {
            self.steps[j] = self.start[j] + t * self.moves[j];
            // Without the rounding of a difference at the end of the step.
            let part = self.begin[j] + t * (self.next[j] - self.begin[j]);
            self.multipliers[j] = if t == 1.0 { self.next[j] } else { part };
        }
        self.evaluate(law)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{banded::SOLVES, schur_newton::SchurNewton};

    /// Points of a tight string over a wall, and a hammer in contact with four of them and a mass apart: the same
    /// multipliers as by Schur's complement.
    #[test]
    fn agrees_with_the_reduction_to_contacts() {
        let n = 12;
        let mut a = Band::zero(n + 1, 1);
        (0..n).for_each(|i| a.add(i, i, 3.0));
        (1..n).for_each(|i| a.add(i, i - 1, -1.0));
        a.add(n, n, 0.7);
        let mut rows: Vec<Row> = (0..n).map(|i| Row::Sparse(vec![(i, -1.0)])).collect();
        rows.push(Row::Sparse(vec![(3, 0.2), (4, 0.9), (5, -0.1), (n, -1.0)]));
        let base = a.clone().factor();
        let columns: Vec<Vec<f64>> = rows
            .iter()
            .map(|row| {
                let mut column = vec![0.0; n + 1];
                row.add_scaled(1.0, &mut column);
                base.solve(&mut column);
                column
            })
            .collect();
        let p = rows.len();
        let g = rows.iter().flat_map(|row| columns.iter().map(|c| row.dot(c))).collect();
        let (mut newton, mut barrier) = (
            SchurNewton::new(p, g),
            BandedNewton::new(UpdatedBand { band: a.clone(), far: Vec::new() }, rows.clone()),
        );
        for (k, stiffness) in [1e-2, 1.0, 1e3, 1e7].into_iter().enumerate() {
            let e: Vec<f64> = (0..=n).map(|i| ((i + k) as f64 * 0.9).sin()).collect();
            let free: Vec<f64> = rows.iter().map(|row| row.dot(&e)).collect();
            let x = vec![-0.1; p];
            let law = |j: usize, s: f64| {
                let (k, depth) = (if j == n { 2.0 } else { stiffness }, (s - 0.1_f64).max(0.0));
                (k * depth.powf(1.5), 1.5 * k * depth.sqrt())
            };
            assert!(newton.solve(&x, &free, law).excess <= 1.0);
            let mut moved = e.clone();
            assert!(barrier.solve(&x, &free, &mut moved, law).excess <= 1.0);
            assert!(newton.multipliers.iter().filter(|y| **y > 0.0).count() > 3);
            // Each step is a backward stable solve: off by a few eps of A + CᵀDC times the step.
            let size = newton.multipliers.iter().copied().fold(0.0, f64::max);
            for (y, z) in newton.multipliers.iter().zip(&barrier.multipliers) {
                assert!((y - z).abs() < 100.0 * f64::EPSILON * (1.0 + stiffness) * size, "{y} {z}");
            }
            for (row, sigma) in rows.iter().zip(&barrier.steps) {
                assert!((row.dot(&moved) - sigma).abs() < 1e-14, "{sigma}");
            }
        }
    }

    #[test]
    fn untouched_costs_nothing() {
        let mut a = Band::zero(3, 1);
        (0..3).for_each(|i| a.add(i, i, 1.0));
        let a = UpdatedBand { band: a, far: Vec::new() };
        let mut barrier = BandedNewton::new(a, (0..3).map(Row::unit).collect());
        let mut e = [0.5; 3];
        let outcome = barrier.solve(&[-1.0; 3], &[0.5; 3], &mut e, |_, _| (0.0, 0.0));
        assert_eq!((outcome.iterations, e), (0, [0.5; 3]));
    }

    /// Contacts within the band take no solve each: c·A⁻¹c comes from the selected inverse.
    #[test]
    fn preparing_takes_as_many_solves_for_ten_contacts_as_for_a_thousand() {
        let solves = |contacts: usize| {
            let mut band = Band::zero(1000, 2);
            (0..1000).for_each(|i| band.add(i, i, 2.0 + i as f64));
            (1..1000).for_each(|i| band.add(i, i - 1, -1.0));
            let far = vec![(2.0, Row::Sparse(vec![(0, 1.0), (999, -1.0)]))];
            let before = SOLVES.get();
            let newton = BandedNewton::new(UpdatedBand { band, far }, (0..contacts).map(Row::unit).collect());
            assert!(newton.weights.iter().all(|weight| *weight > 0.0));
            SOLVES.get() - before
        };
        assert_eq!([solves(10), solves(1000)], [1, 1], "one for the far coupling");
    }
}

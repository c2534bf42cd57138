//! The impulses of rigid contacts that close in one step.
//!
//!   0 ≤ F  ⊥  w = b + G F ≥ 0,   G = C A⁻¹ Cᵀ (P × P, ≥ 0)
//!
//! F are the multipliers of the closed contacts, w their speeds of opening after the step plus e times those before, b
//! what w would be without them; G is Delassus's matrix. Two ways to the same F:
//!
//! Projected Gauss–Seidel (Jean & Moreau 1987) goes over the contacts, Fᵢ ← max(0, Fᵢ − wᵢ/Gᵢᵢ), until nothing changes.
//!
//! The dual active set (Goldfarb & Idnani 1983) raises Fᵢ of the contact that is worst violated, others answering with
//! −τ G_SS⁻¹G_Si so that theirs stay at w = 0, until wᵢ = 0 or one of them lets go. Contacts that depend on one another
//! (twice the same row) leave G singular: then nothing but the letting go moves.
//!
//! The active set may begin with contacts that are likely to push, as they did in the step before: any S with w_S = 0 and
//! F_S ≥ 0 is a state of the method, and those that pull are let go at first. While S stays the same, so do its factors, and a
//! solve is two substitutions and one product with G.
//!
//! Dampers F = Dσ are equations of the same system, with forces of either sign: σ = σ_free − GF gives b + (G + 1/D)F = 0 with
//! b = −σ_free. They are members of S at all times.
//!
//! Many contacts that close at once, as of a string that lies down on a neck, are far apart for most of each other: sweeps
//! settle soon, and are tried first.
//!
//! Conditions that contradict each other (a mass between two walls that prescribe different speeds) are left as Gauss–Seidel
//! leaves them, and reported by an excess above 1.

use crate::{
    compliance::Compliance,
    coupled::Coupled,
    gauss_seidel,
    list::List,
    schur_newton::Convergence,
    subset_cholesky::{Matrix, SubsetCholesky, dot},
};
/// How the impulses are found.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Method {
    /// The dual active set: finite.
    #[default]
    ActiveSet,
    /// Projected Gauss–Seidel: its sweeps converge to rounding.
    GaussSeidel,
}

/// More contacts than this are first solved by Gauss–Seidel, where none of them pushed before, at n² per sweep; those that do not
/// converge, and are no more than [`MAX_FALLBACK`], are then solved by the active set, at n³.
const MAX_DIRECT: usize = 48;
const MAX_FALLBACK: usize = 256;
/// A |w| below this part of the largest sum of its terms' magnitudes counts as 0.
const FLOOR: f64 = 16.0 * f64::EPSILON;
/// Contacts that are taken to push have at least this part of their diagonals of their own: the impulses of nearly dependent ones
/// would be large and cancel each other.
const OWN: f64 = 1e-6;

/// Solves for impulses. All memory is allocated when it is made.
#[derive(Clone, Debug)]
pub struct LcpSolver {
    count: usize,
    method: Method,
    /// G, row-major.
    compliance: Compliance,
    /// The dampers, and 1/D of each; 0 of contacts.
    equations: List<usize>,
    added: Vec<f64>,
    /// F of all; 0 of contacts that were not closed in the last solve.
    pub impulses: Vec<f64>,
    w: Vec<f64>,
    /// The sum of the magnitudes of the terms of w.
    size: Vec<f64>,
    /// The equations, and then S in the order in which its contacts came.
    factor: SubsetCholesky,
    answer: Vec<f64>,
    /// Others, such as force laws.
    coupled: Coupled,
}

impl LcpSolver {
    /// A solver for Delassus's matrix G (P × P, row-major).
    pub fn new(count: usize, compliance: Vec<f64>, method: Method) -> Self {
        assert_eq!(compliance.len(), count * count);
        let zero = || vec![0.0; count];
        Self {
            count,
            method,
            compliance: Compliance::new(compliance),
            equations: List::with_room(count),
            added: zero(),
            impulses: zero(),
            w: zero(),
            size: zero(),
            factor: SubsetCholesky::new(count),
            answer: zero(),
            coupled: Coupled::new(Vec::new(), count),
        }
    }

    /// Gᵢⱼ.
    #[inline]
    pub fn compliance(&self, i: usize, j: usize) -> f64 {
        self.compliance[i * self.count + j]
    }

    /// Makes these elements equations b + (G + 1/D)F = 0 with these 1/D > 0, and no others.
    pub fn set_equations(&mut self, equations: impl Iterator<Item = (usize, f64)>) {
        self.equations.drain(..).for_each(|j| self.added[j] = 0.0);
        for (j, added) in equations {
            self.equations.push(j);
            self.added[j] = added;
        }
    }

    /// The dampers.
    pub fn equations(&self) -> &[usize] {
        &self.equations
    }

    /// F of the contacts `closed`, in ascending order, into [`LcpSolver::impulses`]; `b` is their w without impulses.
    pub fn solve(&mut self, closed: &[usize], b: &[f64]) -> Convergence {
        self.solve_from(&[], closed, b)
    }

    /// The same, beginning with the closed contacts among `start`, which are likely to push.
    pub fn solve_from(&mut self, start: &[usize], closed: &[usize], b: &[f64]) -> Convergence {
        if self.equations.is_empty() && closed.iter().all(|&i| b[i] >= 0.0) {
            self.impulses.fill(0.0);
            return Convergence { iterations: 0, excess: 0.0 };
        }
        let one_by_one = self.method == Method::ActiveSet;
        let first = one_by_one && (closed.len() <= MAX_DIRECT || !start.is_empty());
        if first && let Some(outcome) = self.active_set(start, closed, b) {
            return outcome;
        }
        let swept = self.swept(closed, b);
        // The active set is not tried again from the same start.
        let last = one_by_one && closed.len() <= MAX_FALLBACK && (!first || !start.is_empty());
        if swept.excess > 1.0 && last {
            // A failed active set leaves its own impulses: what cannot be met is left as Gauss–Seidel leaves it.
            return self.active_set(&[], closed, b).unwrap_or_else(|| self.swept(closed, b));
        }
        swept
    }

    /// Gauss–Seidel from nothing.
    fn swept(&mut self, closed: &[usize], b: &[f64]) -> Convergence {
        self.impulses.fill(0.0);
        let matrix = Matrix { count: self.count, entries: &self.compliance, added: &self.added };
        let iterations = gauss_seidel::sweep(matrix, closed, &self.equations, b, &mut self.impulses);
        Convergence { iterations, excess: self.excess(closed, b, 0.0) }
    }

    /// Makes ready for [`LcpSolver::hold`] with others that are coupled to the contacts by G_·o (P × others, row-major).
    pub fn couple(&mut self, cross: Vec<f64>) {
        self.coupled = Coupled::new(cross, self.count);
    }

    /// Makes room for [`LcpSolver::lower`].
    pub fn reserve_lower(&mut self) {
        self.compliance.reserve();
        self.coupled.reserve_lower();
    }

    /// G becomes what it was made with less Σₖ uₖuₖᵀ, contact j having the numbers `of`(j) of u and other k those of `others`(k).
    ///
    /// # Panics
    /// Without [`LcpSolver::reserve_lower`].
    pub fn lower<'a>(&mut self, of: impl Fn(usize) -> &'a [f64], others: impl Fn(usize) -> &'a [f64]) {
        self.compliance.lower(self.count, &of, &of);
        self.coupled.lower(&of, &others);
        // No row of a factor of the G before is reused.
        self.factor.members.clear();
    }

    /// Sets the contacts S that push; returns whether they differ from those before.
    pub fn hold(&mut self, pressed: &[usize]) -> bool {
        let matrix = Matrix { count: self.count, entries: &self.compliance, added: &self.added };
        self.factor.become_of(pressed.iter().copied(), matrix);
        self.coupled.hold(pressed, &self.factor)
    }

    /// The compliance of the others while the contacts of [`LcpSolver::hold`] keep w_S = 0: G_oo − G_oS G_SS⁻¹ G_So in place of G_oo
    /// in `matrix` (row-major).
    pub fn condense(&self, matrix: &mut [f64]) {
        self.coupled.condense(matrix);
    }

    /// G_oS G_SS⁻¹ b_S into `shift`.
    pub fn shift(&mut self, b: &[f64], shift: &mut [f64]) {
        self.coupled.shift(&self.factor, b, &mut self.answer, shift);
    }

    /// w and its size. Forces are added up in the order of contacts and then equations.
    fn evaluate(&mut self, closed: &[usize], b: &[f64]) {
        let Self { w, size, impulses, added, compliance, count, equations, .. } = self;
        let all = || closed.iter().chain(&*equations).copied();
        for i in all() {
            let own = added[i] * impulses[i];
            (w[i], size[i]) = (b[i] + own, b[i].abs() + own.abs());
        }
        for j in all().filter(|&j| impulses[j] != 0.0) {
            let (row, force) = (&compliance[j * *count..(j + 1) * *count], impulses[j]);
            if 2 * closed.len() > *count {
                // Most of a row is needed: all of it is added, in lanes. Entries of open contacts are set anew before they are read.
                for ((w, size), g) in w.iter_mut().zip(size.iter_mut()).zip(row) {
                    let part = g * force;
                    *w += part;
                    *size += part.abs();
                }
            } else {
                for i in all() {
                    let part = row[i] * force;
                    w[i] += part;
                    size[i] += part.abs();
                }
            }
        }
    }

    /// max |min(w, G F)|, of equations |w|, over its rounding floor, b being added up from numbers of this `size`: 1 or less where
    /// the impulses are right.
    pub fn excess(&mut self, closed: &[usize], b: &[f64], size: f64) -> f64 {
        self.evaluate(closed, b);
        self.evaluated_excess(closed, size)
    }

    fn evaluated_excess(&self, closed: &[usize], size: f64) -> f64 {
        let largest = self.largest(closed).max(size);
        let contacts = closed.iter().map(|&i| self.w[i].min(self.compliance(i, i) * self.impulses[i]).abs());
        let equations = self.equations.iter().map(|&i| self.w[i].abs());
        let excess = contacts.chain(equations).fold(0.0, f64::max) / (FLOOR * largest + f64::MIN_POSITIVE);
        if excess.is_nan() { f64::INFINITY } else { excess }
    }

    /// The largest number that a w of the last solve is added up from.
    pub fn largest(&self, closed: &[usize]) -> f64 {
        closed.iter().chain(&self.equations).map(|&i| self.size[i]).fold(0.0, f64::max)
    }

    /// The impulses, and the number of contacts that came and went; `None` where no impulses meet all conditions.
    fn active_set(&mut self, start: &[usize], closed: &[usize], b: &[f64]) -> Option<Convergence> {
        // The method is finite in exact arithmetic, in about as many changes as there are contacts; rounding could make it cycle.
        let most = 20 + 10 * closed.len() as u32;
        let mut iterations = self.begin(start, closed, b);
        let begun = iterations;
        loop {
            self.evaluate(closed, b);
            // Half the floor of the final test, so that a contact that is not raised here passes there.
            let floor = 0.5 * FLOOR * self.largest(closed);
            let open = closed.iter().copied().filter(|&i| self.w[i] < -floor);
            // The w of members are 0 but for rounding, which is not to be raised.
            let open = open.filter(|i| !self.factor.members.contains(i));
            let Some(i) = open.min_by(|&i, &j| self.w[i].total_cmp(&self.w[j])) else {
                // Removes the roundings of the updates, or of a first solve with many contacts.
                if iterations > begun || self.evaluated_excess(closed, 0.0) > 1.0 {
                    self.improve(b);
                    for &i in &self.factor.members[self.equations.len()..] {
                        self.impulses[i] = self.impulses[i].max(0.0);
                    }
                    self.evaluate(closed, b);
                }
                let excess = self.evaluated_excess(closed, 0.0);
                return (excess <= 1.0).then_some(Convergence { iterations, excess });
            };
            loop {
                iterations += 1;
                if iterations > most {
                    return None;
                }
                if self.raise(i, closed)? {
                    break;
                }
            }
        }
    }

    /// Takes the equations and the closed contacts among `start`, but for those that would pull, or depend on others, to push; the
    /// number of sets that were tried.
    fn begin(&mut self, start: &[usize], closed: &[usize], b: &[f64]) -> u32 {
        self.impulses.fill(0.0);
        let matrix = Matrix { count: self.count, entries: &self.compliance, added: &self.added };
        // `closed` is in ascending order, as the contacts are found.
        let pressed = start.iter().copied().filter(|i| closed.binary_search(i).is_ok());
        self.factor.become_of(self.equations.iter().copied().chain(pressed), matrix);
        if self.factor.members.is_empty() {
            return 0;
        }
        let first = self.equations.len();
        // From the last on: a removal then moves only places that have been visited.
        for a in (first..self.factor.members.len()).rev() {
            if self.factor.own_part(a, matrix) <= OWN {
                self.factor.remove(a, matrix);
            }
        }
        for set in 1.. {
            self.improve(b);
            let mut pulls = false;
            for a in (first..self.factor.members.len()).rev() {
                let i = self.factor.members[a];
                // An impulse of 0 leaves S, too, so that its contact may open.
                if self.impulses[i] <= 0.0 {
                    self.impulses[i] = 0.0;
                    let matrix = Matrix { count: self.count, entries: &self.compliance, added: &self.added };
                    self.factor.remove(a, matrix);
                    pulls = true;
                }
            }
            if !pulls {
                return set;
            }
        }
        unreachable!("each set has fewer contacts than the one before")
    }

    /// Raises Fᵢ until wᵢ = 0, then i is pressed and the answer `true`; or until another contact lets go.
    fn raise(&mut self, i: usize, closed: &[usize]) -> Option<bool> {
        let Self { factor, compliance, count, added, answer, w, impulses, .. } = self;
        let matrix = Matrix { count: *count, entries: compliance, added };
        let (n, first) = (factor.members.len(), self.equations.len());
        answer.iter_mut().zip(&factor.members).for_each(|(x, &j)| *x = compliance[j * *count + i]);
        factor.forward(&mut answer[..n]);
        let own = compliance[i * *count + i] - dot(&answer[..n], &answer[..n]);
        // L⁻¹G_Si is the row of L for i, if it is added.
        factor.propose(&answer[..n]);
        factor.backward(&mut answer[..n]);
        // Where i depends on S its w does not move: only the letting go of a member ends the step.
        let whole = if SubsetCholesky::is_apart(i, own, matrix) { -w[i] / own } else { f64::INFINITY };
        let lets_go = |a: usize| {
            let (f, r) = (impulses[factor.members[a]], answer[a]);
            if r > 0.0 { f / r } else { f64::INFINITY }
        };
        let gone = (first..n).min_by(|&a, &b| lets_go(a).total_cmp(&lets_go(b)));
        let until = gone.map_or(f64::INFINITY, lets_go);
        let step = whole.min(until);
        if !step.is_finite() {
            return None;
        }
        for (a, (&j, answer)) in factor.members.iter().zip(&*answer).enumerate() {
            let force = impulses[j] - step * answer;
            // The first members are equations, whose forces may have either sign.
            impulses[j] = if a < first { force } else { force.max(0.0) };
        }
        impulses[i] += step;
        if whole <= until {
            factor.accept(i, own, matrix);
            return Some(true);
        }
        let row = |j: usize| &compliance[j * *count..(j + 1) * *count];
        add_row(step, row(i), closed, w);
        for (&j, answer) in factor.members.iter().zip(&*answer) {
            add_row(-step * answer, row(j), closed, w);
        }
        let gone = gone?;
        // 0 but for rounding; exactly 0, since only members may have an impulse.
        impulses[factor.members[gone]] = 0.0;
        factor.remove(gone, matrix);
        Some(false)
    }

    /// F_S −= (G_SS + 1/D)⁻¹ w_S: removes the roundings of the updates.
    fn improve(&mut self, b: &[f64]) {
        let Self { factor, compliance, count, added, answer, impulses, .. } = self;
        let n = factor.members.len();
        for (x, &i) in answer.iter_mut().zip(&factor.members) {
            let row = &compliance[i * *count..(i + 1) * *count];
            // w anew from the impulses, without the roundings of its updates.
            let pushed: f64 = factor.members.iter().map(|&j| row[j] * impulses[j]).sum();
            *x = b[i] + added[i] * impulses[i] + pushed;
        }
        factor.forward(&mut answer[..n]);
        factor.backward(&mut answer[..n]);
        factor.members.iter().zip(&*answer).for_each(|(&i, x)| impulses[i] -= x);
    }
}

/// w += a·row for the contacts `closed`; where these are most of a row, for all of it, in lanes, since the others are not read.
fn add_row(a: f64, row: &[f64], closed: &[usize], w: &mut [f64]) {
    match 2 * closed.len() > row.len() {
        true => w.iter_mut().zip(row).for_each(|(w, g)| *w += a * g),
        false => closed.iter().for_each(|&i| w[i] += a * row[i]),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::{prelude::*, test_runner::RngSeed};

    fn both(count: usize, compliance: &[f64], b: &[f64]) -> [(Vec<f64>, Convergence); 2] {
        let closed: Vec<usize> = (0..count).collect();
        [Method::ActiveSet, Method::GaussSeidel].map(|method| {
            let mut impact = LcpSolver::new(count, compliance.to_vec(), method);
            let outcome = impact.solve(&closed, b);
            (impact.impulses, outcome)
        })
    }

    /// Two contacts on one row and one that is held down by the first: the stronger demand rules.
    #[test]
    fn duplicate_contacts_share() {
        let [active, swept] = both(2, &[2.0, 2.0, 2.0, 2.0], &[-1.0, -3.0]);
        for (impulses, outcome) in [active, swept] {
            assert!(outcome.excess <= 1.0, "{outcome:?}");
            assert!((impulses.iter().sum::<f64>() - 1.5).abs() < 1e-15, "{impulses:?}");
        }
    }

    /// A mass between two walls that want it at different speeds: no answer, and said so.
    #[test]
    fn what_cannot_be_met_is_told() {
        let [active, swept] = both(2, &[1.0, -1.0, -1.0, 1.0], &[-1.0, 0.0]);
        for (impulses, outcome) in [active, swept] {
            assert!(outcome.excess > 1.0 && impulses.iter().all(|f| f.is_finite()), "{impulses:?}");
        }
    }

    /// Two contacts and one that is pressed: G′ = ((2, 1), (1, 3)) − (1, 1)(1, 1)ᵀ/4, and the shift of b = −2 is −½ of each. A
    /// second contact on the pressed one's row changes nothing.
    #[test]
    fn others_see_what_pressed_contacts_leave() {
        let mut solver = LcpSolver::new(2, vec![4.0; 4], Method::ActiveSet);
        solver.couple(vec![1.0; 4]);
        for pressed in [&[0][..], &[0, 1]] {
            let (mut matrix, mut shift) = ([2.0, 1.0, 1.0, 3.0], [0.0; 2]);
            assert!(solver.hold(pressed) && !solver.hold(pressed));
            solver.condense(&mut matrix);
            solver.shift(&[-2.0, -2.0], &mut shift);
            for (x, exact) in matrix.iter().chain(&shift).zip([1.75, 0.75, 0.75, 2.75, -0.5, -0.5]) {
                assert!((x - exact).abs() < 1e-13, "{matrix:?} {shift:?}");
            }
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig { rng_seed: RngSeed::Fixed(1968), failure_persistence: None, ..ProptestConfig::default() })]

        /// Rows at random, some of them twice: both methods meet the conditions and push the masses the same way.
        #[test]
        fn both_methods_agree(
            rows in prop::collection::vec(prop::collection::vec(-1.0..1.0f64, 12), 1..8),
            copies in 0..3usize,
            speeds in prop::collection::vec(-1.0..1.0f64, 12),
        ) {
            let mut rows = rows;
            (0..copies).for_each(|k| rows.push(rows[k % rows.len()].clone()));
            let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
            let compliance: Vec<f64> = rows.iter().flat_map(|a| rows.iter().map(|b| dot(a, b))).collect();
            let b: Vec<f64> = rows.iter().map(|row| dot(row, &speeds)).collect();
            let pushed = both(rows.len(), &compliance, &b).map(|(impulses, outcome)| {
                assert!(outcome.excess <= 1.0 && impulses.iter().all(|&f| f >= 0.0), "{outcome:?}");
                let push = |k: usize| rows.iter().zip(&impulses).map(|(row, f)| row[k] * f).sum::<f64>();
                (0..12).map(push).collect::<Vec<_>>()
            });
            // Gauss–Seidel stops at changes of an eps, which its rate of convergence and G's condition magnify.
            for (x, y) in pushed[0].iter().zip(&pushed[1]) {
                prop_assert!((x - y).abs() < 1e-11, "{x} {y}");
            }
        }

        /// Some of the elements are linear, and some contacts are taken to push at first: the push is that of Gauss–Seidel from
        /// nothing, and linear elements meet their laws.
        #[test]
        fn any_start_leads_to_the_same_push(
            rows in prop::collection::vec(prop::collection::vec(-1.0..1.0f64, 12), 2..9),
            linear in prop::collection::vec(any::<bool>(), 9),
            first in prop::collection::vec(any::<bool>(), 9),
            speeds in prop::collection::vec(-1.0..1.0f64, 12),
        ) {
            let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
            let compliance: Vec<f64> = rows.iter().flat_map(|a| rows.iter().map(|b| dot(a, b))).collect();
            let b: Vec<f64> = rows.iter().map(|row| dot(row, &speeds)).collect();
            let (equations, closed): (Vec<usize>, Vec<usize>) = (0..rows.len()).partition(|&j| linear[j]);
            let start: Vec<usize> = closed.iter().copied().filter(|&j| first[j]).collect();
            let pushed = [Method::ActiveSet, Method::GaussSeidel].map(|method| {
                let mut solver = LcpSolver::new(rows.len(), compliance.clone(), method);
                solver.set_equations(equations.iter().map(|&j| (j, 0.5)));
                let outcome = solver.solve_from(&start, &closed, &b);
                assert!(outcome.excess <= 1.0, "{outcome:?}");
                assert!(closed.iter().all(|&j| solver.impulses[j] >= 0.0), "{:?}", solver.impulses);
                let push = |k: usize| rows.iter().zip(&solver.impulses).map(|(row, f)| row[k] * f).sum::<f64>();
                let push: Vec<f64> = (0..12).map(push).collect();
                for &j in &equations {
                    let missed = b[j] + dot(&rows[j], &push) + 0.5 * solver.impulses[j];
                    assert!(missed.abs() < 1e-13, "{missed}");
                }
                push
            });
            // As above.
            for (x, y) in pushed[0].iter().zip(&pushed[1]) {
                prop_assert!((x - y).abs() < 1e-11, "{x} {y}");
            }
        }
    }
}

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
//! Many contacts at once, as of a string that lies down on a neck, are far apart for most of each other: sweeps settle
//! soon, and are tried first.
//!
//! What cannot be met at all (a mass between two walls that both want it elsewhere) is left as Gauss–Seidel leaves it
//! and reported.

use crate::schur_newton::Convergence;

use std::sync::Arc;

/// How the impulses are found.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Method {
    /// The dual active set: finite.
    #[default]
    ActiveSet,
    /// Projected Gauss–Seidel: its sweeps converge to rounding.
    GaussSeidel,
}

/// Sweeps after which Gauss–Seidel gives up.
const SWEEPS: u32 = 20_000;
/// Gauss–Seidel converges linearly: a sweep that lessens the largest change by less than this part of it has stalled.
/// At this rate the sweeps allowed would still gain a factor of 5e8.
const PROGRESS: f64 = 1e-3;
/// So many stalled sweeps in a row are the end: contacts that close and open again stall a few sweeps, and then go on.
const STALLED: u32 = 50;
/// More contacts than this are first solved by Gauss–Seidel, at n² per sweep; those that do not converge, and are no more than
/// [`MAX_FALLBACK`], are then solved by the active set, at n³.
const MAX_DIRECT: usize = 48;
const MAX_FALLBACK: usize = 256;
/// What is left of w where it counts as 0, in roundings of what it is added up from.
const FLOOR: f64 = 16.0 * f64::EPSILON;
/// A contact's own part of its diagonal that is rounding.
const DEPENDENT: f64 = 64.0 * f64::EPSILON;
/// Contacts that are held have at least this part of their diagonals of their own: the impulses of nearly dependent ones would be large and
/// cancel each other.
const OWN: f64 = 1e-6;

/// Solves for impulses. All memory is allocated when it is made.
#[derive(Clone, Debug)]
pub struct LcpSolver {
    count: usize,
    method: Method,
    /// G, row-major.
    compliance: Arc<[f64]>,
    /// F of all contacts; 0 of those that were not closed in the last solve.
    pub impulses: Vec<f64>,
    w: Vec<f64>,
    /// What w is added up from, over 1.
    size: Vec<f64>,
    /// S, in the order in which its contacts came.
    pressed: Vec<usize>,
    /// L with LLᵀ = G_SS, row after row.
    lower: Vec<f64>,
    answer: Vec<f64>,
    /// G_·o of others.
    cross: Arc<[f64]>,
    held: Held,
}

/// Contacts that are taken to push: what depends on them alone is kept as long as they stay the same.
#[derive(Clone, Debug, Default)]
struct Held {
    /// S.
    pressed: Vec<usize>,
    /// L with LLᵀ = G_SS, and whether each has an [`OWN`] part.
    lower: Vec<f64>,
    apart: bool,
    /// L⁻¹ G_So, one column of others after the other.
    columns: Vec<f64>,
    /// L⁻¹ b_S, and F_S.
    answer: Vec<f64>,
}

impl LcpSolver {
    /// A solver for Delassus's matrix G (P × P, row-major).
    pub fn new(count: usize, compliance: Vec<f64>, method: Method) -> Self {
        assert_eq!(compliance.len(), count * count);
        let zero = || vec![0.0; count];
        Self {
            count,
            method,
            compliance: compliance.into(),
            impulses: zero(),
            w: zero(),
            size: zero(),
            pressed: Vec::with_capacity(count),
            lower: vec![0.0; count * (count + 1) / 2],
            answer: zero(),
            cross: Arc::new([]),
            held: Held::default(),
        }
    }

    /// Gᵢⱼ.
    #[inline]
    pub fn compliance(&self, i: usize, j: usize) -> f64 {
        self.compliance[i * self.count + j]
    }

    /// F for the closed contacts `closed`, of which `b` holds what they would miss, into [`LcpSolver::impulses`].
    pub fn solve(&mut self, closed: &[usize], b: &[f64]) -> Convergence {
        self.impulses.fill(0.0);
        if closed.iter().all(|&i| b[i] >= 0.0) {
            return Convergence { iterations: 0, excess: 0.0 };
        }
        let one_by_one = self.method == Method::ActiveSet && closed.len() <= MAX_FALLBACK;
        if one_by_one && closed.len() > MAX_DIRECT {
            let swept = self.swept(closed, b);
            if swept.excess <= 1.0 {
                return swept;
            }
            self.impulses.fill(0.0);
        }
        if one_by_one && let Some(iterations) = self.active_set(closed, b) {
            let excess = self.excess(closed, b, 0.0);
            if excess <= 1.0 {
                return Convergence { iterations, excess };
            }
        }
        self.swept(closed, b)
    }

    /// Gauss–Seidel from nothing.
    fn swept(&mut self, closed: &[usize], b: &[f64]) -> Convergence {
        self.impulses.fill(0.0);
        let iterations = self.gauss_seidel(closed, b);
        Convergence { iterations, excess: self.excess(closed, b, 0.0) }
    }

    /// Makes ready for [`LcpSolver::hold`] with others that are coupled to the contacts by G_·o (P × others, row-major).
    pub fn couple(&mut self, cross: Vec<f64>) {
        let room = self.count;
        self.held = Held {
            pressed: Vec::with_capacity(room),
            lower: vec![0.0; room * (room + 1) / 2],
            apart: true,
            columns: vec![0.0; cross.len()],
            answer: vec![0.0; room],
        };
        self.cross = cross.into();
    }

    /// Takes the contacts S = `pressed` to push; whether they are others than before.
    pub fn hold(&mut self, pressed: &[usize]) -> bool {
        if self.held.pressed == pressed {
            return false;
        }
        let (n, count) = (pressed.len(), self.cross.len() / self.count);
        let Held { pressed: own, lower, apart, columns, answer } = &mut self.held;
        own.clear();
        own.extend_from_slice(pressed);
        factor(&self.compliance, self.count, own, (lower, answer));
        let is_apart = |(a, &i): (usize, &usize)| {
            let pivot = lower[a * (a + 3) / 2];
            pivot * pivot > OWN * self.compliance[i * self.count + i]
        };
        *apart = pressed.iter().enumerate().all(is_apart);
        for (k, column) in columns.chunks_mut(n.max(1)).take(if n > 0 { count } else { 0 }).enumerate() {
            for (x, &i) in column.iter_mut().zip(pressed) {
                *x = self.cross[i * count + k];
            }
            forward(lower, column);
        }
        true
    }

    /// What the others see of the contacts that are held while these answer with w_S = 0: G_oo − G_oS G_SS⁻¹ G_So in place of G_oo in
    /// `matrix` (row-major).
    pub fn condense(&self, matrix: &mut [f64]) {
        let (n, count) = (self.held.pressed.len(), matrix.len().isqrt());
        let column = |k: usize| &self.held.columns[k * n..(k + 1) * n];
        for k in 0..count {
            let own = matrix[k * count + k];
            for l in 0..count {
                matrix[k * count + l] -= dot(column(k), column(l));
            }
            // Where pressed contacts hold another fast, what is left is the rounding of both.
            matrix[k * count + k] = matrix[k * count + k].max(DEPENDENT * own);
        }
    }

    /// G_oS G_SS⁻¹ b_S into `shift`.
    pub fn shift(&mut self, b: &[f64], shift: &mut [f64]) {
        let Held { pressed, lower, columns, answer, .. } = &mut self.held;
        let n = pressed.len();
        answer.iter_mut().zip(&*pressed).for_each(|(x, &i)| *x = b[i]);
        forward(lower, &mut answer[..n]);
        for (k, shift) in shift.iter_mut().enumerate() {
            *shift = dot(&columns[k * n..(k + 1) * n], &answer[..n]);
        }
    }

    /// [`LcpSolver::solve`] where the contacts that are held push and no others; `None` where they are not these, or nearly depend on one
    /// another.
    pub fn solve_held(&mut self, closed: &[usize], b: &[f64]) -> Option<Convergence> {
        if !self.held.apart {
            return None;
        }
        self.impulses.fill(0.0);
        let n = self.held.pressed.len();
        // The second time takes up the roundings of the first.
        for _ in 0..2 {
            let Held { pressed, lower, answer, .. } = &mut self.held;
            for (x, &i) in answer.iter_mut().zip(&*pressed) {
                let row = &self.compliance[i * self.count..(i + 1) * self.count];
                *x = b[i] + pressed.iter().map(|&j| row[j] * self.impulses[j]).sum::<f64>();
            }
            forward(lower, &mut answer[..n]);
            backward(lower, &mut answer[..n]);
            pressed.iter().zip(&*answer).for_each(|(&i, x)| self.impulses[i] -= x);
        }
        let pushes = self.held.pressed.iter().all(|&i| self.impulses[i] > 0.0);
        let excess = if pushes { self.excess(closed, b, 0.0) } else { f64::INFINITY };
        (excess <= 1.0).then_some(Convergence { iterations: 1, excess })
    }

    /// w and its size.
    fn evaluate(&mut self, closed: &[usize], b: &[f64]) {
        for &i in closed {
            let row = &self.compliance[i * self.count..(i + 1) * self.count];
            let (mut w, mut size) = (b[i], b[i].abs());
            for &j in closed {
                let part = row[j] * self.impulses[j];
                w += part;
                size += part.abs();
            }
            (self.w[i], self.size[i]) = (w, size);
        }
    }

    /// max |min(w, G F)| over its rounding floor, b being added up from numbers of this `size`: 1 or less where the impulses are
    /// right.
    pub fn excess(&mut self, closed: &[usize], b: &[f64], size: f64) -> f64 {
        self.evaluate(closed, b);
        let largest = closed.iter().map(|&i| self.size[i]).fold(size, f64::max);
        let off = |&i: &usize| self.w[i].min(self.compliance(i, i) * self.impulses[i]).abs();
        let excess = closed.iter().map(off).fold(0.0, f64::max) / (FLOOR * largest + f64::MIN_POSITIVE);
        if excess.is_nan() { f64::INFINITY } else { excess }
    }

    fn gauss_seidel(&mut self, closed: &[usize], b: &[f64]) -> u32 {
        let (mut best, mut stalled) = (f64::INFINITY, 0);
        for sweep in 1..=SWEEPS {
            let (mut change, mut largest) = (0.0_f64, 0.0_f64);
            for &i in closed {
                let row = &self.compliance[i * self.count..(i + 1) * self.count];
                let diagonal = row[i];
                if diagonal <= 0.0 {
                    continue;
                }
                let w = b[i] + closed.iter().map(|&j| row[j] * self.impulses[j]).sum::<f64>();
                let next = (self.impulses[i] - w / diagonal).max(0.0);
                change = change.max(diagonal * (next - self.impulses[i]).abs());
                largest = largest.max(b[i].abs()).max(diagonal * next);
                self.impulses[i] = next;
            }
            // A change that shrinks no more is rounding, or walls that cannot both have their way.
            stalled = if change < (1.0 - PROGRESS) * best { 0 } else { stalled + 1 };
            best = best.min(change);
            if change <= f64::EPSILON * largest || stalled > STALLED || !change.is_finite() {
                return sweep;
            }
        }
        SWEEPS
    }

    /// The number of contacts that came and went; `None` where no impulses meet all conditions.
    fn active_set(&mut self, closed: &[usize], b: &[f64]) -> Option<u32> {
        self.pressed.clear();
        let most = 20 + 10 * closed.len() as u32;
        let mut iterations = 0;
        loop {
            self.evaluate(closed, b);
            let largest = closed.iter().map(|&i| self.size[i]).fold(0.0, f64::max);
            let open = closed.iter().copied().filter(|i| !self.pressed.contains(i));
            let worst = open.min_by(|&i, &j| self.w[i].total_cmp(&self.w[j]));
            let Some(i) = worst.filter(|&i| self.w[i] < -0.5 * FLOOR * largest) else {
                self.polish(b);
                return Some(iterations);
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

    /// Raises Fᵢ until wᵢ = 0, then i is pressed and the answer `true`; or until another contact lets go.
    fn raise(&mut self, i: usize, closed: &[usize]) -> Option<bool> {
        let n = self.pressed.len();
        for a in 0..n {
            self.answer[a] = self.compliance(self.pressed[a], i);
        }
        forward(&self.lower, &mut self.answer[..n]);
        let diagonal = self.compliance(i, i);
        let own = diagonal - self.answer[..n].iter().map(|x| x * x).sum::<f64>();
        let start = n * (n + 1) / 2;
        self.lower[start..start + n].copy_from_slice(&self.answer[..n]);
        backward(&self.lower, &mut self.answer[..n]);
        let whole = if own > DEPENDENT * diagonal { -self.w[i] / own } else { f64::INFINITY };
        let lets_go = |a: usize| {
            let (f, r) = (self.impulses[self.pressed[a]], self.answer[a]);
            if r > 0.0 { f / r } else { f64::INFINITY }
        };
        let first = (0..n).min_by(|&a, &b| lets_go(a).total_cmp(&lets_go(b)));
        let until = first.map_or(f64::INFINITY, lets_go);
        let step = whole.min(until);
        if !step.is_finite() {
            return None;
        }
        for a in 0..n {
            let j = self.pressed[a];
            self.impulses[j] = (self.impulses[j] - step * self.answer[a]).max(0.0);
        }
        self.impulses[i] += step;
        if whole <= until {
            self.lower[start + n] = own.sqrt();
            self.pressed.push(i);
            return Some(true);
        }
        for &k in closed {
            let row = &self.compliance[k * self.count..(k + 1) * self.count];
            let answers = self.pressed.iter().zip(&self.answer).map(|(&j, r)| row[j] * r).sum::<f64>();
            self.w[k] += step * (row[i] - answers);
        }
        let gone = first?;
        self.impulses[self.pressed[gone]] = 0.0;
        self.pressed.remove(gone);
        self.factor();
        Some(false)
    }

    /// G_SS = LLᵀ anew.
    fn factor(&mut self) {
        factor(&self.compliance, self.count, &self.pressed, (&mut self.lower, &mut self.answer));
    }

    /// F_S −= G_SS⁻¹ w_S: takes up the roundings of the way.
    fn polish(&mut self, b: &[f64]) {
        let n = self.pressed.len();
        for a in 0..n {
            let i = self.pressed[a];
            let pushed: f64 = self.pressed.iter().map(|&j| self.compliance(i, j) * self.impulses[j]).sum();
            self.answer[a] = b[i] + pushed;
        }
        forward(&self.lower, &mut self.answer[..n]);
        backward(&self.lower, &mut self.answer[..n]);
        for (a, &i) in self.pressed.iter().enumerate() {
            self.impulses[i] = (self.impulses[i] - self.answer[a]).max(0.0);
        }
    }
}

/// L with G_SS = LLᵀ, row after row, for the contacts S = `pressed` of the compliance G (P × P); `answer` is room for P numbers.
fn factor(compliance: &[f64], count: usize, pressed: &[usize], (lower, answer): (&mut [f64], &mut [f64])) {
    for (a, &i) in pressed.iter().enumerate() {
        let start = a * (a + 1) / 2;
        for (answer, &j) in answer.iter_mut().zip(&pressed[..a]) {
            *answer = compliance[j * count + i];
        }
        forward(lower, &mut answer[..a]);
        let square: f64 = answer[..a].iter().map(|x| x * x).sum();
        lower[start..start + a].copy_from_slice(&answer[..a]);
        let diagonal = compliance[i * count + i];
        lower[start + a] = (diagonal - square).max(DEPENDENT * diagonal).sqrt();
    }
}

fn dot(x: &[f64], y: &[f64]) -> f64 {
    x.iter().zip(y).map(|(x, y)| x * y).sum()
}

/// x ← L⁻¹x, L given row after row.
fn forward(lower: &[f64], x: &mut [f64]) {
    for a in 0..x.len() {
        let row = &lower[a * (a + 1) / 2..][..=a];
        let known: f64 = row[..a].iter().zip(&x[..a]).map(|(l, x)| l * x).sum();
        x[a] = (x[a] - known) / row[a];
    }
}

/// x ← L⁻ᵀx.
fn backward(lower: &[f64], x: &mut [f64]) {
    for a in (0..x.len()).rev() {
        let row = &lower[a * (a + 1) / 2..][..=a];
        x[a] /= row[a];
        let value = x[a];
        x[..a].iter_mut().zip(row).for_each(|(x, l)| *x -= l * value);
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
    }
}

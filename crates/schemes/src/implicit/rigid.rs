//! Rigid contacts in an implicit step (Moreau & Jean).
//!
//!   closed where c·(q + w) ≥ h (halfway at the old velocity),   A e = … − Cᵀy,   y = λF
//!   0 ≤ y ⊥ −c·(w⁺ + e w) ≥ 0,   −c·w⁺ = −c·(w + e_free) + G y,   G = C A⁻¹ Cᵀ
//!
//! e_free is the increment without impulses; the restitution coefficient e stands beside w alone. With a moving
//! reference c·w is relative to it, c·w − Δh/2, Δh being its way in the step. Energy: the work
//! −F(c·s − Δh) = −2F c·w(1 − θ(1 + e)), 0 for e = 1 where the velocity turns in the middle of the step, θ = ½;
//! positive, which adds energy, for θ > 1/(1 + e); and −FΔh, supplied by the reference.

use super::constants::ImplicitConstants;
use hamiltone_core::{row::Row, state::Archive, stepper::Activity};
use hamiltone_numerics::{
    lcp::{LcpSolver, Method},
    schur_newton::Convergence,
};
use std::sync::Arc;

/// A change of an impulse by less than this, relative to itself, is rounding.
const ROUNDING: f64 = 4.0 * f64::EPSILON;

#[derive(Clone, Debug)]
pub(super) struct RigidContacts {
    rigid: Arc<[RigidContact]>,
    /// Moving references: (input, rigid contact); and the number of all inputs.
    motions: Arc<[(usize, usize)]>,
    inputs: usize,
    lcp: LcpSolver,
    /// A⁻¹c of each.
    columns: Arc<[Vec<f64>]>,
    /// The gap with its moving reference at the start of the step, and half its way in the step.
    gaps: Vec<f64>,
    drifts: Vec<f64>,
    closed: Vec<usize>,
    /// y, and before the last solve.
    multipliers: Vec<f64>,
    before: Vec<f64>,
    /// c·w at the start of the step, relative to the reference.
    speeds: Vec<f64>,
    b: Vec<f64>,
    /// Of all elements, those with force laws too.
    activity: Vec<Activity>,
}

#[derive(Clone, Debug)]
struct RigidContact {
    element: usize,
    row: Row,
    gap: f64,
    restitution: f64,
}

/// What the impulses of a step did.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Work {
    /// −ΣF(c·s − Δh), J.
    pub work: f64,
    /// −ΣFΔh, J.
    pub supplied: f64,
    /// ΣF (Σ|cᵢ|(|wᵢ| + |wᵢ⁺|) + Gy), J: over eps, what their rounding is worth.
    pub leverage: f64,
}

impl RigidContacts {
    /// The rigid contacts of a system, with their impulses found by `method`.
    pub fn new(c: &ImplicitConstants, method: Method) -> Self {
        let elements = c.system.elements.iter().enumerate();
        let rigid: Vec<RigidContact> = elements
            .filter_map(|(element, given)| {
                let restitution = given.law.restitution()?;
                Some(RigidContact { element, row: given.row().clone(), gap: given.gap, restitution })
            })
            .collect();
        let column = |r: &RigidContact| {
            let mut column = vec![0.0; c.system.size()];
            r.row.add_scaled(1.0, &mut column);
            c.solver.solve(&mut column);
            column
        };
        let columns: Vec<Vec<f64>> = rigid.iter().map(column).collect();
        // G = C A⁻¹ Cᵀ, row-major.
        let compliance = rigid.iter().flat_map(|r| columns.iter().map(|column| r.row.dot(column))).collect();
        let mut numbers = vec![None; c.system.elements.len()];
        rigid.iter().enumerate().for_each(|(number, r)| numbers[r.element] = Some(number));
        let motions =
            c.inputs.motions.iter().filter_map(|&(input, element)| Some((input, numbers[element]?)));
        let p = rigid.len();
        let zero = || vec![0.0; p];
        Self {
            lcp: LcpSolver::new(p, compliance, method),
            motions: motions.collect(),
            inputs: c.inputs.count,
            columns: columns.into(),
            gaps: rigid.iter().map(|r| r.gap).collect(),
            drifts: zero(),
            closed: Vec::with_capacity(p),
            multipliers: zero(),
            before: zero(),
            speeds: zero(),
            b: zero(),
            activity: vec![Activity::NONE; c.system.elements.len()],
            rigid: rigid.into(),
        }
    }

    /// Whether there are rigid contacts.
    pub fn any(&self) -> bool {
        !self.rigid.is_empty()
    }

    pub fn reset(&mut self) {
        self.open_all();
        self.activity.fill(Activity::NONE);
    }

    /// Every number that the next step depends on.
    pub fn archive(&mut self, archive: &mut Archive) {
        Activity::archive(&mut self.activity, archive);
    }

    /// Moves the references to the start of the step, and notes their way in it.
    pub fn move_references(&mut self, input: &[f64]) {
        for (k, r) in self.rigid.iter().enumerate().filter(|_| !self.motions.is_empty()) {
            (self.gaps[k], self.drifts[k]) = (r.gap, 0.0);
        }
        for &(k, j) in self.motions.iter() {
            self.gaps[j] += input[k];
            // w is Δt·v/2, so that it is compared with half of the way of the reference.
            self.drifts[j] += 0.5 * (input[self.inputs + k] - input[k]);
        }
    }

    /// Nothing is closed.
    pub fn open_all(&mut self) {
        self.closed.clear();
        self.multipliers.fill(0.0);
    }

    /// Finds what is closed halfway through the step.
    pub fn close(&mut self, q: &[f64], w: &[f64]) -> bool {
        for (j, r) in self.rigid.iter().enumerate() {
            // The speed before the step decides about contact, as Moreau's law refers to it.
            let speed = r.row.dot(w) - self.drifts[j];
            let now = self.gaps[j] - r.row.dot(q);
            let (halfway, activity) = (now - speed, &mut self.activity[r.element]);
            activity.gap = activity.gap.min(now);
            if halfway <= 0.0 {
                self.speeds[j] = speed;
                self.closed.push(j);
            }
        }
        !self.closed.is_empty()
    }

    /// What contact j would miss without its impulse, for an increment `e`.
    fn missed(&self, j: usize, w: &[f64], e: &[f64]) -> f64 {
        let r = &self.rigid[j];
        -((r.row.dot(w) + r.row.dot(e)) - self.drifts[j]) - r.restitution * self.speeds[j]
    }

    /// b for the increment `e`, in which the multipliers are at work.
    fn misses(&mut self, w: &[f64], e: &[f64]) {
        for k in 0..self.closed.len() {
            let j = self.closed[k];
            let pushed: f64 =
                // The LCP takes b without impulses, so that those already in e are taken out again.
                self.closed.iter().map(|&k| self.lcp.compliance(j, k) * self.multipliers[k]).sum();
            self.b[j] = self.missed(j, w, e) - pushed;
        }
    }

    /// y for the increment `e`, in which the last y is at work.
    pub fn solve(&mut self, w: &[f64], e: &[f64]) -> Convergence {
        self.misses(w, e);
        let outcome = self.lcp.solve(&self.closed, &self.b);
        self.before.copy_from_slice(&self.multipliers);
        self.multipliers.copy_from_slice(&self.lcp.impulses);
        outcome
    }

    /// The contacts that pushed in the last solve, in `pressed`.
    pub fn pressed(&self, pressed: &mut Vec<usize>) {
        pressed.clear();
        pressed.extend(self.closed.iter().filter(|j| self.multipliers[**j] > 0.0));
    }

    /// What force laws of the compliance `matrix` see of the contacts that push while these answer, and the `shift` of their
    /// free increments: [`LcpSolver::condense`] for the increment `e` of a step without any forces.
    pub fn condense(
        &mut self,
        pressed: &[usize],
        (w, e): (&[f64], &[f64]),
        matrix: &mut [f64],
        shift: &mut [f64],
    ) {
        // `e` holds no forces here, so that b needs no correction by the multipliers.
        for &j in pressed {
            self.b[j] = self.missed(j, w, e);
        }
        self.lcp.hold(pressed);
        self.lcp.condense(matrix);
        self.lcp.shift(&self.b, shift);
    }

    /// Makes ready for that, with the columns A⁻¹c of the force laws.
    pub fn couple(&mut self, columns: &[Vec<f64>]) {
        let entries = self.rigid.iter().flat_map(|r| columns.iter().map(|column| r.row.dot(column)));
        self.lcp.couple(entries.collect());
    }

    /// What the multipliers miss in the increment `e`, in which they are at work, over its rounding.
    pub fn excess(&mut self, w: &[f64], e: &[f64]) -> f64 {
        self.misses(w, e);
        self.lcp.impulses.copy_from_slice(&self.multipliers);
        let size = |j: &usize| self.rigid[*j].row.magnitude(w) + self.rigid[*j].row.magnitude(e);
        // The largest terms that were summed set the rounding of all rows of the LCP.
        let size = self.closed.iter().map(size).fold(0.0, f64::max);
        self.lcp.excess(&self.closed, &self.b, size)
    }

    /// Whether the last solve moved anything.
    pub fn changed(&self) -> bool {
        let moved =
            |j: &usize| (self.multipliers[*j] - self.before[*j]).abs() > ROUNDING * self.multipliers[*j];
        self.closed.iter().any(moved)
    }

    /// e −= A⁻¹Cᵀy.
    pub fn add_to(&self, e: &mut [f64]) {
        for (column, y) in self.columns.iter().zip(&self.multipliers).filter(|(_, y)| **y != 0.0) {
            e.iter_mut().zip(column).for_each(|(e, c)| *e -= y * c);
        }
    }

    /// x −= Cᵀy.
    pub fn subtract_forces(&self, x: &mut [f64]) {
        for (r, y) in self.rigid.iter().zip(&self.multipliers).filter(|(_, y)| **y != 0.0) {
            r.row.add_scaled(-y, x);
        }
    }

    /// F = y/λ into the forces of all elements.
    pub fn forces(&self, lambda: f64, forces: &mut [f64]) {
        for (r, y) in self.rigid.iter().zip(&self.multipliers) {
            forces[r.element] = y / lambda;
        }
    }

    /// What the impulses did in the step that ended at w⁺ with the increment e.
    pub fn work(&self, forces: &[f64], theta: f64, w: &[f64], e: &[f64]) -> Work {
        let mut all = Work::default();
        for &j in &self.closed {
            let r = &self.rigid[j];
            let force = forces[r.element];
            if force != 0.0 {
                let (next, change) = (r.row.dot(w), r.row.dot(e));
                let drift = 2.0 * self.drifts[j];
                // c·s = 2c·(w⁺ − (1 − θ)e), as `w` holds w⁺ here.
                all.work -= force * ((2.0 * next - 2.0 * (1.0 - theta) * change) - drift);
                all.supplied -= force * drift;
                // Against a steady push the increment is a small difference of that push and the impulse's own, G y.
                let pushed = self.lcp.compliance(j, j) * self.multipliers[j];
                all.leverage += force * (2.0 * r.row.magnitude(w) + r.row.magnitude(e) + pushed);
            }
        }
        all
    }

    /// Enters what an element did in a step.
    pub fn record(&mut self, element: usize, impulse: f64, gap: f64) {
        let activity = &mut self.activity[element];
        activity.impulse += impulse;
        activity.gap = activity.gap.min(gap);
    }

    /// Hands over what was entered, where there are rigid contacts.
    pub fn activity(&mut self, activity: &mut [Activity]) -> bool {
        if self.any() {
            activity.copy_from_slice(&self.activity);
            self.activity.fill(Activity::NONE);
        }
        self.any()
    }
}

//! Rigid contacts in an implicit step (Moreau & Jean).
//!
//!   closed where c·(q + w) ≥ h (halfway at the old velocity),   A e = … − Cᵀy,   y = λF
//!   0 ≤ y ⊥ −c·(w⁺ + e w) ≥ 0,   −c·w⁺ = −c·(w + e_free) + G y,   G = C A⁻¹ Cᵀ
//!
//! e_free is the increment without impulses; the restitution coefficient e stands beside w alone. Books: the work
//! −F c·s = −2F c·w(1 − θ(1 + e)), 0 for e = 1 where the velocity turns in the middle of the step, θ = ½; positive, a
//! gift, for θ > 1/(1 + e).

use hamiltone_core::{law::Law, row::Row, scheme::Touched, system::System};
use hamiltone_numerics::{
    lcp::{LcpSolver, Method},
    schur_newton::Convergence,
    woodbury::Solver,
};

/// A change of an impulse that is none, of itself.
const CHANGE: f64 = 4.0 * f64::EPSILON;

#[derive(Clone, Debug)]
pub(super) struct Bounce {
    rigid: Vec<Rigid>,
    impact: LcpSolver,
    /// A⁻¹c of each.
    columns: Vec<Vec<f64>>,
    closed: Vec<usize>,
    /// y, and before the last solve.
    multipliers: Vec<f64>,
    before: Vec<f64>,
    /// c·w at the start of the step.
    speeds: Vec<f64>,
    b: Vec<f64>,
    /// Of all contacts, compliant ones too.
    touched: Vec<Touched>,
}

#[derive(Clone, Debug)]
struct Rigid {
    contact: usize,
    row: Row,
    gap: f64,
    restitution: f64,
}

/// What the impulses of a step did.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Work {
    /// −ΣF c·s, J.
    pub work: f64,
    /// ΣF Σ|cᵢ|(|wᵢ| + |wᵢ⁺|), J: over eps, what their rounding is worth.
    pub leverage: f64,
}

impl Bounce {
    pub fn new(system: &System, solver: &Solver, method: Method) -> Self {
        let rigid = |(contact, c): (usize, &hamiltone_core::system::Contact)| match c.law {
            Law::Rigid { restitution } => {
                Some(Rigid { contact, row: c.row.clone(), gap: c.gap, restitution })
            }
            Law::Compliant(_) => None,
        };
        let rigid: Vec<Rigid> = system.contacts.iter().enumerate().filter_map(rigid).collect();
        let column = |r: &Rigid| {
            let mut column = vec![0.0; system.size()];
            r.row.add_scaled(1.0, &mut column);
            solver.solve(&mut column);
            column
        };
        let columns: Vec<Vec<f64>> = rigid.iter().map(column).collect();
        let compliance = rigid.iter().flat_map(|r| columns.iter().map(|column| r.row.dot(column))).collect();
        let p = rigid.len();
        let zero = || vec![0.0; p];
        Self {
            impact: LcpSolver::new(p, compliance, method),
            columns,
            closed: Vec::with_capacity(p),
            multipliers: zero(),
            before: zero(),
            speeds: zero(),
            b: zero(),
            touched: vec![Touched::NOTHING; system.contacts.len()],
            rigid,
        }
    }

    /// Whether there are rigid contacts.
    pub fn any(&self) -> bool {
        !self.rigid.is_empty()
    }

    pub fn reset(&mut self) {
        self.let_go();
        self.touched.fill(Touched::NOTHING);
    }

    /// Nothing is closed.
    pub fn let_go(&mut self) {
        self.closed.clear();
        self.multipliers.fill(0.0);
    }

    /// Finds what is closed halfway through the step.
    pub fn close(&mut self, q: &[f64], w: &[f64]) -> bool {
        for (j, r) in self.rigid.iter().enumerate() {
            let speed = r.row.dot(w);
            let now = r.gap - r.row.dot(q);
            let (halfway, touched) = (now - speed, &mut self.touched[r.contact]);
            touched.gap = touched.gap.min(now);
            if halfway <= 0.0 {
                self.speeds[j] = speed;
                self.closed.push(j);
            }
        }
        !self.closed.is_empty()
    }

    /// y for the increment `e`, in which the last y is at work.
    pub fn solve(&mut self, w: &[f64], e: &[f64]) -> Convergence {
        for &j in &self.closed {
            let r = &self.rigid[j];
            let pushed: f64 =
                self.closed.iter().map(|&k| self.impact.compliance(j, k) * self.multipliers[k]).sum();
            self.b[j] = -(r.row.dot(w) + r.row.dot(e)) - r.restitution * self.speeds[j] - pushed;
        }
        let outcome = self.impact.solve(&self.closed, &self.b);
        self.before.copy_from_slice(&self.multipliers);
        self.multipliers.copy_from_slice(&self.impact.impulses);
        outcome
    }

    /// Whether the last solve moved anything.
    pub fn changed(&self) -> bool {
        let moved =
            |j: &usize| (self.multipliers[*j] - self.before[*j]).abs() > CHANGE * self.multipliers[*j];
        self.closed.iter().any(moved)
    }

    /// e −= A⁻¹Cᵀy.
    pub fn add_to(&self, e: &mut [f64]) {
        for (column, y) in self.columns.iter().zip(&self.multipliers).filter(|(_, y)| **y != 0.0) {
            e.iter_mut().zip(column).for_each(|(e, c)| *e -= y * c);
        }
    }

    /// x −= Cᵀy.
    pub fn pull(&self, x: &mut [f64]) {
        for (r, y) in self.rigid.iter().zip(&self.multipliers).filter(|(_, y)| **y != 0.0) {
            r.row.add_scaled(-y, x);
        }
    }

    /// F = y/λ into the forces of all contacts.
    pub fn forces(&self, lambda: f64, forces: &mut [f64]) {
        for (r, y) in self.rigid.iter().zip(&self.multipliers) {
            forces[r.contact] = y / lambda;
        }
    }

    /// The books of the step that ended at w⁺ with the increment e.
    pub fn work(&self, forces: &[f64], theta: f64, w: &[f64], e: &[f64]) -> Work {
        let mut all = Work::default();
        for r in self.closed.iter().map(|&j| &self.rigid[j]) {
            let force = forces[r.contact];
            if force != 0.0 {
                let (next, change) = (r.row.dot(w), r.row.dot(e));
                all.work -= force * (2.0 * next - 2.0 * (1.0 - theta) * change);
                all.leverage += force * (2.0 * r.row.magnitude(w) + r.row.magnitude(e));
            }
        }
        all
    }

    /// Enters what contact j did in a step.
    pub fn post(&mut self, contact: usize, impulse: f64, gap: f64) {
        let touched = &mut self.touched[contact];
        touched.impulse += impulse;
        touched.gap = touched.gap.min(gap);
    }

    /// Hands over what was entered, where there are rigid contacts.
    pub fn touched(&mut self, touched: &mut [Touched]) -> bool {
        if self.any() {
            touched.copy_from_slice(&self.touched);
            self.touched.fill(Touched::NOTHING);
        }
        self.any()
    }
}

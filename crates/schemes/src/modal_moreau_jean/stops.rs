//! What contacts make of a free step: rigid ones by impulses, compliant ones by their exact quotient.
//!
//!   D⁺ = D_free − CᵀF,   G = C Cᵀ   (rows scaled like the state)
//!
//! A rigid contact is closed where c·(q + ½d) ≥ h, d being the increment before the step, and then
//!
//!   0 ≤ F ⊥ −c·(d⁺ + e d) ≥ 0,     work −½F c·(d + d⁺)
//!
//! A compliant one pushes with the quotient over two steps, F = (V(xⁿ⁺¹) − V(xⁿ⁻¹))/σ (1 + μσ/2Δt), σ = xⁿ⁺¹ − xⁿ⁻¹ =
//! c·(d + d⁺), which half of V(xⁿ) + V(xⁿ⁺¹) balances exactly. Where both kinds touch, each is solved with the
//! other's forces as they are until nothing changes; the compliant ones last, so that energy is kept in any case.

use super::{bank::Bank, rows::Rows};
use crate::touch::{self, Touch};
use hamiltone_core::{
    law::Law,
    ledger::{Effort, Fault},
    row::Row,
    scheme::Touched,
    system::System,
};
use hamiltone_numerics::{
    lcp::{LcpSolver, Method},
    schur_newton::{Convergence, SchurNewton},
};

/// A change of a rigid contact's force that is none, of itself.
const CHANGE: f64 = 4.0 * f64::EPSILON;
/// Turns that rigid and compliant contacts take before the step is given up.
const TURNS: u32 = 200;

pub(super) struct Stops {
    rows: Rows,
    gaps: Vec<f64>,
    rigid: Vec<Rigid>,
    compliant: Vec<Compliant>,
    /// The contact numbers of those.
    soft: Vec<usize>,
    impact: LcpSolver,
    newton: SchurNewton,
    /// c·z of all contacts, z halfway; after the step c·q of the compliant ones.
    halfway: Vec<f64>,
    closed: Vec<usize>,
    b: Vec<f64>,
    /// c·d before the step and after, or the like, of the closed and the compliant ones.
    speeds: Vec<f64>,
    opened: Vec<f64>,
    /// b with the compliant contacts' forces.
    pushed: Vec<f64>,
    /// x at n − 1, σ without contacts, and what the step as made misses σ by, of compliant contacts.
    x: Vec<f64>,
    free: Vec<f64>,
    /// σ with the rigid contacts' forces alone.
    moved: Vec<f64>,
    miss: Vec<f64>,
    /// The forces of all contacts in the last step, N.
    pub forces: Vec<f64>,
    /// Σ½(V(xⁿ) + V(xⁿ⁺¹)), J.
    pub held: f64,
    pub touched: Vec<Touched>,
}

struct Rigid {
    contact: usize,
    restitution: f64,
}

struct Compliant {
    contact: usize,
    touch: Touch,
    /// c·q − h at n − 1, n and n + 1, and V there.
    x: [f64; 3],
    energy: [f64; 3],
}

/// What contacts did in a step.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Done {
    pub touched: bool,
    pub work: f64,
    pub lost: f64,
    pub leverage: f64,
    pub effort: Effort,
}

impl Stops {
    /// The contacts of `system`, rows scaled by `scale`.
    pub fn new(system: &System, scale: &[f64], method: Method) -> Self {
        let p = system.contacts.len();
        let contacts: Vec<&Row> = system.contacts.iter().map(|contact| &contact.row).collect();
        let mut rows = Rows::new(&contacts, scale);
        let (mut rigid, mut compliant) = (Vec::new(), Vec::new());
        for (contact, c) in system.contacts.iter().enumerate() {
            match (&c.law, touch::compliant(c)) {
                (_, Some(touch)) => {
                    compliant.push(Compliant { contact, touch, x: [0.0; 3], energy: [0.0; 3] })
                }
                (Law::Rigid { restitution }, None) => {
                    rigid.push(Rigid { contact, restitution: *restitution });
                }
                (Law::Compliant(_), None) => {}
            }
        }
        let mut column = vec![0.0; super::bank::padded(scale.len())];
        let mut compliance = vec![0.0; p * p];
        for j in 0..p {
            column.fill(0.0);
            rows.add(j, 1.0, &mut column);
            rows.all(&column, &mut compliance[j * p..(j + 1) * p]);
        }
        let among = |of: &[usize]| -> Vec<f64> {
            of.iter()
                .flat_map(|&i| of.iter().map(move |&j| (i, j)))
                .map(|(i, j)| compliance[i * p + j])
                .collect()
        };
        let soft: Vec<usize> = compliant.iter().map(|c| c.contact).collect();
        let count = soft.len();
        Self {
            newton: SchurNewton::new(count, among(&soft)),
            impact: LcpSolver::new(p, compliance, method),
            gaps: system.contacts.iter().map(|c| c.gap).collect(),
            halfway: vec![0.0; p],
            closed: Vec::with_capacity(rigid.len()),
            b: vec![0.0; p],
            speeds: vec![0.0; p],
            opened: vec![0.0; p],
            pushed: vec![0.0; p],
            moved: vec![0.0; count],
            x: vec![0.0; count],
            free: vec![0.0; count],
            miss: vec![0.0; count],
            forces: vec![0.0; p],
            held: 0.0,
            touched: vec![Touched::NOTHING; p],
            rows,
            rigid,
            compliant,
            soft,
        }
    }
}

impl Stops {
    /// Nothing has touched yet: the bank stands at its start.
    pub fn reset(&mut self, place: &[f64], after: &[f64]) {
        self.forces.fill(0.0);
        self.touched.fill(Touched::NOTHING);
        for c in &mut self.compliant {
            c.x[1] = self.rows.dot(c.contact, place) - c.touch.gap;
            c.energy[1] = c.touch.potential.energy(c.x[1]);
        }
        self.hold(place, after);
    }

    /// Penetrations and energies at n + 1.
    fn hold(&mut self, place: &[f64], after: &[f64]) {
        self.held = 0.0;
        self.rows.some(&self.soft, place, &mut self.halfway);
        self.rows.some(&self.soft, after, &mut self.opened);
        for c in &mut self.compliant {
            c.x[2] = (self.halfway[c.contact] + self.opened[c.contact]) - c.touch.gap;
            let touched = &mut self.touched[c.contact];
            touched.gap = touched.gap.min(-c.x[1]);
            c.energy[2] = if c.x[2] <= c.touch.onset { 0.0 } else { c.touch.potential.energy(c.x[2]) };
            self.held += 0.5 * (c.energy[1] + c.energy[2]);
        }
    }

    /// ΣV(xⁿ), J.
    pub fn held_now(&self) -> f64 {
        self.compliant.iter().map(|c| c.energy[1]).sum()
    }

    /// The forces V′(1 + μẋ) of compliant contacts that are touched at the start, where they close by `speed`(contact).
    pub fn start_forces(&mut self, speed: impl Fn(usize) -> f64, mut push: impl FnMut(&Rows, usize, f64)) {
        for c in self.compliant.iter().filter(|c| c.x[1] > c.touch.onset) {
            let potential = &c.touch.potential;
            let force = potential.force(c.x[1]) * (1.0 + potential.loss() * speed(c.contact));
            push(&self.rows, c.contact, force);
        }
    }

    /// Lets the contacts act on the free increment `after` of the bank.
    pub fn act(&mut self, bank: &mut Bank, dt: f64) -> Done {
        let mut done = Done::default();
        if self.forces.is_empty() {
            return done;
        }
        self.rows.all(&bank.halfway, &mut self.halfway);
        self.close(bank);
        self.meet(bank);
        done.effort = self.solve(dt);
        done.touched = self.forces.iter().any(|f| *f != 0.0);
        if done.touched {
            self.push(bank);
        }
        self.hold(&bank.place, &bank.after);
        if done.touched {
            self.book(bank, dt, &mut done);
        }
        if !self.compliant.is_empty() {
            done.lost += self.lost(dt);
        }
        done
    }

    /// Finds the closed rigid contacts, and what they would miss.
    fn close(&mut self, bank: &Bank) {
        self.closed.clear();
        for rigid in &self.rigid {
            let j = rigid.contact;
            if self.halfway[j] >= self.gaps[j] {
                self.closed.push(j);
            } else {
                // Open halfway: so near it comes. What is closed has not moved on: it is where it is.
                self.touched[j].gap = self.touched[j].gap.min(self.gaps[j] - self.halfway[j]);
            }
        }
        if self.closed.is_empty() {
            return;
        }
        self.rows.some(&self.closed, &bank.place, &mut self.opened);
        for &j in &self.closed {
            self.touched[j].gap = self.touched[j].gap.min(self.gaps[j] - self.opened[j]);
        }
        self.rows.some(&self.closed, &bank.before, &mut self.speeds);
        self.rows.some(&self.closed, &bank.after, &mut self.opened);
        for rigid in &self.rigid {
            let j = rigid.contact;
            self.b[j] = -self.opened[j] - rigid.restitution * self.speeds[j];
        }
    }

    /// How the compliant contacts would move without forces.
    fn meet(&mut self, bank: &Bank) {
        self.rows.some(&self.soft, &bank.before, &mut self.speeds);
        self.rows.some(&self.soft, &bank.after, &mut self.opened);
        for (k, c) in self.compliant.iter_mut().enumerate() {
            c.x.rotate_left(1);
            c.energy.rotate_left(1);
            self.x[k] = c.x[0];
            self.free[k] = self.speeds[c.contact] + self.opened[c.contact];
        }
    }

    /// The forces of all contacts.
    fn solve(&mut self, dt: f64) -> Effort {
        self.forces.fill(0.0);
        let mut effort = Effort::default();
        let mut worst = 0.0_f64;
        for turn in 1..=TURNS {
            let mut changed = 0.0_f64;
            if !self.closed.is_empty() {
                let (soft, b) = (&self.compliant, &self.b);
                let push = |i: usize| {
                    soft.iter()
                        .map(|c| self.impact.compliance(i, c.contact) * self.forces[c.contact])
                        .sum::<f64>()
                };
                self.closed.iter().for_each(|&i| self.pushed[i] = b[i] + push(i));
                let outcome = self.impact.solve(&self.closed, &self.pushed);
                effort.iterations += outcome.iterations;
                worst = outcome.excess;
                for &j in &self.closed {
                    let before = std::mem::replace(&mut self.forces[j], self.impact.impulses[j]);
                    changed = changed.max((self.forces[j] - before).abs() - CHANGE * self.forces[j]);
                }
            }
            if self.compliant.is_empty() || (turn > 1 && changed <= 0.0) {
                break;
            }
            let outcome = self.yield_to(dt);
            effort.iterations += outcome.iterations;
            worst = worst.max(outcome.excess);
            let pushes = self.compliant.iter().any(|c| self.forces[c.contact] != 0.0);
            if self.closed.is_empty() || !pushes {
                break;
            }
            if turn == TURNS {
                worst = worst.max(2.0);
            }
        }
        effort.fault = (worst > 1.0).then_some(Fault::NotConverged(worst));
        effort
    }

    /// The compliant contacts' forces, those of the rigid ones as they are.
    fn yield_to(&mut self, dt: f64) -> Convergence {
        let Self { compliant, impact, newton, closed, forces, free, moved, x, .. } = self;
        for ((moved, free), c) in moved.iter_mut().zip(free.iter()).zip(compliant.iter()) {
            let pushed = closed.iter().map(|&j| impact.compliance(c.contact, j) * forces[j]).sum::<f64>();
            *moved = free - pushed;
        }
        let outcome = newton.solve(x, moved, |k, sigma| {
            let touch = &compliant[k].touch;
            if touch.silent(x[k], sigma) {
                return (0.0, 0.0);
            }
            let (mean, slope) = touch.potential.quotient(x[k], sigma);
            let mu = 0.5 * touch.potential.loss() / dt;
            (mean * (1.0 + mu * sigma), slope + mu * (mean + sigma * slope).max(0.0))
        });
        for (c, y) in compliant.iter().zip(&newton.multipliers) {
            forces[c.contact] = *y;
        }
        outcome
    }

    /// D⁺ −= CᵀF; compliant forces then take up what rounding left of σ.
    fn push(&mut self, bank: &mut Bank) {
        self.rows.add_all(-1.0, &self.forces, &mut bank.after);
        if self.newton.multipliers.iter().all(|y| *y == 0.0) {
            return;
        }
        for (k, c) in self.compliant.iter().enumerate() {
            let moved = self.rows.dot(c.contact, &bank.before) + self.rows.dot(c.contact, &bank.after);
            self.miss[k] = self.newton.steps[k] - moved;
        }
        self.newton.settle(&self.miss);
        for (c, response) in self.compliant.iter().zip(&self.newton.response) {
            self.rows.add(c.contact, *response, &mut bank.after);
            self.forces[c.contact] -= response;
        }
    }

    /// Impulses, the work of the rigid contacts, and what a rounding of the rows is worth.
    fn book(&mut self, bank: &Bank, dt: f64, done: &mut Done) {
        let (q, d, next) = (&bank.place, &bank.before, &bank.after);
        self.closed.retain(|&j| self.forces[j] != 0.0);
        self.rows.some(&self.closed, next, &mut self.opened);
        for &j in &self.closed {
            let force = self.forces[j];
            done.work -= 0.5 * force * (self.speeds[j] + self.opened[j]);
            done.leverage += force * self.rows.magnitude(j, |i| d[i].abs() + next[i].abs());
        }
        for c in &self.compliant {
            let force = self.forces[c.contact];
            if force != 0.0 {
                let reach = self.rows.magnitude(c.contact, |i| q[i].abs() + d[i].abs() + next[i].abs());
                let (sigma, mu) = (c.x[2] - c.x[0], 0.5 * c.touch.potential.loss() / dt);
                done.leverage += c.touch.strongest(force, c.x[2], sigma, mu) * (reach + c.touch.gap.abs());
            }
        }
        for (touched, force) in self.touched.iter_mut().zip(&self.forces) {
            touched.impulse += force * dt;
        }
    }

    /// What the compliant contacts' losses took.
    fn lost(&self, dt: f64) -> f64 {
        let lost = |c: &Compliant| {
            let mu = 0.5 * c.touch.potential.loss() / dt;
            0.5 * mu * (c.energy[2] - c.energy[0]) * (c.x[2] - c.x[0])
        };
        self.compliant.iter().map(lost).sum()
    }
}

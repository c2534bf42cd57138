//! What elements make of a free step: rigid contacts by impulses, compliant and resistive laws by their mean force.
//!
//!   D⁺ = D_free − CᵀF,   G = C Cᵀ   (rows scaled like the state)
//!
//! A rigid contact is closed where c·(q + ½d) ≥ h, d being the increment before the step, and then
//!
//!   0 ≤ F ⊥ −c·(d⁺ + e d) ≥ 0,     work −½F c·(d + d⁺)
//!
//! A compliant one pushes with the quotient over two steps, F = (V(xⁿ⁺¹) − V(xⁿ⁻¹))/σ (1 + μσ/2Δt), σ = xⁿ⁺¹ − xⁿ⁻¹ =
//! c·(d + d⁺), which half of V(xⁿ) + V(xⁿ⁺¹) balances exactly. A resistive one pushes with f(σ/2Δt; uⁿ), loss ½Fσ.
//!
//! A moving reference is known up to tₙ, while the step needs it at n + 1: it is continued linearly,
//! ĥⁿ⁺¹ = 2hⁿ − hⁿ⁻¹, which is exact for steady motion and of second order otherwise. All terms use ĥ: x = c·q − h − ĥ,
//! d relative to it, and the supply −½F(ĥⁿ⁺¹ − ĥⁿ⁻¹).

use super::bank::{Bank, Slow};
use crate::{
    compensation,
    interaction::{ForceLaw, Inputs, Interaction},
    modal::{
        eights::padded,
        element_forces::{ElementForces, Rigid},
        rows::Rows,
    },
};
use hamiltone_core::{ledger::Effort, row::Row, state::Archive, stepper::Activity, system::System};
use hamiltone_numerics::lcp::Method;
use std::sync::Arc;

#[derive(Clone)]
pub(super) struct Contacts {
    rows: Rows,
    /// h of all elements.
    gaps: Arc<[f64]>,
    rigid: Arc<[Rigid]>,
    /// The forces of all elements: x and σ of those with force laws are over two steps.
    solved: ElementForces,
    inputs: Arc<Inputs>,
    /// c·z of all elements, z halfway; after the step c·q of those with force laws.
    halfway: Vec<f64>,
    /// c·d before the step and after, or the like, of the closed ones and those with force laws.
    speeds: Vec<f64>,
    opened: Vec<f64>,
    /// −CᵀF.
    pushes: Vec<f64>,
    /// What the step as made misses σ by, of those with force laws.
    miss: Vec<f64>,
    /// c·q − h − ĥ of those with force laws at n − 1, n and n + 1, and V there.
    paths: Vec<Path>,
    /// ĥ of all elements at n − 1, n and n + 1.
    references: Vec<[f64; 3]>,
    /// Σ½(V(xⁿ) + V(xⁿ⁺¹)), J.
    pub stored: f64,
    pub activity: Vec<Activity>,
}

#[derive(Clone, Copy, Debug, Default)]
struct Path {
    x: [f64; 3],
    energy: [f64; 3],
}

/// What elements did in a step.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Done {
    pub any_force: bool,
    pub work: f64,
    pub dissipated: f64,
    pub supplied: f64,
    pub leverage: f64,
    pub effort: Effort,
}

impl Contacts {
    /// The elements of `system`, rows scaled by `scale`.
    pub fn new(system: &System, interactions: Vec<Interaction>, scale: &[f64], method: Method) -> Self {
        let p = system.elements.len();
        let elements: Vec<&Row> = system.elements.iter().map(|element| element.row()).collect();
        let mut rows = Rows::new(&elements, scale);
        let count = interactions.len();
        Self {
            solved: ElementForces::new(rows.compliance(scale.len()), interactions, method),
            pushes: vec![0.0; padded(scale.len())],
            gaps: system.elements.iter().map(|element| element.gap).collect(),
            halfway: vec![0.0; p],
            speeds: vec![0.0; p],
            opened: vec![0.0; p],
            miss: vec![0.0; count],
            paths: vec![Path::default(); count],
            references: vec![[0.0; 3]; p],
            stored: 0.0,
            activity: vec![Activity::NONE; p],
            inputs: Arc::new(Inputs::of(system)),
            rows,
            rigid: Rigid::of(system).into(),
        }
    }

    /// The forces of all elements in the last step, N.
    pub fn forces(&self) -> &[f64] {
        &self.solved.forces
    }

    /// Nothing has happened yet: the bank stands at its start, the inputs have these values.
    pub fn reset(&mut self, place: &[f64], after: &[f64], input: &[f64]) {
        self.solved.forces.fill(0.0);
        self.activity.fill(Activity::NONE);
        self.references.fill([0.0; 3]);
        for &(k, element) in &self.inputs.motions {
            self.references[element].iter_mut().for_each(|h| *h += input[k]);
        }
        self.solved.read_controls(&self.inputs.controls, |k| input[k]);
        for (path, i) in self.paths.iter_mut().zip(self.solved.interactions.iter()) {
            path.x[1] = self.rows.dot(i.element, place) - i.gap - self.references[i.element][1];
            path.energy[1] = i.energy(path.x[1]);
        }
        self.store(place, after);
    }

    /// Every number that the next step depends on.
    pub fn archive(&mut self, archive: &mut Archive) {
        for path in &mut self.paths {
            archive.numbers(&mut path.x);
            archive.numbers(&mut path.energy);
        }
        self.references.iter_mut().for_each(|reference| archive.numbers(reference));
        archive.numbers(&mut self.solved.controls);
        archive.numbers(&mut self.solved.forces);
        archive.number(&mut self.stored);
        Activity::archive(&mut self.activity, archive);
    }

    /// Moves references and controls on by a step: `input` holds the values at n − 1, then at n.
    pub fn read_inputs(&mut self, input: &[f64]) {
        if !self.inputs.act_on_elements() {
            return;
        }
        self.references.iter_mut().for_each(|h| *h = [h[1], h[2], 0.0]);
        for &(k, element) in &self.inputs.motions {
            self.references[element][2] += 2.0 * input[self.inputs.count + k] - input[k];
        }
        self.solved.read_controls(&self.inputs.controls, |k| input[self.inputs.count + k]);
    }

    /// Penetrations and energies at n + 1.
    pub fn store(&mut self, place: &[f64], after: &[f64]) {
        self.stored = 0.0;
        self.rows.some(&self.solved.soft, place, &mut self.halfway);
        self.rows.some(&self.solved.soft, after, &mut self.opened);
        for (path, i) in self.paths.iter_mut().zip(self.solved.interactions.iter()) {
            let j = i.element;
            path.x[2] = (self.halfway[j] + self.opened[j]) - i.gap - self.references[j][2];
            if let ForceLaw::Compliant(..) = i.law {
                self.activity[j].gap = self.activity[j].gap.min(-path.x[1]);
            }
            path.energy[2] = i.energy(path.x[2]);
            self.stored += 0.5 * (path.energy[1] + path.energy[2]);
        }
    }

    /// ΣV at n, J; `None` where references move, which a step knows at the ends of its own span only.
    pub fn potential(&self) -> Option<f64> {
        let known = self.inputs.motions.is_empty();
        known.then(|| self.paths.iter().map(|path| path.energy[1]).sum())
    }

    /// The forces at the start of the laws that act there, where they close by `speed`(element).
    pub fn start_forces(
        &self,
        dt: f64,
        speed: impl Fn(usize) -> f64,
        mut push: impl FnMut(&Rows, usize, f64),
    ) {
        for (k, (path, i)) in self.paths.iter().zip(self.solved.interactions.iter()).enumerate() {
            let force = match &i.law {
                ForceLaw::Compliant(law, onset) if path.x[1] > *onset => {
                    law.force(path.x[1]) * (1.0 + law.loss * speed(i.element))
                }
                ForceLaw::Compliant(..) => continue,
                ForceLaw::Resistive(law) => {
                    let (force, slope) = law.force(speed(i.element), self.solved.controls[k]);
                    // Half a step of a strong damper takes no more than there is: the same to second order.
                    force / (1.0 + 0.5 * self.solved.compliance(i.element, i.element) * slope.max(0.0) / dt)
                }
            };
            push(&self.rows, i.element, force);
        }
    }

    /// Lets the elements act on the free increment `after` of the bank.
    pub fn act(&mut self, bank: &mut Bank, slow: &mut [Slow], dt: f64) -> Done {
        let mut done = Done::default();
        if self.solved.forces.is_empty() {
            return done;
        }
        self.rows.all(&bank.halfway, &mut self.halfway);
        self.close(bank);
        self.predict(bank);
        let (rows, before, after) = (&self.rows, &bank.before, &bank.after);
        let size = |j: usize| rows.magnitude(j, [before, after]);
        done.effort = self.solved.solve(2.0 * dt, size);
        done.any_force = self.solved.forces.iter().any(|f| *f != 0.0);
        if done.any_force {
            self.push(bank);
            self.push_slow(bank, slow);
        }
        self.store(&bank.place, &bank.after);
        if done.any_force {
            self.book(bank, dt, &mut done);
        }
        if !self.solved.interactions.is_empty() {
            done.dissipated += self.dissipated(dt);
        }
        done
    }

    /// Finds the closed rigid contacts, and what they would miss.
    fn close(&mut self, bank: &Bank) {
        self.solved.closed.clear();
        for rigid in self.rigid.iter() {
            let j = rigid.element;
            let gap = self.gaps[j] + 0.5 * (self.references[j][1] + self.references[j][2]);
            if self.halfway[j] >= gap {
                self.solved.closed.push(j);
            } else {
                // Open halfway: so near it comes. What is closed has not moved on: it is where it is.
                self.activity[j].gap = self.activity[j].gap.min(gap - self.halfway[j]);
            }
        }
        if self.solved.closed.is_empty() {
            return;
        }
        self.rows.some(&self.solved.closed, &bank.place, &mut self.opened);
        for &j in &self.solved.closed {
            let gap = self.gaps[j] + self.references[j][1];
            self.activity[j].gap = self.activity[j].gap.min(gap - self.opened[j]);
        }
        self.rows.some(&self.solved.closed, &bank.before, &mut self.speeds);
        self.rows.some(&self.solved.closed, &bank.after, &mut self.opened);
        for rigid in self.rigid.iter() {
            let j = rigid.element;
            let [before, now, next] = self.references[j];
            let (speed, free) = (self.speeds[j] - (now - before), self.opened[j] - (next - now));
            self.solved.b[j] = -free - rigid.restitution * speed;
        }
    }

    /// How the elements with force laws would move without forces.
    fn predict(&mut self, bank: &Bank) {
        self.rows.some(&self.solved.soft, &bank.before, &mut self.speeds);
        self.rows.some(&self.solved.soft, &bank.after, &mut self.opened);
        for (k, (path, j)) in self.paths.iter_mut().zip(self.solved.soft.iter()).enumerate() {
            path.x.rotate_left(1);
            path.energy.rotate_left(1);
            self.solved.x[k] = path.x[0];
            self.solved.free[k] = (self.speeds[*j] + self.opened[*j]) - way(&self.references[*j]);
        }
    }

    /// D⁺ −= CᵀF; the force laws then take up what rounding left of σ.
    fn push(&mut self, bank: &mut Bank) {
        self.rows.add_all(-1.0, &self.solved.forces, &mut bank.after);
        if !self.solved.any_soft() {
            return;
        }
        for (k, &j) in self.solved.soft.iter().enumerate() {
            let moved =
                (self.rows.dot(j, &bank.before) + self.rows.dot(j, &bank.after)) - way(&self.references[j]);
            self.miss[k] = self.solved.steps()[k] - moved;
        }
        let Self { solved, rows, miss, .. } = self;
        solved.correct(miss, |j, response| rows.add(j, response, &mut bank.after));
    }

    /// The same once more for slow modes: a light push that lasts is less than the last digit of a heavy mass's increment.
    fn push_slow(&mut self, bank: &mut Bank, slow: &mut [Slow]) {
        if slow.is_empty() {
            return;
        }
        self.pushes.fill(0.0);
        self.rows.add_all(-1.0, &self.solved.forces, &mut self.pushes);
        for slow in slow {
            bank.after[slow.mode] = compensation::add(slow.free, self.pushes[slow.mode], &mut slow.rest);
        }
    }

    /// Impulses, the work of rigid contacts and of references, resistive losses, and what a rounding of the rows is
    /// worth.
    fn book(&mut self, bank: &Bank, dt: f64, done: &mut Done) {
        let (q, d, next) = (&bank.place, &bank.before, &bank.after);
        self.solved.closed.retain(|&j| self.solved.forces[j] != 0.0);
        self.rows.some(&self.solved.closed, next, &mut self.opened);
        for &j in &self.solved.closed {
            let (force, way) = (self.solved.forces[j], way(&self.references[j]));
            done.work -= 0.5 * force * ((self.speeds[j] + self.opened[j]) - way);
            done.supplied -= 0.5 * force * way;
            // Against a steady push the increment is a small difference of that push and the impulse's own, G F.
            let pushed = self.solved.compliance(j, j) * force;
            done.leverage += force * (self.rows.magnitude(j, [d, next]) + pushed);
        }
        for (path, i) in self.paths.iter().zip(self.solved.interactions.iter()) {
            let j = i.element;
            let force = self.solved.forces[j];
            if force == 0.0 {
                continue;
            }
            done.supplied -= 0.5 * force * way(&self.references[j]);
            match &i.law {
                ForceLaw::Compliant(..) => {
                    let reach = self.rows.magnitude(j, [q, d, next]);
                    let largest = i.largest_force(force, path.x[2], path.x[2] - path.x[0], 2.0 * dt);
                    done.leverage += largest * (reach + i.gap.abs());
                }
                ForceLaw::Resistive(_) => {
                    let moved = (self.rows.dot(j, d) + self.rows.dot(j, next)) - way(&self.references[j]);
                    done.dissipated += 0.5 * force * moved;
                    done.leverage += force.abs() * self.rows.magnitude(j, [d, next]);
                }
            }
        }
        for (activity, force) in self.activity.iter_mut().zip(&self.solved.forces) {
            activity.impulse += force * dt;
        }
    }

    /// What the compliant contacts' losses took.
    fn dissipated(&self, dt: f64) -> f64 {
        let dissipated = |(path, i): (&Path, &Interaction)| match &i.law {
            ForceLaw::Compliant(law, _) => {
                let mu = 0.5 * law.loss / dt;
                0.5 * mu * (path.energy[2] - path.energy[0]) * (path.x[2] - path.x[0])
            }
            ForceLaw::Resistive(_) => 0.0,
        };
        self.paths.iter().zip(self.solved.interactions.iter()).map(dissipated).sum()
    }
}

/// ĥⁿ⁺¹ − ĥⁿ⁻¹.
fn way([before, _, next]: &[f64; 3]) -> f64 {
    next - before
}

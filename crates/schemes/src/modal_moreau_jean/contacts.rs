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

mod solve;

use super::{
    bank::{Bank, Slow},
    rows::Rows,
};
use crate::{
    compensation,
    interaction::{ForceLaw, Inputs, Interaction},
};
use hamiltone_core::{ledger::Effort, row::Row, state::Archive, stepper::Activity, system::System};
use hamiltone_numerics::{
    lcp::{LcpSolver, Method},
    schur_newton::SchurNewton,
};
use std::sync::Arc;

#[derive(Clone)]
pub(super) struct Contacts {
    rows: Rows,
    /// h of all elements.
    gaps: Arc<[f64]>,
    rigid: Arc<[Rigid]>,
    /// The elements with force laws, and their numbers.
    interactions: Arc<[Interaction]>,
    soft: Arc<[usize]>,
    inputs: Arc<Inputs>,
    lcp: LcpSolver,
    newton: SchurNewton,
    /// c·z of all elements, z halfway; after the step c·q of those with force laws.
    halfway: Vec<f64>,
    closed: Vec<usize>,
    b: Vec<f64>,
    /// c·d before the step and after, or the like, of the closed ones and those with force laws.
    speeds: Vec<f64>,
    opened: Vec<f64>,
    /// b with the other elements' forces.
    pushed: Vec<f64>,
    /// −CᵀF.
    pushes: Vec<f64>,
    /// The rigid contacts that push, and those that did in the turn before.
    pressed: Vec<usize>,
    pressed_before: Vec<usize>,
    /// x at n − 1, σ without forces, and what the step as made misses σ by, of those with force laws.
    x: Vec<f64>,
    free: Vec<f64>,
    /// σ with the rigid contacts' forces alone.
    moved: Vec<f64>,
    miss: Vec<f64>,
    /// c·q − h − ĥ of those with force laws at n − 1, n and n + 1, and V there.
    paths: Vec<Path>,
    /// ĥ of all elements at n − 1, n and n + 1.
    references: Vec<[f64; 3]>,
    /// The control values of those with force laws.
    controls: Vec<f64>,
    /// The forces of all elements in the last step, N.
    pub forces: Vec<f64>,
    /// Σ½(V(xⁿ) + V(xⁿ⁺¹)), J.
    pub stored: f64,
    pub activity: Vec<Activity>,
}

#[derive(Clone, Debug)]
struct Rigid {
    element: usize,
    restitution: f64,
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
        let rigid: Vec<Rigid> = system
            .elements
            .iter()
            .enumerate()
            .filter_map(|(element, given)| Some(Rigid { element, restitution: given.law.restitution()? }))
            .collect();
        let mut column = vec![0.0; super::bank::padded(scale.len())];
        let mut compliance = vec![0.0; p * p];
        for j in 0..p {
            column.fill(0.0);
            rows.add(j, 1.0, &mut column);
            rows.all(&column, &mut compliance[j * p..(j + 1) * p]);
        }
        let between = |rows: &[usize], columns: &[usize]| -> Vec<f64> {
            let entry = |(&i, &j): (&usize, &usize)| compliance[i * p + j];
            rows.iter().flat_map(|i| columns.iter().map(move |j| (i, j))).map(entry).collect()
        };
        let soft: Vec<usize> = interactions.iter().map(|i| i.element).collect();
        let count = soft.len();
        let mut newton = SchurNewton::new(count, between(&soft, &soft));
        let cross = between(&(0..p).collect::<Vec<_>>(), if rigid.is_empty() { &[] } else { &soft });
        let mut lcp = LcpSolver::new(p, compliance, method);
        if !rigid.is_empty() {
            newton.reserve_change();
            lcp.couple(cross);
        }
        let own_control = |interaction: &Interaction| match &interaction.law {
            ForceLaw::Resistive(law) => law.control,
            ForceLaw::Compliant(..) => 0.0,
        };
        Self {
            newton,
            pushes: column,
            pressed: Vec::with_capacity(rigid.len()),
            pressed_before: Vec::with_capacity(rigid.len()),
            lcp,
            gaps: system.elements.iter().map(|element| element.gap).collect(),
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
            paths: vec![Path::default(); count],
            references: vec![[0.0; 3]; p],
            controls: interactions.iter().map(own_control).collect(),
            forces: vec![0.0; p],
            stored: 0.0,
            activity: vec![Activity::NONE; p],
            inputs: Arc::new(Inputs::of(system)),
            rows,
            rigid: rigid.into(),
            interactions: interactions.into(),
            soft: soft.into(),
        }
    }

    /// Nothing has happened yet: the bank stands at its start, the inputs have these values.
    pub fn reset(&mut self, place: &[f64], after: &[f64], input: &[f64]) {
        self.forces.fill(0.0);
        self.activity.fill(Activity::NONE);
        self.references.fill([0.0; 3]);
        for &(k, element) in &self.inputs.motions {
            self.references[element].iter_mut().for_each(|h| *h += input[k]);
        }
        self.read_controls(input);
        for (path, i) in self.paths.iter_mut().zip(self.interactions.iter()) {
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
        archive.numbers(&mut self.controls);
        archive.numbers(&mut self.forces);
        archive.number(&mut self.stored);
        for activity in &mut self.activity {
            archive.number(&mut activity.impulse);
            archive.number(&mut activity.gap);
        }
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
        self.read_controls(&input[self.inputs.count..]);
    }

    /// Takes over the values of the inputs that control an element.
    fn read_controls(&mut self, values: &[f64]) {
        for &(input, element) in &self.inputs.controls {
            for (control, _) in self.controls.iter_mut().zip(self.soft.iter()).filter(|(_, j)| **j == element)
            {
                *control = values[input];
            }
        }
    }

    /// Penetrations and energies at n + 1.
    pub fn store(&mut self, place: &[f64], after: &[f64]) {
        self.stored = 0.0;
        self.rows.some(&self.soft, place, &mut self.halfway);
        self.rows.some(&self.soft, after, &mut self.opened);
        for (path, i) in self.paths.iter_mut().zip(self.interactions.iter()) {
            let j = i.element;
            path.x[2] = (self.halfway[j] + self.opened[j]) - i.gap - self.references[j][2];
            if let ForceLaw::Compliant(..) = i.law {
                self.activity[j].gap = self.activity[j].gap.min(-path.x[1]);
            }
            path.energy[2] = i.energy(path.x[2]);
            self.stored += 0.5 * (path.energy[1] + path.energy[2]);
        }
    }

    /// The forces at the start of the laws that act there, where they close by `speed`(element).
    pub fn start_forces(
        &self,
        dt: f64,
        speed: impl Fn(usize) -> f64,
        mut push: impl FnMut(&Rows, usize, f64),
    ) {
        for (k, (path, i)) in self.paths.iter().zip(self.interactions.iter()).enumerate() {
            let force = match &i.law {
                ForceLaw::Compliant(law, onset) if path.x[1] > *onset => {
                    law.force(path.x[1]) * (1.0 + law.loss * speed(i.element))
                }
                ForceLaw::Compliant(..) => continue,
                ForceLaw::Resistive(law) => {
                    let (force, slope) = law.force(speed(i.element), self.controls[k]);
                    // Half a step of a strong damper takes no more than there is: the same to second order.
                    force / (1.0 + 0.5 * self.lcp.compliance(i.element, i.element) * slope.max(0.0) / dt)
                }
            };
            push(&self.rows, i.element, force);
        }
    }

    /// Lets the elements act on the free increment `after` of the bank.
    pub fn act(&mut self, bank: &mut Bank, slow: &mut [Slow], dt: f64) -> Done {
        let mut done = Done::default();
        if self.forces.is_empty() {
            return done;
        }
        self.rows.all(&bank.halfway, &mut self.halfway);
        self.close(bank);
        self.predict(bank);
        done.effort = self.solve(bank, dt);
        done.any_force = self.forces.iter().any(|f| *f != 0.0);
        if done.any_force {
            self.push(bank);
            self.push_slow(bank, slow);
        }
        self.store(&bank.place, &bank.after);
        if done.any_force {
            self.book(bank, dt, &mut done);
        }
        if !self.interactions.is_empty() {
            done.dissipated += self.dissipated(dt);
        }
        done
    }

    /// Finds the closed rigid contacts, and what they would miss.
    fn close(&mut self, bank: &Bank) {
        self.closed.clear();
        for rigid in self.rigid.iter() {
            let j = rigid.element;
            let gap = self.gaps[j] + 0.5 * (self.references[j][1] + self.references[j][2]);
            if self.halfway[j] >= gap {
                self.closed.push(j);
            } else {
                // Open halfway: so near it comes. What is closed has not moved on: it is where it is.
                self.activity[j].gap = self.activity[j].gap.min(gap - self.halfway[j]);
            }
        }
        if self.closed.is_empty() {
            return;
        }
        self.rows.some(&self.closed, &bank.place, &mut self.opened);
        for &j in &self.closed {
            let gap = self.gaps[j] + self.references[j][1];
            self.activity[j].gap = self.activity[j].gap.min(gap - self.opened[j]);
        }
        self.rows.some(&self.closed, &bank.before, &mut self.speeds);
        self.rows.some(&self.closed, &bank.after, &mut self.opened);
        for rigid in self.rigid.iter() {
            let j = rigid.element;
            let [before, now, next] = self.references[j];
            let (speed, free) = (self.speeds[j] - (now - before), self.opened[j] - (next - now));
            self.b[j] = -free - rigid.restitution * speed;
        }
    }

    /// How the elements with force laws would move without forces.
    fn predict(&mut self, bank: &Bank) {
        self.rows.some(&self.soft, &bank.before, &mut self.speeds);
        self.rows.some(&self.soft, &bank.after, &mut self.opened);
        for (k, (path, j)) in self.paths.iter_mut().zip(self.soft.iter()).enumerate() {
            path.x.rotate_left(1);
            path.energy.rotate_left(1);
            self.x[k] = path.x[0];
            self.free[k] = (self.speeds[*j] + self.opened[*j]) - way(&self.references[*j]);
        }
    }

    /// D⁺ −= CᵀF; the force laws then take up what rounding left of σ.
    fn push(&mut self, bank: &mut Bank) {
        self.rows.add_all(-1.0, &self.forces, &mut bank.after);
        if self.newton.multipliers.iter().all(|y| *y == 0.0) {
            return;
        }
        for (k, &j) in self.soft.iter().enumerate() {
            let moved =
                (self.rows.dot(j, &bank.before) + self.rows.dot(j, &bank.after)) - way(&self.references[j]);
            self.miss[k] = self.newton.steps[k] - moved;
        }
        self.newton.correct(&self.miss);
        for (&j, response) in self.soft.iter().zip(&self.newton.response) {
            self.rows.add(j, *response, &mut bank.after);
            self.forces[j] -= response;
        }
    }

    /// The same once more for slow modes: a light push that lasts is less than the last digit of a heavy mass's increment.
    fn push_slow(&mut self, bank: &mut Bank, slow: &mut [Slow]) {
        if slow.is_empty() {
            return;
        }
        self.pushes.fill(0.0);
        self.rows.add_all(-1.0, &self.forces, &mut self.pushes);
        for slow in slow {
            bank.after[slow.mode] = compensation::add(slow.free, self.pushes[slow.mode], &mut slow.rest);
        }
    }

    /// Impulses, the work of rigid contacts and of references, resistive losses, and what a rounding of the rows is
    /// worth.
    fn book(&mut self, bank: &Bank, dt: f64, done: &mut Done) {
        let (q, d, next) = (&bank.place, &bank.before, &bank.after);
        self.closed.retain(|&j| self.forces[j] != 0.0);
        self.rows.some(&self.closed, next, &mut self.opened);
        for &j in &self.closed {
            let (force, way) = (self.forces[j], way(&self.references[j]));
            done.work -= 0.5 * force * ((self.speeds[j] + self.opened[j]) - way);
            done.supplied -= 0.5 * force * way;
            // Against a steady push the increment is a small difference of that push and the impulse's own, G F.
            let pushed = self.lcp.compliance(j, j) * force;
            done.leverage += force * (self.rows.magnitude(j, |i| d[i].abs() + next[i].abs()) + pushed);
        }
        for (path, i) in self.paths.iter().zip(self.interactions.iter()) {
            let j = i.element;
            let force = self.forces[j];
            if force == 0.0 {
                continue;
            }
            done.supplied -= 0.5 * force * way(&self.references[j]);
            match &i.law {
                ForceLaw::Compliant(law, onset) => {
                    let reach = self.rows.magnitude(j, |i| q[i].abs() + d[i].abs() + next[i].abs());
                    let (sigma, mu) = (path.x[2] - path.x[0], 0.5 * law.loss / dt);
                    let end = if path.x[2] <= *onset { 0.0 } else { law.force(path.x[2]).abs() };
                    let largest = force.abs().max(end * (1.0 + mu * sigma.abs()));
                    done.leverage += largest * (reach + i.gap.abs());
                }
                ForceLaw::Resistive(_) => {
                    let moved = (self.rows.dot(j, d) + self.rows.dot(j, next)) - way(&self.references[j]);
                    done.dissipated += 0.5 * force * moved;
                    done.leverage += force.abs() * self.rows.magnitude(j, |i| d[i].abs() + next[i].abs());
                }
            }
        }
        for (activity, force) in self.activity.iter_mut().zip(&self.forces) {
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
        self.paths.iter().zip(self.interactions.iter()).map(dissipated).sum()
    }
}

/// ĥⁿ⁺¹ − ĥⁿ⁻¹.
fn way([before, _, next]: &[f64; 3]) -> f64 {
    next - before
}

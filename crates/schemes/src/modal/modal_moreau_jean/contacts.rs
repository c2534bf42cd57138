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

use super::bank::{MoreauBank, Slow};
use crate::{
    interaction::{ForceLaw, Inputs, Interaction},
    modal::{
        closing::Closing,
        eights::zeros,
        element_forces::{ElementForces, Rigid},
        reach::{self, Reach},
        rows::Rows,
    },
};
use hamiltone_core::{
    element::LossLaw,
    ledger::Effort,
    row::Row,
    state::Archive,
    stepper::{Activity, Gaps},
    system::System,
};
use hamiltone_numerics::{aligned::Aligned, compensation, lcp::Method};
use std::sync::Arc;

#[derive(Clone)]
pub(super) struct MoreauContacts {
    rows: Rows,
    /// h of all elements.
    gaps: Arc<[f64]>,
    /// e of all; 0 of those with force laws.
    restitutions: Arc<[f64]>,
    /// When each rigid contact can matter.
    reach: Reach,
    closing: Closing,
    /// What the modes stored before the step; NaN where that is not known.
    before: f64,
    /// The forces of all elements: x and σ of those with force laws are over two steps.
    solved: ElementForces,
    inputs: Arc<Inputs>,
    /// c·z of all elements, z halfway; after the step c·q of those with force laws.
    halfway: Vec<f64>,
    /// c·d before the step and after, or the like, of the closed ones and those with force laws.
    speeds: Vec<f64>,
    opened: Vec<f64>,
    /// −CᵀF.
    pushes: Aligned,
    /// What the step as made misses σ by, of those with force laws.
    miss: Vec<f64>,
    /// c·q − h − ĥ of those with force laws at n − 1, n and n + 1, and V there.
    paths: Vec<Path>,
    /// ĥ of all elements at n − 1, n and n + 1.
    references: Vec<[f64; 3]>,
    /// Σ½(V(xⁿ) + V(xⁿ⁺¹)), J.
    pub stored: f64,
    activity: Vec<Activity>,
    /// Whether c·d of those with force laws is in `opened`, d being the increment before the step that comes.
    is_read: bool,
    any_force: bool,
}

#[derive(Clone, Copy, Debug, Default)]
struct Path {
    x: [f64; 3],
    energy: [f64; 3],
}

/// What elements did in a step.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct MoreauDone {
    pub any_force: bool,
    pub work: f64,
    pub dissipated: f64,
    pub supplied: f64,
    pub leverage: f64,
    pub effort: Effort,
}

impl MoreauContacts {
    /// The elements of `system`, rows scaled by `scale`; p of the modes, of which Σ pd² is at most twice what they store, is `inertia`.
    pub fn new(
        system: &System,
        interactions: Vec<Interaction>,
        (scale, inertia): (&[f64], &[f64]),
        method: Method,
    ) -> Self {
        let p = system.elements.len();
        let elements: Vec<&Row> = system.elements.iter().map(|element| element.row()).collect();
        let mut rows = Rows::new(&elements, scale);
        let (count, inputs, rigid) = (interactions.len(), Inputs::of(system), Rigid::of(system));
        let gaps: Vec<f64> = system.elements.iter().map(|element| element.gap).collect();
        let mut restitutions = vec![0.0; p];
        rigid.iter().for_each(|rigid| restitutions[rigid.element] = rigid.restitution);
        // |c·(z⁺ − z)| = |c·(3d⁺ − d)|/2 ≤ 2w√E with E the larger of both energies.
        let moved = inputs.moved(p);
        let width = |contact: &Rigid| match moved[contact.element] {
            true => f64::INFINITY,
            false => (2.0 * reach::square(elements[contact.element], scale, inertia)).sqrt(),
        };
        Self {
            restitutions: restitutions.into(),
            reach: Reach::new(rigid.iter().map(width).collect()),
            closing: Closing::new(&rigid, &gaps),
            before: f64::NAN,
            is_read: false,
            any_force: false,
            solved: ElementForces::new(rows.compliance(scale.len()), interactions, method),
            pushes: zeros(scale.len()),
            gaps: gaps.into(),
            halfway: vec![0.0; p],
            speeds: vec![0.0; p],
            opened: vec![0.0; p],
            miss: vec![0.0; count],
            paths: vec![Path::default(); count],
            references: vec![[0.0; 3]; p],
            stored: 0.0,
            activity: vec![Activity::NONE; p],
            inputs: Arc::new(inputs),
            rows,
        }
    }

    /// Whether there are force laws.
    pub fn any_force_law(&self) -> bool {
        !self.solved.interactions.is_empty()
    }

    /// The forces of all elements in the last step, N.
    pub fn forces(&self) -> &[f64] {
        &self.solved.forces
    }

    /// Nothing has happened yet: the bank stands at its start, the inputs have these values.
    pub fn reset(&mut self, place: &[f64], after: &[f64], input: &[f64]) {
        self.rest();
        self.forget();
        self.reach.restart();
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
        // What the bounds know of open contacts goes into the archive by the activity: bounds begin anew when it is read.
        self.closing.take_gaps(&self.reach, &mut self.activity);
        Activity::archive(&mut self.activity, archive);
        if archive.reads() {
            self.forget();
            self.reach.restart();
            // What is no part of the state must be read again.
            (self.is_read, self.any_force) = (false, true);
        }
    }

    /// Nothing is known of where contacts are.
    fn forget(&mut self) {
        self.reach.forget();
        self.before = f64::NAN;
    }

    /// The increments of the bank have been changed between two steps.
    pub fn disturb(&mut self, bank: &MoreauBank) {
        self.forget();
        self.store(&bank.place, &bank.after);
    }

    /// What elements did since this was last asked.
    pub fn take_activity(&mut self, activity: &mut [Activity]) {
        self.closing.take_activity(&mut self.reach, &mut self.activity, activity);
    }

    /// From now on these least gaps are asked for.
    pub fn ask_for(&mut self, gaps: Gaps) {
        if self.reach.ask_for(gaps) {
            self.activity.iter_mut().for_each(|activity| activity.gap = f64::INFINITY);
        }
    }

    /// A step has ended with this energy of the modes, J.
    pub fn advance(&mut self, stored: f64) {
        self.reach.advance(stored.max(self.before));
        self.before = stored;
    }

    /// No element acts.
    fn rest(&mut self) {
        // Once behind the last step in which elements acted, not in each that follows.
        if std::mem::take(&mut self.any_force) {
            self.solved.forces.fill(0.0);
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
        self.solved.read_controls(&self.inputs.controls, |k| input[self.inputs.count + k]);
        if !self.inputs.motions.is_empty() {
            let references = &self.references;
            self.closing.move_to(|j| self.gaps[j] + 0.5 * (references[j][1] + references[j][2]));
        }
    }

    /// Penetrations and energies at n + 1.
    fn store(&mut self, place: &[f64], after: &[f64]) {
        self.rows.some(&self.solved.soft, after, &mut self.opened);
        self.store_opened(place);
    }

    /// The same where c·d⁺ is known.
    fn store_opened(&mut self, place: &[f64]) {
        (self.stored, self.is_read) = (0.0, true);
        let is_watched = self.reach.is_watched();
        self.rows.some(&self.solved.soft, place, &mut self.halfway);
        for (path, i) in self.paths.iter_mut().zip(self.solved.interactions.iter()) {
            let j = i.element;
            path.x[2] = (self.halfway[j] + self.opened[j]) - i.gap - self.references[j][2];
            if is_watched && matches!(i.law, ForceLaw::Compliant(..)) {
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
        for (k, (path, i)) in self.paths.iter().zip(self.solved.interactions.iter()).enumerate() {
            let force = match &i.law {
                ForceLaw::Compliant(law, onset) if path.x[1] > *onset => {
                    law.lossy_force(path.x[1], speed(i.element))
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

    /// Finds the closed rigid contacts of the step that begins, and answers whether [`MoreauContacts::act`] is to follow the bank's step.
    pub fn look(&mut self, bank: &mut MoreauBank) -> bool {
        self.solved.closed.clear();
        if self.before.is_nan() {
            self.before = bank.stored();
        }
        if !self.reach.none_due() {
            if self.closing.take(&self.reach, &self.rows) {
                bank.meet();
                let read = (&bank.halfway[..], &mut self.halfway[..]);
                self.closing.find(&mut self.reach, &mut self.rows, read, &mut self.solved.closed);
            }
            // Contacts that were due have been set anew, closed or not.
            self.reach.settle();
        }
        let acted = self.any_force_law() || !self.solved.closed.is_empty();
        if !acted {
            self.rest();
        }
        acted
    }

    /// Lets the elements act on the free increment `after` of the bank.
    pub fn act(&mut self, bank: &mut MoreauBank, slow: &mut [Slow], dt: f64) -> MoreauDone {
        let mut done = MoreauDone::default();
        self.predict(bank);
        self.approach(bank);
        let (rows, before, after) = (&self.rows, &bank.before, &bank.after);
        let size = |j: usize| rows.magnitude(j, [before, after]);
        // Laws act over both steps from n − 1 to n + 1.
        done.effort = self.solved.solve(2.0 * dt, size);
        done.any_force = self.solved.forces.iter().any(|f| *f != 0.0);
        self.any_force = true;
        if done.any_force {
            self.push(bank);
            self.push_slow(bank, slow);
            self.store(&bank.place, &bank.after);
            // Rows of closed contacts may be read together with those of force laws, and are rounded otherwise then.
            self.is_read = self.solved.closed.is_empty();
            self.book(bank, dt, &mut done);
        } else {
            // Without forces the increment is the free one, of which the rows are known.
            self.store_opened(&bank.place);
            self.is_read = self.solved.closed.is_empty();
        }
        if !self.solved.interactions.is_empty() {
            done.dissipated += self.dissipated(dt);
        }
        done
    }

    /// What the closed contacts would miss.
    fn approach(&mut self, bank: &MoreauBank) {
        let Self { solved, rows, gaps, references, halfway, speeds, opened, activity, reach, .. } = self;
        if solved.closed.is_empty() {
            return;
        }
        rows.some(&solved.closed, &bank.place, halfway);
        for &j in solved.closed.iter().filter(|_| reach.is_watched()) {
            activity[j].gap = activity[j].gap.min(gaps[j] + references[j][1] - halfway[j]);
        }
        // Increments relative to the references: a moving obstacle pushes a body that stands still.
        rows.some(&solved.closed, &bank.before, speeds);
        rows.some(&solved.closed, &bank.after, opened);
        for &j in &solved.closed {
            let [before, now, next] = references[j];
            let (speed, free) = (speeds[j] - (now - before), opened[j] - (next - now));
            solved.b[j] = -free - self.restitutions[j] * speed;
        }
    }

    /// How the elements with force laws would move without forces.
    fn predict(&mut self, bank: &MoreauBank) {
        if self.is_read {
            self.solved.soft.iter().for_each(|&j| self.speeds[j] = self.opened[j]);
        } else {
            self.rows.some(&self.solved.soft, &bank.before, &mut self.speeds);
        }
        self.rows.some(&self.solved.soft, &bank.after, &mut self.opened);
        for (k, (path, j)) in self.paths.iter_mut().zip(self.solved.soft.iter()).enumerate() {
            // What was n + 1 in the step before is n in this one; `store` writes the new n + 1.
            path.x.rotate_left(1);
            path.energy.rotate_left(1);
            self.solved.x[k] = path.x[0];
            self.solved.free[k] = (self.speeds[*j] + self.opened[*j]) - way(&self.references[*j]);
        }
    }

    /// D⁺ −= CᵀF; the force laws then take up what rounding left of σ.
    fn push(&mut self, bank: &mut MoreauBank) {
        self.rows.add_all(-1.0, &self.solved.forces, &mut bank.after);
        if !self.solved.any_compliant() {
            return;
        }
        for (k, &j) in self.solved.soft.iter().enumerate() {
            let moved = (self.speeds[j] + self.rows.dot(j, &bank.after)) - way(&self.references[j]);
            self.miss[k] = self.solved.steps()[k] - moved;
        }
        let Self { solved, rows, miss, .. } = self;
        solved.correct(miss, |j, response| rows.add(j, response, &mut bank.after));
    }

    /// The same once more for slow modes: a light push that lasts is less than the last digit of a heavy mass's increment.
    fn push_slow(&mut self, bank: &mut MoreauBank, slow: &mut [Slow]) {
        if slow.is_empty() {
            return;
        }
        self.pushes.fill(0.0);
        // On the increment as it was before the forces, so that both are summed with one remainder.
        self.rows.add_all(-1.0, &self.solved.forces, &mut self.pushes);
        for slow in slow {
            bank.after[slow.mode] = compensation::add(slow.free, self.pushes[slow.mode], &mut slow.rest);
        }
    }

    /// Impulses, the work of rigid contacts and of references, resistive losses, and what a rounding of the rows is
    /// worth.
    fn book(&mut self, bank: &MoreauBank, dt: f64, done: &mut MoreauDone) {
        let (q, d, next) = (&bank.place, &bank.before, &bank.after);
        self.solved.closed.retain(|&j| self.solved.forces[j] != 0.0);
        // A closed contact that does not push does no work: it need not be read.
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
                    let moved = (self.speeds[j] + self.opened[j]) - way(&self.references[j]);
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
        let dissipated = |(path, i): (&Path, &Interaction)| {
            let ForceLaw::Compliant(law, _) = &i.law else { return 0.0 };
            let [from, _, to] = path.x;
            match law.loss_law {
                // D σ is known as the difference of the energies.
                LossLaw::Rate => {
                    0.5 * (0.5 * law.loss / dt) * (path.energy[2] - path.energy[0]) * (to - from)
                }
                LossLaw::Relaxation if law.loss == 0.0 => 0.0,
                LossLaw::Relaxation => {
                    let j = i.element;
                    let moved = (self.speeds[j] + self.opened[j]) - way(&self.references[j]);
                    0.5 * i.relaxed((from, to), moved, self.solved.forces[j])
                }
            }
        };
        self.paths.iter().zip(self.solved.interactions.iter()).map(dissipated).sum()
    }
}

/// ĥⁿ⁺¹ − ĥⁿ⁻¹.
fn way([before, _, next]: &[f64; 3]) -> f64 {
    next - before
}

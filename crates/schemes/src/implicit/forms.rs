//! Forms ([`hamiltone_core::form`]) in an implicit step: the quotient of differences of V = ½ψ² + aψ, a = e + h·q.
//!
//! ψ is quadratic in q and a linear, so that with the means of both ends of a step, ψ̄ = (ψ + ψ⁺)/2, ā and q̄ = q + s/2,
//!
//!   ψ⁺ − ψ = ḡ·s,   ḡ = Bq̄ + l,   V⁺ − V = T ḡ·s + ψ̄ h·s + ψ̄ Δe,   T = ψ̄ + ā
//!
//! exactly: the force −(Tḡ + ψ̄h) takes from the motion what V gains, but for ψ̄Δe, which the strain supplies. It is of order 2 and
//! symmetric in time, as the step is. With e, w and A of [`super`] it enters as
//!
//!   A e = … − p(e) − Cᵀy,   p = λΣ(Tḡ + ψ̄h)
//!
//! which `form_step.rs` solves. Of a coordinate of h a part of its stiffness is in V: (λ/2) h·A⁻¹h < 1, as where
//! K − Σhhᵀ is not negative, leaves a step its solution where no tension is negative.

mod one;

use super::constants::ImplicitConstants;
use crate::{contact_solver::ContactSolver, interaction::Interaction};
use hamiltone_core::{
    input::Action,
    ledger::Ledger,
    refusal::Refusal,
    state::Archive,
    system::{Quantity, System},
};
use hamiltone_numerics::{gmres::Gmres, woodbury::UpdatedBand};
use one::{FormState, Step, StepForm};
use std::sync::Arc;

/// The most products that a step of Newton takes, and the part of d that may be left: the next turn takes that.
const ROUNDS: usize = 30;
const LEFT: f64 = 1e-6;

/// What p may miss: this many roundings of what it is added up from.
const FLOOR: f64 = 2.0 * f64::EPSILON;

/// The forms of a system with the memory of a step; all of it is empty where there are none.
#[derive(Clone)]
pub(super) struct Forms {
    forms: Arc<[StepForm]>,
    /// Σu of the inputs that strain each: (input, form, s).
    strains: Arc<[(usize, usize, f64)]>,
    inputs: usize,
    /// 1/Aᵢᵢ.
    weights: Arc<[f64]>,
    lambda: f64,
    /// e at the start of the step, and Δe.
    strain: Vec<f64>,
    shift: Vec<f64>,
    states: Vec<FormState>,
    /// Whether p is in the equations of the step.
    acting: bool,
    /// e without forms and elements.
    free: Vec<f64>,
    /// p as it acts, as it is at e, and the rounding of that over eps.
    push: Vec<f64>,
    next: Vec<f64>,
    size: Vec<f64>,
    /// p before a step of Newton, and what the step takes from it.
    start: Vec<f64>,
    change: Vec<f64>,
    gmres: Gmres,
    answer: Vec<f64>,
    /// A number for each interaction.
    ways: Vec<f64>,
}

impl Forms {
    /// Those of the system, for these constants and the matrix A that they were made with.
    pub fn new(c: &ImplicitConstants, matrix: &UpdatedBand) -> Self {
        let system = &*c.system;
        let forms: Arc<[StepForm]> = system.forms.iter().map(StepForm::new).collect();
        let n = if forms.is_empty() { 0 } else { system.size() };
        let mut strains = Vec::new();
        for (k, input) in system.inputs.iter().enumerate() {
            if let Action::Strain(strained) = &input.action {
                strains.extend(strained.clone().map(|j| (k, j, system.forms[j].stretch)));
            }
        }
        let (each, zeros) = (|| vec![0.0; system.forms.len()], || vec![0.0; n]);
        Self {
            strains: strains.into(),
            inputs: system.inputs.len(),
            weights: (0..n).map(|i| 1.0 / matrix.diagonal(i)).collect(),
            lambda: 0.5 * c.dt2,
            strain: each(),
            shift: each(),
            states: forms.iter().map(StepForm::state).collect(),
            acting: false,
            free: zeros(),
            push: zeros(),
            next: zeros(),
            size: zeros(),
            start: zeros(),
            change: zeros(),
            gmres: if n > 0 { Gmres::new(n, ROUNDS) } else { Gmres::default() },
            answer: zeros(),
            ways: vec![0.0; if n > 0 { c.interactions.len() } else { 0 }],
            forms,
        }
    }

    /// Refuses coordinates that strain a form and are not stiff enough for what they strain.
    pub fn refuse(&self, scheme: &'static str, c: &ImplicitConstants) -> Result<(), Refusal> {
        for (form, own) in c.system.forms.iter().zip(&*self.forms) {
            let Some(column) = own.straining(c.system.size()) else { continue };
            let mut answer = column.clone();
            c.solve(&mut answer);
            let taken: f64 = column.iter().zip(&answer).map(|(h, x)| h * x).sum();
            if 0.5 * self.lambda * taken >= 1.0 {
                let what = format!(
                    "the form `{}`, whose strain is not held by the stiffness of what strains it",
                    form.name
                );
                return Err(Refusal::NotCovered { scheme, what: vec![what] });
            }
        }
        Ok(())
    }

    /// Whether there are none.
    pub fn none(&self) -> bool {
        self.forms.is_empty()
    }

    /// Whether p is in the equations of the step.
    pub fn acting(&self) -> bool {
        self.acting
    }

    /// Strains as inputs of these values leave them, not moving.
    pub fn reset(&mut self, input: &[f64]) {
        self.strain.fill(0.0);
        self.shift.fill(0.0);
        self.strains.iter().for_each(|&(k, form, stretch)| self.strain[form] += stretch * input[k]);
    }

    /// Moves strains to the step that begins: `input` holds the values at both its ends.
    pub fn read_inputs(&mut self, input: &[f64]) {
        self.reset(input);
        let (start, end) = input.split_at(self.inputs);
        for &(k, form, stretch) in &*self.strains {
            self.shift[form] += stretch * (end[k] - start[k]);
        }
        self.acting = false;
    }

    /// What the next step depends on besides positions and velocities, for the energy before it: e.
    pub fn archive(&mut self, archive: &mut Archive) {
        for (strain, shift) in self.strain.iter_mut().zip(&mut self.shift) {
            let mut now = *strain + *shift;
            archive.number(&mut now);
            if archive.reads() {
                (*strain, *shift) = (now, 0.0);
            }
        }
    }

    /// Σ(½ψ² + aψ) at q, J.
    pub fn stored(&self, q: &[f64]) -> f64 {
        let strains = self.strain.iter().zip(&self.shift);
        let energy = |(form, (strain, shift)): (&StepForm, (&f64, &f64))| {
            let value = form.value(q).0;
            (0.5 * value + (strain + shift) + form.lengthening(q)) * value
        };
        self.forms.iter().zip(strains).map(energy).sum()
    }

    /// What the step did through strains, and what a rounding of the positions is worth over eps.
    pub fn book(&self, ledger: &mut Ledger) {
        for (state, shift) in self.states.iter().zip(&self.shift) {
            ledger.supplied += state.mean * shift;
            ledger.leverage += state.tension.abs() * state.size + state.mean.abs() * state.lengthening_size;
        }
    }

    /// Overwrites the outputs that are tensions.
    pub fn read_tensions(&self, system: &System, q: &[f64], output: &mut [f64]) {
        for (named, out) in system.outputs.iter().zip(output) {
            if let Quantity::Tension(weights, row) = &named.quantity {
                let strained = |j: usize| self.forms[j].value(q).0 + (self.strain[j] + self.shift[j]);
                *out = weights.sum(|j, a| a * strained(j)) + row.dot(q);
            }
        }
    }

    /// p at a step of s from q at the velocities w = Δt v/2, into `next`.
    pub fn meet(&mut self, (q, w, s): (&[f64], &[f64], &[f64])) {
        let Self { forms, states, strain, shift, next, size, lambda, .. } = self;
        next.fill(0.0);
        size.fill(0.0);
        for ((form, state), (strain, shift)) in forms.iter().zip(states).zip(strain.iter().zip(&*shift)) {
            form.meet(Step { q, w, s }, strain + 0.5 * shift, state);
            form.add_push(*lambda, state, next, size);
        }
    }

    /// x −= p at a step of s, where it acts.
    pub fn subtract_push(&mut self, step: (&[f64], &[f64], &[f64]), x: &mut [f64]) {
        if self.acting {
            self.meet(step);
            x.iter_mut().zip(&self.next).for_each(|(x, p)| *x -= p);
        }
    }

    /// A step begins at q, whose increment without forms and elements is e.
    pub fn begin(&mut self, q: &[f64], e: &[f64]) {
        self.acting = true;
        self.forms.iter().zip(&mut self.states).for_each(|(form, state)| form.begin(q, state));
        self.free.copy_from_slice(e);
        self.push.fill(0.0);
    }

    /// ‖d‖, and over its rounding.
    pub fn missed(&self) -> (f64, f64) {
        let (mut missed, mut rounding) = (0.0, f64::MIN_POSITIVE);
        let sizes = self.size.iter().zip(&*self.weights);
        for ((p, next), (size, weight)) in self.push.iter().zip(&self.next).zip(sizes) {
            missed += (p - next) * (p - next) * weight;
            rounding += size * size * weight;
        }
        (missed.sqrt(), (missed / rounding).sqrt() / FLOOR)
    }

    /// d into `change`, from where p is.
    pub fn aim(&mut self) {
        let Self { push, next, start, change, .. } = self;
        start.copy_from_slice(push);
        change.iter_mut().zip(push.iter().zip(&*next)).for_each(|(d, (p, next))| *d = p - next);
    }

    /// p goes this part of a step of Newton from where it was, and the increment e without elements with it.
    pub fn increment(&mut self, part: f64, e: &mut [f64], solve: impl Fn(&mut [f64])) {
        let Self { push, start, change, free, answer, .. } = self;
        for (p, (start, change)) in push.iter_mut().zip(start.iter().zip(&*change)) {
            *p = start - part * change;
        }
        answer.copy_from_slice(push);
        solve(answer);
        for (e, (free, answer)) in e.iter_mut().zip(free.iter().zip(&*answer)) {
            *e = free - answer;
        }
    }

    /// What a correction misses, `rhs` and what `contacts` add to it, is d.
    pub fn answer(&mut self, rhs: &[f64], contacts: impl FnOnce(&mut [f64])) {
        let Self { start, change, .. } = self;
        change.copy_from_slice(rhs);
        contacts(change);
        start.copy_from_slice(change);
    }

    /// Leaves u of d in `rhs`, what contacts add to it apart.
    pub fn answered(&self, rhs: &mut [f64]) {
        for (x, (change, start)) in rhs.iter_mut().zip(self.change.iter().zip(&self.start)) {
            *x += change - start;
        }
    }

    /// `change`, which is d, becomes u; `solve` is A⁻¹.
    pub fn newton(
        &mut self,
        contacts: &mut ContactSolver,
        interactions: &[Interaction],
        any_force: bool,
        solve: impl Fn(&mut [f64]),
    ) {
        let Self { forms, states, lambda, weights, change, gmres, answer, ways, .. } = self;
        gmres.solve(weights, LEFT, change, |v, y| {
            answer.copy_from_slice(v);
            match any_force {
                true => contacts.apply(interactions, ways, answer, &solve),
                false => solve(answer),
            }
            y.copy_from_slice(v);
            for (form, state) in forms.iter().zip(&*states) {
                form.add_slope(0.5 * *lambda, state, answer, y);
            }
        });
    }
}

//! The implicit step: see [`super`] for its equations.

use super::{
    constants::{ImplicitConstants, STIFF},
    kernel::{Kernel, Motion, Scratch},
    method::Method,
    rule::base,
};
use crate::{
    exact_damping, impulse,
    interaction::{ForceLaw, Interaction},
    linear,
};
use fearless_simd::{Simd, dispatch};
use hamiltone_core::{
    instant::Moment,
    ledger::{Effort, Fault, Ledger},
    refusal::Refusal,
    state::{self, Archive, State},
    stepper::{Activity, Change, Stepper},
    system::System,
};
use hamiltone_numerics::{compensation, lanes};
use std::sync::Arc;

/// A system in motion under a method of the family: what is constant, and what is not.
#[derive(Clone)]
pub(super) struct Implicit {
    constants: Arc<ImplicitConstants>,
    kernel: Kernel,
}

impl Implicit {
    pub fn new(method: Method, system: &Arc<System>, dt: f64) -> Result<Self, Refusal> {
        if method.impacts.is_some() {
            // Refused before anything large is factored or allocated.
            crate::contact::few_enough(method.name, system, system.size())?;
        }
        let (constants, matrix) = ImplicitConstants::new(method, system, dt)?;
        crate::contact_solver::few_enough(method.name, &matrix, &constants.interactions)?;
        let kernel = Kernel::new(method, &constants, &matrix);
        kernel.forms.refuse(method.name, &constants)?;
        let mut stepper = Self { constants: Arc::new(constants), kernel };
        stepper.state(State::Start(&state::Motion::initial(system), &vec![0.0; system.inputs.len()]));
        Ok(stepper)
    }
}

impl Kernel {
    /// Moves references and controls to the end of the step.
    fn read_inputs(&mut self, c: &ImplicitConstants, input: &[f64]) {
        let t = &mut self.scratch;
        // Gaps and controls are then constant, and `shift` stays 0.
        if !c.inputs.act_on_elements() {
            return;
        }
        c.gaps(&input[c.inputs.count..], &mut t.next_gaps);
        for ((shift, next), gap) in t.shift.iter_mut().zip(&t.next_gaps).zip(&self.state.gaps) {
            *shift = next - gap;
        }
        c.controls(input, &mut t.controls);
        self.rigid.move_references(input);
    }

    /// w times these factors of exact damping; returns what w·Mw lost.
    fn damp(&mut self, c: &ImplicitConstants, factors: &[f64]) -> f64 {
        if factors.is_empty() {
            return 0.0;
        }
        let (mass, w) = (&c.system.mass, &mut self.state.w);
        dispatch!(c.level, simd => {
            simd.vectorize(#[inline(always)] || exact_damping::apply(factors, mass, w))
        })
    }

    /// e without contacts.
    fn free_increment(&mut self, c: &ImplicitConstants, input: &[f64]) {
        if let Some(few) = &c.few {
            let (Motion { q, w, .. }, e) = (&self.state, &mut self.scratch.e);
            c.load_forces(input, e);
            return few.increment((c.twice, c.dt, c.dt2), q, w, e);
        }
        let Motion { q, w, .. } = &self.state;
        let Scratch { e, rhs, s, .. } = &mut self.scratch;
        c.load_forces(input, rhs);
        for (s, (q, w)) in s.iter_mut().zip(q.iter().zip(w.iter())) {
            *s = q + c.twice * w;
        }
        c.linear.add(-0.5 * c.dt2, s, -c.dt, w, rhs);
        c.solve(rhs);
        // The solution lies in `rhs`; a swap of the vectors copies nothing.
        std::mem::swap(e, rhs);
        // The correction of the step is to start from what is known to a few digits.
        for _ in 1..c.corrections {
            self.correct_free(c, input);
        }
    }

    /// The elements with force laws alone.
    pub(super) fn force_law_increment(&mut self, c: &ImplicitConstants) -> Effort {
        if self.separated(c) {
            self.state.separated = true;
            self.scratch.any_force = false;
            // In a later turn of `elements.rs` the forces of the turn before are still there.
            c.interactions.iter().for_each(|i| self.state.forces[i.element] = 0.0);
            return Effort::default();
        }
        self.state.separated = false;
        self.free_ways(c);
        let Scratch { e, x, free, controls, .. } = &mut self.scratch;
        let (x, controls) = (&*x, &*controls);
        let outcome = self.solver.solve(x, free, e, |j, sigma| {
            force(c, &c.interactions[j].law, x[j], c.twice * sigma, controls[j])
        });
        self.scratch.any_force = self.solver.any_force();
        if self.scratch.any_force {
            self.correct_increment(c);
        }
        self.read_forces(c);
        let fault = (outcome.excess > 1.0).then_some(Fault::NotConverged(outcome.excess));
        Effort { iterations: outcome.iterations, fault }
    }

    /// x, and σ/2θ without the forces of the force laws, for the increment e.
    pub(super) fn free_ways(&mut self, c: &ImplicitConstants) {
        let Motion { q, w, gaps, .. } = &self.state;
        let Scratch { e, x, free, shift, .. } = &mut self.scratch;
        for (j, i) in c.interactions.iter().enumerate() {
            x[j] = i.row.dot(q) - gaps[j];
            // C w and C e apart: their sum per coordinate would round e, which is relative to what changed.
            free[j] = (2.0 / c.twice * i.row.dot(w) + i.row.dot(e)) - shift[j] / c.twice;
        }
    }

    /// f = y/λ.
    pub(super) fn read_forces(&mut self, c: &ImplicitConstants) {
        for (i, y) in c.interactions.iter().zip(self.solver.multipliers()) {
            self.state.forces[i.element] = y / (0.5 * c.dt2);
        }
    }

    /// Whether no interaction exerts a force, neither now nor at the end of the step without forces.
    fn separated(&self, c: &ImplicitConstants) -> bool {
        let (Motion { q, w, gaps, .. }, t) = (&self.state, &self.scratch);
        c.separation.holds(c.level, (q, w, &t.e), c.twice, |j| {
            let i = &c.interactions[j];
            let sigma = (2.0 * i.row.dot(w) + c.twice * i.row.dot(&t.e)) - t.shift[j];
            i.separated(i.row.dot(q) - gaps[j], sigma)
        })
    }

    pub(super) fn correct_increment(&mut self, c: &ImplicitConstants) {
        let w = &self.state.w;
        let Scratch { e, free, shift, .. } = &mut self.scratch;
        for (((miss, i), sigma), shift) in
            free.iter_mut().zip(&c.interactions).zip(self.solver.steps()).zip(&*shift)
        {
            *miss = sigma - ((2.0 / c.twice * i.row.dot(w) + i.row.dot(e)) - shift / c.twice);
        }
        self.solver.correct_increment(free, e);
    }

    /// How often the step is corrected: as its springs ask for, or once where a force law is as stiff, or where contacts are solved inside
    /// the band: each of those solves leaves eps·|A + CᵀDC||δ| with the slopes that it had, which may be far larger than the last.
    fn corrections(&self, c: &ImplicitConstants) -> u32 {
        let slopes = self.solver.slopes().iter().zip(&c.mobilities);
        let stiff = |(slope, mobility): (&f64, &f64)| slope * mobility > STIFF;
        // Springs that are stiff at any motion fix the number; the slopes of force laws change with each step.
        match c.corrections {
            0 => u32::from(self.scratch.any_force && (self.solver.inside() || slopes.into_iter().any(stiff))),
            always => always,
        }
    }

    /// The step to the end: w, s and q, rounded; Σq and Σ|w|, which are finite where all are, and s·Rs where it costs nothing.
    fn step_rounded(&mut self, c: &ImplicitConstants) -> ((f64, f64), Option<f64>) {
        dispatch!(c.level, simd => simd.vectorize(#[inline(always)] || self.move_velocities(c)));
        if let Some(few) = &c.few {
            let Motion { q, w, q_remainder, .. } = &mut self.state;
            let (sizes, damped) = few.advance(w, &self.scratch.s, q, q_remainder);
            return (sizes, Some(damped));
        }
        (dispatch!(c.level, simd => simd.vectorize(#[inline(always)] || self.move_positions())), None)
    }

    /// w and s at the end of the step, and e as the rounded w moves.
    #[inline(always)]
    fn move_velocities(&mut self, c: &ImplicitConstants) {
        let Scratch { s, e, .. } = &mut self.scratch;
        let Motion { w, w_remainder, .. } = &mut self.state;
        let states = w.iter_mut().zip(w_remainder.iter_mut());
        for ((s, e), (w, remainder)) in s.iter_mut().zip(e.iter_mut()).zip(states) {
            // s from the rounded w, so that the kinetic energies of the balance are those of the stored velocities.
            let next = compensation::add(*w, *e, remainder);
            (*e, *s) = (next - *w, (*w + next) + (c.twice - 1.0) * (next - *w));
            *w = next;
        }
    }

    /// q at the end of the step; Σq and Σ|w|.
    #[inline(always)]
    fn move_positions(&mut self) -> (f64, f64) {
        let Motion { q, w, q_remainder, .. } = &mut self.state;
        for ((q, s), remainder) in q.iter_mut().zip(self.scratch.s.iter()).zip(q_remainder.iter_mut()) {
            *q = compensation::add(*q, *s, remainder);
        }
        (lanes::sum_of([q], |[q]| q), lanes::sum_of([w], |[w]| w.abs()))
    }

    /// What each element did in the step.
    fn record_activity(&mut self, c: &ImplicitConstants) {
        // All elements have the impulse F Δt; the gap of rigid ones was recorded by `close`.
        for (j, force) in self.state.forces.iter().enumerate() {
            self.rigid.record(j, force * c.dt, f64::INFINITY);
        }
        for (i, gap) in c.interactions.iter().zip(&self.state.gaps) {
            if let ForceLaw::Compliant(..) = i.law {
                self.rigid.record(i.element, 0.0, gap - i.row.dot(&self.state.q));
            }
        }
    }

    /// One step; see [`Stepper::step`].
    fn step(&mut self, c: &ImplicitConstants, input: &[f64]) -> Ledger {
        let mut ledger = Ledger::default();
        // ½v·Mv = (2/Δt²) w·Mw
        let joule = 2.0 / c.dt2;
        ledger.dissipated += joule * self.damp(c, &c.before);
        self.scratch.any_force = false;
        self.rigid.open_all();
        self.read_inputs(c, input);
        let has_forms = !self.forms.none();
        if has_forms {
            self.forms.read_inputs(input);
        }
        self.free_increment(c, input);
        if has_forms {
            ledger.effort = self.form_increment(c, input);
        } else if !self.state.forces.is_empty() {
            ledger.effort = self.element_increment(c, input);
        }
        let ((size, speed), damped) = match self.corrections(c) {
            0 => self.step_rounded(c),
            corrections => (self.step_corrected(c, input, corrections), None),
        };
        // Speeds in m/s: an overflow in either sum, and a NaN in any coordinate, makes this non-finite.
        if !(size + 2.0 / c.dt * speed).is_finite() {
            ledger.effort.fault = Some(Fault::NonFinite);
        }
        if c.inputs.act_on_elements() {
            // Before the books, which take x and V at the end of the step.
            self.state.gaps.copy_from_slice(&self.scratch.next_gaps);
        }
        ledger.supplied += c.supplied(input, &self.scratch.s);
        if !self.state.separated {
            self.book_interactions(c, &mut ledger);
        }
        if has_forms {
            self.forms.book(&mut ledger);
        }
        // `rhs` is free here, and serves as scratch.
        if linear::leverage_is_due(&mut self.state.clock) {
            ledger.leverage += c.linear.leverage(&self.state.q, &mut self.scratch.rhs);
        }
        if self.rigid.any() {
            self.record_activity(c);
        }
        ledger.dissipated += joule * self.damp(c, &c.after);
        let damped = damped.unwrap_or_else(|| c.linear.dissipated(&self.scratch.s));
        ledger.dissipated += c.dissipated(damped);
        self.book_rigid_and_theta(c, &mut ledger);
        ledger
    }

    /// Every number that the next step depends on.
    fn archive(&mut self, archive: &mut Archive) {
        let Motion { q, w, w_remainder, q_remainder, gaps, forces, separated, clock } = &mut self.state;
        [q, w, w_remainder, q_remainder].into_iter().for_each(|x| archive.numbers(x));
        [gaps, forces].into_iter().for_each(|x| archive.numbers(x));
        archive.flag(separated);
        archive.count(clock);
        self.forms.archive(archive);
        self.rigid.archive(archive);
    }
}

/// y and ∂y/∂σ′ of a force law, y = λf and σ = 2θσ′, at a step of σ from the penetration x.
#[inline]
pub(super) fn force(c: &ImplicitConstants, law: &ForceLaw, x: f64, sigma: f64, control: f64) -> (f64, f64) {
    let lambda = 0.5 * c.dt2;
    match law {
        ForceLaw::Compliant(_, onset) if x <= *onset && x + sigma <= *onset => (0.0, 0.0),
        ForceLaw::Compliant(law, _) => {
            // The loss is always by the quotient, whatever the rule, so that it dissipates (μ/Δt)·ΔV·σ ≥ 0.
            let (f, slope) = base(c.rule, law, x, sigma);
            if law.loss == 0.0 {
                return (lambda * f, lambda * c.twice * slope);
            }
            let (part, bend) = law.loss_part(x, sigma, c.dt, (f, slope));
            (lambda * (f + part), lambda * c.twice * (slope + bend))
        }
        ForceLaw::Resistive(law) => {
            let (f, slope) = law.force(sigma / c.dt, control);
            // A falling characteristic has no place in Newton's symmetric matrix; without it the iteration is Picard's.
            (lambda * f, lambda * c.twice * (slope.max(0.0) / c.dt))
        }
    }
}

/// x −= Cᵀy.
pub(super) fn subtract_forces(interactions: &[Interaction], y: &[f64], x: &mut [f64]) {
    for (i, y) in interactions.iter().zip(y).filter(|(_, y)| **y != 0.0) {
        i.row.add_scaled(-y, x);
    }
}

impl Stepper for Implicit {
    fn step(&mut self, input: &[f64]) -> Ledger {
        self.kernel.step(&self.constants, input)
    }

    fn energy(&mut self) -> f64 {
        self.kernel.stored(&self.constants)
    }

    fn change(&mut self, change: &Change) -> bool {
        let (c, Motion { w, w_remainder, .. }) = (&self.constants, &mut self.kernel.state);
        let half = 0.5 * c.dt;
        impulse::apply(change, &c.system.mass, |i, kick| {
            w[i] = compensation::add(w[i], half * kick, &mut w_remainder[i]);
        })
    }

    fn state(&mut self, state: State) {
        let (c, own) = (&self.constants, &mut self.kernel.state);
        let half = 0.5 * c.dt;
        match state {
            State::Start(motion, input) => {
                own.q.copy_from_slice(&motion.q);
                // w = Δt·v/2
                own.w.iter_mut().zip(&motion.v).for_each(|(w, v)| *w = half * v);
                own.q_remainder.fill(0.0);
                own.w_remainder.fill(0.0);
                own.forces.fill(0.0);
                (own.separated, own.clock) = (false, 0);
                c.gaps(input, &mut own.gaps);
                self.kernel.forms.reset(input);
                self.kernel.rigid.reset();
            }
            State::Tell(motion) | State::Show(motion) => motion.write(&own.q, &own.w, half),
            State::Complete(mut archive) => self.kernel.archive(&mut archive),
        }
    }

    fn outputs(&self, output: &mut [f64]) {
        let (c, Motion { q, w, forces, .. }) = (&self.constants, &self.kernel.state);
        c.system.read_outputs_at_rate(q, (2.0 / c.dt, w), forces, output);
        if !self.kernel.forms.none() {
            self.kernel.forms.read_tensions(&c.system, q, output);
        }
    }

    fn activity(&mut self, moment: &Moment, activity: &mut [Activity]) -> bool {
        if !self.kernel.rigid.activity(activity) {
            let Motion { q, w, .. } = &self.kernel.state;
            moment.activity(q, (2.0 / self.constants.dt, w), activity);
        }
        true
    }
}

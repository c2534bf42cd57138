//! The implicit step: see [`super`] for its equations.

use super::{Damping, Method, Rule, base, bounce::Bounce, stiffness_told};
use crate::assembly::assemble;
use crate::{carry, decay, linear::Linear, listen, reaction::Reaction, touch, touch::Touch, watch::Watch};
use hamiltone_core::{
    check,
    ledger::{Books, Effort, Fault, Ledger},
    scheme::{Balance, Refusal, State, Stepper, Touched},
    system::System,
};
use hamiltone_numerics::woodbury::Solver;

/// Turns that rigid and compliant contacts take before the step is given up.
const TURNS: u32 = 200;
/// The springs' leverage is taken in every so many steps: its maximum over a run makes a tolerance, and what falls
/// between makes it only tighter.
const SURVEY: u32 = 8;

pub(super) struct Implicit {
    system: System,
    linear: Linear,
    touches: Vec<Touch>,
    watch: Watch,
    rule: Rule,
    /// θ, and 2θ: what contacts call their step is s/2θ, in which e counts once.
    theta: f64,
    twice: f64,
    dt: f64,
    /// Δt², rounded once: every other constant is a power of two times it.
    dt2: f64,
    /// Decay before and after the step, a factor a coordinate; empty without.
    before: Vec<f64>,
    after: Vec<f64>,
    solver: Solver,
    /// How often a solve is refined: not at all where K̂ + R̂ ≤ M, twice where it is a million times as large.
    refinements: u32,
    /// Whether any contact pushed in the last step.
    touched: bool,
    /// Whether no contact was felt in the last step, nor stores anything after it.
    quiet: bool,
    /// Steps since the leverage of the springs was last taken.
    clock: u32,
    reaction: Reaction,
    bounce: Bounce,
    q: Vec<f64>,
    w: Vec<f64>,
    /// What rounding left out of w.
    carry: Vec<f64>,
    /// What rounding left out of q.
    slack: Vec<f64>,
    e: Vec<f64>,
    rhs: Vec<f64>,
    s: Vec<f64>,
    x: Vec<f64>,
    free: Vec<f64>,
    /// e without contacts.
    alone: Vec<f64>,
    /// The contact number of each compliant contact.
    numbers: Vec<usize>,
    /// The forces of all contacts, N.
    forces: Vec<f64>,
}

impl Implicit {
    pub fn new(method: Method, system: &System, dt: f64) -> Result<Self, Refusal> {
        let Method { name: scheme, rule, damping, theta, impacts, .. } = method;
        check::check(scheme, system, if theta == 0.5 { dt.abs() } else { dt })?;
        let n = system.size();
        let factors = |tau| decay::factors(scheme, system, tau);
        let (before, after) = match damping {
            Damping::Inside => (Vec::new(), Vec::new()),
            Damping::Before => (factors(dt)?, Vec::new()),
            Damping::Around => (factors(dt / 2.0)?, factors(dt / 2.0)?),
        };
        let inside = damping == Damping::Inside;
        let dt2 = dt * dt;
        let matrix = assemble(system, 1.0, if inside { theta * dt } else { 0.0 }, theta * theta * dt2);
        let over = |factor: f64| system.mass.iter().enumerate().any(|(i, m)| matrix.diagonal(i) > factor * m);
        let refinements = u32::from(over(2.0)) + u32::from(over(1e6));
        stiffness_told(scheme, system, &matrix, dt)?;
        let solver = matrix.clone().factor();
        let (numbers, touches): (Vec<usize>, Vec<Touch>) = match impacts {
            None => touch::all(scheme, system)?.into_iter().enumerate().unzip(),
            Some(_) => {
                touch::few_enough(scheme, system, system.size())?;
                let soft = |(j, contact)| Some((j, touch::compliant(contact)?));
                system.contacts.iter().enumerate().filter_map(soft).unzip()
            }
        };
        let reaction = Reaction::new(&matrix, &solver, &touches);
        let p = touches.len();
        let zero = || vec![0.0; n];
        let mut stepper = Self {
            linear: Linear::new(system, inside),
            system: system.clone(),
            watch: Watch::new(&touches),
            touches,
            rule,
            theta,
            twice: 2.0 * theta,
            dt,
            dt2,
            before,
            after,
            bounce: Bounce::new(system, &solver, impacts.unwrap_or_default()),
            solver,
            refinements,
            touched: false,
            quiet: false,
            clock: 0,
            reaction,
            q: zero(),
            w: zero(),
            carry: zero(),
            slack: zero(),
            e: zero(),
            rhs: zero(),
            s: zero(),
            x: vec![0.0; p],
            free: vec![0.0; p],
            alone: zero(),
            numbers,
            forces: vec![0.0; system.contacts.len()],
        };
        stepper.start();
        Ok(stepper)
    }

    fn start(&mut self) {
        self.q.copy_from_slice(&self.system.start.position);
        for (w, v) in self.w.iter_mut().zip(&self.system.start.velocity) {
            *w = 0.5 * self.dt * v;
        }
        self.carry.fill(0.0);
        self.slack.fill(0.0);
        self.forces.fill(0.0);
        self.bounce.reset();
        (self.touched, self.quiet) = (false, false);
        self.clock = 0;
    }

    /// (2/Δt²)(w·Mw + q·K̂q) + ΣV, and what damping took from the step in `s`.
    fn stored(&self) -> (f64, f64) {
        let forms = self.linear.forms(&self.w, &self.q, &self.q, &self.s);
        let contact = if self.quiet { 0.0 } else { touch::energy(&self.touches, &self.q) };
        let linear = 2.0 / self.dt2 * (forms.kinetic + 0.25 * self.dt2 * forms.elastic);
        (linear + contact, forms.lost / self.dt)
    }

    /// λBū.
    fn push(&mut self, input: &[f64]) {
        self.rhs.fill(0.0);
        let half = self.system.inputs.len();
        for (port, (u0, u1)) in self.system.inputs.iter().zip(input.iter().zip(&input[half..])) {
            let mean = (1.0 - self.theta) * u0 + self.theta * u1;
            port.row.add_scaled(0.5 * self.dt2 * mean, &mut self.rhs);
        }
    }

    /// e without contacts, the solve refined where springs or dampers are stiff.
    fn free_increment(&mut self, input: &[f64]) {
        self.e.fill(0.0);
        for _ in 0..=self.refinements {
            self.refine_increment(input);
        }
    }

    /// Moves e so that it balances all forces, those of the contacts as they are.
    fn refine_increment(&mut self, input: &[f64]) {
        self.push(input);
        let Self { system, linear, q, w, e, rhs, s, theta, twice, .. } = self;
        for ((s, e), (q, w)) in s.iter_mut().zip(e.iter()).zip(q.iter().zip(w.iter())) {
            *s = (q + *twice * w) + *twice * *theta * e;
        }
        for ((rhs, e), m) in rhs.iter_mut().zip(e.iter()).zip(&system.mass) {
            *rhs -= m * e;
        }
        linear.add(-0.5 * self.dt2, s, -self.dt, w, rhs);
        linear.add(0.0, s, -*theta * self.dt, e, rhs);
        self.bounce.pull(rhs);
        if self.touched {
            pull(&self.touches, self.reaction.multipliers(), rhs);
        }
        self.solver.solve(rhs);
        e.iter_mut().zip(rhs).for_each(|(e, r)| *e += *r);
    }

    /// Solves for the contacts and adds −A⁻¹Cᵀy to e. Where both kinds touch, each is solved with the other's forces
    /// as they are until nothing changes; the compliant ones last, so that their energy is kept in any case.
    fn contact_increment(&mut self, input: &[f64]) -> Effort {
        self.forces.fill(0.0);
        if !self.bounce.close(&self.q, &self.w) {
            return self.compliant_increment(input);
        }
        self.alone.copy_from_slice(&self.e);
        let mut effort = Effort::default();
        let mut excess = f64::INFINITY;
        for turn in 0..TURNS {
            let outcome = self.bounce.solve(&self.w, &self.e);
            effort.iterations += outcome.iterations;
            excess = outcome.excess;
            if turn > 0 && !self.bounce.changed() {
                break;
            }
            self.e.copy_from_slice(&self.alone);
            self.bounce.add_to(&mut self.e);
            self.touched = false;
            if self.refinements > 0 {
                self.refine_increment(input);
            }
            let compliant = self.compliant_increment(input);
            effort = Effort { iterations: effort.iterations + compliant.iterations, ..compliant };
            // A column A⁻¹c is known to eps times A's condition: where that is large, once more with what it missed.
            if !self.touched && turn >= self.refinements {
                break;
            }
            excess = excess.max(if self.touched { 2.0 } else { 0.0 });
        }
        self.bounce.forces(0.5 * self.dt2, &mut self.forces);
        effort.fault = effort.fault.or((excess > 1.0).then_some(Fault::NotConverged(excess)));
        effort
    }

    /// The compliant contacts alone.
    fn compliant_increment(&mut self, input: &[f64]) -> Effort {
        self.quiet = self.watch.quiet(&self.touches, &self.q, &self.w, &self.e, self.twice);
        if self.quiet {
            self.touched = false;
            self.numbers.iter().for_each(|j| self.forces[*j] = 0.0);
            return Effort::default();
        }
        for (j, t) in self.touches.iter().enumerate() {
            self.x[j] = t.penetration(&self.q);
            self.free[j] = 2.0 / self.twice * t.row.dot(&self.w) + t.row.dot(&self.e);
        }
        let (rule, dt, lambda, touches, x) = (self.rule, self.dt, 0.5 * self.dt2, &self.touches, &self.x);
        let twice = self.twice;
        let outcome = self.reaction.solve(x, &self.free, &mut self.e, |j, sigma| {
            let sigma = twice * sigma;
            if touches[j].silent(x[j], sigma) {
                return (0.0, 0.0);
            }
            let potential = touches[j].potential.as_ref();
            let (f, slope) = base(rule, potential, x[j], sigma);
            let mu = potential.loss() / dt;
            if mu == 0.0 {
                return (lambda * f, lambda * twice * slope);
            }
            let (mean, mean_slope) = potential.quotient(x[j], sigma);
            let loss_slope = (mean + sigma * mean_slope).max(0.0);
            (lambda * (f + mu * sigma * mean), lambda * twice * (slope + mu * loss_slope))
        });
        self.touched = self.reaction.touched();
        if self.touched {
            self.settle_increment();
            // A column A⁻¹c is rounded once and for all, which stiff springs make a force of one sign.
            if self.refinements > 0 && !self.reaction.inside() {
                self.refine_increment(input);
                self.settle_increment();
            }
        }
        for (j, y) in self.numbers.iter().zip(self.reaction.multipliers()) {
            self.forces[*j] = y / lambda;
        }
        let fault = (outcome.excess > 1.0).then_some(Fault::NotConverged(outcome.excess));
        Effort { iterations: outcome.iterations, fault }
    }

    fn settle_increment(&mut self) {
        let twice = self.twice;
        let missed = |t: &Touch, sigma: f64| sigma - (2.0 / twice * t.row.dot(&self.w) + t.row.dot(&self.e));
        miss(&self.touches, self.reaction.steps(), missed, &mut self.free);
        self.reaction.settle_increment(&self.free, &mut self.e);
    }

    /// Moves s so that it balances the forces that gave e: where springs or dampers are stiff, since w⁺ rounds s to
    /// eps·|w|, of which a spring makes eps·K̂|w|; and under a barrier, whose solves leave eps·|A + CᵀDC||δ|.
    fn refine_step(&mut self, input: &[f64]) {
        self.push(input);
        let Self { linear, touches, reaction, q, e, rhs, s, theta, twice, .. } = self;
        for ((rhs, e), m) in rhs.iter_mut().zip(e.iter()).zip(&linear.mass) {
            *rhs -= m * e;
        }
        linear.add(-0.5 * self.dt2, q, -0.5 * self.dt, s, rhs);
        linear.add(-0.5 * *theta * self.dt2, s, 0.0, s, rhs);
        self.bounce.pull(rhs);
        if self.touched {
            pull(touches, reaction.multipliers(), rhs);
        }
        match reaction {
            Reaction::BandedNewton(barrier) if self.touched => {
                miss(touches, &barrier.steps, |t, sigma| t.row.dot(s) / *twice - sigma, &mut self.free);
                barrier.correct(&self.free, rhs);
            }
            _ => self.solver.solve(rhs),
        }
        s.iter_mut().zip(rhs).for_each(|(s, r)| *s += *twice * *r);
    }

    /// Moves s so that it meets both the forces that gave e and the contacts' σ.
    fn mend_step(&mut self, input: &[f64]) {
        let barrier = self.reaction.inside();
        for _ in 0..self.refinements.max(u32::from(barrier && self.touched)) {
            self.refine_step(input);
        }
        if self.touched {
            let missed = |t: &Touch, sigma: f64| sigma - t.row.dot(&self.s) / self.twice;
            miss(&self.touches, self.reaction.steps(), missed, &mut self.free);
            self.reaction.settle_step(&self.free, self.twice, &mut self.s);
        }
    }

    fn contacts_leverage(&self) -> f64 {
        let steps = self.reaction.steps().iter().zip(&self.numbers);
        let scale = |(t, (sigma, j)): (&Touch, (&f64, &usize))| {
            t.scale(self.forces[*j], self.twice * sigma, t.potential.loss() / self.dt, &self.q)
        };
        self.touches.iter().zip(steps).map(scale).sum()
    }

    /// Σ (μ/Δt)(V(x + σ) − V(x))σ of the step in `s` from the penetrations `x`.
    fn lost_in_contacts(&self) -> f64 {
        let mut lost = 0.0;
        for (j, t) in self.touches.iter().enumerate() {
            let mu = t.potential.loss();
            if mu > 0.0 {
                let sigma = t.row.dot(&self.s);
                lost += t.potential.quotient(self.x[j], sigma).0 * mu * sigma * sigma / self.dt;
            }
        }
        lost
    }
}

impl Implicit {
    /// What impulses did, and what θ takes.
    fn book_step(&mut self, ledger: &mut Ledger) {
        if self.bounce.any() {
            let bounced = self.bounce.work(&self.forces, self.theta, &self.w, &self.e);
            ledger.contact_work += bounced.work;
            ledger.leverage += bounced.leverage;
        }
        if self.theta != 0.5 {
            let forms = self.linear.forms(&self.e, &self.s, &self.s, &self.s);
            ledger.dissipated += (self.theta - 0.5) * (4.0 / self.dt2 * forms.kinetic + forms.elastic);
        }
    }

    /// What each contact did in the step.
    fn watch_contacts(&mut self) {
        for (j, force) in self.forces.iter().enumerate() {
            self.bounce.post(j, force * self.dt, f64::INFINITY);
        }
        for (j, t) in self.numbers.iter().zip(&self.touches) {
            self.bounce.post(*j, 0.0, -t.penetration(&self.q));
        }
    }
}

/// x −= Cᵀy.
fn pull(touches: &[Touch], y: &[f64], x: &mut [f64]) {
    for (t, y) in touches.iter().zip(y).filter(|(_, y)| **y != 0.0) {
        t.row.add_scaled(-y, x);
    }
}

/// By how much each contact's σ is missed.
fn miss(touches: &[Touch], steps: &[f64], missed: impl Fn(&Touch, f64) -> f64, miss: &mut [f64]) {
    for ((miss, t), sigma) in miss.iter_mut().zip(touches).zip(steps) {
        *miss = missed(t, *sigma);
    }
}

impl Stepper for Implicit {
    fn reset(&mut self, _input: &[f64]) -> f64 {
        self.start();
        self.stored().0
    }

    fn step(&mut self, input: &[f64], books: Books) -> Ledger {
        let mut ledger = Ledger::default();
        let joule = 2.0 / self.dt2;
        ledger.dissipated += joule * decay::apply(&self.before, &self.system.mass, &mut self.w);
        self.touched = false;
        self.bounce.let_go();
        self.free_increment(input);
        if !self.forces.is_empty() {
            ledger.effort = self.contact_increment(input);
        }
        for (((s, w), e), carry) in self.s.iter_mut().zip(&mut self.w).zip(&mut self.e).zip(&mut self.carry) {
            let next = carry::add(*w, *e, carry);
            (*e, *s) = (next - *w, (*w + next) + (self.twice - 1.0) * (next - *w));
            *w = next;
        }
        self.mend_step(input);
        let (mut size, mut speed) = (0.0, 0.0);
        for (((q, s), slack), w) in self.q.iter_mut().zip(&self.s).zip(&mut self.slack).zip(&self.w) {
            *q = carry::add(*q, *s, slack);
            size += *q;
            speed += w.abs();
        }
        if !(size + 2.0 / self.dt * speed).is_finite() {
            ledger.effort.fault = Some(Fault::NonFinite);
        }
        if books != Books::Off {
            let half = self.system.inputs.len();
            for (port, (u0, u1)) in self.system.inputs.iter().zip(input.iter().zip(&input[half..])) {
                ledger.supplied += ((1.0 - self.theta) * u0 + self.theta * u1) * port.row.dot(&self.s);
            }
            if !self.quiet {
                ledger.dissipated += self.lost_in_contacts();
                ledger.leverage += self.contacts_leverage();
            }
            if self.clock == 0 {
                ledger.leverage += self.linear.leverage(&self.q, &mut self.rhs);
            }
            self.clock = (self.clock + 1) % SURVEY;
        }
        if self.bounce.any() {
            self.watch_contacts();
        }
        ledger.dissipated += joule * decay::apply(&self.after, &self.system.mass, &mut self.w);
        if books != Books::Off {
            let (stored, lost) = self.stored();
            ledger.stored = stored;
            ledger.dissipated += lost;
            self.book_step(&mut ledger);
        }
        ledger
    }

    fn restore(&mut self, state: &State) -> bool {
        self.q.copy_from_slice(&state.q);
        self.slack.copy_from_slice(&state.q_rest);
        for (i, (w, carry)) in self.w.iter_mut().zip(&mut self.carry).enumerate() {
            (*w, *carry) = carry::times(0.5 * self.dt, state.v[i], state.v_rest[i]);
        }
        true
    }

    fn save(&self, state: &mut State) {
        state.q.copy_from_slice(&self.q);
        state.q_rest.copy_from_slice(&self.slack);
        for (i, (w, carry)) in self.w.iter().zip(&self.carry).enumerate() {
            (state.v[i], state.v_rest[i]) = carry::over(0.5 * self.dt, *w, *carry);
        }
    }

    fn outputs(&self, output: &mut [f64]) {
        listen::read(&self.system.outputs, &self.q, &self.w, 2.0 / self.dt, &self.forces, output);
    }

    fn snapshot(&self, q: &mut [f64], v: &mut [f64]) {
        q.copy_from_slice(&self.q);
        v.iter_mut().zip(&self.w).for_each(|(v, w)| *v = 2.0 / self.dt * w);
    }

    fn balance(&self) -> Balance {
        if self.rule == Rule::Gradient || self.touches.is_empty() { Balance::Exact } else { Balance::Bounded }
    }

    fn touched(&mut self, touched: &mut [Touched]) -> bool {
        self.bounce.touched(touched)
    }
}

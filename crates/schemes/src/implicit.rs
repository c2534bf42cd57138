//! The implicit one-step family: one stepper, three rules for the contact force.
//!
//! With w = Δt·v/2 and the unknown increment e = w⁺ − w,
//!
//!   (M + R̂ + K̂) e = −2K̂(q + w) − 2R̂w + λBū − Cᵀy,   K̂ = Δt²K/4, R̂ = ΔtR/2, λ = Δt²/2
//!   w⁺ = w + e,   s = w + w⁺,   q⁺ = q + s,   ū = (uⁿ + uⁿ⁺¹)/2
//!
//! which is C19 (26)/(46)–(48) for many degrees of freedom, solved for the
//! increment of the velocity so that the rounding error of a step is relative to
//! what changed. y/λ are the contact forces: with x = c·q − h and σ = c·s,
//!
//!   gradient   f = (V(x + σ) − V(x))/σ       energy-conserving, C19 (46)
//!   midpoint   f = V′(x + σ/2)                C19 (47)
//!   trapezoid  f = (V′(x + σ) + V′(x))/2      C19 (48)
//!
//! each plus (μ/Δt)(V(x + σ) − V(x)) for a contact with loss μ: for the gradient rule that is
//! f(1 + μσ/Δt), Hunt and Crossley's law; it grows with σ, so every step keeps its one solution.
//!
//! Books, exact for the gradient rule and, without contacts, for all three:
//!
//!   stored      (2/Δt²)(w·Mw + q·K̂q) + ΣV(c·q − h)
//!   dissipated  (2/Δt²) s·R̂s + Σ (μ/Δt)(V(x + σ) − V(x))σ     supplied  s·Bū
//!
//! Damping is either in the step (R̂ above) or split off and exact: w ← r w with
//! r = e^(−γτ) on each coordinate, loss (2/Δt²)(1 − r²) w·Mw (C19 §2.6).

use crate::{carry, decay, linear::Linear, listen, reaction::Reaction, touch, touch::Touch, watch::Watch};
use hamiltone_core::{
    border::{Bordered, Solver},
    check,
    ledger::{Books, Effort, Fault, Ledger},
    scheme::{Area, Balance, Claims, Refusal, Scheme, State, Stepper},
    system::System,
};

/// Where a step takes the contact force from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Rule {
    Gradient,
    Midpoint,
    Trapezoid,
}

/// How a step takes the damping R.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Damping {
    /// In the step, by its mean velocity.
    Inside,
    /// The whole step's decay before an undamped step (Lie).
    Before,
    /// Half of the decay before and half after an undamped step (Strang).
    Around,
}

/// A method of the family: what tells `ec`, `mr`, `tr`, `ck`, `ec-cs` and `ec-strang` apart.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Method {
    pub name: &'static str,
    pub order: u32,
    pub rule: Rule,
    pub damping: Damping,
}

impl Scheme for Method {
    fn name(&self) -> &'static str {
        self.name
    }

    fn claims(&self) -> Claims {
        Claims {
            order: self.order,
            order_free: 2,
            symmetric: true,
            linear: Balance::Exact,
            contact: if self.rule == Rule::Gradient { Balance::Exact } else { Balance::Bounded },
            area: if self.damping == Damping::Inside { Area::Gradient } else { Area::Conformal },
            area_with_contact: self.rule == Rule::Midpoint && self.damping == Damping::Around,
            limit: None,
            staggered: false,
        }
    }

    fn prepare(&self, system: &System, dt: f64) -> Result<Box<dyn Stepper>, Refusal> {
        Ok(Box::new(Implicit::new(self.name, system, dt, self.rule, self.damping)?))
    }
}

/// The springs' leverage is taken in every so many steps: its maximum over a run makes a tolerance, and what falls
/// between makes it only tighter.
const SURVEY: u32 = 8;

struct Implicit {
    system: System,
    linear: Linear,
    touches: Vec<Touch>,
    watch: Watch,
    rule: Rule,
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
    forces: Vec<f64>,
}

impl Implicit {
    fn new(
        scheme: &'static str,
        system: &System,
        dt: f64,
        rule: Rule,
        damping: Damping,
    ) -> Result<Self, Refusal> {
        check::check(scheme, system, dt.abs())?;
        let n = system.size();
        let factors = |tau| decay::factors(scheme, system, tau);
        let (before, after) = match damping {
            Damping::Inside => (Vec::new(), Vec::new()),
            Damping::Before => (factors(dt)?, Vec::new()),
            Damping::Around => (factors(dt / 2.0)?, factors(dt / 2.0)?),
        };
        let inside = damping == Damping::Inside;
        let dt2 = dt * dt;
        let matrix = system.assemble(1.0, if inside { dt / 2.0 } else { 0.0 }, dt2 / 4.0);
        let over = |factor: f64| system.mass.iter().enumerate().any(|(i, m)| matrix.diagonal(i) > factor * m);
        let refinements = u32::from(over(2.0)) + u32::from(over(1e6));
        stiffness_told(scheme, system, &matrix, dt)?;
        let solver = matrix.clone().factor();
        let touches = touch::all(scheme, system)?;
        let reaction = Reaction::new(&matrix, &solver, &touches);
        let p = touches.len();
        let zero = || vec![0.0; n];
        let mut stepper = Self {
            linear: Linear::new(system, inside),
            system: system.clone(),
            watch: Watch::new(&touches),
            touches,
            rule,
            dt,
            dt2,
            before,
            after,
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
            forces: vec![0.0; p],
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
            port.row.add_scaled(0.25 * self.dt2 * (u0 + u1), &mut self.rhs);
        }
    }

    /// e without contacts, the solve refined where springs or dampers are stiff.
    fn free_increment(&mut self, input: &[f64]) {
        self.e.fill(0.0);
        for _ in 0..=self.refinements {
            self.refine_increment(input, false);
        }
    }

    /// Moves e so that it balances all forces, those of the contacts as they are.
    fn refine_increment(&mut self, input: &[f64], touched: bool) {
        self.push(input);
        let Self { system, linear, q, w, e, rhs, s, .. } = self;
        for ((s, e), (q, w)) in s.iter_mut().zip(e.iter()).zip(q.iter().zip(w.iter())) {
            *s = (q + w) + 0.5 * e;
        }
        for ((rhs, e), m) in rhs.iter_mut().zip(e.iter()).zip(&system.mass) {
            *rhs -= m * e;
        }
        linear.add(-0.5 * self.dt2, s, -self.dt, w, rhs);
        linear.add(0.0, s, -0.5 * self.dt, e, rhs);
        if touched {
            pull(&self.touches, self.reaction.multipliers(), rhs);
        }
        self.solver.solve(rhs);
        e.iter_mut().zip(rhs).for_each(|(e, r)| *e += *r);
    }

    /// Solves for the contacts and adds −A⁻¹Cᵀy to e.
    fn contact_increment(&mut self, input: &[f64]) -> Effort {
        self.quiet = self.watch.quiet(&self.touches, &self.q, &self.w, &self.e);
        if self.quiet {
            self.forces.fill(0.0);
            self.touched = false;
            return Effort::default();
        }
        for (j, t) in self.touches.iter().enumerate() {
            self.x[j] = t.penetration(&self.q);
            self.free[j] = 2.0 * t.row.dot(&self.w) + t.row.dot(&self.e);
        }
        let (rule, dt, lambda, touches, x) = (self.rule, self.dt, 0.5 * self.dt2, &self.touches, &self.x);
        let outcome = self.reaction.solve(x, &self.free, &mut self.e, |j, sigma| {
            if touches[j].silent(x[j], sigma) {
                return (0.0, 0.0);
            }
            let potential = touches[j].potential.as_ref();
            let (f, slope) = base(rule, potential, x[j], sigma);
            let mu = potential.loss() / dt;
            if mu == 0.0 {
                return (lambda * f, lambda * slope);
            }
            let (mean, mean_slope) = potential.quotient(x[j], sigma);
            let loss_slope = (mean + sigma * mean_slope).max(0.0);
            (lambda * (f + mu * sigma * mean), lambda * (slope + mu * loss_slope))
        });
        self.touched = self.reaction.touched();
        if self.touched {
            self.settle_increment();
            // A column A⁻¹c is rounded once and for all, which stiff springs make a force of one sign.
            if self.refinements > 0 && !self.reaction.inside() {
                self.refine_increment(input, true);
                self.settle_increment();
            }
        }
        self.forces.iter_mut().zip(self.reaction.multipliers()).for_each(|(f, y)| *f = y / lambda);
        let fault = (outcome.excess > 1.0).then_some(Fault::NotConverged(outcome.excess));
        Effort { iterations: outcome.iterations, fault }
    }

    fn settle_increment(&mut self) {
        let missed = |t: &Touch, sigma: f64| sigma - (2.0 * t.row.dot(&self.w) + t.row.dot(&self.e));
        miss(&self.touches, self.reaction.steps(), missed, &mut self.free);
        self.reaction.settle_increment(&self.free, &mut self.e);
    }

    /// Moves s so that it balances the forces that gave e: where springs or dampers are stiff, since w⁺ rounds s to
    /// eps·|w|, of which a spring makes eps·K̂|w|; and under a barrier, whose solves leave eps·|A + CᵀDC||δ|.
    fn refine_step(&mut self, input: &[f64]) {
        self.push(input);
        let Self { linear, touches, reaction, q, e, rhs, s, .. } = self;
        for ((rhs, e), m) in rhs.iter_mut().zip(e.iter()).zip(&linear.mass) {
            *rhs -= m * e;
        }
        linear.add(-0.5 * self.dt2, q, -0.5 * self.dt, s, rhs);
        linear.add(-0.25 * self.dt2, s, 0.0, s, rhs);
        if self.touched {
            pull(touches, reaction.multipliers(), rhs);
        }
        match reaction {
            Reaction::Barrier(barrier) if self.touched => {
                miss(touches, &barrier.steps, |t, sigma| t.row.dot(s) - sigma, &mut self.free);
                barrier.correct(&self.free, rhs);
            }
            _ => self.solver.solve(rhs),
        }
        s.iter_mut().zip(rhs).for_each(|(s, r)| *s += *r);
    }

    /// Moves s so that it meets both the forces that gave e and the contacts' σ.
    fn mend_step(&mut self, input: &[f64]) {
        let barrier = self.reaction.inside();
        for _ in 0..self.refinements.max(u32::from(barrier && self.touched)) {
            self.refine_step(input);
        }
        if self.touched {
            let missed = |t: &Touch, sigma: f64| sigma - t.row.dot(&self.s);
            miss(&self.touches, self.reaction.steps(), missed, &mut self.free);
            self.reaction.settle_step(&self.free, &mut self.s);
        }
    }

    fn contacts_leverage(&self) -> f64 {
        let steps = self.reaction.steps().iter().zip(&self.forces);
        let scale = |(t, (sigma, f)): (&Touch, (&f64, &f64))| {
            t.scale(*f, *sigma, t.potential.loss() / self.dt, &self.q)
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

/// A + K̂ + R̂ of coupled coordinates, over M: beyond, what a mass does to a step is lost in the rounding of its springs.
const STIFFEST: f64 = 1e10;

/// Refuses coupled coordinates whose springs leave nothing of their masses.
fn stiffness_told(scheme: &'static str, system: &System, matrix: &Bordered, dt: f64) -> Result<(), Refusal> {
    if matrix.band.half_bandwidth() == 0 && matrix.far.is_empty() {
        return Ok(());
    }
    let ratio = |(i, m): (usize, &f64)| matrix.diagonal(i) / m;
    let worst = system.mass.iter().enumerate().map(ratio).fold(0.0, f64::max);
    if worst <= STIFFEST {
        return Ok(());
    }
    Err(Refusal::NotCovered {
        scheme,
        what: format!(
            "springs between coordinates so stiff that (Δt²K/4 + ΔtR/2)/M = {worst:.1e}: beyond {STIFFEST:.0e} rounding swallows the masses"
        ),
        instead: format!(
            "take a coarser grid or softer springs, or run at {:.1e} Hz or more",
            (worst / STIFFEST).sqrt() / dt.abs()
        ),
    })
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

/// The lossless force f and ∂f/∂σ of a rule.
fn base(rule: Rule, potential: &dyn hamiltone_core::law::Potential, x: f64, sigma: f64) -> (f64, f64) {
    match rule {
        Rule::Gradient => potential.quotient(x, sigma),
        Rule::Midpoint => {
            let middle = x + 0.5 * sigma;
            (potential.force(middle), 0.5 * potential.curvature(middle))
        }
        Rule::Trapezoid => {
            let end = x + sigma;
            (0.5 * (potential.force(end) + potential.force(x)), 0.5 * potential.curvature(end))
        }
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
        self.free_increment(input);
        if !self.touches.is_empty() {
            ledger.effort = self.contact_increment(input);
        }
        for (((s, w), e), carry) in self.s.iter_mut().zip(&mut self.w).zip(&mut self.e).zip(&mut self.carry) {
            let next = carry::add(*w, *e, carry);
            (*e, *s) = (next - *w, *w + next);
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
                ledger.supplied += 0.5 * (u0 + u1) * port.row.dot(&self.s);
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
        ledger.dissipated += joule * decay::apply(&self.after, &self.system.mass, &mut self.w);
        if books != Books::Off {
            let (stored, lost) = self.stored();
            ledger.stored = stored;
            ledger.dissipated += lost;
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
}

//! Composition of a symmetric scheme with itself to order 4 or 6 (C19 §2.6 names it; Creutz & Gocksch 1989, Suzuki
//! 1990, Yoshida 1990).
//!
//!   Φ̂_Δt = Φ_{γ₁Δt} ∘ … ∘ Φ_{γ_sΔt},   from order p to p + 2 by
//!
//!   triple jump   γ = a, 1 − 2a, a                a = 1/(2 − 2^(1/(p+1)))
//!   Suzuki        γ = b, b, 1 − 4b, b, b          b = 1/(4 − 4^(1/(p+1)))
//!
//! and once more for order 6. Some sub-steps go back in time, where damping would feed energy in: it is split off,
//! exactly, half before and half behind (`attenuation.rs`), so that with it the order is 2. An external force is
//! known at the step's ends; between and beyond them it is taken to be linear, which is of order 2 as well.
//!
//! Books: stored is the energy ½vᵀMv + ½qᵀKq + ΣV. A base that runs at any step keeps that energy itself, and so
//! does its composition; one with a limit keeps an energy of its own, which depends on the sub-step: its composition
//! is bounded. The limit is found from the trace of the composed map of q̈ = −ω²q.

use crate::{attenuation::Attenuation, linear::Linear, listen, staggered, tableaux, touch, touch::Touch};
use hamiltone_core::{
    check,
    law::{Law, Potential},
    ledger::{Books, Fault, Ledger},
    operator::Operator,
    parameter::{Absent, Complaint, Entry, Kind, Parameter, Takes, Values},
    scheme::{Area, Balance, Claims, Refusal, Scheme, State, Stepper},
    system::{Block, System},
};
use hamiltone_numerics::{lanes, math};
use std::sync::Arc;

/// A composed method.
pub struct Composition {
    base: Box<dyn Scheme>,
    order: u32,
    /// γ₁ … γ_s.
    factors: Vec<f64>,
    limit: Option<f64>,
}

/// How steps are composed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pattern {
    /// Three steps for one: the middle one goes back by 1.7 steps.
    TripleJump,
    /// Five steps for one, none longer than 0.66: smaller errors, wider limits.
    Suzuki,
}

impl Pattern {
    /// What raises a method of even order p to p + 2.
    fn factors(self, p: u32) -> Vec<f64> {
        let root = |x: f64| math::pow(x, 1.0 / f64::from(p + 1));
        match self {
            Pattern::TripleJump => {
                let a = 1.0 / (2.0 - root(2.0));
                vec![a, 1.0 - 2.0 * a, a]
            }
            Pattern::Suzuki => {
                let b = 1.0 / (4.0 - root(4.0));
                vec![b, b, 1.0 - 4.0 * b, b, b]
            }
        }
    }
}

impl Composition {
    /// `base` composed with itself to `order`, 4 or 6.
    ///
    /// ```
    /// use hamiltone_core::scheme::Scheme;
    /// use hamiltone_schemes::composition::{Composition, Pattern};
    ///
    /// let composed = Composition::new(hamiltone_schemes::named("ec").unwrap(), Pattern::Suzuki, 6)?;
    /// assert_eq!(composed.claims().order_free, 6);
    /// # Ok::<(), hamiltone_core::parameter::Complaint>(())
    /// ```
    ///
    /// # Errors
    /// A [`Complaint`] where the base is not symmetric, or is of that order already.
    pub fn new(base: Box<dyn Scheme>, pattern: Pattern, order: u32) -> Result<Self, Complaint> {
        let claims = base.claims();
        let complain = |why: String| Err(Complaint::new("base", why));
        if !claims.symmetric {
            return complain(format!("`{}` is not symmetric: its steps cannot be undone", base.name()));
        }
        if !(order == 4 || order == 6) || claims.order_free >= order {
            return complain(format!(
                "`{}` is of order {}, composed to {order}",
                base.name(),
                claims.order_free
            ));
        }
        let mut factors = vec![1.0];
        for p in (claims.order_free..order).step_by(2) {
            let outer = pattern.factors(p);
            factors = outer.iter().flat_map(|a| factors.iter().map(move |b| a * b)).collect();
        }
        let limit = claims.limit.map(|limit| stable(&*base, &factors, limit));
        Ok(Self { base, order, factors, limit })
    }
}

/// The largest ωΔt below which the composed map of one oscillator is a rotation, and the base takes every sub-step.
fn stable(base: &dyn Scheme, factors: &[f64], limit: f64) -> f64 {
    let longest = factors.iter().fold(0.0, |most: f64, f| most.max(f.abs()));
    let end = limit / longest;
    let turns = |x: f64| trace(base, factors, x).is_some_and(|trace| trace.abs() <= 2.0);
    let points = 256;
    let at = |k: i32| end * f64::from(k) / f64::from(points);
    let Some(first) = (1..points).find(|&k| !turns(at(k))) else { return end };
    tableaux::last(at(first - 1), at(first), turns)
}

/// The trace of the map (q, v) over a step of 1 s at ω = x.
fn trace(base: &dyn Scheme, factors: &[f64], x: f64) -> Option<f64> {
    let mut system = System::default();
    system.add_dof(1.0, 0.0, 0.0);
    let stiffness = Operator::Diagonal(vec![x * x]);
    system.blocks.push(Block { name: "oscillator".into(), dofs: 0..1, stiffness, damping: Operator::Zero });
    let mut columns = [(1.0, 0.0), (0.0, 1.0)].map(|(q, v)| State::new(vec![q], vec![v]));
    for factor in factors {
        let mut stepper = base.prepare(&system, *factor).ok()?;
        for column in &mut columns {
            stepper.restore(column);
            stepper.step(&[], Books::Off);
            stepper.save(column);
        }
    }
    Some(columns[0].q[0] + columns[1].v[0])
}

impl Scheme for Composition {
    fn name(&self) -> &'static str {
        "composition"
    }

    fn claims(&self) -> Claims {
        let base = self.base.claims();
        let kept = |balance| if base.limit.is_none() { balance } else { Balance::Bounded };
        Claims {
            order: 2,
            order_free: self.order,
            symmetric: true,
            linear: kept(base.linear),
            contact: kept(base.contact),
            area: Area::Conformal,
            area_with_contact: base.area_with_contact,
            limit: self.limit,
            staggered: false,
        }
    }

    fn prepare(&self, system: &System, dt: f64) -> Result<Box<dyn Stepper>, Refusal> {
        Ok(Box::new(Composed::new(self, system, dt)?))
    }
}

/// A contact without its loss.
#[derive(Debug)]
struct Lossless(Arc<dyn Potential>);

impl Potential for Lossless {
    fn energy(&self, x: f64) -> f64 {
        self.0.energy(x)
    }
    fn force(&self, x: f64) -> f64 {
        self.0.force(x)
    }
    fn curvature(&self, x: f64) -> f64 {
        self.0.curvature(x)
    }
    fn quotient(&self, x: f64, s: f64) -> (f64, f64) {
        self.0.quotient(x, s)
    }
    fn onset(&self) -> f64 {
        self.0.onset()
    }
    fn monomial(&self) -> Option<(f64, f64)> {
        self.0.monomial()
    }
}

/// The system without damping and losses.
fn undamped(system: &System) -> System {
    let mut system = system.clone();
    system.blocks.iter_mut().for_each(|block| block.damping = Operator::Zero);
    for contact in &mut system.contacts {
        if let Law::Compliant(potential) = &contact.law
            && potential.loss() > 0.0
        {
            contact.law = Law::Compliant(Arc::new(Lossless(potential.clone())));
        }
    }
    system
}

struct Composed {
    system: System,
    linear: Linear,
    touches: Vec<Touch>,
    around: Attenuation,
    balance: Balance,
    /// One for every length of a sub-step.
    bases: Vec<Box<dyn Stepper>>,
    /// Which base makes each sub-step, and when it begins and ends, in steps.
    parts: Vec<(usize, f64, f64)>,
    state: State,
    forces: Vec<f64>,
    /// Whether an output reads a contact's force.
    reads_forces: bool,
    /// The inputs at both ends of a sub-step.
    input: Vec<f64>,
}

impl Composed {
    fn new(method: &Composition, system: &System, dt: f64) -> Result<Self, Refusal> {
        let scheme = method.name();
        check::check(scheme, system, dt.abs())?;
        if let Some(limit) = method.limit {
            staggered::below(scheme, system, dt.abs(), limit)?;
        }
        let (bare, mut lengths) = (undamped(system), Vec::new());
        let (mut bases, mut parts, mut begin) = (Vec::new(), Vec::new(), 0.0);
        for &factor in &method.factors {
            let known = lengths.iter().position(|length| *length == factor);
            if known.is_none() {
                lengths.push(factor);
                bases.push(method.base.prepare(&bare, factor * dt)?);
            }
            parts.push((known.unwrap_or(bases.len() - 1), begin, begin + factor));
            begin += factor;
        }
        let (touches, zero) = (touch::all(scheme, system)?, || vec![0.0; system.size()]);
        let claims = method.claims();
        let mut stepper = Self {
            linear: Linear::new(system, false),
            around: Attenuation::new(scheme, system, &touches, 0.5 * dt)?,
            balance: if touches.is_empty() { claims.linear } else { claims.contact },
            bases,
            parts,
            state: State::new(zero(), zero()),
            forces: vec![0.0; touches.len()],
            reads_forces: listen::to_forces(&system.outputs),
            input: vec![0.0; 2 * system.inputs.len()],
            touches,
            system: system.clone(),
        };
        stepper.start();
        if !stepper.bases.iter_mut().all(|base| base.restore(&stepper.state)) {
            return Err(Refusal::NotCovered {
                scheme,
                what: format!("`{}` as its base: its steps cannot begin at any state", method.base.name()),
                instead: "compose another symmetric scheme".into(),
            });
        }
        Ok(stepper)
    }

    fn start(&mut self) {
        let inputs = self.system.inputs.len();
        self.input.fill(0.0);
        for base in &mut self.bases {
            base.reset(&self.input[..inputs]);
        }
        let start = &self.system.start;
        self.state.q.copy_from_slice(&start.position);
        self.state.v.copy_from_slice(&start.velocity);
        self.state.q_rest.fill(0.0);
        self.state.v_rest.fill(0.0);
        self.feel();
    }

    /// ½vᵀMv + ½qᵀKq + ΣV.
    fn stored(&self) -> f64 {
        let State { q, v, .. } = &self.state;
        self.linear.energy(q, v) + touch::energy(&self.touches, q)
    }

    /// The contacts' forces as they are now, for the outputs.
    fn feel(&mut self) {
        touch::felt(&self.touches, &self.state.q, &self.state.v, &mut self.forces);
    }

    /// One sub-step.
    fn part(
        &mut self,
        (base, begin, end): (usize, f64, f64),
        input: &[f64],
        books: Books,
        ledger: &mut Ledger,
    ) {
        let inputs = self.system.inputs.len();
        for k in 0..inputs {
            let (u0, u1) = (input[k], input[inputs + k]);
            self.input[k] = u0 + (u1 - u0) * begin;
            self.input[inputs + k] = u0 + (u1 - u0) * end;
        }
        let base = &mut self.bases[base];
        base.restore(&self.state);
        let part = base.step(&self.input, books);
        base.save(&mut self.state);
        ledger.supplied += part.supplied;
        ledger.leverage = ledger.leverage.max(part.leverage);
        ledger.effort.iterations += part.effort.iterations;
        ledger.effort.fault = ledger.effort.fault.or(part.effort.fault);
    }
}

impl Stepper for Composed {
    fn reset(&mut self, _input: &[f64]) -> f64 {
        self.start();
        self.stored()
    }

    fn step(&mut self, input: &[f64], books: Books) -> Ledger {
        let mut ledger = Ledger::default();
        ledger.dissipated += self.around.forwards(&self.touches, &self.state.q, &mut self.state.v);
        for k in 0..self.parts.len() {
            self.part(self.parts[k], input, books, &mut ledger);
        }
        ledger.dissipated += self.around.backwards(&self.touches, &self.state.q, &mut self.state.v);
        if self.reads_forces {
            self.feel();
        }
        match books {
            Books::Kept => ledger.stored = self.stored(),
            Books::Flows => ledger.partial = true,
            Books::Off => ledger = Ledger { effort: ledger.effort, ..Ledger::default() },
        }
        if !lanes::sum(self.state.q.len(), |i| self.state.q[i]).is_finite() {
            ledger.effort.fault = Some(Fault::NonFinite);
        }
        ledger
    }

    fn restore(&mut self, state: &State) -> bool {
        self.state.clone_from(state);
        self.feel();
        true
    }

    fn save(&self, state: &mut State) {
        state.clone_from(&self.state);
    }

    fn outputs(&self, output: &mut [f64]) {
        listen::read(&self.system.outputs, &self.state.q, &self.state.v, 1.0, &self.forces, output);
    }

    fn snapshot(&self, q: &mut [f64], v: &mut [f64]) {
        q.copy_from_slice(&self.state.q);
        v.copy_from_slice(&self.state.v);
    }

    fn balance(&self) -> Balance {
        self.balance
    }
}

const OPTIONS: &[Parameter] = &[
    Parameter {
        name: "base",
        takes: Takes::Word(&["ec", "mr", "tr", "vv", "position-verlet"]),
        absent: Absent::Word("ec"),
        doc: "the symmetric scheme that is composed with itself",
    },
    Parameter {
        name: "method",
        takes: Takes::Word(&["triple-jump-4", "suzuki-4", "triple-jump-6", "suzuki-6"]),
        absent: Absent::Word("triple-jump-4"),
        doc: "how, and to which order: 3, 5, 9 or 25 steps of the base for one; Suzuki's errors are the smaller",
    },
];

pub(crate) const ENTRY: Entry<Box<dyn Scheme>> = Entry {
    kind: Kind {
        name: "composition",
        summary: "a symmetric scheme composed with itself to order 4 or 6 undamped; of order 2 with damping, which is split off exactly",
        equation: "Φ̂_Δt = Φ_{γ₁Δt} ∘ … ∘ Φ_{γ_sΔt},  γ = a, 1 − 2a, a  or  b, b, 1 − 4b, b, b",
        source: "Yoshida 1990; Suzuki 1990; Chatziioannou 2019, §2.6",
        parameters: OPTIONS,
        rules: &[],
    },
    make: |values: &Values| {
        // Where it has a form with its damping split off, that one: its claims are those of its undamped step.
        let base = values.word("base").unwrap_or("ec");
        let base = crate::named(&format!("{base}-strang")).or_else(|| crate::named(base));
        let base = base.ok_or_else(|| Complaint::new("base", "no scheme of this name"))?;
        let method = values.word("method").unwrap_or("triple-jump-4");
        let pattern = if method.starts_with("triple") { Pattern::TripleJump } else { Pattern::Suzuki };
        Ok(Box::new(Composition::new(base, pattern, if method.ends_with('6') { 6 } else { 4 })?))
    },
};

//! Composition of a symmetric scheme with itself to order 4 or 6 (C19 §2.6 names it; Creutz & Gocksch 1989, Suzuki
//! 1990, Yoshida 1990).
//!
//!   Φ̂_Δt = Φ_{γ₁Δt} ∘ … ∘ Φ_{γ_sΔt},   from order p to p + 2 by
//!
//!   triple jump   γ = a, 1 − 2a, a                a = 1/(2 − 2^(1/(p+1)))
//!   Suzuki        γ = b, b, 1 − 4b, b, b          b = 1/(4 − 4^(1/(p+1)))
//!
//! and once more for order 6. Some sub-steps go back in time, where damping would feed energy in: it is split off,
//! exactly, half before and half behind (`damping_flow.rs`), so that with it the order is 2. An external force is
//! known at the step's ends; between and beyond them it is taken to be linear, which is of order 2 as well.
//!
//! Bookkeeping: stored is the energy ½vᵀMv + ½qᵀKq + ΣV. A base that runs at any step keeps that energy itself, and so
//! does its composition; one with a limit keeps an energy of its own, which depends on the sub-step: its composition
//! is bounded. The limit is found from the trace of the composed map of q̈ = −ω²q.

use crate::{
    contact::{self, Contact},
    damping_flow::DampingFlow,
    explicit::staggered,
    explicit::tableaux,
    impulse,
    linear::{self, Linear},
};
use hamiltone_core::{
    claims::{Balance, Claims, Contraction},
    coverage::{Coverage, Feature, requirements},
    element::Law,
    identity::Identity,
    ledger::{Fault, Ledger},
    operator::Operator,
    parameter::Complaint,
    refusal::Refusal,
    row::Row,
    scheme::Scheme,
    state::{Archive, Motion, State},
    stepper::Stepper,
    system::{Block, System},
};
use hamiltone_numerics::{lanes, math};
use std::sync::Arc;

/// Positions and velocities are rounded where one sub-step hands them to the next, by half an eps of each: an eps of the energy, and
/// where a force holds a mass each time the same way.
const HANDED_OVER: Balance = Balance::Exact { drift: 1.0 };

/// A composed method.
#[derive(Debug)]
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
            return complain(format!("`{}` is not symmetric: its steps are not reversible", base.name()));
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
    let system = Arc::new(system);
    let mut columns = [(1.0, 0.0), (0.0, 1.0)].map(|(q, v)| State::Motion(Motion::new(vec![q], vec![v])));
    for factor in factors {
        let mut stepper = base.build(&system, *factor).ok()?;
        for column in &mut columns {
            stepper.restore(column, &[]);
            stepper.step(&[]);
            stepper.save(column);
        }
    }
    let [State::Motion(first), State::Motion(second)] = &columns else { return None };
    Some(first.q[0] + second.v[0])
}

impl Scheme for Composition {
    fn name(&self) -> &'static str {
        "composition"
    }

    fn identity(&self) -> Identity {
        // The limit follows from the base and the factors.
        let Self { base, order, factors, limit: _ } = self;
        Identity::of(self.name()).with(base.identity()).count(*order as usize).numbers(factors)
    }

    fn claims(&self) -> Claims {
        let base = self.base.claims();
        let kept = |balance: Balance| match base.limit {
            None if balance.is_exact() => HANDED_OVER,
            _ => Balance::Bounded,
        };
        Claims {
            order: 2,
            order_free: self.order,
            symmetric: true,
            linear: kept(base.linear),
            contact: kept(base.contact),
            contraction: Contraction::Conformal,
            // Without damping, which is split off, the implicit steps are area-preserving for any springs.
            contraction_with_links: base.contraction_with_links || base.contraction == Contraction::Gradient,
            contraction_with_contact: base.contraction_with_contact,
            limit: self.limit,
            physical_energy: true,
            staggered: false,
        }
    }

    /// Damping is split off, so that it may couple where the base takes none; elements that give or take energy over
    /// time cannot be stepped back, and are left out.
    fn coverage(&self) -> Coverage {
        const ALL: &[Feature] = &[
            Feature::ManyCoordinates,
            Feature::CoupledStiffness,
            Feature::CoupledDamping,
            Feature::Links,
            Feature::LinkDamping,
            Feature::Compliant,
            Feature::ContactLoss,
        ];
        Coverage::of(ALL)
    }

    fn build(&self, system: &Arc<System>, dt: f64) -> Result<Box<dyn Stepper>, Refusal> {
        Ok(Box::new(Composed::new(self, system, dt)?))
    }
}

/// The system without damping and losses.
fn undamped(system: &System) -> System {
    let mut system = system.clone();
    system.blocks.iter_mut().for_each(|block| block.damping = Operator::Zero);
    for element in &mut system.elements {
        if let Law::Compliant(law) = &mut element.law {
            law.loss = 0.0;
        }
    }
    system
}

/// What is constant.
struct Constants {
    system: Arc<System>,
    linear: Linear,
    contacts: Vec<Contact>,
    /// Which base makes each sub-step, and when it begins and ends, in steps.
    parts: Vec<(usize, f64, f64)>,
}

/// A system in motion under a composed method.
#[derive(Clone)]
struct Composed {
    constants: Arc<Constants>,
    around: DampingFlow,
    /// One for every length of a sub-step.
    bases: Vec<Box<dyn Stepper>>,
    /// A motion: what the bases hand over to each other.
    state: State,
    /// The inputs at both ends of a sub-step.
    input: Vec<f64>,
    /// Steps since the leverage of the springs was last taken.
    clock: u32,
    scratch: Vec<f64>,
}

/// The motion in a state that always is one.
fn motion(state: &mut State) -> &mut Motion {
    match state {
        State::Motion(motion) => motion,
        State::Complete(_) => unreachable!("bases hand over motions"),
    }
}

impl Composed {
    fn new(method: &Composition, system: &Arc<System>, dt: f64) -> Result<Self, Refusal> {
        let scheme = method.name();
        if let Some(limit) = method.limit {
            staggered::below(scheme, system, dt.abs(), limit)?;
        }
        let (bare, mut lengths) = (Arc::new(undamped(system)), Vec::new());
        let covered = method.base.coverage();
        let missing = requirements(&bare).into_iter().filter(|r| !covered.covers(r.need));
        let what: Vec<String> = missing.map(|r| r.what).collect();
        if !what.is_empty() {
            return Err(Refusal::NotCovered { scheme: method.base.name(), what });
        }
        let (mut bases, mut parts, mut begin) = (Vec::new(), Vec::new(), 0.0);
        for &factor in &method.factors {
            let known = lengths.iter().position(|length| *length == factor);
            if known.is_none() {
                lengths.push(factor);
                bases.push(method.base.build(&bare, factor * dt)?);
            }
            parts.push((known.unwrap_or(bases.len() - 1), begin, begin + factor));
            begin += factor;
        }
        let contacts = contact::all(system);
        let mut stepper = Self {
            around: DampingFlow::new(scheme, system, &contacts, 0.5 * dt)?,
            bases,
            state: State::Motion(Motion::at_rest(system.size())),
            input: vec![0.0; 2 * system.inputs.len()],
            clock: 0,
            scratch: vec![0.0; system.size()],
            constants: Arc::new(Constants {
                linear: Linear::new(system, false),
                parts,
                contacts,
                system: system.clone(),
            }),
        };
        stepper.restore(&State::initial(system), &vec![0.0; system.inputs.len()]);
        Ok(stepper)
    }

    /// One sub-step.
    fn part(
        &mut self,
        (base, begin, end): (usize, f64, f64),
        input: &[f64],
        (ledger, to_and_fro): (&mut Ledger, &mut f64),
    ) {
        let inputs = self.constants.system.inputs.len();
        for k in 0..inputs {
            let (u0, u1) = (input[k], input[inputs + k]);
            self.input[k] = u0 + (u1 - u0) * begin;
            self.input[inputs + k] = u0 + (u1 - u0) * end;
        }
        let base = &mut self.bases[base];
        base.restore(&self.state, &self.input[..inputs]);
        let part = base.step(&self.input);
        base.save(&mut self.state);
        ledger.supplied += part.supplied;
        // What one sub-step gives and another takes leaves its rounding.
        *to_and_fro += part.supplied.abs();
        ledger.leverage = ledger.leverage.max(part.leverage);
        ledger.effort.substeps += part.effort.substeps.max(1);
        ledger.effort.iterations += part.effort.iterations;
        ledger.effort.fault = ledger.effort.fault.or(part.effort.fault);
    }

    /// Every number that the next step depends on.
    fn archive(&mut self, archive: &mut Archive) {
        let Motion { q, v } = motion(&mut self.state);
        [q, v].into_iter().for_each(|x| archive.numbers(x));
        archive.count(&mut self.clock);
    }
}

impl Stepper for Composed {
    fn step(&mut self, input: &[f64]) -> Ledger {
        let mut ledger = Ledger::default();
        let c = self.constants.clone();
        let Motion { q, v, .. } = motion(&mut self.state);
        ledger.dissipated += self.around.forwards(&c.contacts, q, v);
        let mut to_and_fro = 0.0;
        for part in &c.parts {
            self.part(*part, input, (&mut ledger, &mut to_and_fro));
        }
        ledger.leverage += to_and_fro;
        let Motion { q, v, .. } = motion(&mut self.state);
        ledger.dissipated += self.around.backwards(&c.contacts, q, v);
        let size = lanes::sum(q.len(), |i| q[i]);
        if linear::leverage_is_due(&mut self.clock) {
            ledger.leverage += c.linear.leverage(&motion(&mut self.state).q, &mut self.scratch);
        }
        if !size.is_finite() {
            ledger.effort.fault = Some(Fault::NonFinite);
        }
        ledger
    }

    /// ½vᵀMv + ½qᵀKq + ΣV.
    fn energy(&mut self) -> f64 {
        let (c, Motion { q, v, .. }) = (&self.constants, &*motion(&mut self.state));
        c.linear.energy(q, v) + contact::energy(&c.contacts, q)
    }

    fn impulse(&mut self, row: &Row, p: f64) {
        let v = &mut motion(&mut self.state).v;
        impulse::apply(row, p, &self.constants.system.mass, |i, kick| v[i] += kick);
    }

    fn restore(&mut self, state: &State, _input: &[f64]) {
        match state {
            State::Motion(given) => {
                motion(&mut self.state).copy_from(given);
                self.clock = 0;
            }
            State::Complete(numbers) => self.archive(&mut Archive::Read(numbers)),
        }
    }

    fn save(&mut self, state: &mut State) {
        match state {
            State::Motion(given) => given.copy_from(motion(&mut self.state)),
            State::Complete(numbers) => {
                numbers.clear();
                self.archive(&mut Archive::Write(numbers));
            }
        }
    }

    fn outputs(&self, output: &mut [f64]) {
        let State::Motion(Motion { q, v, .. }) = &self.state else { return };
        self.constants.system.read_outputs(q, v, &[], output);
    }
}

//! Velocity Verlet with its damping split off: one stepper, two splittings.
//!
//! With w = Δt·v/2, K̂ = Δt²K/4 and f̂ = Δt²f/4, the undamped step of C19 (29) is
//!
//!   w ← w + M⁻¹f̂ⁿ,   q ← q + 2w,   w ← w + M⁻¹f̂ⁿ⁺¹,   f = Bu − Kq − Cᵀf_c
//!
//! The external force acts at the instants alone, as a kick of its own; what is
//! left conserves, without contacts, exactly
//!
//!   Ĥ = (2/Δt²)(w·Mw + q·K̂q − K̂q·M⁻¹K̂q),   positive for ωΔt < 2,
//!
//! which has no term in q·w: a decay w ← r w takes (2/Δt²)(1 − r²) w·Mw out of it, and
//! a kick w ← w + κ gives (2/Δt²) Mκ·(2w + κ). So the balance is exact without
//! contacts; with them ΣV(xⁿ) is added and the balance is bounded.

use crate::{
    amplification, compensation,
    contact::{self, Contact},
    exact_damping,
    explicit::staggered,
    impulse,
    linear::{self, Linear},
};
use hamiltone_core::{
    claims::{Balance, Claims, Contraction},
    coverage::{Coverage, Feature},
    identity::Identity,
    input::Input,
    ledger::{Fault, Ledger},
    refusal::Refusal,
    row::Row,
    scheme::Scheme,
    state::{Archive, Motion, State},
    stepper::Stepper,
    system::System,
};
use std::sync::Arc;

/// A method of the family: which part of the decay comes before and which after the undamped step.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Method {
    pub name: &'static str,
    pub order: u32,
    pub before: f64,
    pub after: f64,
}

impl Scheme for Method {
    fn name(&self) -> &'static str {
        self.name
    }

    fn identity(&self) -> Identity {
        let Self { name, order, before, after } = *self;
        Identity::of(name).count(order as usize).number(before).number(after)
    }

    fn claims(&self) -> Claims {
        Claims {
            order: self.order,
            order_free: 2,
            symmetric: true,
            linear: Balance::EXACT,
            contact: Balance::Bounded,
            contraction: Contraction::Conformal,
            contraction_with_links: true,
            contraction_with_contact: true,
            limit: Some(staggered::LIMIT),
            physical_energy: false,
            staggered: false,
        }
    }

    fn coverage(&self) -> Coverage {
        Coverage::of(&[
            Feature::ManyCoordinates,
            Feature::CoupledStiffness,
            Feature::Links,
            Feature::Compliant,
        ])
    }

    fn build(&self, system: &Arc<System>, dt: f64) -> Result<Box<dyn Stepper>, Refusal> {
        Ok(Box::new(Verlet::new(self.name, system, dt, self.before, self.after)?))
    }

    fn advice(&self, system: &System, dt: f64) -> Vec<String> {
        amplification::of_highest(system, dt, amplification::two_step)
    }
}

/// What is constant.
struct Constants {
    system: Arc<System>,
    linear: Linear,
    contacts: Vec<Contact>,
    dt: f64,
    dt2: f64,
    /// Exact damping before and after the undamped step, a factor a coordinate.
    before: Vec<f64>,
    after: Vec<f64>,
}

#[derive(Clone)]
struct Verlet {
    constants: Arc<Constants>,
    kernel: Kernel,
}

/// The state, with the memory that a step works in.
#[derive(Clone)]
struct Kernel {
    q: Vec<f64>,
    w: Vec<f64>,
    /// What rounding left out of w, and of q where inputs or contacts act: a force that hardly changes holds q, and works
    /// along what is less than its last digit in every step.
    remainder: Vec<f64>,
    q_remainder: Vec<f64>,
    /// K̂q.
    elastic: Vec<f64>,
    /// −M⁻¹(K̂q + Δt²Cᵀf/4) at n.
    kick: Vec<f64>,
    drive: Vec<f64>,
    /// Steps since the leverage of the springs was last taken.
    clock: u32,
}

impl Verlet {
    /// The exact damping of `before` and `after` Δt around an undamped step.
    fn new(
        scheme: &'static str,
        system: &Arc<System>,
        dt: f64,
        before: f64,
        after: f64,
    ) -> Result<Self, Refusal> {
        let factors = |part: f64| exact_damping::factors(scheme, system, part * dt);
        let (before, after) = (factors(before)?, factors(after)?);
        staggered::stable(scheme, system, dt.abs())?;
        let zero = || vec![0.0; system.size()];
        let contacts = contact::all(system);
        let kernel = Kernel {
            q: zero(),
            w: zero(),
            remainder: zero(),
            q_remainder: zero(),
            elastic: zero(),
            kick: zero(),
            drive: zero(),
            clock: 0,
        };
        let linear = Linear::new(system, false);
        let constants =
            Constants { system: system.clone(), linear, contacts, dt, dt2: dt * dt, before, after };
        let mut stepper = Self { constants: Arc::new(constants), kernel };
        stepper.restore(&State::initial(system), &[]);
        Ok(stepper)
    }
}

impl Kernel {
    /// K̂q and the kick at q.
    fn kicks(&mut self, c: &Constants) {
        let quarter = 0.25 * c.dt2;
        self.elastic.fill(0.0);
        c.linear.add(quarter, &self.q, 0.0, &self.q, &mut self.elastic);
        self.kick.copy_from_slice(&self.elastic);
        for contact in &c.contacts {
            let force = contact.law.force(contact.penetration(&self.q));
            if force != 0.0 {
                contact.row.add_scaled(quarter * force, &mut self.kick);
            }
        }
        self.kick.iter_mut().zip(&c.system.mass).for_each(|(kick, m)| *kick /= -m);
    }

    /// The external force's kick; returns what it gives.
    fn drive(&mut self, c: &Constants, input: &[f64]) -> f64 {
        if input.is_empty() {
            return 0.0;
        }
        self.drive.fill(0.0);
        for (row, u) in c.system.inputs.iter().filter_map(Input::row).zip(input) {
            row.add_scaled(0.25 * c.dt2 * u, &mut self.drive);
        }
        let mut given = 0.0;
        let masses = self.drive.iter().zip(&c.system.mass);
        for ((w, remainder), (force, m)) in self.w.iter_mut().zip(&mut self.remainder).zip(masses) {
            let kick = force / m;
            given += force * (2.0 * *w + kick);
            *w = compensation::add(*w, kick, remainder);
        }
        2.0 / c.dt2 * given
    }

    /// K̂q·M⁻¹K̂q: how much of the energy's parts cancels, all but nothing far from the stability limit.
    fn correction(&self, c: &Constants) -> f64 {
        self.elastic.iter().zip(&c.system.mass).map(|(k, m)| k * (k / m)).sum()
    }

    /// Ĥ + ΣV.
    fn stored(&self, c: &Constants) -> f64 {
        let forms = c.linear.forms(&self.w, &self.q, &self.q);
        let contact = contact::energy(&c.contacts, &self.q);
        let linear = forms.kinetic + (0.25 * c.dt2 * forms.elastic - self.correction(c));
        2.0 / c.dt2 * linear + contact
    }

    /// Every number that the next step depends on.
    fn archive(&mut self, archive: &mut Archive) {
        let Self { q, w, remainder, q_remainder, clock, .. } = self;
        [q, w, remainder, q_remainder].into_iter().for_each(|x| archive.numbers(x));
        archive.count(clock);
    }

    /// q ← q + 2w; Σq, which is finite where all are.
    #[inline(always)]
    fn move_on(&mut self, c: &Constants) -> f64 {
        let moved = !c.contacts.is_empty() || !c.system.inputs.is_empty();
        let mut size = 0.0;
        for ((q, w), rest) in self.q.iter_mut().zip(&self.w).zip(&mut self.q_remainder) {
            *q = if moved { compensation::add(*q, 2.0 * w, rest) } else { *q + 2.0 * w };
            size += *q;
        }
        size
    }

    /// Half of a step's kick.
    fn advance(&mut self) {
        for ((w, remainder), kick) in self.w.iter_mut().zip(&mut self.remainder).zip(&self.kick) {
            *w = compensation::add(*w, *kick, remainder);
        }
    }
}

impl Stepper for Verlet {
    fn step(&mut self, input: &[f64]) -> Ledger {
        let (c, kernel) = (&*self.constants, &mut self.kernel);
        let mut ledger = Ledger::default();
        let half = c.system.inputs.len();
        let joule = 2.0 / c.dt2;
        ledger.dissipated += joule * exact_damping::apply(&c.before, &c.system.mass, &mut kernel.w);
        let first = kernel.drive(c, &input[..half]);
        kernel.advance();
        let size = kernel.move_on(c);
        kernel.kicks(c);
        kernel.advance();
        let second = kernel.drive(c, &input[half..]);
        ledger.supplied = first + second;
        ledger.dissipated += joule * exact_damping::apply(&c.after, &c.system.mass, &mut kernel.w);
        if !size.is_finite() {
            ledger.effort.fault = Some(Fault::NonFinite);
        }
        // A force that changes its sign from step to step gives in one half and takes in the other: their rounding stays.
        ledger.leverage = first.abs() + second.abs();
        if linear::leverage_is_due(&mut kernel.clock) {
            ledger.leverage += 4.0 / c.dt2 * kernel.correction(c);
            ledger.leverage += c.linear.leverage(&kernel.q, &mut kernel.drive);
        }
        ledger
    }

    fn energy(&mut self) -> f64 {
        self.kernel.stored(&self.constants)
    }

    fn impulse(&mut self, row: &Row, p: f64) {
        let (c, Kernel { w, remainder, .. }) = (&self.constants, &mut self.kernel);
        impulse::apply(row, p, &c.system.mass, |i, kick| {
            w[i] = compensation::add(w[i], 0.5 * c.dt * kick, &mut remainder[i]);
        });
    }

    fn restore(&mut self, state: &State, _input: &[f64]) {
        let (c, kernel) = (&*self.constants, &mut self.kernel);
        match state {
            State::Motion(motion) => {
                kernel.q.copy_from_slice(&motion.q);
                kernel.q_remainder.fill(0.0);
                kernel.clock = 0;
                kernel.w.iter_mut().zip(&motion.v).for_each(|(w, v)| *w = 0.5 * c.dt * v);
                kernel.remainder.fill(0.0);
            }
            State::Complete(numbers) => kernel.archive(&mut Archive::Read(numbers)),
        }
        // Forces are a function of the positions: nothing of them need be saved.
        kernel.kicks(c);
    }

    fn save(&mut self, state: &mut State) {
        let (c, kernel) = (&*self.constants, &mut self.kernel);
        match state {
            State::Motion(Motion { q, v }) => {
                q.copy_from_slice(&kernel.q);
                v.iter_mut().zip(&kernel.w).for_each(|(v, w)| *v = 2.0 / c.dt * w);
            }
            State::Complete(numbers) => {
                numbers.clear();
                kernel.archive(&mut Archive::Write(numbers));
            }
        }
    }

    fn outputs(&self, output: &mut [f64]) {
        let (c, Kernel { q, w, .. }) = (&*self.constants, &self.kernel);
        c.system.read_outputs_at_rate(q, (2.0 / c.dt, w), &[], output);
    }
}

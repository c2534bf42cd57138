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
//! a kick w ← w + κ gives (2/Δt²) Mκ·(2w + κ). So all books are exact without
//! contacts; with them ΣV(xⁿ) is added and the balance is bounded.

use crate::{carry, decay, linear::Linear, listen, staggered, touch, touch::Touch};
use hamiltone_core::{
    check,
    ledger::{Books, Fault, Ledger},
    scheme::{Area, Balance, Claims, Refusal, Scheme, State, Stepper},
    system::System,
};

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

    fn claims(&self) -> Claims {
        Claims {
            order: self.order,
            order_free: 2,
            symmetric: true,
            linear: Balance::Exact,
            contact: Balance::Bounded,
            area: Area::Conformal,
            area_with_contact: true,
            limit: Some(staggered::LIMIT),
            staggered: false,
        }
    }

    fn prepare(&self, system: &System, dt: f64) -> Result<Box<dyn Stepper>, Refusal> {
        Ok(Box::new(Verlet::new(self.name, system, dt, self.before, self.after)?))
    }
}

struct Verlet {
    system: System,
    linear: Linear,
    touches: Vec<Touch>,
    dt: f64,
    dt2: f64,
    /// Decay before and after the undamped step, a factor a coordinate.
    before: Vec<f64>,
    after: Vec<f64>,
    q: Vec<f64>,
    w: Vec<f64>,
    /// What rounding left out of w.
    carry: Vec<f64>,
    /// K̂q.
    elastic: Vec<f64>,
    /// −M⁻¹(K̂q + Δt²Cᵀf/4) at n.
    kick: Vec<f64>,
    drive: Vec<f64>,
    forces: Vec<f64>,
}

impl Verlet {
    /// The decay of `before` and `after` Δt around an undamped step.
    fn new(scheme: &'static str, system: &System, dt: f64, before: f64, after: f64) -> Result<Self, Refusal> {
        check::check(scheme, system, dt.abs())?;
        let touches = touch::lossless(scheme, system)?;
        let factors = |part: f64| decay::factors(scheme, system, part * dt);
        let (before, after) = (factors(before)?, factors(after)?);
        staggered::stable(scheme, system, dt.abs())?;
        let zero = || vec![0.0; system.size()];
        let mut stepper = Self {
            dt,
            dt2: dt * dt,
            before,
            after,
            q: zero(),
            w: zero(),
            carry: zero(),
            elastic: zero(),
            kick: zero(),
            drive: zero(),
            forces: vec![0.0; touches.len()],
            touches,
            linear: Linear::new(system, false),
            system: system.clone(),
        };
        stepper.reset(&vec![0.0; system.inputs.len()]);
        Ok(stepper)
    }

    /// K̂q, contact forces and the kick at q.
    fn kicks(&mut self) {
        let quarter = 0.25 * self.dt2;
        self.elastic.fill(0.0);
        self.linear.add(quarter, &self.q, 0.0, &self.q, &mut self.elastic);
        self.kick.copy_from_slice(&self.elastic);
        for (t, f) in self.touches.iter().zip(&mut self.forces) {
            *f = t.potential.force(t.penetration(&self.q));
            if *f != 0.0 {
                t.row.add_scaled(quarter * *f, &mut self.kick);
            }
        }
        self.kick.iter_mut().zip(&self.system.mass).for_each(|(kick, m)| *kick /= -m);
    }

    /// The external force's kick; returns what it gives.
    fn drive(&mut self, input: &[f64]) -> f64 {
        if input.is_empty() {
            return 0.0;
        }
        self.drive.fill(0.0);
        for (port, u) in self.system.inputs.iter().zip(input) {
            port.row.add_scaled(0.25 * self.dt2 * u, &mut self.drive);
        }
        let mut given = 0.0;
        let masses = self.drive.iter().zip(&self.system.mass);
        for ((w, carry), (force, m)) in self.w.iter_mut().zip(&mut self.carry).zip(masses) {
            let kick = force / m;
            given += force * (2.0 * *w + kick);
            *w = carry::add(*w, kick, carry);
        }
        2.0 / self.dt2 * given
    }

    /// Ĥ + ΣV, and how much of its parts cancels: all but nothing far from the stability limit.
    fn stored(&self) -> (f64, f64) {
        let correction: f64 = self.elastic.iter().zip(&self.system.mass).map(|(k, m)| k * (k / m)).sum();
        let forms = self.linear.forms(&self.w, &self.q, &self.q, &self.q);
        let contact = touch::energy(&self.touches, &self.q);
        let linear = forms.kinetic + (0.25 * self.dt2 * forms.elastic - correction);
        (2.0 / self.dt2 * linear + contact, 4.0 / self.dt2 * correction)
    }

    fn advance(&mut self) {
        for ((w, carry), kick) in self.w.iter_mut().zip(&mut self.carry).zip(&self.kick) {
            *w = carry::add(*w, *kick, carry);
        }
    }
}

impl Stepper for Verlet {
    fn reset(&mut self, _input: &[f64]) -> f64 {
        self.q.copy_from_slice(&self.system.start.position);
        for (w, v) in self.w.iter_mut().zip(&self.system.start.velocity) {
            *w = 0.5 * self.dt * v;
        }
        self.carry.fill(0.0);
        self.kicks();
        self.stored().0
    }

    fn step(&mut self, input: &[f64], books: Books) -> Ledger {
        let mut ledger = Ledger::default();
        let half = self.system.inputs.len();
        let joule = 2.0 / self.dt2;
        ledger.dissipated += joule * decay::apply(&self.before, &self.system.mass, &mut self.w);
        ledger.supplied += self.drive(&input[..half]);
        self.advance();
        let mut size = 0.0;
        for (q, w) in self.q.iter_mut().zip(&self.w) {
            *q += 2.0 * w;
            size += *q;
        }
        self.kicks();
        self.advance();
        ledger.supplied += self.drive(&input[half..]);
        ledger.dissipated += joule * decay::apply(&self.after, &self.system.mass, &mut self.w);
        if !size.is_finite() {
            ledger.effort.fault = Some(Fault::NonFinite);
        }
        if books != Books::Off {
            let (stored, cancelled) = self.stored();
            ledger.stored = stored;
            ledger.leverage = cancelled + self.linear.leverage(&self.q, &mut self.drive);
        }
        ledger
    }

    fn restore(&mut self, state: &State) -> bool {
        self.q.copy_from_slice(&state.q);
        for (i, (w, carry)) in self.w.iter_mut().zip(&mut self.carry).enumerate() {
            (*w, *carry) = carry::times(0.5 * self.dt, state.v[i], state.v_rest[i]);
        }
        self.kicks();
        true
    }

    fn outputs(&self, output: &mut [f64]) {
        listen::read(&self.system.outputs, &self.q, &self.w, 2.0 / self.dt, &self.forces, output);
    }

    fn snapshot(&self, q: &mut [f64], v: &mut [f64]) {
        q.copy_from_slice(&self.q);
        v.iter_mut().zip(&self.w).for_each(|(v, w)| *v = 2.0 / self.dt * w);
    }

    fn balance(&self) -> Balance {
        if self.touches.is_empty() { Balance::Exact } else { Balance::Bounded }
    }
}

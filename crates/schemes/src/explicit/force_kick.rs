//! Kicks of the undamped velocity Verlet step, by forces that are known at both of its ends.
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
    contact,
    explicit::splitting::{Kick, Phase, Splitting, Stage},
    linear::{self, Linear},
};
use fearless_simd::Simd;
use hamiltone_core::{input::Input, ledger::Ledger, state::Archive, system::System};
use hamiltone_numerics::compensation;
use std::sync::Arc;

/// The kick, with the memory that it works in.
#[derive(Clone)]
pub(crate) struct ForceKick {
    linear: Arc<Linear>,
    /// K̂q.
    elastic: Vec<f64>,
    /// −M⁻¹(K̂q + Δt²Cᵀf/4): a function of q, made once for the end of a step and the start of the next.
    kick: Vec<f64>,
    drive: Vec<f64>,
    /// Steps since the leverage of the springs was last taken.
    clock: u32,
}

impl ForceKick {
    pub fn new(system: &System) -> Self {
        let zero = || vec![0.0; system.size()];
        let linear = Arc::new(Linear::new(system, false));
        Self { linear, elastic: zero(), kick: zero(), drive: zero(), clock: 0 }
    }

    /// K̂q and the kick at q.
    fn read_forces(&mut self, c: &Splitting, q: &[f64]) {
        let quarter = 0.25 * (c.dt * c.dt);
        self.elastic.fill(0.0);
        self.linear.add(quarter, q, 0.0, q, &mut self.elastic);
        self.kick.copy_from_slice(&self.elastic);
        for contact in &c.contacts {
            let force = contact.law.force(contact.penetration(q));
            if force != 0.0 {
                contact.row.add_scaled(quarter * force, &mut self.kick);
            }
        }
        self.kick.iter_mut().zip(&c.system.mass).for_each(|(kick, m)| *kick /= -m);
    }

    /// The external force's kick; returns what it gives, J.
    fn drive(&mut self, c: &Splitting, phase: &mut Phase, input: &[f64]) -> f64 {
        if input.is_empty() {
            return 0.0;
        }
        let dt2 = c.dt * c.dt;
        self.drive.fill(0.0);
        for (row, u) in c.system.inputs.iter().filter_map(Input::row).zip(input) {
            row.add_scaled(0.25 * dt2 * u, &mut self.drive);
        }
        let mut given = 0.0;
        for (i, (force, m)) in self.drive.iter().zip(&c.system.mass).enumerate() {
            let kick = force / m;
            given += force * (2.0 * phase.v[i] + kick);
            phase.push(i, kick);
        }
        2.0 / dt2 * given
    }

    /// K̂q·M⁻¹K̂q: how much of the energy's parts cancels, all but nothing far from the stability limit.
    fn correction(&self, c: &Splitting) -> f64 {
        self.elastic.iter().zip(&c.system.mass).map(|(k, m)| k * (k / m)).sum()
    }
}

impl Kick for ForceKick {
    /// Forces are a function of the positions: nothing of them need be saved.
    fn start(&mut self, c: &Splitting, phase: &mut Phase, input: Option<&[f64]>) {
        if input.is_some() {
            self.clock = 0;
        }
        self.read_forces(c, &phase.q);
    }

    #[inline(always)]
    fn kick<S: Simd>(
        &mut self,
        _simd: S,
        c: &Splitting,
        stage: Stage,
        phase: &mut Phase,
        input: &[f64],
        ledger: &mut Ledger,
    ) {
        // The external force comes first and last, where the energy is that of the step's ends.
        let (begin, end) = input.split_at(c.system.inputs.len());
        let is_first = stage.instant == 0.0;
        let mut given = if is_first { self.drive(c, phase, begin) } else { 0.0 };
        if !is_first {
            self.read_forces(c, &phase.q);
        }
        // The kick is half of a step's, in a unit of half of its increment.
        for ((w, remainder), kick) in phase.v.iter_mut().zip(&mut phase.v_remainder).zip(&self.kick) {
            *w = compensation::add(*w, *kick, remainder);
        }
        if !is_first {
            given = self.drive(c, phase, end);
        }
        ledger.supplied += given;
        // A force that changes its sign from step to step gives in one half and takes in the other: their rounding stays.
        ledger.leverage += given.abs();
    }

    fn finish(&mut self, c: &Splitting, phase: &Phase, ledger: &mut Ledger) {
        if linear::leverage_is_due(&mut self.clock) {
            ledger.leverage += 4.0 / (c.dt * c.dt) * self.correction(c);
            ledger.leverage += self.linear.leverage(&phase.q, &mut self.drive);
        }
    }

    /// Ĥ + ΣV.
    fn stored(&mut self, c: &Splitting, phase: &Phase) -> f64 {
        let dt2 = c.dt * c.dt;
        let forms = self.linear.forms(&phase.v, &phase.q, &phase.q);
        let linear = forms.kinetic + (0.25 * dt2 * forms.elastic - self.correction(c));
        2.0 / dt2 * linear + contact::energy(&c.contacts, &phase.q)
    }

    fn archive(&mut self, archive: &mut Archive) {
        archive.count(&mut self.clock);
    }
}

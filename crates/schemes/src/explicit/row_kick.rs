//! Kicks of the symplectic partitioned Runge–Kutta methods, by the rows of M⁻¹K and M⁻¹R in place.
//!
//!   v⁺ = v − bΔt M⁻¹(K q + R v + Cᵀf(C·q − h)(1 + μ c·v) − Bu)
//!
//! R and μ are in the kicks only where the method takes damping as I18 prints it, with the v before each.
//!
//! Bookkeeping: stored is the energy ½vᵀMv + ½qᵀKq + ΣV at the step's end, which an explicit method keeps within bounds;
//! what each kick's damping takes and each input gives is exact for the kick as it is made: impulse times the mean
//! of the velocities before and after.

use crate::{
    contact,
    explicit::{
        accelerations::Accelerations,
        splitting::{Kick, Phase, Splitting, Stage},
    },
    linear::Linear,
};
use fearless_simd::Simd;
use hamiltone_core::{input::Input, ledger::Ledger, row::Row, system::System};
use hamiltone_numerics::aligned::{Aligned, zeros};
use std::sync::Arc;

/// The kick, with the memory that it works in.
#[derive(Clone)]
pub(crate) struct RowKick {
    linear: Arc<Linear>,
    rows: Arc<Accelerations>,
    /// The rows of the forces among the inputs.
    inputs: Arc<[Row]>,
    /// Whether damping is in the kicks.
    damped: bool,
    /// The velocities that a damped kick makes.
    next: Aligned,
    /// Each contact's in a kick, then each input's.
    pulls: Vec<Pull>,
}

/// An impulse along a row in a kick.
#[derive(Clone, Copy, Debug, Default)]
struct Pull {
    /// −MΔv along the row: b Δt f.
    impulse: f64,
    /// The part of it that a contact's loss makes.
    loss: f64,
    /// c·v before the kick.
    before: f64,
    /// c·M⁻¹R v before the kick, where the damping is in the kick.
    slowing: f64,
}

impl RowKick {
    /// Of `system`, with its damping in the kicks or without.
    pub fn new(system: &System, damped: bool) -> Self {
        Self {
            linear: Arc::new(Linear::new(system, false)),
            rows: Arc::new(Accelerations::new(system, true, damped)),
            inputs: system.inputs.iter().filter_map(Input::row).cloned().collect(),
            damped,
            next: zeros(system.size()),
            pulls: vec![Pull::default(); system.elements.len() + system.inputs.len()],
        }
    }

    /// An upper bound of the largest eigenvalue of M⁻¹R, 1/s, where damping is in the kicks.
    pub fn largest_damping(&self) -> f64 {
        self.rows.bounds().1
    }

    /// The impulses of contacts and inputs in a kick; whether there are any.
    fn pull(&mut self, c: &Splitting, stage: Stage, phase: &Phase, input: &[f64]) -> bool {
        let (h, damped, mut pushed) = (stage.kick, self.damped, false);
        let of = |row: &Row, impulse: f64| Pull {
            impulse,
            loss: 0.0,
            before: row.dot(&phase.v),
            slowing: if damped { self.rows.damping_along(row, &phase.v) } else { 0.0 },
        };
        let (contacts, inputs) = self.pulls.split_at_mut(c.contacts.len());
        for (contact, pull) in c.contacts.iter().zip(contacts) {
            let x = contact.penetration(&phase.q);
            *pull = Pull::default();
            if x > contact.onset {
                *pull = of(&contact.row, h * contact.law.force(x));
                if damped {
                    pull.loss = pull.impulse * contact.law.loss * pull.before;
                    // The loss is kept apart as well, for the books.
                    pull.impulse += pull.loss;
                }
                pushed = true;
            }
        }
        let count = inputs.len();
        for ((k, row), pull) in self.inputs.iter().enumerate().zip(inputs) {
            // Known at the ends of the step, a force is taken to be linear between them.
            let (u0, u1) = (input[k], input[count + k]);
            *pull = of(row, -h * (u0 + (u1 - u0) * stage.instant));
            pushed = true;
        }
        pushed
    }

    /// What contacts' losses took and inputs gave in the kick: impulses times the mean of the velocities before and behind
    /// it. The damping has been booked with the mean of the kick without these impulses.
    fn book(&self, c: &Splitting, h: f64, phase: &Phase, ledger: &mut Ledger) {
        let mean = |row: &Row, pull: &Pull| 0.5 * (pull.before + row.dot(&phase.v));
        let (contacts, inputs) = self.pulls.split_at(c.contacts.len());
        for (contact, pull) in c.contacts.iter().zip(contacts).filter(|(_, pull)| pull.impulse != 0.0) {
            ledger.dissipated += pull.loss * mean(&contact.row, pull);
            ledger.dissipated -= 0.5 * h * pull.impulse * pull.slowing;
        }
        for (row, pull) in self.inputs.iter().zip(inputs) {
            ledger.supplied -= pull.impulse * mean(row, pull);
            ledger.dissipated -= 0.5 * h * pull.impulse * pull.slowing;
        }
    }
}

impl Kick for RowKick {
    /// Nothing but the phase is known.
    fn start(&mut self, _c: &Splitting, _phase: &mut Phase, _input: Option<&[f64]>) {}

    #[inline(always)]
    fn kick<S: Simd>(
        &mut self,
        simd: S,
        c: &Splitting,
        stage: Stage,
        phase: &mut Phase,
        input: &[f64],
        ledger: &mut Ledger,
    ) {
        let pushed = !self.pulls.is_empty() && self.pull(c, stage, phase, input);
        if self.damped {
            ledger.dissipated += self.rows.kick(simd, stage.kick, (&phase.q, &phase.v), &mut self.next);
            std::mem::swap(&mut phase.v, &mut self.next);
        } else {
            self.rows.push(simd, stage.kick, &phase.q, &mut phase.v);
        }
        if pushed {
            let rows = c.contacts.iter().map(|contact| &contact.row).chain(&*self.inputs);
            for (row, pull) in rows.zip(&self.pulls).filter(|(_, pull)| pull.impulse != 0.0) {
                self.rows.pull(row, pull.impulse, &mut phase.v);
            }
            self.book(c, stage.kick, phase, ledger);
        }
    }

    /// ½vᵀMv + ½qᵀKq + ΣV.
    fn stored(&mut self, c: &Splitting, phase: &Phase) -> f64 {
        self.linear.energy(&phase.q, &phase.v) + contact::energy(&c.contacts, &phase.q)
    }
}

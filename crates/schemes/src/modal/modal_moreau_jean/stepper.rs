//! The stepper of modal Moreau–Jean: see [`super`] for its equations.

use super::{
    bank::{MoreauBank, Slow},
    contacts::{MoreauContacts, MoreauDone},
    near_nyquist::NearNyquist,
    velocities::MoreauVelocities,
};
use crate::{
    interaction,
    modal::{
        diagonals::diagonals,
        followed_energy::FollowedEnergy,
        pole::Pole,
        terminals::{ReadWeights, Terminals},
    },
};
use hamiltone_core::{
    instant::Moment,
    ledger::Ledger,
    refusal::Refusal,
    row::Row,
    state::{Archive, Motion, State},
    stepper::{Activity, Change, Stepper},
    system::{Quantity, System},
};
use hamiltone_numerics::{compensation, lcp::Method};
use std::sync::Arc;

/// Coordinates with a spring g weaker than this, ωΔt below 1/600, are slow: an increment changes by less than a part of
/// itself in 600 and rounds the same way for a thousand steps, so that increments are summed with compensation.
const SLOW: f64 = 1.0 / (600.0 * 600.0);

/// Below this p a mode is so near to Nyquist that the rounding of what it stores tells nothing of its motion: contacts that read it are never
/// out of reach.
const BLIND: f64 = 1e-9;

/// What is constant.
struct MoreauConstants {
    system: Arc<System>,
    dt: f64,
    poles: Vec<Pole>,
    velocities: MoreauVelocities,
    /// Δt/√(mW): what a coordinate of the bank is worth, m/√J.
    scale: Vec<f64>,
    terminals: Terminals,
}

/// A bank of modes in motion.
#[derive(Clone)]
pub(super) struct Modal {
    constants: Arc<MoreauConstants>,
    bank: MoreauBank,
    slow: Vec<Slow>,
    near_nyquist: Vec<NearNyquist>,
    contacts: MoreauContacts,
    /// Where no step was taken since the start: the velocities there.
    initial_velocity: Vec<f64>,
    fresh: bool,
    /// Whether forces act on the bank.
    driven: bool,
    energy: FollowedEnergy,
}

impl Modal {
    pub fn new(scheme: &'static str, system: &Arc<System>, dt: f64, solver: Method) -> Result<Self, Refusal> {
        let (stiffness, damping) = diagonals(scheme, system)?;
        let n = system.size();
        let (mut poles, mut scale) = (Vec::with_capacity(n), Vec::with_capacity(n));
        for i in 0..n {
            let m = system.mass[i];
            let pole = Pole::new(stiffness[i] / m, 0.5 * damping[i] / m, dt);
            scale.push(dt * (pole.mobility / m).sqrt());
            poles.push(pole);
        }
        // p of the modes: stored = ½Σ (pD² + g(Q + D/2)²).
        // Divided by the least number, w of a row that reads such a mode is so large that its contact is always due.
        let inertia = |pole: &Pole| match 0.25 * pole.opposed {
            p if p < BLIND => f64::MIN_POSITIVE,
            p => p,
        };
        let inertia: Vec<f64> = poles.iter().map(inertia).collect();
        let modes: Vec<(f64, f64)> = poles.iter().map(|pole: &Pole| (pole.spring, pole.damper)).collect();
        let contacts = MoreauContacts::new(system, interaction::all(system), (&scale, &inertia), solver);
        let bank = MoreauBank::new(&modes, contacts.any_force_law());
        let slow = (0..n).filter(|i| bank.spring[*i] < SLOW).map(Slow::of).collect();
        let velocities = MoreauVelocities::new(&poles, &scale, dt);
        let constants = MoreauConstants {
            dt,
            terminals: Terminals::new(system, &scale),
            system: system.clone(),
            poles,
            velocities,
            scale,
        };
        let mut stepper = Self {
            contacts,
            near_nyquist: NearNyquist::among(&constants.poles),
            constants: Arc::new(constants),
            bank,
            slow,
            initial_velocity: vec![0.0; n],
            fresh: true,
            driven: false,
            energy: FollowedEnergy::default(),
        };
        stepper.state(State::Start(&Motion::initial(system), &vec![0.0; system.inputs.len()]));
        Ok(stepper)
    }

    /// Bu, scaled.
    fn drive(&mut self, input: &[f64]) {
        self.driven = self.constants.terminals.drive(|k| input[k], &mut self.bank.push, self.driven);
    }

    /// The increments of slow modes once more, with their rounding remainder; what they dissipate more, J.
    fn compensate(&mut self) -> f64 {
        let mut dissipated = 0.0;
        for slow in &mut self.slow {
            let i = slow.mode;
            let (d, h, g) = (self.bank.before[i], self.bank.damper[i], self.bank.spring[i]);
            let change = self.bank.push[i] - (g * self.bank.place[i] + h * d);
            slow.free = compensation::add(d, change, &mut slow.rest);
            dissipated += self.bank.replace(i, slow.free);
        }
        dissipated
    }

    /// Starts from positions and velocities.
    fn start(&mut self, motion: &Motion, input: &[f64]) {
        self.drive(input);
        self.slow.iter_mut().for_each(|slow| slow.rest = 0.0);
        let c = &self.constants;
        for (i, pole) in c.poles.iter().enumerate() {
            let (q, v, scale) = (motion.q[i], motion.v[i], c.scale[i]);
            self.bank.place[i] = q / scale;
            // The exact first increment: a difference quotient would start the scheme with order one.
            self.bank.after[i] = (pole.push * (c.dt * v + pole.decay * q) - pole.first * q) / scale;
            // The force acts for the half step from the instant to the middle of the increment.
            self.bank.after[i] += 0.5 * self.bank.push[i];
        }
        // There is no increment before the start; velocities there are the given ones.
        self.bank.before.fill(0.0);
        self.bank.rest.fill(0.0);
        self.bank.keep();
        self.fresh = true;
        self.energy.restart();
        self.initial_velocity.copy_from_slice(&motion.v);
        let Self { contacts, bank, constants, .. } = self;
        contacts.reset(&bank.place, &bank.after, input);
        // Forces at the start need the penetrations, and change the increment from which these are read again below.
        let (system, after) = (&constants.system, &mut bank.after);
        let speed = |j: usize| system.elements[j].row().dot(&motion.v);
        contacts.start_forces(constants.dt, speed, |rows, j, force| rows.add(j, -0.5 * force, after));
        contacts.reset(&bank.place, &bank.after, input);
        self.near_nyquist.iter_mut().for_each(|mode| mode.follow(&self.bank));
    }

    /// Every number that the next step depends on.
    fn archive(&mut self, archive: &mut Archive) {
        let MoreauBank { place, rest, before, after, push, .. } = &mut self.bank;
        [place, rest, before, after, push].into_iter().for_each(|x| archive.numbers(x));
        self.slow.iter_mut().for_each(|slow| archive.number(&mut slow.rest));
        self.near_nyquist.iter_mut().for_each(|mode| mode.archive(archive));
        self.bank.keep();
        // Not in the archive: it follows from the pushes.
        self.driven = self.bank.push.iter().any(|f| *f != 0.0);
        self.contacts.archive(archive);
        archive.numbers(&mut self.initial_velocity);
        archive.flag(&mut self.fresh);
        self.energy.archive(archive);
    }
}

impl Stepper for Modal {
    fn step(&mut self, input: &[f64]) -> Ledger {
        let mut ledger = Ledger::default();
        if self.constants.terminals.is_driven() {
            // The step from n to n + 1 takes the force at n, which is the second of both rows.
            self.drive(&input[self.constants.system.inputs.len()..]);
        }
        let driven = self.driven;
        self.contacts.read_inputs(input);
        self.fresh = false;
        // A sum over all modes takes about as long as a step: in between the energy is bounded by what flows.
        let is_looked_at = self.energy.begin_step();
        if is_looked_at {
            self.bank.settle();
            self.energy.look(self.bank.stored());
        }
        // By z, which needs the increment before the bank's step replaces it.
        let acted = self.contacts.look(&mut self.bank);
        let mut dissipated = self.bank.step(driven, acted);
        dissipated += self.compensate();
        self.near_nyquist.iter_mut().for_each(|mode| mode.step(&mut self.bank));
        let done = match acted {
            true => self.contacts.act(&mut self.bank, &mut self.slow, self.constants.dt),
            false => MoreauDone::default(),
        };
        ledger.effort = done.effort;
        if done.any_force {
            self.near_nyquist.iter_mut().for_each(|mode| mode.follow(&self.bank));
        }
        let supplied = if driven { self.bank.supplied() } else { 0.0 };
        // Increments are others now, also of slow modes and of those near Nyquist.
        if done.any_force {
            dissipated = self.bank.dissipated();
            // All modes are passed over anyway: what they store is known, and no bound is needed.
            self.energy.look(self.bank.stored());
        } else {
            self.energy.add(supplied - dissipated);
        }
        self.contacts.advance(self.energy.most(self.contacts.stored));
        ledger.supplied = supplied + done.supplied;
        ledger.dissipated = dissipated + done.dissipated;
        ledger.contact_work = done.work;
        ledger.leverage = done.leverage;
        if is_looked_at {
            ledger.leverage += self.bank.cancelled();
        }
        ledger
    }

    /// The energy at n + ½.
    fn energy(&mut self) -> f64 {
        self.bank.stored() + self.contacts.stored
    }

    /// The increment ahead changes as by the force p/Δt at this instant, and with it the energy at n + ½.
    fn change(&mut self, change: &Change) -> bool {
        let Change::Impulse(row, p) = change else { return false };
        let (c, after) = (&self.constants, &mut self.bank.after);
        // A force f changes the increment by f times the scale, and here f = p/Δt.
        row.for_each(|i, w| after[i] += p / c.dt * w * c.scale[i]);
        // Until the first step the velocity is the given one, not made of increments.
        if self.fresh {
            row.for_each(|i, w| self.initial_velocity[i] += p * w / c.system.mass[i]);
        }
        self.near_nyquist.iter_mut().for_each(|mode| mode.follow(&self.bank));
        self.contacts.disturb(&self.bank);
        self.energy.restart();
        true
    }

    fn state(&mut self, state: State) {
        match state {
            State::Start(motion, input) => self.start(motion, input),
            State::Tell(Motion { q, v }) | State::Show(Motion { q, v }) => {
                let c = &self.constants;
                for (i, (q, v)) in q.iter_mut().zip(v).enumerate() {
                    *q = c.scale[i] * self.bank.place[i];
                    *v = if self.fresh { self.initial_velocity[i] } else { c.velocities.of(i, &self.bank) };
                }
            }
            State::Complete(mut archive) => self.archive(&mut archive),
        }
    }

    fn outputs(&self, output: &mut [f64]) {
        let c = &self.constants;
        let velocity = |row: &Row, weights: &ReadWeights| match self.fresh {
            true => row.dot(&self.initial_velocity),
            false => c.velocities.along(weights, &self.bank),
        };
        let force = |quantity: &Quantity| quantity.mean_force(self.contacts.forces());
        c.terminals.read(&self.bank.place, force, velocity, |k, value| output[k] = value);
    }

    fn activity(&mut self, moment: &Moment, activity: &mut [Activity]) -> bool {
        self.contacts.ask_for(moment.gaps);
        self.contacts.take_activity(activity);
        true
    }
}

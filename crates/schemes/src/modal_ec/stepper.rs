//! The stepper of `modal-ec`: see [`super`] for its equations.

use super::{
    bank::{self, Bank, Watched},
    contacts::Contacts,
    coordinates::Coordinates,
    limit::left_out,
    precise::Precise,
    velocities::Velocities,
};
use crate::{
    interaction,
    linear::LEVERAGE_INTERVAL,
    modal::{
        links::{LinearParts, take_apart},
        pole::Pole,
        ports::Ports,
    },
};
use hamiltone_core::{
    ledger::{Bookkeeping, Fault, Ledger},
    refusal::Refusal,
    row::Row,
    state::{Archive, State},
    stepper::{Activity, Stepper},
    system::System,
};
use hamiltone_numerics::lcp::Method;
use std::sync::Arc;

/// What is constant.
struct Constants {
    system: Arc<System>,
    dt: f64,
    velocities: Velocities,
    ports: Ports,
}

/// A bank of modes in motion.
#[derive(Clone)]
pub(super) struct ModalStepper {
    constants: Arc<Constants>,
    bank: Bank,
    contacts: Contacts,
    precise: Vec<Precise>,
    clock: u32,
}

impl ModalStepper {
    pub fn new(scheme: &'static str, system: &Arc<System>, dt: f64, solver: Method) -> Result<Self, Refusal> {
        let LinearParts { stiffness, damping, links } = take_apart(scheme, system)?;
        let n = system.size();
        let (mut modes, mut constants) = (Vec::with_capacity(n), Vec::with_capacity(n));
        let mut angles = vec![0.0; n];
        for i in 0..n {
            let m = system.mass[i];
            let (square, sigma) = (stiffness[i] / m, 0.5 * damping[i] / m);
            if left_out(square, sigma, dt) {
                modes.push(Coordinates::default());
                constants.push(bank::constants(None));
            } else {
                let pole = Pole::new(square, sigma, dt);
                modes.push(Coordinates::new(&pole, m, dt));
                constants.push(bank::constants(Some(&pole)));
                angles[i] = dt.abs() * square.sqrt();
            }
        }
        let scale: Vec<f64> = modes.iter().map(|mode| mode.scale).collect();
        let velocities = Velocities::new(&modes);
        let interactions: Vec<_> = interaction::all(system).into_iter().chain(links).collect();
        let contacts = Contacts::new(system, interactions, &scale, solver);
        let watched = match (contacts.none(), contacts.any_rigid()) {
            (true, _) => Watched::Nothing,
            (false, false) => Watched::ForceLaws,
            (false, true) => Watched::RigidContacts,
        };
        let bank = Bank::new(&constants, watched);
        let mut stepper = Self {
            precise: Precise::among(&bank, &angles),
            bank,
            contacts,
            constants: Arc::new(Constants {
                dt,
                ports: Ports::new(system, &scale),
                system: system.clone(),
                velocities,
            }),
            clock: 0,
        };
        stepper.restore(&State::initial(system), &vec![0.0; system.inputs.len()]);
        Ok(stepper)
    }

    /// B(uⁿ + uⁿ⁺¹)/2, scaled.
    fn drive(&mut self, input: &[f64]) {
        let c = &self.constants;
        let count = c.system.inputs.len();
        c.ports.drive(|k| 0.5 * (input[k] + input[count + k]), &mut self.bank.push);
    }

    /// Every number that the next step depends on.
    fn archive(&mut self, archive: &mut Archive) {
        let Bank { place, speed, place_rest, speed_rest, .. } = &mut self.bank;
        [place, speed, place_rest, speed_rest].into_iter().for_each(|x| archive.numbers(x));
        self.contacts.archive(archive);
        archive.count(&mut self.clock);
    }

    fn stored(&self) -> f64 {
        self.bank.stored() + self.contacts.stored
    }
}

impl Stepper for ModalStepper {
    fn step(&mut self, input: &[f64], bookkeeping: Bookkeeping) -> Ledger {
        let mut ledger = Ledger::default();
        let driven = self.constants.ports.is_driven();
        if driven {
            self.drive(input);
        }
        if self.clock == 0 {
            self.bank.settle();
        }
        self.clock = self.clock.wrapping_add(1) % LEVERAGE_INTERVAL;
        self.precise.iter_mut().for_each(|mode| mode.read(&self.bank));
        let mut sums = self.bank.step(driven);
        self.precise.iter_mut().for_each(|mode| mode.step(&mut self.bank));
        if !self.contacts.none() {
            self.contacts.read_inputs(input);
            let done = self.contacts.act(&mut self.bank, &mut self.precise, self.constants.dt);
            sums = done.sums.unwrap_or(sums);
            ledger.effort = done.effort;
            ledger.contact_work = done.work;
            ledger.dissipated = done.dissipated;
            ledger.supplied = done.supplied;
            ledger.leverage = done.leverage;
        }
        if !sums.stored.is_finite() {
            ledger.effort.fault = Some(Fault::NonFinite);
        }
        if bookkeeping == Bookkeeping::Off {
            return Ledger { effort: ledger.effort, ..Ledger::default() };
        }
        ledger.stored = sums.stored + self.contacts.stored;
        ledger.dissipated += sums.dissipated;
        ledger.supplied += sums.supplied;
        ledger
    }

    fn impulse(&mut self, row: &Row, p: f64) -> f64 {
        let before = self.stored();
        let (c, speed) = (&self.constants, &mut self.bank.speed);
        row.for_each(|i, w| speed[i] += c.velocities.modes()[i].kick(p * w, c.system.mass[i]));
        self.stored() - before
    }

    fn restore(&mut self, state: &State, input: &[f64]) -> f64 {
        match state {
            State::Motion(motion) => {
                let Bank { place, speed, place_rest, speed_rest, .. } = &mut self.bank;
                for (i, mode) in self.constants.velocities.modes().iter().enumerate() {
                    let (q, v) = ((motion.q[i], motion.q_remainder[i]), (motion.v[i], motion.v_remainder[i]));
                    ((place[i], place_rest[i]), (speed[i], speed_rest[i])) = mode.of(q, v);
                }
                self.clock = 0;
                self.contacts.reset(&self.bank.place, input);
            }
            State::Complete(numbers) => self.archive(&mut Archive::Read(numbers)),
        }
        self.stored()
    }

    fn save(&mut self, state: &mut State) {
        match state {
            State::Motion(motion) => self.constants.velocities.save(&self.bank, motion),
            State::Complete(numbers) => {
                numbers.clear();
                self.archive(&mut Archive::Write(numbers));
            }
        }
    }

    fn outputs(&self, output: &mut [f64]) {
        let c = &self.constants;
        let velocity = |_: &Row, weights: &[f64]| c.velocities.along(weights, &self.bank);
        c.ports.read(&self.bank.place, self.contacts.forces(), velocity, output);
    }

    fn activity(&mut self, activity: &mut [Activity]) -> bool {
        activity.copy_from_slice(&self.contacts.activity);
        self.contacts.activity.fill(Activity::NONE);
        true
    }
}

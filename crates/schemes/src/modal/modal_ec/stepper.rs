//! The stepper of `modal-ec`: see [`super`] for its equations.

mod shared;

use super::{
    bank::{self, EcBank},
    contacts::EcContacts,
    coordinates::Coordinates,
    forms::{self, Forms},
    free_steps::FreeSteps,
    limit::left_out,
    port_forces::PortForces,
    pulls::Pulls,
    velocities::EcVelocities,
};
use crate::{
    interaction,
    modal::{
        followed_energy::FollowedEnergy,
        links::{LinearParts, take_apart},
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
use hamiltone_numerics::lcp::Method;
use std::sync::Arc;

/// What is constant.
struct EcConstants {
    system: Arc<System>,
    dt: f64,
    /// The diagonals of K and R.
    stiffness: Vec<f64>,
    damping: Vec<f64>,
    /// p of the modes, as they are at first.
    inertia: Vec<f64>,
    terminals: Terminals,
}

/// A bank of modes in motion.
#[derive(Clone)]
pub(super) struct ModalStepper {
    constants: Arc<EcConstants>,
    /// What was added to the diagonal of K, and what depends on it besides the bank.
    added: Vec<f64>,
    /// w of the modes, as forms have them.
    weights: Vec<f64>,
    velocities: Arc<EcVelocities>,
    bank: EcBank,
    contacts: EcContacts,
    ports: PortForces,
    free: FreeSteps,
    /// Whether forces of inputs acted in the last step, and whether elements may have.
    driven: bool,
    acted: bool,
    energy: FollowedEnergy,
    /// Where joints act.
    pulls: Pulls,
}

impl ModalStepper {
    /// A bank of the modes of `system`, on which joints act along these rows of its coordinates.
    pub fn new(
        scheme: &'static str,
        system: &Arc<System>,
        dt: f64,
        (solver, pulled): (Method, &[Row]),
    ) -> Result<Self, Refusal> {
        let LinearParts { stiffness, damping, links } = take_apart(scheme, system)?;
        let n = system.size();
        let (mut modes, mut constants, mut weights) = (Vec::new(), Vec::new(), vec![0.0; n]);
        for i in 0..n {
            let m = system.mass[i];
            let (square, sigma) = (stiffness[i] / m, 0.5 * damping[i] / m);
            if left_out(square, sigma, dt) {
                modes.push(Coordinates::default());
                constants.push(bank::constants(None));
            } else {
                let pole = Pole::new(square, sigma, dt);
                modes.push(Coordinates::new(&pole, m, dt));
                weights[i] = forms::weight(&pole);
                constants.push(bank::constants(Some(&pole)));
            }
        }
        let scale: Vec<f64> = modes.iter().map(|mode| mode.scale).collect();
        let velocities = Arc::new(EcVelocities::new(&modes));
        let interactions: Vec<_> = interaction::all(system).into_iter().chain(links).collect();
        let inertia: Vec<f64> = constants.iter().map(bank::inertia).collect();
        let pulls = Pulls::new(pulled, &scale, &inertia);
        let contacts = EcContacts::new(system, interactions, (&scale, &inertia, dt), solver);
        let bank = EcBank::new(&constants);
        let ports = PortForces::new(system, &scale, dt);
        Forms::refuse(scheme, system, &scale)?;
        let mut stepper = Self {
            bank,
            contacts,
            ports,
            free: FreeSteps::new(system.outputs.len()),
            constants: Arc::new(EcConstants {
                dt,
                terminals: Terminals::new(system, &scale),
                system: system.clone(),
                stiffness,
                damping,
                inertia,
            }),
            added: vec![0.0; n],
            weights,
            velocities,
            driven: false,
            acted: false,
            energy: FollowedEnergy::default(),
            pulls,
        };
        stepper.weigh();
        stepper.state(State::Start(&Motion::initial(system), &vec![0.0; system.inputs.len()]));
        Ok(stepper)
    }

    /// B(uⁿ + uⁿ⁺¹)/2, scaled; whether it is not 0.
    fn drive(&mut self, input: &[f64]) -> bool {
        let c = &self.constants;
        let count = c.system.inputs.len();
        let mean = |k| 0.5 * (input[k] + input[count + k]);
        self.driven = c.terminals.drive(mean, &mut self.bank.push, self.driven);
        self.driven
    }

    /// Every number that the next step depends on.
    pub(super) fn archive(&mut self, archive: &mut Archive) {
        // A remainder that no longer counts is saved as 0, so that a resumed run has the same bits.
        self.bank.forget_unkept();
        let EcBank { place, speed, place_rest, .. } = &mut self.bank;
        [place, speed, place_rest].into_iter().for_each(|x| archive.numbers(x));
        self.bank.kept = true;
        self.forget();
        self.contacts.forms.archive(archive);
        self.contacts.archive(archive, &self.bank.place);
        self.ports.archive(archive);
        self.energy.archive(archive);
        let mut is_retuned = false;
        for i in 0..self.added.len() {
            let mut added = self.added[i];
            archive.number(&mut added);
            if added != self.added[i] {
                is_retuned |= self.add_spring(i, added);
            }
        }
        if archive.reads() {
            self.reach_anew();
        }
        if is_retuned {
            self.weigh();
        }
    }

    /// Gives a mode that is stepped the poles of its stiffness and a spring, N/m, its ρ being as it was: positions, and the rows that
    /// read and push them, stay. What it stores then is ½K*q² with K* = g/ρ², its stiffness up to a part of order (ωΔt)² of the
    /// change. `false` where it would alias: then it stays as it is.
    fn add_spring(&mut self, i: usize, added: f64) -> bool {
        let Some(pole) = self.pole_with(i, added) else { return false };
        let (scale, dt) = (self.velocities.modes()[i].scale, self.constants.dt);
        self.bank.set_constants(i, bank::constants(Some(&pole)));
        Arc::make_mut(&mut self.velocities).set(i, Coordinates::scaled(&pole, scale, dt));
        self.added[i] = added;
        self.weights[i] = forms::weight(&pole);
        true
    }

    /// The pole of a mode with a spring added, if it has one that this scheme steps.
    fn pole_with(&self, i: usize, added: f64) -> Option<Pole> {
        let c = &self.constants;
        let (scale, mass) = (self.velocities.modes()[i].scale, c.system.mass[i]);
        let (square, sigma) = ((c.stiffness[i] + added) / mass, 0.5 * c.damping[i] / mass);
        let is_stepped = scale != 0.0 && square >= 0.0 && !left_out(square, sigma, c.dt);
        is_stepped.then(|| Pole::new(square, sigma, c.dt))
    }

    /// How many times p of a mode, as it was at first, is that with a spring added.
    pub fn growth_with(&self, i: usize, added: f64) -> f64 {
        let before = self.constants.inertia[i];
        if added == self.added[i] {
            return before / self.bank.inertia_of(i);
        }
        let inertia = |pole| bank::inertia(&bank::constants(Some(&pole)));
        self.pole_with(i, added).map_or(1.0, |pole| before / inertia(pole))
    }

    /// The spring that is added to a mode, N/m.
    pub fn added(&self, i: usize) -> f64 {
        self.added[i]
    }

    /// What holds a mode of the spring k that is part of its own, N/m: with what is added to it, in the scale of its coordinate.
    pub fn spring(&self, i: usize, k: f64) -> f64 {
        let (added, scale) = (self.added[i], self.velocities.modes()[i].scale);
        if scale == 0.0 {
            0.0
        } else if added == 0.0 {
            // As it was at first, with the same bits.
            k
        } else {
            let all = self.constants.stiffness[i] + added;
            self.bank.elastic(i) / (scale * scale) * ((k + added) / all)
        }
    }

    /// A joint pulls a mode along its row by this weight from now on; [`ModalStepper::renew_pulls`] is to follow.
    pub fn set_pull(&mut self, row: usize, i: usize, weight: f64) {
        let scale = self.velocities.modes()[i].scale;
        self.pulls.set_weight(row, i, weight * scale);
    }

    /// Joints pull along other rows.
    pub fn renew_pulls(&mut self) {
        let Self { pulls, bank, .. } = self;
        pulls.renew(|i| bank.inertia_of(i));
        self.forget();
    }

    /// Stiffnesses have been changed.
    fn reach_anew(&mut self) {
        let now = |i| self.bank.inertia_of(i);
        let growth = self.constants.inertia.iter().enumerate().map(|(i, inertia)| inertia / now(i));
        let growth = growth.fold(1.0, f64::max);
        self.contacts.retune(growth);
    }

    /// Forms have the weights of the modes as they are.
    fn weigh(&mut self) {
        let Self { weights, contacts, bank, .. } = self;
        contacts.forms.weigh(bank, |i| weights[i]);
    }

    /// Whether any form pushes at rest.
    pub fn is_pushed_at_rest(&self) -> bool {
        self.contacts.forms.push_at_rest()
    }

    /// Springs are added to modes, in place of those before; velocities stay.
    fn retune(&mut self, added: &[f64]) {
        for (i, &added) in added.iter().enumerate() {
            // An unchanged mode keeps its bits.
            if added == self.added[i] {
                continue;
            }
            let velocity = self.velocities.modes()[i].motion(self.bank.place[i], self.bank.speed[i]).1;
            if self.add_spring(i, added) {
                self.bank.speed[i] = self.velocities.modes()[i].speed_of(self.bank.place[i], velocity);
            }
        }
        self.reach_anew();
        self.weigh();
        self.contacts.store(&self.bank.place);
        self.ports.store(&self.bank.place);
    }

    /// What joints read: c·U of each row.
    pub fn halfway(&mut self) -> &[f64] {
        self.pulls.halfway(&mut self.bank)
    }

    /// The same at the step before, and Σ|c|(|X| + |Y|).
    pub fn halfway_before(&mut self, before: &mut [f64], sizes: &mut [f64]) {
        self.pulls.before(&mut self.bank, before, sizes);
    }

    /// What it stores, J.
    pub fn stored(&mut self) -> f64 {
        let own = self.bank.stored() + self.contacts.stored + self.ports.stored;
        if self.contacts.forms.none() {
            return own;
        }
        own + self.contacts.forms.stored(&mut self.bank, self.pulls.only_row())
    }

    /// A mode is lifted by these X and Y times its scale, m; [`ModalStepper::lifted`] is to follow.
    pub fn lift(&mut self, i: usize, [x, y]: [f64; 2]) {
        let scale = self.velocities.modes()[i].scale;
        self.bank.place[i] += x / scale;
        self.bank.speed[i] += y / scale;
    }

    /// Modes have been lifted.
    pub fn lifted(&mut self) {
        self.contacts.store(&self.bank.place);
        self.ports.store(&self.bank.place);
        self.disturb();
    }

    /// The momentum of a mode changes by p, N s; [`ModalStepper::disturb`] is to follow.
    pub fn kick(&mut self, i: usize, p: f64) {
        let mode = &self.velocities.modes()[i];
        self.bank.speed[i] += mode.kick(p, self.constants.system.mass[i]);
    }

    /// What was read of the state holds no longer.
    fn forget(&mut self) {
        self.pulls.forget();
        self.contacts.forms.forget();
    }

    /// The state has been changed between two steps.
    pub fn disturb(&mut self) {
        self.contacts.disturb();
        self.energy.restart();
        self.forget();
    }

    /// Gives the outputs as they are now to `set`, with their numbers.
    pub fn read_outputs(&self, set: impl FnMut(usize, f64)) {
        let c = &self.constants;
        let velocity = |_: &Row, weights: &ReadWeights| self.velocities.along(weights, &self.bank);
        let place = &self.bank.place;
        let other = |quantity: &Quantity| match quantity {
            Quantity::Tension(weights, row) => {
                self.contacts.forms.tension(weights, place) + self.velocities.place(row, place)
            }
            force => force.mean_force(self.contacts.forces()),
        };
        c.terminals.read(place, other, velocity, set);
    }

    /// Σ rᵢrⱼ/2p of the rows i and j of joints.
    pub fn compliance(&self) -> Vec<f64> {
        self.pulls.compliance(|i| self.bank.inertia_of(i))
    }

    /// All modes, at regular steps: those that have died away are put to rest, and what all store is taken.
    fn look_at_all(&mut self) {
        self.bank.settle();
        // What a mode held that is at rest now was worth less than rounding, but U must be that of the state.
        self.forget();
        self.energy.look(self.bank.stored());
    }

    /// Takes over what inputs are at both ends of the step that begins. Where nothing has changed since they were read last, they need not be
    /// read again.
    pub fn read_inputs(&mut self, input: &[f64]) {
        // Without forces among the inputs there is nothing to drive with.
        let _ = self.constants.terminals.is_driven() && self.drive(input);
        if self.contacts.forms.read_inputs(input) {
            // What strains them is given to the modes, and no stored energy bounds it.
            self.contacts.disturb();
        }
        self.contacts.read_inputs(input);
        self.ports.read_inputs(input);
    }

    /// One step in which joints push along their rows with these forces, the inputs being what was read last.
    pub fn step_pulled(&mut self, forces: &[f64]) -> Ledger {
        let mut ledger = Ledger::default();
        if self.energy.begin_step() {
            self.look_at_all();
        }
        if !forces.is_empty() {
            self.contacts.expect(self.pulls.size(forces));
        }
        let ported = self.ports.act_now();
        if ported {
            // No bound is known of what a port pushes with: all contacts can matter.
            self.contacts.disturb();
            self.ports.read_places(&mut self.bank);
        }
        let meet = !self.contacts.none() && self.contacts.look(&mut self.bank, self.driven);
        self.acted = meet || ported;
        let pull = (!forces.is_empty()).then(|| self.pulls.pull(forces));
        let has_forms = !self.contacts.forms.none();
        let acts = (self.driven, self.acted);
        let mut sums = match has_forms {
            true => self.contacts.forms.step(&mut self.bank, acts, (pull, forces.len() == 1)),
            false => self.bank.step(acts.0, acts.1, pull),
        };
        self.pulls.read_by(&sums);
        ledger.dissipated = self.ports.take_released();
        let mut is_pushed = has_forms && self.contacts.forms.pushed();
        if self.acted {
            let done = match ported {
                true => self.ports.act(&mut self.bank, &mut self.contacts, meet),
                false => self.contacts.act(&mut self.bank, self.constants.dt),
            };
            is_pushed |= done.sums.is_some();
            sums = done.sums.unwrap_or(sums);
            ledger.effort = done.effort;
            ledger.contact_work = done.work;
            ledger.dissipated += done.dissipated;
            ledger.supplied = done.supplied;
            ledger.leverage = done.leverage;
            self.energy.add(done.given);
        }
        if is_pushed {
            sums.pulled = self.pulls.work(&self.bank.moved, forces);
            self.forget();
        }
        let mut held = 0.0;
        if has_forms {
            let flows = self.contacts.forms.flows(&self.bank.moved);
            self.energy.add(flows.given);
            ledger.supplied += flows.supplied;
            ledger.leverage += flows.leverage;
            held = flows.held;
        }
        self.energy.add(sums.supplied + sums.pulled - sums.dissipated);
        self.contacts.advance(self.energy.most(self.contacts.stored) + held);
        ledger.dissipated += sums.dissipated;
        ledger.supplied += sums.supplied;
        ledger
    }
}

impl Stepper for ModalStepper {
    fn step(&mut self, input: &[f64]) -> Ledger {
        self.read_inputs(input);
        self.step_pulled(&[])
    }

    fn free_steps(&mut self, dissipated: &mut [f64], outputs: &mut [f64]) -> usize {
        let terminals = &self.constants.terminals;
        if !self.contacts.forms.none()
            || self.driven
            || self.ports.act_now()
            || !terminals.read_modes_only()
            || !self.contacts.is_free()
        {
            return 0;
        }
        let (is_due, until) = self.energy.due();
        if is_due {
            self.look_at_all();
        }
        let most = dissipated.len().min(until);
        let steps = self.contacts.free_steps(self.energy.most(0.0), most);
        if steps == 0 {
            return 0;
        }
        self.bank.kept = false;
        let Self { free, bank, velocities, constants, .. } = self;
        let dissipated = &mut dissipated[..steps];
        free.take(bank, (velocities, &constants.terminals), dissipated, outputs);
        self.energy.begin_steps(steps);
        // One by one, as single steps add them: the same bits.
        dissipated.iter().for_each(|dissipated| self.energy.add(-dissipated));
        steps
    }

    fn energy(&mut self) -> f64 {
        self.stored()
    }

    fn change(&mut self, change: &Change) -> bool {
        match change {
            Change::Impulse(row, p) => row.for_each(|i, w| self.kick(i, p * w)),
            Change::Springs(added) => self.retune(added),
            Change::Rest(_) => return false,
        }
        self.disturb();
        true
    }

    fn state(&mut self, state: State) {
        match state {
            State::Start(motion, input) => {
                // A force that overflows leaves NaNs beyond the last mode, too, which sums over eights would meet for ever.
                self.bank.place.fill(0.0);
                self.bank.speed.fill(0.0);
                for (i, mode) in self.velocities.modes().iter().enumerate() {
                    (self.bank.place[i], self.bank.speed[i]) = mode.of(motion.q[i], motion.v[i]);
                }
                self.energy.restart();
                self.contacts.forms.reset(input);
                self.bank.place_rest.fill(0.0);
                self.contacts.reset(&self.bank.place, input);
                self.ports.reset(&self.bank.place);
                self.forget();
            }
            State::Tell(motion) => self.velocities.tell(&self.bank, motion, Coordinates::motion),
            State::Show(motion) => self.velocities.tell(&self.bank, motion, Coordinates::shown),
            State::Complete(mut archive) => self.archive(&mut archive),
        }
    }

    fn outputs(&self, output: &mut [f64]) {
        self.read_outputs(|k, value| output[k] = value);
    }

    fn activity(&mut self, moment: &Moment, activity: &mut [Activity]) -> bool {
        self.contacts.ask_for(moment.gaps);
        self.contacts.take_activity(activity);
        true
    }
}

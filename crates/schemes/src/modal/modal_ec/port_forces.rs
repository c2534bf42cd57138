//! Ports in a step: laws that solve their own equation, beside contacts, dampers and each other.
//!
//!   σ = σ₀ − G F,   w = (σ − Δh)/Δt,   Y = G/Δt,   G = CCᵀ   (rows scaled like the state)
//!
//! σ (m) is how far the rows move in the step, σ₀ without the port, Δh (m) what inputs prescribe. Alone on its body a port is solved once. Where other
//! elements or ports act in the step, their forces depend on its force, and the solution is found in turns: contacts are solved with the forces of
//! the ports as they are, and each port with the σ that its rows have then. Of a single port σ falls with its forces, linearly as long as the
//! same contacts push: the effective compliance of the next turn is learnt from the last two (`effective.rs`), so that a few turns find the solution.
//! The memory of a port is that of the start of the step in each turn: which of several forces acts is decided anew.
//!
//! Where the turns do not converge, each port becomes the damper f = rw with r = |F|/|w| of the last turn: its force rises with the rate, so that
//! there is one solution, which takes energy. The step is reported as one that did not converge.

use super::{
    bank::{EcBank, Sums},
    contacts::{EcContacts, EcDone},
    effective::Effective,
    port_rows::PortRows,
};
use crate::modal::eights::zeros;
use hamiltone_core::{
    element::Law,
    input::Action,
    ledger::Fault,
    port::{PortStep, Ported},
    state::Archive,
    system::System,
};
use hamiltone_numerics::aligned::Aligned;
use std::{ops::Range, sync::Arc};

/// Turns by the law, and then by dampers in its place.
const TURNS: u32 = 24;
const TURNS_AS_DAMPERS: u32 = 48;
/// The slowest rate by which such a damper is found, m/s.
const SLOW: f64 = 1e-5;
/// Roundings of what σ is added up from, below which a turn changes nothing.
const ROUNDINGS: f64 = 8.0;
/// So many times that many are rounding as well where from this turn on another one does not bring them down; how others answer is learnt from larger changes.
const STAYS: f64 = 1e5;
const SETTLED: u32 = 10;

/// A port with its place among the rows and numbers of all.
struct Port {
    /// Its number among the elements.
    element: usize,
    law: Ported,
    rows: Range<usize>,
    memory: Range<usize>,
}

/// What is constant.
struct Constants {
    ports: Vec<Port>,
    /// Moving references and prescribed rates: (input, row).
    motions: Vec<(usize, usize)>,
    rates: Vec<(usize, usize)>,
    /// Controls: (input, port).
    controls: Vec<(usize, usize)>,
    /// Branches: (input, port).
    branches: Vec<(usize, usize)>,
    /// Whether any depends on where its rows are.
    reads_places: bool,
    inputs: usize,
    dt: f64,
}

#[derive(Clone)]
pub(super) struct PortForces {
    constants: Arc<Constants>,
    rows: PortRows,
    /// The ports that are not idle.
    acting: Vec<usize>,
    /// Control values of the ports and what inputs put them at, Δh of their rows, and F, N.
    controls: Vec<f64>,
    branches: Vec<f64>,
    shifts: Vec<f64>,
    forces: Vec<f64>,
    /// What is remembered, and what was when the step began.
    memory: Vec<f64>,
    before: Vec<f64>,
    /// r of the rows where dampers stand for ports.
    resistances: Vec<f64>,
    /// σ and the sizes that it is added up from; F of the turn, w_f and Y of one port.
    sigma: Vec<f64>,
    sizes: Vec<f64>,
    next: Vec<f64>,
    free: Vec<f64>,
    mobility: Vec<f64>,
    /// C of a single port.
    effective: Effective,
    /// c·q and c·(q + ½Δt v) of the rows when the step begins, m: 0 unless any port reads them.
    places: Vec<f64>,
    halfway: Vec<f64>,
    push: Aligned,
    /// What ports store, and what the memories of those held that have become idle since the last step, J.
    pub stored: f64,
    released: f64,
    /// Whether the rows of any are others than in the step before, and what ports store more by that, J.
    remixed: bool,
    put: f64,
}

impl PortForces {
    /// The ports of `system`, rows scaled by `scale`.
    pub fn new(system: &System, scale: &[f64], dt: f64) -> Self {
        let (mut ports, mut count, mut memory) = (Vec::new(), 0, 0);
        for (number, element) in system.elements.iter().enumerate() {
            let Law::Port(law) = &element.law else { continue };
            let (rows, size) = (law.port.measures().len(), law.port.memory());
            ports.push(Port {
                element: number,
                law: law.clone(),
                rows: count..count + rows,
                memory: memory..memory + size,
            });
            (count, memory) = (count + rows, memory + size);
        }
        let mut constants = Constants {
            motions: Vec::new(),
            rates: Vec::new(),
            controls: Vec::new(),
            branches: Vec::new(),
            reads_places: ports.iter().any(|port: &Port| port.law.port.reads_places()),
            inputs: system.inputs.len(),
            dt,
            ports,
        };
        for (k, input) in system.inputs.iter().enumerate() {
            let ports = |elements: &Range<usize>| {
                let among = |(_, port): &(usize, &Port)| elements.contains(&port.element);
                constants
                    .ports
                    .iter()
                    .enumerate()
                    .filter(among)
                    .map(|(i, port)| (i, port.rows.start))
                    .collect()
            };
            let found: Vec<(usize, usize)> = match &input.action {
                Action::Motion(elements)
                | Action::Rate(elements)
                | Action::Branch(elements)
                | Action::Control(elements) => ports(elements),
                Action::Force(_) | Action::Strain(_) | Action::Custom { .. } => continue,
            };
            // What an input prescribes is that of the first row.
            let rows = found.iter().map(|(_, row)| (k, *row));
            let ports = found.iter().map(|(port, _)| (k, *port));
            match &input.action {
                Action::Motion(_) => constants.motions.extend(rows),
                Action::Rate(_) => constants.rates.extend(rows),
                Action::Branch(_) => constants.branches.extend(ports),
                _ => constants.controls.extend(ports),
            }
        }
        let widest = constants.ports.iter().map(|port| port.rows.len()).max().unwrap_or(0);
        let elements = constants.ports.iter().map(|port| &system.elements[port.element]);
        let rows = PortRows::new(elements, scale);
        let zero = || vec![0.0; count];
        let mut all = Self {
            rows,
            acting: Vec::with_capacity(constants.ports.len()),
            controls: constants.ports.iter().map(|port| port.law.control).collect(),
            branches: vec![0.0; constants.ports.len()],
            shifts: zero(),
            forces: zero(),
            memory: vec![0.0; memory],
            before: vec![0.0; memory],
            resistances: zero(),
            sigma: zero(),
            sizes: zero(),
            next: zero(),
            free: vec![0.0; widest],
            mobility: vec![0.0; widest * widest],
            effective: Effective::new(widest),
            places: zero(),
            halfway: zero(),
            push: zeros(scale.len()),
            stored: 0.0,
            released: 0.0,
            remixed: false,
            put: 0.0,
            constants: Arc::new(constants),
        };
        all.list_acting();
        all
    }

    /// Whether any can have a force in the step that begins.
    pub fn act_now(&self) -> bool {
        !self.acting.is_empty()
    }

    /// Nothing is remembered, with the coordinates at `place`.
    pub fn reset(&mut self, place: &[f64]) {
        self.memory.fill(0.0);
        self.released = 0.0;
        self.store(place);
    }

    /// What ports store with the coordinates at `place`.
    pub fn store(&mut self, place: &[f64]) {
        if self.constants.reads_places {
            let Self { rows, places, .. } = self;
            rows.all(place, places);
        }
        self.stored = self.held();
    }

    /// The energy of ports with the memories and the places that they have now, J.
    fn held(&self) -> f64 {
        let held = |port: &Port| {
            let (law, rows) = (&port.law.port, &self.places[port.rows.clone()]);
            law.stored(&self.memory[port.memory.clone()]) + law.energy(&|i| rows[i])
        };
        self.constants.ports.iter().map(held).sum()
    }

    /// Reads where rows are before the bank takes the step that begins.
    pub fn read_places(&mut self, bank: &mut EcBank) {
        if self.constants.reads_places {
            bank.meet();
            let Self { rows, places, halfway, .. } = self;
            rows.all(&bank.place, places);
            rows.all(&bank.halfway, halfway);
            if std::mem::take(&mut self.remixed) {
                let held = self.held();
                self.put = held - std::mem::replace(&mut self.stored, held);
            }
        }
    }

    /// Every number that the next step depends on.
    pub fn archive(&mut self, archive: &mut Archive) {
        archive.numbers(&mut self.memory);
        archive.number(&mut self.stored);
        archive.number(&mut self.released);
        archive.numbers(&mut self.branches);
        if archive.reads() {
            for (port, branch) in self.constants.ports.iter().zip(&self.branches) {
                self.rows.put(port.rows.clone(), port.law.port.branches(), *branch);
            }
        }
    }

    /// Moves references and controls to the step that begins: `input` holds the values at both its ends.
    pub fn read_inputs(&mut self, input: &[f64]) {
        let c = &self.constants;
        if c.ports.is_empty() {
            return;
        }
        self.shifts.fill(0.0);
        for &(k, row) in &c.motions {
            self.shifts[row] += input[c.inputs + k] - input[k];
        }
        for &(k, row) in &c.rates {
            self.shifts[row] += c.dt * (0.5 * (input[k] + input[c.inputs + k]));
        }
        for &(k, port) in &c.branches {
            self.branches[port] = 0.5 * (input[k] + input[c.inputs + k]);
            let Port { law, rows, .. } = &c.ports[port];
            self.remixed |= self.rows.put(rows.clone(), law.port.branches(), self.branches[port]);
        }
        for &(k, port) in &c.controls {
            self.controls[port] = 0.5 * (input[k] + input[c.inputs + k]);
        }
        self.list_acting();
    }

    /// Finds the ports that are not idle; others forget what they remember.
    fn list_acting(&mut self) {
        let Self { constants, acting, controls, memory, stored, released, .. } = self;
        acting.clear();
        for (i, (port, control)) in constants.ports.iter().zip(controls.iter()).enumerate() {
            let law = &port.law;
            if !law.port.is_idle(law.seen(*control)) {
                acting.push(i);
                continue;
            }
            let own = &mut memory[port.memory.clone()];
            if own.iter().any(|x| *x != 0.0) {
                let held = law.port.stored(own);
                own.fill(0.0);
                (*stored, *released) = (*stored - held, *released + held);
            }
        }
    }

    /// The energy that ports held which have become idle since this was last asked, J: it is lost.
    pub fn take_released(&mut self) -> f64 {
        std::mem::take(&mut self.released)
    }

    /// Lets ports, and contacts where they `meet` them in the step, act on the step that the bank has taken without them.
    pub fn act(&mut self, bank: &mut EcBank, contacts: &mut EcContacts, meet: bool) -> EcDone {
        let mut done = EcDone::default();
        self.before.copy_from_slice(&self.memory);
        self.forces.fill(0.0);
        if meet {
            contacts.begin();
        }
        let (pushed, answer) = match self.acting[..] {
            [one] if !meet => {
                self.read_way(bank, None);
                done.effort.iterations = self.meet_law(one, false);
                (Some(self.push(bank, true)), false)
            }
            _ => self.take_turns(bank, contacts, meet, &mut done),
        };
        if answer {
            contacts.finish(bank, self.constants.dt, pushed.is_none(), &mut done);
        }
        done.sums = done.sums.or(pushed);
        self.book(bank, &mut done);
        for port in self.acting.iter().map(|i| &self.constants.ports[*i]) {
            // Of a reed the force on it, not the flow.
            contacts.tell(port.element, self.forces[port.rows.end - 1], self.constants.dt);
        }
        done
    }

    /// Solves ports and contacts in turns, with the forces of the ports pushed and those of contacts not: what the last push left, and whether
    /// contacts answer.
    fn take_turns(
        &mut self,
        bank: &mut EcBank,
        contacts: &mut EcContacts,
        meet: bool,
        done: &mut EcDone,
    ) -> (Option<Sums>, bool) {
        let (mut pushed, mut excess, mut unmet) = (None, f64::INFINITY, None);
        let single = match self.acting[..] {
            [one] => Some(self.constants.ports[one].rows.clone()),
            _ => None,
        };
        for turn in 0..TURNS_AS_DAMPERS {
            let answers = meet && contacts.solve(bank, self.constants.dt, &mut done.effort);
            self.read_way(bank, answers.then(|| contacts.pushes()));
            if let Some(rows) = &single {
                let own = |a: usize, b: usize| self.rows.compliance(rows.start + a, rows.start + b);
                let of = (&self.forces[rows.clone()], &self.sigma[rows.clone()]);
                // A change that is rounding teaches nothing.
                if excess > STAYS {
                    self.effective.learn(own, of, turn == 0);
                }
            }
            if turn == TURNS {
                unmet = Some(Fault::NotConverged(excess));
                self.become_dampers();
            }
            done.effort.iterations += 1;
            for k in 0..self.acting.len() {
                let port = self.acting[k];
                match turn < TURNS {
                    true => done.effort.iterations += self.meet_law(port, single.is_some()),
                    false => self.meet_dampers(port, single.is_some()),
                }
            }
            let last = std::mem::replace(&mut excess, self.change());
            // The force of a reed is a difference of larger ones: it repeats to its own rounding alone.
            let repeats = excess <= 1.0 || turn >= SETTLED && excess <= STAYS && excess > 0.25 * last;
            if turn > 0 && repeats {
                done.effort.fault = done.effort.fault.or(unmet);
                return (pushed, answers);
            }
            pushed = Some(self.push(bank, pushed.is_none()));
        }
        let answers = meet && contacts.solve(bank, self.constants.dt, &mut done.effort);
        done.effort.fault = Some(Fault::NotConverged(excess));
        (pushed, answers)
    }

    /// σ with the forces that were pushed and those that contacts are about to push with.
    fn read_way(&mut self, bank: &EcBank, contacts: Option<&[f64]>) {
        let Self { rows, sigma, sizes, next, forces, .. } = self;
        // Twice Σ|cᵢsᵢ|.
        rows.all_with_sizes([&bank.moved, &bank.moved], sigma, sizes);
        if let Some(pushes) = contacts {
            sigma.iter_mut().enumerate().for_each(|(row, sigma)| *sigma += rows.dot(row, pushes));
        }
        next.copy_from_slice(forces);
    }

    /// Solves a port with the σ that its rows have now.
    fn meet_law(&mut self, port: usize, single: bool) -> u32 {
        let Self { constants, controls, sigma, shifts, forces, memory, before, next, free, mobility, .. } =
            self;
        let (places, halfway, effective) = (&self.places, &self.halfway, &self.effective);
        let (port, control, dt, all) = (&constants.ports[port], controls[port], constants.dt, &self.rows);
        let (rows, count) = (port.rows.clone(), port.rows.len());
        for (a, i) in rows.clone().enumerate() {
            let mut way = sigma[i] - shifts[i];
            for (b, j) in rows.clone().enumerate() {
                let own = if single { effective.at(a, b) } else { all.compliance(i, j) };
                mobility[a * count + b] = own / dt;
                way += own * forces[j];
            }
            free[a] = way / dt;
        }
        let memory = &mut memory[port.memory.clone()];
        memory.copy_from_slice(&before[port.memory.clone()]);
        let (free, mobility) = (&free[..count], &mobility[..count * count]);
        let (places, halfway) = (&places[rows.clone()], &halfway[rows.clone()]);
        let step = PortStep { dt, free, mobility, control: port.law.seen(control), places, halfway };
        let iterations = port.law.port.meet(&step, memory, &mut next[rows.clone()]);
        self.move_others(rows);
        iterations
    }

    /// The ports solved after these rows move by what the forces of these have changed by.
    fn move_others(&mut self, rows: Range<usize>) {
        for j in rows.clone() {
            let more = self.next[j] - self.forces[j];
            for i in (0..self.sigma.len()).filter(|i| !rows.contains(i)) {
                self.sigma[i] -= self.rows.compliance(i, j) * more;
            }
        }
    }

    /// From here on dampers stand for the ports, which remember what they did before: a memory can store what only the law would have supplied.
    fn become_dampers(&mut self) {
        let Self { resistances, next, sigma, shifts, constants, .. } = self;
        self.memory.copy_from_slice(&self.before);
        for (((resistance, force), sigma), shift) in
            resistances.iter_mut().zip(next.iter()).zip(sigma.iter()).zip(shifts.iter())
        {
            *resistance = force.abs() / ((sigma - shift) / constants.dt).abs().max(SLOW);
        }
    }

    /// The same with f = rw of each row.
    fn meet_dampers(&mut self, port: usize, single: bool) {
        let rows = self.constants.ports[port].rows.clone();
        for (a, row) in rows.clone().enumerate() {
            let own = match single {
                true => self.effective.at(a, a),
                false => self.rows.compliance(row, row),
            };
            let way = self.sigma[row] - self.shifts[row] + own * self.forces[row];
            let resistance = self.resistances[row] / self.constants.dt;
            self.next[row] = resistance * way / (1.0 + own * resistance);
            self.move_others(row..row + 1);
        }
    }

    /// By how much the ways would change with the forces of this turn, over the rounding that they are known to.
    fn change(&self) -> f64 {
        let miss = |i: usize| {
            let more = |j: usize| self.rows.compliance(i, j) * (self.next[j] - self.forces[j]);
            let change: f64 = (0..self.sigma.len()).map(more).sum();
            let size =
                self.sizes[i] + self.shifts[i].abs() + self.rows.compliance(i, i) * self.forces[i].abs();
            change.abs() / (ROUNDINGS * f64::EPSILON * size + f64::MIN_POSITIVE)
        };
        (0..self.sigma.len()).map(miss).fold(0.0, f64::max)
    }

    /// Pushes with what the forces of the turn are more than before.
    fn push(&mut self, bank: &mut EcBank, first: bool) -> Sums {
        self.push.fill(0.0);
        for (row, next) in self.next.iter().enumerate() {
            let more = next - self.forces[row];
            if more != 0.0 {
                self.rows.add(row, -more, &mut self.push);
            }
        }
        self.forces.copy_from_slice(&self.next);
        bank.add(&self.push, first)
    }

    /// What ports took and were supplied with, by the ways as the step made them.
    fn book(&mut self, bank: &EcBank, done: &mut EcDone) {
        self.read_way(bank, None);
        let before = self.stored;
        if self.constants.reads_places {
            self.places.iter_mut().zip(&self.sigma).for_each(|(place, sigma)| *place += sigma);
        }
        self.stored = self.held();
        done.supplied += std::mem::take(&mut self.put);
        let c = &self.constants;
        let (mut taken, leverage) = (before - self.stored, done.leverage);
        for port in self.acting.iter().map(|i| &c.ports[*i]) {
            for row in port.rows.clone().filter(|row| self.forces[*row] != 0.0) {
                let (force, sigma, shift) = (self.forces[row], self.sigma[row], self.shifts[row]);
                done.supplied -= force * shift;
                done.given -= force * sigma;
                taken += force * (sigma - shift);
                // Against a steady push the way is a small difference of that push and the port's own.
                let own = self.rows.compliance(row, row) * force.abs();
                done.leverage += force.abs() * (0.5 * self.sizes[row] + own);
            }
        }
        // A string that sticks goes with the bow, and a reed that is shut stays, but for a rounding of either sign: it is part of the balance. What ports gave
        // beyond that would be missing in it.
        let rounding = ROUNDINGS * f64::EPSILON * (done.leverage - leverage + before + self.stored);
        done.dissipated += taken.max(-rounding);
    }
}

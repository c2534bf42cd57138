//! Banks that joints couple: each takes its own step, with pushes that are known before it.
//!
//!   w = φ·U,  ζ = Σ Kᵢbᵢ Uᵢ        F = w along the row of ζ,  ζ − Dw along φ
//!   V = ½ Σ D w w⁻ − ½ Σ (ζw⁻ + ζ⁻w)        w⁻, ζ⁻ at U⁻ = X − Y, U of the step before
//!
//! A joint's potential ½qᵀCq ([`hamiltone_core::joint`]) is taken at U: since U⁺ − U⁻ = 2S, whatever acts in the step, −(CU)·S is the
//! change of ½U⁺ᵀCU − ½UᵀCU⁻ (Bilbao 2008; Ducceschi & Bilbao 2022). So the balance is exact and nothing is solved: contacts and
//! dampers of a string know nothing of the strings beside it. What is stored,
//!
//!   Σ (pY² + ½gX²) + ½(XᵀCX − YᵀCY),
//!
//! is a sum of squares where λ, the largest eigenvalue of C on 2p, is below 1 (`joint_limit.rs`): K + C is one already. The bodies that
//! elements, links or inputs connect are one bank.

use super::{joint_limit::largest_ratio, limit::left_out, stepper::ModalStepper};
use crate::modal::links::take_apart;
use hamiltone_core::{
    instant::Moment,
    islands::{Island, islands},
    joint::Coupling,
    ledger::Ledger,
    refusal::Refusal,
    row::Row,
    state::{Motion, State},
    stepper::{Activity, Change, Stepper},
    system::System,
};
use hamiltone_numerics::lcp::Method;
use std::{ops::Range, sync::Arc};

/// A joint: its first row ζ and D; its rows w follow in the list of places.
#[derive(Debug)]
struct Link {
    pulls: Range<usize>,
    places: Vec<usize>,
    stiffness: Vec<f64>,
}

/// What is constant.
struct JoinedConstants {
    links: Vec<Link>,
    /// The coordinates that joints read: of bodies that stand, and of those under them.
    joined: Vec<usize>,
    inputs: usize,
    /// The member of each coordinate, and its number there.
    owners: Vec<(usize, usize)>,
}

/// A bank, and what it is of the whole.
#[derive(Clone)]
struct Member {
    stepper: ModalStepper,
    part: Arc<Island>,
    /// The rows of joints that it has.
    rows: Arc<[usize]>,
    /// Scratch: forces along these rows and the sizes of what they read, inputs at both ends of a step, elements.
    forces: Vec<f64>,
    sizes: Vec<f64>,
    inputs: Vec<f64>,
    activity: Vec<Activity>,
    motion: Motion,
}

/// Banks in motion, joined.
#[derive(Clone)]
pub(super) struct JoinedStepper {
    constants: Arc<JoinedConstants>,
    members: Vec<Member>,
    /// c·U, c·U⁻ and f of all rows of joints.
    halfway: Vec<f64>,
    before: Vec<f64>,
    forces: Vec<f64>,
    /// Σ|c|(|X| + |Y|) of all rows.
    sizes: Vec<f64>,
    /// What a rounding of the rows is worth, over eps, J, where the energy was last taken.
    leverage: f64,
}

/// The rows of all joints, those of places once.
#[derive(Default)]
struct JointRows {
    rows: Vec<Row>,
    links: Vec<Link>,
}

impl JointRows {
    fn of(system: &System, moves: impl Fn(usize) -> bool) -> Self {
        let mut all = Self::default();
        for joint in &system.joints {
            let Coupling { pulls, stiffness } = joint.coupling(&moves);
            let first = all.rows.len();
            all.rows.extend(pulls);
            let pulls = first..all.rows.len();
            let places = joint.supports.iter().map(|support| all.place(&support.place)).collect();
            all.links.push(Link { pulls, places, stiffness });
        }
        all
    }

    /// The number of a row of a place: strings on one place of a bridge share it.
    fn place(&mut self, row: &Row) -> usize {
        let known = self.links.iter().flat_map(|link| &link.places).find(|k| self.rows[**k] == *row);
        known.copied().unwrap_or_else(|| {
            self.rows.push(row.clone());
            self.rows.len() - 1
        })
    }
}

/// The banks of a system, the rows of its joints, and λ.
fn prepared(
    scheme: &'static str,
    system: &Arc<System>,
    dt: f64,
    solver: Method,
) -> Result<(Vec<Member>, JointRows, f64), Refusal> {
    let parts = take_apart(scheme, system)?;
    let moves = |i: usize| {
        let m = system.mass[i];
        !left_out(parts.stiffness[i] / m, 0.5 * parts.damping[i] / m, dt)
    };
    let joints = JointRows::of(system, moves);
    let apart = System { joints: Vec::new(), ..(**system).clone() };
    let member = |part| Member::new(scheme, part, &joints.rows, dt, solver);
    let members = islands(&apart).into_iter().map(member).collect::<Result<Vec<Member>, Refusal>>()?;
    let size = joints.rows.len();
    let banks = members.iter().map(|member| (&member.rows[..], member.stepper.compliance()));
    let lambda =
        largest_ratio(size, banks, |form| joints.links.iter().for_each(|link| link.add_to(form, size)));
    Ok((members, joints, lambda))
}

/// λ of the joints of a system, if it has any and their bodies are banks of modes.
pub(super) fn joint_ratio(scheme: &'static str, system: &System, dt: f64, solver: Method) -> Option<f64> {
    let has_joints = !system.joints.is_empty();
    has_joints
        .then(|| prepared(scheme, &Arc::new(system.clone()), dt, solver).ok().map(|(.., lambda)| lambda))?
}

impl JoinedStepper {
    pub fn new(scheme: &'static str, system: &Arc<System>, dt: f64, solver: Method) -> Result<Self, Refusal> {
        let (members, JointRows { rows, links }, lambda) = prepared(scheme, system, dt, solver)?;
        if lambda >= 1.0 {
            return Err(Refusal::OutOfRange {
                scheme,
                what: format!(
                    "λ = {lambda:.4} of its joints is 1 or more: their bodies are too light for what stands on them at this step"
                ),
                instead: "use a higher rate, or heavier bodies under the joints".into(),
            });
        }
        let mut owners = vec![(0, 0); system.size()];
        for (number, member) in members.iter().enumerate() {
            member.part.dofs.iter().enumerate().for_each(|(own, i)| owners[*i] = (number, own));
        }
        let zero = || vec![0.0; rows.len()];
        Ok(Self {
            halfway: zero(),
            before: zero(),
            forces: zero(),
            sizes: zero(),
            leverage: 0.0,
            members,
            constants: Arc::new(JoinedConstants {
                joined: rows.iter().flat_map(nonzero).map(|(i, _)| i).collect(),
                inputs: system.inputs.len(),
                owners,
                links,
            }),
        })
    }

    /// c·U of all rows.
    fn read(&mut self) {
        self.halfway.fill(0.0);
        for Member { stepper, rows, .. } in &mut self.members {
            rows.iter().zip(stepper.halfway()).for_each(|(row, u)| self.halfway[*row] += u);
        }
    }

    /// c·U⁻ of all rows, and what their rounding is worth.
    fn read_before(&mut self) {
        self.before.fill(0.0);
        self.sizes.fill(0.0);
        for Member { stepper, rows, forces, sizes, .. } in &mut self.members {
            stepper.halfway_before(forces, sizes);
            for ((row, u), size) in rows.iter().zip(forces).zip(sizes) {
                self.before[*row] += *u;
                self.sizes[*row] += *size;
            }
        }
        self.leverage = self.constants.links.iter().map(|link| link.leverage(&self.sizes)).sum();
    }

    /// −CU along all rows.
    fn push(&mut self) {
        self.read();
        self.forces.fill(0.0);
        for link in &self.constants.links {
            link.push(&self.halfway, &mut self.forces);
        }
    }
}

impl Link {
    /// V, by U and U⁻ along all rows.
    fn energy(&self, u: &[f64], before: &[f64]) -> f64 {
        let rows = self.stiffness.chunks_exact(self.places.len());
        let each = self.pulls.clone().zip(&self.places).zip(rows).map(|((pull, place), row)| {
            let straight: f64 = row.iter().zip(&self.places).map(|(d, other)| d * before[*other]).sum();
            u[*place] * straight - (u[pull] * before[*place] + before[pull] * u[*place])
        });
        0.5 * each.sum::<f64>()
    }

    /// The sizes of all that V is added up from: Σ |D| w w + 2 Σ ζw of the sizes of rows. What cancels in the force of a support, as of two on one
    /// place, is known no better than that.
    fn leverage(&self, sizes: &[f64]) -> f64 {
        let rows = self.stiffness.chunks_exact(self.places.len());
        let each = self.pulls.clone().zip(&self.places).zip(rows).map(|((pull, place), row)| {
            let straight: f64 = row.iter().zip(&self.places).map(|(d, other)| d.abs() * sizes[*other]).sum();
            sizes[*place] * (straight + 2.0 * sizes[pull])
        });
        each.sum()
    }

    /// −CU along its rows.
    fn push(&self, halfway: &[f64], forces: &mut [f64]) {
        let w = || self.places.iter().map(|place| halfway[*place]);
        let rows = self.stiffness.chunks_exact(self.places.len());
        for ((pull, place), row) in self.pulls.clone().zip(&self.places).zip(rows) {
            forces[pull] += halfway[*place];
            forces[*place] += halfway[pull] - row.iter().zip(w()).map(|(d, w)| d * w).sum::<f64>();
        }
    }

    /// C along rows, `form` being square and row-major.
    fn add_to(&self, form: &mut [f64], size: usize) {
        for (pull, place) in self.pulls.clone().zip(&self.places) {
            form[pull * size + place] -= 1.0;
            form[place * size + pull] -= 1.0;
        }
        for (row, place) in self.stiffness.chunks_exact(self.places.len()).zip(&self.places) {
            row.iter().zip(&self.places).for_each(|(d, other)| form[place * size + other] += d);
        }
    }
}

impl Member {
    fn new(
        scheme: &'static str,
        part: Island,
        all: &[Row],
        dt: f64,
        solver: Method,
    ) -> Result<Self, Refusal> {
        let own = |row: &Row| {
            let here = nonzero(row).filter_map(|(i, w)| Some((part.dofs.binary_search(&i).ok()?, w)));
            Row::Sparse(here.collect())
        };
        let (numbers, rows): (Vec<usize>, Vec<Row>) =
            all.iter().map(own).enumerate().filter(|(_, row)| !row.is_zero()).unzip();
        let system = Arc::new(part.system.clone());
        Ok(Self {
            stepper: ModalStepper::new(scheme, &system, dt, (solver, &rows))?,
            forces: vec![0.0; rows.len()],
            sizes: vec![0.0; rows.len()],
            inputs: vec![0.0; 2 * part.inputs.len()],
            activity: vec![Activity::NONE; part.elements.len()],
            motion: Motion::at_rest(part.dofs.len()),
            rows: numbers.into(),
            part: Arc::new(part),
        })
    }

    /// Takes its part of a motion.
    fn take(&mut self, motion: &Motion) {
        for (own, i) in self.part.dofs.iter().enumerate() {
            (self.motion.q[own], self.motion.v[own]) = (motion.q[*i], motion.v[*i]);
        }
    }

    /// Gives its part of a motion.
    fn give(&self, motion: &mut Motion) {
        for (own, i) in self.part.dofs.iter().enumerate() {
            (motion.q[*i], motion.v[*i]) = (self.motion.q[own], self.motion.v[own]);
        }
    }
}

/// The weights of a row that are not 0.
fn nonzero(row: &Row) -> impl Iterator<Item = (usize, f64)> + '_ {
    row.entries().filter(|(_, w)| *w != 0.0)
}

/// Adds what a part did to the ledger of the whole.
fn add(all: &mut Ledger, part: &Ledger) {
    all.dissipated += part.dissipated;
    all.supplied += part.supplied;
    all.contact_work += part.contact_work;
    all.leverage += part.leverage;
    all.effort.iterations += part.effort.iterations;
    all.effort.fault = all.effort.fault.or(part.effort.fault);
}

impl Stepper for JoinedStepper {
    fn step(&mut self, input: &[f64]) -> Ledger {
        self.push();
        let mut ledger = Ledger { leverage: self.leverage, ..Ledger::default() };
        let count = self.constants.inputs;
        for member in &mut self.members {
            let Member { stepper, part, rows, forces, inputs, .. } = member;
            forces.iter_mut().zip(rows.iter()).for_each(|(f, row)| *f = self.forces[*row]);
            let (start, end) = inputs.split_at_mut(part.inputs.len());
            for ((start, end), k) in start.iter_mut().zip(end).zip(&part.inputs) {
                (*start, *end) = (input[*k], input[count + k]);
            }
            add(&mut ledger, &stepper.step_pulled(inputs, forces));
        }
        ledger
    }

    fn energy(&mut self) -> f64 {
        self.read();
        self.read_before();
        let joints: f64 =
            self.constants.links.iter().map(|link| link.energy(&self.halfway, &self.before)).sum();
        let own: f64 = self.members.iter_mut().map(|member| member.stepper.energy()).sum();
        own + joints
    }

    fn change(&mut self, change: &Change) -> bool {
        match change {
            Change::Impulse(row, p) => {
                let Self { constants, members, .. } = self;
                row.for_each(|i, w| {
                    let (member, own) = constants.owners[i];
                    members[member].stepper.kick(own, p * w);
                });
                members.iter_mut().for_each(|member| member.stepper.disturb());
                true
            }
            Change::Springs(added) => {
                // ζ, D and λ are those of the springs as they were.
                if self.constants.joined.iter().any(|i| added[*i] != 0.0) {
                    return false;
                }
                self.members.iter_mut().all(|member| {
                    // The motion is scratch.
                    let own = member.motion.q.iter_mut().zip(&member.part.dofs);
                    own.for_each(|(own, i)| *own = added[*i]);
                    member.stepper.change(&Change::Springs(&member.motion.q))
                })
            }
        }
    }

    fn state(&mut self, state: State) {
        match state {
            State::Start(motion, input) => {
                self.leverage = 0.0;
                for member in &mut self.members {
                    member.take(motion);
                    let own = &mut member.inputs[..member.part.inputs.len()];
                    own.iter_mut().zip(&member.part.inputs).for_each(|(own, k)| *own = input[*k]);
                    member.stepper.state(State::Start(&member.motion, own));
                }
            }
            State::Tell(motion) => self.members.iter_mut().for_each(|member| {
                member.stepper.state(State::Tell(&mut member.motion));
                member.give(motion);
            }),
            State::Show(motion) => self.members.iter_mut().for_each(|member| {
                member.stepper.state(State::Show(&mut member.motion));
                member.give(motion);
            }),
            State::Complete(mut archive) => {
                archive.number(&mut self.leverage);
                self.members.iter_mut().for_each(|member| member.stepper.archive(&mut archive));
            }
        }
    }

    fn outputs(&self, output: &mut [f64]) {
        for Member { stepper, part, .. } in &self.members {
            stepper.read_outputs(|own, value| output[part.outputs[own]] = value);
        }
    }

    fn activity(&mut self, moment: &Moment, activity: &mut [Activity]) -> bool {
        for Member { stepper, part, activity: own, .. } in &mut self.members {
            // A bank of modes keeps what its elements did, whatever the inputs are now.
            stepper.activity(moment, own);
            part.elements.iter().zip(own).for_each(|(j, own)| activity[*j] = *own);
        }
        true
    }
}

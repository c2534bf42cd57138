//! Banks that joints couple: each takes its own step, with pushes that are known before it.
//!
//! A joint's potential ½qᵀCq ([`hamiltone_core::joint`]) is taken at U = X + Y (its rows: `joined/links.rs`): since U⁺ − U⁻ = 2S, whatever acts in the step, −(CU)·S is the
//! change of ½U⁺ᵀCU − ½UᵀCU⁻ (Bilbao 2008; Ducceschi & Bilbao 2022). So the balance is exact and nothing is solved: contacts and
//! dampers of a string know nothing of the strings beside it. What is stored,
//!
//!   Σ (pY² + ½gX²) + ½(XᵀCX − YᵀCY),
//!
//! is a sum of squares where λ, the largest eigenvalue of C on 2p, is below 1 (`joined/limit.rs`): K + C is one already. The bodies that
//! elements, links or inputs connect are one bank.

mod limit;
mod links;
mod member;
mod rest;
mod shared;
mod tension;

use super::limit::left_out;
use crate::modal::links::take_apart;
use hamiltone_core::{
    instant::Moment,
    islands::{Island, islands},
    ledger::Ledger,
    refusal::Refusal,
    state::State,
    stepper::{Activity, Change, Stepper},
    system::System,
};
use hamiltone_numerics::{lanes::same_bits, lcp::Method};
use limit::largest_ratio;
use links::{JointRows, Lift, Link, Pushes};
use member::Member;
use shared::SharedBank;
use std::sync::Arc;

/// What is constant.
struct JoinedConstants {
    system: Arc<System>,
    /// The link of each joint, and λ of all.
    links_of: Vec<usize>,
    lambda: f64,
    /// Which joints stand on a body that stands itself.
    is_high: Vec<bool>,
    inputs: usize,
    /// The members that outputs read.
    read_by_outputs: Vec<usize>,
    /// The member of each coordinate, and its number there.
    owners: Vec<(usize, usize)>,
}

/// Banks in motion, joined.
#[derive(Clone)]
pub(super) struct JoinedStepper {
    constants: Arc<JoinedConstants>,
    members: Vec<Member>,
    /// Those members that nothing acts on but their bridge.
    shared: SharedBank,
    /// The inputs of the last step, and whether some are to be read whatever they are.
    inputs: Vec<f64>,
    is_stale: bool,
    /// Up to which part of the whole a bank that is held stores little enough to rest, if any may; which of them do, and which do not,
    /// ascending; steps since it was looked at all (`rest.rs`).
    share: Option<f64>,
    rests: Vec<bool>,
    awake: Vec<usize>,
    clock: u32,
    links: Vec<Link>,
    /// What joints of members that are awake push.
    pushes: Pushes,
    /// c·U, c·U⁻ and f of all rows of joints.
    halfway: Vec<f64>,
    before: Vec<f64>,
    forces: Vec<f64>,
    /// Σ|c|(|X| + |Y|) of all rows.
    sizes: Vec<f64>,
    /// What a rounding of the rows is worth, over eps, J, where the energy was last taken.
    leverage: f64,
}

/// The banks of a system, the rows of its joints, and λ.
fn prepared(
    scheme: &'static str,
    system: &Arc<System>,
    dt: f64,
    solver: Method,
) -> Result<(Vec<Member>, JointRows, f64), Refusal> {
    let linear = take_apart(scheme, system)?;
    let moves = |i: usize| {
        let m = system.mass[i];
        !left_out(linear.stiffness[i] / m, 0.5 * linear.damping[i] / m, dt)
    };
    let parts = islands(&System { joints: Vec::new(), ..(**system).clone() });
    let joints = JointRows::of(system, moves, &parts);
    let member = |(part, lifts): (Island, &Vec<Lift>)| {
        let mut member = Member::new(scheme, part, (&joints.rows, lifts), dt, solver)?;
        let carries = |link: &Link| link.places.iter().any(|place| member.rows.contains(place));
        // A control that is not 0 is that of a damper there.
        member.can_rest = !lifts.is_empty()
            && !member.has_ports()
            && !member.stepper.is_pushed_at_rest()
            && !joints.links.iter().any(carries);
        Ok(member)
    };
    let members =
        parts.into_iter().zip(&joints.lifts).map(member).collect::<Result<Vec<Member>, Refusal>>()?;
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
        let (members, joints, lambda) = prepared(scheme, system, dt, solver)?;
        if lambda >= 1.0 {
            return Err(Refusal::OutOfRange {
                scheme,
                what: format!(
                    "λ = {lambda:.4} of its joints is 1 or more: their bodies are too light for what stands on them at this step"
                ),
                instead: "use a higher rate, or heavier bodies under the joints".into(),
            });
        }
        let zero = || vec![0.0; joints.rows.len()];
        let mut pushes = Pushes::default();
        pushes.list(&joints.links, &vec![false; members.len()]);
        Ok(Self {
            pushes,
            halfway: zero(),
            before: zero(),
            forces: zero(),
            sizes: zero(),
            leverage: 0.0,
            shared: SharedBank::new(&members),
            inputs: vec![0.0; 2 * system.inputs.len()],
            is_stale: true,
            share: None,
            rests: vec![false; members.len()],
            awake: (0..members.len()).collect(),
            clock: 0,
            constants: Arc::new(JoinedConstants {
                system: system.clone(),
                links_of: joints.links_of,
                is_high: links::stand_high(&system.joints),
                lambda,
                inputs: system.inputs.len(),
                read_by_outputs: (0..members.len())
                    .filter(|m| !members[*m].part.outputs.is_empty())
                    .collect(),
                owners: joints.owners,
            }),
            links: joints.links,
            members,
        })
    }

    /// c·U of all rows.
    fn read(&mut self) {
        self.halfway.fill(0.0);
        self.shared.read(&mut self.halfway);
        for m in &self.awake {
            if self.shared.has(*m) {
                continue;
            }
            let Member { stepper, rows, .. } = &mut self.members[*m];
            rows.iter().zip(stepper.halfway()).for_each(|(row, u)| self.halfway[*row] += u);
        }
    }

    /// c·U⁻ of all rows, and what their rounding is worth.
    fn read_before(&mut self) {
        self.before.fill(0.0);
        self.sizes.fill(0.0);
        for m in &self.awake {
            let Member { stepper, rows, forces, sizes, .. } = &mut self.members[*m];
            stepper.halfway_before(forces, sizes);
            for ((row, u), size) in rows.iter().zip(forces).zip(sizes) {
                self.before[*row] += *u;
                self.sizes[*row] += *size;
            }
        }
        self.leverage = self.links.iter().map(|link| link.leverage(&self.sizes)).sum();
    }

    /// −CU along all rows.
    fn push(&mut self) {
        self.read();
        self.forces.fill(0.0);
        self.pushes.add(&self.halfway, &mut self.forces);
    }

    /// All take their inputs, where any `moves` in the step or has changed since the last one.
    fn take_inputs(&mut self, input: &[f64], moves: bool) {
        if !std::mem::take(&mut self.is_stale) && !moves && same_bits(input, &self.inputs) {
            return;
        }
        self.inputs.copy_from_slice(input);
        for m in &self.awake {
            let member = &mut self.members[*m];
            member.take_inputs(input, self.constants.inputs);
            if std::mem::take(&mut member.is_stale) {
                self.shared.leave(*m, member);
                member.stepper.read_inputs(&member.inputs);
            }
        }
    }

    /// What is stored, J, with all rows read.
    fn stored(&mut self) -> f64 {
        self.shared.show_all(&mut self.members);
        self.read();
        self.read_before();
        let energy = |link: &Link| link.energy(self.rests[link.member], &self.halfway, &self.before);
        let joints: f64 = self.links.iter().map(energy).sum();
        let own: f64 = self.awake.iter().map(|m| self.members[*m].stepper.stored()).sum();
        own + joints
    }
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
        let mut ledger = Ledger::default();
        let (start, end) = input.split_at(self.constants.inputs);
        let moves = !same_bits(start, end);
        if let Some(share) = self.share {
            self.settle(share, (input, moves), &mut ledger);
        }
        ledger.leverage = self.leverage;
        self.push();
        self.take_inputs(input, moves);
        self.shared.begin(&self.forces, &mut self.members);
        self.shared.step();
        // One after the other, whoever took the step where: the same sums.
        for m in &self.awake {
            if let Some(dissipated) = self.shared.dissipated(*m) {
                ledger.dissipated += dissipated;
                continue;
            }
            let member = &mut self.members[*m];
            let Member { stepper, rows, forces, .. } = member;
            forces.iter_mut().zip(rows.iter()).for_each(|(f, row)| *f = self.forces[*row]);
            add(&mut ledger, &stepper.step_pulled(forces));
            self.shared.enter(*m, member);
        }
        // Outputs are read of members.
        for m in &self.constants.read_by_outputs {
            self.shared.show(*m, &mut self.members[*m]);
        }
        ledger
    }

    fn energy(&mut self) -> f64 {
        self.stored()
    }

    fn change(&mut self, change: &Change) -> bool {
        match change {
            Change::Impulse(row, p) => {
                self.shared.leave_all(&mut self.members);
                let constants = self.constants.clone();
                self.wake(|m, _| row.entries().any(|(i, _)| constants.owners[i].0 == m));
                let members = &mut self.members;
                row.for_each(|i, w| {
                    let (member, own) = constants.owners[i];
                    members[member].stepper.kick(own, p * w);
                });
                members.iter_mut().for_each(|member| member.stepper.disturb());
                true
            }
            Change::Rest(share) => {
                self.share = Some(*share);
                true
            }
            Change::Springs(added) => self.retune(added),
        }
    }

    fn state(&mut self, state: State) {
        match state {
            State::Start(motion, input) => {
                (self.leverage, self.clock, self.is_stale) = (0.0, 0, true);
                self.rests.fill(false);
                self.shared.leave_all(&mut self.members);
                self.list_awake();
                for member in &mut self.members {
                    member.take(motion);
                    member.take_inputs(input, input.len());
                    member.is_stale = true;
                    let own = &member.inputs[..member.part.inputs.len()];
                    member.stepper.state(State::Start(&member.motion, own));
                }
            }
            State::Tell(motion) => {
                self.shared.show_all(&mut self.members);
                for member in &mut self.members {
                    member.stepper.state(State::Tell(&mut member.motion));
                    member.give(motion);
                }
            }
            State::Show(motion) => {
                self.shared.show_all(&mut self.members);
                for member in &mut self.members {
                    member.stepper.state(State::Show(&mut member.motion));
                    member.give(motion);
                }
            }
            State::Complete(mut archive) => {
                self.shared.leave_all(&mut self.members);
                self.is_stale = true;
                archive.number(&mut self.leverage);
                archive.count(&mut self.clock);
                self.rests.iter_mut().for_each(|rests| archive.flag(rests));
                self.list_awake();
                for member in &mut self.members {
                    member.stepper.archive(&mut archive);
                    member.is_stale = true;
                }
                if archive.reads() {
                    self.couple();
                }
            }
        }
    }

    fn outputs(&self, output: &mut [f64]) {
        for m in &self.constants.read_by_outputs {
            let Member { stepper, part, .. } = &self.members[*m];
            stepper.read_outputs(|own, value| output[part.outputs[own]] = value);
        }
    }

    fn activity(&mut self, moment: &Moment, activity: &mut [Activity]) -> bool {
        self.shared.leave_all(&mut self.members);
        for Member { stepper, part, activity: own, .. } in &mut self.members {
            // A bank of modes keeps what its elements did, whatever the inputs are now.
            stepper.activity(moment, own);
            part.elements.iter().zip(own).for_each(|(j, own)| activity[*j] = *own);
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use hamiltone_core::{
        joint::{Joint, Support},
        operator::Operator,
        row::Row,
        state::Motion,
        system::Block,
    };

    /// A string of three modes on a board of one: after each step, also one that it took by itself, it is in the array.
    #[test]
    fn a_string_that_nothing_acts_on_is_in_the_array() {
        let mut system = System::default();
        for (name, count, mass) in [("board", 1, 1.0), ("string", 3, 1e-3)] {
            let first = system.size();
            (0..count).for_each(|_| _ = system.add_dof(mass, 0.0, 0.0));
            let spring = |n: usize| mass * (2000.0 * (n + 1) as f64).powi(2);
            system.blocks.push(Block {
                name: name.into(),
                dofs: first..first + count,
                stiffness: Operator::Diagonal((0..count).map(spring).collect()),
                damping: Operator::Zero,
            });
        }
        let Operator::Diagonal(springs) = system.blocks[1].stiffness.clone() else { unreachable!() };
        system.joints.push(Joint {
            name: "string".into(),
            first: 1,
            springs,
            supports: vec![Support { lift: vec![0.6, -0.3, 0.2], place: Row::unit(0) }],
            stiffness: vec![1.0],
        });
        let mut stepper =
            JoinedStepper::new("modal-ec", &Arc::new(system), 1.0 / 48_000.0, Method::default())
                .expect("banks");
        stepper.state(State::Start(&Motion { q: vec![1e-3; 4], v: vec![0.0; 4] }, &[]));
        let inside = (0..256).filter(|_| {
            stepper.step(&[]);
            stepper.shared.has(1)
        });
        assert_eq!(inside.count(), 256);
    }
}

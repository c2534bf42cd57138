//! Strings on bridges whose tension is changed ([`hamiltone_core::stepper::Change::Springs`]).
//!
//!   ζ = Σ K′ᵢbᵢUᵢ,   D = Σ K′ᵢbᵢ² + κ′,   K′ = g/ρ²,   κ′ = κ(1 + ½b₁²ΔK₁/κ₀₀)
//!
//! The bank keeps the scale ρ of its coordinates, in which K′ is the stiffness of a mode: K + ΔK but for (ωΔt)², changed by no larger part, since
//! (1 − cos x)/x² falls. ½b₁²ΔK₁ is by how much T/L grows: the first mode of a string is half a sine ([`hamiltone_core::joint`]). What is stored is
//!
//!   V = Σ aᵢ + ½wᵀκw,   aᵢ = Kᵢ[½(bᵢw)² − bᵢwqᵢ]
//!
//! Of one body that stands, the signs of all qᵢ can be chosen so that each aᵢ is positive, while w stays what it is. V is still λ of 2p at most,
//! and so is Σ|aᵢ| + ½wᵀκw. Where each K and κ changes by the part f at most, V changes by fλ of 2p at most: λ becomes at most 1 + f times
//! what it was, divided by the part of p that is left. Where a body stands on one that stands itself, the signs cannot be chosen so, and the change
//! is refused.

use super::JoinedStepper;
use hamiltone_core::{
    joint::Joint,
    stepper::{Change, Stepper},
};

/// κ′/κ where this is added to the spring of the first mode, N/m.
fn tightening(joint: &Joint, added: f64) -> f64 {
    let (straight, lift) = (joint.stiffness[0], joint.supports[0].lift[0]);
    // What is as it was has the same bits.
    if added == 0.0 || straight == 0.0 { 1.0 } else { 1.0 + 0.5 * lift * lift * added / straight }
}

impl JoinedStepper {
    /// Adds springs to coordinates, in place of those before; `false` where the joints could not be taken at the middle of the step any more.
    pub(super) fn retune(&mut self, added: &[f64]) -> bool {
        if self.ratio_with(added) >= 1.0 {
            return false;
        }
        self.shared.leave_all(&mut self.members);
        for member in &mut self.members {
            // The motion is scratch.
            let own = member.motion.q.iter_mut().zip(&member.part.dofs);
            own.for_each(|(own, i)| *own = added[*i]);
            member.stepper.change(&Change::Springs(&member.motion.q));
        }
        self.couple();
        true
    }

    /// A bound of λ with these springs added.
    fn ratio_with(&self, added: &[f64]) -> f64 {
        let Self { constants, members, .. } = self;
        let mut growth = 1.0_f64;
        for (i, (m, own)) in constants.owners.iter().enumerate() {
            growth = growth.max(members[*m].stepper.growth_with(*own, added[i]));
        }
        let mut change = 0.0_f64;
        for (joint, is_high) in constants.system.joints.iter().zip(&constants.is_high) {
            if *is_high && joint.dofs().any(|i| added[i] != 0.0) {
                return f64::INFINITY;
            }
            let springs = joint.dofs().zip(&joint.springs).filter(|(i, _)| added[*i] != 0.0);
            change = springs.fold(change, |most, (i, k)| most.max(added[i].abs() / k));
            change = change.max((tightening(joint, added[joint.first]) - 1.0).abs());
        }
        (1.0 + change) * growth * constants.lambda
    }

    /// ζ, D and κ by the springs as they are.
    pub(super) fn couple(&mut self) {
        let Self { constants, members, links, .. } = self;
        links.iter_mut().for_each(|link| link.clear());
        for (joint, l) in constants.system.joints.iter().zip(&constants.links_of) {
            let link = &mut links[*l];
            let member = &mut members[link.member];
            let first = constants.owners[joint.first].1;
            let tension = tightening(joint, member.stepper.added(first));
            for (e, support) in joint.supports.iter().enumerate() {
                // A body none of whose modes is stepped has no row.
                if let Some(row) = member.rows.iter().position(|row| *row == link.pull(e)) {
                    for (i, lift) in support.lift.iter().enumerate() {
                        let spring = member.stepper.spring(first + i, joint.springs[i]);
                        member.stepper.set_pull(row, first + i, spring * lift);
                    }
                }
                for (other, of) in joint.supports.iter().enumerate() {
                    let springs = (0..joint.springs.len()).map(|i| {
                        member.stepper.spring(first + i, joint.springs[i]) * support.lift[i] * of.lift[i]
                    });
                    let straight = tension * joint.stiffness[e * joint.supports.len() + other];
                    link.stiffen((e, other), springs.sum(), straight);
                }
            }
        }
        self.members.iter_mut().for_each(|member| member.stepper.renew_pulls());
        self.pushes.list(&self.links, &self.rests);
        self.shared.renew(&self.members);
    }
}

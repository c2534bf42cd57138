//! Bodies by modes that no formula gives, and modes that links couple: found in the assembled system.

use super::stages::Sound;
use crate::{document::section::Section, units::plain};
use hamiltone_bodies::{
    Mode,
    reduction::{self, Component, Modes, Owners, Reduction, ReductionError},
};
use hamiltone_core::{
    body::Placed,
    measure::HIGHEST_AUDIBLE,
    operator::Operator,
    row::Row,
    system::{Block, System},
};
use hamiltone_plan::{BodyPlan, ReducedMode, ReducedPlan};
use std::{collections::BTreeSet, f64::consts::LN_2, ops::Range, sync::Arc};

/// What the damping between modes may detune before it is worth a warning, cents.
const DETUNING: f64 = 1.0;
/// What it may change of a decay rate.
const DECAY: f64 = 0.1;
/// An octave, cents, and 100 times: up to there the change is stated.
const LARGE_DETUNING: f64 = 1200.0;
const LARGE_DECAY: f64 = 100.0;

impl Sound<'_> {
    /// Replaces what asks for modes by modes, up to half the internal rate (Hz), where it is known.
    ///
    /// `None` where it failed: the system is none that a scheme should be asked about.
    pub fn reduce(&mut self, root: &Section<'_>, rate: Option<f64>) -> Option<()> {
        let bodies: Vec<(&str, &Placed)> =
            self.body_plans.iter().map(|body| (body.name.as_str(), &*body.placed)).collect();
        let highest = rate.map_or(HIGHEST_AUDIBLE, |rate| HIGHEST_AUDIBLE.min(0.5 * rate));
        let supports: Vec<usize> = self.suspensions.iter().copied().collect();
        let components = reduction::requested(&self.system, &bodies, highest, &supports);
        if components.is_empty() {
            return Some(());
        }
        match reduction::reduce(&self.system, &components) {
            // Modes of bodies and links together have no end that a bridge could carry.
            Ok(reduction) if reduction.system.joints.len() < self.system.joints.len() => {
                let help = "remove the link from the string, or the bridge";
                let message = "a string on a bridge is joined to other bodies by a link as well";
                self.refuse(root.problem("bridge", message, "").help(help))
            }
            Ok(reduction) => {
                self.take(root, &components, reduction);
                Some(())
            }
            Err(error) => {
                let help = match error {
                    ReductionError::TooLarge { .. } => {
                        "give fewer modes or intervals, or use method = \"finite-difference\""
                    }
                    ReductionError::Coupled { .. } | ReductionError::Unresolved { .. } => {
                        "make stiff links softer, light bodies heavier or thin bars shorter, or use method = \"finite-difference\""
                    }
                };
                let named = |body: &&BodyPlan| components.iter().any(|part| among(&part.dofs, &body.placed));
                let first = self.body_plans.iter().find(named).map(|body| body.name.clone());
                self.refuse(
                    match first.and_then(|name| root.named("body", &name)) {
                        Some(section) => section.problem("method", error, "has no numerical modes"),
                        None => root.problem("body", error, "has no numerical modes"),
                    }
                    .help(help),
                )
            }
        }
    }

    fn take(&mut self, root: &Section<'_>, components: &[Component], reduction: Reduction) {
        let owners =
            Owners::new(self.system.size(), self.body_plans.iter().map(|body| body.placed.dofs.clone()));
        for (component, modes) in components.iter().zip(&reduction.components) {
            let own = owners.of(&component.dofs).into_iter().map(|body| &self.body_plans[body]);
            let bodies: Vec<String> = own.map(|body| body.name.clone()).collect();
            if let (Some(warning), Some(section)) =
                (neglected(modes), bodies.first().and_then(|name| root.named("body", name)))
            {
                self.warnings.push(section.problem("method", warning, ""));
            }
            let linked = is_linked(&self.system, &self.suspensions, &component.dofs);
            let mode = |(k, (mode, requested)): (usize, (&Mode, &f64))| ReducedMode {
                omega: mode.omega,
                requested: *requested,
                is_supported: modes.supported.contains(&k),
            };
            self.reduced.push(ReducedPlan {
                bodies,
                linked,
                coordinates: component.dofs.len(),
                dofs: modes.dofs.clone(),
                modes: modes.modes.iter().zip(&modes.requested).enumerate().map(mode).collect(),
            });
        }
        for body in &mut self.body_plans {
            body.placed = Arc::new(reduction.placed(body.placed.clone()));
        }
        self.system = reduction.system;
    }
}

/// Whether a link acts on some of these coordinates, ascending: the single squares of a system are those of links, and of
/// suspensions, which leave the partials of a body where they are.
fn is_linked(system: &System, suspensions: &BTreeSet<usize>, dofs: &[usize]) -> bool {
    let acts = |block: &Block, operator: &Operator| {
        let among = |(_, strain): &(f64, Row)| {
            strain.entries().any(|(i, _)| dofs.binary_search(&(block.dofs.start + i)).is_ok())
        };
        matches!(operator, Operator::Strains(strains) if strains.iter().any(among))
    };
    let mut blocks = system.blocks.iter().enumerate().filter(|(number, _)| !suspensions.contains(number));
    blocks.any(|(_, block)| acts(block, &block.stiffness) || acts(block, &block.damping))
}

/// Whether some of a body's coordinates are among these, ascending.
fn among(dofs: &[usize], placed: &Placed) -> bool {
    let Range { start, end } = placed.dofs;
    dofs.partition_point(|dof| *dof < start) < dofs.partition_point(|dof| *dof < end)
}

/// What the user should know of damping that is left out.
fn neglected(modes: &Modes) -> Option<String> {
    let reduction::NeglectedDamping { detuning, decay, .. } = modes.neglected;
    let cents = 1200.0 / LN_2 * detuning;
    // What is larger is known in its order at best: both are to the leading order.
    let pitch = match cents <= LARGE_DETUNING {
        true => format!("up to {} cents", plain((cents * 10.0).ceil() / 10.0)),
        false => format!("more than {LARGE_DETUNING} cents"),
    };
    let rates = match decay <= LARGE_DECAY {
        true => format!("by up to {} %", plain((decay * 100.0).ceil())),
        false => format!("more than {LARGE_DECAY} times"),
    };
    (cents > DETUNING || decay > DECAY).then(|| {
        format!(
            "damping between its modes is left out; it would change frequencies by {pitch} and decay rates {rates}: \
             where that matters, use method = \"finite-difference\" and a scheme that covers it"
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use hamiltone_bodies::reduction::NeglectedDamping;

    /// A change to the leading order that is out of all proportion is no figure.
    #[test]
    fn large_changes_by_neglected_damping_are_stated_as_such() {
        let said = |detuning: f64, decay: f64| {
            let neglected = NeglectedDamping { detuning, decay, ..NeglectedDamping::default() };
            let (modes, requested, supported) = (Vec::new(), Vec::new(), Vec::new());
            super::neglected(&Modes { dofs: 0..0, modes, requested, supported, neglected })
        };
        assert_eq!(said(1e-4, 0.05), None);
        let some = said(1e-3, 0.295).unwrap();
        assert!(some.contains("frequencies by up to 1.8 cents and decay rates by up to 30 %: "), "{some}");
        let large = said(3e140, 3e129).unwrap();
        assert!(
            large.contains("frequencies by more than 1200 cents and decay rates more than 100 times: "),
            "{large}"
        );
    }
}

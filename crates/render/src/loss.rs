//! How fast the losses of a plan's bodies let their partials decay, known before the run.
//!
//!   T₆₀ = 3 ln 10/σ
//!
//! σ (1/s) is what the body's law of losses states for a partial of the continuous body, and where no theory gives that,
//! r/2m of the mode that represents it, m (kg) its mass and r (kg/s) its damping: so of the common modes of bodies that links
//! join, which the damping of the links is a part of. What contacts take besides is left out.

use crate::tuning::{discrete, linked};
use hamiltone_core::system::Block;
use hamiltone_scene::plan::{BodyPlan, Plan};
use std::f64::consts::{LN_10, TAU};

/// T₆₀ (s) of the partials 1 … `count` of a body, infinite without losses; `None` where it is not known.
pub fn requested(plan: &Plan, body: &BodyPlan, count: usize) -> Vec<Option<f64>> {
    let modes = of_modes(plan, body).unwrap_or_default();
    let theory = |k: usize| body.placed.representation.decay(k).filter(|_| !linked(plan, body));
    let sigma = |k: usize| theory(k).or_else(|| modes.get(k - 1).copied());
    (1..=count).map(|k| sigma(k).map(|sigma| 3.0 * LN_10 / sigma)).collect()
}

/// σ of the modes that are a body's coordinates, without rigid motions; `None` where its coordinates are no modes.
fn of_modes(plan: &Plan, body: &BodyPlan) -> Option<Vec<f64>> {
    let dofs = &body.placed.dofs;
    let own = |block: &&Block| dofs.start <= block.dofs.start && block.dofs.end <= dofs.end;
    let (mut stiffness, mut damping) = (vec![0.0; dofs.len()], vec![0.0; dofs.len()]);
    for block in plan.system.blocks.iter().filter(own) {
        let range = block.dofs.start - dofs.start..block.dofs.end - dofs.start;
        block.stiffness.add_diagonal(&mut stiffness[range.clone()])?;
        block.damping.add_diagonal(&mut damping[range])?;
    }
    let mass = &plan.system.mass[dofs.clone()];
    let oscillates = |k: &usize| stiffness[*k] > 0.0;
    // The partials are those of `discrete`: without motions on a suspension.
    let first = TAU * discrete(plan, body, 1).first().copied().unwrap_or(0.0);
    let bends = |k: &usize| (stiffness[*k] / mass[*k]).sqrt() > 0.999 * first;
    let modes = (0..mass.len()).filter(oscillates).filter(bends);
    Some(modes.map(|k| 0.5 * damping[k] / mass[k]).collect())
}

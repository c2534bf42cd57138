//! The modes that are the coordinates of a body.
//!
//!   f = √(k/m)/2π,   where K and M are diagonal: coordinate by coordinate, k (N/m) and m (kg).

use hamiltone_plan::{BodyPlan, Plan};
use std::f64::consts::TAU;

/// The frequencies of a body's coordinates, Hz, 0 of rigid motions; `None` where they are points of a grid, or coupled by a stiffness.
pub fn frequencies(plan: &Plan, body: &BodyPlan) -> Option<Vec<f64>> {
    let dofs = &body.placed.dofs;
    if body.placed.representation.samples().iter().any(|point| point.row.coordinate().is_some()) {
        return None;
    }
    let mut stiffness = vec![0.0; dofs.len()];
    for block in
        plan.system.blocks.iter().filter(|block| block.dofs.start < dofs.end && dofs.start < block.dofs.end)
    {
        let inside = dofs.start <= block.dofs.start && block.dofs.end <= dofs.end;
        let range = inside.then(|| block.dofs.start - dofs.start..block.dofs.end - dofs.start)?;
        block.stiffness.add_diagonal(&mut stiffness[range])?;
    }
    let mass = &plan.system.mass[dofs.clone()];
    Some(stiffness.iter().zip(mass).map(|(k, m)| (k / m).max(0.0).sqrt() / TAU).collect())
}

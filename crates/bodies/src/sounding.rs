//! The partials of one body as they sound: on its grid or by its modes, with its losses.
//!
//!   f_k = √(ω_k² − σ_k²)/2π
//!
//! ω_k (rad/s) and σ_k (1/s) are those of the body as it is represented, found as modes are ([`crate::reduction`]); what damping
//! carries from one mode to others is left out, as there. Links, contacts and the time step of a scheme change what is heard
//! and are not of the body.

use crate::reduction::{self, Component, Keep, LossLaw, ReductionError};
use hamiltone_core::{body::Body, operator::Operator, parameter::Complaint, system::System};
use hamiltone_numerics::{math::square, pencil::Pencil};
use std::f64::consts::TAU;

/// The most rigid motions of a body whose modes are not those of its coordinates.
const RIGID: usize = 2;

/// Eigenvalues below this part of the largest cannot be counted one by one: 16 times what counts are certain to.
const HIDDEN: f64 = 1024.0 * f64::EPSILON;
/// So many of them can still be told apart, by their shapes.
const MOST_HIDDEN: usize = 4;

/// The `count` lowest partials that are no rigid motions, Hz; 0 of one that decays without vibrating. Fewer where there are not
/// so many.
///
/// ```
/// use hamiltone_bodies::{StiffString, sounding};
///
/// // 2 % of stiffness raises the first partial by 1 %, that much loss hardly lowers it.
/// let string = StiffString::new(0.65, 6.6e-3, 75.75)?;
/// let ideal = sounding::partials(&string.by_modes(3, 4)?, 1)?[0];
/// let stiff = string.stiff(0.02 * 75.75 * (0.65 / std::f64::consts::PI).powi(2))?.damped(10.0, 0.0)?;
/// let sounds = sounding::partials(&stiff.by_modes(3, 4)?, 1)?[0];
/// assert!((sounds / ideal - 1.02_f64.sqrt()).abs() < 1e-4);
/// # Ok::<(), hamiltone_core::parameter::Complaint>(())
/// ```
///
/// # Errors
/// A [`Complaint`] where the body cannot be built, or its modes not be found.
pub fn partials(body: &dyn Body, count: usize) -> Result<Vec<f64>, Complaint> {
    let mut system = System::default();
    let placed = body.add_to(&mut system, "body")?;
    let modes = match separate(&system) {
        Some(modes) => modes,
        None if are_hidden(&system) => {
            let error = ReductionError::Unresolved { name: "the body".into() };
            return Err(unresolved("", &error));
        }
        None => {
            let law = placed.modal.as_ref().and_then(|request| request.decay.clone());
            let component = Component {
                name: "the body".into(),
                losses: law.map(|rate| LossLaw { dofs: placed.dofs.clone(), rate }).into_iter().collect(),
                dofs: placed.dofs.collect(),
                keep: Keep::Lowest(count + RIGID),
                supports: Vec::new(),
            };
            let reduction = reduction::reduce(&system, &[component]);
            let mut found = reduction.map_err(|error| unresolved("", &error))?.components;
            let modes = found.pop().map_or(Vec::new(), |component| component.modes);
            modes.into_iter().map(|mode| (mode.omega, mode.sigma)).collect()
        }
    };
    let sounds = |(omega, sigma): (f64, f64)| (square(omega) - square(sigma)).max(0.0).sqrt() / TAU;
    Ok(modes.into_iter().filter(|mode| mode.0 > 0.0).map(sounds).take(count).collect())
}

/// Modes that are not found, where the parameter `about` needs them.
pub(crate) fn unresolved(about: &'static str, error: &ReductionError) -> Complaint {
    Complaint::new(about, error.to_string()).help("write a shorter or a thicker one")
}

/// Whether the low modes lie where roundings of the largest eigenvalue hide them, as those of a very thin bar with shear.
pub(crate) fn are_hidden(system: &System) -> bool {
    let blocks = system.blocks.iter().map(|block| (block.dofs.start, &block.stiffness));
    let pencil = Pencil::new(&system.mass, blocks);
    pencil.count_below(HIDDEN * pencil.bound()) > MOST_HIDDEN
}

/// ω and σ of coordinates that nothing couples, by ω: those of modes, or of a point.
fn separate(system: &System) -> Option<Vec<(f64, f64)>> {
    let mut modes = vec![(0.0, 0.0); system.size()];
    for block in &system.blocks {
        let [stiffness, damping] = [&block.stiffness, &block.damping].map(|operator| match operator {
            Operator::Diagonal(values) => Some(values.clone()),
            Operator::Zero => Some(vec![0.0; block.dofs.len()]),
            _ => None,
        });
        for (i, (k, r)) in block.dofs.clone().zip(stiffness?.into_iter().zip(damping?)) {
            modes[i] = ((k / system.mass[i]).sqrt(), 0.5 * r / system.mass[i]);
        }
    }
    modes.sort_by(|a, b| a.0.total_cmp(&b.0));
    Some(modes)
}

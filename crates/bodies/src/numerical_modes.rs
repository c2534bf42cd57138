//! The lowest modes of one body on a grid that bend, found numerically.

use crate::{
    modal::Mode,
    reduction::{Component, Keep, reduce},
};
use hamiltone_core::{body::Body, parameter::Complaint, system::System};

/// Frequencies below this part of that of the third mode are of rigid motions: eigenvalues have an error of some eps
/// of the largest of the grid, which a thousand intervals make 10⁻³ of the frequency of the first mode of a bar.
const RIGID: f64 = 1e-2;
/// The most rigid motions of a line.
const MOST_RIGID: usize = 2;

/// So many modes of a body, the lowest first, rigid motions left out. `about` names the parameter that needs them.
///
/// # Errors
/// A [`Complaint`] where the body is none, or its modes cannot be found.
pub(crate) fn lowest(body: &dyn Body, count: usize, about: &'static str) -> Result<Vec<Mode>, Complaint> {
    let mut system = System::default();
    let dofs = body.add_to(&mut system, "body")?.dofs.collect();
    let keep = Keep::Lowest(count + MOST_RIGID);
    let component = Component { name: "body".into(), dofs, keep, losses: Vec::new() };
    let mut reduction =
        reduce(&system, &[component]).map_err(|error| Complaint::new(about, error.to_string()))?;
    let modes = reduction.components.pop().map(|component| component.modes).unwrap_or_default();
    // The third mode of a line bends.
    let bent = modes.get(MOST_RIGID).or(modes.last()).map_or(0.0, |mode| mode.omega);
    Ok(modes.iter().filter(|mode| mode.omega > RIGID * bent).take(count).copied().collect())
}

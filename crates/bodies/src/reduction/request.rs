//! Bodies that ask for modes, and the components that these make together with what links join to them.

use super::{
    component::{Component, Keep, LossLaw},
    components::components,
    owners::Owners,
};
use crate::modal_grid::DEFAULT_MODES;
use hamiltone_core::{
    body::{Body, ModalRequest, Placed},
    parameter::Complaint,
    system::System,
};

/// A body that is to be represented by its modes, found numerically once all that links join to it is known.
pub struct ByModes<B> {
    body: B,
    request: ModalRequest,
}

/// The body on its grid, to be replaced by modes: [`requested`] and [`reduce`](super::reduce) do so in the assembled
/// system.
///
/// ```
/// use hamiltone_bodies::{Bar, reduction};
/// use hamiltone_core::{body::{Body, ModalRequest}, geometry::Place, system::System};
/// use std::sync::Arc;
///
/// // A bar of wood, undercut in the middle.
/// let bar = Bar::new(0.35, 0.6, 60.0)?.shaped(|x| if (0.12..0.23).contains(&x) { 0.5 } else { 1.0 });
/// let request = ModalRequest { count: Some(20), decay: None, pieces: None };
/// let mut system = System::default();
/// let placed = reduction::by_modes(bar.on_grid(100)?, request).add_to(&mut system, "bar")?;
///
/// let components = reduction::requested(&system, &[("bar", &placed)], 20_000.0, &[]);
/// let reduced = reduction::reduce(&system, &components)?;
/// assert_eq!(reduced.system.size(), 20);
/// let bar = reduced.placed(Arc::new(placed));
/// assert_eq!(bar.row(Place::Fraction(0.5))?.entries().count(), 20);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn by_modes<B: Body>(body: B, request: ModalRequest) -> ByModes<B> {
    ByModes { body, request }
}

impl<B: Body> Body for ByModes<B> {
    /// A [`Complaint`] where it asks for more modes than the grid has unknowns.
    fn add_to(&self, system: &mut System, name: &str) -> Result<Placed, Complaint> {
        let placed = Placed { modal: Some(self.request.clone()), ..self.body.add_to(system, name)? };
        let coordinates = placed.dofs.len();
        match self.request.count {
            Some(count) if count > coordinates => {
                let message = format!(
                    "is {count}, but a grid of {coordinates} unknowns has no more modes; use at most {coordinates} modes, or a finer grid"
                );
                Err(Complaint::new("modes", message))
            }
            _ => Ok(placed),
        }
    }
}

/// The components to reduce: the coordinates that stiffness or damping couple, where some of them belong to a body that
/// asks for modes. A body of modes by formula that no link joins to others is none.
///
/// A component keeps as many modes as its bodies ask for, and as many as other bodies that links join to them have
/// coordinates; where a body does not say how many, those up to `highest` (Hz) at most. `supports` are the blocks that hold
/// bodies as suspensions do, ascending.
pub fn requested(
    system: &System,
    bodies: &[(&str, &Placed)],
    highest: f64,
    supports: &[usize],
) -> Vec<Component> {
    if bodies.iter().all(|(_, placed)| placed.modal.is_none()) {
        return Vec::new();
    }
    let owners = Owners::new(system.size(), bodies.iter().map(|(_, placed)| placed.dofs.clone()));
    let component = |dofs: Vec<usize>| {
        let own: Vec<&(&str, &Placed)> = owners.of(&dofs).into_iter().map(|body| &bodies[body]).collect();
        let requests: Vec<&ModalRequest> =
            own.iter().filter_map(|(_, placed)| placed.modal.as_ref()).collect();
        if requests.is_empty() || dofs.len() < 2 {
            return None;
        }
        let others = own.iter().filter(|(_, placed)| placed.modal.is_none());
        let others: usize = others.map(|(_, placed)| placed.dofs.len()).sum();
        let count =
            others + requests.iter().map(|request| request.count.unwrap_or(DEFAULT_MODES)).sum::<usize>();
        let keep = match requests.iter().all(|request| request.count.is_some()) {
            true => Keep::Lowest(count),
            false => Keep::Below(highest, count),
        };
        let law = |(_, placed): &&(&str, &Placed)| {
            let rate = placed.modal.as_ref()?.decay.clone()?;
            Some(LossLaw { dofs: placed.dofs.clone(), rate })
        };
        let names: Vec<&str> = own.iter().map(|(name, _)| *name).collect();
        let losses = own.iter().filter_map(law).collect();
        Some(Component { name: names.join(" + "), losses, dofs, keep, supports: supports.to_vec() })
    };
    components(system).into_iter().filter_map(component).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Bar, reduction::owners::LOOKUPS};
    use hamiltone_core::body::Body;

    /// What is looked at grows with the coordinates of n bodies, and not with n times as many.
    #[test]
    fn finding_the_bodies_of_components_is_linear_in_their_number() {
        let lookups = |count: usize| {
            let mut system = System::default();
            let bar = || Bar::new(0.35, 0.6, 60.0).unwrap().on_grid(8).unwrap();
            let request = ModalRequest { count: Some(2), decay: None, pieces: None };
            let place = |_| by_modes(bar(), request.clone()).add_to(&mut system, "bar").unwrap();
            let placed: Vec<Placed> = (0..count).map(place).collect();
            let bodies: Vec<(&str, &Placed)> = placed.iter().map(|placed| ("bar", placed)).collect();
            let before = LOOKUPS.get();
            let components = requested(&system, &bodies, 20_000.0, &[]);
            assert!(components.len() == count && components.iter().all(|c| c.name == "bar"));
            let found = LOOKUPS.get();
            crate::reduction::reduce(&system, &components).unwrap();
            (found - before, LOOKUPS.get() - found, system.size())
        };
        let (few, many) = (lookups(10), lookups(300));
        assert_eq!((few.0 * 30, few.1 * 30, few.2 * 30), many);
        assert_eq!(many.0, 2 * many.2, "each coordinate and its one body");
    }
}

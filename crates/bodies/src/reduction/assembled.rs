//! The reduced system: every field of a [`System`] mapped to the new coordinates.

use super::{Component, Coordinates, Modes, components::renumbered};
use hamiltone_core::{
    operator::Operator,
    system::{Block, Contact, Output, Port, Quantity, Start, System},
};

/// The system over the new coordinates.
pub(super) fn system(
    old: &System,
    components: &[Component],
    modes: &[Modes],
    coordinates: &Coordinates,
) -> System {
    let numbers: Vec<Option<usize>> = (0..old.size()).map(|dof| coordinates.kept(dof)).collect();
    let mut mass = vec![0.0; coordinates.size()];
    for (number, m) in numbers.iter().zip(&old.mass) {
        number.iter().for_each(|&i| mass[i] = *m);
    }
    for modes in modes {
        mass[modes.dofs.clone()].iter_mut().zip(&modes.modes).for_each(|(m, mode)| *m = mode.mass);
    }
    // Components are closed, so that no block reads both sides.
    let mut blocks = renumbered(&old.blocks, &numbers, coordinates.size()).unwrap_or_default();
    blocks.extend(components.iter().zip(modes).map(|(component, modes)| block(&component.name, modes)));
    let quantity = |quantity: &Quantity| match quantity {
        Quantity::Displacement(row) => Quantity::Displacement(coordinates.row(row)),
        Quantity::Velocity(row) => Quantity::Velocity(coordinates.row(row)),
        Quantity::ContactForce(_) | Quantity::ContactForces(_) => quantity.clone(),
    };
    let start = Start {
        position: coordinates.project(&old.mass, &mass, &old.start.position),
        velocity: coordinates.project(&old.mass, &mass, &old.start.velocity),
    };
    System {
        mass,
        blocks,
        contacts: old
            .contacts
            .iter()
            .map(|contact| Contact { row: coordinates.row(&contact.row), ..contact.clone() })
            .collect(),
        inputs: old
            .inputs
            .iter()
            .map(|port| Port { name: port.name.clone(), row: coordinates.row(&port.row) })
            .collect(),
        outputs: old
            .outputs
            .iter()
            .map(|output| Output { name: output.name.clone(), quantity: quantity(&output.quantity) })
            .collect(),
        start,
    }
}

/// The modes of a component: diagonal stiffness and damping.
fn block(name: &str, Modes { dofs, modes, .. }: &Modes) -> Block {
    let damping: Vec<f64> = modes.iter().map(|mode| 2.0 * mode.mass * mode.sigma).collect();
    Block {
        name: name.into(),
        dofs: dofs.clone(),
        stiffness: Operator::Diagonal(modes.iter().map(|mode| mode.mass * mode.omega * mode.omega).collect()),
        damping: if damping.iter().all(|r| *r == 0.0) { Operator::Zero } else { Operator::Diagonal(damping) },
    }
}

//! The reduced system: every field of a [`System`] mapped to the new coordinates.

use super::{
    component::{Component, Modes},
    components::renumbered,
    coordinates::Coordinates,
};
use hamiltone_core::{
    element::Element,
    input::{Action, Input},
    joint::{Joint, Support},
    operator::Operator,
    row::Row,
    system::{Block, Initial, Output, System},
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
    let row = |row: &Row| coordinates.row(row);
    let element =
        |element: &Element| Element { rows: element.rows.iter().map(row).collect(), ..element.clone() };
    // A body that stands on a reduced one; what is reduced itself has no modes of its own to stand with.
    let support = |support: &Support| Support { place: row(&support.place), lift: support.lift.clone() };
    let joint = |joint: &Joint| {
        let supports = joint.supports.iter().map(support).collect();
        Some(Joint { first: numbers.get(joint.first).copied().flatten()?, supports, ..joint.clone() })
    };
    let joints = old.joints.iter().filter_map(joint).collect();
    let forms = old.forms.iter().map(|form| form.along(row)).collect();
    let input = |input: &Input| match &input.action {
        Action::Force(along) => Input::force(&input.name, row(along)),
        Action::Motion(_)
        | Action::Rate(_)
        | Action::Strain(_)
        | Action::Branch(_)
        | Action::Control(_)
        | Action::Custom { .. } => input.clone(),
    };
    let output = |output: &Output| Output { name: output.name.clone(), quantity: output.quantity.along(row) };
    let initial = Initial {
        position: coordinates.project(old.initial.position.iter().copied().enumerate()),
        velocity: coordinates.project(old.initial.velocity.iter().copied().enumerate()),
    };
    System {
        mass,
        blocks,
        joints,
        forms,
        elements: old.elements.iter().map(element).collect(),
        inputs: old.inputs.iter().map(input).collect(),
        outputs: old.outputs.iter().map(output).collect(),
        initial,
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

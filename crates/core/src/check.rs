//! Whether a system is one: sizes, signs and finite numbers, checked before any scheme sees it.

use crate::{
    operator::Operator,
    row::Row,
    scheme::Refusal,
    system::{Quantity, System},
};

/// Checks `system` and the time step `dt` (s) for `scheme`.
///
/// # Errors
/// [`Refusal::Invalid`] with the first thing that is wrong.
pub fn check(scheme: &'static str, system: &System, dt: f64) -> Result<(), Refusal> {
    problem(system, dt).map_or(Ok(()), |what| Err(Refusal::Invalid { scheme, what }))
}

fn problem(system: &System, dt: f64) -> Option<String> {
    let n = system.size();
    let fits = |row: &Row, size: usize| {
        row.last_dof().is_none_or(|last| last < size) && row.entries().all(|(_, w)| w.is_finite())
    };
    if !(dt > 0.0 && (dt * dt).is_normal() && (dt * dt).recip().is_normal()) {
        return Some(format!(
            "the time step {dt} s is not a positive number whose square can be told from 0"
        ));
    }
    if let Some(i) = system.mass.iter().position(|&m| !(m.is_finite() && m > 0.0)) {
        return Some(format!(
            "the mass {} of degree of freedom {i} is not a positive number",
            system.mass[i]
        ));
    }
    let (q, v) = (&system.start.position, &system.start.velocity);
    if q.len() != n || v.len() != n || !q.iter().chain(v).all(|x| x.is_finite()) {
        return Some(format!("the start is not {n} finite positions and {n} finite velocities"));
    }
    for block in &system.blocks {
        let inside = block.dofs.start <= block.dofs.end && block.dofs.end <= n;
        let sound = |operator: &Operator| match operator {
            Operator::Zero => true,
            Operator::Diagonal(k) => {
                k.len() == block.dofs.len() && k.iter().all(|&k| k.is_finite() && k >= 0.0)
            }
            Operator::Strains(strains) => {
                strains.iter().all(|(w, row)| w.is_finite() && *w >= 0.0 && fits(row, block.dofs.len()))
            }
            Operator::Stencils(lattice) => {
                lattice.strains().all(|(w, row)| w.is_finite() && w >= 0.0 && fits(&row, block.dofs.len()))
            }
        };
        if !(inside && sound(&block.stiffness) && sound(&block.damping)) {
            return Some(format!(
                "block `{}` does not fit, or has a weight that is negative or not finite",
                block.name
            ));
        }
    }
    if let Some(contact) = system.contacts.iter().find(|c| !(fits(&c.row, n) && c.gap.is_finite())) {
        return Some(format!("contact `{}` does not fit, or its gap is not finite", contact.name));
    }
    if let Some(port) = system.inputs.iter().find(|port| !fits(&port.row, n)) {
        return Some(format!("input `{}` does not fit", port.name));
    }
    let heard = |quantity: &Quantity| match quantity {
        Quantity::Displacement(row) | Quantity::Velocity(row) => fits(row, n),
        Quantity::ContactForce(j) => *j < system.contacts.len(),
        Quantity::ContactForces(js) => js.start <= js.end && js.end <= system.contacts.len(),
    };
    let output = system.outputs.iter().find(|output| !heard(&output.quantity))?;
    Some(format!("output `{}` does not fit", output.name))
}

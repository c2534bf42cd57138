//! Reads a system's outputs from positions, velocities and contact forces.

use hamiltone_core::system::{Output, Quantity};

/// Whether any output reads an element's force.
pub(crate) fn reads_forces(outputs: &[Output]) -> bool {
    outputs.iter().any(|o| matches!(o.quantity, Quantity::ElementForce(_) | Quantity::ElementForces(_)))
}

/// The force that a quantity of elements reads, N; 0 for any other.
pub(crate) fn force(quantity: &Quantity, forces: &[f64]) -> f64 {
    match quantity {
        Quantity::ElementForce(j) => forces[*j],
        Quantity::ElementForces(js) => forces[js.clone()].iter().sum(),
        Quantity::Displacement(_) | Quantity::Velocity(_) => 0.0,
    }
}

/// Writes one value an output: displacement c·q (m), velocity `rate`·c·w (m/s), contact force (N).
///
/// `w` is a velocity in any unit of its own; `rate` turns it into m/s.
pub(crate) fn read(outputs: &[Output], q: &[f64], w: &[f64], rate: f64, forces: &[f64], out: &mut [f64]) {
    for (output, out) in outputs.iter().zip(out) {
        *out = match &output.quantity {
            Quantity::Displacement(row) => row.dot(q),
            Quantity::Velocity(row) => rate * row.dot(w),
            of_elements => force(of_elements, forces),
        };
    }
}

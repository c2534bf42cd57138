//! Reads what a stepper is asked for from positions, velocities and mean forces.

use hamiltone_core::system::{Output, Quantity};

/// The mean force that a quantity reads, N; 0 for any other.
pub(crate) fn mean_force(quantity: &Quantity, means: &[f64]) -> f64 {
    match quantity {
        Quantity::Force(elements) | Quantity::MeanForce(elements) => means[elements.clone()].iter().sum(),
        Quantity::Displacement(_) | Quantity::Velocity(_) => 0.0,
    }
}

/// Writes one value an output: displacement c·q (m), velocity `rate`·c·w (m/s), mean force over the last step (N).
///
/// `w` is a velocity in any unit of its own; `rate` turns it into m/s. A scheme that does not cover mean forces gives
/// no `means`.
pub(crate) fn read(outputs: &[Output], q: &[f64], w: &[f64], rate: f64, means: &[f64], out: &mut [f64]) {
    for (output, out) in outputs.iter().zip(out) {
        *out = match &output.quantity {
            Quantity::Displacement(row) => row.dot(q),
            Quantity::Velocity(row) => rate * row.dot(w),
            of_elements => mean_force(of_elements, means),
        };
    }
}

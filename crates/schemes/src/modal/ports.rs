//! The inputs and outputs of a bank of modes, prepared against it: both are met in every step.

use super::{dense_rows::DenseRows, eights::zeros};
use hamiltone_core::{
    input::Input,
    row::Row,
    system::{Quantity, System},
};
use hamiltone_numerics::aligned::Aligned;

/// The forces among the inputs of a system, and its outputs.
pub(crate) struct Ports {
    forces: DenseRows,
    /// Their numbers among the inputs.
    numbers: Vec<usize>,
    readouts: Vec<Readout>,
}

enum Readout {
    Displacement(DenseRows),
    /// A row with its weights, padded like the bank.
    Velocity(Row, Aligned),
    MeanForce(Quantity),
}

impl Ports {
    /// Those of `system`, whose coordinates are `scale` times those of the bank.
    pub fn new(system: &System, scale: &[f64]) -> Self {
        let readout = |quantity: &Quantity| match quantity {
            Quantity::Displacement(row) => Readout::Displacement(DenseRows::new([row].into_iter(), scale)),
            Quantity::Velocity(row) => {
                let mut weights = zeros(scale.len());
                row.add_scaled(1.0, &mut weights);
                Readout::Velocity(row.clone(), weights)
            }
            Quantity::Force(_) | Quantity::MeanForce(_) => Readout::MeanForce(quantity.clone()),
        };
        let inputs = system.inputs.iter().enumerate();
        Self {
            forces: DenseRows::new(system.inputs.iter().filter_map(Input::row), scale),
            numbers: inputs.filter(|(_, input)| input.row().is_some()).map(|(k, _)| k).collect(),
            readouts: system.outputs.iter().map(|output| readout(&output.quantity)).collect(),
        }
    }

    /// Whether any input is a force.
    pub fn is_driven(&self) -> bool {
        !self.numbers.is_empty()
    }

    /// Bu, scaled, into `push`, which is zeros unless `pushed`; `value`(k) is that of input k. Returns whether any force is not 0.
    pub fn drive(&self, value: impl Fn(usize) -> f64, push: &mut [f64], pushed: bool) -> bool {
        if pushed {
            push.fill(0.0);
        }
        let mut driven = false;
        for (row, k) in self.numbers.iter().enumerate() {
            let force = value(*k);
            // Most inputs of an instrument are 0 most of the time; to add 0·w would change nothing.
            if force != 0.0 {
                self.forces.add(row, force, push);
                driven = true;
            }
        }
        driven
    }

    /// The outputs of a bank at `place`, with the elements' mean forces; `velocity` is that along a row with its weights.
    pub fn read(
        &self,
        place: &[f64],
        means: &[f64],
        velocity: impl Fn(&Row, &[f64]) -> f64,
        output: &mut [f64],
    ) {
        for (readout, out) in self.readouts.iter().zip(output) {
            *out = match readout {
                Readout::Displacement(row) => row.dot(0, place),
                Readout::Velocity(row, weights) => velocity(row, weights),
                Readout::MeanForce(quantity) => quantity.mean_force(means),
            };
        }
    }
}

//! A body whose coordinates were replaced: its rows, sample points and initial motions over the new ones.

use super::coordinates::Coordinates;
use hamiltone_core::{
    body::{InitialMotion, InitialValue, Placed, Readout, Representation, Sample},
    geometry::Position,
    row::Row,
};
use std::sync::Arc;

/// The body in the reduced system. Its degrees of freedom are those of all modes from which it is read, also where
/// they are those of several bodies that links join.
pub(super) fn placed(body: Arc<Placed>, coordinates: Arc<Coordinates>) -> Placed {
    Placed {
        dofs: coordinates.range(body.dofs.clone()),
        measure: body.measure,
        geometry: body.geometry,
        modal: None,
        representation: Box::new(Reduced { body, coordinates }),
    }
}

/// The amplitudes of numerical modes.
pub struct Reduced {
    body: Arc<Placed>,
    coordinates: Arc<Coordinates>,
}

impl Representation for Reduced {
    fn row(&self, at: Position) -> Row {
        self.coordinates.row(&self.body.representation.row(at))
    }

    fn readouts(&self) -> &'static [Readout] {
        self.body.representation.readouts()
    }

    fn readout(&self, name: &str, at: Position) -> Row {
        self.coordinates.row(&self.body.representation.readout(name, at))
    }

    fn samples(&self) -> Vec<Sample> {
        let mapped = |sample: Sample| Sample { row: self.coordinates.row(&sample.row), ..sample };
        self.body.representation.samples().into_iter().map(mapped).collect()
    }

    fn resolution(&self) -> f64 {
        self.body.representation.resolution()
    }

    /// What the modes hold of the motion.
    fn project(&self, motion: &InitialMotion<'_>) -> Vec<InitialValue> {
        let values = self.body.representation.project(motion);
        let position = self.coordinates.project(values.iter().map(|value| (value.dof, value.position)));
        let velocity = self.coordinates.project(values.iter().map(|value| (value.dof, value.velocity)));
        self.coordinates
            .range(self.body.dofs.clone())
            .map(|dof| InitialValue { dof, position: position[dof], velocity: velocity[dof] })
            .collect()
    }

    fn partial(&self, k: usize) -> Option<f64> {
        self.body.representation.partial(k)
    }
}

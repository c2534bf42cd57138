//! A body whose coordinates were replaced: its rows, sample points and initial motions over the new ones.

use super::coordinates::Coordinates;
use hamiltone_core::{
    body::{InitialMotion, InitialValue, Placed, Readout, Representation, Sample},
    geometry::Position,
    row::Row,
    system::Quantity,
};
use std::sync::Arc;

/// So many points of a picture lie between two points of contact.
const IN_A_PIECE: usize = 4;

/// The body in the reduced system. Its degrees of freedom are those of all modes from which it is read, also where
/// they are those of several bodies that links join.
pub(super) fn placed(body: Arc<Placed>, coordinates: Arc<Coordinates>) -> Placed {
    let pieces = body.modal.as_ref().and_then(|modal| modal.pieces);
    let count = |pieces| IN_A_PIECE * pieces;
    let pieces = pieces.zip(body.geometry.length()).map(|(n, length)| Pieces { count: count(n), length });
    Placed {
        dofs: coordinates.range(body.dofs.clone()),
        measure: body.measure,
        geometry: body.geometry,
        modal: None,
        representation: Box::new(Reduced { body, coordinates, pieces }),
    }
}

/// The amplitudes of numerical modes.
pub struct Reduced {
    body: Arc<Placed>,
    coordinates: Arc<Coordinates>,
    pieces: Option<Pieces>,
}

/// Equal pieces of a line.
struct Pieces {
    count: usize,
    /// Of the line, m.
    length: f64,
}

impl Pieces {
    /// The length of one, m.
    fn each(&self) -> f64 {
        self.length / self.count as f64
    }
}

impl Representation for Reduced {
    fn row(&self, at: Position) -> Row {
        self.coordinates.row(&self.body.representation.row(at))
    }

    fn readouts(&self) -> &'static [Readout] {
        self.body.representation.readouts()
    }

    fn readout(&self, name: &str, at: Position) -> Quantity {
        self.body.representation.readout(name, at).along(|row| self.coordinates.row(row))
    }

    fn samples(&self) -> Vec<Sample> {
        // The grid is finer than the modes: one point for each of its nodes would be many more than there are ways to move.
        if let Some(pieces) = &self.pieces {
            let sample = |i: usize| {
                let at = [(i as f64 + 0.5) * pieces.each(), 0.0];
                Sample { row: self.row(at), at, weight: pieces.each() }
            };
            return (0..pieces.count).map(sample).collect();
        }
        let mapped = |sample: Sample| Sample { row: self.coordinates.row(&sample.row), ..sample };
        self.body.representation.samples().into_iter().map(mapped).collect()
    }

    fn resolution(&self) -> f64 {
        self.pieces.as_ref().map_or_else(|| self.body.representation.resolution(), Pieces::each)
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

    /// That of the body's damping and of its law of losses by frequency.
    fn decay(&self, k: usize) -> Option<f64> {
        let own = self.body.representation.decay(k)?;
        match self.body.modal.as_ref().and_then(|modal| modal.decay.as_ref()) {
            Some(law) => Some(own + law(self.partial(k)?)),
            None => Some(own),
        }
    }
}

//! The contract of a body: it adds itself to a system, and what it returns answers for its places.
//!
//! A body appends coordinates, blocks and masses to a [`System`] and returns a [`Placed`]: its coordinates, its
//! units, its [`Geometry`] as data, and its [`Representation`], which turns positions into rows, initial motions into
//! initial values, and knows partials and mode shapes where there is a theory.

pub use crate::measure::Measure;

use crate::{
    geometry::{Geometry, Place, Position},
    parameter::Complaint,
    row::Row,
    system::{Quantity, System},
};
use std::{ops::Range, sync::Arc};

/// A quotient this little above a whole number is whole: lengths are positions' differences, whose rounding is eps times
/// the quotient, below 1e-10 of as many pieces as a body may have.
const WHOLE: f64 = 1e-9;
/// A row whose weights are below this part of those inside the body is of a place that is held.
const HELD: f64 = 1e-9;
/// Places inside a body that are no node of all its modes, as parts of its size.
const INSIDE: [f64; 2] = [0.382, 0.4567];

/// Something that moves. Adding it appends degrees of freedom, blocks and initial values.
pub trait Body: Send {
    /// Appends the body to `system` under `name`.
    ///
    /// # Errors
    /// A [`Complaint`] where its numbers do not make a body.
    fn add_to(&self, system: &mut System, name: &str) -> Result<Placed, Complaint>;

    /// What was found so that the body sounds as it was asked to, such as the tension of a string of a given pitch.
    fn solved(&self) -> Vec<Solved> {
        Vec::new()
    }
}

/// A quantity of a body that was found, not given.
#[derive(Clone, Debug, PartialEq)]
pub struct Solved {
    /// What it is, such as "tension".
    pub name: &'static str,
    /// Its value.
    pub value: f64,
    /// Its SI unit, `""` of a plain number.
    pub unit: &'static str,
}

/// A body that is part of a system.
pub struct Placed {
    /// Its degrees of freedom.
    pub dofs: Range<usize>,
    /// What its positions and forces are measured in.
    pub measure: Measure,
    /// Whether it is at a point, along a line or a surface, and its size.
    pub geometry: Geometry,
    /// How its coordinates describe its motion.
    pub representation: Box<dyn Representation>,
    /// The modes that it is to be represented by: its coordinates are not those yet, or need not stay those where links
    /// couple them. `None` where its coordinates are to stay.
    pub modal: Option<ModalRequest>,
}

/// A decay rate σ(f), 1/s, of a frequency f > 0, Hz.
pub type DecayRate = Arc<dyn Fn(f64) -> f64 + Send + Sync>;

/// What a body says of the modes that are to represent it, alone or with the bodies that links join it to.
#[derive(Clone, Default)]
pub struct ModalRequest {
    /// How many; `None`: those below 20 kHz.
    pub count: Option<usize>,
    /// Losses by frequency, besides those of the body's damping.
    pub decay: Option<DecayRate>,
    /// Into how many equal pieces points of contact along the body divide it: as many as tell its modes apart, the shortest of
    /// which a contact can excite; pictures have more. `None`: those of the grid from which the modes are found.
    pub pieces: Option<usize>,
}

impl Placed {
    /// The row that reads the displacement at a place; a force at that place acts along it.
    ///
    /// # Errors
    /// What is wrong with the place.
    pub fn row(&self, place: Place) -> Result<Row, String> {
        Ok(self.row_at(self.geometry.position(place)?))
    }

    /// The row that reads the displacement at a position: one that reads nothing where the body is held. The shapes of
    /// modes leave a rounding of 0 there, which is no motion.
    pub fn row_at(&self, at: Position) -> Row {
        self.unless_held(at, self.usual_weight())
    }

    /// The row at a position where it is more than a rounding of this weight, else that of the ground.
    fn unless_held(&self, at: Position, usual: f64) -> Row {
        let row = self.representation.row(at);
        if largest_weight(&row) <= HELD * usual { Row::ground() } else { row }
    }

    /// The largest weight of rows inside a line or surface; 0 of a point, which is nowhere held.
    fn usual_weight(&self) -> f64 {
        let inside = |part: f64| Some(largest_weight(&self.representation.row(self.geometry.inside(part)?)));
        INSIDE.into_iter().filter_map(inside).fold(0.0, f64::max)
    }

    /// One of its [`Representation::readouts`] at a place.
    ///
    /// # Errors
    /// What is wrong with the place.
    pub fn readout(&self, readout: &Readout, place: Place) -> Result<Quantity, String> {
        Ok(self.representation.readout(readout.name, self.geometry.position(place)?))
    }

    /// Sample points on the straight line between two positions, in order: the midpoints of equal pieces, as long as
    /// [`Representation::resolution`] or somewhat shorter; each stands for the length of its piece.
    pub fn samples_between(&self, from: Position, to: Position) -> Vec<Sample> {
        let length = self.geometry.distance(from, to);
        let pieces = (length / self.representation.resolution() - WHOLE).ceil().max(1.0);
        let usual = self.usual_weight();
        let sample = |i: usize| {
            let at = self.geometry.between(from, to, (i as f64 + 0.5) / pieces);
            Sample { row: self.unless_held(at, usual), at, weight: length / pieces }
        };
        (0..pieces as usize).map(sample).collect()
    }
}

fn largest_weight(row: &Row) -> f64 {
    row.entries().fold(0.0, |largest, (_, weight)| weight.abs().max(largest))
}

/// How the coordinates of a body describe its motion: as values on the nodes of a grid, as amplitudes of modes, ….
///
/// All rows and numbers of coordinates are those of the whole system.
pub trait Representation: Send + Sync {
    /// The row that reads the displacement at a position; a force at that position acts along it.
    fn row(&self, at: Position) -> Row;

    /// What can be read besides the displacement and velocity of [`Representation::row`].
    fn readouts(&self) -> &'static [Readout] {
        &[]
    }

    /// What an output reads for the readout of this name, one of [`Representation::readouts`], at a position.
    fn readout(&self, name: &str, at: Position) -> Quantity {
        let _ = name;
        Quantity::Displacement(self.row(at))
    }

    /// The sample points of a line or surface in order, for contacts along it and for pictures; none of a point.
    fn samples(&self) -> Vec<Sample> {
        Vec::new()
    }

    /// The finest detail that it can represent, m: the step of a grid, or half the shortest wavelength.
    fn resolution(&self) -> f64;

    /// The initial values that make an initial motion: nodal values, or integrals of mode shapes times the motion.
    fn project(&self, motion: &InitialMotion<'_>) -> Vec<InitialValue>;

    /// The continuous theory's undamped frequency of partial k = 1, 2, …, Hz, counted without rigid motions; `None`
    /// where it is not known.
    fn partial(&self, _k: usize) -> Option<f64> {
        None
    }

    /// The decay rate σ that the losses of the continuous theory give partial k = 1, 2, …, 1/s: it decays as e^(−σt), by
    /// 60 dB in T₆₀ = 3 ln 10/σ; `None` where it is not known.
    fn decay(&self, _k: usize) -> Option<f64> {
        None
    }

    /// How many mode shapes are known: those of the partials 1, 2, ….
    fn modes(&self) -> usize {
        0
    }

    /// The part of the stiffness of each of its coordinates that is proportional to a tension, N/m, where its stiffness is
    /// diagonal and the tension can be changed: ∫τφ′² of the modes of a string.
    fn tension_stiffness(&self) -> Option<Vec<f64>> {
        None
    }

    /// How its tension at a position follows from the forms that it has added, in their order, where it grows with the amplitude: what
    /// [`Quantity::Tension`] weighs them and coordinates by.
    fn tension(&self, _at: Position) -> Option<(Vec<f64>, Row)> {
        None
    }

    /// Its tension at rest, N or N/m, where that grows with the amplitude.
    fn rest_tension(&self) -> Option<f64> {
        None
    }

    /// How its coordinates follow its ends where these move ([`crate::joint`]): of strings with modes.
    fn standing(&self) -> Option<Standing> {
        None
    }

    /// The row of the volume ∫∫u dS (m³) that a surface displaces, where that is known.
    fn volume(&self) -> Option<Row> {
        None
    }

    /// Its motions without strain, each as (coordinate, value): none of a body that its ends hold, up to two of a line.
    fn rigid(&self) -> Vec<Vec<(usize, f64)>> {
        Vec::new()
    }

    /// The shape of partial k = 1 … [`Representation::modes`]: (coordinate, value) where its amplitude is 1.
    fn mode(&self, _k: usize) -> Vec<(usize, f64)> {
        Vec::new()
    }
}

/// A string that stands on its ends: what [`crate::joint::Joint`] states of it.
#[derive(Clone, Debug, PartialEq)]
pub struct Standing {
    /// Its first coordinate.
    pub first: usize,
    /// b of each coordinate where the left end, or the right one, is lifted.
    pub lifts: [Vec<f64>; 2],
    /// T/L, N/m: what an end feels of the string as it stays straight.
    pub straight: f64,
    /// Where its ends are, m.
    pub ends: [f64; 2],
}

/// A quantity of a body that a pickup can name: a linear function of its positions or velocities.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Readout {
    /// Its name in scenes, such as "force" or "pressure".
    pub name: &'static str,
    /// Its unit.
    pub unit: &'static str,
}

/// A sample point of a line or surface.
#[derive(Clone, Debug, PartialEq)]
pub struct Sample {
    /// The row that reads its displacement.
    pub row: Row,
    /// Where it is.
    pub at: Position,
    /// The length (m) or area (m²) that it stands for.
    pub weight: f64,
}

/// How a body moves at t = 0: u(x), v(x) on a line, u(x, y), v(x, y) on a surface.
pub struct InitialMotion<'a> {
    /// Displacement (m) and velocity (m/s) at a position.
    pub at: Box<dyn Fn(Position) -> (f64, f64) + 'a>,
    /// Where it is smooth: integrals are split accordingly.
    pub support: Support,
}

/// Where an initial motion is smooth.
#[derive(Clone, Debug, PartialEq)]
pub enum Support {
    /// On the whole body; on a line except at these x (m), ascending.
    Whole {
        /// x, m from the left end.
        corners: Vec<f64>,
    },
    /// Within a disc that lies on a surface; it is zero outside.
    Disc {
        /// The middle of the disc.
        centre: Position,
        /// Its radius, m.
        radius: f64,
    },
}

/// The initial value of one coordinate.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct InitialValue {
    /// The coordinate.
    pub dof: usize,
    /// Its position at t = 0.
    pub position: f64,
    /// Its velocity at t = 0, per second.
    pub velocity: f64,
}

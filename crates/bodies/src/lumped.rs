//! What bodies of one degree of freedom share: places and initial conditions.

use hamiltone_core::{
    body::{InitialMotion, InitialValue, Measure, Placed, Representation},
    geometry::{Geometry, Position},
    parameter::{Absent, Complaint, Parameter, Range, Role, Takes, Values},
    row::Row,
    system::System,
};

/// Position and velocity at t = 0.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct InitialState {
    pub position: f64,
    pub velocity: f64,
}

impl InitialState {
    pub fn new(position: f64, velocity: f64) -> Result<Self, Complaint> {
        Ok(Self {
            position: Range::ANY.check("position", position)?,
            velocity: Range::ANY.check("velocity", velocity)?,
        })
    }

    pub fn read(values: &Values) -> Result<Self, Complaint> {
        Self::new(values.required("position")?, values.required("velocity")?)
    }
}

/// Adds one degree of freedom; the only place on it is the whole body.
pub(crate) fn add(system: &mut System, mass: f64, initial: InitialState, measure: Measure) -> Placed {
    let dof = system.add_dof(mass, initial.position, initial.velocity);
    let representation = Box::new(Coordinate { dof });
    Placed { dofs: dof..dof + 1, measure, geometry: Geometry::Point, representation, modal: None }
}

/// One coordinate is the whole body.
struct Coordinate {
    dof: usize,
}

impl Representation for Coordinate {
    fn row(&self, _: Position) -> Row {
        Row::unit(self.dof)
    }

    fn resolution(&self) -> f64 {
        f64::INFINITY
    }

    fn project(&self, motion: &InitialMotion<'_>) -> Vec<InitialValue> {
        let (position, velocity) = (motion.at)([0.0; 2]);
        vec![InitialValue { dof: self.dof, position, velocity }]
    }
}

/// y(0).
pub(crate) const POSITION: Parameter = Parameter {
    name: "position",
    takes: Takes::Number(Role::Displacement, Range::ANY),
    absent: Absent::Number(0.0),
    doc: "y(0), the initial displacement",
};

/// ẏ(0).
pub(crate) const VELOCITY: Parameter = Parameter {
    name: "velocity",
    takes: Takes::Number(Role::Velocity, Range::ANY),
    absent: Absent::Number(0.0),
    doc: "ẏ(0), the initial velocity",
};

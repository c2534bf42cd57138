//! What bodies of one degree of freedom share: where they are and how they start.

use hamiltone_core::{
    body::{Measure, Place, Placed},
    parameter::{Absent, Complaint, Parameter, Range, Role, Takes, Values},
    row::Row,
    system::System,
};

/// Position and velocity at t = 0.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Start {
    pub position: f64,
    pub velocity: f64,
}

impl Start {
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
pub(crate) fn add(system: &mut System, mass: f64, start: Start, measure: Measure) -> Placed {
    let dof = system.add_dof(mass, start.position, start.velocity);
    let locate = move |place| match place {
        Place::Whole => Ok(Row::unit(dof)),
        Place::Length(_) | Place::Fraction(_) | Place::Pair(..) => {
            Err("this body is a point and has no places on it; write its name without `@…`".into())
        }
    };
    Placed { dofs: dof..dof + 1, measure, locate: Box::new(locate), heard: Vec::new(), extent: None }
}

/// y(0).
pub(crate) const POSITION: Parameter = Parameter {
    name: "position",
    takes: Takes::Number(Role::Displacement, Range::ANY),
    absent: Absent::Number(0.0),
    doc: "y(0), the displacement at the start",
};

/// ẏ(0).
pub(crate) const VELOCITY: Parameter = Parameter {
    name: "velocity",
    takes: Takes::Number(Role::Velocity, Range::ANY),
    absent: Absent::Number(0.0),
    doc: "ẏ(0), the velocity at the start",
};

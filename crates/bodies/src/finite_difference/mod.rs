//! Bodies as values on the nodes of a uniform grid.
//!
//! Each file states the energy of one kind of field by differences ([`variational`]); mass, stiffness and damping
//! follow. The coordinates are the values at the nodes themselves, so that an initial motion is read off at the nodes.

pub(crate) mod timoshenko;
pub(crate) mod transverse;
pub(crate) mod tube;
pub mod variational;

use hamiltone_core::{
    body::{InitialMotion, InitialValue, Sample},
    operator::Operator,
    row::Row,
};
use std::sync::Arc;
use variational::Field;

/// What the continuous theory knows of partial k = 1, 2, …: a frequency, Hz, or a decay rate, 1/s.
pub(crate) type OfPartial = Arc<dyn Fn(usize) -> Option<f64> + Send + Sync>;

/// The continuous theory of a body.
#[derive(Clone)]
pub(crate) struct Theory {
    /// Frequencies without losses, Hz.
    pub partial: OfPartial,
    /// Decay rates σ, 1/s.
    pub decay: OfPartial,
}

/// The unknown nodes of a field as sample points.
fn samples(field: &Field) -> Vec<Sample> {
    let sample = |l: i64| Sample {
        row: Row::unit(field.coordinate(l)),
        at: [field.position(l), 0.0],
        weight: field.weight(l),
    };
    field.indices().map(sample).collect()
}

/// An initial motion read off at the unknown nodes of a field.
fn project(field: &Field, motion: &InitialMotion<'_>) -> Vec<InitialValue> {
    let value = |l: i64| {
        let (position, velocity) = (motion.at)([field.position(l), 0.0]);
        InitialValue { dof: field.coordinate(l), position, velocity }
    };
    field.indices().map(value).collect()
}

/// R = γM.
fn uniform_damping(mass: &[f64], gamma: f64) -> Operator {
    match gamma {
        0.0 => Operator::Zero,
        gamma => Operator::Diagonal(mass.iter().map(|m| m * gamma).collect()),
    }
}

//! The inputs of the system that gestures act on, each shared by all gestures with the same target.

use hamiltone_core::{body::Placed, row::Row};
use hamiltone_gestures::Shape;
use std::{
    cell::{Cell, OnceCell},
    ops::Range,
    sync::Arc,
};

/// An input that gestures act on.
pub struct GestureInput {
    /// The key of the gestures that act on it, and the name at that key without a place.
    pub target: (&'static str, String),
    /// Its number among the inputs of the system.
    pub number: usize,
    /// Its value where no gesture acts on it.
    pub own: f64,
    /// Of a force, where it acts.
    pub place: Option<ForcedPlace>,
    /// Of a tension, the body.
    pub strained: Option<Arc<Placed>>,
    /// The gestures with their begins, s.
    pub events: Vec<(f64, Shape)>,
}

/// Where a force acts.
pub struct ForcedPlace {
    /// The body.
    pub body: Arc<Placed>,
    /// The row along which it acts.
    pub row: Row,
    /// The mass of a body at one point, kg.
    pub mass: Option<f64>,
    /// The static compliance, m/N, found where it is needed, or why there is none.
    pub compliance: OnceCell<Result<f64, String>>,
    /// The contacts that close as the place moves forth or back: the number of the element, its weight (–) there and the way (m) left.
    pub closing: OnceCell<Vec<(usize, f64, f64)>>,
    /// Whether it is said already that a body reaches something while it is thrown.
    pub said: Cell<bool>,
}

/// A gesture of the score, as far as a run matters to it.
pub struct Moment {
    /// Its number in the score.
    pub entry: usize,
    /// Its time, s.
    pub time: f64,
    /// From its begin until it is over, s.
    pub acts: Range<f64>,
    /// The shortest time in which its input changes, s.
    pub shortest: f64,
}

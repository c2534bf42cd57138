//! The path of one degree of freedom through its phase plane.

use hamiltone_core::{body::Measure, row::Row};
use hamiltone_render::Block;
use hamiltone_scene::Plan;
use std::collections::VecDeque;

/// The most points that are kept at the beginning, and at the end.
const POINTS: usize = 4096;

/// The path of one degree of freedom through its phase plane, at the rate of the sound:
/// that in the middle of the first body.
pub struct Orbit {
    /// The body's name.
    pub body: String,
    /// What it is measured in.
    pub measure: Measure,
    /// What is drawn of it: its middle.
    row: Row,
    /// γ = R/M, 1/s, where the body is a single oscillator.
    pub gamma: f64,
    /// M, kg or kg/m².
    pub mass: f64,
    /// The first points (t, q, v).
    pub first: Vec<[f64; 3]>,
    /// The last points, oldest first, where there are more than the first.
    pub last: VecDeque<[f64; 3]>,
}

impl Orbit {
    /// For the first body, if there is one.
    pub fn new(plan: &Plan) -> Option<Self> {
        let body = plan.bodies.first().filter(|body| !body.placed.dofs.is_empty())?;
        let dofs = &body.placed.dofs;
        let points = body.placed.extent.as_ref().map_or(&[][..], |extent| &extent.points);
        let middle = points.get(points.len() / 2).map(|point| point.row.clone());
        let row = middle.unwrap_or_else(|| Row::unit(dofs.start + dofs.len() / 2));
        let mass = 1.0 / row.sum(|i, w| w * w / plan.system.mass[i]);
        let damping = plan.system.diagonal_damping().map_or(0.0, |diagonal| diagonal[dofs.start]);
        let gamma = if dofs.len() == 1 { damping / mass } else { 0.0 };
        Some(Self {
            body: body.name.clone(),
            measure: body.placed.measure,
            row,
            gamma,
            mass,
            first: Vec::new(),
            last: VecDeque::new(),
        })
    }

    /// Enters the state after a block.
    pub fn post(&mut self, block: &Block) {
        let point = [block.last() as f64 / block.rate, self.row.dot(block.q), self.row.dot(block.v)];
        if self.first.len() < POINTS {
            self.first.push(point);
        } else {
            if self.last.len() == POINTS {
                self.last.pop_front();
            }
            self.last.push_back(point);
        }
    }
}
